"""How fast dealt games are: endings, sweeps, NLPH to a target, common cards, public outcome sampling, Bluff(2,2).

    python benchmarks/dealt.py                         four to five minutes
    python benchmarks/dealt.py --only endings,sweeps   some of the parts
    python benchmarks/dealt.py --large                 also Bluff(2,2): 34 million public nodes

One thread, CPU time, contestants in turns, medians. Machines are shared and noisy: the ratios within a run are the
result, the absolute times are not. Prints one table, in Markdown; * marks the best of a group.
"""

import argparse
import functools
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from timing import Run, rates, seconds

import mccfr
from mccfr.cards.deck import HAND_CARDS
from mccfr.cards.evaluator import rank_hands
from mccfr.evaluate.vector_values import VectorEvaluator
from mccfr.games.dealt import Ranking
from mccfr.kernel.endings import Matrices, pay_out
from mccfr.kernel.layout import u64
from mccfr.solvers.vector_engine import VectorEngine
from mccfr.tree.rankings import matrix_of, ranked_endings

BOARD = [0, 13, 22, 35, 51]  # 2c 5d 7h Ts As (numbers of cards); 1081 hands are left
KNOWN = {  # microseconds of kernels written for this alone, float64, on a Zen 4 server of its own
    "1081 hands, showdown by order": ("5.3 with hands stored in that order, 11.3 without", 5.3),
    "1326 hands, fold": ("3.1", 3.1),
    "1081 hands, by matrix": ("131 by OpenBLAS", 131.0),
}
TARGETS = {"1 mbb/g": 0.1, "0.1 mbb/g": 0.01}  # chips; the big blind is 100
SWEEPS = ["cfr_plus", "dcfr", "lcfr", "pcfr_plus"]
SAMPLED = [
    "semi_vector+weighted+linear",
    "vector(own=all, other=robust(2))+weighted+linear",
    "vector(own=all, other=wcs(own))+weighted+linear",
    "vector(external)+weighted+linear",
    "public_outcome(0.6)+predictive+rm_plus+linear",
]
WALKS, SEEDS = 100_000, 20
POS = ["public_outcome", "public_outcome+history", "public_outcome+predictive"]
GP13, BLUFF = "dealt:gp(13,4,4,1)", "dealt:bluff(2,2)"

Row = tuple[str, str, str, str]  # part, what, measured, beside it


def endings() -> Iterator[Row]:
    """Microseconds of one ending for all hands, beside known figures."""
    strength = rank_hands(BOARD).astype(np.int64)
    live = strength >= 0
    showdown, fold = Ranking(0.0, 1.0, strength[live]), Ranking(1.0, 0.0, np.zeros(1326, np.int64))
    matrix = matrix_of(HAND_CARDS[live], showdown)
    contestants = {
        "1081 hands, showdown by order": ranked_endings(HAND_CARDS[live], [showdown]),
        "1326 hands, fold": ranked_endings(HAND_CARDS, [fold]),
        "1081 hands, by matrix": Matrices(np.ascontiguousarray(matrix.T)[None], -matrix[None]),
    }
    rate = rates({name: _payer(pays, 1326 if "1326" in name else 1081) for name, pays in contestants.items()})
    for name, (words, known) in KNOWN.items():
        yield "endings", name, f"{1e6 / rate[name]:.1f} us", f"{words}: {known * rate[name] / 1e6:.2f}x as fast"


def _payer(pays: Any, hands: int) -> Run:
    reach = np.random.default_rng(1).random(hands)
    out, spare = np.zeros(hands), np.zeros(hands + 53)
    return lambda n: pay_out(n, pays, u64(0), u64(0), 1.0, reach, out, spare)


def sweeps() -> Iterator[Row]:
    """Full iterations of discounted CFR, endings by order and by matrices in turns."""
    for game in ("dealt:leduc", "dealt:gp(6,4,4,1)", GP13):
        tree = mccfr.compile(game)
        ordered, matrices = (VectorEngine(tree, mccfr.Method.parse("dcfr")) for _ in range(2))
        matrices.tree = tree.public_view(pairs=True)
        rate = rates({"order": ordered.run, "matrices": matrices.run})
        beside = f"{rate['matrices']:,.0f} by matrices: {rate['order'] / rate['matrices']:.2f}x"
        yield "sweeps", f"{game}, dcfr, by order", f"{rate['order']:,.0f} iterations/s", beside


def nlph(budget: float) -> Iterator[Row]:
    """Seconds and iterations to each target; the fastest full-width and the fastest sampled method are marked."""
    tree = mccfr.compile("nlph")
    groups = {
        "full width": {name: functools.partial(_engine, tree, name) for name in SWEEPS},
        "sampled": {name: functools.partial(_engine, tree, name) for name in SAMPLED},
    }
    for group, contestants in groups.items():
        found = {name: race(make, VectorEvaluator(tree), budget) for name, make in contestants.items()}
        best = [min(times[j] for times in found.values()) for j in range(len(TARGETS))]
        for name, times in found.items():
            cells = [f"{_reached(t, t == b)} to {target}" for t, b, target in zip(times, best, TARGETS)]
            yield "nlph", f"{group}: {name}", cells[0], cells[1]


def _engine(tree: Any, method: str, seed: int) -> Any:
    return mccfr.Solver(tree, method, seed=seed).engine


def race(make: Callable[[int], Any], evaluator: VectorEvaluator, budget: float) -> list[tuple[float, int]]:
    """CPU seconds of solving, and iterations, until each target was first met; infinite where the budget ran out."""
    make(0).run(1)  # compiled before anything is timed
    engine, spent, done, step = make(1), 0.0, 0, 10
    found = [(math.inf, 0)] * len(TARGETS)
    while spent < budget and found[-1][0] == math.inf:
        spent += seconds(engine.run, step)
        done += step
        step = max(1, done // 10)
        gap = evaluator.nash_conv(engine.weights()) / 2
        found = [min(f, (spent, done)) if gap <= chips else f for f, chips in zip(found, TARGETS.values())]
    return found


def _reached(found: tuple[float, int], best: bool) -> str:
    spent, done = found
    return "-" if spent == math.inf else f"{spent:.2g} s, {done:,} iterations{' *' if best else ''}"


def leduc() -> Iterator[Row]:
    """External sampling for one pair of hands: over public nodes, and over the tree written out."""
    flat, dealt = (_engine(mccfr.compile(game), "external", 0) for game in ("leduc", "dealt:leduc"))
    rate = rates({"dealt": dealt.run, "flat": flat.run})
    beside = f"{rate['flat']:,.0f} written out: {rate['dealt'] / rate['flat']:.2f}x"
    yield "leduc", "dealt, external", f"{rate['dealt']:,.0f} iterations/s", beside


def common() -> Iterator[Row]:
    """What it is worth that one public card serves all lines of a walk: exploitability, not times."""
    tree = mccfr.compile("dealt:leduc")
    for method in ("external", "robust(k=1)+probe"):
        alone, shared = (_exploitability(tree, method + word) for word in ("", "+common"))
        yield "common", f"dealt:leduc, {method}+common", f"{shared:.4f}", f"{alone:.4f} without"


def _exploitability(tree: Any, method: str) -> float:
    return statistics.fmean(
        mccfr.solve(tree, method, iterations=WALKS, seed=seed).exploitability() for seed in range(SEEDS)
    )


def pos() -> Iterator[Row]:
    """Public outcome sampling of a game with 2704 pairs of hands."""
    tree = mccfr.compile(GP13)
    engines = {method: _engine(tree, method, 0) for method in POS}
    for engine in engines.values():
        engine.run(20_000)  # has touched all of its tables: the first to come by waits for the memory
    rate = rates({method: engine.run for method, engine in engines.items()}, rounds=5)
    for method in POS:
        beside = "" if method == POS[0] else f"{rate[method] / rate[POS[0]]:.2f}x of plain"
        yield "pos", f"{GP13}, {method}", f"{rate[method]:,.0f} iterations/s", beside


def bluff() -> Iterator[Row]:
    """External sampling, and one exact evaluation, of a game with hundreds of millions of table entries."""
    began = time.perf_counter()
    tree = mccfr.compile(BLUFF)
    solver = mccfr.Solver(tree, "external", seed=0)
    yield "bluff", f"{BLUFF}, to compile", f"{time.perf_counter() - began:.0f} s", ""
    solver.run(20_000)  # the upper part of the tree has been touched
    alone = rates({"walk": solver.engine.run}, piece=4.0, rounds=3)["walk"]
    yield "bluff", f"{BLUFF}, external", f"{alone:,.0f} iterations/s", ""
    took = statistics.median(seconds(lambda _, s=solver: s.exploitability(), 1) for _ in range(2))
    yield "bluff", f"{BLUFF}, exact exploitability", f"{took:.1f} CPU s", ""
    del solver
    for workers in sorted({2, os.cpu_count() or 1}):
        for mode in ("shared", "locked"):
            rate = _together(tree, workers, mode)
            row = f"{BLUFF}, external, {mode}, {workers} workers"
            yield "bluff", row, f"{rate:,.0f} iterations/s", f"{rate / alone:.2f}x of one"


def _together(tree: Any, workers: int, mode: str) -> float:
    """Iterations/s of several workers by the clock on the wall, the upper part of the tree having been touched."""
    solver = mccfr.Solver(tree, "external", seed=0, workers=workers, parallel=mode).run(20_000)
    before, iterations = solver.seconds, solver.iterations
    solver.run(seconds=12)
    return (solver.iterations - iterations) / (solver.seconds - before)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", metavar="PARTS", help="some of: endings, sweeps, nlph, leduc, common, pos, bluff")
    options.add_argument("--seconds", type=float, default=30.0, help="CPU seconds for each method of nlph")
    options.add_argument("--large", action="store_true", help="also bluff")
    given = options.parse_args()
    parts = {
        "endings": endings, "sweeps": sweeps, "nlph": functools.partial(nlph, given.seconds), "leduc": leduc,
        "common": common, "pos": pos, "bluff": bluff,
    }  # fmt: skip
    wanted = given.only.split(",") if given.only else [name for name in parts if name != "bluff" or given.large]
    if unknown := [name for name in wanted if name not in parts]:
        options.error(f"no part {', '.join(unknown)}: there are {', '.join(parts)}")
    print("| part | what | measured | beside |\n|---|---|--:|---|")
    for name in wanted:
        for row in parts[name]():
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
