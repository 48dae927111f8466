"""A minimiser that records regrets and learns nothing: the strategy stands still while estimates are looked at."""

from typing import NamedTuple

from mccfr.kernel.minimisers import absorb, pace, settle


class Recorder(NamedTuple):
    """R += r, and the current strategy stays as it is."""


pace.register(Recorder)(lambda minimiser, t: (1.0, 1.0))
settle.register(Recorder)(lambda minimiser, table, t, scales: None)


@absorb.register(Recorder)
def _(minimiser, table, o, k, v, g, value, w, scales):  # type: ignore[no-untyped-def]
    for a in range(k):
        table.regret[o + a] += w * (v[g + a] - value)
