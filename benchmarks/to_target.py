"""Seconds to a given exploitability by external sampling: ours and OpenSpiel's C++, side by side.

    python benchmarks/to_target.py                  about six minutes
    python benchmarks/to_target.py --seconds 5      shorter: what is not reached in 5 s of CPU time is a dash

Only solving is timed (CPU time, one thread); exploitability is exact, by our evaluator for both, after numbers of
iterations 10 % apart. Ours is the median of three seeds, OpenSpiel's is one. Prints Markdown.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyspiel

import mccfr
from mccfr.evaluate.exact import Evaluator
from mccfr.solvers.engines import WalkEngine
from mccfr.strategy.openspiel_policy import _meet, twin

GAMES = ["leduc", "goofspiel(n=5)", "goofspiel(n=6)", "bluff(1,1,rounds=one)"]
TARGETS = (0.1, 0.03, 0.01)
SEEDS = (1, 2, 3)

Weights = npt.NDArray[np.float64]
Contestant = tuple[Callable[[int], object], Callable[[], Weights]]  # more iterations; the average strategy so far


def ours(tree: mccfr.Tree, seed: int) -> Contestant:
    engine = WalkEngine(tree, mccfr.Method.parse("external"), seed)
    return engine.run, engine.weights


def openspiel(tree: mccfr.Tree, seed: int) -> Contestant:
    """OpenSpiel's solver; its average policy is read at one state of each infoset, found once."""
    game = pyspiel.load_game(twin(tree.game))
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed)
    states = [(int(tree.infosets.row[infoset]), state.clone()) for infoset, state in _meet(tree, game)]

    def run(n: int) -> None:
        for _ in range(n):
            solver.run_iteration()

    def weights() -> Weights:
        policy, found = solver.average_policy(), np.zeros(tree.infosets.entries)
        for start, state in states:
            given = [p for _, p in sorted(policy.action_probabilities(state).items())]
            found[start : start + len(given)] = given
        return found

    return run, weights


def race(contestant: Contestant, evaluator: Evaluator, budget: float) -> list[float]:
    """CPU seconds of solving until each target was first met; infinite where the budget ran out."""
    run, weights = contestant
    reached, spent, iterations, step = [math.inf] * len(TARGETS), 0.0, 0, 10
    while spent < budget and reached[-1] == math.inf:
        began = time.process_time()
        run(step)
        spent += time.process_time() - began
        iterations += step
        step = max(1, iterations // 10)
        exploitability = evaluator.nash_conv(weights()) / 2
        reached = [min(s, spent) if exploitability <= t else s for s, t in zip(reached, TARGETS)]
    return reached


def written(times: list[float]) -> list[str]:
    return ["-" if t == math.inf else f"{t:.2g}" if t < 10 else f"{t:.0f}" for t in times]


def row(game: str, budget: float) -> list[str]:
    tree = mccfr.compile(game)
    evaluator = Evaluator(tree)
    ours(tree, 0)[0](1)  # compiled before anything is timed
    mine = [race(ours(tree, seed), evaluator, budget) for seed in SEEDS]
    medians = [statistics.median(times) for times in zip(*mine)]
    theirs = race(openspiel(tree, 1), evaluator, budget)
    ratios = ["-" if t == math.inf else f"{t / m:.0f}x" for m, t in zip(medians, theirs)]
    return [game, *(" / ".join(cells) for cells in (written(medians), written(theirs), ratios))]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=30.0, help="CPU seconds for each contestant and game")
    budget = options.parse_args().seconds
    print(f"| seconds to {' / '.join(map(str, TARGETS))} | mccfr | OpenSpiel C++ | ratio |\n|---|--:|--:|--:|")
    for game in GAMES:
        print("| " + " | ".join(row(game, budget)) + " |", flush=True)


if __name__ == "__main__":
    main()
