"""Exact evaluation of dealt games in vector form: the same questions as on the sequence form."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.branches import SHARED_FROM, Branches, cores
from mccfr.kernel.endings import Matrices
from mccfr.kernel.layout import Table
from mccfr.kernel.public_line import pair_values
from mccfr.kernel.sequence_form import BestReply, BestValue, Evaluate
from mccfr.kernel.vector import PublicTree, VectorWork, Weights, vector_respond
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.rankings import card_count

Floats = npt.NDArray[np.float64]
_NOTHING = np.zeros(0)


def public_tree(tree: DealtTree, pairs: bool = False) -> PublicTree:
    """A dealt tree as a walk sees it; with `pairs`, endings are matrices even where cards have an order."""
    pays: Any = tree.ranked
    if pairs or pays is None:
        pays = Matrices(np.ascontiguousarray(tree.matrices.transpose(0, 2, 1)), -tree.matrices)
    return PublicTree(tree.nodes, pays, tree.stakes, tree.members, tree.start)


def vector_work(tree: DealtTree) -> VectorWork:
    """Memory for walks over a dealt tree."""
    hands, depth = max(map(len, tree.hands)), tree.depth + 2
    arity = max(tree.infosets.widest, 1)
    vectors = [np.zeros(depth * hands) for _ in range(3)]
    return VectorWork(
        np.zeros(2 * depth, np.uint64), vectors[0], vectors[1], np.zeros(depth * hands * arity), vectors[2],
        np.zeros(hands), np.zeros(hands + 1 + card_count(tree.ranked)), np.zeros(1, np.uint64), np.uint64(hands),
        np.uint64(arity),
    )  # fmt: skip


def exact_pair_values(tree: DealtTree, probabilities: Floats, public: PublicTree | None = None) -> Floats:
    """[nodes, hands 0, hands 1] flat: what every pair is worth at every node, times its chance."""
    values = np.zeros(len(tree) * tree.deal.size)
    hands, arity = max(map(len, tree.hands)), max(tree.infosets.widest, 1)
    table = Table(probabilities, np.zeros(0), np.zeros(0))
    pair_values(public or public_tree(tree, pairs=True), table, np.zeros(arity * hands), np.uint64(hands), values)
    return values


def branches_for(tree: DealtTree, public: PublicTree, workers: int) -> Branches | None:
    """A large tree in branches for several workers."""
    if workers < 2 or len(tree) < SHARED_FROM:
        return None
    return Branches(public, [vector_work(tree) for _ in range(workers)])


class VectorEvaluator:
    """Evaluates many profiles of one dealt tree. Nothing of the size of its tables is kept but a best reply.

    workers: threads that share the walks of large trees, 0 for one for each core.
    """

    loaded: Floats
    reply: Floats

    def __init__(self, tree: DealtTree, workers: int = 0) -> None:
        self.tree, self.work = public_tree(tree), vector_work(tree)
        self.branches = branches_for(tree, self.tree, workers or cores())

    def load(self, probabilities: Floats) -> None:
        """The profile to respond to; it must stay as it is."""
        self.loaded = probabilities

    def value(self, probabilities: Floats) -> float:
        """Expected value for player 0."""
        return self._walk(Evaluate(), 0, Table(probabilities, _NOTHING, _NOTHING))

    def best_response(self, player: int) -> float:
        """Best response value against the loaded profile; `reply` then holds the pure strategy and the other's part."""
        self.reply = self.loaded.copy()
        return self._walk(BestReply(), player, Table(self.reply, _NOTHING, _NOTHING))

    def best_values(self, weights: Floats) -> tuple[float, float]:
        """What each player gets by a best response to the strategy proportional to these weights."""
        return self._walk(BestValue(), 0, Weights(weights)), self._walk(BestValue(), 1, Weights(weights))

    def nash_conv(self, weights: Floats) -> float:
        """The sum of both."""
        return sum(self.best_values(weights))

    def _walk(self, actor: BestReply | BestValue | Evaluate, player: int, table: Table | Weights) -> float:
        if self.branches is not None:
            return self.branches.walk(actor, player, 0.0, table)
        return float(vector_respond(actor, np.uint64(player), self.tree, table, self.work))
