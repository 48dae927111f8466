"""Hands as rows of small whole numbers, by which they are clustered: see `mccfr.kernel.hand_features`.

All hands of a board are described together: a flop has 1,176 boards that can follow, looked at in 20 ms for all of its
hands. Hands that are given one by one are therefore sorted by board first, where boards that an exchange of suits turns
into one another count as one.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import HOLE_CARDS, CardRules, Cards
from mccfr.cards.boards import board_kinds, completions
from mccfr.cards.evaluator import deck_hands, make_room
from mccfr.cards.ranges import deck_of
from mccfr.kernel import hand_features as kernel
from mccfr.kernel.hand_features import GROUPS, WIDTH, Tally
from mccfr.machine import processors

Points = npt.NDArray[np.uint16]  # [points, width]
Groups = npt.NDArray[np.uint8]  # [hole hands]
Told = Callable[[float], None]  # told which share is done
Item = TypeVar("Item")
BINS = int(WIDTH) + 1
BATCHES, MOST_IN_BATCH = 16, 64  # batches of each thread, so that the last ones end together; items of a batch


def untold(share: float) -> None:
    """Nobody is told."""


class Describer:
    """Describes the hands of a deck. What threads write into while they work is kept for each of them."""

    def __init__(self, cards: CardRules, groups: Groups | None = None) -> None:
        self.cards, self.deck, self.last = cards, deck_of(cards.ranks, cards.suits), cards.streets - 1
        self.showdown = cards.board(self.last)
        self.hands = deck_hands(self.showdown, cards.ranks, cards.suits)
        self.groups = np.zeros(self.deck.hands, np.uint8) if groups is None else groups
        self.bin_of = _bins(self.deck.cards - self.showdown - HOLE_CARDS)
        self._local = threading.local()

    def width(self, street: int) -> int:
        """How many numbers describe a hand."""
        return int(GROUPS if street == self.last else WIDTH)

    def board(self, street: int, board: npt.NDArray[np.uint8]) -> Points:
        """[hole hands, width] every hand on a board; rows of hands that share a card with it mean nothing."""
        room, tally = self._room()
        if street == self.last:
            points = np.zeros(self.deck.hands * int(GROUPS), np.uint16)
            kernel.compare_hands(self.hands, board[None, :], room, tally, points)
            return points.reshape(self.deck.hands, -1)
        boards = completions(board.tolist(), self.showdown, self.cards.ranks, self.cards.suits)
        return _reached(self._histograms(boards, np.ones(len(boards), np.int64)))

    def hole_hands(self) -> Points:
        """[hole hands, width] every hand before there is a board, from one board of each kind."""
        kinds = board_kinds((self.showdown,), self.cards.ranks, self.cards.suits)
        counts = self._histograms(kinds.cards, kinds.copies)
        for hands in self.deck.classes.values():  # each is dealt beside its share of the boards of a kind only
            counts[hands] = counts[hands].sum(axis=0)
        return _reached(counts)

    def given(self, street: int, hands: Cards, workers: int = 1, told: Told = untold) -> Points:
        """[hands, width] hands that are given by their cards."""
        if street == 0:
            return self.hole_hands()[hole_numbers(hands)]
        same, at = by_board(hands, self.cards.suits)
        order = np.argsort(at, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(at[order])) + 1)
        points = np.empty((len(hands), self.width(street)), np.uint16)

        def describe(part: npt.NDArray[np.int64]) -> None:
            points[part] = self.board(street, same[part[0], HOLE_CARDS:])[hole_numbers(same[part])]

        share_out(describe, parts, workers, told)
        return points

    def _histograms(self, boards: npt.NDArray[np.uint8], times: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        room, tally = self._room()
        counts = np.zeros(self.deck.hands * BINS, np.int64)
        kernel.count_strengths(self.hands, boards, times, room, tally, self.bin_of, counts)
        return counts.reshape(-1, BINS)

    def _room(self) -> tuple[Any, Tally]:
        if not hasattr(self._local, "room"):
            below, equal, live = np.zeros((3, (self.deck.cards + 1) * int(GROUPS)), np.int32)
            self._local.room = make_room(self.deck.hands, self.deck.cards), Tally(below, equal, live, self.groups)
        room, tally = self._local.room
        return room, tally


def by_board(hands: Cards, suits: int) -> tuple[Cards, npt.NDArray[np.int64]]:
    """The same hands with suits exchanged such that boards of one kind are one board, and the number of each board.

    Suits are put in order of the ranks that the board has of them; cards of the board are put in order.
    """
    rank, suit = hands.astype(np.int64) // suits, hands.astype(np.int64) % suits
    has = suit[:, HOLE_CARDS:, None] == np.arange(suits)
    ranks = (has << rank[:, HOLE_CARDS:, None]).sum(axis=1)
    becomes = np.argsort(np.argsort(-ranks, axis=1, kind="stable"), axis=1)
    same = (rank * suits + np.take_along_axis(becomes, suit, axis=1)).astype(np.uint8)
    same[:, HOLE_CARDS:].sort(axis=1)
    _, at = np.unique(same[:, HOLE_CARDS:], axis=0, return_inverse=True)
    return same, at.reshape(-1)


def share_out(work: Callable[[Item], None], items: Sequence[Item], workers: int, told: Told) -> None:
    """Do the work of every item by so many threads, 0: one on each core; in batches, and the share done is told."""
    workers = workers or processors()
    size = max(1, min(MOST_IN_BATCH, len(items) // (BATCHES * workers)))
    batches = [items[j : j + size] for j in range(0, len(items), size)]

    def work_off(batch: Sequence[Item]) -> None:
        for item in batch:
            work(item)

    with ThreadPoolExecutor(workers, "mccfr") as pool:
        try:
            for done, _ in enumerate(pool.map(work_off, batches), start=1):
                told(done / len(batches))
        except BaseException:  # an interrupt need not wait for the other batches
            pool.shutdown(cancel_futures=True)
            raise


def _bins(rest: int) -> npt.NDArray[np.uint8]:
    """Which bin a strength falls into, by halves of wins; `rest`: cards that are left for the other player."""
    most = rest * (rest - 1)
    return np.minimum(np.arange(most + 1) * BINS // most, BINS - 1).astype(np.uint8)


def _reached(counts: npt.NDArray[np.int64]) -> Points:
    points = np.empty(len(counts) * int(WIDTH), np.uint16)
    kernel.reached_by_all(counts.reshape(-1), points)
    return points.reshape(len(counts), -1)


def hole_numbers(hands: Cards) -> npt.NDArray[np.int64]:
    """The numbers of hole hands: they are ordered by their higher card, then by the lower."""
    hole = np.sort(hands[:, :HOLE_CARDS].astype(np.int64), axis=1)
    return hole[:, 1] * (hole[:, 1] - 1) // 2 + hole[:, 0]
