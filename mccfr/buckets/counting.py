"""How often hands have each value on a street, by their row on the street before: all deals, counted exactly."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import CardRules, Watch, no_watch
from mccfr.buckets.crew import crew_size, share_out
from mccfr.buckets.hand_squares import (
    STREET_NAMES,
    boards_after,
    boards_at_once,
    hands_at_showdown,
    make_score_room,
    most_value,
)  # fmt: skip
from mccfr.cards.boards import board_kinds
from mccfr.kernel.bucket_rows import NestedRows
from mccfr.kernel.hand_squares import ScoreRoom, count_scores, count_values

MOST_COUNTS = 2**24  # numbers in a histogram of all rows, if that leaves each 2^11
LEAST_BINS = 2**11  # enough for every score of the whole deck
BOARDS = 64  # in a piece of work


Group = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]  # boards [k, n, cards], and how often each counts [k, n]


class Counted(NamedTuple):
    """A histogram of values for each row of the street before."""

    counts: npt.NDArray[np.int64]  # [rows before, bins]
    values: npt.NDArray[np.uint64]  # [bins] the smallest value of each


class CountRoom(NamedTuple):
    """What one thread writes into."""

    score: ScoreRoom
    counts: npt.NDArray[np.int64]


def count_first(cards: CardRules, values: npt.NDArray[np.uint64]) -> Counted:
    """How many hole hands have each value before the flop."""
    classes = cards.seen(0)
    copies = classes.copies(classes.unindex(np.arange(classes.size)))
    different, which = np.unique(values, return_inverse=True)
    return Counted(np.bincount(which, copies).astype(np.int64)[None, :], different)


def count_street(
    cards: CardRules, look: NestedRows, street: int, rows: int, workers: int, watch: Watch = no_watch
) -> Counted:
    """Values of a street after the first, of all hands on all boards, by rows of the street before.

    Before the last street values are counted in bins of 2^shift, narrow enough that none has a weight that matters.
    """
    shift, bins = bins_for(most_value(cards, street), rows)
    rooms = [CountRoom(make_score_room(cards), np.zeros((rows, bins), np.int64)) for _ in range(crew_size(workers))]
    count = _count_last if street == cards.streets - 1 else _count_between
    count(cards, look, street, shift, rooms, watch)
    total = rooms[0].counts
    for room in rooms[1:]:
        total += room.counts
    return Counted(total, np.arange(bins, dtype=np.uint64) << np.uint64(shift))


def bins_for(most: int, rows: int) -> tuple[int, int]:
    """By how many bits values up to `most` are shifted for a histogram of each row, and how many bins that has."""
    room = max(MOST_COUNTS // rows, LEAST_BINS)
    shift = max(0, (most // room).bit_length())
    return shift, (most >> shift) + 1


def _count_between(
    cards: CardRules, look: NestedRows, street: int, shift: int, rooms: list[CountRoom], watch: Watch
) -> None:
    kinds = board_kinds(cards.deals[:street], cards.ranks, cards.suits)
    hands = hands_at_showdown(cards)

    def work(room: CountRoom, first: int) -> None:
        some = slice(first, first + BOARDS)
        count_values(
            look, np.uint64(street), hands, kinds.cards[some], kinds.copies[some], np.uint64(shift), room.score,
            room.counts,
        )  # fmt: skip

    pieces = range(0, len(kinds.cards), BOARDS)
    share_out(f"percentiles of the {STREET_NAMES[street]}", pieces, len(pieces), work, rooms, watch)


def _count_last(
    cards: CardRules, look: NestedRows, street: int, shift: int, rooms: list[CountRoom], watch: Watch
) -> None:
    size, hands = cards.board(street - 1), hands_at_showdown(cards)
    groups, pieces = last_boards(cards)

    def work(room: CountRoom, piece: Group) -> None:
        boards, times = piece
        count_scores(
            look, np.uint64(street), hands, boards, np.uint64(size), times, np.uint64(shift), room.score, room.counts
        )

    share_out(f"percentiles of the {STREET_NAMES[street]}", groups, pieces, work, rooms, watch)


def last_boards(cards: CardRules) -> tuple[Iterator[Group], int]:
    """Whole boards in groups that share all cards but those of the last street, and how many pieces they come in.

    If all cards are dealt at once, one board of each kind is enough; else all that follow one beginning of each kind.
    """
    if cards.streets == 2:
        kinds = board_kinds(cards.deals, cards.ranks, cards.suits)
        starts = range(0, len(kinds.cards), BOARDS)
        pieces = ((kinds.cards[None, j : j + BOARDS], kinds.copies[None, j : j + BOARDS]) for j in starts)
        return pieces, len(starts)
    kinds = board_kinds(cards.deals[:-1], cards.ranks, cards.suits)
    return _followed(cards, kinds.cards, kinds.copies), -(
        -len(kinds.cards) // boards_at_once(cards, kinds.cards.shape[1])
    )


def _followed(cards: CardRules, beginnings: npt.NDArray[np.uint8], copies: npt.NDArray[np.int64]) -> Iterator[Group]:
    done = 0
    for boards in boards_after(cards, beginnings):
        times = np.repeat(copies[done : done + len(boards), None], boards.shape[1], axis=1)
        done += len(boards)
        yield boards, times
