"""Kuhn poker (Kuhn 1950): three cards, one bet, the smallest poker with a bluff in it.

With `suits=2` there are six cards, as in the example by which Li et al. (2020, figure 1) explain public trees.
"""

import dataclasses
import functools
from typing import ClassVar

from mccfr.games.base import CHANCE, TERMINAL, RuleBook
from mccfr.games.parameters import require_whole

CARDS = "JQK"
SUITS = "cshd"  # clubs and spades are the two of Li et al. (2020)
OPEN, FACING = ("check", "bet"), ("fold", "call")
MOVERS = {"": 0, "c": 1, "b": 1, "cb": 0}  # every other line of betting is over
LETTERS = {"check": "c", "bet": "b", "fold": "f", "call": "k"}

State = tuple[str, str]  # the cards dealt so far, player 0's first; the line of betting


@dataclasses.dataclass(frozen=True)
class Kuhn(RuleBook):
    """Each player antes 1 and gets one of J < Q < K. Players check or bet 1, and fold to or call a bet.

    The higher card wins the pot. The value for player 0 is -1/18. The rules and the order of actions are those of
    OpenSpiel's kuhn_poker, which writes pass for check and fold. An infoset is card:line, with c for a check and b for
    a bet: `K:cb`.

    `suits` is how many cards of each rank there are, 1 to 4: clubs, spades, hearts, diamonds, written c, s, h, d after
    the rank. Equal ranks share the pot. `suits=2` is the example of Li et al. (2020, figure 1); its value is -19/465.
    """

    name: ClassVar[str] = "kuhn"

    suits: int = dataclasses.field(default=1, kw_only=True)  # so that a class of one's own may add others before it

    def __post_init__(self) -> None:
        require_whole(self.name, "suits", self.suits, 1, len(SUITS))

    def root(self) -> State:
        return ("", "")

    def player(self, s: State) -> int:
        return CHANCE if len(s[0]) < 2 * self._letters else MOVERS.get(s[1], TERMINAL)

    def actions(self, s: State) -> tuple[str, ...]:
        return FACING if s[1].endswith("b") else OPEN

    def chances(self, s: State) -> tuple[tuple[str, float], ...]:
        return _left(self.suits, s[0])

    def step(self, s: State, a: str) -> State:
        cards, line = s
        return (cards + a, line) if len(cards) < 2 * self._letters else (cards, line + LETTERS[a])

    def infoset(self, s: State) -> str:
        return f"{self._card(s, MOVERS[s[1]])}:{s[1]}"

    def public(self, s: State) -> str:
        """The betting."""
        return s[1]

    def private(self, s: State, i: int) -> str:
        """The card."""
        return self._card(s, i)

    def payoff(self, s: State) -> tuple[float, float]:
        line = s[1]
        if line.endswith("f"):
            player0 = 1 if line == "bf" else -1
        else:
            rank0, rank1 = (CARDS.index(self._card(s, i)[0]) for i in (0, 1))
            ahead = (rank0 > rank1) - (rank0 < rank1)
            player0 = 2 * ahead if line.endswith("k") else ahead
        return (player0, -player0)

    def _card(self, s: State, i: int) -> str:
        return s[0][i * self._letters : (i + 1) * self._letters]

    @property
    def _letters(self) -> int:
        """Letters of a card: its rank, and its suit if there are several."""
        return 1 if self.suits == 1 else 2


@functools.cache
def _left(suits: int, dealt: str) -> tuple[tuple[str, float], ...]:
    """The cards that are left when none or one is dealt, with their chances."""
    deck = CARDS if suits == 1 else [rank + suit for rank in CARDS for suit in SUITS[:suits]]
    left = [card for card in deck if card != dealt]
    return tuple((card, 1 / len(left)) for card in left)
