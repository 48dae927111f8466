"""Rows by number of hand, the form in which walks use most bucketings: `assign` is asked about every hand once."""

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import Fit, Rows, Watch, no_watch
from mccfr.buckets.crew import crew_size, share_out
from mccfr.cards.isomorphism import HandIndex
from mccfr.errors import BucketError, MccfrError, quoted, told
from mccfr.kernel.bucket_rows import STREETS, HandRows

CHUNK = 2**16  # hands in a piece of work
MOST_HANDS = 2**28  # in the table of a street


def rows_by_hand(fit: Fit, workers: int = 0, watch: Watch = no_watch) -> HandRows:
    """Tables of rows by the number of what a player sees, for every street."""
    _require_room(fit)
    return as_hand_rows(fit, [_rows_of_street(fit, street, workers, watch) for street in range(fit.cards.streets)])


def as_hand_rows(fit: Fit, rows: list[npt.NDArray[np.unsignedinteger]]) -> HandRows:
    """What kernels take: always four streets, the last one repeated."""
    streets = [min(street, fit.cards.streets - 1) for street in range(STREETS)]
    index = tuple(hands_seen(fit, street).tables for street in streets)
    return HandRows(index, tuple(rows[street] for street in streets))


def hands_seen(fit: Fit, street: int) -> HandIndex:
    """The index by which rows are looked up: with the order of streets only where rows depend on it."""
    cards = fit.cards
    return cards.remembered(street) if fit.bucketing.remembers_order else cards.seen(street)


def row_type(rows: int) -> np.dtype[np.unsignedinteger]:
    """The smallest type for so many rows."""
    return np.min_scalar_type(max(rows - 1, 0))


def _require_room(fit: Fit) -> None:
    for street in range(fit.cards.streets):
        if (size := hands_seen(fit, street).size) > MOST_HANDS:
            raise BucketError(
                f"{fit.bucketing}: street {street + 1} of {fit.cards} has {size:,} different hands, at most "
                f"{MOST_HANDS:,} are tabulated: choose a smaller deck, or one that forgets the order of the board"
            )


def _rows_of_street(fit: Fit, street: int, workers: int, watch: Watch) -> npt.NDArray[np.unsignedinteger]:
    index = hands_seen(fit, street)
    table = np.empty(index.size, row_type(fit.rows[street]))

    def work(room: None, first: int) -> None:
        numbers = np.arange(first, min(first + CHUNK, index.size))
        table[numbers] = checked_rows(fit, street, index.unindex(numbers))

    pieces = range(0, index.size, CHUNK)
    share_out(f"rows of street {street + 1}", pieces, len(pieces), work, [None] * crew_size(workers), watch)
    return table


def checked_rows(fit: Fit, street: int, hands: npt.NDArray[np.uint8]) -> Rows:
    """What `assign` answers, if it is a row for every hand: kernels trust rows, and the class may be a user's own."""
    try:
        found = np.asarray(fit.rows_of(street, hands))
    except MccfrError:
        raise
    except Exception as error:
        raise BucketError(f"{fit.bucketing}: assign fails on street {street + 1}: {told(error)}") from error
    if found.shape != (len(hands),) or found.dtype.kind not in "iu":
        told_of = f"an array of {found.dtype} of shape {found.shape}"
        raise BucketError(f"{fit.bucketing}: assign must return {len(hands)} whole numbers, got {told_of}")
    rows = fit.rows[street]
    if found.size and not 0 <= int(found.min()) <= int(found.max()) < rows:
        wrong = quoted(int(found.min() if found.min() < 0 else found.max()))
        raise BucketError(f"{fit.bucketing}: assign gives row {wrong} on street {street + 1}, which has {rows:,} rows")
    return found.astype(np.int64)
