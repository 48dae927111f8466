"""Whole hold'em flop by flop: a street tree for the boards of one flop, for games too large to be laid out whole.

The first deal after the blinds is called the flop here, however many cards it has. Flops that differ by an exchange of
suits are of one kind, and the tree of a kind stands for all its copies.
"""

import functools

import numpy as np
import numpy.typing as npt

from mccfr.games.streets import StreetGame
from mccfr.tree.street_boards import Board, boards_after, list_boards
from mccfr.tree.street_build import MOST_BOARDS, plan_streets
from mccfr.tree.street_tree import StreetTree


class FlopTrees:
    """The kinds of flops of a game, and a tree for each when asked for."""

    def __init__(self, game: StreetGame, limit: str | float | None = None) -> None:
        self.plan = plan_streets(game, limit)

    @functools.cached_property
    def _listed(self) -> list[Board]:
        rules = self.plan.rules
        listed = list_boards(self.plan.deck, rules.board, rules.deals[:1], self.plan.keeps, MOST_BOARDS)
        assert not isinstance(listed, int)
        return listed

    @functools.cached_property
    def copies(self) -> npt.NDArray[np.int64]:
        """[kinds] How many flops are of each kind."""
        return np.array([len(board.images) for board in self._listed[1:]])

    @property
    def flops(self) -> npt.NDArray[np.uint8]:
        """[kinds, cards] A flop of each kind."""
        return np.array([board.cards for board in self._listed[1:]], np.uint8)

    def tree(self, kind: int) -> StreetTree:
        """The game as if only flops of this kind could come, each as likely as it is; refused if too large."""
        start = [self._listed[0], self._listed[1 + kind]]
        listed = boards_after(self.plan.deck, start, self.plan.rules.deals, MOST_BOARDS)
        self.plan.require(listed, tables=False)
        assert not isinstance(listed, int)
        return self.plan.tree(listed)
