"""What is played during a walk: the strategy the regrets recommend, or a bent one. Asked on entry, kept for the way up.

A private table answers with its own memory; a bent strategy is written into the walker's frame and answered from there,
so that what was drawn from is what is divided by.
"""

from typing import NamedTuple

from mccfr.kernel.dispatch import verb


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


strategy.register(AsLearned)(lambda play, table, o, k, real, g, t: (table.current, o))
kept.register(AsLearned)(lambda play, table, o, real, g: (table.current, o))
kept.register(Floor)(lambda play, table, o, real, g: (real, g))


@strategy.register(Floor)
def _(play, table, o, k, real, g, t):
    least = play.start * max(0.0, 1.0 - t / play.until)
    total = 0.0
    for a in range(k):
        real[g + a] = max(table.current[o + a], least)
        total += real[g + a]
    for a in range(k):
        real[g + a] /= total
    return real, g
