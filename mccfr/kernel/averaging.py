"""Averaging: where strategies are added to the average, and how much the one of iteration t counts."""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import entry, inlined, verb


class Average(NamedTuple):
    """Iteration t counts t^power, and nothing up to `skip`. Power 0: CFR, 1: CFR+ and linear CFR, gamma: DCFR.

    t^gamma equals the running discount (t/(t+1))^gamma of [Brown and Sandholm 2019] up to a common factor.
    Skipping leaves early strategies out; regrets are kept. [Li et al. 2020, 4.3] The paper does not say whether its law
    of averages skips them as well: if not `law_skips`, only the reported average does.
    The words are `constant`, `linear`, `quadratic`, `power(weight)` and `skip(iterations, law=True)`.

    Attributes:
        power: The power of t with which iteration t counts.
        skip: How many iterations to leave out at the beginning.
        law_skips: Whether a law that draws by averages leaves them out, too.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.External(), averaging=mccfr.averaging.Average(1.0, skip=100)))
        external+linear+skip(100)
    """

    power: float = 0.0
    skip: int = 0
    law_skips: bool = True


class OwnAverage(NamedTuple):
    """As `Average`, but added at the walker's own nodes with weight pi_i / q: stochastically weighted averaging.

    The same mean, more variance; the only way when one trajectory must serve both players. [Lanctot 2013, 4.4]
    Without `others`, q leaves out the other player's draws. **Biased**: iterations count as often as they come by, so
    the more, the likelier the other player was to come here. It is what a program does that adds strategies where it
    adds regrets; Li et al. 2020 divide what is won by the probability of own draws only (below equation 3).
    The word is `own_average(others=True)`.

    Attributes:
        power: The power of t with which iteration t counts.
        skip: How many iterations to leave out at the beginning.
        law_skips: Whether a law that draws by averages leaves them out, too.
        others: Whether the probability of the other player's draws is in q.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.External(), averaging=mccfr.averaging.OwnAverage(1.0)))
        external+linear+own_average
    """

    power: float = 0.0
    skip: int = 0
    law_skips: bool = True
    others: bool = True


class OptimisticAverage(NamedTuple):
    """At own nodes with weight pi_i times the iterations since the last visit. **Biased.** [Lanctot 2013, 4.4]

    It takes for granted that the strategy would have been met as it is now in all the iterations that missed it.
    The word is `optimistic`.

    Attributes:
        power: The power of t with which iteration t counts.
        skip: How many iterations to leave out at the beginning.
        last: float64[entries] When the row was last visited; a table that the solver makes.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Outcome(), averaging=mccfr.averaging.OptimisticAverage()))
        outcome(epsilon=0.6)+optimistic
    """

    power: float = 0.0
    skip: int = 0
    last: Any = None  # float64[entries] when the row was last visited


class RestartedAverage(NamedTuple):
    """As `Average`, but begun anew after 1, base, base^2, ... iterations; powers of t are counted from there.

    With p the largest power of base up to t - 1, iteration t counts (t - p)^power. That equals, up to a common factor,
    the running form in which the old sums are multiplied by ((t - 1 - p) / (t - p))^power before iteration t counts 1,
    as the program postflop-solver does with base 4 and power 3. It is for full-width methods only; the word is
    `restarts(base=4)`, and `dcfr_restarts` is that program's recipe.

    Attributes:
        power: The power with which an iteration counts.
        skip: How many iterations to leave out at the beginning.
        base: The average restarts after powers of this whole number, from 2.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("dcfr_restarts").averaging
        RestartedAverage(power=3.0, skip=0, base=4)
    """

    power: float = 3.0
    skip: int = 0
    base: int = 4


class ScheduledAverage(NamedTuple):
    """Old sums fade by ((t-1) / t)^gamma before iteration t counts 1, where gamma = power - 5 (t-1) / iterations.

    [Zhang, McAleer, Sandholm 2026, equations 3 and 4]. Since gamma changes, no power of t says the same; as a running
    factor it cannot overflow. In the paper `iterations` is the length of the run; here gamma stays at power - 5 (but
    not below 0) in whatever follows. It is for full-width methods only; the word is `scheduled_average(gamma=30)`.

    Attributes:
        power: The first gamma: 30, or 15.
        skip: How many iterations to leave out at the beginning.
        iterations: When gamma has come to its last value.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("hs_dcfr(15)").averaging
        ScheduledAverage(power=15.0, skip=0, iterations=1000)
    """

    power: float = 30.0
    skip: int = 0
    iterations: int = 1000


OTHERS, OWN, OPTIMISTIC = 0, 1, 2


@inlined
def power_of(t, power):
    """t^power; of the first power nothing is left to the mathematical library, whose last digits differ on a GPU."""
    return t if power == 1.0 else t**power


@verb
def where(averaging):
    """At whose nodes strategies are added: OTHERS (of the walker), its OWN, or its own with an OPTIMISTIC weight."""


@verb
def divides_by_others(averaging):
    """Whether an average at own nodes is divided by the probability of what the other player drew."""


@verb
def importance(averaging, t):
    """Weight of iteration t."""


@verb
def fade(averaging, t):
    """The factor by which all averages are multiplied before iteration t adds to them; asked by full sweeps only."""


@verb
def own_visit(averaging, table, p, s, o, k, weight, reach, t):
    """The walker is at its own row o with strategy p[s : s+k] and reach pi_i (divided by q, if OWN)."""


where.register(Average, RestartedAverage, ScheduledAverage)(lambda averaging: OTHERS)
where.register(OwnAverage)(lambda averaging: OWN)
where.register(OptimisticAverage)(lambda averaging: OPTIMISTIC)
divides_by_others.otherwise(lambda averaging: True)
divides_by_others.register(OwnAverage)(lambda averaging: averaging.others)


@importance.register(Average, OwnAverage, OptimisticAverage)
def _(averaging, t):
    if t > averaging.skip:
        return 1.0 if averaging.power == 0.0 else power_of(t, averaging.power)
    return 0.0


@importance.register(RestartedAverage)
def _(averaging, t):
    if t > averaging.skip:
        return (t - last_restart(averaging.base, t)) ** averaging.power
    return 0.0


importance.register(ScheduledAverage)(lambda averaging, t: 1.0 if t > averaging.skip else 0.0)
fade.otherwise(lambda averaging, t: 1.0)


@fade.register(RestartedAverage)
def _(averaging, t):
    return 0.0 if last_restart(averaging.base, t) == t - 1.0 else 1.0


@fade.register(ScheduledAverage)
def _(averaging, t):
    gamma = averaging.power - 5.0 * min((t - 1.0) / averaging.iterations, 1.0)
    return ((t - 1.0) / t) ** max(gamma, 0.0)


@inlined
def last_restart(base, t):
    """The largest power of base up to t - 1; 0 in the first iteration."""
    if t < 2.0:
        return 0.0
    restart = 1.0
    while restart * base <= t - 1.0:
        restart *= base
    return restart


@inlined
def fade_all(averaging, table, t):
    """Multiply all averages by the factor of iteration t; where that is always 1, this compiles to nothing."""
    factor = fade(averaging, t)
    if factor != 1.0:
        for x in range(len(table.average)):
            table.average[x] *= factor


@entry
def fade_averages(averaging, table, t):
    """`fade_all` by itself, for engines whose iterations are made of several kernels."""
    fade_all(averaging, table, t)


@verb
def remember(table, p, s, o, k, w):
    """Add the strategy p[s : s+k] to the average of entries o .. o+k-1 with weight w."""


@remember.otherwise
def _(table, p, s, o, k, w):
    for a in range(k):
        table.average[o + a] += w * p[s + a]


own_visit.otherwise(lambda averaging, table, p, s, o, k, weight, reach, t: None)


@own_visit.register(OwnAverage)
def _(averaging, table, p, s, o, k, weight, reach, t):
    remember(table, p, s, o, k, weight * reach)


@own_visit.register(OptimisticAverage)
def _(averaging, table, p, s, o, k, weight, reach, t):
    remember(table, p, s, o, k, weight * reach * (t - averaging.last[o]))
    averaging.last[o] = t
