"""Counting deals by what both players see of them: the sums from which the table of an abstract game is made."""

from mccfr.kernel.bucket_rows import WINNER
from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import U0, U1, U2, u64

UNKNOWN = 2**32 - 1  # of a row that no deal has shown yet
U4 = u64(4)


@inlined
def cell(low, high, rows):
    """Where the pair of rows low <= high stands in the upper half of a square, written row after row."""
    return low * (U2 * rows - low - U1) // U2 + high


@entry
def count_deals(deals, times, streets, rows, counts, before):
    """Add deals to the counts of pairs of last rows; returns how many rows had another row before than was known.

    deals: uint64[n, 9], the rows of both players on every street and the winner. times: int64[n]. counts: [cells, 2],
    how often a pair of rows was dealt, and how often the lower row won less how often it lost. before: uint32[rows,
    streets - 1], the rows that a last row had on the streets before.
    """
    last, wrong = streets - U1, 0
    for j in range(u64(deals.shape[0])):
        mine, other = deals[j, last], deals[j, U4 + last]
        sign = times[j] if deals[j, WINNER] == U2 else -times[j] if deals[j, WINNER] == U0 else 0
        for s in range(last):
            wrong += remember(before, mine, s, deals[j, s])
            wrong += remember(before, other, s, deals[j, U4 + s])
        if mine > other:
            mine, other, sign = other, mine, -sign
        at = cell(mine, other, rows)
        counts[at, 0] += times[j]
        counts[at, 1] += sign
    return wrong


@inlined
def remember(before, last, s, row):
    """Note which row a last row had on street s; 1 if it was another one so far."""
    known = u64(before[last, s])
    if known == u64(UNKNOWN):
        before[last, s] = row
        return 0
    return 0 if known == row else 1
