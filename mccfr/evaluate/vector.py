"""Exact evaluation of dealt games in vector form: the same questions as on the sequence form."""

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.branches import SHARED_FROM, Branches, cores
from mccfr.kernel.layout import Table
from mccfr.kernel.sequence_form import BestReply, BestValue, Evaluate
from mccfr.kernel.vector import PublicTree, VectorWork, Weights, vector_respond
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
    arity = max(tree.infosets.widest, 1)
    vectors = [np.zeros(depth * hands) for _ in range(3)]
    return VectorWork(
        np.zeros(2 * depth, np.uint64), vectors[0], vectors[1], np.zeros(depth * hands * arity), vectors[2],
        np.zeros(hands), np.zeros(1, np.uint64), np.uint64(hands), np.uint64(arity),
    )  # fmt: skip


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
