"""Writing a method as the string that rebuilds it: a recipe, and the parts that differ from what the recipe says."""

from typing import Any

from mccfr.grammar import Call
from mccfr.kernel.averaging import Average, OptimisticAverage, OwnAverage, RestartedAverage, ScheduledAverage
from mccfr.kernel.estimators import Plain
from mccfr.kernel.minimisers import (
    RM,
    AsymmetricRMPlus,
    Discounted,
    DiscountedAfter,
    PredictiveDiscounted,
    PredictiveRMPlus,
    RMPlus,
    Scheduled,
)
from mccfr.kernel.play import AsLearned
from mccfr.kernel.rewards import AsPaid
from mccfr.solvers.method import WORDS, WRITERS, FullWidth, LinearProgramme, Method


def write(method: Method) -> str:
    """The string that rebuilds a method."""
    if isinstance(method.sampler, LinearProgramme):
        return "lp"
    words, described = _head(method)
    words += [] if isinstance(method.estimator, Plain) else [written(method.estimator)]
    if type(method.minimiser) is not type(described.minimiser) or method.minimiser != described.minimiser:
        words.append(written(method.minimiser))
    words += _averaging_words(method.averaging, described.averaging)
    words += [] if isinstance(method.play, AsLearned) else [written(method.play)]
    words += [] if isinstance(method.reward, AsPaid) else [written(method.reward)]
    words += [] if method.pruning is None else [written(method.pruning)]
    words += [str(Call("prior", (method.prior,)))] if method.prior else []
    words += [f"batch({method.batch})"] if method.batch > 1 else []
    words += ["common"] if method.common else []
    words += [] if method.tables == "auto" else [method.tables]
    words += ["simultaneous"] if isinstance(method.sampler, FullWidth) and method.sampler.simultaneous else []
    return "+".join(words)


def written(policy: Any) -> str:
    """A policy as its word with its parameters; fields that default to None are tables, not parameters."""
    if type(policy) in WRITERS:
        return str(WRITERS[type(policy)](policy))
    word = WORDS.get(type(policy), type(policy).__name__)
    tables = {name for name, default in policy._field_defaults.items() if default is None}
    return str(Call(word, (), {name: value for name, value in policy._asdict().items() if name not in tables}))


def _head(method: Method) -> tuple[list[str], Method]:
    """The recipe to begin with, and what it already says."""
    if method.samples:
        return [written(method.sampler)], Method(method.sampler)
    m = method.minimiser
    call, averaging = _full_width_call(m, method.averaging)
    return [str(call)], Method(minimiser=RM() if call.name == "cfr" else m, averaging=averaging)


def _full_width_call(m: Any, averaging: Any) -> tuple[Call, Any]:
    """The recipe of a full-width method, and the average that it has."""
    if isinstance(m, Discounted | DiscountedAfter):
        return _discounted_call(m, averaging)
    by_schedule = isinstance(averaging, ScheduledAverage)
    if isinstance(m, PredictiveDiscounted):
        gamma = 5.0 if by_schedule else averaging.power
        return Call("pdcfr_plus", (m.alpha, gamma)), Average(gamma)
    if isinstance(m, Scheduled):
        gamma = averaging.power if by_schedule else 30.0
        return Call("hs_dcfr", (gamma, m.iterations)), ScheduledAverage(gamma, iterations=m.iterations)
    if isinstance(m, AsymmetricRMPlus):
        return Call("sapcfr_plus", (m.asymmetry,)), Average(2.0)
    if isinstance(m, PredictiveRMPlus) and by_schedule:
        return Call("hs_pcfr_plus", (averaging.power, averaging.iterations)), averaging._replace(skip=0)
    return {
        RMPlus: (Call("cfr_plus"), Average(1.0)),
        PredictiveRMPlus: (Call("pcfr_plus"), Average(2.0)),
    }.get(type(m), (Call("cfr"), Average()))


def _discounted_call(m: Discounted | DiscountedAfter, averaging: Any) -> tuple[Call, Any]:
    gamma = 2.0 if isinstance(averaging, ScheduledAverage) else averaging.power
    if isinstance(m, DiscountedAfter):
        return Call("dcfr", (m.alpha, m.beta, gamma), {"order": "after"}), Average(gamma)
    if isinstance(averaging, RestartedAverage):
        return Call("dcfr_restarts", (m.alpha, m.beta, gamma, averaging.base)), averaging._replace(skip=0)
    call = Call("lcfr") if m == (1.0, 1.0) and gamma == 1.0 else Call("dcfr", (m.alpha, m.beta, gamma))
    return call, Average(gamma)


def _averaging_words(averaging: Any, described: Any) -> list[str]:
    """How an average differs from the one that a recipe has."""
    law = {} if getattr(averaging, "law_skips", True) else {"law": False}
    skipping = [str(Call("skip", (averaging.skip,), law))] if averaging.skip or law else []
    if isinstance(averaging, ScheduledAverage):
        same = isinstance(described, ScheduledAverage) and averaging._replace(skip=0) == described
        return ([] if same else [str(Call("scheduled_average", (averaging.power, averaging.iterations)))]) + skipping
    words = []
    if averaging.power != described.power or isinstance(described, ScheduledAverage):
        names = {0.0: "constant", 1.0: "linear", 2.0: "quadratic"}
        words.append(names.get(averaging.power) or str(Call("power", (averaging.power,))))
    if isinstance(averaging, RestartedAverage) and not isinstance(described, RestartedAverage):
        words.append(str(Call("restarts", (averaging.base,))))
    if isinstance(averaging, OwnAverage | OptimisticAverage):
        undivided = {} if getattr(averaging, "others", True) else {"others": False}
        return [*words, *skipping, str(Call(WORDS[type(averaging)], (), undivided))]
    return words + skipping
