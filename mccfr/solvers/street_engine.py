"""Full-width iterations on hold'em with every card, on one core or several."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.street_actors import Learning
from mccfr.kernel.street_rows import to_rows
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
        self.sweeps.run(n, self.clock, Learning(self.method.minimiser, self.method.averaging), self.table)

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
