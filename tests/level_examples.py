"""Sweeps level by level beside `SweepEngine`: shared by the tests of levels, of the simulator and of planted bugs.

Modules are asked for by name each time, so that a copy of the package with a bug in it can be the one looked at.
"""

import importlib
import os

import numpy as np
import random_games

WORDS = (
    *("cfr", "cfr_plus", "lcfr", "dcfr", "dcfr(order=after)", "dcfr_plus", "pcfr_plus", "pdcfr_plus", "sapcfr_plus"),
    *("hs_dcfr(30, 20)", "hs_pcfr_plus(30, 20)", "dcfr_restarts", "cfr+simultaneous", "cfr_plus+simultaneous"),
    *("pcfr_plus+simultaneous", "cfr_plus+skip(3)", "cfr+restarts(2)+simultaneous"),
)
SHORT = 3  # terms of a piece, so that small games are cut into some


def module(name):
    return importlib.import_module(f"mccfr.{name}")


def random_tree():
    """Many levels for both players, infosets not in the order of levels, more pieces than a band has lanes."""
    return module("solvers.prepare").compile(random_games.random_game(14, depth=9, most=900)).written


class LevelEngine:
    """What the GPU does, by one thread of the CPU."""

    def __init__(self, tree, method):
        levels = module("kernel.levels")
        self.kernel = module("kernel.level_sweeps")
        self.method, self.clock, self.table = method, np.zeros(1), tree.tables()
        self.sides = [levels.level_side(side) for side in tree.sequence_form]
        self.works = [levels.level_work(side) for side in self.sides]
        self.measuring = [levels.level_work(side) for side in self.sides]
        self.kernel.realise_alone(*self.sides, self.table, *self.works)

    def run(self, n):
        m, weights = self.method, np.zeros(4 * max(n, 1))
        self.kernel.weigh_iterations(self.clock[0], m.minimiser, m.averaging, weights)
        simultaneous = m.sampler.simultaneous
        self.kernel.sweep_alone(n, weights, m.minimiser, simultaneous, *self.sides, self.table, *self.works)
        self.clock[0] += n

    def nash_conv(self):
        values = np.zeros(2)
        given = self.table.average, self.table, *self.measuring, values
        self.kernel.best_values_alone(*self.sides, *given)
        return values.sum()

    @property
    def arrays(self):
        return {**self.table._asdict(), "clock": self.clock}


def apart(engine, twin, rtol=0.0):
    """The arrays in which two engines differ: by a bit, or by more than rtol of the largest number.

    Strategies may differ by a thousand times that: they are shares in a sum of regrets that may be a small remainder.
    """
    found = engine.arrays
    bound = {"current": 1000 * rtol}
    return [
        name
        for name, array in twin.arrays.items()
        if not np.abs(found[name] - array).max(initial=0.0) <= bound.get(name, rtol) * np.abs(array).max(initial=0.0)
    ]


def compared(make, tree, word, runs, rtol=0.0):
    """What differs between an engine and SweepEngine after some runs, and after measuring between them."""
    method = module("solvers.method").Method.parse(word)
    engine, twin = make(tree, method), module("solvers.engines").SweepEngine(tree, method)
    evaluator, wrong = module("evaluate.exact").Evaluator(tree), []
    for n in runs:
        engine.run(n)
        twin.run(n)
        wrong += [f"{name} of {word} after {int(twin.clock[0])}" for name in apart(engine, twin, rtol)]
        measured, exact = engine.nash_conv(), evaluator.nash_conv(twin.weights())
        if not abs(measured - exact) <= rtol * abs(exact):
            wrong.append(f"{word} measured after {int(twin.clock[0])}")
    return wrong


def gpu_engine(tree, method):
    return module("solvers.gpu_sweep_engine").GpuSweepEngine(tree, method)


def handed_over(tree, word, rtol=0.0):
    """What differs if SweepEngine begins, the GPU goes on and SweepEngine ends, by `arrays` and `refresh`."""
    method = module("solvers.method").Method.parse(word)
    sweeps = module("solvers.engines").SweepEngine
    first, second, third = sweeps(tree, method), gpu_engine(tree, method), sweeps(tree, method)
    first.run(2)
    for before, after in ((first, second), (second, third)):
        for name, array in after.arrays.items():
            array[...] = before.arrays[name]
        after.refresh()
        after.run(1)
    whole = sweeps(tree, method)
    whole.run(4)
    return [f"{name} handed over" for name in apart(third, whole, rtol)]


def differences():
    """What is found wrong first with the package that is importable right now, or the error that it gives."""
    try:
        return next(filter(None, _looks()), [])
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def _looks():
    module("solvers.words")
    kuhn, tree = module("solvers.prepare").compile("kuhn").written, random_tree()
    for word in ("cfr_plus", "pcfr_plus+simultaneous", "hs_dcfr(30, 3)"):
        yield compared(LevelEngine, kuhn, word, (2, 3))
        yield compared(LevelEngine, tree, word, (2, 3))
    levels = module("kernel.levels")
    longest, levels.LONGEST = levels.LONGEST, SHORT
    yield compared(LevelEngine, tree, "cfr", (3,), 1e-12)
    levels.LONGEST = longest
    if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1":
        yield compared(gpu_engine, kuhn, "cfr_plus", (2, 1))
        yield compared(gpu_engine, tree, "cfr", (1,))
        yield handed_over(kuhn, "hs_dcfr(30, 3)")
