"""The sequence form for many threads: infosets by depth, and terminals side by side.

All infosets of a level can be answered at once, since whatever follows them lies in deeper levels. Values are gathered
by the sequence above, from a list of the infosets that follow it, and not scattered from below: no two threads write to
one place, and the order of additions is that of `sequence_form.ascend`.

The terminals of a sequence are added by one thread, in that order too, if there are at most LONGEST of them; more are
cut into pieces of so many. Neighbouring threads read neighbouring numbers: the pieces, longest first, lie in bands of
LANES, term by term, as in the sliced format SELL-C-sigma of [Kreutzer et al. 2014] with one window for all rows.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel.layout import Side

LANES = 32  # threads of a warp, which read together
LONGEST = 64  # terms of a sum that one thread adds

Places = npt.NDArray[np.int64]


class LevelSide(NamedTuple):
    """One player's half of the sequence form; base, row, parent and tie are those of `layout.Side`.

    Level l has the infosets order[first[l]] .. order[first[l+1]-1]. Sequence s is followed by the infosets
    after[below[s]] .. after[below[s+1]-1], the last one first, and its terminals are the pieces part[s] .. part[s+1]-1.
    Slot q holds piece[q]: its terms[q] terms are number begin[q / LANES] + q mod LANES and every LANES-th after it.
    """

    base: int
    row: npt.NDArray[np.uint32]
    parent: npt.NDArray[np.uint32]
    tie: npt.NDArray[np.float64]
    first: npt.NDArray[np.uint32]
    order: npt.NDArray[np.uint32]
    below: npt.NDArray[np.uint32]
    after: npt.NDArray[np.uint32]
    part: npt.NDArray[np.uint32]
    piece: npt.NDArray[np.uint32]
    terms: npt.NDArray[np.uint32]
    begin: npt.NDArray[np.uint64]
    other: npt.NDArray[np.uint32]
    worth: npt.NDArray[np.float64]


class LevelWork(NamedTuple):
    """What a sweep for one player fills: `plan` and `gain` are those of `sequence_form`.

    value[j] is what infoset j is worth, sums[p] what piece p is. plan[0] is 1 from the start.
    """

    plan: Any  # float64[sequences]
    gain: Any  # float64[sequences]
    value: Any  # float64[infosets]
    sums: Any  # float64[pieces]


def level_side(side: Side) -> LevelSide:
    """The same half of the sequence form, for many threads."""
    row, parent = side.row.astype(np.int64), side.parent.astype(np.int64)
    depth = depths(row, parent)
    below, after = _followers(parent, int(row[-1]))
    return LevelSide(
        int(side.base),
        side.row,
        side.parent,
        side.tie,
        _starts(np.bincount(depth)).astype(np.uint32),
        np.argsort(depth, kind="stable").astype(np.uint32),
        below,
        after,
        *_pieces(side),
    )


def level_work(side: LevelSide) -> LevelWork:
    """Empty arrays of the right lengths."""
    plan = np.zeros(int(side.row[-1]))
    plan[0] = 1.0
    return LevelWork(plan, np.zeros_like(plan), np.zeros(len(side.parent)), np.zeros(len(side.piece)))


def depths(row: Places, parent: Places) -> Places:
    """How many own decisions come before each infoset."""
    owner = np.repeat(np.arange(len(parent)), np.diff(row))
    depth = np.zeros(len(parent), np.int64)
    while len(depth):
        deeper = np.where(parent > 0, 1 + depth[owner[parent - 1]], 0)
        if (deeper == depth).all():
            break
        depth = deeper
    return depth


def _starts(counts: Places) -> Places:
    """Where each of several runs of these lengths begins, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(counts)))


def _followers(parent: Places, sequences: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """`below` and `after`: the infosets after each sequence, in the order in which a sweep bottom up meets them."""
    after = len(parent) - 1 - np.argsort(parent[::-1], kind="stable")
    return _starts(np.bincount(parent, minlength=sequences)).astype(np.uint32), after.astype(np.uint32)


def _pieces(side: Side) -> tuple[npt.NDArray[Any], ...]:
    """`part`, `piece`, `terms`, `begin`, `other` and `worth`."""
    start = side.start.astype(np.int64)
    part = _starts(-(-np.diff(start) // LONGEST))
    pieces = int(part[-1])
    sequence = np.repeat(np.arange(len(part) - 1), np.diff(part))
    at = start[sequence] + LONGEST * (np.arange(pieces) - part[sequence])
    terms = np.minimum(start[sequence + 1] - at, LONGEST)
    piece = np.argsort(-terms, kind="stable")
    at, terms = at[piece], terms[piece]
    begin = _starts(LANES * terms[::LANES])
    other, worth = np.zeros(int(begin[-1]), np.uint32), np.zeros(int(begin[-1]))
    slot = np.arange(pieces)
    place = begin[slot // LANES] + slot % LANES
    for term in range(int(terms.max(initial=0))):
        long = int(np.searchsorted(-terms, -term))  # how many have more terms than that: the first ones
        other[place[:long] + LANES * term] = side.other[at[:long] + term]
        worth[place[:long] + LANES * term] = side.worth[at[:long] + term]
    return (
        part.astype(np.uint32), piece.astype(np.uint32), terms.astype(np.uint32),
        begin[:-1].astype(np.uint64), other, worth,
    )  # fmt: skip
