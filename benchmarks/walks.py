"""How fast walks are: beside kernels written by hand, beside OpenSpiel's C++, and what each part of a method costs.

    python benchmarks/walks.py             three to four minutes, the first time one more to compile
    python benchmarks/walks.py --large     also Goofspiel(7): a tree of 760 MB

One thread, CPU time, all contestants of a table in turns, medians. An iteration is one walk for each player. Machines
are shared and noisy: the ratios within a run are the result, the absolute rates are not. Before anything is timed, the
kernels written by hand must give the same tables as the walk, bit for bit. Prints Markdown.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import by_hand
import pyspiel
from timing import Run, print_table, rates

import mccfr
from mccfr.kernel.layout import Near
from mccfr.solvers.engines import WalkEngine
from mccfr.strategy.openspiel_policy import twin

EXTERNAL, OUTCOME, HISTORY = by_hand.METHODS
GAMES = ["leduc", "goofspiel(n=5)", "goofspiel(n=6)"]
TARGETS = {EXTERNAL: (0.9, 60), OUTCOME: (0.85, 40)}  # of the speed by hand, times OpenSpiel's
PARTS = [
    "probe", "static(uniform)", "history", "infoset", "predictive", "rm_plus", "prm_plus", "weighted", "discounted",
    "linear", "own_average", "optimistic", "floor", "batch(10)",
]  # fmt: skip
START = "import mccfr; mccfr.solve('leduc', 'external', iterations=1000)"


def openspiel(method: str, game: str) -> Run:
    """OpenSpiel's C++ solver of the same method on the same game."""
    made = pyspiel.load_game(twin(game))
    if method == EXTERNAL:
        solver = pyspiel.ExternalSamplingMCCFRSolver(made, 1)
    else:
        solver = pyspiel.OutcomeSamplingMCCFRSolver(made, 0.6, 1)

    def run(n: int) -> None:
        for _ in range(n):
            solver.run_iteration()

    return run


def compare(game: str, method: str) -> list[str]:
    """One row: the walk, by hand, OpenSpiel."""
    tree = mccfr.compile(game)
    assert by_hand.same_tables(tree, method), f"{method} on {game}: the walk and the kernel by hand disagree"
    engine = WalkEngine(tree, mccfr.Method.parse(method), 0)
    runs: dict[str, Run] = {"walk": engine.run, "hand": by_hand.by_hand(tree, method)[0]}
    if method in TARGETS:
        runs["openspiel"] = openspiel(method, game)
    rate = rates(runs)
    per_node = 1e9 / rate["walk"] / (float(engine.work.touched[0]) / engine.clock[0])
    row = [game, method, f"{rate['walk']:,.0f}", f"{per_node:.1f}", f"{rate['hand']:,.0f}"]
    share = rate["walk"] / rate["hand"]
    if method not in TARGETS:
        return [*row, f"{share:.2f}", "", "", "", ""]
    times = rate["walk"] / rate["openspiel"]
    least, most = TARGETS[method]
    return [
        *row, f"{share:.2f}", verdict(share >= least, f"{least}"),
        f"{rate['openspiel']:,.0f}", f"{times:.0f}x", verdict(times >= most, f"{most}x"),
    ]  # fmt: skip


def verdict(reached: bool, target: str) -> str:
    return f"{'pass' if reached else 'FAIL'} ({target})"


def costs(game: str, sampler: str) -> dict[str, str]:
    """Time of an iteration with each part, in times of the same sampler without it."""
    tree = mccfr.compile(game)
    methods = {part: f"{sampler}+{part}" for part in PARTS}
    if sampler == OUTCOME:
        methods |= {"sampling `uniform`": "uniform", "sampling `robust(1)`": "robust(1)"}
    engines = {name: WalkEngine(tree, mccfr.Method.parse(m), 0) for name, m in {"": sampler, **methods}.items()}
    rate = rates({name: engine.run for name, engine in engines.items()}, piece=0.06, rounds=7)
    return {name: f"{rate[''] / rate[name]:.2f}" for name in methods}


def print_costs() -> None:
    cells = {(g, s): costs(g, s) for g in GAMES[:2] for s in (EXTERNAL, OUTCOME)}
    names = list(dict.fromkeys(name for column in cells.values() for name in column))
    rows = [[name if " " in name else f"`+{name}`", *(c.get(name, "") for c in cells.values())] for name in names]
    print_table(["", *(f"{g}, {s.partition('(')[0]}" for g, s in cells)], rows)


def start_up() -> list[list[str]]:
    """Wall time of whole processes: with nothing compiled yet, with machine code on disk, and importing Numba only."""
    with tempfile.TemporaryDirectory() as folder:
        return [
            ["first process ever", f"{_process(START, folder):.2f}"],
            ["next process", f"{min(_process(START, folder) for _ in range(3)):.2f}"],
            ["`import numba` alone", f"{min(_process('import numba', folder) for _ in range(3)):.2f}"],
        ]


def _process(code: str, cache: str) -> float:
    root = str(Path(__file__).parent.parent)
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, "MCCFR_CACHE": cache, "PYTHONPATH": root}
    )
    return time.perf_counter() - began


def print_large() -> None:
    """External sampling on Goofspiel(7), looking ahead as it does there and without, in turns."""
    tree = mccfr.compile("goofspiel(n=7)")
    ahead, plain = (WalkEngine(tree, mccfr.Method.parse(EXTERNAL), 0) for _ in range(2))
    plain.tree = plain.tree._replace(memory=Near())
    rate = rates({"ahead": ahead.run, "plain": plain.run}, piece=0.4, rounds=9)
    print(f"\nGoofspiel(7), external: {rate['ahead']:,.0f} iterations/s, {rate['plain']:,.0f} without looking ahead")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--large", action="store_true", help="also external sampling on Goofspiel(7)")
    large = options.parse_args().large
    head = [
        "game",
        "method",
        "iterations/s",
        "ns/node",
        "by hand",
        "ratio",
        "target",
        "OpenSpiel C++",
        "ratio",
        "target",
    ]
    print_table(head, (compare(g, m) for g in GAMES for m in by_hand.METHODS), left=2)
    if large:
        print_large()
    print("\nTime of an iteration, in times of the plain sampler's:")
    print_costs()
    print_table(["solving Leduc, 1000 iterations of `external`", "seconds"], start_up())


if __name__ == "__main__":
    main()
