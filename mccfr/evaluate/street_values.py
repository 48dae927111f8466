"""Exact evaluation of hold'em with every card: the same questions as on the sequence form."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.street_actors import BEST_REPLY, BEST_VALUE, FOLLOW_STRATEGY, Judging
from mccfr.kernel.street_layout import StreetTable
from mccfr.kernel.street_rows import strategy_lanes, to_rows
from mccfr.machine import processors
from mccfr.tree.street_tree import StreetTree

Floats = npt.NDArray[np.float64]
_NOTHING = np.zeros(0)
_NOWHERE = np.uint64(2**63)


def judging(way: np.uint64) -> Judging:
    """A way to evaluate, looking at nothing in particular."""
    return Judging(way, _NOWHERE, _NOWHERE, _NOTHING, _NOTHING)


class StreetEvaluator:
    """Evaluates many profiles of one street tree, always in float64.

    Of hands that an exchange of suits maps to each other, the first one's strategy counts for all. Where strategies are
    locked, best responses keep to them.
    """

    reply: Any

    def __init__(self, tree: StreetTree, workers: int = 0) -> None:
        self.tree = tree
        self.sweeps = StreetSweeps(tree, np.float64, workers or processors())
        self.lanes: Any = _NOTHING

    def _load_lanes(self, weights: Floats) -> StreetTable:
        if len(self.lanes) != len(weights) or self.lanes.dtype != weights.dtype:
            self.lanes = np.empty_like(weights)
        strategy_lanes(self.sweeps.lines, self.sweeps.boards, weights, self.lanes)
        self.tree.gate_rows.load(weights, self.lanes, self.tree.boards.leaders(self.tree.gate_rows.owner))
        return self.table()

    def table(self) -> StreetTable:
        """What was loaded, as a table that nothing is learned in."""
        lanes = self.tree.lock_lanes(self.lanes)
        ties, gate = self.tree.ties(np.dtype(np.float64)), self.tree.gate
        return StreetTable(lanes, _NOTHING, _NOTHING, ties, self.tree.locks, gate)

    def load(self, probabilities: Floats) -> None:
        """The profile to respond to."""
        self._load_lanes(probabilities)

    def value(self, probabilities: Floats) -> float:
        """Expected value for player 0."""
        return self.sweeps.sweep(judging(FOLLOW_STRATEGY), 0, self._load_lanes(probabilities))

    def best_response(self, player: int) -> float:
        """Best response value against the loaded profile; `reply` then holds the pure strategy and the other's part."""
        answer = self.table()._replace(current=self.lanes.copy())
        value = self.sweeps.sweep(judging(BEST_REPLY), player, answer)
        self.reply = np.empty_like(self.lanes)
        to_rows(self.sweeps.lines, self.sweeps.boards, answer.current, self.reply)
        self.tree.gate_rows.lanes_to_rows(answer.current, self.reply)
        return value

    def best_values(self, weights: Floats) -> tuple[float, float]:
        """What each player gets by a best response to the strategy proportional to these weights."""
        table = self._load_lanes(weights)
        return self.sweeps.sweep(judging(BEST_VALUE), 0, table), self.sweeps.sweep(judging(BEST_VALUE), 1, table)

    def nash_conv(self, weights: Floats) -> float:
        """The sum of both."""
        return sum(self.best_values(weights))
