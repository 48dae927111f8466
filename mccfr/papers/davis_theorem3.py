"""Davis, Schmid, Bowling 2019, theorem 3: predictive baselines become exact, and values lose their variance."""

from typing import Any, cast

import numpy as np

import mccfr
from mccfr.jobs import plot_style
from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.davis import SOURCE
from mccfr.papers.davis_public import SETTING, public_method
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs

LARGEST, SETTLED, MET, VARIANCE = range(1, 5)  # columns of a run after the iterations
COLUMNS = ("curve", "seed", "iterations", "largest |b - u|", "largest where all is met", "endings met", "variance")
EXACT = 1e-12  # chips
STARTS = ("nothing", "values", "walk")
DRAWN_AT_LEAST = 1e-17  # zeros would have no place on a logarithmic axis


def misses(game: str, start: str, seed: int, iterations: int) -> dict[str, Any]:
    """At checkpoints from the first iteration on: how far baselines are from values, and the variance of values."""
    from mccfr.auditing.public_variance import baseline_misses, value_variances
    from mccfr.solvers.choose_engine import engine_for
    from mccfr.solvers.method import Method

    tree = cast(Any, mccfr.compile(game))
    method = public_method("predictive", f"public_outcome(start={start})")
    engine: Any = engine_for(tree, Method.parse(method), seed)
    points = []
    for stop in curves.checkpoints(1, iterations, 4):
        engine.run(stop - int(engine.clock[0]))
        state = tree, engine.current(), engine.parts.estimator
        points.append([stop, *baseline_misses(*state), float(value_variances(*state).mean())])
    return {"points": points}


def _jobs(scale: Scale) -> list[Job]:
    variants = [{"game": g, "start": s, "iterations": scale.iterations} for g in scale.games[::-1] for s in STARTS]
    return seeded_jobs(misses, scale.seeds, variants)


def _report(scale: Scale, done: list[Done]) -> Report:
    found = curves.gather(done, lambda arguments: f"{arguments['game']}, start={arguments['start']}")
    rows = [
        (name, seed, int(point[0]), *(f"{x:.6g}" for x in point[1:]))
        for name, runs in found.items()
        for seed, run in enumerate(runs)
        for point in run
    ]
    return Report(COLUMNS, rows, _claims(scale, found))


def _draw(rows: Rows, axes: Any) -> None:
    for number, name in enumerate(dict.fromkeys(row["curve"] for row in rows)):
        largest: dict[int, float] = {}
        for row in rows:
            if row["curve"] == name:
                t = int(row["iterations"])
                largest[t] = max(float(row[COLUMNS[2 + LARGEST]]), largest.get(t, DRAWN_AT_LEAST))
        axes.plot(
            list(largest), list(largest.values()), marker="o", markersize=3, label=name, **plot_style.line(number)
        )
    axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="largest |b - u| of all runs, chips")


def _claims(scale: Scale, found: dict[str, Runs]) -> list[Claim]:
    claims = []
    for game in scale.games:
        learned = np.array(found[f"{game}, start=nothing"])
        claims += [_settled(game, learned), _everywhere(game, learned)]
        claims += [_at_once(game, start, np.array(found[f"{game}, start={start}"])) for start in STARTS[1:]]
    return claims


def _settled(game: str, runs: Any) -> Claim:
    """At every checkpoint, below histories whose endings have all been met."""
    worst = float(runs[:, :, SETTLED].max())
    text = f"{game}: largest |b - u| where every ending below has been met, all the time"
    return Claim("D8", text, "0", f"{worst:.1e}", REPRODUCED if worst < EXACT else NOT)


def _everywhere(game: str, runs: Any) -> Claim:
    """Reproduced: every run has met every ending, and then misses nothing and has no variance."""
    over = runs[:, :, MET] == 1.0
    text = f"{game}: largest |b - u| and mean variance once every ending has been met"
    if not over[:, -1].all():
        ours = f"{runs[:, -1, MET].min():.1%} met after {runs[0, -1, 0]:,.0f} iterations"
        return Claim("D8", text, "0", ours, PARTLY)
    first = [int(run[np.argmax(met), 0]) for run, met in zip(runs, over)]
    worst, variance = runs[over][:, LARGEST].max(), runs[over][:, VARIANCE].max()
    ours = (
        f"{worst:.1e}; {variance:.1e} (before: up to {runs[:, :, VARIANCE].max():.1e}), after {max(first):,} iterations"
    )
    return Claim("D8", text, "0", ours, REPRODUCED if worst < EXACT and variance < EXACT**2 else NOT)


def _at_once(game: str, start: str, runs: Any) -> Claim:
    worst, variance = runs[:, :, LARGEST].max(), runs[:, :, VARIANCE].max()
    text = f"{game}: the same from iteration 1 on, start={start}"
    verdict = REPRODUCED if worst < EXACT and variance < EXACT**2 else NOT
    return Claim("D8", text, "0", f"{worst:.1e}; {variance:.1e}", verdict)


FIGURE = Figure(
    "davis2019-theorem3",
    "Predictive baselines become exact",
    f"{SOURCE}, theorem 3",
    Scale("1 minute", 2, 100_000, ("dealt:leduc", "dealt:gp(6,4,4,1)")),
    Scale("4 minutes on 16 cores", 5, 10_000_000, ("dealt:leduc", "dealt:gp(6,4,4,1)")),
    _jobs,
    _report,
    f"{SETTING} Everything is computed exactly: values of the current strategy, how far the baseline of every "
    "history and action is from them, and the variance of sampled counterfactual values (as in davis2019-fig3). An "
    "ending has been reached if a line of public events has ended there. start=values starts with the exact values "
    "of the uniform strategy, and start=walk with one full iteration.",
    _draw,
)
