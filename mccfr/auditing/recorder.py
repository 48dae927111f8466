"""Minimisers that record regrets and learn nothing, to look at estimates."""

from typing import NamedTuple

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
def _(minimiser, table, o, k, v, g, value, w, scales):  # type: ignore[no-untyped-def]
    for a in range(k):
        table.regret[o + a] += w * (v[g + a] - value)


@absorb.register(Restless)
def _(minimiser, table, o, k, v, g, value, w, scales):  # type: ignore[no-untyped-def]
    for a in range(k):
        table.regret[o + a] += w * (v[g + a] - value)
        table.current[o + a] = 1.0 if a == 0 else 0.0
