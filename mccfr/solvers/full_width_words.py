"""The recipes of full-width methods, with their parameters checked."""

import math

from mccfr.errors import MethodError
from mccfr.kernel.averaging import Average, RestartedAverage, ScheduledAverage
from mccfr.kernel.minimisers import (
    AsymmetricRMPlus,
    Discounted,
    DiscountedAfter,
    PredictiveDiscounted,
    PredictiveRMPlus,
    RMPlus,
    Scheduled,
)
from mccfr.solvers.method import LinearProgramme, Method, recipe
from mccfr.solvers.word_values import exponent, number, power_of_t, whole


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
    return Method(
        minimiser=discounted_by("dcfr", alpha, beta, order), averaging=Average(power_of_t("dcfr", "gamma", gamma))
    )


@recipe()
def pcfr_plus() -> Method:
    """Predictive CFR+ with quadratic averaging. [Farina, Kroer, Sandholm 2021]"""
    return Method(minimiser=PredictiveRMPlus(), averaging=Average(2.0))


@recipe()
def dcfr_plus(alpha: float = 1.5, gamma: float = 4.0) -> Method:
    """DCFR+: CFR+ that discounts; the same as dcfr(alpha, -inf, gamma). [Xu et al. 2024]"""
    return dcfr(exponent("dcfr_plus", "alpha", alpha), -math.inf, power_of_t("dcfr_plus", "gamma", gamma))


@recipe()
def pdcfr_plus(alpha: float = 2.3, gamma: float = 5.0) -> Method:
    """PDCFR+: predictive CFR+ that discounts, and iteration t has weight t^gamma in the average. [Xu et al. 2024]"""
    minimiser = PredictiveDiscounted(exponent("pdcfr_plus", "alpha", alpha))
    return Method(minimiser=minimiser, averaging=Average(power_of_t("pdcfr_plus", "gamma", gamma)))


@recipe()
def sapcfr_plus(asymmetry: float = 2.0) -> Method:
    """SAPCFR+: predictive CFR+ whose forecast counts 1 / (1 + asymmetry) only. [Meng et al. 2025]"""
    return Method(minimiser=asymmetric("sapcfr_plus", asymmetry), averaging=Average(2.0))


@recipe()
def hs_dcfr(gamma: float = 30.0, iterations: int = 1000) -> Method:
    """HS-DCFR: discounts follow a schedule for a run of so many iterations. [Zhang, McAleer, Sandholm 2026]

    alpha rises from 1 to 4, beta falls from -1 to -3, and gamma, by which old strategies fade, falls by 5.
    """
    faded = scheduled_average_of("hs_dcfr", gamma, iterations)
    return Method(minimiser=Scheduled(faded.iterations), averaging=faded)


@recipe()
def hs_pcfr_plus(gamma: float = 30.0, iterations: int = 1000) -> Method:
    """HS-PCFR+: predictive CFR+ whose average follows a schedule, as in hs_dcfr. [Zhang, McAleer, Sandholm 2026]"""
    return Method(minimiser=PredictiveRMPlus(), averaging=scheduled_average_of("hs_pcfr_plus", gamma, iterations))


@recipe()
def dcfr_restarts(alpha: float = 1.5, beta: float = 0.0, gamma: float = 3.0, base: int = 4) -> Method:
    """Discounted CFR whose average restarts after 1, base, base^2, ... iterations, as the program postflop-solver's."""
    word = "dcfr_restarts"
    faded = RestartedAverage(power_of_t(word, "gamma", gamma), base=whole(word, "base", base, 2))
    return Method(minimiser=discounted_by(word, alpha, beta, "before"), averaging=faded)


def asymmetric(word: str, asymmetry: float) -> AsymmetricRMPlus:
    return AsymmetricRMPlus(number(word, "asymmetry", asymmetry, 0.0))


def scheduled_average_of(word: str, gamma: float, iterations: int) -> ScheduledAverage:
    first = number(word, "gamma", gamma, 0.0, 40.0)  # what is never played again fades like t^-gamma, and not to 0
    return ScheduledAverage(first, iterations=whole(word, "iterations", iterations, 1))


def discounted_by(word: str, alpha: float, beta: float, order: str) -> Discounted | DiscountedAfter:
    if order not in ("before", "after"):
        raise MethodError(f"{word}: order must be before or after, got {order!r}")
    made = Discounted if order == "before" else DiscountedAfter
    return made(exponent(word, "alpha", alpha), exponent(word, "beta", beta))
