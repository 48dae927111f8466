"""Averaging: where strategies are added to the average, and how much the one of iteration t counts."""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import verb


class Average(NamedTuple):
    """Iteration t counts t^power, and nothing up to `skip`. Power 0: CFR, 1: CFR+ and linear CFR, gamma: DCFR.

    t^gamma equals the running discount (t/(t+1))^gamma of [Brown and Sandholm 2019] up to a common factor.
    Skipping leaves early strategies out; regrets are kept. [Li et al. 2020, 4.3]
    The words are `constant`, `linear`, `quadratic`, `power(weight)` and `skip(iterations)`.

    Attributes:
        power: The power of t with which iteration t counts.
        skip: How many iterations to leave out at the beginning.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.External(), averaging=mccfr.averaging.Average(1.0, skip=100)))
        external+linear+skip(100)
    """

    power: float = 0.0
    skip: int = 0


class OwnAverage(NamedTuple):
    """As `Average`, but added at the walker's own nodes with weight pi_i / q: stochastically weighted averaging.

    The same mean, more variance; the only way when one trajectory must serve both players. [Lanctot 2013, 4.4]
    The word is `own_average`.

    Attributes:
        power: The power of t with which iteration t counts.
        skip: How many iterations to leave out at the beginning.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.External(), averaging=mccfr.averaging.OwnAverage(1.0)))
        external+linear+own_average
    """

    power: float = 0.0
    skip: int = 0


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


OTHERS, OWN, OPTIMISTIC = 0, 1, 2


@verb
def where(averaging):
    """At whose nodes strategies are added: OTHERS (of the walker), its OWN, or its own with an OPTIMISTIC weight."""


@verb
def importance(averaging, t):
    """Weight of iteration t."""


@verb
def own_visit(averaging, table, p, s, o, k, weight, reach, t):
    """The walker is at its own row o with strategy p[s : s+k] and reach pi_i (divided by q, if OWN)."""


where.register(Average)(lambda averaging: OTHERS)
where.register(OwnAverage)(lambda averaging: OWN)
where.register(OptimisticAverage)(lambda averaging: OPTIMISTIC)


@importance.register(Average, OwnAverage, OptimisticAverage)
def _(averaging, t):
    if t > averaging.skip:
        return 1.0 if averaging.power == 0.0 else t**averaging.power
    return 0.0


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
