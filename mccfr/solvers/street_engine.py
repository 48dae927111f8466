"""Full-width iterations on hold'em with every card, on one core or several."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.averaging import importance
from mccfr.kernel.minimisers import pace
from mccfr.kernel.sequence_form import Learn
from mccfr.kernel.street_rows import to_rows
from mccfr.kernel.streets import sweep_streets
from mccfr.solvers.engines import TableEngine
from mccfr.solvers.method import FullWidth, Method
from mccfr.tree.street_tree import StreetTree


class StreetEngine(TableEngine):
    """Tables in lanes, and the sweeps that fill them. For everybody else they are turned into rows."""

    full_width = True

    def __init__(self, tree: StreetTree, method: Method, workers: int = 1) -> None:
        if not isinstance(method.sampler, FullWidth) or method.sampler.simultaneous:
            raise MethodError(f"{tree.game}: {method} updates both players at once; spots take alternating updates")
        super().__init__(tree.street_table(), np.zeros(1))
        self.method, self.nodes = method, len(tree)
        self.sweeps = StreetSweeps(tree, self.table.current.dtype, workers)

    def run(self, n: int) -> None:
        m, sweeps = self.method, self.sweeps
        if sweeps.workers == 1 or not n:
            sweep_streets(n, self.clock, m.minimiser, m.averaging, sweeps.lines, sweeps.boards, self.table, sweeps.work)
            return
        for _ in range(n):
            t = float(self.clock[0]) + 1.0
            actor = Learn(m.minimiser, pace(m.minimiser, t), importance(m.averaging, t))
            for player in (0, 1):
                sweeps.sweep(actor, player, self.table)
            self.clock[0] = t

    def _rows(self, lanes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        rows = np.empty_like(lanes)
        to_rows(self.sweeps.lines, self.sweeps.boards, lanes, rows)
        return rows

    def weights(self) -> npt.NDArray[Any]:
        return self._rows(self.table.average)

    def current(self) -> npt.NDArray[Any]:
        return self._rows(self.table.current)

    def regrets(self) -> npt.NDArray[Any]:
        return self._rows(self.table.regret)

    @property
    def arrays(self) -> dict[str, Any]:
        table = self.table
        return {"current": table.current, "regret": table.regret, "average": table.average, "clock": self.clock}

    @property
    def touched(self) -> int:
        """Every public node once for each player."""
        return 2 * self.nodes * int(self.clock[0])
