"""What a game of streets is: hole cards and boards on one side, betting on the other.

Spots and whole hold'em answer `streets()` with the value below. Nothing in it is dense in pairs of hands: trees make
boards, endings and tables from it, board by board.
"""

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import Betting

Floats = npt.NDArray[np.float64]


class Lock(NamedTuple):
    """A player's strategy at a node, given and not learned."""

    line: str  # that leads to the node, as in `mccfr.betting.lines`
    cards: tuple[int, ...] | None  # board cards dealt on the way, in their order; None: whatever they are
    strategy: Floats  # [hands of the deck, moves offered there], rows sum to 1


class Streets(NamedTuple):
    """Cards and betting of a game; see the module."""

    ranks: int  # of the deck
    suits: int
    board: tuple[int, ...]  # face up at the start
    deals: tuple[int, ...]  # how many cards come to the board before each later street
    ranges: tuple[
        Floats, Floats
    ]  # [hands of the deck] how often each player is dealt a hand, before cards block others
    betting: Betting  # its first street is that of `board`
    locks: tuple[Lock, ...] = ()  # later ones override earlier ones

    @property
    def pot(self) -> float:
        """The chips in the pot at the start, blinds and antes too."""
        return float(self.betting.dead + sum(self.betting.root().stakes))


@runtime_checkable
class StreetGame(Protocol):
    """A game that is made of cards and betting."""

    def streets(self) -> Streets:
        """Return the cards and the betting."""
