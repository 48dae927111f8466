"""Exact evaluation of dealt games in vector form: the same questions as on the sequence form."""

import numpy as np
import numpy.typing as npt

from mccfr.kernel.layout import Table
from mccfr.kernel.public_outcome import pair_values
from mccfr.kernel.sequence_form import BestReply, BestValue, Evaluate
from mccfr.kernel.vector import PublicTree, VectorWork, normalise_rows, vector_respond
from mccfr.tree.dealt import DealtTree

Floats = npt.NDArray[np.float64]
_NOTHING = np.zeros(0)


def public_tree(tree: DealtTree) -> PublicTree:
    """A dealt tree as a walk sees it."""
    pays = np.ascontiguousarray(tree.matrices.transpose(0, 2, 1)), -tree.matrices
    return PublicTree(tree.nodes, pays, tree.stakes, tree.members, tree.start)


def vector_work(tree: DealtTree) -> VectorWork:
    """Memory for walks over a dealt tree."""
    hands, depth = max(map(len, tree.hands)), tree.depth + 2
    arity = max(int(tree.infosets.arity.max(initial=1)), 1)
    vectors = [np.zeros(depth * hands) for _ in range(3)]
    return VectorWork(
        np.zeros(2 * depth, np.uint64), vectors[0], vectors[1], np.zeros(depth * hands * arity), vectors[2],
        np.zeros(hands), np.zeros(1, np.uint64), np.uint64(hands), np.uint64(arity),
    )  # fmt: skip


def exact_pair_values(tree: DealtTree, probabilities: Floats, public: PublicTree | None = None) -> Floats:
    """[nodes, hands 0, hands 1] flat: what every pair is worth at every node, times its chance."""
    values = np.zeros(len(tree) * tree.deal.size)
    hands, arity = max(map(len, tree.hands)), max(int(tree.infosets.arity.max(initial=1)), 1)
    table = Table(probabilities, np.zeros(0), np.zeros(0))
    pair_values(public or public_tree(tree), table, np.zeros(arity * hands), np.uint64(hands), values)
    return values


class VectorEvaluator:
    """Evaluates many profiles of one dealt tree; memory is taken once."""

    def __init__(self, tree: DealtTree) -> None:
        self.row = tree.infosets.row
        self.tree, self.work = public_tree(tree), vector_work(tree)
        self.middle = int(self.row[tree.infosets.first[1]])
        self.loaded = np.empty(tree.infosets.entries)
        self.reply = np.empty(tree.infosets.entries)

    def load(self, probabilities: Floats) -> None:
        """The profile to respond to."""
        self.loaded[:] = probabilities

    def value(self, probabilities: Floats) -> float:
        """Expected value for player 0."""
        return self._walk(Evaluate(), 0, probabilities)

    def best_response(self, player: int) -> float:
        """Best response value against the loaded profile; `reply` then holds the pure strategy."""
        self.reply[:] = self.loaded
        return self._walk(BestReply(), player, self.reply)

    def nash_conv(self, weights: Floats) -> float:
        """Sum of what both players get by a best response to the strategy proportional to these weights."""
        normalise_rows(self.row, weights, self.loaded)
        return self._walk(BestValue(), 0, self.loaded) + self._walk(BestValue(), 1, self.loaded)

    def _walk(self, actor: BestReply | BestValue | Evaluate, player: int, current: Floats) -> float:
        table = Table(current, _NOTHING, _NOTHING)
        return float(vector_respond(actor, np.uint64(player), self.tree, table, self.work))
