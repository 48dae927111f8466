"""Full-width iterations on hold'em with every card, on one core or several."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.dice import seeded
from mccfr.kernel.street_actors import AllBoards, Learning, SomeBoards
from mccfr.kernel.street_rows import to_rows
from mccfr.solvers.engines import TableEngine
from mccfr.solvers.method import FullWidth, Method
from mccfr.tree.street_tree import StreetTree


class StreetEngine(TableEngine):
    """Tables in lanes, and the sweeps that fill them. For everybody else they are turned into rows."""

    def __init__(self, tree: StreetTree, method: Method, workers: int, seed: int, *keys: int) -> None:
        if isinstance(method.sampler, FullWidth) and method.sampler.simultaneous:
            raise MethodError(f"{tree.game}: {method} updates both players at once; spots take alternating updates")
        super().__init__(tree.street_table(), np.zeros(1))
        self.nodes_touched = np.zeros(1, np.uint64)
        self.dice = seeded(seed, *keys)
        self.full_width = isinstance(method.sampler, FullWidth)
        some = () if self.full_width else SomeBoards(np.uint64(method.sampler.boards), self.dice)
        self.actor = Learning(method.minimiser, method.averaging, some or AllBoards())
        self.sweeps = StreetSweeps(tree, self.table.current.dtype, workers)

    def run(self, n: int) -> None:
        self.sweeps.run(n, self.clock, self.actor, self.table)
        self.nodes_touched[0] += np.uint64(self.sweeps.count_touched())

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
        found = {"current": table.current, "regret": table.regret, "average": table.average, "clock": self.clock}
        found["touched"] = self.nodes_touched
        return found if self.full_width else {**found, "dice": self.dice.state}

    @property
    def touched(self) -> int:
        """Public nodes; every one once for each player in a full sweep."""
        return int(self.nodes_touched[0])
