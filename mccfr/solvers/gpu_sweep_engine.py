"""Full-width iterations on the GPU. The tables live there; the arrays here are copies, made when somebody asks."""

from typing import Any

import numpy as np

from mccfr.gpu.sweeps import DeviceSweeps
from mccfr.kernel.layout import Table
from mccfr.solvers.engines import Floats, TableEngine
from mccfr.solvers.method import FullWidth, Method
from mccfr.tree.history_tree import HistoryTree


class GpuSweepEngine(TableEngine):
    """The iterations of `SweepEngine`, with the same arrays under the same names: each goes on where the other ended.

    Additions come in the same order but are rounded otherwise, so that strategies part after some iterations.
    """

    full_width = True

    def __init__(self, tree: HistoryTree, method: Method, sweeps: DeviceSweeps | None = None) -> None:
        assert isinstance(method.sampler, FullWidth)
        super().__init__(tree.tables(), np.zeros(1))
        self.method, self.nodes = method, len(tree)
        self.changes_at_end = self.simultaneous = method.sampler.simultaneous
        self.stale: set[str] = set()  # arrays of the table that are newer on the GPU
        self.sweeps = sweeps or DeviceSweeps(tree.sequence_form, tree.infosets.entries, tree.game)
        self.refresh()

    def run(self, n: int) -> None:
        m = self.method
        if n:
            self.stale |= set(Table._fields)
        self.sweeps.run(n, self.clock, m.minimiser, m.averaging, self.simultaneous, self.there)

    def refresh(self) -> None:
        """Send the arrays to the GPU."""
        self.there = self.sweeps.upload_table(self.table)
        self.stale.clear()

    def _fetched(self, name: str) -> Floats:
        """An array of the table as it is on the GPU. Its place in memory never changes."""
        array: Floats = getattr(self.table, name)
        if name in self.stale and array.size:
            self.sweeps.download(getattr(self.there, name), array)
            self.stale.discard(name)
        return array

    def weights(self) -> Floats:
        return self._fetched("average")

    def current(self) -> Floats:
        return self._fetched("current")

    def regrets(self) -> Floats:
        return self._fetched("regret")

    @property
    def told(self) -> str:
        """What is said about it beside the result."""
        return f"sweeps of {self.nodes:,} nodes on {self.sweeps.gpu.name}"

    def nash_conv(self) -> float:
        """Of the average strategy, measured where it is."""
        return self.sweeps.nash_conv(self.there.average)

    @property
    def arrays(self) -> dict[str, Any]:
        return {**{name: self._fetched(name) for name in Table._fields}, "clock": self.clock}

    @property
    def touched(self) -> int:
        """Every node once for each player."""
        return 2 * self.nodes * int(self.clock[0])
