"""A whole no-limit hold'em small enough to know exactly, beside slumbot2019 (C++): the game it calls ms3f1t1r1h5.

    python benchmarks/whole_holdem.py                       CFR+ after 50 and 200 iterations; others to 32 mbb/g
    python benchmarks/whole_holdem.py --methods cfr_plus

20 cards, a board of 1 + 1 + 1, blinds 1 and 2, stacks 162, bets of the pot, one bet or raise a street. Exploitability
is exact, with every card, in mbb/g of the big blind. CPU time without compiling and measuring. Theirs are CPU seconds
too; their CFR+ scales regrets to integers and has a warm-up of its own, so iterations are not the same thing.
"""

import argparse
import time
from typing import Any

import mccfr

GAME = "holdem(nolimit(stack=162, blinds='1 2', bet='100%', raise_='100%', cap=1), ranks=5, suits=4, board='1 1 1')"
MBB = 500.0  # of a chip, with a big blind of 2
THEIRS = {50: (28.7, 814.18), 200: (103.0, 32.21)}  # CFR+: CPU seconds, mbb/g
METHODS = "dcfr(1.5;0;3),dcfr_restarts,cfr_plus,sapcfr_plus,pdcfr_plus,pcfr_plus"
TARGET = 32.21


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default=METHODS, help="methods, with ; inside parentheses")
    methods = [method.replace(";", ",") for method in parser.parse_args().methods.split(",")]
    began = time.perf_counter()
    tree = mccfr.compile(GAME)
    print(f"{tree!r}, built in {time.perf_counter() - began:.1f} s")
    print(f"decision nodes a street {tree.betting.size.decisions}, {tree.infosets.entries:,} table entries")
    print("| method | iterations | CPU s | mbb/g | value to the big blind, chips | slumbot2019: CPU s, mbb/g |")
    print("|---|--:|--:|--:|--:|---|")
    solver, spent = prepared(tree, "cfr_plus"), 0.0
    for iterations, (seconds, found) in THEIRS.items():
        spent += timed(solver, iterations - solver.iterations)
        print(row(solver, spent, f"{seconds:g}, {found:g}"), flush=True)
    for method in methods:
        solver, spent = prepared(tree, method), 0.0
        while MBB * solver.exploitability() > TARGET and solver.iterations < 1000:
            spent += timed(solver, 10)
        print(row(solver, spent, f"{THEIRS[200][0]:g}, {TARGET:g}"), flush=True)


def prepared(tree: Any, method: str) -> Any:
    solver = mccfr.Solver(tree, method)
    solver.run(0)
    return solver


def timed(solver: Any, iterations: int) -> float:
    began = time.process_time()
    solver.run(iterations)
    return time.process_time() - began


def row(solver: Any, spent: float, theirs: str) -> str:
    value = mccfr.expected_value(solver.strategy())
    found = f"{MBB * solver.exploitability():.2f} | {value:.4f} | {theirs}"
    return f"| {solver.method} | {solver.iterations} | {spent:.1f} | {found} |"


if __name__ == "__main__":
    main()
