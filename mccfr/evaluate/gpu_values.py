"""Exploitability of profiles of a written-out tree, measured on the GPU."""

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.exact import Evaluator
from mccfr.gpu.sweeps import DeviceSweeps
from mccfr.tree.history_tree import HistoryTree


class GpuEvaluator(Evaluator):
    """As `Evaluator`: best responses and values on the CPU, NashConv on the GPU.

    Weights of `engine.weights()` make the way to the CPU and back; `GpuSweepEngine.nash_conv` measures them in place.
    """

    def __init__(self, tree: HistoryTree, sweeps: DeviceSweeps | None = None) -> None:
        super().__init__(tree)
        self.sweeps = sweeps or DeviceSweeps(tree.sequence_form, tree.infosets.entries, tree.game)

    def nash_conv(self, weights: npt.NDArray[np.float64]) -> float:
        """Sum of what both players get by a best response to the strategy proportional to these weights."""
        return self.sweeps.nash_conv(self.sweeps.upload(weights))
