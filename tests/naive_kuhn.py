"""Kuhn poker once more, written apart from the package so that a mistake in one shows against the other."""

from fractions import Fraction
from typing import Any

from mccfr.games.base import CHANCE, TERMINAL

LINES = {"cc": 1, "cbf": 1, "cbl": 2, "bf": 1, "bl": 2}  # finished lines (l: call) and what the loser pays


class Kuhn:
    """States are (cards, line). `one` is the number 1 of the arithmetic to use: Fraction(1) makes everything exact."""

    players = 2

    def __init__(self, one: Any = 1.0) -> None:
        self.one = one

    def root(self):
        return "", ""

    def player(self, s):
        cards, line = s
        return CHANCE if len(cards) < 2 else TERMINAL if line in LINES else len(line) % 2

    def actions(self, s):
        return "fl" if s[1].endswith("b") else "cb"

    def chances(self, s):
        rest = [card for card in "JQK" if card not in s[0]]
        return [(card, self.one / len(rest)) for card in rest]

    def step(self, s, a):
        cards, line = s
        return (cards + a, line) if len(cards) < 2 else (cards, line + a)

    def infoset(self, s):
        cards, line = s
        return cards[len(line) % 2] + line

    def payoff(self, s):
        cards, line = s
        if line.endswith("f"):
            winner = len(line) % 2  # the one who would have moved next has not folded
        else:
            winner = 0 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else 1
        return (LINES[line], -LINES[line]) if winner == 0 else (-LINES[line], LINES[line])


def kuhn_equilibrium(alpha: Fraction) -> dict[tuple[int, str], list[Fraction]]:
    """The equilibria of Kuhn 1950, one for every alpha in [0, 1/3]: probabilities of betting or calling."""
    third = Fraction(1, 3)
    bets = {
        0: {"J": alpha, "Q": 0, "K": 3 * alpha, "Jcb": 0, "Qcb": alpha + third, "Kcb": 1},
        1: {"Jc": third, "Qc": 0, "Kc": 1, "Jb": 0, "Qb": third, "Kb": 1},
    }
    return {(i, I): [1 - Fraction(p), Fraction(p)] for i, table in bets.items() for I, p in table.items()}
