"""How long a position of hold'em takes to solve again: `python benchmarks/resolving_speed.py --positions 20`.

Rivers and turns with all hands, pot and all-in as sizes, behind a gadget. Boards, stacks and ranges are random: a range
is the product of two soft thresholds in strength, as players have who bet and called before. Alternatives are what a
coarse solution of the position gives each hand of the opponent. Counted is everything from ranges to a strategy: the
tree, the gate, tables, iterations and measuring; not the first loading of machine code. Processor time is that of all
threads: on a machine that others use, it says more.
"""

import argparse
import dataclasses
import time

import numpy as np

from mccfr.betting.structures import SpotBetting
from mccfr.cards.evaluator import rank_deck
from mccfr.evaluate.street_counterfactuals import counterfactuals
from mccfr.games.streets import Streets
from mccfr.resolving.quick_solve import METHOD, solve_quickly
from mccfr.tree.street_boards import hand_deck
from mccfr.tree.street_build import lay_out_streets
from mccfr.tree.street_gates import gated

POT = 1000
STREETS = {"river": 5, "turn": 4}


@dataclasses.dataclass(frozen=True, eq=False)
class Position:
    """A game of streets that is given by its parts."""

    rules: Streets

    def streets(self):
        return self.rules

    def __str__(self):
        return "position"


def strengths(board, dice):
    """[hands] from 0 to 1 the strength of each hand, over some of the cards that may come."""
    left = [card for card in range(52) if card not in board]
    more = [[]] if len(board) == 5 else [[int(card)] for card in dice.choice(left, 6, replace=False)]
    found = np.zeros(1326)
    for cards in more:
        order = rank_deck((*board, *cards), ranks=13, suits=4)
        found += np.argsort(np.argsort(order)) / 1325
    return found / len(more)


def random_range(strength, dice):
    """A product of two soft thresholds, each kept or exceeded, and some noise."""
    weights = dice.uniform(0.5, 1.0, 1326)
    for _ in range(2):
        threshold, width = dice.uniform(0.1, 0.8), dice.uniform(0.03, 0.2)
        passed = 1 / (1 + np.exp(-(strength - threshold) / width))
        weights *= np.maximum(passed if dice.random() < 0.7 else 1 - passed, 0.01)
    return weights / weights.max()


def random_position(street, dice):
    """Its rules and the opponent."""
    board = tuple(int(card) for card in dice.choice(52, STREETS[street], replace=False))
    strength = strengths(board, dice)
    stack = int(POT * np.exp(dice.uniform(0, np.log(10))))
    betting = SpotBetting(street=street, pot=POT, stack=stack, min_bet=10, bet="100%,a", raise_="100%,a")
    ranges = random_range(strength, dice), random_range(strength, dice)
    return Streets(13, 4, board, (1,) * (5 - len(board)), ranges, betting), int(dice.integers(2))


def alternatives(rules, opponent, gadget):
    """What a coarse solution gives the opponent's hands."""
    tree = lay_out_streets(Position(rules))
    coarse = solve_quickly(tree, "cfr_plus", iterations=20).strategy()
    read = counterfactuals(coarse)
    return read.values(opponent, 0, best=gadget != "resolve").worth


def solve_once(rules, opponent, gadget, worth, given):
    """Seconds to build, to solve and of processors, iterations, and exploitability in percent of the pot."""
    began, used = time.perf_counter(), time.process_time()
    tree = gated(lay_out_streets(Position(rules)), opponent, gadget, worth)
    built = time.perf_counter()
    solved = solve_quickly(tree, given.method, given.target, seconds=given.seconds, workers=given.workers)
    done = time.perf_counter()
    reached = 100 * (solved.exploitability or 0.0) / tree.pot
    return built - began, done - built, time.process_time() - used, solved.iterations, reached


def main():
    """Solve random positions, and print a row for each street."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--streets", nargs="*", default=list(STREETS))
    parser.add_argument("--gadget", default="resolve")
    parser.add_argument("--methods", nargs="*", default=[METHOD])
    parser.add_argument("--target", default="0.5%")
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    hand_deck(13, 4)
    numbers = ("build ms", "all ms", "processor ms", "iterations")
    print(
        "| street | method | " + " | ".join(f"{name}, median | worst" for name in numbers) + " | % of the pot, worst |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for street in given.streets:
        dice = np.random.default_rng(given.seed)
        positions = [random_position(street, dice) for _ in range(given.positions)]
        asked = [(*one, given.gadget, alternatives(*one, given.gadget)) for one in positions]
        for method in given.methods:
            given.method = method
            solve_once(*asked[0], given)  # loads machine code
            found = np.array([solve_once(*one, given) for one in asked])
            built, solved, used, iterations, reached = found.T
            columns = (1000 * built, 1000 * (built + solved), 1000 * used, iterations)
            told = " | ".join(f"{np.median(column):.1f} | {column.max():.1f}" for column in columns)
            print(f"| {street} | {method} | {told} | {reached.max():.3f} |", flush=True)


if __name__ == "__main__":
    main()
