"""The words of method strings: every sampler and part, with its parameters checked, after the full-width recipes."""

import dataclasses
import math
from typing import Any

import mccfr.solvers.training_words  # noqa: F401  more words
from mccfr.errors import MethodError, quoted
from mccfr.grammar import Call
from mccfr.kernel import estimators, samplers
from mccfr.kernel.averaging import Average, OptimisticAverage, OwnAverage, RestartedAverage, ScheduledAverage
from mccfr.kernel.estimators import Plain
from mccfr.kernel.minimisers import (
    RM,
    AsymmetricRMPlus,
    Discounted,
    PredictiveDiscounted,
    PredictiveRMPlus,
    RMPlus,
    Scheduled,
    Weighted,
)
from mccfr.kernel.play import Floor
from mccfr.solvers.counts_word import counted_outcome, outcome_call
from mccfr.solvers.full_width_words import asymmetric, discounted_by, scheduled_average_of
from mccfr.solvers.method import WRITERS, FullWidth, Method, part, recipe
from mccfr.solvers.word_values import exponent, number, power_of_t, truth, whole

# ---- samplers


@recipe(samplers.External)
def external() -> Method:
    """External sampling: all own actions, one of everybody else's. [Lanctot et al. 2009]"""
    return Method(samplers.External())


@recipe(samplers.Outcome, samplers.CountedOutcome)
def outcome(epsilon: float = 0.6, explore: Any = None, others: bool = False) -> Method:
    """Outcome sampling: one action at every node, own ones with exploration epsilon. [Lanctot et al. 2009]

    explore: counts, or counts(gamma=0.5, new_first=False, alpha=, beta=), to explore what was rarely drawn instead;
    with others=True at the other player's infosets too. [Li et al. 2020, eq. 8 and 9]
    """
    if explore is None:
        if truth("outcome", "others", others):
            raise MethodError("outcome: others=True goes with explore=counts; otherwise others are drawn on policy")
        return Method(samplers.Outcome(number("outcome", "epsilon", epsilon, 0.0, 1.0)))
    if epsilon != 0.6:
        raise MethodError("outcome: explore=counts takes the place of epsilon: its share is counts(alpha=...)")
    return Method(counted_outcome(explore, others))


WRITERS[samplers.CountedOutcome] = outcome_call


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


@part(estimators.Probe, estimators.GeneralProbe)
def probe(method: Method, rollouts: int = 1, share: float = 1.0, epsilon: float = 0.0, terminals: int = 1) -> Method:
    """Probe unvisited own actions with this many rollouts each. [Gibson et al. 2012]

    share: probe each of them with this probability only. epsilon: rollouts explore, and are weighted for it.
    terminals: every probe branches into so many rollouts at its first decision.
    """
    general = estimators.GeneralProbe(
        whole("probe", "rollouts", rollouts, 1),
        number("probe", "share", share, 1e-9, 1.0),
        number("probe", "epsilon", epsilon, 0.0, 1.0),
        whole("probe", "terminals", terminals, 1),
    )
    simple = estimators.Probe(general.rollouts)
    return dataclasses.replace(method, estimator=simple if general[1:] == estimators.GeneralProbe()[1:] else general)


def _probe_call(policy: estimators.GeneralProbe) -> Call:
    """`probe` with the options that differ from what it does without."""
    usual = policy._field_defaults
    kept = {name: value for name, value in policy._asdict().items() if name == "rollouts" or value != usual[name]}
    return Call("probe", (), kept)


WRITERS[estimators.GeneralProbe] = _probe_call


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


@part(PredictiveDiscounted)
def pdrm_plus(method: Method, alpha: float = 2.3) -> Method:
    """Predictive regret matching+ that discounts by t^alpha, for full-width methods. [Xu et al. 2024]"""
    return dataclasses.replace(method, minimiser=PredictiveDiscounted(exponent("pdrm_plus", "alpha", alpha)))


@part(AsymmetricRMPlus)
def saprm_plus(method: Method, asymmetry: float = 2.0) -> Method:
    """Predictive regret matching+ whose forecast counts 1 / (1 + asymmetry) only. [Meng et al. 2025]"""
    return dataclasses.replace(method, minimiser=asymmetric("saprm_plus", asymmetry))


@part(Scheduled)
def scheduled(method: Method, iterations: int = 1000) -> Method:
    """Discount regrets by a schedule for so many full-width iterations. [Zhang, McAleer, Sandholm 2026]"""
    return dataclasses.replace(method, minimiser=Scheduled(whole("scheduled", "iterations", iterations, 1)))


@part(Discounted)
def discounted(method: Method, alpha: float = 1.5, beta: float = 0.0, order: str = "before") -> Method:
    """Discount regrets: positive ones by t^alpha, negative ones by t^beta. [Brown and Sandholm 2019]"""
    return dataclasses.replace(method, minimiser=discounted_by("discounted", alpha, beta, order))


@part(Weighted)
def weighted(method: Method, power: float = 1.0) -> Method:
    """Iteration t has weight t^power in the regrets of a sampled method; power 1 is linear CFR."""
    return dataclasses.replace(method, minimiser=Weighted(power_of_t("weighted", "power", power)))


# ---- averaging, and the rest


def _averaged(method: Method, **changes: Any) -> Method:
    return dataclasses.replace(method, averaging=method.averaging._replace(**changes))


def _weighted_by(method: Method, power: float) -> Method:
    """The method with weights of this power of t in its average, which ends a schedule for them."""
    if isinstance(method.averaging, ScheduledAverage):
        return dataclasses.replace(method, averaging=Average(power, method.averaging.skip))
    return _averaged(method, power=power)


@part()
def constant(method: Method) -> Method:
    """Every iteration has the same weight in the average."""
    return _weighted_by(method, 0.0)


@part()
def linear(method: Method) -> Method:
    """Iteration t has weight t in the average."""
    return _weighted_by(method, 1.0)


@part()
def quadratic(method: Method) -> Method:
    """Iteration t has weight t^2 in the average."""
    return _weighted_by(method, 2.0)


@part()
def power(method: Method, weight: float) -> Method:
    """Iteration t has weight t^weight in the average."""
    return _weighted_by(method, power_of_t("power", "weight", weight))


@part()
def skip(method: Method, iterations: int, law: bool = True) -> Method:
    """Leave the first iterations out of the average. [Li et al. 2020]

    law=False: laws of vector forms that draw by averages still have them.
    """
    skipped = _averaged(method, skip=whole("skip", "skip", iterations, 0))
    if truth("skip", "law", law):
        return skipped
    if not isinstance(method.averaging, Average | OwnAverage):
        raise MethodError("skip: law=False is for vector and semi-vector forms that draw by averages (mas, was)")
    return _averaged(skipped, law_skips=False)


def _law_skips(method: Method) -> bool:
    return getattr(method.averaging, "law_skips", True)


def _refuse_kept_law(word: str, method: Method) -> None:
    if not _law_skips(method):
        raise MethodError(f"{word}: its average does not go with skip(law=False)")


@part(RestartedAverage)
def restarts(method: Method, base: int = 4) -> Method:
    """Begin the average of a full-width method anew after 1, base, base^2, ... iterations, and count powers of t there.

    The program postflop-solver does so.
    """
    _refuse_kept_law("restarts", method)
    if isinstance(method.averaging, ScheduledAverage):
        raise MethodError("restarts: an average by a schedule has no power of t to restart: write power(3)+restarts")
    faded = RestartedAverage(method.averaging.power, method.averaging.skip, whole("restarts", "base", base, 2))
    return dataclasses.replace(method, averaging=faded)


@part(ScheduledAverage)
def scheduled_average(method: Method, gamma: float = 30.0, iterations: int = 1000) -> Method:
    """Fade old strategies by a schedule for so many full-width iterations. [Zhang, McAleer, Sandholm 2026]"""
    _refuse_kept_law("scheduled_average", method)
    faded = scheduled_average_of("scheduled_average", gamma, iterations)
    return dataclasses.replace(method, averaging=faded._replace(skip=method.averaging.skip))


@part(OwnAverage)
def own_average(method: Method, others: bool = True) -> Method:
    """Average at own nodes, weighted by 1/q; biased if others' draws are not in q. [Lanctot 2013; Li et al. 2020]"""
    power, skipped = method.averaging[:2]
    divided = truth("own_average", "others", others)
    return dataclasses.replace(method, averaging=OwnAverage(power, skipped, _law_skips(method), divided))


@part(OptimisticAverage)
def optimistic(method: Method) -> Method:
    """Average at own nodes, weighted by the iterations since the last visit: biased, for comparison. [Lanctot 2013]"""
    _refuse_kept_law("optimistic", method)
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
