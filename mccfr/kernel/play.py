"""What is played during a walk: the strategy the regrets recommend, or a bent one. Asked on entry, kept for the way up.

A private table answers with its own memory; a bent strategy, and one that is worked out from regrets, is written into
the walker's frame and answered from there, so that what was drawn from is what is divided by.
"""

from typing import NamedTuple

from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.layout import U1, LeanTable, f64, u64
from mccfr.kernel.minimisers import LEAST


class AsLearned(NamedTuple):
    """The current strategy as it is."""


class Floor(NamedTuple):
    """No action below pmin(t) = start max(0, 1 - t / until): sigma' ~ max(sigma, pmin). [Lin 2024]

    Used for sampling, for values and in the average alike, so early iterations solve a slightly perturbed game.
    """

    start: float = 0.01
    until: float = 40_000.0


@verb
def strategy(play, table, o, k, real, g, t):
    """Where the strategy of entries o .. o+k-1 can be read: an array and an offset. May write to real[g : g+k]."""


@verb
def kept(play, table, o, real, g):
    """Where `strategy` left the strategy, asked again on the way up."""


@verb
def recommended(table, o, k, real, g):
    """Where the strategy that the regrets of entries o .. o+k-1 recommend can be read. May write to real[g : g+k]."""


@verb
def recommended_before(table, o, real, g):
    """Where `recommended` left it."""


recommended.otherwise(lambda table, o, k, real, g: (table.current, o))
recommended_before.otherwise(lambda table, o, real, g: (table.current, o))
recommended_before.register(LeanTable)(lambda table, o, real, g: (real, g))
strategy.register(AsLearned)(lambda play, table, o, k, real, g, t: recommended(table, o, k, real, g))
kept.register(AsLearned)(lambda play, table, o, real, g: recommended_before(table, o, real, g))
kept.register(Floor)(lambda play, table, o, real, g: (real, g))


@recommended.register(LeanTable)
@inlined
def from_regrets(table, o, k, real, g):
    """Regret matching: sigma ~ [R]+."""
    total = 0.0
    for a in range(k):
        positive = max(f64(table.regret[o + a]), 0.0)
        real[g + a] = positive
        total += positive
    if total > LEAST:
        share = 1.0 / total
        for a in range(k):
            real[g + a] *= share
    else:
        for a in range(k):
            real[g + a] = 1.0 / f64(k)
    return real, g


@entry
def recommend_all(table, rows, current):
    """current: what the regrets of all rows recommend; row j has the entries rows[j] .. rows[j+1]-1."""
    for j in range(u64(len(rows)) - U1):
        o = u64(rows[j])
        from_regrets(table, o, u64(rows[j + U1]) - o, current, o)


@strategy.register(Floor)
def _(play, table, o, k, real, g, t):
    p, s = recommended(table, o, k, real, g)
    least = play.start * max(0.0, 1.0 - t / play.until)
    total = 0.0
    for a in range(k):
        real[g + a] = max(p[s + a], least)
        total += real[g + a]
    for a in range(k):
        real[g + a] /= total
    return real, g
