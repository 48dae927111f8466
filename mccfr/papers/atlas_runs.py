"""The atlas's runs: a short one of every method, and longer ones of those that the short ones leave in the race.

Seeds of the three stages are disjoint, so that a method that was lucky in the short runs has no advantage in the long
ones.
"""

import functools
import math
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import mccfr
from mccfr.jobs.statistics import geometric_mean
from mccfr.papers.atlas_games import EXACT, GAMES, SWEEPS, AtlasGame, Entry, entries, family_of, has_programme
from mccfr.papers.curves import NODES, SECONDS, Runs, at
from mccfr.papers.figure import Job
from mccfr.solvers.auto import choose_method

GROWTH = 10**0.25  # from one measurement to the next, in iterations
END = 1.02  # the last stretch aims a little beyond the end, so as to need no other
SOLVED = 1e-6  # exploitability, in the game's payoffs, below which nobody need be better
KEEP = 2.0  # a method stays in the race within this factor of the best of its family
MOST = 4  # that stay, of each family, by time and again by nodes


class Stage(NamedTuple):
    """How long and how often: CPU seconds, the number of seeds and the first of them."""

    seconds: float
    seeds: int
    first_seed: int
    sweeps_too: bool = False  # run sweeps once for each seed too: they take no chances, but their times differ


def trace(game: str, method: str, seed: int, seconds: float) -> dict[str, Any]:
    """Exploitability at growing numbers of iterations until so many CPU seconds; compiling and measuring are free.

    Points are (iterations, nodes, seconds, exploitability). A linear programme has one.
    """
    tree, exact = _tree(game), family_of(method) == EXACT
    if not exact:
        mccfr.Solver(tree, method, seed).run(1).exploitability()  # kernels are compiled before the clock starts
    solver, spent, points = mccfr.Solver(tree, method, seed), 0.0, list[list[float]]()
    while spent < seconds and not (exact and points):
        began = time.process_time()
        solver.run(_stretch(solver.iterations, spent, seconds))
        spent += time.process_time() - began
        points.append([solver.iterations, solver.touched, spent, solver.exploitability()])
    return {"points": points}


def _stretch(done: int, spent: float, seconds: float) -> int:
    """Iterations until the next measurement: a share of those done, but no more than there is time for."""
    share = round(done * (GROWTH - 1))
    left = math.ceil(done * (END * seconds / spent - 1)) if spent > 0 else share
    return max(1, min(share, left))


@functools.lru_cache(maxsize=1)  # a process does jobs of one game in a row
def _tree(game: str) -> mccfr.Tree:
    return mccfr.compile(game)


def jobs_of(found: Iterable[Entry], stage: Stage) -> dict[Job, Entry]:
    """The runs of a stage: one for each seed, of linear programmes a single one, and mostly of sweeps too."""
    forms = {(game.name, form): text for game in GAMES for form, text in game.forms.items()}
    jobs = {}
    for entry in found:
        single = entry.family == EXACT or (entry.family == SWEEPS and not stage.sweeps_too)
        seeds = 1 if single else stage.seeds
        for seed in range(stage.first_seed, stage.first_seed + seeds):
            arguments = {"game": forms[entry.game, entry.form], "method": entry.method}
            jobs[Job(trace, {**arguments, "seed": seed, "seconds": stage.seconds})] = entry
    return jobs


def shortlist(short: Mapping[Entry, Runs], seconds: float) -> list[Entry]:
    """Those within a factor KEEP of the best of their family, at equal time or at equal nodes; at most MOST by each."""
    kept: set[Entry] = set()
    for family in {(entry.game, entry.family) for entry in short}:
        rivals = {entry: runs for entry, runs in short.items() if (entry.game, entry.family) == family}
        kept |= _best({entry: _mean(runs, SECONDS, seconds) for entry, runs in rivals.items()})
        for unit in {entry.unit for entry in rivals}:
            same = {entry: runs for entry, runs in rivals.items() if entry.unit == unit}
            nodes = min(run[-1, NODES] for runs in same.values() for run in runs)
            kept |= _best({entry: _mean(runs, NODES, nodes) for entry, runs in same.items()})
    return [entry for entry in short if entry in kept]


def _mean(runs: Runs, column: int, x: float) -> float:
    return geometric_mean(at(runs, x, column)).mean


def _best(values: Mapping[Entry, float]) -> set[Entry]:
    order = sorted(values, key=lambda entry: values[entry])
    return {entry for entry in order[:MOST] if values[entry] <= KEEP * max(SOLVED, values[order[0]])}


def always(game: AtlasGame) -> list[Entry]:
    """What is measured whatever the short runs say: what `auto` takes, and a linear programme where there is one."""
    chosen = [Entry(game.name, form, auto_choice(text)) for form, text in game.forms.items()]
    exact = [Entry(game.name, form, "lp") for form in list(game.forms)[:1] if has_programme(game)]
    return [*dict.fromkeys(chosen + exact)]


def auto_choice(game: str) -> str:
    """The method that `auto` takes on this form of a game, in the words of the atlas."""
    method, _ = choose_method(_tree(game))
    words = [entry.method for known in GAMES if game in known.forms.values() for entry in entries(known)]
    return next((word for word in words if mccfr.Method.parse(word) == method), str(method))
