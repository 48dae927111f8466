"""The sequence form of a tree: what the exact methods and all evaluation run on. [von Stengel 1996]"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from mccfr.errors import TreeError
from mccfr.kernel import layout
from mccfr.kernel.histories import trace_chance, trace_recall
from mccfr.kernel.layout import Side
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.ties import sequence_ties


class SequenceForm(NamedTuple):
    """Both players' sides, each with the payoffs from its own point of view."""

    first: Side
    second: Side

    def side(self, player: int) -> Side:
        """One player's half."""
        return self.second if player else self.first

    @property
    def payoffs(self) -> sparse.csr_array:
        """Player 0's payoff times chance, [sequences of player 0, sequences of player 1]."""
        rows, columns = int(self.first.row[-1]), int(self.second.row[-1])
        return sparse.csr_array((self.first.worth, self.first.other, self.first.start), shape=(rows, columns))


def sequence_form(tree: HistoryTree) -> SequenceForm:
    """Collect the terminals of a tree by the pair of sequences that leads to them."""
    if tree.players != 2:
        raise TreeError(
            f"{tree.game} has {tree.players} players: exact methods and evaluation take two-player games only"
        )
    payoffs = _payoffs(tree)
    theirs = (-payoffs).T.tocsr()
    places = _places(tree, 0), _places(tree, 1)
    return SequenceForm(
        _side(tree, 0, payoffs, sequence_ties(payoffs, places[0], places[1])),
        _side(tree, 1, theirs, sequence_ties(theirs, places[1], places[0])),
    )


def _payoffs(tree: HistoryTree) -> sparse.csr_array:
    """Sparse [sequences 0, sequences 1]: chance times utility, summed where several terminals share both sequences."""
    infosets = tree.infosets
    last = np.zeros(2 * len(tree), dtype=np.uint32)
    trace_recall(tree.nodes, np.uint64(2), last, np.full(len(infosets), 0xFFFFFFFF, dtype=np.uint32))
    terminals = np.flatnonzero(tree.nodes[layout.KIND :: 4] == int(layout.TERMINAL)).astype(np.uint32)
    worth = tree.reals[::2][terminals]
    scored = worth != 0
    terminals, worth = terminals[scored], worth[scored]
    own, other = last[0::2][terminals], last[1::2][terminals]
    del last
    if _has_chance(tree):
        reach = np.empty(len(tree))
        trace_chance(tree.nodes, tree.odds, reach)
        worth = worth * reach[terminals]
    base = int(infosets.row[infosets.first[1]])
    other[other > 0] -= np.uint32(base)
    shape = (base + 1, infosets.entries - base + 1)
    table = sparse.coo_array((worth, (own.astype(np.int32), other.astype(np.int32))), shape=shape).tocsr()
    table.sum_duplicates()
    table.eliminate_zeros()
    return table


def _has_chance(tree: HistoryTree) -> bool:
    kind = tree.nodes[layout.KIND :: 4] & 255
    return bool(((kind == int(layout.CHANCE)) | (kind == int(layout.FAIR))).any())


def _places(tree: HistoryTree, player: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A player's sequences: where those of each infoset begin, and after which one it comes."""
    infosets = tree.infosets
    begin, end = infosets.first[player], infosets.first[player + 1]
    base = int(infosets.row[begin])
    parent: npt.NDArray[np.int64] = infosets.parent[begin:end]
    return infosets.row[begin : end + 1].astype(np.int64) - base + 1, np.where(parent < 0, 0, parent - base + 1)


def _side(tree: HistoryTree, player: int, payoffs: sparse.csr_array, tie: npt.NDArray[np.float64]) -> Side:
    row, parent = _places(tree, player)
    return Side(
        np.int64(tree.infosets.row[tree.infosets.first[player]]),
        row.astype(np.uint32),
        parent.astype(np.uint32),
        payoffs.indptr.astype(np.uint32),
        payoffs.indices.astype(np.uint32),
        payoffs.data,
        tie,
    )
