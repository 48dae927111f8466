"""Exact evaluation of dealt games in vector form: the same questions as on the sequence form."""

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.branches import branches_for
from mccfr.kernel.layout import Table
from mccfr.kernel.sequence_form import BestReply, BestValue, Evaluate
from mccfr.kernel.vector import Weights, vector_respond
from mccfr.machine import processors
from mccfr.tree.dealt_tree import DealtTree

Floats = npt.NDArray[np.float64]
_NOTHING = np.zeros(0)


class VectorEvaluator:
    """Evaluates many profiles of one dealt tree. Nothing of the size of its tables is kept but a best reply.

    workers: threads that share the walks of large trees, 0 for one for each core.
    """

    loaded: Floats
    reply: Floats

    def __init__(self, tree: DealtTree, workers: int = 0) -> None:
        self.tree, self.work = tree.public_view(), tree.vector_work()
        self.branches = branches_for(tree, self.tree, workers or processors())

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
