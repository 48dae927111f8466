"""Beyond Li et al. 2020: baselines in vector form, two kinds of ranges, and counts in walks with one pair of hands."""

from typing import Any

from mccfr.jobs import plot_style
from mccfr.papers import curves
from mccfr.papers.curves import ITERATIONS, SECONDS, Runs
from mccfr.papers.figure import NO_CLAIM, Claim, Scale
from mccfr.papers.li import SOURCE, Plan, explored, figure, vector

AVERAGE = vector("robust", explored("mas", "counts"))
METHODS = {
    "average": AVERAGE,
    "average, infoset": f"{AVERAGE}+infoset",
    "average, static": f"{AVERAGE}+static(uniform)",
    "ranges, current": vector("robust", explored("was(both)", "counts")),
    "ranges, average": vector("robust", explored("was(both, by=average)", "counts")),
    "value, epsilon 0.6": "outcome(0.6)",
    "value, epsilon 0.1": "outcome(0.1)",
    "value, counts": "outcome(explore=counts)",
    "value, counts for both": "outcome(explore=counts, others=True)",
}
AGAINST = {  # each curve, and what it is compared with
    "average, infoset": "average",
    "average, static": "average",
    "ranges, average": "ranges, current",
    "value, epsilon 0.1": "value, epsilon 0.6",
    "value, counts": "value, epsilon 0.6",
    "value, counts for both": "value, epsilon 0.6",
}
UNITS = {ITERATIONS: "iterations", SECONDS: "CPU time"}
COLOURS = dict(zip(("average", "value", "ranges"), plot_style.COLOURS))
DASHES = {
    "": "-", "infoset": "--", "static": ":", "current": "-", "average": "--",
    "epsilon 0.6": "-", "epsilon 0.1": ":", "counts": "--",
}  # fmt: skip


def _style(name: str) -> dict[str, Any]:
    form, _, how = name.partition(", ")
    return {"color": COLOURS[form], "linestyle": DASHES.get(how, "-.")}


def _claims(found: dict[str, Runs]) -> list[Claim]:
    return [_ratio(found, one, other, column) for one, other in AGAINST.items() for column in UNITS]


def _ratio(found: dict[str, Runs], one: str, other: str, column: int) -> Claim:
    """Exploitability of one curve over that of another where the first run ends."""
    ratio, end = curves.at_the_end(found, one, other, column)
    at = f"{end:,.0f} iterations" if column == ITERATIONS else f"{end:.2g} s"
    text = f"{one} over {other}: exploitability at equal {UNITS[column]}"
    return Claim("L+", text, "nothing is said", f"{ratio} at {at}", NO_CLAIM)


PLAN = Plan(
    "beyond",
    "Baselines, ranges and counts in no-limit preflop hold'em, beyond the paper",
    METHODS,
    _claims,
    _style,
    "`average` is the paper's average sampling with exploration by counts. Its baselines are learned for every public "
    "edge and hand (`infoset`), or the values of the uniform strategy (`static`). `ranges` is the same sampling with "
    "hands weighted by both players' ranges, those of current strategies, which the paper prefers (below equation 7), "
    "or of average ones. `value` is outcome sampling with one pair of hands, which explores uniformly, or by counts at "
    "its infosets: at the walker's, or at both players'.",
    Scale("20 seconds", 3, 30_000, ("nlph",)),
    Scale("18 minutes on two processors", 20, 300_000, ("nlph",)),
)
FIGURE = figure(PLAN)._replace(source=f"ours, after {SOURCE}")
