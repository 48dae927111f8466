"""Full-width iterations on hold'em with every card, on one core or several."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.dice import seeded
from mccfr.kernel.street_actors import AllBoards, Learning, SomeBoards
from mccfr.kernel.street_layout import PackedTable
from mccfr.kernel.street_rows import to_rows, unpack_rows
from mccfr.kernel.street_tables import LARGEST_AVERAGE
from mccfr.solvers.engines import TableEngine
from mccfr.solvers.method import FullWidth, Method
from mccfr.tree.street_tree import StreetTree


class StreetEngine(TableEngine):
    """Tables in lanes, and the sweeps that fill them. For everybody else they are turned into rows."""

    def __init__(self, tree: StreetTree, method: Method, workers: int, seed: int, *keys: int) -> None:
        if isinstance(method.sampler, FullWidth) and method.sampler.simultaneous:
            raise MethodError(f"{tree.game}: {method} updates both players at once; spots take alternating updates")
        super().__init__(tree.street_table(method.tables), np.zeros(1))
        self.nodes_touched = np.zeros(1, np.uint64)
        self.dice = seeded(seed, *keys)
        self.full_width = isinstance(method.sampler, FullWidth)
        dealing = AllBoards() if self.full_width else SomeBoards(np.uint64(method.sampler.boards), self.dice)
        self.actor = Learning(method.minimiser, method.averaging, dealing)
        self.gate = tree.gate_rows
        self.sweeps = StreetSweeps(tree, tree.precision(method.tables), workers)

    def run(self, n: int) -> None:
        self.sweeps.run(n, self.clock, self.actor, self.table)
        self.nodes_touched[0] += np.uint64(self.sweeps.count_touched())

    def _rows(self, lanes: npt.NDArray[Any], unit: npt.NDArray[np.float32] | None = None) -> npt.NDArray[Any]:
        sweeps = self.sweeps
        if unit is None:
            rows = np.empty_like(lanes)
            to_rows(sweeps.lines, sweeps.boards, lanes, rows)
            self.gate.lanes_to_rows(lanes, rows)
        else:
            rows = np.empty(len(lanes), np.float32)
            unpack_rows(sweeps.lines, sweeps.boards, lanes, unit, rows)
            self.gate.unpack(lanes, unit, int(self.table.gate.lane) if self.gate.rows else 0, rows)
        return rows

    def weights(self) -> npt.NDArray[Any]:
        return self._rows(self.table.average, self.units.get("average_unit"))

    def current(self) -> npt.NDArray[Any]:
        even = np.full(len(self.units["regret_unit"]), 1 / LARGEST_AVERAGE, np.float32) if self.units else None
        return self._rows(self.table.current, even)

    def regrets(self) -> npt.NDArray[Any]:
        return self._rows(self.table.regret, self.units.get("regret_unit"))

    @property
    def units(self) -> dict[str, npt.NDArray[np.float32]]:
        """The units of packed tables; none if tables are as they are."""
        table = self.table
        packed = isinstance(table, PackedTable)
        return {"regret_unit": table.regret_unit, "average_unit": table.average_unit} if packed else {}

    @property
    def arrays(self) -> dict[str, Any]:
        table = self.table
        found = {"current": table.current, "regret": table.regret, "average": table.average, **self.units}
        found |= {"clock": self.clock, "touched": self.nodes_touched}
        return found if self.full_width else {**found, "dice": self.dice.state}

    @property
    def touched(self) -> int:
        """Public nodes; every one once for each player in a full sweep."""
        return int(self.nodes_touched[0])
