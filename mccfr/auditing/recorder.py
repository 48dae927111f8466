"""A minimiser that records regrets and learns nothing: the strategy stands still while estimates are looked at."""

from typing import NamedTuple

from mccfr.kernel.dispatch import entry
from mccfr.kernel.minimisers import absorb, pace, settle
from mccfr.kernel.walk import walk


class Recorder(NamedTuple):
    """R += r, and the current strategy stays as it is."""


pace.register(Recorder)(lambda minimiser, t: (1.0, 1.0))
settle.register(Recorder)(lambda minimiser, table, t, scales: None)


@absorb.register(Recorder)
def _(minimiser, table, o, k, v, g, value, w, scales):  # type: ignore[no-untyped-def]
    for a in range(k):
        table.regret[o + a] += w * (v[g + a] - value)


@entry
def record_walks(digest):  # type: ignore[no-untyped-def]
    def kernel(n, i, t, step, weight, method, tree, table, work):  # type: ignore[no-untyped-def]
        """n walks for player i, at times t, t + step, ...; returns the sum of the root estimates."""
        digest  # noqa: B018  part of the disk cache's key
        total = 0.0
        for _ in range(n):
            total += walk(i, t, weight, (1.0, 1.0), method, tree, table, work)
            t += step
        return total

    return kernel
