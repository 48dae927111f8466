"""Regret minimisers: how a row of regrets takes in new action values and what strategy it then recommends.

r(a) = w (v(a) - value)         the (sampled) regret of action a
[x]+ = max(x, 0)
"""

from typing import NamedTuple

import numpy as np

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import f64


class RM(NamedTuple):
    """Regret matching: R += r, sigma ~ [R]+. [Hart and Mas-Colell 2000; Zinkevich et al. 2007]"""


class RMPlus(NamedTuple):
    """Regret matching+: R = [R + r]+, sigma ~ R. [Tammelin 2014]"""


class Discounted(NamedTuple):
    """Discounted regret matching, paper order: old regrets are scaled, then r is added. [Brown and Sandholm 2019, 3]

    R = d(R) R + r,  d = (t-1)^alpha / ((t-1)^alpha + 1) where R > 0, the same with beta where R < 0.
    (1, 1) is linear CFR.
    """

    alpha: float = 1.5
    beta: float = 0.0


class DiscountedAfter(NamedTuple):
    """Discounted regret matching in the order of OpenSpiel: r is added, then the sum is scaled.

    R = d(R + r) (R + r),  d = t^alpha / (t^alpha + 1) where R + r > 0, the same with beta where it is negative.
    """

    alpha: float = 1.5
    beta: float = 0.0


class PredictiveRMPlus(NamedTuple):
    """Predictive regret matching+: R = [R + r]+, sigma ~ [R + r]+ with r again as the forecast of the next regret.

    [Farina, Kroer, Sandholm 2021, algorithm 2]
    """


@verb
def pace(minimiser, t):
    """Two numbers about iteration t, worked out once for all its infosets and handed to `absorb`."""


@verb
def absorb(minimiser, table, o, k, v, g, value, w, scales):
    """Take in action values v[g : g+k] of mean `value` with weight w at entries o .. o+k-1; refresh their strategy."""


@inlined
def match(table, o, k, total):
    """Regret matching of a row whose candidate weights are already in `current`; `total` is their sum."""
    if total > 0.0:
        share = 1.0 / total
        for a in range(k):
            table.current[o + a] *= share
    else:
        for a in range(k):
            table.current[o + a] = 1.0 / f64(k)


@inlined
def discount(t, exponent):
    """t^x / (t^x + 1), with its limits 1 and 0 at x = inf and -inf; at t = 0 there is nothing to scale yet."""
    if t == 0.0:
        return 0.0
    if exponent == np.inf:
        return 1.0
    if exponent == -np.inf:
        return 0.0
    power = t**exponent
    return power / (power + 1.0) if power < np.inf else 1.0


@pace.register(RM, RMPlus, PredictiveRMPlus)
def _(minimiser, t):
    return 1.0, 1.0


@pace.register(Discounted)
def _(minimiser, t):
    return discount(t - 1.0, minimiser.alpha), discount(t - 1.0, minimiser.beta)


@pace.register(DiscountedAfter)
def _(minimiser, t):
    return discount(t, minimiser.alpha), discount(t, minimiser.beta)


@absorb.register(RM)
def _(minimiser, table, o, k, v, g, value, w, scales):
    total = 0.0
    for a in range(k):
        r = table.regret[o + a] + w * (v[g + a] - value)
        table.regret[o + a] = r
        table.current[o + a] = max(r, 0.0)
        total += max(r, 0.0)
    match(table, o, k, total)


@absorb.register(RMPlus)
def _(minimiser, table, o, k, v, g, value, w, scales):
    total = 0.0
    for a in range(k):
        r = max(table.regret[o + a] + w * (v[g + a] - value), 0.0)
        table.regret[o + a] = r
        table.current[o + a] = r
        total += r
    match(table, o, k, total)


@absorb.register(Discounted)
def _(minimiser, table, o, k, v, g, value, w, scales):
    total = 0.0
    for a in range(k):
        r = table.regret[o + a]
        r = r * (scales[0] if r > 0.0 else scales[1]) + w * (v[g + a] - value)
        table.regret[o + a] = r
        table.current[o + a] = max(r, 0.0)
        total += max(r, 0.0)
    match(table, o, k, total)


@absorb.register(DiscountedAfter)
def _(minimiser, table, o, k, v, g, value, w, scales):
    total = 0.0
    for a in range(k):
        r = table.regret[o + a] + w * (v[g + a] - value)
        r *= scales[0] if r > 0.0 else scales[1]
        table.regret[o + a] = r
        table.current[o + a] = max(r, 0.0)
        total += max(r, 0.0)
    match(table, o, k, total)


@absorb.register(PredictiveRMPlus)
def _(minimiser, table, o, k, v, g, value, w, scales):
    total = 0.0
    for a in range(k):
        r = w * (v[g + a] - value)
        kept = max(table.regret[o + a] + r, 0.0)
        table.regret[o + a] = kept
        table.current[o + a] = max(kept + r, 0.0)
        total += max(kept + r, 0.0)
    match(table, o, k, total)
