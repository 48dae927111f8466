"""Engines of dealt games, and full-width iterations in vector form."""

from typing import Any

import numpy as np

from mccfr.errors import MethodError
from mccfr.evaluate.branches import Branches
from mccfr.evaluate.vector_values import branches_for, public_tree, vector_work
from mccfr.kernel.averaging import importance
from mccfr.kernel.estimators import Plain
from mccfr.kernel.minimisers import pace
from mccfr.kernel.play import AsLearned
from mccfr.kernel.public_samplers import Sampling
from mccfr.kernel.sequence_form import Learn
from mccfr.kernel.vector import vector_sweep
from mccfr.solvers.engines import TableEngine, WalkEngine
from mccfr.solvers.method import FullWidth, Method, PublicOutcome, VectorSampling
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.solvers.tables import tables_for
from mccfr.solvers.vector_sampling import SampledVectorEngine
from mccfr.tree.dealt_tree import DealtTree


def dealt_engine(
    tree: DealtTree, method: Method, seed: int, *keys: int, workers: int = 1
) -> "VectorEngine | WalkEngine":
    """The engine for a method on a dealt tree: sweeps, public outcome sampling, or sampling in vector form."""
    sampler = method.sampler
    if isinstance(sampler, PublicOutcome):
        both = not sampler.alternating
        return PublicOutcomeEngine(tree, method, seed, *keys, simultaneous=both, start=sampler.start)
    if isinstance(sampler, VectorSampling):
        if not isinstance(method.estimator, Plain) or not isinstance(method.play, AsLearned):
            raise MethodError(f"{method}: sampling in vector form takes neither baselines nor a floor")
        drawn = Sampling(*sampler[:3])
        return SampledVectorEngine(tree, drawn, method.minimiser, method.averaging, method.batch, seed, *keys)
    return VectorEngine(tree, method, workers)


class VectorEngine(TableEngine):
    """The tables of a dealt game, and the sweeps that fill them."""

    def __init__(self, tree: DealtTree, method: Method, workers: int = 1) -> None:
        if not isinstance(method.sampler, FullWidth) or method.sampler.simultaneous:
            raise MethodError(
                f"{tree.game}: {method} needs a written-out tree; dealt ones take cfr, cfr_plus, lcfr, dcfr, "
                "pcfr_plus, and sampled methods"
            )
        self.method = method
        self.tree, self.work = public_tree(tree), vector_work(tree)
        self.table = tables_for(tree)
        self.clock = np.zeros(1)
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
        for player in (0, 1):
            branches.walk(actor, player, t, self.table)
        self.clock[0] = t
        self.work.touched[0] = sum(int(work.touched[0]) for work in branches.works)

    @property
    def arrays(self) -> dict[str, Any]:
        return {**self.table._asdict(), "touched": self.work.touched, "clock": self.clock}

    def touched_nodes(self, tree: Any) -> int:
        """Public nodes."""
        return int(self.work.touched[0])
