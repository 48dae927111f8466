"""Baselines of public outcome sampling: a number for every edge and pair of hands, or for every edge and hand.

They are control variates B for x = pi_c u (see `public_outcome`), for player 0. Plain, Static, History and Predictive
keep theirs at table[e * pairs + pair], e being the node the edge leads to, and count visits by edges.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.estimators import History, Predictive, corrects, foresees, guess, seen
from mccfr.kernel.layout import U0, U1, u64


class HandBaseline(NamedTuple):
    """A learned baseline for every edge and hand of the player who learns: `Infoset` for pairs of hands.

    Its number is the mean of y over the other player's hands, by reach and chance; for a pair it counts by its chance.
    """

    rate: float
    table: Any  # float64[2 nodes * hands] node after node, for both players
    visits: Any  # float64[2 nodes]
    law: Any  # float64[laws * pairs] chance of a pair, up to a factor
    key: Any  # uint32[nodes] which law


@verb
def views(estimator):
    """How many values a pair has: 1 if both players see the same baselines, else 2."""


@verb
def prepare(estimator, view, e, h0, work):
    """Before baselines of an edge for one hand of player 0 are asked for: it is faster to work out a line of them."""


@verb
def prior(estimator, e, h0, h1, work):
    """The baseline of an edge for a pair of hands, after `prepare`."""


@verb
def learning_rate(estimator, view, e):
    """The edge was walked: how far its baseline moves towards what came back."""


@verb
def update_pair(estimator, x, y, ahead, rate):
    """At place x of the tables: the pair came back as y; under the new strategy, as `ahead`."""


@verb
def gather_targets(estimator, view, e, d, work):
    """Before the values y that came back are used up."""


@verb
def move_to_targets(estimator, view, e, rate, work):
    """After the baselines of the edge were used."""


views.otherwise(lambda estimator: 1)
views.register(HandBaseline)(lambda estimator: 2)
corrects.register(HandBaseline)(lambda estimator: True)
foresees.register(HandBaseline)(lambda estimator: False)
seen.register(HandBaseline)(lambda estimator, y, q, b: b + (y - b) / q)
learning_rate.otherwise(lambda estimator, view, e: 0.0)
update_pair.otherwise(lambda estimator, x, y, ahead, rate: None)
gather_targets.otherwise(lambda estimator, view, e, d, work: None)
move_to_targets.otherwise(lambda estimator, view, e, rate, work: None)


prepare.otherwise(lambda estimator, view, e, h0, work: None)
prior.register(HandBaseline)(lambda estimator, e, h0, h1, work: work.line[h1])


@prior.otherwise
def _(estimator, e, h0, h1, work):
    return guess(estimator, U0, (e * work.first + h0) * work.second + h1)


@prepare.register(HandBaseline)
def _(estimator, view, e, h0, work):
    law = (u64(estimator.key[e]) * work.first + h0) * work.second
    at = ((e << U1) + view) * work.hands
    if view == U0:
        b = estimator.table[at + h0]
        for h1 in range(work.second):
            work.line[h1] = estimator.law[law + h1] * b
    else:
        for h1 in range(work.second):
            work.line[h1] = estimator.law[law + h1] * estimator.table[at + h1]


@inlined
def share(estimator, visit):
    """The rate, or one that makes a mean."""
    if estimator.rate != 0.0:
        return estimator.rate
    estimator.visits[visit] += 1.0
    return 1.0 / estimator.visits[visit]


learning_rate.register(History)(lambda estimator, view, e: share(estimator, e))
learning_rate.register(HandBaseline)(lambda estimator, view, e: share(estimator, (e << U1) + view))


@update_pair.register(History)
def _(estimator, x, y, ahead, rate):
    estimator.table[x] += rate * (y - estimator.table[x])


@update_pair.register(Predictive)
def _(estimator, x, y, ahead, rate):
    estimator.table[x] = ahead


@gather_targets.register(HandBaseline)
def _(estimator, view, e, d, work):
    """target[hand] = sum_n pi(n) y / sum_n pi(n) law; where nobody comes with, the baseline as it is."""
    own, others = (work.first, work.second) if view == U0 else (work.second, work.first)
    reach = ((d << U1) + U1 - view) * work.hands
    law = u64(estimator.key[e]) * work.first * work.second
    for m in range(own):
        total = weight = 0.0
        for n in range(others):
            p = m * work.second + n if view == U0 else n * work.second + m
            total += work.reach[reach + n] * work.value[view * work.first * work.second + p]
            weight += work.reach[reach + n] * estimator.law[law + p]
        old = estimator.table[((e << U1) + view) * work.hands + m]
        work.target[m] = total / weight if weight > 0.0 else old


@move_to_targets.register(HandBaseline)
def _(estimator, view, e, rate, work):
    at = ((e << U1) + view) * work.hands
    for m in range(work.first if view == U0 else work.second):
        estimator.table[at + m] += rate * (work.target[m] - estimator.table[at + m])
