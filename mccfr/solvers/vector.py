"""Engines of dealt games, and full-width iterations in vector form."""

import dataclasses
from typing import Any

import numpy as np

from mccfr.errors import MethodError
from mccfr.evaluate.vector import public_tree, vector_work
from mccfr.kernel.estimators import Plain
from mccfr.kernel.play import AsLearned
from mccfr.kernel.samplers import Outcome, Uniform
from mccfr.kernel.vector import vector_sweep
from mccfr.solvers.engines import TableEngine, WalkEngine
from mccfr.solvers.method import FullWidth, Method, PublicOutcome, VectorSampling
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.solvers.tables import tables_for
from mccfr.solvers.vector_sampling import SampledVectorEngine
from mccfr.tree.dealt import DealtTree


def dealt_engine(tree: DealtTree, method: Method, seed: int) -> "VectorEngine | WalkEngine":
    """The engine for a method on a dealt tree: sweeps, public outcome sampling, or sampling in vector form."""
    sampler = method.sampler
    if isinstance(sampler, PublicOutcome):
        drawn = Uniform() if sampler.epsilon == 1.0 else Outcome(sampler.epsilon)
        return PublicOutcomeEngine(
            tree, dataclasses.replace(method, sampler=drawn), seed,
            simultaneous=not sampler.alternating, start=sampler.start,
        )  # fmt: skip
    if isinstance(sampler, VectorSampling):
        if not isinstance(method.estimator, Plain) or not isinstance(method.play, AsLearned):
            raise MethodError(f"{method}: sampling in vector form takes neither baselines nor a floor")
        return SampledVectorEngine(tree, sampler.sampling, method.minimiser, method.averaging, method.batch, seed)
    return VectorEngine(tree, method)


class VectorEngine(TableEngine):
    """The tables of a dealt game, and the sweeps that fill them."""

    def __init__(self, tree: DealtTree, method: Method) -> None:
        if not isinstance(method.sampler, FullWidth) or method.sampler.simultaneous:
            raise MethodError(
                f"{tree.game}: {method} needs a written-out tree; dealt ones take cfr, cfr_plus, lcfr, dcfr, "
                "pcfr_plus, vector and public_outcome"
            )
        self.method = method
        self.tree, self.work = public_tree(tree), vector_work(tree)
        self.table = tables_for(tree)
        self.clock = np.zeros(1)

    def run(self, n: int) -> None:
        m = self.method
        vector_sweep(n, self.clock, m.minimiser, m.averaging, self.tree, self.table, self.work)

    @property
    def arrays(self) -> dict[str, Any]:
        return {**self.table._asdict(), "touched": self.work.touched, "clock": self.clock}

    def touched_nodes(self, tree: Any) -> int:
        """Public nodes."""
        return int(self.work.touched[0])
