"""Goofspiel with hidden bids and descending prizes, as in Gibson et al. (2012)."""

import dataclasses
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

from mccfr.games.base import TERMINAL, Level, RuleBook
from mccfr.games.goofspiel_levels import count_nodes, describe, goofspiel_levels
from mccfr.games.parameters import require_flag, require_whole

PAYOFFS = ((0.0, 0.0), (1.0, -1.0), (-1.0, 1.0))  # by the sign of player 0's lead: 0, 1, -1

# Cards left to players 0 and 1 as bit masks, player 0's lead in points, what each has seen, player 0's waiting bid.
State = tuple[int, int, int, str, str, str]


@dataclasses.dataclass(frozen=True)
class Goofspiel(RuleBook):
    """Both players hold the bids 1..n. The higher bid of round k wins n-k+1 points; after a tie nobody gets them.

    Bids are secret: after each round the players learn who won it, but never the other's bid. The player with more
    points at the end wins 1. Player 0 bids first in the tree, and player 1 does not see the bid. With `collapse=True`
    the last round, in which both have one card left, is counted in the payoff instead of being played.

    OpenSpiel calls this goofspiel(imp_info=true, points_order=descending, returns_type=win_loss); the II-GS of Lisy,
    Lanctot and Bowling has ascending prizes and cards 0..n-1. An infoset is player:bids, each followed by w, l or t:
    `0:5w3l`.
    """

    name: ClassVar[str] = "goofspiel"

    n: int = 4
    collapse: bool = True

    def __post_init__(self) -> None:
        require_whole(self.name, "n", self.n, 2, 10)
        require_flag(self.name, "collapse", self.collapse)

    def root(self) -> State:
        full = (1 << self.n) - 1
        return (full, full, 0, "0:", "1:", "")

    def player(self, s: State) -> int:
        left = s[0]
        if s[5]:
            return 1
        # A single bit is left before the last round, none after it.
        over = not left & (left - 1) if self.collapse else not left
        return TERMINAL if over else 0

    def actions(self, s: State) -> tuple[str, ...]:
        return self._hands[s[1] if s[5] else s[0]]

    def chances(self, s: State) -> tuple[tuple[str, float], ...]:
        return ()

    def step(self, s: State, a: str) -> State:
        left0, left1, lead, seen0, seen1, waiting = s
        bid = int(a)
        if not waiting:
            return (left0 ^ (1 << (bid - 1)), left1, lead, seen0, seen1, a)
        difference = int(waiting) - bid
        prize = left1.bit_count()  # n-k+1 cards are left in round k, as many as its points
        if difference > 0:
            lead, outcome0, outcome1 = lead + prize, "w", "l"
        elif difference < 0:
            lead, outcome0, outcome1 = lead - prize, "l", "w"
        else:
            outcome0 = outcome1 = "t"
        return (left0, left1 ^ (1 << (bid - 1)), lead, seen0 + waiting + outcome0, seen1 + a + outcome1, "")

    def infoset(self, s: State) -> str:
        return s[4] if s[5] else s[3]

    def payoff(self, s: State) -> tuple[float, float]:
        left0, left1, lead = s[:3]
        lead += (left0 > left1) - (left0 < left1)  # the last round is for one point; nothing is left if it was played
        return PAYOFFS[(lead > 0) - (lead < 0)]

    def nodes(self) -> int:
        return count_nodes(self.n, self.collapse)

    def levels(self) -> Iterator[Level]:
        return goofspiel_levels(self.n, self.collapse)

    def describe(self, player: int, code: int) -> tuple[str, tuple[str, ...]]:
        return describe(self.n, player, code)

    @cached_property
    def _hands(self) -> tuple[tuple[str, ...], ...]:
        """The bids of every bit mask."""
        return tuple(tuple(str(bit + 1) for bit in range(self.n) if mask >> bit & 1) for mask in range(1 << self.n))
