"""Sweeps over a street tree, by one thread or by several, with the same result."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.kernel.averaging import fade_averages
from mccfr.kernel.street_layout import TOUCHED, PackedTable, RowTable, StreetTable
from mccfr.kernel.streets import BRANCHES, JOIN, WHOLE, sweep_streets
from mccfr.tree.street_tree import StreetTree

AnyTable = StreetTable | PackedTable | RowTable
_ALL = np.uint64(0), np.uint64(1)
_NO_CLOCK = np.zeros(1)


class StreetSweeps:
    """A street tree for the kernel, with memory for so many workers. Boards of the second street are shared out."""

    def __init__(self, tree: StreetTree, dtype: npt.DTypeLike, workers: int = 1) -> None:
        self.lines, self.boards, self.weight = tree.lines_view(dtype), tree.boards.boards, tree.hand_weights
        branches = int(np.diff(tree.boards.follow[0])[0])
        self.workers = max(1, min(workers, branches))
        self.works = [tree.street_work(dtype) for _ in range(self.workers)]
        kept = branches * len(tree.laid.nodes_of(1)) * tree.largest_infoset if self.workers > 1 else 0
        self.kept = np.zeros(kept, dtype)
        self.pool = ThreadPoolExecutor(self.workers, "mccfr") if self.workers > 1 else None

    def count_touched(self) -> int:
        """Public nodes since the last count."""
        total = 0
        for work in self.works:
            total += int(work.place[int(TOUCHED)])
            work.place[int(TOUCHED)] = 0
        return total

    def run(self, n: int, clock: npt.NDArray[np.float64], actor: Any, table: AnyTable) -> None:
        """The next n iterations for both players; 0 only compiles."""
        if self.pool is None or not n:
            self._part(n, clock, actor, (0, 2), WHOLE, _ALL, table, 0)
            return
        for _ in range(n):
            fade_averages(actor.averaging, table, float(clock[0]) + 1.0)
            for player in (0, 1):
                self.sweep(actor, player, table, clock)
            clock[0] += 1.0

    def sweep(self, actor: Any, player: int, table: AnyTable, clock: npt.NDArray[np.float64] = _NO_CLOCK) -> float:
        """One sweep for `actor`; returns the value of the game to the player."""
        players = player, player + 1
        if self.pool is None:
            return self._part(1, np.zeros(1), actor, players, WHOLE, _ALL, table, 0)
        step = np.uint64(self.workers)

        def go(j: int) -> None:
            self._part(1, clock, actor, players, BRANCHES, (np.uint64(j), step), table, j)

        for future in [self.pool.submit(go, j) for j in range(self.workers)]:
            future.result()
        return self._part(1, clock, actor, players, JOIN, _ALL, table, 0)

    def _part(
        self,
        n: int,
        clock: npt.NDArray[np.float64],
        actor: Any,
        players: tuple[int, int],
        stage: np.uint64,
        turns: tuple[np.uint64, np.uint64],
        table: AnyTable,
        worker: int,
    ) -> float:
        who = np.uint64(players[0]), np.uint64(players[1])
        return float(
            sweep_streets(
                n, clock, actor, who, stage, turns, self.lines, self.boards, table, self.weight, self.works[worker],
                self.kept,
            )
        )  # fmt: skip
