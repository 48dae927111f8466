"""Brackets of game values: what player 0 can guarantee, and what player 1 cannot prevent.

python benchmarks/game_values.py                       the games of the papers but Bluff(2,2)
python benchmarks/game_values.py --parts               the table of mccfr/games/bluff_values.py
python benchmarks/game_values.py -n 400 --workers 16 'dealt:bluff(2,2,opener=winner)' ...
"""

import argparse
import resource
import time

import mccfr
from mccfr.evaluate.vector_values import VectorEvaluator
from mccfr.games.bluff import OPENERS

PARTS = [f"dealt:bluff({dice},opener={opener})" for dice in ("2,1", "1,2") for opener in OPENERS]
GAMES = ["dealt:gp(6,4,4,1)", "dealt:gp(13,4,4,1)", *PARTS, "nlph"]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("games", nargs="*", default=GAMES)
    options.add_argument("--parts", action="store_true", help="print lines for mccfr/games/bluff_values.py")
    options.add_argument("-n", "--iterations", type=int, default=1000)
    options.add_argument("--every", type=int, default=0, help="also measure after every so many iterations")
    options.add_argument("--method", default="dcfr")
    options.add_argument("--workers", type=int, default=0)
    options.add_argument("--memory-limit")
    given = options.parse_args()
    for game in PARTS if given.parts else given.games:
        low, high = solve(game, given)
        if given.parts:
            print(f'    "{str(mccfr.game(game)).removeprefix("dealt:")}": ({low!r}, {high!r}),', flush=True)


def solve(game: str, given: argparse.Namespace) -> tuple[float, float]:
    """Solve one game, telling how far it is."""
    began = time.perf_counter()
    solver = mccfr.Solver(game, given.method, memory_limit=given.memory_limit, workers=given.workers)
    evaluator = VectorEvaluator(solver.tree, given.workers)
    print(f"# {solver.tree}, compiled in {time.perf_counter() - began:.1f} s", flush=True)
    while solver.iterations < given.iterations:
        left = given.iterations - solver.iterations
        solver.run(min(given.every or left, left))
        began = time.perf_counter()
        best, worst = evaluator.best_values(solver.state["average"])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"# {solver.iterations} iterations in {solver.seconds:.1f} s, measured in "
            f"{time.perf_counter() - began:.1f} s: value in [{-worst:.9f}, {best:.9f}], "
            f"exploitability {(best + worst) / 2:.2e}, peak {peak:.2f} GB",
            flush=True,
        )
    return -worst, best


if __name__ == "__main__":
    main()
