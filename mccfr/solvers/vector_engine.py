"""Full-width iterations in vector form, on one core or several."""

from typing import Any

import numpy as np

from mccfr.errors import MethodError
from mccfr.evaluate.branches import Branches, branches_for
from mccfr.kernel.averaging import fade, fade_averages, importance
from mccfr.kernel.minimisers import pace
from mccfr.kernel.sequence_form import Learn
from mccfr.kernel.vector import vector_sweep
from mccfr.solvers.engines import TableEngine
from mccfr.solvers.method import FullWidth, Method
from mccfr.tree.dealt_tree import DealtTree


class VectorEngine(TableEngine):
    """The tables of a dealt game, and the sweeps that fill them."""

    full_width = True

    def __init__(self, tree: DealtTree, method: Method, workers: int = 1) -> None:
        if not isinstance(method.sampler, FullWidth) or method.sampler.simultaneous:
            raise MethodError(
                f"{tree.game}: {method} needs a written-out tree; dealt ones take cfr, cfr_plus, dcfr and all "
                "other full-width methods without simultaneous, and sampled methods"
            )
        super().__init__(tree.tables(), np.zeros(1))
        self.method, self.tree, self.work = method, tree.public_view(), tree.vector_work()
        self.branches = branches_for(tree, self.tree, workers)

    def run(self, n: int) -> None:
        m = self.method
        if self.branches is None:
            vector_sweep(n, self.clock, m.minimiser, m.averaging, self.tree, self.table, self.work)
            return
        for _ in range(n):
            self._shared_iteration(self.branches, float(self.clock[0]) + 1.0)

    def _shared_iteration(self, branches: Branches, t: float) -> None:
        """What `vector_sweep` does, by several workers."""
        m = self.method
        actor = Learn(m.minimiser, pace(m.minimiser, t), importance(m.averaging, t))
        if fade(m.averaging, t) != 1.0:
            fade_averages(m.averaging, self.table, t)
        for player in (0, 1):
            branches.walk(actor, player, t, self.table)
        self.clock[0] = t
        self.work.touched[0] = sum(int(work.touched[0]) for work in branches.works)

    @property
    def arrays(self) -> dict[str, Any]:
        return {**super().arrays, "touched": self.work.touched}

    @property
    def touched(self) -> int:
        """Public nodes."""
        return int(self.work.touched[0])
