"""Checks of walks on a GPU: in numba's CUDA simulator for `test_device_walks.py`, on a GPU for `test_gpu_walks.py`.

`python walk_checks.py '["alone: external"]'` carries out these and prints what went wrong in each, as JSON.
"""

import json
import sys
import time
import traceback
import warnings

import numpy as np
from scipy.special import stdtrit

import mccfr
from mccfr.auditing.bench import Bench
from mccfr.gpu.device import on_device
from mccfr.kernel.dispatch import uncompiled
from mccfr.kernel.minimisers import Weighted
from mccfr.solvers.device_engine import DeviceWalkEngine
from mccfr.solvers.method import Method

HELD_BY, LEVEL = 1e9, 1e-4
HOLDEM = "holdem(limit(cap=1, bets=2), ehs2(2), ranks=4, suits=2, board=3)"
ALONE = {
    "external": ("leduc", "external", 20),
    "dealt": ("dealt:leduc", "external", 20),
    "outcome": ("leduc", "outcome+rm_plus+linear", 40),
    "probing": ("kuhn", "robust(1)+probe+weighted", 60),
    "probing with options": ("kuhn", "outcome+probe(2, 0.6, 0.3, 2)", 30),
    "average strategy": ("kuhn", "average_strategy", 100),
    "own average": ("kuhn", "outcome+own_average", 60),
    "infoset baseline": ("leduc", "outcome+infoset", 30),
    "infoset baseline, dealt": ("dealt:kuhn", "outcome+infoset(rate=0.5)+rm_plus", 60),
    "history baseline": ("kuhn", "outcome+history", 60),
    "static baseline": ("kuhn", "uniform+static(uniform)", 60),
    "listed": ("kuhn", "include(0.5, always=ends)", 60),
    "floor": ("kuhn", "external+floor(0.05, 100)", 60),
    "pruning": ("leduc", "external+prune(-1, 0.5)", 30),
    "buckets": (HOLDEM, "external", 12),
    "buckets with a baseline": (HOLDEM, "outcome+infoset+rm_plus", 20),
}  # a game, a method and iterations
TOGETHER = {
    "external": ("kuhn", "external"),
    "outcome": ("kuhn", "outcome"),
    "rm_plus": ("kuhn", "external+rm_plus"),
    "weighted": ("kuhn", "external+weighted"),
    "probing": ("kuhn", "robust(1)+probe"),
    "probing with options": ("kuhn", "robust(1)+probe(share=0.6, epsilon=0.3, terminals=2)"),
    "infoset baseline": ("kuhn", "outcome+infoset"),
    "dealt": ("dealt:kuhn", "external"),
    "buckets": (HOLDEM, "external"),
}


def alone(game, method, iterations):
    """A single thread leaves the arrays of the CPU, in however many launches."""
    tree, wanted = mccfr.compile(game), method if mccfr.compile(game).buckets is None else f"{method}+float64"
    here = mccfr.Solver(tree, wanted, 5)
    here.run(iterations)
    there = DeviceWalkEngine(tree, Method.parse(f"{method}+float64"), 5, threads=1)
    assert not words_in((there._parts, there._tree, there._table))
    for n in (0, 1, iterations - 1):
        there.run(n)
    found = there.arrays
    assert found.keys() == here.engine.arrays.keys()
    for name, array in here.engine.arrays.items():
        np.testing.assert_array_equal(found[name], array, name)


def words_in(value):
    """Strings, which the simulator takes and a GPU does not."""
    if isinstance(value, str):
        return [value]
    return [word for part in value for word in words_in(part)] if isinstance(value, tuple) else []


def means(game, method, launches, iterations, threads=32):
    """Which entries differ from their exact means, with a strategy that stands still; an audit as on the CPU.

    Regrets a billion times the strategy, and times the weight of an iteration, hold it while one launch adds to them.
    """
    tree = mccfr.compile(game)
    bench = Bench(tree, Method.parse(method), pure=False)
    truth, entries = bench.truth, bench.entries
    engine = DeviceWalkEngine(tree, Method.parse(f"{method}+float64"), 7, threads=threads)
    weight = (iterations + 1) / 2 if isinstance(engine.parts.minimiser, Weighted) else 1.0  # t on average
    found, held = [], HELD_BY * weight * bench.table.current
    for _ in range(launches):
        engine.table.regret[:], engine.table.average[:], engine.clock[:] = held, 0.0, 0.0
        engine.refresh()
        engine.run(iterations)
        regrets = (engine.regrets() - held) / weight
        found.append(np.concatenate((regrets, engine.weights(), engine.clock[1:2])) / iterations)
    batches, truth = np.array(found), truth[: 2 * entries + 1]
    error = batches.std(axis=0, ddof=1) / np.sqrt(launches)
    bar = stdtrit(launches - 1, 1.0 - LEVEL / (2 * len(truth)))
    seen = np.count_nonzero(batches, axis=0) >= launches / 4
    off = np.abs(batches.mean(axis=0) - truth) > bar * error + 1e-5
    assert not (off & (seen | (truth == 0.0))).any(), [bench.place(int(x)) for x in np.flatnonzero(off & seen)]
    assert seen.sum() > len(truth) / 2


def learns(game, method, iterations, threads, below):
    """Many threads that change one table come to an equilibrium, in single precision."""
    solver = mccfr.Solver(game, method, device="gpu")
    solver.engine = DeviceWalkEngine(solver.tree, solver.method, 0, threads=threads)
    solver.run(iterations)
    assert solver.exploitability() < below, solver.exploitability()
    assert solver.touched > iterations
    assert not solver.reproducible


def changes_device():
    """A state goes from one device to the other and back, and nothing is lost on the way."""
    for game in ("kuhn", HOLDEM):
        here, there = mccfr.Solver(game, "external", 3), mccfr.Solver(game, "external", 3, device="gpu")
        here.run(20)
        there.restore(copied(here.state))
        for name, array in copied(here.state).items():
            np.testing.assert_array_equal(there.state[name], array, name)
        there.run(30)
        back = mccfr.Solver(game, "external", 3)
        back.restore(copied(there.state))
        assert back.iterations == 50
        assert back.touched > here.touched
        np.testing.assert_array_equal(back.engine.weights(), there.engine.weights())


def counting_nodes_leaves_no_trace():
    """A few walks say how many should be in flight, and all tables are then as they were."""
    for game, method in (("kuhn", "outcome+infoset"), (HOLDEM, "external")):
        there = DeviceWalkEngine(mccfr.compile(game), Method.parse(method), 3)
        before = copied(there.arrays)
        assert there.threads % 32 == 0
        nodes = there._nodes_of_a_walk()
        assert 2 < nodes < 40
        there._changed = True  # look at what is on the device
        for name, array in before.items():
            np.testing.assert_array_equal(there.arrays[name], array, name)


def sweeps_by_a_solver():
    """Full-width methods on trees written out: the CPU's arrays, and exploitability measured on the GPU."""
    here, there = mccfr.Solver("kuhn", "cfr_plus"), mccfr.Solver("kuhn", "cfr_plus", device="gpu")
    here.run(20)
    there.run(20)
    for name, array in here.engine.arrays.items():
        np.testing.assert_allclose(there.engine.arrays[name], array, 1e-12, 1e-12, name)
    assert abs(there.exploitability() - here.exploitability()) < 1e-12
    assert there.placement.startswith("sweeps of 58 nodes on ")


def copied(state):
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in state.items()}


def arrays_that_share_memory():
    """Arrays on the GPU are copies of those here, and two views of one memory stay two views."""
    words = np.arange(8, dtype=np.uint32)
    one, other, none = on_device((words, words.view(np.float64), np.zeros(0)))
    np.testing.assert_array_equal(one.copy_to_host(), words)
    np.testing.assert_array_equal(other.copy_to_host(), words.view(np.float64))
    assert none.size == 1


CHECKS = {f"alone: {name}": lambda given=given: alone(*given) for name, given in ALONE.items()}
CHECKS |= {f"means: {name}": lambda given=given: means(*given, 40, 96) for name, given in TOGETHER.items()}
CHECKS |= {
    "learns kuhn": lambda: learns("kuhn", "external", 3000, 32, 0.03),
    "learns kuhn by rm_plus": lambda: learns("kuhn", "external+rm_plus", 3000, 32, 0.05),
    "changes device": changes_device,
    "counting nodes": counting_nodes_leaves_no_trace,
    "sweeps": sweeps_by_a_solver,
    "shared memory": arrays_that_share_memory,
}


def main():
    warnings.simplefilter("ignore")  # dice multiply modulo 2^64
    found = {}
    for name, check in [(name, CHECKS[name]) for name in json.loads(sys.argv[1])]:
        began = time.monotonic()
        try:
            with uncompiled():  # what the CPU does is interpreted too: that is faster than compiling it
                check()
            found[name] = ""
        except Exception:
            found[name] = traceback.format_exc()
        print(f"{time.monotonic() - began:5.1f} s {name}", file=sys.stderr)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
