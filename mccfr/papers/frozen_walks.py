"""Walks that learn nothing: what they say the root is worth, and the moments of their regrets."""

import numpy as np

from mccfr.jobs.statistics import Floats
from mccfr.kernel.dice import seeded
from mccfr.kernel.layout import U0, Table
from mccfr.kernel.recorded_walks import Recorder, regret_moments, root_values
from mccfr.solvers.bind import bind_method
from mccfr.solvers.method import Method
from mccfr.tree.tree import Tree


class FrozenWalks:
    """Walks of a method on a tree under a strategy that the caller gives and may change."""

    def __init__(self, tree: Tree, method: str, strategy: Floats, seed: int) -> None:
        entries = tree.infosets.entries
        self.parts = bind_method(Method.parse(method), tree)._replace(minimiser=Recorder())
        self.tree = tree.walk_view()
        self.table = Table(strategy, np.zeros(entries), np.zeros(entries))
        self.work = tree.walk_work(seeded(seed))

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
