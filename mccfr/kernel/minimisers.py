"""Regret minimisers: how a row of regrets takes in new action values and what strategy it then recommends.

r(a) = w (v(a) - value)         the (sampled) regret of action a
[x]+ = max(x, 0)
"""

import math
from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, LeanTable, f64, u64

LEAST = 1e-300  # regrets that sum to less count as none: 1 / total must be finite


class RM(NamedTuple):
    """Regret matching: R += r, sigma ~ [R]+. [Hart and Mas-Colell 2000; Zinkevich et al. 2007]

    This is the default; the word is `rm`.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("external").minimiser
        RM()
    """


class RMPlus(NamedTuple):
    """Regret matching+: R = [R + r]+, sigma ~ R. [Tammelin 2014]

    The word is `rm_plus`.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.External(), mccfr.minimisers.RMPlus()))
        external+rm_plus
    """


class Discounted(NamedTuple):
    """Discounted regret matching, paper order: old regrets are scaled, then r is added. [Brown and Sandholm 2019, 3]

    R = d(R) R + r,  d = (t-1)^alpha / ((t-1)^alpha + 1) where R > 0, the same with beta where R < 0.
    (1, 1) is linear CFR. The words are `discounted(alpha=1.5, beta=0)` and, for full-width methods, `dcfr` and `lcfr`.

    Attributes:
        alpha: The exponent for positive regrets; inf keeps all of them, -inf none.
        beta: The exponent for negative regrets; inf keeps all of them, -inf none.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(minimiser=mccfr.minimisers.Discounted(1.5, 0.0), averaging=mccfr.averaging.Average(2.0)))
        dcfr(1.5, 0, 2)
    """

    alpha: float = 1.5
    beta: float = 0.0


class DiscountedAfter(NamedTuple):
    """Discounted regret matching in the order of OpenSpiel: r is added, then the sum is scaled.

    R = d(R + r) (R + r),  d = t^alpha / (t^alpha + 1) where R + r > 0, the same with beta where it is negative.
    It is for full-width methods only; the word is `dcfr(1.5, 0, 2, order=after)`.

    Attributes:
        alpha: The exponent for positive regrets; inf keeps all of them, -inf none.
        beta: The exponent for negative regrets; inf keeps all of them, -inf none.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("dcfr(order=after)").minimiser
        DiscountedAfter(alpha=1.5, beta=0.0)
    """

    alpha: float = 1.5
    beta: float = 0.0


class PredictiveRMPlus(NamedTuple):
    """Predictive regret matching+: R = [R + r]+, sigma ~ [R + r]+ with r again as the forecast of the next regret.

    [Farina, Kroer, Sandholm 2021, algorithm 2]. The word is `prm_plus`; with quadratic averaging and full-width
    iterations it is `pcfr_plus`. Under sampling the forecast is a single noisy draw.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("pcfr_plus").minimiser
        PredictiveRMPlus()
    """


class PredictiveDiscounted(NamedTuple):
    """Predictive regret matching+ that discounts: R = [d(t-1) R + r]+, sigma ~ [d(t) R + r]+.

    d(t) = t^alpha / (t^alpha + 1). The forecast of the next regret is r again, and the next iteration keeps d(t) R.
    [Xu et al. 2024, section 4], where section 5.2, like the authors' program, has alpha = 2.3 and averages of power 5.
    The word is `pdrm_plus(alpha=2.3)`; with that average it is `pdcfr_plus`. It is for full-width methods only. Without
    the forecast it would be `Discounted` with beta = -inf, `dcfr_plus`.

    Attributes:
        alpha: The exponent; inf keeps all of the old regrets, which is `PredictiveRMPlus`.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("pdcfr_plus").minimiser
        PredictiveDiscounted(alpha=2.3)
    """

    alpha: float = 2.3


class AsymmetricRMPlus(NamedTuple):
    """Predictive regret matching+ that trusts its forecast less: R = [R + r]+, sigma ~ [R + r / (1 + asymmetry)]+.

    SAPCFR+ of [Meng et al. 2025, section 4.2], whose constant asymmetry of 2 makes the forecast count 1/3; 0 is
    `PredictiveRMPlus`. The word is `saprm_plus(asymmetry=2)`; with quadratic averaging it is `sapcfr_plus`.

    Attributes:
        asymmetry: How much shorter the step by the forecast is than the step by the regret, from 0.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("sapcfr_plus").minimiser
        AsymmetricRMPlus(asymmetry=2.0)
    """

    asymmetry: float = 2.0


class Scheduled(NamedTuple):
    """`Discounted` with exponents that change: alpha = 1 + 3 x, beta = -1 - 2 x, x = (t-1) / iterations, at most 1.

    HS-DCFR of [Zhang, McAleer, Sandholm 2026, equations 2 and 4]. There `iterations` is the length of the run; here
    the exponents stay at 4 and -3 in whatever follows. The word is `scheduled(iterations=1000)`; with
    `ScheduledAverage` it is `hs_dcfr`. It is for full-width methods only.

    Attributes:
        iterations: When the exponents have come to their last values.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("hs_dcfr").minimiser
        Scheduled(iterations=1000)
    """

    iterations: int = 1000


class Weighted(NamedTuple):
    """Regret matching with R += t^power r. Power 1: linear CFR. [Brown and Sandholm 2019]

    It is for sampled methods only; full-width ones have `lcfr`. The word is `weighted(power=1)`.

    Attributes:
        power: The power of t with which iteration t counts in the regrets.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.External(), mccfr.minimisers.Weighted(1.0)))
        external+weighted(power=1)
    """

    power: float = 1.0


class LazilyDiscounted(NamedTuple):
    """`Discounted` for walks: a row that was missed since iteration `last` catches up when it is next visited.

    A solver makes it from `Discounted` where it is needed.

    Attributes:
        alpha: The exponent for positive regrets.
        beta: The exponent for negative regrets.
        last: float64[entries] When each row was last visited.
        keep: float64[2 (iterations + 1)] keep[2 t], keep[2 t + 1]: logarithms of the products up to t of the factors
            for positive and negative regrets.
    """

    alpha: float = 1.5
    beta: float = 0.0
    last: Any = None  # float64[entries]
    keep: Any = None  # float64[2 (iterations + 1)]


class Deferred(NamedTuple):
    """Gathers regrets while the strategy is frozen; every `batch` iterations their mean goes to the minimiser inside.

    Mini-batches [Li et al. 2020, Double Neural CFR, 3.2], and walks that may meet an infoset twice. A solver makes it
    where it is needed; the word for batches is `batch(size)`.

    Attributes:
        inside: The minimiser that gets the mean regrets.
        batch: How many iterations the strategy is frozen for.
        delta: float64[entries] The regrets gathered.
        waiting: uint64[2 rows] First entry and number of actions of the rows to update.
        count: uint64[1] How many rows wait.
        marked: uint8[entries] Whether a row is waiting.
    """

    inside: Any
    batch: int
    delta: Any  # float64[entries]
    waiting: Any  # uint64[2 rows] first entry and arity of the rows to update
    count: Any  # uint64[1] how many
    marked: Any  # uint8[entries] whether a row is waiting


@verb
def settle(minimiser, table, t, scales):
    """An iteration is over."""


@verb
def pace(minimiser, t):
    """Two numbers about iteration t, worked out once for all its infosets and handed to `absorb`."""


@verb
def absorb(minimiser, table, o, k, v, g, value, w, scales):
    """Take in action values v[g : g+k] of mean `value` with weight w at entries o .. o+k-1; refresh their strategy."""


@verb
def rounding(table):
    """Up to which sum the weights of a row are rounding, and mean nothing."""


@verb
def renew(minimiser, old, r, scales):
    """What the regret `old` of an action becomes by the new one r, and the weight with which it is then played."""


@verb
def propose(table, x, weight):
    """Note the weight with which entry x is to be played; `match` follows when the whole row has been noted."""


@verb
def match(table, o, k, total):
    """Regret matching of a row whose weights have been proposed; `total` is their sum.

    1e-17 in place of a regret that is exactly 0 would make an even strategy pure: see `layout.Rounded`.
    """


propose.register(LeanTable)(lambda table, x, weight: None)
match.register(LeanTable)(lambda table, o, k, total: None)


@propose.otherwise
def _(table, x, weight):
    table.current[x] = weight


@match.otherwise
def _(table, o, k, total):
    if total > rounding(table):
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


@pace.otherwise
def _(minimiser, t):
    return 1.0, 1.0


@pace.register(Discounted)
def _(minimiser, t):
    return discount(t - 1.0, minimiser.alpha), discount(t - 1.0, minimiser.beta)


@pace.register(DiscountedAfter)
def _(minimiser, t):
    return discount(t, minimiser.alpha), discount(t, minimiser.beta)


@pace.register(PredictiveDiscounted)
def _(minimiser, t):
    return discount(t - 1.0, minimiser.alpha), discount(t, minimiser.alpha)


@pace.register(Scheduled)
def _(minimiser, t):
    x = min((t - 1.0) / minimiser.iterations, 1.0)
    return discount(t - 1.0, 1.0 + 3.0 * x), discount(t - 1.0, -1.0 - 2.0 * x)


@absorb.register(
    *(RM, RMPlus, Discounted, DiscountedAfter, PredictiveRMPlus, PredictiveDiscounted, AsymmetricRMPlus),
    *(Scheduled, Weighted),
)
def renew_each(minimiser, table, o, k, v, g, value, w, scales):
    """`absorb` for every minimiser that treats actions one by one: regrets and weights by `renew`."""
    total = 0.0
    for a in range(k):
        kept, weight = renew(minimiser, table.regret[o + a], w * (v[g + a] - value), scales)
        table.regret[o + a] = kept
        propose(table, o + a, weight)
        total += weight
    match(table, o, k, total)


@renew.register(RM)
def _(minimiser, old, r, scales):
    return old + r, max(old + r, 0.0)


@renew.register(RMPlus)
def _(minimiser, old, r, scales):
    return max(old + r, 0.0), max(old + r, 0.0)


@renew.register(Discounted, Scheduled)
def _(minimiser, old, r, scales):
    kept = old * (scales[0] if old > 0.0 else scales[1]) + r
    return kept, max(kept, 0.0)


@renew.register(DiscountedAfter)
def _(minimiser, old, r, scales):
    kept = (old + r) * (scales[0] if old + r > 0.0 else scales[1])
    return kept, max(kept, 0.0)


@renew.register(PredictiveRMPlus)
def _(minimiser, old, r, scales):
    kept = max(old + r, 0.0)
    return kept, max(kept + r, 0.0)


@renew.register(PredictiveDiscounted)
def _(minimiser, old, r, scales):
    kept = max(scales[0] * old + r, 0.0)
    return kept, max(scales[1] * kept + r, 0.0)


@renew.register(AsymmetricRMPlus)
def _(minimiser, old, r, scales):
    kept = max(old + r, 0.0)
    return kept, max(kept + scales[0] * r, 0.0)


@renew.register(Weighted)
def _(minimiser, old, r, scales):
    kept = old + scales[0] * r
    return kept, max(kept, 0.0)


rounding.otherwise(lambda table: LEAST)
settle.otherwise(lambda minimiser, table, t, scales: None)
pace.register(AsymmetricRMPlus)(lambda minimiser, t: (1.0 / (1.0 + minimiser.asymmetry), 0.0))
pace.register(Weighted)(lambda minimiser, t: (t if minimiser.power == 1.0 else t**minimiser.power, 0.0))
pace.register(LazilyDiscounted)(lambda minimiser, t: (t, 0.0))
pace.register(Deferred)(lambda minimiser, t: pace(minimiser.inside, t))


@absorb.register(LazilyDiscounted)
def _(minimiser, table, o, k, v, g, value, w, scales):
    now, before = u64(scales[0] - 1.0), u64(max(minimiser.last[o] - 1.0, 0.0))
    positive = math.exp(minimiser.keep[now + now] - minimiser.keep[before + before])
    negative = math.exp(minimiser.keep[now + now + U1] - minimiser.keep[before + before + U1])
    minimiser.last[o] = scales[0]
    late = Discounted(minimiser.alpha, minimiser.beta)
    absorb(late, table, o, k, v, g, value, w, (positive, negative))


@absorb.register(Deferred)
def _(minimiser, table, o, k, v, g, value, w, scales):
    if minimiser.marked[o] == 0:
        minimiser.marked[o] = 1
        at = minimiser.count[U0] << U1
        minimiser.waiting[at] = o
        minimiser.waiting[at + U1] = k
        minimiser.count[U0] += U1
    for a in range(k):
        minimiser.delta[o + a] += w * (v[g + a] - value)


@settle.register(Deferred)
def _(minimiser, table, t, scales):
    if u64(t) % u64(minimiser.batch) != U0:
        return
    for j in range(minimiser.count[U0]):
        o, k = minimiser.waiting[j << U1], minimiser.waiting[(j << U1) + U1]
        share = 1.0 / f64(minimiser.batch)
        absorb(minimiser.inside, table, o, k, minimiser.delta, o, 0.0, share, scales)
        minimiser.delta[o : o + k] = 0.0
        minimiser.marked[o] = 0
    minimiser.count[U0] = U0
