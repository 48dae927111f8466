"""Walks that learn nothing, to look at their estimates: minimisers that only record, and loops of such walks."""

from typing import NamedTuple

from mccfr.kernel.dispatch import entry
from mccfr.kernel.iterations import take_turn
from mccfr.kernel.minimisers import absorb, pace, settle


class Recorder(NamedTuple):
    """R += r, and the current strategy stays as it is."""


class Restless(NamedTuple):
    """R += r, and the current strategy turns into another at once: who still needs the old one is found out.

    For single walks that meet an infoset only once, as those over public trees do.
    """


pace.register(Recorder, Restless)(lambda minimiser, t: (1.0, 1.0))
settle.register(Recorder, Restless)(lambda minimiser, table, t, scales: None)


@absorb.register(Recorder)
def _(minimiser, table, o, k, v, g, value, w, scales):
    for a in range(k):
        table.regret[o + a] += w * (v[g + a] - value)


@absorb.register(Restless)
def _(minimiser, table, o, k, v, g, value, w, scales):
    for a in range(k):
        table.regret[o + a] += w * (v[g + a] - value)
        table.current[o + a] = 1.0 if a == 0 else 0.0


@entry
def record_walks(n, i, t, step, weight, parts, tree, table, work):
    """n walks for turn i at times t, t + step, ...; returns the sum of their estimates of the game's value."""
    total = 0.0
    for _ in range(n):
        total += take_turn(parts, i, t, weight, (1.0, 1.0), tree, table, work)
        t += step
    return total


@entry
def root_values(i, parts, tree, table, work, values):
    """One walk for player i per entry of `values`, which takes what the walk says the root is worth."""
    for j in range(len(values)):
        values[j] = take_turn(parts, i, 1.0, 0.0, (1.0, 1.0), tree, table, work)


@entry
def regret_moments(n, i, parts, tree, table, work, sums, squares):
    """n walks for player i; sums and sums of squares of what each adds to every regret."""
    for _ in range(n):
        table.regret[:] = 0.0
        take_turn(parts, i, 1.0, 0.0, (1.0, 1.0), tree, table, work)
        for x in range(len(sums)):
            sums[x] += table.regret[x]
            squares[x] += table.regret[x] * table.regret[x]
