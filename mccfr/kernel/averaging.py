"""Averaging: how much the strategy of iteration t counts in the average."""

from typing import NamedTuple

from mccfr.kernel.dispatch import inlined, verb


class Average(NamedTuple):
    """Iteration t counts t^power, and nothing up to `skip`. Power 0: CFR, 1: CFR+ and linear CFR, gamma: DCFR.

    t^gamma equals the running discount (t/(t+1))^gamma of [Brown and Sandholm 2019] up to a common factor.
    Skipping leaves early strategies out; regrets are kept. [Li et al. 2020, 4.3]
    """

    power: float = 0.0
    skip: int = 0


@verb
def importance(averaging, t):
    """Weight of iteration t."""


@importance.register(Average)
def _(averaging, t):
    return t**averaging.power if t > averaging.skip else 0.0


@inlined
def remember(table, o, k, w):
    """Add the current strategy of entries o .. o+k-1 to the average with weight w."""
    for a in range(k):
        table.average[o + a] += w * table.current[o + a]
