"""Lin 2024, section 7: initial weights by win rates shorten training."""

from mccfr.jobs import statistics
from mccfr.papers import curves
from mccfr.papers.curves import ITERATIONS, Runs
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Scale
from mccfr.papers.lin import SOURCE

BIG_BLIND = 2  # chips
EVEN = "even strategies"
KAPPAS = (1, 100)  # big blinds
METHODS = {EVEN: "external", **{f"initial weights, {k} bb": f"external+prior({k * BIG_BLIND})" for k in KAPPAS}}
GAME = "holdem(limit(streets=2), ehs2(3), ranks=5, suits=4, board=3)"


def _jobs(scale: Scale) -> list[Job]:
    return curves.jobs_of(METHODS, scale, *scale.games[:1])


def _report(scale: Scale, done: list[Done]) -> Report:
    found = curves.by_name(METHODS, done)
    names = [name for name in METHODS if name != EVEN]
    claims = [claim for name in names for claim in (_start(found, name), _length(found, name))]
    return Report(curves.COLUMNS, curves.rows(found), claims)


def _start(found: dict[str, Runs], name: str) -> Claim:
    """Exploitability at the first measurement."""
    x = float(found[EVEN][0][0, ITERATIONS])
    ratio = curves.compared(found, name, EVEN, x)
    text = f"exploitability after {x:,.0f} iterations, {name} over {EVEN}"
    return Claim("N7", text, "below 1", str(ratio), REPRODUCED if ratio.high < 1.0 else NOT)


def _length(found: dict[str, Runs], name: str) -> Claim:
    """Iterations to where even strategies end. Reproduced: fewer at the end; partly: at a tenth of the length."""
    end = float(curves.shared(found[name] + found[EVEN])[-1])
    ratios = {x: _iterations_to(found, name, x) for x in (end, end / 10)}
    ours = "; ".join(f"{ratio} at {x:,.0f}" for x, ratio in ratios.items())
    verdict = REPRODUCED if ratios[end].high < 1.0 else PARTLY if ratios[end / 10].high < 1.0 else NOT
    text = f"iterations to what {EVEN} reach, {name} over {EVEN}"
    return Claim("N7", text, "below 1", ours, verdict)


def _iterations_to(found: dict[str, Runs], name: str, x: float) -> statistics.Interval:
    """Iterations until the mean exploitability that even strategies have after x, over x; runs that miss it count x."""
    level = statistics.geometric_mean(curves.at(found[EVEN], x)).mean
    both = [curves.reached(found[curve], level, ITERATIONS).clip(max=found[curve][0][-1, ITERATIONS])
            for curve in (name, EVEN)]  # fmt: skip
    return statistics.ratio(*both)


FIGURE = Figure(
    "lin2024-prior",
    "Training with and without initial weights",
    f"{SOURCE}, section 7",
    Scale("3 minutes", 5, 300_000, (GAME,)),
    Scale("5 minutes on 5 cores", 5, 10_000_000, (GAME,)),
    _jobs,
    _report,
    "Exploitability is exact and that of the abstract game. Initial weights are regrets of so many big blinds, divided "
    "among moves by the win rate of the bucket and the kind of move, and are not in the average. The paper has no "
    "table of them and no figure, nor does it say how long they last; the table is ours "
    "(`mccfr/betting/rules_of_thumb.py`).",
    curves.draw,
)
