"""Kuhn poker (Kuhn 1950): three cards, one bet, the smallest poker with a bluff in it."""

import dataclasses
from typing import ClassVar

from mccfr.games.base import CHANCE, TERMINAL, RuleBook

CARDS = "JQK"
OPEN, FACING = ("check", "bet"), ("fold", "call")
MOVERS = {"": 0, "c": 1, "b": 1, "cb": 0}  # every other line of betting is over
LETTERS = {"check": "c", "bet": "b", "fold": "f", "call": "k"}
DEALS = {dealt: tuple((card, 1 / (3 - len(dealt))) for card in CARDS if card not in dealt) for dealt in ("", *CARDS)}

State = tuple[str, str]  # the cards dealt so far, player 0's first; the line of betting


@dataclasses.dataclass(frozen=True)
class Kuhn(RuleBook):
    """Each player antes 1 and gets one of J < Q < K. Players check or bet 1, and fold to or call a bet.

    The higher card wins the pot. The value for player 0 is -1/18. The rules and the order of actions are those of
    OpenSpiel's kuhn_poker, which writes pass for check and fold. An infoset is card:line, with c for a check and b for
    a bet: `K:cb`.
    """

    name: ClassVar[str] = "kuhn"

    def root(self) -> State:
        return ("", "")

    def player(self, s: State) -> int:
        return CHANCE if len(s[0]) < 2 else MOVERS.get(s[1], TERMINAL)

    def actions(self, s: State) -> tuple[str, ...]:
        return FACING if s[1].endswith("b") else OPEN

    def chances(self, s: State) -> tuple[tuple[str, float], ...]:
        return DEALS[s[0]]

    def step(self, s: State, a: str) -> State:
        cards, line = s
        return (cards + a, line) if len(cards) < 2 else (cards, line + LETTERS[a])

    def infoset(self, s: State) -> str:
        cards, line = s
        return f"{cards[MOVERS[line]]}:{line}"

    def public(self, s: State) -> str:
        """The betting."""
        return s[1]

    def private(self, s: State, i: int) -> str:
        """The card."""
        return s[0][i]

    def payoff(self, s: State) -> tuple[float, float]:
        cards, line = s
        if line.endswith("f"):
            player0 = 1 if line == "bf" else -1
        else:
            stake = 2 if line.endswith("k") else 1
            player0 = stake if CARDS.index(cards[0]) > CARDS.index(cards[1]) else -stake
        return (player0, -player0)
