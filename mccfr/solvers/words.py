"""The words of method strings: every recipe and part, with its parameters checked, and how a method is written."""

import dataclasses
import math
from typing import Any

from mccfr.errors import MethodError, quoted
from mccfr.grammar import Call
from mccfr.kernel import estimators, samplers
from mccfr.kernel.averaging import Average, OptimisticAverage, OwnAverage
from mccfr.kernel.estimators import Plain
from mccfr.kernel.minimisers import RM, Discounted, DiscountedAfter, PredictiveRMPlus, RMPlus, Weighted
from mccfr.kernel.play import AsLearned, Floor
from mccfr.solvers.method import (
    RECIPES,
    WORDS,
    WRITERS,
    FullWidth,
    LinearProgramme,
    Method,
    part,
    recipe,
)

# ---- checking parameters

MOST = 2**53  # up to here the float64 of counters tells whole numbers apart


LARGEST = 1e300  # so that sums and products of a few stay finite


def number(word: str, name: str, value: Any, low: float = -LARGEST, high: float = LARGEST) -> float:
    """A float within bounds, which are finite unless told otherwise, or a MethodError that says which."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        bounds = "" if low == -LARGEST else f" from {low:g}" if high == math.inf else f" from {low:g} to {high:g}"
        raise MethodError(f"{word}: {name} must be a number{bounds}, got {value!r}")
    return float(value)


def whole(word: str, name: str, value: Any, low: int) -> int:
    """An int from `low` on that counters can hold, or a MethodError."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise MethodError(f"{word}: {name} must be a whole number from {low}, got {value!r}")
    if value > MOST:
        digits = len(str(value))
        raise MethodError(f"{word}: {name} must be a whole number from {low} to {MOST}, got one of {digits} digits")
    return value


# ---- full-width recipes


@recipe(LinearProgramme)
def lp() -> Method:
    """An exact solution by linear programming; the best choice for small games."""
    return Method(LinearProgramme())


@recipe()
def cfr() -> Method:
    """Counterfactual regret minimisation, alternating, uniform average. [Zinkevich et al. 2007]"""
    return Method()


@recipe()
def cfr_plus() -> Method:
    """CFR+: regret matching+ and linear averaging. [Tammelin 2014]"""
    return Method(minimiser=RMPlus(), averaging=Average(1.0))


@recipe()
def lcfr() -> Method:
    """Linear CFR: iteration t has weight t in regrets and in the average. [Brown and Sandholm 2019]"""
    return dcfr(1.0, 1.0, 1.0)


@recipe()
def dcfr(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0, order: str = "before") -> Method:
    """Discounted CFR; order `after` scales after adding, as OpenSpiel does. [Brown and Sandholm 2019]"""
    return Method(minimiser=_discounted("dcfr", alpha, beta, order), averaging=Average(_power("dcfr", "gamma", gamma)))


@recipe()
def pcfr_plus() -> Method:
    """Predictive CFR+ with quadratic averaging. [Farina, Kroer, Sandholm 2021]"""
    return Method(minimiser=PredictiveRMPlus(), averaging=Average(2.0))


def _discounted(word: str, alpha: float, beta: float, order: str) -> Discounted | DiscountedAfter:
    if order not in ("before", "after"):
        raise MethodError(f"{word}: order must be before or after, got {order!r}")
    made = Discounted if order == "before" else DiscountedAfter
    return made(_exponent(word, "alpha", alpha), _exponent(word, "beta", beta))


def _exponent(word: str, name: str, value: float) -> float:
    """A number, or inf (keep everything) or -inf (forget everything). dcfr(inf, -inf, 2) is CFR+ by another name."""
    return value if value in (math.inf, -math.inf) else number(word, name, value)


def _power(word: str, name: str, power: float) -> float:
    return number(word, name, power, 0.0, 20.0)


# ---- samplers


@recipe(samplers.External)
def external() -> Method:
    """External sampling: all own actions, one of everybody else's. [Lanctot et al. 2009]"""
    return Method(samplers.External())


@recipe(samplers.Outcome)
def outcome(epsilon: float = 0.6) -> Method:
    """Outcome sampling: one action at every node, own ones with exploration epsilon. [Lanctot et al. 2009]"""
    return Method(samplers.Outcome(number("outcome", "epsilon", epsilon, 0.0, 1.0)))


@recipe(samplers.Robust)
def robust(k: int = 1) -> Method:
    """Robust sampling: k own actions, drawn uniformly. [Li et al. 2020]"""
    return Method(samplers.Robust(whole("robust", "k", k, 1)))


@recipe(samplers.AverageStrategy)
def average_strategy(epsilon: float = 0.05, beta: float = 1e6, tau: float = 1e3) -> Method:
    """Average strategy sampling: a coin for each own action favours the average strategy. [Gibson et al. 2012, NIPS]"""
    word = "average_strategy"
    floor = number(word, "epsilon", epsilon, 1e-9, 1.0)
    return Method(samplers.AverageStrategy(floor, number(word, "beta", beta, 0.0), number(word, "tau", tau, 0.0)))


@recipe(samplers.Listed)
def include(p: float = 0.5, always: str = "ends") -> Method:
    """Visit some own actions always and each other one with probability p. [Gibson et al. 2012]

    always: `ends` (the first and the last: lowest and highest bid, fold and raise), `bluff` (the scheme for Bluff), or
    action labels separated by spaces.
    """
    if not isinstance(always, str):
        raise MethodError(f"include: always must be ends, bluff or action labels, got {always!r}")
    return Method(samplers.Listed(number("include", "p", p, 1e-9, 1.0), always))


@recipe(samplers.Chance)
def chance() -> Method:
    """Chance sampling: all actions of both players, one outcome of chance. [Zinkevich et al. 2007]"""
    return Method(samplers.Chance())


@recipe(samplers.Uniform)
def uniform() -> Method:
    """Uniform sampling: one action at every node, drawn uniformly. [Davis, Schmid, Bowling 2019]"""
    return Method(samplers.Uniform())


@recipe(samplers.OnPolicyOpponent)
def opponent_on_policy() -> Method:
    """One own action, drawn uniformly; everybody else's from their strategy. [Davis, Schmid, Bowling 2019]"""
    return Method(samplers.OnPolicyOpponent())


@recipe(samplers.Everything)
def everything() -> Method:
    """A walk that samples nothing: CFR node by node, for checks; sweeps (`cfr`) are much faster."""
    return Method(samplers.Everything())


# ---- estimators


@part(Plain)
def plain(method: Method) -> Method:
    """Plain importance sampling (the default)."""
    return dataclasses.replace(method, estimator=Plain())


@part(estimators.Probe)
def probe(method: Method, rollouts: int = 1) -> Method:
    """Probe each unvisited own action with this many rollouts. [Gibson et al. 2012]"""
    return dataclasses.replace(method, estimator=estimators.Probe(whole("probe", "rollouts", rollouts, 1)))


@part(estimators.PageRule)
def page_rule(method: Method) -> Method:
    """An exhibit, biased: multiplies regrets by the drawn opponent's probability again, as a web page does."""
    return dataclasses.replace(method, estimator=estimators.PageRule())


@part(estimators.Static)
def static(method: Method, strategy: Any = "call") -> Method:
    """A fixed baseline, the values of a strategy: `call` (check or call), `uniform`, a strategy file or a Strategy."""
    if strategy is None or isinstance(strategy, bool | int | float | list | tuple | dict):
        raise MethodError(
            f"static: strategy must be call, uniform, a strategy file or a Strategy, got {quoted(strategy)}"
        )
    return dataclasses.replace(method, estimator=estimators.Static(strategy))


@part(estimators.History)
def history(method: Method, rate: float = 0.0) -> Method:
    """A learned baseline for every history; rate 0 means the plain mean. [Davis, Schmid, Bowling 2019]"""
    return dataclasses.replace(method, estimator=estimators.History(number("history", "rate", rate, 0.0, 1.0)))


@part(estimators.Infoset)
def infoset(method: Method, rate: float = 0.0) -> Method:
    """A learned baseline for every infoset as the walker sees it; rate 0 means the plain mean. [Schmid et al. 2019]"""
    return dataclasses.replace(method, estimator=estimators.Infoset(number("infoset", "rate", rate, 0.0, 1.0)))


@part(estimators.Predictive)
def predictive(method: Method) -> Method:
    """The predictive baseline: values under the updated strategy. [Davis, Schmid, Bowling 2019]"""
    return dataclasses.replace(method, estimator=estimators.Predictive())


# ---- minimisers


@part(RM)
def rm(method: Method) -> Method:
    """Regret matching."""
    return dataclasses.replace(method, minimiser=RM())


@part(RMPlus)
def rm_plus(method: Method) -> Method:
    """Regret matching+: regrets never fall below 0. [Tammelin 2014]"""
    return dataclasses.replace(method, minimiser=RMPlus())


@part(PredictiveRMPlus)
def prm_plus(method: Method) -> Method:
    """Predictive regret matching+. [Farina, Kroer, Sandholm 2021]"""
    return dataclasses.replace(method, minimiser=PredictiveRMPlus())


@part(Discounted)
def discounted(method: Method, alpha: float = 1.5, beta: float = 0.0, order: str = "before") -> Method:
    """Discount regrets: positive ones by t^alpha, negative ones by t^beta. [Brown and Sandholm 2019]"""
    return dataclasses.replace(method, minimiser=_discounted("discounted", alpha, beta, order))


@part(Weighted)
def weighted(method: Method, power: float = 1.0) -> Method:
    """Iteration t has weight t^power in the regrets of a sampled method; power 1 is linear CFR."""
    return dataclasses.replace(method, minimiser=Weighted(_power("weighted", "power", power)))


# ---- averaging, and the rest


def _averaged(method: Method, **changes: Any) -> Method:
    return dataclasses.replace(method, averaging=method.averaging._replace(**changes))


@part()
def constant(method: Method) -> Method:
    """Every iteration has the same weight in the average."""
    return _averaged(method, power=0.0)


@part()
def linear(method: Method) -> Method:
    """Iteration t has weight t in the average."""
    return _averaged(method, power=1.0)


@part()
def quadratic(method: Method) -> Method:
    """Iteration t has weight t^2 in the average."""
    return _averaged(method, power=2.0)


@part()
def power(method: Method, weight: float) -> Method:
    """Iteration t has weight t^weight in the average."""
    return _averaged(method, power=_power("power", "weight", weight))


@part()
def skip(method: Method, iterations: int) -> Method:
    """Leave the first iterations out of the average. [Li et al. 2020]"""
    return _averaged(method, skip=whole("skip", "skip", iterations, 0))


@part(OwnAverage)
def own_average(method: Method) -> Method:
    """Average at the walker's own nodes, weighted by 1/q. [Lanctot 2013]"""
    return dataclasses.replace(method, averaging=OwnAverage(method.averaging.power, method.averaging.skip))


@part(OptimisticAverage)
def optimistic(method: Method) -> Method:
    """Average at own nodes, weighted by the iterations since the last visit: biased, for comparison. [Lanctot 2013]"""
    return dataclasses.replace(method, averaging=OptimisticAverage(method.averaging.power, method.averaging.skip))


@part(Floor)
def floor(method: Method, start: float = 0.01, until: float = 40_000.0) -> Method:
    """Play every action with at least `start`, a bound that falls to 0 at iteration `until`. [Lin 2024]"""
    least = number("floor", "start", start, 0.0, 1.0)
    return dataclasses.replace(method, play=Floor(least, number("floor", "until", until, 1.0, math.inf)))


@part()
def batch(method: Method, size: int) -> Method:
    """`size` iterations on a frozen strategy, then one update with their mean. [Li et al. 2020]"""
    return dataclasses.replace(method, batch=whole("batch", "size", size, 1))


@part()
def common(method: Method) -> Method:
    """Common random numbers: all lines of a walk use the same public card, so actions are compared under it."""
    return dataclasses.replace(method, common=True)


@part()
def simultaneous(method: Method) -> Method:
    """Update both players against the strategies of the last iteration."""
    return _in_turns(method, "simultaneous", True)


@part()
def alternating(method: Method) -> Method:
    """Update player 1 against player 0's new strategy (the default)."""
    return _in_turns(method, "alternating", False)


def _in_turns(method: Method, word: str, both: bool) -> Method:
    if method.samples:
        raise MethodError(f"{word} is for full-width methods; sampled methods update one player after the other")
    return dataclasses.replace(method, sampler=FullWidth(both))


# ---- writing


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
    words += [f"batch({method.batch})"] if method.batch > 1 else []
    words += ["common"] if method.common else []
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
    if isinstance(m, Discounted | DiscountedAfter):
        if type(m) is Discounted and m == (1.0, 1.0) and method.averaging.power == 1.0:
            return ["lcfr"], lcfr()
        keys = {"order": "after"} if isinstance(m, DiscountedAfter) else {}
        gamma = method.averaging.power
        return [str(Call("dcfr", (m.alpha, m.beta, gamma), keys))], Method(minimiser=m, averaging=Average(gamma))
    known = {RM: "cfr", RMPlus: "cfr_plus", PredictiveRMPlus: "pcfr_plus"}
    return [known.get(type(m), "cfr")], RECIPES[known.get(type(m), "cfr")]()


def _averaging_words(averaging: Any, described: Any) -> list[str]:
    names = {0.0: "constant", 1.0: "linear", 2.0: "quadratic"}
    words = []
    if averaging.power != described.power:
        words.append(names.get(averaging.power) or str(Call("power", (averaging.power,))))
    words += [str(Call("skip", (averaging.skip,)))] if averaging.skip else []
    return words + ([] if isinstance(averaging, Average) else [WORDS[type(averaging)]])
