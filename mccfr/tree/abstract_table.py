"""The abstract game of a bucketing with perfect recall, as a table.

A player who sees cards through rows and forgets nothing knows the row of the last street in the end, from which the
earlier ones follow. So all that chance does is in two square matrices over last rows: how likely a pair of rows is, and
how the showdown then ends on average. (The ten bucket game of [Gibson et al. 2012] can be written so.) The matrices of
earlier streets are sums: a hand that ends there by a fold is weighted by the first, and one that is all in is paid by
the second, with the cards to come already counted.

Either player is as likely to be dealt a pair of hands, so every deal counts twice, with the players exchanged: the
first matrix is symmetric, the second antisymmetric, and both players use the same ones.
"""

import functools
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError
from mccfr.kernel.deal_counts import UNKNOWN
from mccfr.tree.abstract_counts import MOST_DRAWN, DealCounts, Watch, cells, count_all, drawn, unwatched
from mccfr.tree.bucket_tree import MOST_DEALS, BucketTree

Matrix = npt.NDArray[Any]
DOUBLE_ROWS = 4_000  # up to so many rows numbers have 64 bits
FEWEST, MOST_USUAL, DEALS_PER_ROW = 10_000_000, 100_000_000, 10_000  # deals, if nobody says how many
STRIP = 512  # rows that are mirrored at a time
_KEPT: "WeakKeyDictionary[BucketTree, AbstractTable]" = WeakKeyDictionary()  # usual tables of trees in use


class Refinement:
    """How the rows of a street split those of the street before.

    parent: int64[rows], the row before of each; the number of rows before is `coarse`.
    """

    def __init__(self, parent: npt.NDArray[np.int64], coarse: int) -> None:
        self.parent, self.coarse = parent, coarse
        self.order = np.argsort(parent, kind="stable")
        self.sorted = bool((self.order == np.arange(len(parent))).all())
        self.present, self.begin = np.unique(parent[self.order], return_index=True)

    def spread(self, given: Matrix) -> Matrix:
        """[..., rows] from [..., rows before]: each row has what its row before has."""
        return given[..., self.parent]

    def gather(self, given: Matrix) -> Matrix:
        """[..., rows before] from [..., rows]: sums over the rows that a row before is split into."""
        out = np.zeros((*given.shape[:-1], self.coarse))
        ordered = given if self.sorted else given[..., self.order]
        out[..., self.present] = np.add.reduceat(ordered, self.begin, axis=-1, dtype=np.float64)
        return out


class AbstractTable:
    """An abstract game: what is dealt, and who wins. Numbers are counts; `total` of them are a probability of 1.

    weight[s][a, b]: how often one player has row a and the other row b on street s. sign[s][a, b]: how often the first
    of the two wins in the end, less how often it loses. finer[s]: how rows of street s + 1 split those of street s.
    """

    def __init__(self, counts: DealCounts, rows: tuple[int, ...]) -> None:
        self.deals, self.listed, self.rows = counts.deals, counts.listed, rows
        self.total = 2.0 * counts.deals
        self.finer = [_refinement(counts.before, s, rows) for s in range(len(rows) - 1)]
        self.weight, self.sign = [_unfolded(counts.counts[:, 0], rows[-1], 1)], []
        self.sign = [_unfolded(counts.counts[:, 1], rows[-1], -1)]
        for finer in reversed(self.finer):
            for matrices in (self.weight, self.sign):
                matrices.insert(0, _summed(matrices[0], finer))

    def __repr__(self) -> str:
        made = "all" if self.listed else "drawn"
        return f"<AbstractTable of {self.rows[-1]:,} rows, {self.deals:,} deals ({made})>"

    @functools.cached_property
    def dealt(self) -> int:
        """How many of the last rows were dealt at all."""
        return int(np.count_nonzero(self.weight[-1].any(axis=1)))


def _summed(matrix: Matrix, finer: Refinement) -> Matrix:
    """The matrix of the street before: sums over the rows of both players."""
    strips = [finer.gather(matrix[first : first + STRIP]) for first in range(0, len(matrix), STRIP)]
    return finer.gather(np.concatenate(strips).T).T


def _refinement(before: npt.NDArray[np.uint32], street: int, rows: tuple[int, ...]) -> Refinement:
    """How rows of street + 1 split those of a street, as the deals showed it; a row never dealt may have any."""
    coarse = np.where(before[:, street] == UNKNOWN, 0, before[:, street]).astype(np.int64)
    if street + 2 == len(rows):
        return Refinement(coarse, rows[street])
    parent = np.zeros(rows[street + 1], np.int64)
    known = before[:, street + 1] != UNKNOWN
    parent[before[known, street + 1]] = coarse[known]
    return Refinement(parent, rows[street])


def _unfolded(half: npt.NDArray[Any], rows: int, mirrored: int) -> Matrix:
    """The square whose upper half is given: each deal with both seats, so that what is on the diagonal counts twice."""
    out = np.zeros((rows, rows), np.float64 if rows <= DOUBLE_ROWS else np.float32)
    end = 0
    for low in range(rows):
        begin, end = end, end + rows - low
        out[low, low:] = half[begin:end]
    for first in range(0, rows, STRIP):
        last = min(first + STRIP, rows)
        corner = np.triu(out[first:last, first:last])
        out[first:last, first:last] = corner + mirrored * corner.T
        out[last:, first:last] = mirrored * out[first:last, last:].T
    return out


def table_bytes(rows: int) -> int:
    """What two matrices and the counts they are made from take."""
    return 2 * rows * rows * (8 if rows <= DOUBLE_ROWS else 4) + 8 * cells(rows)


def usual_deals(rows: int) -> int:
    """How many deals make a table of so many last rows, if nobody says how many."""
    return min(max(DEALS_PER_ROW * rows, FEWEST), MOST_USUAL)


def can_be_listed(tree: BucketTree) -> bool:
    """Whether the deck is small enough for a table of all deals."""
    return tree.deal_count <= MOST_DEALS


def require_recall(tree: BucketTree) -> None:
    """Refuse a bucketing that forgets: what a player knows is then no row of the last street."""
    if not tree.recalls:
        raise TreeError(
            f"{tree.fit.bucketing} has no perfect recall, and exploitability inside the abstraction needs it: measure "
            "the strategy with every card, mccfr evaluate --real"
        )


def abstract_table(
    tree: BucketTree, deals: int | None = None, seed: int = 0, workers: int = 1, watch: Watch = unwatched
) -> AbstractTable:
    """The table of a tree: of all deals where they can be listed and no number is given, else of so many."""
    require_recall(tree)
    if tree in _KEPT and deals is None:
        return _KEPT[tree]
    made = _made(tree, deals, seed, workers, watch)
    if deals is None:
        _KEPT[tree] = made
    return made


def _made(tree: BucketTree, deals: int | None, seed: int, workers: int, watch: Watch) -> AbstractTable:
    rows = tree.fit.rows[-1]
    tree.require(table_bytes(rows), f"a table of {rows:,} x {rows:,} rows")
    if deals is None and can_be_listed(tree):
        return AbstractTable(count_all(tree), tree.fit.rows)
    number = usual_deals(rows) if deals is None else deals
    if not 1 <= number <= MOST_DRAWN:
        raise TreeError(f"a table is made of 1 to {MOST_DRAWN:,} deals, got {number:,}")
    return AbstractTable(drawn(tree, number, seed, workers, watch), tree.fit.rows)
