"""Pairs of a hand and one of several boards, for policies: the rows of a board are worked out once for all its hands.

The boards may begin with the same cards, in which case the streets that they share are looked at once.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mccfr.playing.many_hands import BoardHands, Cards, Floats, Ints, strength_on
from mccfr.playing.table import Table
from mccfr.tree.bucket_tree import BucketTree


class Boards:
    """Whole boards, and for each street the rows of every hand on them."""

    def __init__(self, table: Table, boards: Sequence[Sequence[int]]) -> None:
        """Remember the boards, each with its cards in the order in which they come."""
        self.table = table
        self.cards = np.array(boards, np.uint8).reshape(len(boards), -1)
        self._rows: dict[tuple[int, str], Ints] = {}

    def came(self, street: int) -> tuple[Cards, Ints]:
        """The different boards of a street, and [boards] which of them each board has."""
        size = self.table.board_size(street)
        if size == 0:
            return np.empty((1, 0), np.uint8), np.zeros(len(self.cards), np.int64)
        found, which = np.unique(self.cards[:, :size], axis=0, return_inverse=True)
        return found, which.reshape(-1).astype(np.int64)

    def rows(self, tree: BucketTree, street: int) -> Ints:
        """[boards, hands] the row of every hand on a street; NO_ROW where they share a card."""
        key = street, tree.fit.checksum
        if key not in self._rows:
            different, which = self.came(street)
            found = np.array([BoardHands(self.table, board).rows(tree, street) for board in different.tolist()])
            self._rows[key] = found[which]
        return self._rows[key]


class HandsOnBoards:
    """n hands, each on one of the boards."""

    def __init__(self, boards: Boards, board: Ints, hand: Ints) -> None:
        """`board` is [n] numbers of boards, `hand` [n] numbers of hands of the deck."""
        self.boards, self.board, self.hand = boards, board, hand
        self.count = len(hand)

    def some(self, chosen: Ints) -> "HandsOnBoards":
        """Only the hands with these numbers."""
        return HandsOnBoards(self.boards, self.board[chosen], self.hand[chosen])

    def cards(self, street: int) -> Cards:
        """[n, 2 + board] hole cards, then the board."""
        table = self.boards.table
        hole = table.deck.hand_cards[self.hand].astype(np.uint8)
        return np.concatenate((hole, self.boards.cards[self.board, : table.board_size(street)]), axis=1)

    def rows(self, tree: BucketTree, street: int) -> Ints:
        """[n] rows on a street."""
        found: npt.NDArray[np.int64] = self.boards.rows(tree, street)[self.board, self.hand]
        return found

    def strength(self, street: int) -> Floats:
        """[n] which share of other hands each beats now, ties half."""
        different, which = self.boards.came(street)
        found = np.array([strength_on(self.boards.table, tuple(board)) for board in different.tolist()])
        return np.asarray(found[which[self.board], self.hand])
