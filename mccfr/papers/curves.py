"""Convergence curves: the job that makes one, and what many of them come to."""

import functools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import mccfr
from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Floats, Interval
from mccfr.papers.figure import Done, Draw, Job, Rows, Scale, seeded_jobs

ITERATIONS, NODES, SECONDS, EXPLOITABILITY = range(4)  # columns of a run
COLUMNS = ("curve", "iterations", "nodes", "seconds", "exploitability", "low", "high", "runs")

Runs = list[Floats]  # one array [checkpoints, 4] per seed


def converge(
    game: str, method: str, seed: int, iterations: int,
    seconds: float = 0.0, target: float = 0.0, start: int = 1, per_decade: int = 4,
) -> dict[str, Any]:  # fmt: skip
    """Exploitability at geometric checkpoints until so many iterations, CPU seconds (if any) or down to the target.

    An iteration is one walk, or one sweep, for each player. A sweep is counted as touching every node twice.
    """
    tree = tree_of(game)
    mccfr.Solver(tree, method, seed).run(1)  # kernels are compiled before the clock starts
    solver, spent, points = mccfr.Solver(tree, method, seed), 0.0, []
    for stop in checkpoints(start, iterations, per_decade):
        began = time.process_time()
        solver.run(stop - solver.iterations)
        spent += time.process_time() - began
        points.append([stop, solver.touched, spent, solver.exploitability()])
        if (seconds and spent >= seconds) or points[-1][EXPLOITABILITY] <= target:
            break
    return {"points": points}


@functools.lru_cache(maxsize=1)  # a process does jobs of one game in a row
def tree_of(game: str) -> mccfr.Tree:
    """The compiled game; the last one is kept."""
    return mccfr.compile(game)


def checkpoints(start: int, iterations: int, per_decade: int) -> Iterator[int]:
    """start 10^(j / per_decade) up to the last iteration, which is always one."""
    step, last = 0, 0
    while last < iterations:
        at = min(round(start * 10 ** (step / per_decade)), iterations)
        if at > last:
            yield at
        step, last = step + 1, at


def jobs_of(methods: Mapping[str, str], scale: Scale, *games: str) -> list[Job]:
    """A run of every method on every game for every seed, measured from 100 iterations on."""
    limits = {"iterations": scale.iterations, "start": 100}
    variants = [{"game": game, "method": method, **limits} for game in games for method in methods.values()]
    return seeded_jobs(converge, scale.seeds, variants)


def by_name(methods: Mapping[str, str], done: list[Done]) -> dict[str, Runs]:
    """Runs by the names their methods have."""
    names = {method: name for name, method in methods.items()}
    return gather(done, lambda arguments: names[arguments["method"]])


def gather(done: list[Done], label: Callable[[Mapping[str, Any]], str]) -> dict[str, Runs]:
    """Runs by the label of their arguments, each in the order of seeds."""
    curves: dict[str, Runs] = {}
    for arguments, result, _ in sorted(done, key=lambda item: int(item.arguments["seed"])):
        curves.setdefault(label(arguments), []).append(np.array(result["points"]))
    return curves


def at(runs: Runs, x: float, column: int = ITERATIONS) -> Floats:
    """Exploitability of every run at this many iterations, nodes or seconds: interpolated in logarithms."""
    return np.array([_log_interpolate(x, run[:, column], run[:, EXPLOITABILITY]) for run in runs])


def reached(runs: Runs, level: float, column: int) -> Floats:
    """Iterations, nodes or seconds at which every run first falls to this exploitability; infinite if it never does."""
    return np.array([_first(run, level, column) for run in runs])


def _first(run: Floats, level: float, column: int) -> float:
    below = np.flatnonzero(run[:, EXPLOITABILITY] <= level)
    if not len(below):
        return np.inf
    j = int(below[0])
    if j == 0:
        return float(run[0, column])
    pair = run[j - 1 : j + 1]
    return _log_interpolate(-np.log(level), -np.log(pair[:, EXPLOITABILITY]), pair[:, column], log_x=False)


def _log_interpolate(x: float, xs: Floats, ys: Floats, log_x: bool = True) -> float:
    if log_x:
        x, xs = np.log(x), np.log(np.maximum(xs, 1e-9))
    return float(np.exp(np.interp(x, xs, np.log(np.maximum(ys, 1e-300)))))


def shared(runs: Runs, column: int = ITERATIONS) -> Floats:
    """The checkpoints that all runs have; for clocks, those of the first run, and where the first of all stops."""
    last = min(run[-1, column] for run in runs)
    xs = runs[0][:, column]
    return np.append(xs[xs < last], last)


def rows(curves: dict[str, Runs]) -> list[tuple[Any, ...]]:
    """Every curve's means and 95 % intervals at its shared checkpoints, for data.csv."""
    table = []
    for name, runs in curves.items():
        for j, iterations in enumerate(shared(runs)):
            points = np.array([run[j] for run in runs])
            found = statistics.geometric_mean(points[:, EXPLOITABILITY])
            means = int(points[:, NODES].mean()), float(points[:, SECONDS].mean())
            table.append((name, int(iterations), means[0], f"{means[1]:.4g}", *(f"{x:.6g}" for x in found), len(runs)))
    return table


def compared(curves: dict[str, Runs], one: str, other: str, x: float) -> Interval:
    """Exploitability of `one` over that of `other` after x iterations, paired by seed."""
    return statistics.ratio(at(curves[one], x), at(curves[other], x))


def at_the_end(curves: dict[str, Runs], one: str, other: str, column: int) -> tuple[Interval, float]:
    """Exploitability of `one` over that of `other` where the first of their runs ends, paired by seed; and where."""
    end = min(float(run[-1, column]) for which in (one, other) for run in curves[which])
    return statistics.ratio(*(at(curves[which], end, column) for which in (one, other))), end


def below_between(curves: dict[str, Runs], one: str, other: str) -> tuple[float, float] | None:
    """The longest stretch, in logarithms, on which `one` is below `other`, interval included."""
    stretches: list[tuple[float, float]] = []
    start = None
    for x in shared(curves[one] + curves[other]):
        if compared(curves, one, other, x).high >= 1.0:
            start = None
        else:
            start = start or float(x)
            stretches.append((start, float(x)))
    return max(stretches, key=lambda stretch: stretch[1] / stretch[0], default=None)


def columns_of(rows: Rows, *names: str) -> Floats:
    """Columns of data.csv as numbers, [names, rows]."""
    return np.array([[float(row[name]) for row in rows] for name in names])


def draw(rows: Rows, axes: Any, x: str = "iterations", label: str = "iterations") -> None:
    """Log-log plot of means with 95 % bands, a line for each curve."""
    for number, name in enumerate(dict.fromkeys(row["curve"] for row in rows)):
        mine = [row for row in rows if row["curve"] == name and float(row[x]) > 0]
        xs, means, low, high = columns_of(mine, x, "exploitability", "low", "high")
        style = plot_style.line(number)
        axes.plot(xs, means, label=name, **style)
        axes.fill_between(xs, low, high, color=style["color"], **plot_style.BAND)
    axes.set(xscale="log", yscale="log", xlabel=label, ylabel="exploitability")


def drawing(shown: Callable[[Mapping[str, str]], bool]) -> Draw:
    """Draws only the rows that are shown."""
    return lambda rows, axes: draw([row for row in rows if shown(row)], axes)
