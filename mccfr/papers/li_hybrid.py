"""Li et al. 2020, figure 4: skipping early iterations, and weights t^w."""

from typing import Any

from mccfr.jobs import plot_style, statistics
from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.davis import is_below
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Scale
from mccfr.papers.li import Plan, figure, in_chips, vector

BASE = vector("robust", "counts(was(both))")
SKIPPED = (100, 1000, 10_000)
AT = 100_000  # iterations; the paper does not say after how many it has 0.94 and 1.42
PLAIN, MOST = "as it is", f"skip {SKIPPED[-1]:,}"
CURRENT = {"robust": vector("robust", "counts(wcs(both))"), "external": vector("all", "wcs(own)")}
WEIGHTS = {"w = 1": "weighted(power=1)+linear", "w = 2": "weighted(power=2)+quadratic"}


def _methods() -> dict[str, str]:
    skipping = {f"skip {n:,}": f"{BASE}+skip({n})" for n in SKIPPED}
    weighed = {name: f"{BASE}+{words}" for name, words in WEIGHTS.items()}
    current = {f"{name}, {MOST}": f"{method}+skip({SKIPPED[-1]})" for name, method in CURRENT.items()}
    return {PLAIN: BASE, **skipping, **weighed, **CURRENT, **current}


def _style(name: str) -> dict[str, Any]:
    if name.startswith(tuple(CURRENT)):
        return {
            "color": plot_style.GREY if name.startswith("robust") else plot_style.COLOURS[5],
            "linestyle": "-" if name in CURRENT else ":",
        }
    return {"color": "black"} if name == PLAIN else {"linestyle": "--" if name in WEIGHTS else "-"}


def _claims(found: dict[str, Runs]) -> list[Claim]:
    return [
        _skipping(found),
        *(_below(found, f"skip {n:,}", PLAIN, "L6") for n in SKIPPED),
        *(_below(found, f"{name}, {MOST}", name, "L6") for name in CURRENT),
        *(_below(found, name, PLAIN, "L7") for name in WEIGHTS),
        _below(found, "w = 1", "w = 2", "L7"),
    ]


def _below(found: dict[str, Runs], one: str, other: str, id: str) -> Claim:
    return is_below(id, found, one, other, f"{one} over {other}: exploitability")


def _skipping(found: dict[str, Runs]) -> Claim:
    """Both numbers of the paper, at 100,000 iterations or as near as the runs come.

    Reproduced if skipping helps significantly and the paper's ratio is in the interval: one that is wide enough to
    contain 1 as well shows nothing.
    """
    x = min(AT, *(float(run[-1, curves.ITERATIONS]) for run in found[MOST]))
    one, other = (statistics.geometric_mean(curves.at(found[curve], x)).mean for curve in (MOST, PLAIN))
    ratio = curves.compared(found, MOST, PLAIN, x)
    ours = f"{in_chips(one)} and {in_chips(other)} at {x:,.0f}: {ratio}"
    verdict = NOT if ratio.high >= 1.0 else REPRODUCED if ratio.low <= 0.94 / 1.42 <= ratio.high else PARTLY
    text = "exploitability with the first 10,000 iterations skipped, and without skipping"
    return Claim("L6", text, f"{in_chips(0.94)} and {in_chips(1.42)}: {0.94 / 1.42:.2f}", ours, verdict)


PLAN = Plan(
    "fig4",
    "Skipping and weights in no-limit preflop hold'em",
    _methods(),
    _claims,
    _style,
    "The method is average sampling weighted by both ranges, exploring by counts. Skipped iterations are left out "
    "of the average, but their regrets are kept. Weights t^w multiply both regrets and average. Before anything is "
    "averaged, the average strategy is uniform, and so is a law of averages. So skipping changes what average "
    "sampling draws, and we also test skipping with two samplings by current strategies: robust sampling by both "
    "ranges with counts, and all own actions with the other player's drawn by its range.",
    Scale("2 minutes", 3, 30_000, ("nlph",)),
    Scale("3 minutes on 16 cores", 8, 1_000_000, ("nlph",)),
)
FIGURE = figure(PLAN)
