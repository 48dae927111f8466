"""Which parts fit together: refused before any work, with what would fit."""

import math
from typing import TYPE_CHECKING, Any

from mccfr.errors import MethodError
from mccfr.kernel.averaging import Average, RestartedAverage, ScheduledAverage
from mccfr.kernel.estimators import GeneralProbe, Plain, Predictive, Probe
from mccfr.kernel.minimisers import (
    Discounted,
    DiscountedAfter,
    LazilyDiscounted,
    PredictiveDiscounted,
    Scheduled,
    Weighted,
)
from mccfr.kernel.play import AsLearned, Floor
from mccfr.kernel.public_laws import reads_averages
from mccfr.kernel.samplers import (
    Everything,
    draws_others_uniformly,
    follows_all_chance,
    follows_all_others,
)
from mccfr.solvers.fit_training import check_training

if TYPE_CHECKING:
    from mccfr.solvers.method import Method

SAMPLERS = "external, outcome, robust, average_strategy, chance, uniform, opponent_on_policy, include"


# whose formulas have limits at infinity
LIMITS = (Discounted, DiscountedAfter, LazilyDiscounted, PredictiveDiscounted, Floor)
TABLES = ("auto", "float64", "float32", "int16")  # of spots and hold'em
COUNTS = {"iterations": 1, "base": 2}  # whole numbers, and the least that each may be
PARTS = {  # the modules of `mccfr` that have them, each with an example
    "sampler": "samplers.Outcome(0.6)",
    "minimiser": "minimisers.RMPlus()",
    "averaging": "averaging.Average(1.0)",
    "estimator": "estimators.History()",
    "play": "kernel.play.Floor(0.01)",
    "reward": "kernel.rewards.ScaledLoss(1.0)",
}


def check_fit(method: "Method") -> None:
    """Refuse a combination that makes no sense."""
    for role, example in PARTS.items():
        value = getattr(method, role)
        if not hasattr(type(value), "_fields"):
            raise MethodError(
                f"Method: {role} must be a part such as mccfr.{example}, got {value!r}; Method.parse takes strings"
            )
        _check_numbers(role, value)
    if not isinstance(method.batch, int) or isinstance(method.batch, bool) or method.batch < 1:
        raise MethodError(f"batch: size must be a whole number from 1, got {method.batch!r}")
    if method.common and (
        method.public
        or not method.samples
        or draws_others_uniformly(method.sampler)
        or follows_all_chance(method.sampler)
    ):
        raise MethodError("common is for walks that draw chance by its own law: external, outcome, robust, ...")
    if method.tables not in TABLES:
        raise MethodError(f"Method: tables must be one of {', '.join(TABLES)}, got {method.tables!r}")
    check_training(method)
    _check_skip(method)
    if method.samples:
        _check_sampled(method)
    else:
        _check_full_width(method)


def _check_numbers(role: str, policy: Any) -> None:
    """Refuse parameters that are no numbers to calculate with, also inside policies of policies."""
    for name, value in policy._asdict().items():
        if hasattr(value, "_asdict"):
            _check_numbers(role, value)
        elif (
            isinstance(value, float) and not math.isfinite(value) and (value != value or not isinstance(policy, LIMITS))
        ):
            raise MethodError(f"Method: {role} {type(policy).__name__} has {name}={value}: expected a finite number")
        elif name in COUNTS and isinstance(policy, Scheduled | ScheduledAverage | RestartedAverage):
            _check_count(f"Method: {role} {type(policy).__name__} has {name}", value, COUNTS[name])


def _check_skip(method: "Method") -> None:
    """Refuse to leave a law its averages where no law has any."""
    policies = [getattr(method.sampler, role, None) for role in ("own", "other")] if method.public else []
    if not getattr(method.averaging, "law_skips", True) and not any(map(reads_averages, policies)):
        raise MethodError(
            "skip: law=False is for vector and semi-vector forms whose laws draw by averages (mas, was); elsewhere "
            "write skip(n)"
        )


def _check_count(what: str, value: Any, least: int) -> None:
    if type(value) is not int or value < least:
        raise MethodError(f"{what}={value!r}: expected a whole number from {least}")


def _check_full_width(method: "Method") -> None:
    from mccfr.solvers.method import word_of

    word = "" if isinstance(method.estimator, Plain) else word_of(method.estimator)
    for value, plain, what in (
        (method.estimator, Plain, f"{word} corrects for what sampling leaves out"),
        (method.averaging, Average | RestartedAverage | ScheduledAverage, "own and optimistic averages are for walks"),
        (method.play, AsLearned, "a floor is for sampling"),
    ):
        if not isinstance(value, plain):
            raise MethodError(f"{what}, but full-width methods leave nothing out: start with a sampler ({SAMPLERS})")
    if isinstance(method.minimiser, Weighted | LazilyDiscounted) or method.batch != 1:
        word = "batch" if method.batch != 1 else "weighted"
        raise MethodError(f"{word} is for sampled methods ({SAMPLERS}); for full-width methods use lcfr or dcfr")


def _check_sampled(method: "Method") -> None:
    if isinstance(method.minimiser, DiscountedAfter):
        raise MethodError("order=after is for full-width methods: sampled ones discount lazily, in the paper's order")
    if isinstance(method.minimiser, PredictiveDiscounted | Scheduled):
        word = "pdrm_plus" if isinstance(method.minimiser, PredictiveDiscounted) else "scheduled"
        raise MethodError(
            f"{word} is for full-width methods: it discounts all regrets in every iteration; sampled methods discount "
            "lazily, with discounted(alpha, beta)"
        )
    if isinstance(method.averaging, RestartedAverage | ScheduledAverage):
        word = "restarts" if isinstance(method.averaging, RestartedAverage) else "scheduled_average"
        raise MethodError(
            f"{word} is for full-width methods: it changes all averages at once; sampled methods take constant, "
            "linear, quadratic, power(x) and skip(n)"
        )
    if isinstance(method.sampler, Everything) and not isinstance(method.estimator, Plain | Probe | GeneralProbe):
        raise MethodError(f"a baseline corrects sampled values, but everything samples nothing: use one of {SAMPLERS}")
    if isinstance(method.estimator, Predictive) and (method.batch > 1 or follows_all_others(method.sampler)):
        word = "batch" if method.batch > 1 else "a sampler that opens all actions of the opponent"
        raise MethodError(
            f"predictive needs strategies that change within a walk, but {word} freezes them: use history"
        )
