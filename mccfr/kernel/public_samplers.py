"""Sampling on a public tree: which actions a vector walk follows, drawn once for all hands. [Li et al. 2020]

No public law q(a) is every hand's own strategy, so at the other player's nodes each hand's reach is multiplied by its
own ratio sigma(g, a) / q(a); own draws go into one weight of the walk. What is learned is then right on average if q is
positive wherever a hand might play. MCS and WCS(own) see to that at the other player's nodes; all others need to
explore, for the law of average strategies misses what is played only since now, and ranges miss what is not reached.
At own nodes, where every action matters, and in public outcome sampling all laws need to.
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


class ByRegret(NamedTuple):
    """Actions by what their players regret: q(a) ~ sum over hands of [R(h, a)]+, uniform where nobody regrets anything.

    Not in the paper: of a line of exact values only the choice of whom to update is left to the law.
    """


class Explored(NamedTuple):
    """The law inside with probability 1 - alpha, else rare actions: q_e(a) ~ 1 + beta / C(a)^gamma. [eq. 8 and 9]

    alpha = 1 / ln(t + 10), beta = ln(t + 10), C(a): how often a was drawn here. The paper leaves C = 0 open, where q_e
    is infinite. Here C counts from 1; or, with `new_first`, q_e is uniform over the actions never drawn while there are
    any, and others are left to the law inside until then: what it misses is missed, a bias of the first few visits.
    """

    inside: Any
    gamma: float = 0.5
    new_first: bool = False
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

    t: Any  # iteration
    h: Any
    kind: Any
    k: Any
    o: Any
    first: Any  # its possible hands, in tree.members
    n: Any  # how many
    g: Any  # where its law goes, in work.laws
    mine: Any  # float64: ranges of the mover's hands
    m: Any  # from here on
    theirs: Any  # those of the other player's
    s: Any


@verb
def weigh(policy, at, hand, tree):
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
def ranged(policy):
    """Whether the law depends on ranges."""


@verb
def elect(policy, at, tree, table, work):
    """Bit mask of the actions to follow; their inclusion probabilities go to work.laws."""


draws.register(RCS, MCS, WCS, MAS, WAS, ByRegret, Explored, EpsilonGreedy)(lambda sampler: ONE)
believed.register(MCS, WCS)(lambda policy, current, average: current)
believed.register(MAS, WAS)(lambda policy, current, average: average)
weigh.register(MCS, MAS)(lambda policy, at, hand, tree: 1.0)
hides.otherwise(lambda policy: False)
hides.register(RCS)(lambda policy: policy.marginal)
hides.register(Explored, EpsilonGreedy)(lambda policy: hides(policy.inside))
tally.otherwise(lambda policy, child: None)
ranged.otherwise(lambda policy: False)
ranged.register(WCS, WAS)(lambda policy: True)
ranged.register(Explored, EpsilonGreedy)(lambda policy: ranged(policy.inside))


@tally.register(Explored)
def _(policy, child):
    policy.counts[child] += 1.0


@weigh.register(WCS, WAS)
def _(policy, at, hand, tree):
    x = at.mine[at.m + hand] if policy.own else 1.0
    if not policy.other:
        return x
    total = 0.0
    for g in range(u64(tree.deal.shape[1]) if at.kind == U0 else u64(tree.deal.shape[0])):
        total += (tree.deal[hand, g] if at.kind == U0 else tree.deal[g, hand]) * at.theirs[at.s + g]
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
        x = weigh(policy, at, u64(tree.members[at.first + j]), tree)
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


@lay.register(ByRegret)
def _(policy, marginal, at, tree, table, work):
    fill(work.laws, at.g, at.k, 0.0)
    total = 0.0
    for j in range(at.n):
        for a in range(at.k):
            regret = max(table.regret[at.o + j * at.k + a], 0.0)
            work.laws[at.g + a] += regret
            total += regret
    for a in range(at.k):
        work.laws[at.g + a] = work.laws[at.g + a] / total if total > 0.0 else 1.0 / f64(at.k)


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
    alpha = curiosity(at.t)
    new = total = 0.0
    for a in range(at.k):
        new += f64(policy.counts[c + a] == 0.0)
        total += rarity(policy, c + a, at.t)
    for a in range(at.k):
        if policy.new_first and new > 0.0:
            fresh = f64(policy.counts[c + a] == 0.0) / new
        else:
            fresh = rarity(policy, c + a, at.t) / total
        work.laws[at.g + a] = (1.0 - alpha) * work.laws[at.g + a] + alpha * fresh


@inlined
def rarity(policy, child, t):
    """1 + beta / C^gamma."""
    seen = policy.counts[child] if policy.new_first else policy.counts[child] + 1.0
    return 1.0 + math.log(t + 10.0) / max(seen, 1.0) ** policy.gamma


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
    return U1 << draw(policy, at, tree, table, work)


@inlined
def draw(policy, at, tree, table, work):
    """An action by the law of a policy; its probability is then in work.laws."""
    lay(policy, False, at, tree, table, work)
    a = pick(work.laws, at.g, at.k, work.dice)
    if hides(policy):
        lay(policy, True, at, tree, table, work)
    tally(policy, u64(tree.nodes[at.h << U2]) + a)
    return a


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


begin.register(Full)(lambda sampling, i, work: fill(work.reach, U0, work.hands, 1.0))
first_action.register(Full)(lambda sampling, i, t, h, d, tree, table, work: U0)
next_action.register(Full)(lambda sampling, a, d, work: a + U1)
inclusion.register(Full)(lambda sampling, a, d, work: 1.0)
carry.register(Full)(lambda sampling, own, q, d, work: None)
tracks.register(Full)(lambda sampling: True)
wide.otherwise(lambda sampling: True)
wide.register(Sampling)(lambda sampling: wide(sampling.other))
bearers.otherwise(lambda sampling, work: (U0, work.hands))
bearers.register(Sampling)(lambda sampling, work: bearers(sampling.other, work))
places.otherwise(lambda sampling, which, tree, work: (U0, u64(tree.start[which + U1]) - u64(tree.start[which])))
places.register(Sampling)(lambda sampling, which, tree, work: places(sampling.other, which, tree, work))
tracks.register(Sampling)(lambda sampling: ranged(sampling.own) or ranged(sampling.other))
next_action.register(Sampling)(lambda sampling, a, d, work: following(work.masks[d], a + U1, work.width))
inclusion.register(Sampling)(lambda sampling, a, d, work: work.laws[d * work.width + a])
seat.otherwise(lambda policy, i, work: fill(work.reach, U0, work.hands, 1.0))


@begin.register(Sampling)
def _(sampling, i, work):
    work.weight[U0] = 1.0
    seat(sampling.other, i, work)


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
    here = d * work.hands
    mine, theirs = (work.own, work.reach) if m & BYTE == i else (work.reach, work.own)
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
