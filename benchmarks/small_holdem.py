"""Sampled methods and buckets in a hold'em small enough to know exactly, beside slumbot2019 (C++): its ms3f1t1r1h5.

    python benchmarks/small_holdem.py                               external sampling, the best at equal time, buckets
    python benchmarks/small_holdem.py --seconds 7.6 --buckets 'ehs2(3)|ehs2(10)' --deck 3+1+1

20 cards (ranks 2 to 6), blinds 1 and 2, stacks 162, bets of the pot, one bet or raise a street; the board is 1 + 1 + 1
cards, with --deck 3+1+1 a whole one. Exploitability is that of the real game: a best response sees every card, the
strategy its rows (`mccfr.real_exploitability`). In mbb/g of the big blind. An iteration is one deal, both players walk;
CPU time is that of iterations, without compiling, fitting buckets and measuring.
"""

import argparse
import time
from typing import Any

import mccfr

BETTING = "nolimit(stack=162, blinds='1 2', bet='100%', raise_='100%', cap=1)"
DECKS = {"1+1+1": "ranks=5, suits=4, board='1 1 1'", "3+1+1": "ranks=5, suits=4, board='3 1 1'"}
MBB = 500.0  # of a chip, with a big blind of 2
THEIRS = {1_000_000: (7.6, 2701.78), 20_000_000: (163.0, 776.99)}  # external sampling: CPU seconds, mbb/g
WALKS = "external+weighted+linear"
BOARDS = "public_chance(2)+rm_plus+linear|public_chance(4)+rm_plus+linear"  # of the game without buckets
BUCKETS = "ehs2(3)|ehs2(5)|ehs2(8)|emd(20)|emd(100)|emd(500)"
PIECE = 0.02  # of the time between two looks at the clock


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deck", choices=DECKS, default="1+1+1")
    parser.add_argument("--buckets", default=BUCKETS, help="bucketings, with | between them; '' for none")
    parser.add_argument("--walks", default=WALKS, help="other methods at equal time, with exact buckets")
    parser.add_argument("--boards", default=BOARDS, help="methods for the game without buckets, at equal time")
    parser.add_argument("--iterations", default="1000000 20000000", help="of external sampling with exact buckets")
    parser.add_argument("--seconds", default="7.6 163", help="CPU seconds at which all others are measured")
    given = parser.parse_args()
    deck, budgets = DECKS[given.deck], [float(word) for word in given.seconds.split()]
    print("| buckets | infosets | method | iterations | CPU s | iterations/s | mbb/g | slumbot2019: CPU s, mbb/g |")
    print("|---|--:|---|--:|--:|--:|--:|---|")
    if given.iterations:
        external(f"holdem({BETTING}, exact, {deck})", [int(word) for word in given.iterations.split()])
    for method in listed(given.walks):
        at_equal_time(f"holdem({BETTING}, exact, {deck})", "exact", method, budgets)
    for method in listed(given.boards):
        at_equal_time(f"holdem({BETTING}, {deck})", "none", method, budgets)
    for buckets in listed(given.buckets):
        at_equal_time(f"holdem({BETTING}, {buckets}, {deck})", buckets, WALKS, budgets)


def listed(words: str) -> list[str]:
    return [word for word in words.split("|") if word]


def external(game: str, iterations: list[int]) -> None:
    solver, spent = prepared(game, "external"), 0.0
    for goal in iterations:
        began = time.process_time()
        solver.run(goal - solver.iterations)
        spent += time.process_time() - began
        seconds, found = THEIRS.get(goal, (0.0, 0.0))
        print(row("exact", solver, spent, f"{seconds:g}, {found:g}" if found else ""), flush=True)


def at_equal_time(game: str, buckets: str, method: str, budgets: list[float]) -> None:
    solver, spent = prepared(game, method), 0.0
    for budget in budgets:
        begun, pace = spent, 1.0
        while spent < budget:
            began = time.process_time()
            solver.run(max(1, int(pace)))
            took = time.process_time() - began
            spent += took
            pace = min(4 * pace, pace * PIECE * (budget - begun) / max(took, 1e-6))
        print(row(buckets, solver, spent, ""), flush=True)


def prepared(game: str, method: str) -> Any:
    solver = mccfr.Solver(mccfr.compile(game), method)
    solver.run(0)
    return solver


def row(buckets: str, solver: Any, spent: float, theirs: str) -> str:
    found = solver.exploitability() * MBB if buckets == "none" else mccfr.real_exploitability(solver).mbb
    size = f"{len(solver.tree.infosets):,}"
    rate = f"{solver.iterations:,} | {spent:.1f} | {solver.iterations / spent:,.0f}"
    return f"| {buckets} | {size} | {solver.method} | {rate} | {found:.2f} | {theirs} |"


if __name__ == "__main__":
    main()
