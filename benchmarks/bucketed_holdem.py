"""Speed of training hold'em through buckets, beside what other programs reach: `python benchmarks/bucketed_holdem.py`.

Walks are measured on tables that have learned for a while (--walks), since a strategy that has learned something is
walked differently from a uniform one; nodes are told beside them. One iteration is a walk for each player, on one deal.
Numbers of other programs are those of docs/holdem.md: measured on another machine of this kind, not here.
"""

import argparse
import resource
import time
from typing import NamedTuple

import mccfr
from mccfr.amounts import read_count
from mccfr.solvers.parallel import SharedEngine, Threads

SMALL_DECK = (
    "holdem(nolimit(stack=162, blinds='1 2', bet='100%', raise_='100%', cap=1), exact, ranks=5, suits=4, board={})"
)
NO_LIMIT = "holdem(nolimit(stack=200, bet='33%,75%,150%,a', raise_='100%,a', cap='3 2'), emd('50 50 50 50'))"


class Case(NamedTuple):
    """A game, and what is known of others on it."""

    game: str
    peers: str


CASES = {
    "limit": Case("holdem(limit, ehs2(10))", "open-pure-cfr: 27 k it/s a thread, without real cards"),
    "ms3": Case(SMALL_DECK.format("'1 1 1'"), "slumbot2019: 182 k it/s, no gain from a second thread"),
    "311": Case(SMALL_DECK.format("'3 1 1'"), "slumbot2019: 114 k / 162 k it/s (1 / 2 threads), 3.67 GB"),
    "nolimit": Case(NO_LIMIT, "donksolver: 21.2 k / 35.7 k it/s (1 / 2 threads), 21,162 nodes x 50"),
}


def main() -> None:
    """Train each game, then measure it with each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=CASES, default=list(CASES))
    parser.add_argument("--walks", default="20m", help="walks before measuring, by all threads")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=8.0, help="of each measurement")
    given = parser.parse_args()
    print("| game | entries, tables | threads | iterations/s | walks/s | nodes/s | nodes a walk | others |")
    print("|---|---|--:|--:|--:|--:|--:|---|")
    for name in given.only:
        case = CASES[name]
        solver = mccfr.Solver(case.game, "external", seed=1, workers=max(given.threads), parallel="shared")
        engine = solver.engine
        assert isinstance(engine, SharedEngine)
        engine.run(0)
        engine.run(read_count(given.walks) // 2)
        size = sum(array.nbytes for array in engine.table)
        works = engine.works
        for threads in given.threads:
            engine.works, engine.threads = works[:threads], Threads(threads)
            before, seconds, iterations = sum(int(w.touched[0]) for w in works), 0.0, 0
            while seconds < given.seconds:
                began = time.perf_counter()
                engine.run(20_000 * threads)
                seconds += time.perf_counter() - began
                iterations += 20_000 * threads
            nodes = sum(int(w.touched[0]) for w in works) - before
            rates = f"{iterations / seconds:,.0f} | {2 * iterations / seconds:,.0f} | {nodes / seconds / 1e6:.1f} M"
            tables = f"{solver.tree.infosets.entries:,}, {size / 1e9:.2f} GB"
            print(
                f"| {name} | {tables} | {threads} | {rates} | {nodes / 2 / iterations:.0f} | {case.peers} |", flush=True
            )
        del solver, engine, works
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"\nmost memory at any time: {peak:.1f} GB")


if __name__ == "__main__":
    main()
