"""The engine of sampled vector and semi-vector forms, and the tables their policies need on one public tree."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError, nearest
from mccfr.kernel.averaging import OPTIMISTIC, Average, where
from mccfr.kernel.dice import seeded
from mccfr.kernel.estimators import Infoset, Plain, Static
from mccfr.kernel.layout import CHANCE, KIND, ROW, TERMINAL
from mccfr.kernel.minimisers import RM
from mccfr.kernel.one_hand import GivenHand, OneHand
from mccfr.kernel.play import AsLearned
from mccfr.kernel.public_laws import EpsilonGreedy, Explored, lay
from mccfr.kernel.public_samplers import Sampling, elect
from mccfr.kernel.samplers import Everything, Robust, Uniform
from mccfr.kernel.vector import SampledParts, SampledWork
from mccfr.solvers.bind import MOST_DRAWN, bind, deferred
from mccfr.solvers.engines import SampledEngine
from mccfr.solvers.method import Method, word_of
from mccfr.solvers.public_baselines import bound_baseline
from mccfr.solvers.public_words import LI_METHODS
from mccfr.tree.dealt_tree import DealtTree

REGRET_MATCHING, EQUAL_WEIGHTS, NO_BASELINE = RM(), Average(), Plain()


class SampledVectorEngine(SampledEngine):
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
        estimator: Any = NO_BASELINE,
    ) -> None:
        if where(averaging) == OPTIMISTIC:
            raise MethodError("optimistic averages are for walks with one pair of hands: take own_average")
        if batch < 1:
            raise MethodError(f"batch must be a whole number from 1, got {batch}")
        bound = bind(minimiser, tree)
        if batch > 1:
            bound = deferred(bound, batch, tree.infosets)
        keeps = not getattr(averaging, "law_skips", True)
        self.skip = averaging.skip if keeps else 0
        counted = averaging._replace(skip=0) if keeps else averaging
        drawn = bind_sampling(_named(sampling), tree)
        parts = SampledParts(drawn, bound, counted, _baseline(estimator, drawn, tree))
        super().__init__(parts, tree.sampled_view(), tree.tables(), sampled_work(tree, seed, *keys))
        self.early = np.zeros_like(self.table.average) if keeps else None

    def run(self, n: int) -> None:
        """Where a law has averages that are not reported, they are noted when the last of them has been added."""
        left = self.skip - int(self.clock[0])
        if self.early is not None and 0 <= left <= n:
            super().run(left)
            self.early[:] = self.table.average
            n -= left
        super().run(n)

    def weights(self) -> npt.NDArray[np.float64]:
        """The average without its early part; sums only grow, so that no difference is below 0."""
        if self.early is None:
            return super().weights()
        return self.table.average - (self.early if self.clock[0] > self.skip else self.table.average)

    @property
    def arrays(self) -> dict[str, Any]:
        found = {name: array for name, array in super().arrays.items() if name != "estimator.law"}
        return found if self.early is None else {**found, "early": self.early}


def vector_engine(tree: DealtTree, method: Method, seed: int, *keys: int) -> SampledVectorEngine:
    """The engine of a method that samples in vector form."""
    if not isinstance(method.play, AsLearned):
        raise MethodError(f"{method}: sampling in vector form does not support a floor")
    drawn = Sampling(*method.sampler[:3])
    parts = method.minimiser, method.averaging, method.batch
    return SampledVectorEngine(tree, drawn, *parts, seed, *keys, estimator=method.estimator)


def _baseline(estimator: Any, sampling: Sampling, tree: DealtTree) -> Any:
    """The estimator with its tables; refuses what vectors of hands cannot have."""
    if not isinstance(estimator, Plain | Static | Infoset):
        word = word_of(estimator)
        raise MethodError(
            f"{word}: vector and semi-vector forms take plain, static or infoset; public_outcome takes more"
        )
    if not isinstance(estimator, Plain) and all(isinstance(policy, Everything) for policy in sampling):
        raise MethodError("a baseline corrects sampled values, but own=all, other=all, chance=all samples nothing")
    return bound_baseline(estimator, tree)


def _named(sampling: Sampling | str) -> Sampling:
    if isinstance(sampling, Sampling):
        return sampling
    if sampling not in LI_METHODS:
        raise MethodError(f"unknown vector sampling {sampling!r}; {nearest(sampling, LI_METHODS)}")
    return Sampling(*LI_METHODS[sampling][:3])


def bind_sampling(sampling: Sampling, tree: DealtTree) -> Sampling:
    """The policies with tables of their own for this tree; refuses what they cannot do."""
    one = isinstance(sampling.other, OneHand)
    if not isinstance(sampling.chance, Everything | Robust | Uniform) and not (
        one and isinstance(sampling.chance, GivenHand)
    ):
        raise MethodError(f"public chance is not a player: {type(sampling.chance).__name__} has no law for it")
    for role, policy in sampling._asdict().items():
        _check_policy(role, policy, elect.body(type(policy)) is not elect.body(object))
    if widest(tree) > MOST_DRAWN:
        raise MethodError(f"draws from at most {MOST_DRAWN} actions, {tree.game} has {widest(tree)} at a public node")
    return Sampling(*(bind_policy(policy, tree) for policy in sampling))


def _check_policy(role: str, policy: Any, elects: bool) -> None:
    """A policy elects actions itself, or it has a law to draw one from, as all that explorers hold must have."""
    if not elects and lay.body(type(policy)) is None:
        raise MethodError(f"{role}: {type(policy).__name__} is not a law for drawing an action at a public node")
    if isinstance(policy, EpsilonGreedy) and not 0.0 <= policy.epsilon <= 1.0:
        raise MethodError(f"{role}: epsilon must be from 0 to 1, got {policy.epsilon}")
    if isinstance(policy, Explored) and not 0.0 <= policy.alpha <= 1.0:
        raise MethodError(f"{role}: alpha must be from 0 to 1, got {policy.alpha}")
    if isinstance(policy, Robust) and policy.k < 1:
        raise MethodError(f"{role}: Robust draws at least one action, got k={policy.k}")
    if hasattr(policy, "inside"):
        _check_policy(role, policy.inside, False)


def bind_policy(policy: Any, tree: DealtTree) -> Any:
    """A policy with its tables."""
    if hasattr(policy, "inside"):
        policy = policy._replace(inside=bind_policy(policy.inside, tree))
    if isinstance(policy, Explored):
        return policy._replace(counts=np.zeros(len(tree)))
    if isinstance(policy, OneHand):
        return policy._replace(hand_probability=tree.hand_probabilities.reshape(-1))
    return _given_hands(tree) if isinstance(policy, GivenHand) else policy


def _given_hands(tree: DealtTree) -> GivenHand:
    """For every law of public events: what each hand of either player has to expect, by the deal."""
    words = tree.nodes.reshape(-1, 4)
    key, known = np.zeros(len(tree), np.uint32), dict[tuple[int, int], int]()
    odds: list[npt.NDArray[np.float64]] = []
    for h in np.flatnonzero(words[:, KIND] & 255 == CHANCE):
        where, k = int(words[h, ROW]), int(words[h, KIND] >> 8)
        if (where, k) not in known:
            known[where, k] = sum(map(len, odds))
            law = tree.laws[where : where + tree.deal.size * k].reshape(*tree.deal.shape, k) * tree.deal[:, :, None]
            given = np.zeros((2, tree.most_hands, k))
            for player in (0, 1):
                given[player, : len(tree.hands[player])] = law.sum(axis=1 - player)
            total = given.sum(axis=2, keepdims=True)
            odds.append(np.divide(given, total, out=given, where=total > 0.0).reshape(-1))
        key[h] = known[where, k]
    return GivenHand(np.concatenate(odds) if odds else np.zeros(1), key)


def widest(tree: DealtTree) -> int:
    """The most actions of a public node, chance included."""
    kinds = tree.nodes[KIND::4]
    return int((kinds[(kinds & 255) != int(TERMINAL)] >> 8).max(initial=1))


def sampled_work(tree: DealtTree, seed: int, *keys: int) -> SampledWork:
    """Vectors and laws for the deepest path, dice from the seed."""
    hands, depth, width = tree.most_hands, tree.depth + 2, widest(tree)
    return SampledWork(
        *tree.vector_work(),
        width=np.uint64(width),
        laws=np.zeros(depth * width),
        masks=np.zeros(depth, np.uint64),
        weight=np.zeros(depth),
        line=np.zeros(depth),
        own_mean=np.zeros(depth * hands),
        reach_mean=np.zeros(depth * hands),
        across=np.zeros(hands),
        drawn=np.zeros(2, np.uint64),
        expected=np.zeros(hands),
        met=np.zeros(hands),
        dice=seeded(seed, *keys),
    )
