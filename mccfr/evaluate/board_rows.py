"""A strategy seen through buckets, given to hold'em with every card: which row every hand has on every board.

Boards that differ by an exchange of suits share a row for each hand, since bucketings do not name suits; so the boards
that a street tree lays out are enough. Rows are looked up in the tables of walks, by the cards as they were dealt,
street by street, because some bucketings remember which card came when.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError
from mccfr.kernel.bucket_rows import HELD, rows_of_hands
from mccfr.kernel.street_layout import RowTable
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.street_boards import LaidBoards
from mccfr.tree.street_tree import StreetTree

AT_ONCE = 2**20  # hands whose rows are worked out together

Rows = npt.NDArray[np.uint32]


def row_table(strategy: Strategy, buckets: BucketTree, tree: StreetTree, kind: npt.DTypeLike = np.float64) -> RowTable:
    """What the hands of a street tree play by a strategy of the same game seen through buckets."""
    if tree.gate_rows.rows:
        raise TreeError(f"{tree.game}: a strategy seen through buckets says nothing about the gate")
    probabilities = np.ascontiguousarray(strategy.probabilities, kind)
    return RowTable(
        probabilities,
        entries_of(buckets, tree),
        rows_on(buckets, tree.boards),
        tree.ties(np.dtype(kind)),
        tree.locks,
    )


def entries_of(buckets: BucketTree, tree: StreetTree) -> npt.NDArray[np.uint64]:
    """[2 nodes of the street tree] of each decision the entry of row 0, and the step from one row to the next."""
    infosets, laid = buckets.infosets, tree.laid
    found = np.column_stack((infosets.node_entry[laid.origin], infosets.node_stride[laid.origin]))
    found[laid.kind > 1] = 0
    return found.astype(np.uint64).reshape(-1)


def rows_on(buckets: BucketTree, boards: LaidBoards) -> Rows:
    """[hands of all boards] the row of every hand. Both players may hold the same hands, so they have the same rows."""
    start = boards.boards.start.astype(np.int64)
    found = np.zeros(int(start[-1]), np.uint32)
    for street in range(buckets.fit.cards.streets):
        for some in _portions(boards, np.flatnonzero(boards.street == street)):
            rows = look_up_rows(buckets, street, np.concatenate([_cards(boards, board) for board in some]))
            ends = np.cumsum([len(boards.members[2 * board]) for board in some])
            for board, mine in zip(some, np.split(rows, ends[:-1])):
                found[start[2 * board] : start[2 * board + 1]] = mine
                found[start[2 * board + 1] : start[2 * board + 2]] = mine
    return found


def look_up_rows(buckets: BucketTree, street: int, hands: npt.NDArray[np.uint8]) -> Rows:
    """[n] the rows of hands [n, 2 + cards of the board] on a street, as walks find them."""
    found = np.zeros((len(hands), street + 1), np.uint64)
    rows_of_hands(buckets.look, np.uint64(street + 1), hands, np.zeros(HELD, np.uint64), found)
    return found[:, street].astype(np.uint32)


def _portions(boards: LaidBoards, numbers: npt.NDArray[np.int64]) -> Iterator[list[int]]:
    """Boards of one street, as many at a time as have about a million hands."""
    each = max(1, AT_ONCE // max(1, len(boards.members[0])))
    for begin in range(0, len(numbers), each):
        yield numbers[begin : begin + each].tolist()


def _cards(boards: LaidBoards, board: int) -> npt.NDArray[np.uint8]:
    """[hands, 2 + cards of the board] hole cards, then the board in the order in which it came."""
    hole, came = boards.deck.cards[boards.members[2 * board]], boards.listed[board].cards
    return np.hstack((hole, np.tile(came, (len(hole), 1)))).astype(np.uint8) if came else hole.astype(np.uint8)
