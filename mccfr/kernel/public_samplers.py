"""Sampling on a public tree: which actions a vector walk follows, drawn once for all hands. [Li et al. 2020]

At every node some actions are elected: all, so many at random, or one by a law of `public_laws`. Own draws go into one
weight of the walk, those of others into the reach of their hands.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import verb
from mccfr.kernel.layout import BYTE, CHANCE, U0, U1, U2, U3, U8, u64
from mccfr.kernel.public_laws import MCS, Spot, draw, fill, ranged, ranged_by_average
from mccfr.kernel.samplers import ALL, ONE, Everything, Robust, Uniform, draws, following, scale, subset

EVERY_BIT = u64(2**64 - 1)


class Full(NamedTuple):
    """A full sweep: every action, nothing drawn."""


class Sampling(NamedTuple):
    """Which actions are followed at the walker's own nodes, at the other player's, and at public chance.

    Everything() follows all, Robust(k) so many at random, the others one.
    """

    own: Any = Everything()
    other: Any = MCS()
    chance: Any = Uniform()


@verb
def elect(policy, at, tree, table, work):
    """Bit mask of the actions to follow; their inclusion probabilities go to work.laws."""


@elect.register(Everything)
def _(policy, at, tree, table, work):
    fill(work.laws, at.g, at.k, 1.0)
    return EVERY_BIT


@elect.register(Robust)
def _(policy, at, tree, table, work):
    n = scale(policy, table, at.o, at.k)
    return subset(policy, n, table, work.laws, at.g, at.o, at.k, work.dice, work.laws, at.g)


@elect.otherwise
def _(policy, at, tree, table, work):
    return U1 << draw(policy, at, tree, table, work)


@verb
def begin(sampling, i, work):
    """A walk for player i begins, with the other player's hands."""


@verb
def seat(policy, i, work):
    """The hands that the other player begins with: reach and all."""


@verb
def first_action(sampling, i, t, h, d, tree, table, work):
    """Draw at node h; the first action to follow."""


@verb
def next_action(sampling, a, d, work):
    """The next action to follow after a, or any number from the arity on."""


@verb
def inclusion(sampling, a, d, work):
    """Probability with which action a was to be followed at depth d."""


@verb
def carry(sampling, own, q, d, work):
    """Go below depth d by an action that was followed with probability q: the weight of own draws."""


@verb
def extend_line(sampling, kind, q, h, a, d, tree, work):
    """Go below depth d by action a, followed with probability q: the weight of all draws, for own averages."""


@verb
def pass_means_on(sampling, tree, table, i, h, a, d, work):
    """Both players' reaches by their average strategies after action a at node h, for laws that ask for them."""


@verb
def event_odds(policy, q, h, a, tree, work):
    """How likely event a of public chance is to be followed, whatever was drawn before."""


@verb
def straight(sampling, kind):
    """Whether one action is followed at nodes of this kind, not the walker's own."""


@verb
def tracks(sampling):
    """Whether the walker's own reach is asked for."""


@verb
def wide(sampling):
    """Whether the other player may hold any hand, rather than the one that was drawn."""


@verb
def bearers(sampling, work):
    """First and end of the other player's hands."""


@verb
def places(sampling, which, tree, work):
    """First and end of their places in a list of possible hands."""


def sweep_fully(*policies):
    """Let these classes of policies follow every action and draw nothing; how a walk begins is left to each."""
    first_action.register(*policies)(lambda sampling, i, t, h, d, tree, table, work: U0)
    next_action.register(*policies)(lambda sampling, a, d, work: a + U1)
    inclusion.register(*policies)(lambda sampling, a, d, work: 1.0)
    carry.register(*policies)(lambda sampling, own, q, d, work: None)
    straight.register(*policies)(lambda sampling, kind: False)
    tracks.register(*policies)(lambda sampling: True)


sweep_fully(Full)
begin.register(Full)(lambda sampling, i, work: fill(work.reach, U0, work.hands, 1.0))
wide.otherwise(lambda sampling: True)
wide.register(Sampling)(lambda sampling: wide(sampling.other))
bearers.otherwise(lambda sampling, work: (U0, work.hands))
bearers.register(Sampling)(lambda sampling, work: bearers(sampling.other, work))
places.otherwise(lambda sampling, which, tree, work: (U0, u64(tree.start[which + U1]) - u64(tree.start[which])))
places.register(Sampling)(lambda sampling, which, tree, work: places(sampling.other, which, tree, work))
tracks.register(Sampling)(lambda sampling: ranged(sampling.own) or ranged(sampling.other))
next_action.register(Sampling)(lambda sampling, a, d, work: following(work.masks[d], a + U1, work.width))
inclusion.register(Sampling)(lambda sampling, a, d, work: work.laws[d * work.width + a])
extend_line.otherwise(lambda sampling, kind, q, h, a, d, tree, work: None)
pass_means_on.otherwise(lambda sampling, tree, table, i, h, a, d, work: None)
ranged_by_average.register(Sampling)(lambda s: ranged_by_average(s.own) or ranged_by_average(s.other))
event_odds.otherwise(lambda policy, q, h, a, tree, work: q)
seat.otherwise(lambda policy, i, work: fill(work.reach, U0, work.hands, 1.0))


@straight.register(Sampling)
def _(sampling, kind):
    return draws(sampling.chance) == ONE if kind == CHANCE else draws(sampling.other) == ONE


@begin.register(Sampling)
def _(sampling, i, work):
    work.weight[U0] = work.line[U0] = 1.0
    if ranged_by_average(sampling):
        fill(work.own_mean, U0, work.hands, 1.0)
        fill(work.reach_mean, U0, work.hands, 1.0)
    seat(sampling.other, i, work)


@carry.register(Sampling)
def _(sampling, own, q, d, work):
    work.weight[d + U1] = work.weight[d] / q if own else work.weight[d]


@extend_line.register(Sampling)
def _(sampling, kind, q, h, a, d, tree, work):
    odds = event_odds(sampling.chance, q, h, a, tree, work) if kind == CHANCE else q
    work.line[d + U1] = work.line[d] / odds


@first_action.register(Sampling)
def _(sampling, i, t, h, d, tree, table, work):
    m = u64(tree.nodes[(h << U2) + U3])
    which = u64(tree.nodes[(h << U2) + U2])
    first = u64(tree.start[which])
    n = u64(tree.start[which + U1]) - first
    k = m >> U8
    here = d * work.hands
    by_average = ranged_by_average(sampling.own) if m & BYTE == i else ranged_by_average(sampling.other)
    own, reach = (work.own_mean, work.reach_mean) if by_average else (work.own, work.reach)
    mine, theirs = (own, reach) if m & BYTE == i else (reach, own)
    o = u64(tree.nodes[(h << U2) + U1])
    at = Spot(t, h, m & BYTE, k, o, first, n, d * work.width, mine, here, theirs, here)
    if at.kind == CHANCE:
        mask = elect(sampling.chance, at, tree, table, work)
    elif at.kind != i:
        mask = elect(sampling.other, at, tree, table, work)
    else:
        mask = elect(sampling.own, at, tree, table, work)
        if draws(sampling.own) != ALL:  # what is not followed is worth 0
            fill(work.values, d * work.hands * work.arity, work.hands * k, 0.0)
    work.masks[d] = mask
    return following(mask, U0, k)
