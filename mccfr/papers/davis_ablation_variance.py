"""Davis, Schmid, Bowling 2019, section 7: CFR+ updates lower the variance with any baseline but none."""

from typing import Any, NamedTuple, cast

import numpy as np

import mccfr
from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Floats, Interval
from mccfr.papers import curves
from mccfr.papers.davis import BASELINES, ON_POLICY, SOURCE, method
from mccfr.papers.davis_public import PUBLIC, public_method
from mccfr.papers.davis_variance import ZERO, variances
from mccfr.papers.figure import (
    NO_CLAIM,
    NOT,
    PARTLY,
    REPRODUCED,
    Claim,
    Done,
    Figure,
    Job,
    Report,
    Rows,
    Scale,
    seeded_jobs,
)

RM, PLUS = "rm+constant", "rm_plus+linear"
LINES, WALKS = "public outcome sampling", "outcome sampling"
CURVES = {
    **{
        f"{LINES}, {name}": {RM: public_method(word, rest=RM), PLUS: public_method(word)}
        for name, word in PUBLIC.items()
    },
    **{
        f"{WALKS}, {name}": {RM: method(ON_POLICY, word, RM), PLUS: method(ON_POLICY, word)}
        for name, word in BASELINES.items()
    },
}
COLUMNS = ("curve", "iterations", "variance_rm", "variance_rm_plus", "ratio", "low", "high", "judged", "runs")
SHOWN = (0.05, 3.0)  # ratios in the plot; where only some runs are at zero they are anything
LOWER, EVEN, HIGHER, GONE = "lower", "even", "higher", "no variance"


class Point(NamedTuple):
    """A checkpoint: the mean variances of both updates, and that of RM+ over that of RM, paired by seed."""

    iterations: int
    rm: float
    plus: float
    ratio: Interval
    judged: str


def walk_variances(game: str, method: str, seed: int, iterations: int, start: int, per_decade: int) -> dict[str, Any]:
    """The same as `davis_variance.variances` for walks that draw single histories."""
    from mccfr.auditing.walk_variance import walk_value_variances
    from mccfr.solvers.choose_engine import engine_for
    from mccfr.solvers.method import Method

    tree = cast(Any, mccfr.compile(game))
    engine: Any = engine_for(tree, Method.parse(method), seed)
    points = []
    for stop in curves.checkpoints(start, iterations, per_decade):
        engine.run(stop - int(engine.clock[0]))
        found = walk_value_variances(tree.written, engine.current(), engine.parts.estimator)
        points.append([stop, float(found.mean())])
    return {"points": points}


def _jobs(scale: Scale) -> list[Job]:
    limits = {"iterations": scale.iterations, "start": 100, "per_decade": 2}
    jobs = []
    for work, sampling, game in zip((variances, walk_variances), (LINES, WALKS), scale.games):
        methods = [method for name, by in CURVES.items() if name.startswith(sampling) for method in by.values()]
        jobs += seeded_jobs(work, scale.seeds, [{"game": game, "method": method, **limits} for method in methods])
    return jobs


def _report(scale: Scale, done: list[Done]) -> Report:
    found = curves.gather(done, lambda arguments: arguments["method"])
    judged = {name: _points(*(np.array(found[by[rest]]) for rest in (RM, PLUS))) for name, by in CURVES.items()}
    rows = [
        (name, at.iterations, *(f"{x:.6g}" for x in (at.rm, at.plus, *at.ratio)), at.judged, scale.seeds)
        for name, points in judged.items()
        for at in points
    ]
    return Report(COLUMNS, rows, [_claim(name, points) for name, points in judged.items()])


def _points(rm: Floats, plus: Floats) -> list[Point]:
    """Every checkpoint of runs [seeds, checkpoints, 2] with RM and with RM+, judged by itself."""
    found = []
    for j, x in enumerate(rm[0, :, 0]):
        below, above = rm[:, j, 1], plus[:, j, 1]
        ratio = statistics.ratio(np.maximum(above, ZERO), np.maximum(below, ZERO))
        gone = max(below.max(), above.max()) < ZERO
        judged = GONE if gone else LOWER if ratio.high < 1.0 else HIGHER if ratio.low > 1.0 else EVEN
        found.append(Point(int(x), float(below.mean()), float(above.mean()), ratio, judged))
    return found


def _claim(name: str, points: list[Point]) -> Claim:
    """The claim for one kind of sampling and one baseline, from its checkpoints.

    Reproduced: lower at more than half of those with any variance left, higher at none. Partly: lower at more of them
    than higher. Nothing is claimed about no baseline.
    """
    left = [at for at in points if at.judged != GONE]
    count = {word: sum(at.judged == word for at in left) for word in (LOWER, EVEN, HIGHER)}
    whole = count[LOWER] > len(left) / 2 and not count[HIGHER]
    verdict = REPRODUCED if whole else PARTLY if count[LOWER] > count[HIGHER] else NOT
    ours = ", ".join(f"{word} at {n}" for word, n in count.items()) + f" of {len(left)} checkpoints"
    ours += f"; {left[-1].ratio} at {left[-1].iterations:,}" if left else ""
    ours += f"; none left with either at {points[-1].iterations:,}" if points[-1].judged == GONE else ""
    told = name.replace(", none", ", no")
    text = f"{told} baseline: RM+ and linear averaging over neither, variance"
    if name.endswith(", none"):
        return Claim("D11", text, "nothing is said", ours, NO_CLAIM)
    return Claim("D11", text, "below 1", ours, verdict)


def _draw(rows: Rows, axes: Any) -> None:
    names = list(dict.fromkeys(row["curve"] for row in rows))
    axes.axhline(1.0, color=plot_style.GREY, linewidth=0.8)
    for number, name in enumerate(names):
        mine = [row for row in rows if row["curve"] == name and row["judged"] != GONE]
        if not mine:
            continue
        xs, means, low, high = curves.columns_of(mine, "iterations", "ratio", "low", "high")
        look = plot_style.line(number % len(PUBLIC)) | {"linestyle": "-" if name.startswith(LINES) else ":"}
        axes.plot(xs, means, label=name.replace("outcome sampling", "outcome"), **look)
        axes.fill_between(xs, low, high, color=look["color"], **plot_style.BAND)
    axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="variance with RM+ over variance with RM")
    axes.set_ylim(*SHOWN)


FIGURE = Figure(
    "davis2019-d11-variance",
    "Variance with RM+ and with RM, Leduc",
    f"{SOURCE}, section 7",
    Scale("3 minutes", 10, 100_000, ("dealt:leduc", "leduc")),
    Scale("12 minutes on one core", 20, 1_000_000, ("dealt:leduc", "leduc")),
    _jobs,
    _report,
    "The paper says: \"We use CFR+ updates, which we've found to decrease variance when used with any nonzero "
    'baseline, and public outcome sampling with uniform sampling." It gives no numbers. Here the strategy and the '
    "baselines of a run with RM and of one with RM+ are frozen at each checkpoint, and the variance of the sampled "
    "counterfactual value at every infoset and action is computed exactly; the number is the mean over all 2,184 of "
    "them, as in figure 3. Runs with equal seeds are paired. Averages enter neither the walks nor their values, so "
    "linear averaging changes no variance: the whole difference is made by RM+. For public outcome sampling the "
    "settings are those of figures 2 and 3. For outcome sampling (section 5: opponent on policy, own actions drawn "
    "uniformly, alternating walks, plain means as learned baselines) it is the variance over walks that begin at an "
    "infoset with one action, which includes that of the history that they meet there. The rule was fixed before the "
    "run: at each checkpoint the variance is lower or higher if the interval of the ratio is below or above 1; the "
    "claim is reproduced if it is lower at more than half of the checkpoints with any variance left and higher at "
    "none, partly if it is lower at more of them than higher. A run whose variance is zero counts as 1e-24, which is "
    "why the ratio of the predictive baseline is nearly anything at 10,000 iterations, where some runs are at zero and "
    "others not; it leaves the plot there.",
    _draw,
)
