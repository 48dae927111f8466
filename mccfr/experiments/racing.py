"""Races: methods side by side on one game under equal time, ranked by the exploitability they come to."""

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import mccfr
from mccfr.errors import MethodError, quoted
from mccfr.experiments.comparison import is_random
from mccfr.experiments.groups import Curve, curve
from mccfr.experiments.sweeping import folder_names
from mccfr.experiments.training_jobs import TrainingJob
from mccfr.jobs.statistics import Interval, difference, geometric_mean, holm
from mccfr.runs.run import Run

FIELD = ("dcfr", "cfr_plus", "pcfr_plus", "external+predictive", "external", "outcome+predictive+rm_plus+linear")
SIGNIFICANT = 0.05
EQUAL = 1e-6  # relative difference that is none


class Standing(NamedTuple):
    """A method's place in a race: what its runs came to, and how surely it is ahead of the next.

    Attributes:
        method: The method.
        runs: How many runs it had.
        random: Whether it depends on the seed. If not, one run says all and there is no interval.
        exploitability: Geometric mean of the last exploitability of its runs, with its confidence interval.
        iterations: Iterations, the mean over runs.
        nodes: Nodes touched, the mean over runs.
        p: p-value of Welch's t-test on logarithms against the next method, corrected by Holm for all such tests.
        beats_next: Whether p is below 5 %; without chance, whether exploitability is lower; None where untested.
    """

    method: str
    runs: int
    random: bool  # whether it depends on the seed; if not, one run says all and there is no interval
    exploitability: Interval
    iterations: float  # mean over runs
    nodes: float
    p: float | None  # of Welch's t-test on logarithms against the next, corrected by Holm for all such tests
    beats_next: bool | None  # whether p is below 5 %; without chance whether it is lower; None where untested


def split_methods(text: str) -> list[str]:
    """Methods separated by commas; commas inside parentheses belong to a method."""
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def spelled_methods(methods: str | Sequence[str]) -> list[str]:
    """The methods of a race in the words we write; a string is a list of them."""
    if not isinstance(methods, str) and not isinstance(methods, Iterable):
        raise MethodError(f"methods must be a list of methods, as ['dcfr', 'external'], got {quoted(methods)}")
    return [
        mccfr.Method.spelled(method) for method in (split_methods(methods) if isinstance(methods, str) else methods)
    ]


def default_folder(game: str, seconds: float) -> Path:
    """Where a race goes unless told: another game or time is another race."""
    return Path("races") / f"{folder_names([game])[game]}-{seconds:g}s"


def check_field(game: str, methods: Sequence[str]) -> None:
    """Refuse a game or a method that there is not, or a method given twice, before any work.

    The game is compiled, though every run will do that again: what no run can compile is told once.
    """
    seen: dict[str, str] = {}
    for method in methods:
        text = method if method == "auto" else str(mccfr.Method.parse(method))
        if seen.setdefault(text, method) is not method:
            raise MethodError(f"{quoted(method)} is already in the race, as {quoted(seen[text])}")
    tree = mccfr.compile(game)
    for method in methods:
        mccfr.Solver(tree, method)


def race_jobs(
    game: str, methods: Sequence[str], seconds: float, seeds: int, out: Path, use: tuple[str, ...] = ()
) -> list[TrainingJob]:
    """A run for each seed of a random method, and a single one of a method that takes no chances."""
    names = folder_names(methods)
    return [
        TrainingJob(str(out / names[method] / f"seed-{seed}"), game, method, seed, seconds=seconds, use=use)
        for method in methods
        for seed in range(1, seeds + 1 if is_random(method) else 2)
    ]


def race_curves(jobs: Sequence[TrainingJob]) -> dict[str, list[Curve]]:
    """What the runs measured, by method, in the order of the jobs."""
    found: dict[str, list[Curve]] = {}
    for job in jobs:
        found.setdefault(job.method, []).append(curve(Run(job.folder)))
    return found


def ranking(curves: dict[str, list[Curve]]) -> list[Standing]:
    """Methods by the geometric mean of their last exploitability, best first."""
    last = {m: [float(c.columns["exploitability"][-1]) for c in group] for m, group in curves.items()}
    order = sorted(last, key=lambda method: geometric_mean(last[method]).mean)
    tests = holm([difference(last[one], last[other]).welch for one, other in itertools.pairwise(order)])
    standings = [_standing(method, curves[method], p) for method, p in zip(order, [*tests, None])]
    pairs = itertools.zip_longest(standings, standings[1:])
    return [entry._replace(beats_next=_beats(entry, after)) for entry, after in pairs]


def _standing(method: str, group: list[Curve], p: float | None) -> Standing:
    last = {name: [found.columns[name][-1] for found in group] for name in ("exploitability", "iterations", "touched")}
    amounts = (float(np.mean(last["iterations"])), float(np.mean(last["touched"])))
    return Standing(method, len(group), is_random(method), geometric_mean(last["exploitability"]), *amounts, p, None)


def _beats(entry: Standing, after: Standing | None) -> bool | None:
    if entry.p is not None:
        return entry.p < SIGNIFICANT
    if after is None or entry.random or after.random:
        return None
    return entry.exploitability.mean < (1 - EQUAL) * after.exploitability.mean
