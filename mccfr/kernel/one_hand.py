"""One hand of the other player against a vector of the walker's: the semi-vector form. [Li et al. 2020]

Hand g is drawn with its probability P(g) in the deal when a walk begins, and plays its own strategy. So its reach is
1 / P(g), that of all other hands 0, and after an action of its own the ratio sigma(g, a) / q(a) is 1. Public events are
drawn by their law given g, as far as the deal tells it: one that g cannot meet is never drawn, one that it can always
may be. The rest is the vector walk; its averages, w reach[g] sigma, have the mean pi_g(I) sigma as there, for g is
there with probability P(g).

Own averages divide by the probability of what was drawn: g's own actions by g's strategy, which is right on average as
long as every hand may have played them; a public event by its probability over all hands, for some g never meet it.
"""

from typing import Any, NamedTuple

from mccfr.kernel.layout import U0, U1, U2, U3, U8, u64
from mccfr.kernel.public_laws import fill, lay, pick
from mccfr.kernel.public_samplers import bearers, event_odds, places, seat, wide
from mccfr.kernel.samplers import ONE, draws


class OneHand(NamedTuple):
    """At the other player's nodes: one action, by the strategy of the one hand that was drawn."""

    hand_probability: Any = None  # float64[2 * hands] of each player's hands in the deal


class GivenHand(NamedTuple):
    """At public chance: one event, by its law given the hand that was drawn."""

    event_probability: Any = None  # float64: for each law both players, all their hands, all its events
    key: Any = None  # uint32[nodes] where the law of a node begins


draws.register(OneHand, GivenHand)(lambda sampler: ONE)
wide.register(OneHand)(lambda policy: False)
bearers.register(OneHand)(lambda policy, work: (work.drawn[U0], work.drawn[U0] + U1))


@places.register(OneHand)
def _(policy, which, tree, work):
    place = u64(tree.index[which, work.drawn[U0]])
    return place, place + U1


@seat.register(OneHand)
def _(policy, i, work):
    holder = U1 - i
    g = pick(policy.hand_probability, holder * work.hands, work.hands, work.dice)
    work.drawn[U0], work.drawn[U1] = g, holder
    fill(work.reach, U0, u64(len(work.reach)), 0.0)
    work.reach[g] = 1.0 / policy.hand_probability[holder * work.hands + g]


@lay.register(OneHand)
def _(policy, marginal, at, tree, table, work):
    which = u64(tree.nodes[(at.h << U2) + U2])
    row = at.o + u64(tree.index[which, work.drawn[U0]]) * at.k
    for a in range(at.k):
        work.laws[at.g + a] = table.current[row + a]


@lay.register(GivenHand)
def _(policy, marginal, at, tree, table, work):
    row = u64(policy.key[at.h]) + (work.drawn[U1] * work.hands + work.drawn[U0]) * at.k
    for a in range(at.k):
        work.laws[at.g + a] = policy.event_probability[row + a]


@event_odds.register(GivenHand)
def _(policy, q, h, a, tree, work):
    k, holder = u64(tree.nodes[(h << U2) + U3]) >> U8, work.drawn[U1]
    total = 0.0
    for g in range(work.hands):
        row = u64(policy.key[h]) + (holder * work.hands + g) * k
        total += tree.hand_probability[holder, g] * policy.event_probability[row + a]
    return total
