"""Li et al. 2020, figure 3: laws weighted by ranges."""

from typing import Any

from mccfr.jobs import plot_style
from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.davis import is_below
from mccfr.papers.figure import NOT, REPRODUCED, Claim, Scale
from mccfr.papers.li import Plan, figure, vector

RANGES = ("own", "other", "both")
SAMPLINGS = {"average": ("mas", "was"), "robust": ("mcs", "wcs"), "outcome": ("mcs", "wcs")}
SIMILAR = 1.25  # largest over smallest of the three weightings
COLOURS = dict(zip(("average", "robust", "outcome", "semi-vector"), (*plot_style.COLOURS[:3], plot_style.GREY)))
DASHES = {"uniform": ":", "own": "--", "other": "-.", "both": "-", "robust": "-"}


def _methods() -> dict[str, str]:
    found = {}
    for sampling, (mean, weighted) in SAMPLINGS.items():
        for weight in ("uniform", *RANGES):
            law = f"counts({mean if weight == 'uniform' else f'{weighted}({weight})'})"
            found[f"{sampling}, {weight}"] = vector(law if sampling == "outcome" else "robust", law)
    return {**found, "semi-vector, robust": "semi_vector(own=robust)"}


def _style(name: str) -> dict[str, Any]:
    sampling, weight = name.split(", ")
    return {"color": COLOURS[sampling], "linestyle": DASHES[weight]}


def _claims(found: dict[str, Runs]) -> list[Claim]:
    def below(sampling: str, one: str, other: str) -> Claim:
        text = f"{sampling} sampling, weighted by {one} over {other}: exploitability"
        return is_below("L5", found, f"{sampling}, {one}", f"{sampling}, {other}", text)

    return [
        *(below(sampling, weight, "uniform") for sampling in SAMPLINGS for weight in RANGES),
        *(_similar(found, sampling) for sampling in ("robust", "outcome")),
        *(below("average", "both", other) for other in ("own", "other")),
        is_below("L2", found, "average, both", "semi-vector, robust", "vector over semi-vector form, exploitability"),
    ]


def _similar(found: dict[str, Runs], sampling: str) -> Claim:
    """The three weightings at the end: largest mean over smallest."""
    names = [f"{sampling}, {weight}" for weight in RANGES]
    end = float(curves.shared([run for name in names for run in found[name]])[-1])
    ratio = max(curves.compared(found, one, other, end) for one in names for other in names if one != other)
    text = f"{sampling} sampling, worst over best of the three ranges: exploitability"
    verdict = REPRODUCED if ratio.mean < SIMILAR else NOT
    return Claim("L5", text, f"similar (we say below {SIMILAR})", f"{ratio} at {end:,.0f}", verdict)


PLAN = Plan(
    "fig3",
    "Laws weighted by ranges in no-limit preflop hold'em",
    _methods(),
    _claims,
    _style,
    "All laws explore by counts, as in the paper. The paper speaks of the ranges of the traverser and of the "
    "opponent, although the law is that of the player who acts. Here `own` is the actor's range.",
    Scale("1 minute", 3, 30_000, ("nlph",)),
    Scale("2 minutes on 16 cores", 8, 1_000_000, ("nlph",)),
)
FIGURE = figure(PLAN)
