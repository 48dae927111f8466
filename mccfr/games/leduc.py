"""Leduc hold'em (Southey et al. 2005), the usual testing ground: GP(3, 2, 2, 1) with the cards called J, Q, K."""

import dataclasses
from typing import ClassVar

from mccfr.games.generic_poker import GenericPoker

NAMES = ("JQK", "jqk")  # of the two suits


@dataclasses.dataclass(frozen=True)
class Leduc(GenericPoker):
    """Poker with six cards, J Q K and j q k: ante 1, bets of 2 and then 4, at most two per round.

    The value for player 0 is -0.0856064. With `suits=True`, the tree and the order of its actions are those of
    OpenSpiel's leduc_poker. With `suits=False`, only the ranks J, Q, K are distinguished (288 infosets instead of 936),
    as in its suit_isomorphism. `shift=100` is the shifted game of Davis, Schmid and Bowling (2019). An infoset is
    card:line/public:line: `K:crc/q:r`.
    """

    name: ClassVar[str] = "leduc"

    types: int = dataclasses.field(default=3, init=False, repr=False)
    copies: int = dataclasses.field(default=2, init=False, repr=False)
    raises: int = dataclasses.field(default=2, init=False, repr=False)
    sizes: int = dataclasses.field(default=1, init=False, repr=False)

    def card_name(self, rank: int, copy: int) -> str:
        return NAMES[copy if self.suits else 0][rank]
