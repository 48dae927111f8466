"""How limit hold'em through buckets converges over walks and time: `python benchmarks/limit_curves.py --buckets 2 3`.

External sampling, several threads on one table; exploitability is that inside the abstraction, in thousandths of a big
blind a game, in a table of sampled deals; a best response found there is tried in a second table, where it has nothing
to gain from the noise of the first: the truth is between the two. With ten buckets a measurement takes a minute on two
cores, and 2e9 walks take 15 minutes on sixteen.
"""

import argparse
import time

import mccfr
from mccfr.amounts import read_count
from mccfr.evaluate.abstract_values import AbstractEvaluator
from mccfr.tree.abstract_table import abstract_table, usual_deals

MBB = 500  # a big blind is two chips
STEPS = (1, 2, 5)  # of each power of ten


def main() -> None:
    """Train with each number of buckets, and measure on the way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--buckets", nargs="*", default=["2", "3", "5"])
    parser.add_argument("--walks", default="50m")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--method", default="external")
    parser.add_argument("--deals", type=int, default=0, help="of each table; 0 for the usual number")
    given = parser.parse_args()
    last = read_count(given.walks)
    stops = [step * 10**power for power in range(5, 11) for step in STEPS if step * 10**power <= last]
    print("| buckets | infosets | walks | training s | mbb/g | in another table | value to the big blind |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for buckets in given.buckets:
        game = f"holdem(limit, ehs2({buckets!r}))" if " " in buckets else f"holdem(limit, ehs2({buckets}))"
        solver = mccfr.Solver(game, given.method, seed=1, workers=given.workers, parallel="shared")
        solver.engine.run(0)
        tree = solver.tree.buckets
        deals = given.deals or usual_deals(tree.fit.rows[-1])
        judge = AbstractEvaluator(tree, *(abstract_table(tree, deals, seed, 2) for seed in (1, 2)))
        seconds = 0.0
        for stop in stops:
            began = time.perf_counter()
            solver.engine.run(stop // 2 - int(solver.engine.clock[0]))
            seconds += time.perf_counter() - began
            found = judge.measure(solver.engine.weights())
            numbers = [MBB * x for x in (found.nash_conv.mean() / 2, found.untried.mean() / 2, found.value.mean())]
            told = " | ".join(f"{x:.2f}" for x in numbers)
            print(f"| {buckets} | {len(tree.infosets):,} | {stop:,} | {seconds:.1f} | {told} |", flush=True)


if __name__ == "__main__":
    main()
