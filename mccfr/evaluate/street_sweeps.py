"""Sweeps over a street tree, by one thread or by several, with the same result."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.kernel.street_layout import StreetTable
from mccfr.kernel.streets import join_branches, respond_streets, sweep_branches
from mccfr.tree.street_tree import StreetTree


class StreetSweeps:
    """A street tree for the kernel, with memory for so many workers. Boards of the second street are shared out."""

    def __init__(self, tree: StreetTree, dtype: npt.DTypeLike, workers: int = 1) -> None:
        self.lines, self.boards, self.weight = tree.lines_view(dtype), tree.boards.boards, tree.hand_weights
        branches = int(self.boards.follow[1]) - int(self.boards.follow[0])
        self.workers = max(1, min(workers, branches))
        self.works = [tree.street_work(dtype) for _ in range(self.workers + (self.workers > 1))]
        self.work = self.works[-1]
        if self.workers > 1:
            begin, end = self.lines.root_start[self.lines.segment[1:3]].tolist()
            self.kept = np.zeros(branches * (end - begin) * int(self.work.stride), dtype)
            self.pool = ThreadPoolExecutor(self.workers, "mccfr")

    @property
    def touched(self) -> int:
        """Public nodes so far."""
        return sum(int(work.touched[0]) for work in self.works)

    def sweep(self, actor: Any, player: int, table: StreetTable) -> float:
        """One sweep for `actor`; returns the value of the game to the player."""
        i = np.uint64(player)
        if self.workers == 1:
            return float(respond_streets(actor, i, self.lines, self.boards, table, self.weight, self.work))
        step = np.uint64(self.workers)

        def go(j: int) -> None:
            sweep_branches(
                actor, i, np.uint64(j), step, self.lines, self.boards, table, self.works[j], self.kept
            )  # fmt: skip

        for future in [self.pool.submit(go, j) for j in range(self.workers)]:
            future.result()
        value = join_branches(actor, i, self.lines, self.boards, table, self.weight, self.work, self.kept)
        return float(value)
