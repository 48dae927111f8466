"""Words of training options: biased rewards, a first strategy by rules of thumb, pruning. [Lin 2024]"""

import dataclasses
from typing import Any

from mccfr.errors import MethodError, nearest, quoted
from mccfr.grammar import Call
from mccfr.kernel.pruning import Prune
from mccfr.kernel.rewards import AsPaid, LargeLoss, PowerLoss, ScaledLoss
from mccfr.solvers.method import WRITERS, Method, part
from mccfr.solvers.word_values import LARGEST, number

REWARDS: dict[str, Any] = {"y1": AsPaid, "y2": ScaledLoss, "y3": PowerLoss, "y4": LargeLoss}
SMALLEST_UNIT = 1e-9  # chips, so that a payoff in units stays finite


@part()
def reward(method: Method, shape: str = "y2", unit: float = 1.0) -> Method:
    """Feel losses more than they cost, in one of four shapes; not zero-sum any more. [Lin 2024]

    With u the payoff in units (`unit` is how many chips one is, usually a big blind), a loss u < 0 is felt as

        y1: u        y2: 1.5 u        y3: -0.35 (-u)^1.32 - 5        y4: min(-0.35 (-u)^1.32, u)

    and a win as it is. What one player feels is then not what the other does, so averages approach a coarse
    correlated equilibrium of the biased game, and no equilibrium of the true one. Exploitability is always that of the
    true game.
    """
    if not isinstance(shape, str) or shape not in REWARDS:
        raise MethodError(f"reward: {quoted(shape)} is no shape; {nearest(str(shape), REWARDS)}")
    size = number("reward", "unit", unit, SMALLEST_UNIT)
    return dataclasses.replace(method, reward=AsPaid() if shape == "y1" else REWARDS[shape](size))


@part(Prune)
def prune(method: Method, below: float = -300.0, chance: float = 0.95) -> Method:
    """Skip own actions that are not played and whose regret is below a bound: biased. [Brown and Sandholm 2019]"""
    if isinstance(below, bool) or not isinstance(below, int | float) or not -LARGEST <= below <= 0:
        raise MethodError(f"prune: below must be 0 or a number less than 0, got {below!r}")
    if isinstance(chance, bool) or not isinstance(chance, int | float) or not 0 <= chance < 1:
        raise MethodError(f"prune: chance must be a number from 0 and less than 1, got {chance!r}")
    return dataclasses.replace(method, pruning=Prune(float(below), float(chance)))


@part()
def prior(method: Method, kappa: float = 1.0) -> Method:
    """Begin with regrets kappa p(a), p by rules of thumb for hold'em, instead of an even strategy. [Lin 2024]

    p is by the win rate of the cards and by the kind of action: `mccfr/betting/rules_of_thumb.py`. It is the first
    strategy that is played, fades as regrets grow beyond kappa, and is no part of the average.
    """
    return dataclasses.replace(method, prior=number("prior", "kappa", kappa, 0.0))


def _reward_call(policy: Any) -> Call:
    shape = next(name for name, kind in REWARDS.items() if kind is type(policy))
    return Call("reward", (shape,), {} if policy.unit == 1.0 else {"unit": policy.unit})


for _kind in (ScaledLoss, PowerLoss, LargeLoss):
    WRITERS[_kind] = _reward_call
