"""Sweeps over a public tree to which both players come with ranges: what lies below a leaf of a look-ahead."""

from typing import Any, NamedTuple

from mccfr.kernel.averaging import fade_all, importance
from mccfr.kernel.dispatch import entry
from mccfr.kernel.layout import U0, U2
from mccfr.kernel.minimisers import pace
from mccfr.kernel.public_samplers import begin, sweep_fully
from mccfr.kernel.sequence_form import Learn
from mccfr.kernel.vector import copy, vector_walk


class WithRanges(NamedTuple):
    """A full sweep that begins with the other player's range.

    The walker's own range would only scale the regrets and averages of each hand, which changes no strategy.
    """

    first: Any  # float64[hands 0]
    second: Any  # float64[hands 1]


sweep_fully(WithRanges)


@begin.register(WithRanges)
def _(sampling, i, work):
    if i == U0:
        copy(sampling.second, U0, work.reach, U0, len(sampling.second))
    else:
        copy(sampling.first, U0, work.reach, U0, len(sampling.first))


@entry
def sweep_with_ranges(n, clock, minimiser, averaging, ranges, tree, table, work):
    """The next n iterations, player 1 answering player 0's renewed strategy. clock[0] counts them."""
    for _ in range(n):
        t = clock[U0] + 1.0
        actor = Learn(minimiser, pace(minimiser, t), importance(averaging, t))
        fade_all(averaging, table, t)
        for i in range(U2):
            vector_walk(actor, ranges, i, t, tree, table, work)
        clock[U0] = t
