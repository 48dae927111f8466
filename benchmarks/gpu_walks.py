"""Walks on a GPU beside one core and sixteen, in one run: `python benchmarks/gpu_walks.py`.

Walks and nodes a second on games of several sizes, and exploitability after equal time. A walk is one player's
traversal. The last game is limit hold'em with ten buckets a street and real cards; --walks N makes so many of them in
one go. Sixteen cores share one table, as `--workers 16` does.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

from timing import print_table

import mccfr
from mccfr.amounts import read_count
from mccfr.evaluate.abstract_values import AbstractEvaluator
from mccfr.machine import processors
from mccfr.solvers.solver import Solver
from mccfr.tree.abstract_table import abstract_table

LIMIT = "holdem(limit, ehs2(10))"
GAMES = {  # and their methods
    "leduc": ("external", "outcome"),
    "goofspiel(6)": ("external", "outcome"),
    "dealt:bluff(2,2,rounds=one)": ("external",),
    LIMIT: ("external",),
}
HEAD = ["game", "method", "on", "M walks/s", "M nodes/s", "nodes a walk", "exploitability", "after s"]


def places(cores: int) -> dict[str, dict[str, Any]]:
    """How a solver is told where to work."""
    return {"one core": {}, f"{cores} cores": {"workers": cores, "parallel": "shared"}, "GPU": {"device": "gpu"}}


def judge_of(tree: mccfr.Tree, deals: int) -> Callable[[Solver], float] | None:
    """What measures exploitability, in chips: of hold'em through buckets in a table of so many deals."""
    if tree.buckets is None:
        return Solver.exploitability
    if not deals:
        return None
    inside = AbstractEvaluator(tree.buckets, abstract_table(tree.buckets, deals, 1, processors()))
    return lambda solver: inside.nash_conv(solver.engine.weights()) / 2


def measured(name: str, solver: Solver, seconds: float, judge: Callable[[Solver], float] | None) -> list[str]:
    """A row of the table."""
    solver.engine.run(0)
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:  # not by solver.run, which measures on the way
        solver.engine.run(max(1, int(solver.iterations * min(1.0, (seconds - took) / (took + 1e-9)))))
    walks, nodes = 2 * solver.iterations / took, solver.touched / took
    found = f"{judge(solver):.4f}" if judge else ""
    where = f"{name}, {solver.engine.threads:,} walks" if solver.device == "gpu" else name
    return [where, f"{walks / 1e6:.3f}", f"{nodes / 1e6:.1f}", f"{nodes / walks:.0f}", found, f"{took:.1f}"]


def compare(games: list[str], methods: list[str], cores: int, seconds: float, deals: int) -> None:
    """Every game by every method in three places."""
    rows = []
    for game in games:
        tree = mccfr.compile(game, "100GB")
        judge = judge_of(tree, deals)
        for method in methods or GAMES.get(game, ("external",)):
            for name, where in places(cores).items():
                solver = Solver(tree, method, 1, **where)
                rows.append([game, method, *measured(name, solver, seconds, judge)])
                print(*rows[-1], sep=" | ", flush=True)
                del solver  # large games have room for one
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
    parser.add_argument("--methods", nargs="+", default=[], help="of all games [default: some of each]")
    parser.add_argument("--cores", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--walks", type=read_count, default=0)
    parser.add_argument(
        "--deals", type=read_count, default=0, help="of a table in which hold'em is measured; 0: it is not"
    )
    given = parser.parse_args()
    if given.walks:
        many(given.walks)
    else:
        compare(given.games, given.methods, given.cores, given.seconds, given.deals)


if __name__ == "__main__":
    main()
