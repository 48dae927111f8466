"""Which methods take training options: rewards, pruning and a first strategy by rules of thumb."""

import math
from typing import TYPE_CHECKING

from mccfr.errors import MethodError
from mccfr.kernel.estimators import History, Predictive
from mccfr.kernel.minimisers import AsymmetricRMPlus, Discounted, PredictiveRMPlus, RMPlus
from mccfr.kernel.pruning import Prune
from mccfr.kernel.rewards import AsPaid
from mccfr.kernel.samplers import External

if TYPE_CHECKING:
    from mccfr.solvers.method import Method

WALKS = "external, outcome, robust, average_strategy, include, ..."


def check_training(method: "Method") -> None:
    """Refuse options where they make no sense."""
    walks = method.samples and not method.public
    if not isinstance(method.reward, AsPaid):
        _check_reward(method, walks)
    if method.pruning is not None:
        _check_pruning(method)
    if isinstance(method.prior, bool) or not isinstance(method.prior, int | float) or not 0 <= method.prior < math.inf:
        raise MethodError(f"Method: prior must be a number from 0, got {method.prior!r}")
    if method.prior and not walks:
        raise MethodError(f"prior is for walks with one pair of hands: start with a sampler ({WALKS})")


def _check_reward(method: "Method", walks: bool) -> None:
    if not walks:
        raise MethodError(
            f"reward is felt at the end of a walk with one pair of hands, and other methods rely on a zero-sum game: "
            f"start with a sampler ({WALKS})"
        )
    if isinstance(method.estimator, History | Predictive):
        word = type(method.estimator).__name__.lower()
        raise MethodError(
            f"{word} keeps one value for both players, but with a reward they feel different ones: use infoset, "
            "static, probe or plain"
        )


def _check_pruning(method: "Method") -> None:
    if not isinstance(method.pruning, Prune):
        raise MethodError(f"Method: pruning must be mccfr.kernel.pruning.Prune(...) or None, got {method.pruning!r}")
    if not isinstance(method.sampler, External):
        raise MethodError("prune leaves out some of all own actions, so it takes a sampler that visits all: external")
    minimiser = method.minimiser
    forgets = isinstance(minimiser, Discounted) and minimiser.beta == -math.inf
    if forgets or isinstance(minimiser, RMPlus | PredictiveRMPlus | AsymmetricRMPlus):
        raise MethodError("prune needs regrets below 0, and this minimiser has none: use rm, weighted or discounted")
