"""Many hands at once: all hands on one board, or the hands of one seat in many deals.

A policy asks for their rows street by street, and for nothing else that depends on cards. Rows are looked up in the
large tables of walks where these have been loaded; otherwise they are worked out from the small fit, which takes
milliseconds for a board.
"""

import functools
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import Fit
from mccfr.cards.deck import CLASS_OF_HAND, hand_of
from mccfr.cards.equity import class_equities
from mccfr.cards.evaluator import rank_deck
from mccfr.evaluate.board_rows import look_up_rows
from mccfr.playing.table import Table
from mccfr.tree.bucket_tree import BucketTree

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Cards = npt.NDArray[np.uint8]
LEAST_BOARD = 3  # cards that make a hand of five with two
NO_ROW = -1  # of a hand that shares a card with the board


class ManyHands(Protocol):
    """n hands and the board that each of them sees."""

    count: int

    def cards(self, street: int) -> Cards:
        """[n, 2 + board] hole cards, then the board as it came."""
        ...

    def rows(self, tree: BucketTree, street: int) -> Ints:
        """[n] rows on a street, NO_ROW where a hand is impossible."""
        ...

    def strength(self, street: int) -> Floats:
        """[n] which share of other hands each beats now, ties half; before the flop, at the showdown."""
        ...


class BoardHands:
    """Every hand of the deck, on one board."""

    def __init__(self, table: Table, board: Sequence[int]) -> None:
        """Remember the board, of which earlier streets see the first cards."""
        self.table, self.board = table, tuple(board)
        self.count = table.deck.hands
        self._rows: dict[tuple[int, str], Ints] = {}

    def free(self, street: int) -> npt.NDArray[np.bool_]:
        """[hands] whether a hand shares no card with the board of a street."""
        return np.asarray(~np.isin(self.table.deck.hand_cards, self._came(street)).any(axis=1))

    def _came(self, street: int) -> tuple[int, ...]:
        return self.board[: self.table.board_size(street)]

    def cards(self, street: int) -> Cards:
        """[hands, 2 + board] hole cards, then the board."""
        hole = self.table.deck.hand_cards.astype(np.uint8)
        came = np.array(self._came(street), np.uint8)
        return np.concatenate((hole, np.tile(came, (len(hole), 1))), axis=1)

    def rows(self, tree: BucketTree, street: int) -> Ints:
        """[hands] rows on a street, NO_ROW for hands that share a card with the board."""
        key = street, tree.fit.checksum
        if key not in self._rows:
            free = self.free(street)
            found = np.full(self.count, NO_ROW, np.int64)
            found[free] = rows_of(tree, street, self.cards(street)[free])
            self._rows[key] = found
        return self._rows[key]

    def strength(self, street: int) -> Floats:
        """[hands] which share of other hands each beats now, ties half."""
        return strength_on(self.table, self._came(street))


class DealtHands:
    """The hands of one seat in many deals, each with a board of its own."""

    def __init__(self, table: Table, dealt: Cards) -> None:
        """`dealt` is [n, 2 + whole board]."""
        self.table, self.dealt = table, dealt
        self.count = len(dealt)
        self._rows: dict[tuple[int, str], Ints] = {}

    def some(self, numbers: Ints) -> "DealtHands":
        """Only the deals with these numbers; rows that are known stay known."""
        found = DealtHands(self.table, self.dealt[numbers])
        found._rows = {key: rows[numbers] for key, rows in self._rows.items()}
        return found

    def cards(self, street: int) -> Cards:
        """[n, 2 + board] hole cards, then the board of a street."""
        return self.dealt[:, : 2 + self.table.board_size(street)]

    def rows(self, tree: BucketTree, street: int) -> Ints:
        """[n] rows on a street."""
        key = street, tree.fit.checksum
        if key not in self._rows:
            self._rows[key] = rows_of(tree, street, np.ascontiguousarray(self.cards(street)))
        return self._rows[key]

    def strength(self, street: int) -> Floats:
        """[n] which share of other hands each beats now, ties half."""
        if street == 0:
            return strength_on(self.table, ())[[hand_of(*hole) for hole in self.dealt[:, :2].tolist()]]
        return np.array([share_beaten(self.table, cards) for cards in self.cards(street).tolist()])


def share_beaten(table: Table, cards: Sequence[int]) -> float:
    """Which share of hands two hole cards beat on the board after them, ties half."""
    hand, board = hand_of(*cards[:2]), tuple(cards[2:])
    if len(board) < LEAST_BOARD:
        return float(strength_on(table, board)[hand])
    ranks = rank_deck(board, table.ranks, table.suits)
    live, mine = np.count_nonzero(ranks >= 0), ranks[hand]
    worse, up_to = (np.count_nonzero(which) - len(ranks) + live for which in (ranks < mine, ranks <= mine))
    return float((worse + up_to) / (2 * live))


def rows_of(tree: BucketTree, street: int, cards: Cards) -> Ints:
    """[n] rows of hands with their boards."""
    if tables_loaded(tree):
        return look_up_rows(tree, street, np.ascontiguousarray(cards)).astype(np.int64)
    fit: Fit = tree.fit
    return np.asarray(fit.rows_of(street, np.ascontiguousarray(cards)), np.int64)


def tables_loaded(tree: BucketTree) -> bool:
    """Whether the large tables of a bucketing are in memory."""
    return "look" in tree.__dict__


@functools.lru_cache(maxsize=4096)
def strength_on(table: Table, board: tuple[int, ...]) -> Floats:
    """[hands] which share of other hands each beats on a board of three cards or more, ties half.

    Before the flop it is the share of showdowns won against any hand, which is known for the whole deck; on others a
    hand goes by its ranks.
    """
    hands = table.deck.hand_cards
    if len(board) < LEAST_BOARD:
        if table.ranks * table.suits == 52:
            return class_equities().against_all[CLASS_OF_HAND]
        high, low = hands.max(axis=1) // table.suits, hands.min(axis=1) // table.suits
        score = high + low + table.ranks * (high == low)
        return (score.argsort().argsort() + 0.5) / len(hands)
    ranks = rank_deck(board, table.ranks, table.suits).astype(np.int64)
    live = np.sort(ranks[ranks >= 0])
    below, up_to = np.searchsorted(live, ranks, "left"), np.searchsorted(live, ranks, "right")
    return np.asarray((below + up_to) / (2.0 * max(len(live), 1)))
