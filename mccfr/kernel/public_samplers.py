"""Sampling on a public tree: which actions a vector walk follows, drawn once for all hands. [Li et al. 2020]

No public law q(a) is every hand's own strategy, so at the other player's nodes each hand's reach is multiplied by its
own ratio sigma(g, a) / q(a); own draws go into one weight of the walk. What is learned is then right on average if q is
positive wherever a hand might play. MCS and WCS(own) see to that at the other player's nodes; all others need to
explore, for the law of average strategies misses what is played only since now, and ranges miss what is not reached.
"""

import math
from typing import Any, NamedTuple

from mccfr.kernel.dice import below, uniform
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import BYTE, CHANCE, U0, U1, U2, U3, U8, f64, u64
from mccfr.kernel.samplers import ALL, ONE, Everything, Robust, Uniform, draws, following, scale, subset

EVERY_BIT = u64(2**64 - 1)


class Full(NamedTuple):
    """A full sweep: every action, nothing drawn."""


class RCS(NamedTuple):
    """Random current strategy: that of an infoset drawn uniformly. With `marginal`, weighed as what it is: MCS.

    Weighed with the drawn infoset's own probability, as the paper reads, it is **biased**.
    """

    marginal: bool = True


class MCS(NamedTuple):
    """Mean current strategy of all infosets."""


class WCS(NamedTuple):
    """Weighted current strategy: infosets count by the mover's `own` range, by the `other` player's, or by both."""

    own: bool = True
    other: bool = False


class MAS(NamedTuple):
    """Mean average strategy of all infosets."""


class WAS(NamedTuple):
    """Weighted average strategy; ranges, as in WCS, from the current one."""

    own: bool = True
    other: bool = False


class Explored(NamedTuple):
    """The law inside with probability 1 - alpha, else new actions: q_e(a) ~ 1 + beta / C(a)^gamma. [eq. 8 and 9]

    alpha = 1 / ln(t + 10), beta = ln(t + 10), C(a): how often a was drawn here. While some actions were never drawn,
    which makes q_e infinite, it is uniform over these: until they all were, others are left to the law inside.
    """

    inside: Any
    gamma: float = 0.5
    counts: Any = None  # float64[nodes] how often each node was drawn as a child


class EpsilonGreedy(NamedTuple):
    """The law inside with probability 1 - epsilon, else uniform. Epsilon 0 stands for alpha = 1 / ln(t + 10)."""

    inside: Any
    epsilon: float = 0.0


class Sampling(NamedTuple):
    """Which actions are followed at the walker's own nodes, at the other player's, and at public chance.

    Everything() follows all, Robust(k) so many at random, the others one.
    """

    own: Any = Everything()
    other: Any = MCS()
    chance: Any = Uniform()


class Spot(NamedTuple):
    """A node as policies see it."""

    i: Any  # walker
    t: Any  # iteration
    h: Any
    d: Any  # depth
    kind: Any
    k: Any
    o: Any
    first: Any  # its possible hands, in tree.members
    n: Any  # how many
    g: Any  # where its law goes, in work.laws


@verb
def weigh(policy, at, hand, tree, work):
    """How much the infoset of this hand counts in a public law."""


@verb
def believed(policy, current, average):
    """The strategies a public law blends."""


@verb
def lay(policy, marginal, at, tree, table, work):
    """Put the law of the next action into work.laws; of a law that is itself drawn, the mean if `marginal`."""


@verb
def hides(policy):
    """Whether the law actions are drawn from is itself drawn, so that they must be weighed with its mean."""


@verb
def tally(policy, child):
    """This child has been drawn."""


@verb
def elect(policy, at, tree, table, work):
    """Bit mask of the actions to follow; their inclusion probabilities go to work.laws."""


draws.register(RCS, MCS, WCS, MAS, WAS, Explored, EpsilonGreedy)(lambda sampler: ONE)
believed.register(MCS, WCS)(lambda policy, current, average: current)
believed.register(MAS, WAS)(lambda policy, current, average: average)
weigh.register(MCS, MAS)(lambda policy, at, hand, tree, work: 1.0)
hides.otherwise(lambda policy: False)
hides.register(RCS)(lambda policy: policy.marginal)
hides.register(Explored, EpsilonGreedy)(lambda policy: hides(policy.inside))
tally.otherwise(lambda policy, child: None)


@tally.register(Explored)
def _(policy, child):
    policy.counts[child] += 1.0


@weigh.register(WCS, WAS)
def _(policy, at, hand, tree, work):
    mine, theirs = (work.own, work.reach) if at.kind == at.i else (work.reach, work.own)
    here = at.d * work.hands
    x = mine[here + hand] if policy.own else 1.0
    if not policy.other:
        return x
    total = 0.0
    for g in range(u64(tree.deal.shape[1]) if at.kind == U0 else u64(tree.deal.shape[0])):
        total += (tree.deal[hand, g] if at.kind == U0 else tree.deal[g, hand]) * theirs[here + g]
    return x * total


@inlined
def fill(target, t, n, value):
    """The same number n times from target[t] on."""
    for x in range(n):
        target[t + x] = value


@inlined
def blend(policy, at, tree, table, work):
    """The weighted mean of all infosets' strategies into work.laws; returns the sum of the weights."""
    p = believed(policy, table.current, table.average)
    sum_of_weights = 0.0
    fill(work.laws, at.g, at.k, 0.0)
    for j in range(at.n):
        x = weigh(policy, at, u64(tree.members[at.first + j]), tree, work)
        sum_of_weights += x
        o = at.o + j * at.k
        total = 0.0
        for a in range(at.k):
            total += p[o + a]
        for a in range(at.k):
            work.laws[at.g + a] += x * (p[o + a] / total if total > 0.0 else 1.0 / f64(at.k))
    if sum_of_weights > 0.0:
        for a in range(at.k):
            work.laws[at.g + a] /= sum_of_weights
    return sum_of_weights


@inlined
def curiosity(t):
    """alpha_t."""
    return 1.0 / math.log(t + 10.0)


@lay.register(Uniform)
def _(policy, marginal, at, tree, table, work):
    fill(work.laws, at.g, at.k, 1.0 / f64(at.k))


@lay.register(MCS, MAS)
def _(policy, marginal, at, tree, table, work):
    blend(policy, at, tree, table, work)


@lay.register(WCS, WAS)
def _(policy, marginal, at, tree, table, work):
    if not blend(policy, at, tree, table, work) > 0.0:
        blend(MCS(), at, tree, table, work)


@lay.register(RCS)
def _(policy, marginal, at, tree, table, work):
    if marginal:
        blend(MCS(), at, tree, table, work)
    else:
        o = at.o + below(work.dice, at.n) * at.k
        for a in range(at.k):
            work.laws[at.g + a] = table.current[o + a]


@lay.register(EpsilonGreedy)
def _(policy, marginal, at, tree, table, work):
    lay(policy.inside, marginal, at, tree, table, work)
    epsilon = policy.epsilon if policy.epsilon > 0.0 else curiosity(at.t)
    for a in range(at.k):
        work.laws[at.g + a] = (1.0 - epsilon) * work.laws[at.g + a] + epsilon / f64(at.k)


@lay.register(Explored)
def _(policy, marginal, at, tree, table, work):
    lay(policy.inside, marginal, at, tree, table, work)
    c = u64(tree.nodes[at.h << U2])
    alpha, beta = curiosity(at.t), math.log(at.t + 10.0)
    new = total = 0.0
    for a in range(at.k):
        if policy.counts[c + a] == 0.0:
            new += 1.0
        else:
            total += 1.0 + beta / policy.counts[c + a] ** policy.gamma
    for a in range(at.k):
        if new > 0.0:
            fresh = 1.0 / new if policy.counts[c + a] == 0.0 else 0.0
        else:
            fresh = (1.0 + beta / policy.counts[c + a] ** policy.gamma) / total
        work.laws[at.g + a] = (1.0 - alpha) * work.laws[at.g + a] + alpha * fresh


@inlined
def pick(p, o, k, dice):
    """An index drawn from the law p[o : o+k]; never one of probability 0, even if rounding leaves the sum below 1."""
    u = uniform(dice)
    chosen = U0
    total = 0.0
    for a in range(k):
        if p[o + a] > 0.0:
            chosen = u64(a)
            total += p[o + a]
            if u < total:
                break
    return chosen


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
    lay(policy, False, at, tree, table, work)
    a = pick(work.laws, at.g, at.k, work.dice)
    if hides(policy):
        lay(policy, True, at, tree, table, work)
    tally(policy, u64(tree.nodes[at.h << U2]) + a)
    return U1 << a


@verb
def begin(sampling, work):
    """A walk begins."""


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


begin.register(Full)(lambda sampling, work: None)
first_action.register(Full)(lambda sampling, i, t, h, d, tree, table, work: U0)
next_action.register(Full)(lambda sampling, a, d, work: a + U1)
inclusion.register(Full)(lambda sampling, a, d, work: 1.0)
carry.register(Full)(lambda sampling, own, q, d, work: None)
next_action.register(Sampling)(lambda sampling, a, d, work: following(work.masks[d], a + U1, work.width))
inclusion.register(Sampling)(lambda sampling, a, d, work: work.laws[d * work.width + a])


@begin.register(Sampling)
def _(sampling, work):
    work.weight[U0] = 1.0


@carry.register(Sampling)
def _(sampling, own, q, d, work):
    work.weight[d + U1] = work.weight[d] / q if own else work.weight[d]


@first_action.register(Sampling)
def _(sampling, i, t, h, d, tree, table, work):
    m = u64(tree.nodes[(h << U2) + U3])
    which = u64(tree.nodes[(h << U2) + U2])
    first = u64(tree.start[which])
    n = u64(tree.start[which + U1]) - first
    k = m >> U8
    at = Spot(i, t, h, d, m & BYTE, k, u64(tree.nodes[(h << U2) + U1]), first, n, d * work.width)
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
