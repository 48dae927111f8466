"""The engine of sampled vector forms, and the methods Li et al. name."""

from typing import Any, cast

import numpy as np

from mccfr.errors import MethodError, nearest
from mccfr.evaluate.vector import public_tree, vector_work
from mccfr.kernel.averaging import OTHERS, Average, where
from mccfr.kernel.dice import seeded
from mccfr.kernel.layout import KIND, TERMINAL
from mccfr.kernel.minimisers import RM
from mccfr.kernel.public_samplers import MAS, MCS, WCS, EpsilonGreedy, Explored, Sampling, elect, lay
from mccfr.kernel.samplers import Everything, Robust, Uniform
from mccfr.kernel.vector import SampledParts, SampledWork, vector_samples
from mccfr.solvers.bind import MOST_DRAWN, _deferred, bind
from mccfr.solvers.engines import WalkEngine
from mccfr.solvers.tables import tables_for
from mccfr.tree.dealt import DealtTree

REGRET_MATCHING, EQUAL_WEIGHTS = RM(), Average()
LI_METHODS = {  # [Li et al. 2020, 4.1]; where a draw could miss what matters, it explores
    "average": Sampling(Robust(1), Explored(MAS()), Uniform()),
    "robust": Sampling(Robust(1), MCS(), Uniform()),
    "outcome": Sampling(Explored(MCS()), MCS(), Uniform()),
    "external": Sampling(Everything(), MCS(), Uniform()),
    "weighted": Sampling(Robust(1), WCS(), Uniform()),
}


class SampledVectorEngine(WalkEngine):
    """Sampled iterations on a public tree: one vector walk for each player."""

    def __init__(
        self,
        tree: DealtTree,
        sampling: Sampling | str,
        minimiser: Any = REGRET_MATCHING,
        averaging: Any = EQUAL_WEIGHTS,
        batch: int = 1,
        seed: int = 0,
        *keys: int,
    ) -> None:
        if where(averaging) != OTHERS:
            raise MethodError(
                "sampled vector forms average at the other player's nodes: take Average, not own averages"
            )
        if batch < 1:
            raise MethodError(f"batch must be a whole number from 1, got {batch}")
        bound = bind(minimiser, cast(Any, tree))
        if batch > 1:
            bound = _deferred(bound, batch, tree.infosets)
        self.parts = cast(Any, SampledParts(bind_sampling(_named(sampling), tree), bound, averaging))
        self.tree = cast(Any, public_tree(tree)._replace(deal=tree.deal))
        self.table = tables_for(tree)
        self.work = cast(Any, sampled_work(tree, seed, *keys))
        self.clock = np.zeros(2)  # iterations; the sum of player 0's root estimates

    def run(self, n: int) -> None:
        self._reach_ahead(int(self.clock[0]) + n)
        vector_samples(n, self.clock, self.parts, self.tree, self.table, self.work)


def _named(sampling: Sampling | str) -> Sampling:
    if isinstance(sampling, Sampling):
        return sampling
    if sampling not in LI_METHODS:
        raise MethodError(f"unknown vector sampling {sampling!r}; {nearest(sampling, LI_METHODS)}")
    return LI_METHODS[sampling]


def bind_sampling(sampling: Sampling, tree: DealtTree) -> Sampling:
    """The policies with tables of their own for this tree; refuses what they cannot do."""
    if not isinstance(sampling.chance, Everything | Robust | Uniform):
        raise MethodError(f"public chance is not a player: {type(sampling.chance).__name__} has no law for it")
    for role, policy in sampling._asdict().items():
        _check_policy(role, policy, elect.body(type(policy)) is not elect.body(object))
    if widest(tree) > MOST_DRAWN:
        raise MethodError(f"draws from at most {MOST_DRAWN} actions, {tree.game} has {widest(tree)} at a public node")
    return Sampling(*(_bind_policy(policy, tree) for policy in sampling))


def _check_policy(role: str, policy: Any, elects: bool) -> None:
    """A policy elects actions itself, or it has a law to draw one from, as all that explorers hold must have."""
    if not elects and lay.body(type(policy)) is None:
        raise MethodError(f"{role}: {type(policy).__name__} is no law to draw an action of a public node from")
    if isinstance(policy, EpsilonGreedy) and not 0.0 <= policy.epsilon <= 1.0:
        raise MethodError(f"{role}: epsilon must be from 0 to 1, got {policy.epsilon}")
    if isinstance(policy, Robust) and policy.k < 1:
        raise MethodError(f"{role}: Robust draws at least one action, got k={policy.k}")
    if hasattr(policy, "inside"):
        _check_policy(role, policy.inside, False)


def _bind_policy(policy: Any, tree: DealtTree) -> Any:
    if hasattr(policy, "inside"):
        policy = policy._replace(inside=_bind_policy(policy.inside, tree))
    return policy._replace(counts=np.zeros(len(tree))) if isinstance(policy, Explored) else policy


def widest(tree: DealtTree) -> int:
    """The most actions of a public node, chance included."""
    kinds = tree.nodes[KIND::4]
    return int((kinds[(kinds & 255) != int(TERMINAL)] >> 8).max(initial=1))


def sampled_work(tree: DealtTree, seed: int, *keys: int) -> SampledWork:
    """Vectors and laws for the deepest path, dice from the seed."""
    depth, width = tree.depth + 2, widest(tree)
    laws, masks, weight = np.zeros(depth * width), np.zeros(depth, np.uint64), np.zeros(depth)
    return SampledWork(*vector_work(tree), np.uint64(width), laws, masks, weight, seeded(seed, *keys))
