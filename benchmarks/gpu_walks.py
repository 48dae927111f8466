"""Walks on a GPU beside one core and sixteen, in one run: `python benchmarks/gpu_walks.py`.

Walks and nodes a second on games of several sizes, and exploitability after equal time. A walk is one player's
traversal. The last game is limit hold'em with ten buckets a street and real cards; --walks N makes so many of them in
one go. Sixteen cores share one table, as `--workers 16` does.
"""

import argparse
import time

from timing import print_table

import mccfr
from mccfr.solvers.solver import Solver

LIMIT = "holdem(limit, ehs2(10))"
GAMES = ("leduc", "goofspiel(6)", "dealt:bluff(2,2,rounds=one)", LIMIT)
HEAD = ["game", "method", "on", "M walks/s", "M nodes/s", "nodes a walk", "exploitability", "after s"]


def solvers(tree: mccfr.Tree, method: str, cores: int) -> dict[str, Solver]:
    """The same method in three places."""
    return {
        "one core": Solver(tree, method, 1),
        f"{cores} cores": Solver(tree, method, 1, workers=cores),
        "GPU": Solver(tree, method, 1, device="gpu"),
    }


def measured(name: str, solver: Solver, seconds: float, exact: bool) -> list[str]:
    """A row of the table."""
    solver.engine.run(0)
    solver.run(10**12, seconds=seconds)
    found = f"{solver.exploitability():.4f}" if exact else ""
    walks, nodes = 2 * solver.iterations / solver.seconds, solver.touched / solver.seconds
    where = f"{name}, {solver.engine.threads:,} walks" if solver.device == "gpu" else name
    return [where, f"{walks / 1e6:.3f}", f"{nodes / 1e6:.1f}", f"{nodes / walks:.0f}", found, f"{solver.seconds:.1f}"]


def compare(games: list[str], methods: list[str], cores: int, seconds: float) -> None:
    """Every game by every method in three places."""
    rows = []
    for game in games:
        tree = mccfr.compile(game, "100GB")
        for method in methods:
            for name, solver in solvers(tree, method, cores).items():
                rows.append([game, method, *measured(name, solver, seconds, tree.quickly_measured)])
                print(*rows[-1], sep=" | ", flush=True)
    print_table(HEAD, rows, left=3)


def many(walks: int) -> None:
    """So many walks of limit hold'em at once, tables included."""
    solver = Solver(mccfr.compile(LIMIT, "100GB"), "external", 1, device="gpu")
    solver.engine.run(0)
    began = time.perf_counter()
    solver.run(walks // 2)
    wall = time.perf_counter() - began
    print(
        f"{2 * solver.iterations:,} walks of {LIMIT}: {solver.seconds:.1f} s, {wall:.1f} with the tables brought back"
    )


def main() -> None:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--methods", nargs="+", default=["external", "outcome"])
    parser.add_argument("--cores", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--walks", type=int, default=0)
    given = parser.parse_args()
    if given.walks:
        many(given.walks)
    else:
        compare(given.games, given.methods, given.cores, given.seconds)


if __name__ == "__main__":
    main()
