"""Walks that learn nothing: what they say the root is worth, and the moments of their regrets."""

from typing import Any

import numpy as np

from mccfr.auditing.recorder import Recorder
from mccfr.jobs.statistics import Floats
from mccfr.kernel.dispatch import entry
from mccfr.kernel.layout import U0, FlatTree, Table
from mccfr.kernel.walk import walk
from mccfr.solvers.bind import bind_method
from mccfr.solvers.engines import workspace
from mccfr.solvers.method import Method
from mccfr.tree.tree import Tree


@entry
def root_values(digest: str) -> Any:
    def kernel(i: Any, method: Any, tree: Any, table: Any, work: Any, values: Any) -> None:
        """One walk for player i per entry of `values`, which takes what the walk says the root is worth."""
        digest  # noqa: B018  part of the disk cache's key
        for j in range(len(values)):
            values[j] = walk(i, 1.0, 0.0, (1.0, 1.0), method, tree, table, work)

    return kernel


@entry
def regret_moments(digest: str) -> Any:
    def kernel(n: Any, i: Any, method: Any, tree: Any, table: Any, work: Any, sums: Any, squares: Any) -> None:
        """n walks for player i; sums and sums of squares of what each adds to every regret."""
        digest  # noqa: B018
        for _ in range(n):
            table.regret[:] = 0.0
            walk(i, 1.0, 0.0, (1.0, 1.0), method, tree, table, work)
            for x in range(len(sums)):
                sums[x] += table.regret[x]
                squares[x] += table.regret[x] * table.regret[x]

    return kernel


class FrozenWalks:
    """Walks of a method on a tree under a strategy that the caller gives and may change."""

    def __init__(self, tree: Tree, method: str, strategy: Floats, seed: int) -> None:
        entries = tree.infosets.entries
        self.parts = bind_method(Method.parse(method), tree)._replace(minimiser=Recorder())
        self.tree = FlatTree(tree.nodes, tree.reals, tree.odds)
        self.table = Table(strategy, np.zeros(entries), np.zeros(entries))
        self.work = workspace(tree, seed)

    def roots(self, walks: int) -> Floats:
        """What so many walks for player 0 say the root is worth."""
        values = np.empty(walks)
        root_values(U0, self.parts, self.tree, self.table, self.work, values)
        return values

    def regrets(self, walks: int, player: int) -> tuple[Floats, Floats]:
        """Mean and variance of the regrets that a walk for this player adds, by entry."""
        sums, squares = np.zeros_like(self.table.average), np.zeros_like(self.table.average)
        regret_moments(walks, np.uint64(player), self.parts, self.tree, self.table, self.work, sums, squares)
        mean = sums / walks
        return mean, np.maximum(squares / walks - mean * mean, 0.0)
