"""Public laws: by what probabilities an action of a public node is drawn, for all hands at once. [Li et al. 2020]

No public law q(a) is every hand's own strategy, so at the other player's nodes each hand's reach is multiplied by its
own ratio sigma(g, a) / q(a); own draws go into one weight of the walk. What is learned is then right on average if q is
positive wherever a hand might play. MCS and WCS(own) see to that at the other player's nodes; all others need to
explore, for the law of average strategies misses what is played only since now, and ranges miss what is not reached.
At own nodes, where every action matters, and in public outcome sampling all laws need to.

Means are over hands as they are dealt: a class of hands counts as many times as it has hands. Where all hands are
equally likely, as in the paper, that is the mean over infosets.
"""

from typing import Any, NamedTuple

from mccfr.kernel.counting import bonus, exploration_rate, explored_share, rare_probability, sum_of_rarities, tally
from mccfr.kernel.dice import uniform
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, U2, f64, u64
from mccfr.kernel.samplers import ONE, Uniform, draws


class RCS(NamedTuple):
    """Random current strategy: that of a hand drawn at random. With `marginal`, weighed as what it is: MCS.

    Weighed with the drawn infoset's own probability, as the paper reads, it is **biased**.
    """

    marginal: bool = True


class MCS(NamedTuple):
    """Mean current strategy of all infosets."""


class WCS(NamedTuple):
    """Weighted current strategy: infosets count by the mover's `own` range, by the `other` player's, or by both.

    The other player's range is how likely that player comes here at all, given the mover's hand and the deal, so it
    differs between hands only by the cards they block. With `same_hand` it is how likely that player comes here with
    the same hand: what a program has that multiplies ranges hand by hand.
    """

    own: bool = True
    other: bool = False
    same_hand: bool = False


class MAS(NamedTuple):
    """Mean average strategy of all infosets."""


class WAS(NamedTuple):
    """Weighted average strategy; ranges, as in WCS, from the current one. [eq. 7]

    With `by=average` they are those of the average strategy, which the paper mentions: see `WASByAverage`.
    """

    own: bool = True
    other: bool = False
    same_hand: bool = False


class WASByAverage(NamedTuple):
    """Weighted average strategy; ranges from the average one too: pi_i of sigma-bar in place of sigma in eq. 7.

    The paper names this weight and prefers the other. It needs reaches of its own, which a walk keeps where it is used.
    They are those of the averages as the walk goes on, with what it has just added above.
    """

    own: bool = True
    other: bool = False
    same_hand: bool = False


class ByRegret(NamedTuple):
    """Actions by what their players regret: q(a) ~ sum over hands of [R(h, a)]+, uniform where nobody regrets anything.

    Not in the paper: of a line of exact values only the choice of whom to update is left to the law.
    """


class Explored(NamedTuple):
    """The law inside with probability 1 - alpha, else rare actions: q_e(a) ~ 1 + beta / C(a)^gamma. [eq. 8 and 9]

    C(a): how often a was drawn here. The paper leaves C = 0 open, where q_e is infinite. Here C counts from 1; or, with
    `new_first`, q_e is uniform over the actions never drawn while there are any, and others are left to the law inside
    until then: what it misses is missed, a bias of the first few visits.

    Unless they are given, alpha = 1 / ln(t + 10) and beta = ln(t + 10). The paper asks for an alpha that tends to 0 and
    for any beta from 0 on; with beta 0, exploration is uniform.
    """

    inside: Any
    gamma: float = 0.5
    new_first: bool = False
    alpha: float = 0.0  # 0: not given
    beta: float = -1.0  # below 0: not given
    counts: Any = None  # float64[nodes] how often each node was drawn as a child


class EpsilonGreedy(NamedTuple):
    """The law inside with probability 1 - epsilon, else uniform. Epsilon 0 stands for alpha = 1 / ln(t + 10)."""

    inside: Any
    epsilon: float = 0.0


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
def weigh(policy, at, hand, tree, work):
    """How much the infoset of this hand counts in a public law."""


@verb
def believed(policy, current, average):
    """The strategies a public law blends."""


@verb
def lay(policy, marginal, at, tree, table, work):
    """Put the law of the next action into work.laws; of a law that is itself drawn, the mean if `marginal`."""


@verb
def law_is_drawn(policy):
    """Whether the law actions are drawn from is itself drawn, so that they must be weighed with its mean."""


@verb
def ranged(policy):
    """Whether the law depends on ranges."""


@verb
def ranged_by_average(policy):
    """Whether the ranges it depends on are those of average strategies."""


@verb
def reads_averages(policy):
    """Whether the law depends on average strategies."""


draws.register(RCS, MCS, WCS, MAS, WAS, WASByAverage, ByRegret, Explored, EpsilonGreedy)(lambda sampler: ONE)
believed.register(MCS, WCS)(lambda policy, current, average: current)
believed.register(MAS, WAS, WASByAverage)(lambda policy, current, average: average)
weigh.register(MCS, MAS)(lambda policy, at, hand, tree, work: tree.hand_probability[at.kind, hand])
law_is_drawn.otherwise(lambda policy: False)
law_is_drawn.register(RCS)(lambda policy: policy.marginal)
law_is_drawn.register(Explored, EpsilonGreedy)(lambda policy: law_is_drawn(policy.inside))
ranged.otherwise(lambda policy: False)
ranged.register(WCS, WAS, WASByAverage)(lambda policy: True)
ranged.register(Explored, EpsilonGreedy)(lambda policy: ranged(policy.inside))
ranged_by_average.otherwise(lambda policy: False)
ranged_by_average.register(WASByAverage)(lambda policy: True)
ranged_by_average.register(Explored, EpsilonGreedy)(lambda policy: ranged_by_average(policy.inside))
reads_averages.otherwise(lambda policy: False)
reads_averages.register(MAS, WAS, WASByAverage)(lambda policy: True)
reads_averages.register(Explored, EpsilonGreedy)(lambda policy: reads_averages(policy.inside))


@tally.register(Explored)
def _(policy, child):
    policy.counts[child] += 1.0


@weigh.register(WCS, WAS, WASByAverage)
def _(policy, at, hand, tree, work):
    x = at.mine[at.m + hand] if policy.own else 1.0
    return x * (work.across[hand] if policy.other else tree.hand_probability[at.kind, hand])


@inlined
def fill(target, t, n, value):
    """Put one number n times into target, from target[t] on."""
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


@lay.register(Uniform)
def _(policy, marginal, at, tree, table, work):
    fill(work.laws, at.g, at.k, 1.0 / f64(at.k))


@lay.register(MCS, MAS)
def _(policy, marginal, at, tree, table, work):
    blend(policy, at, tree, table, work)


@inlined
def look_across(at, tree, work):
    """work.across[hand]: how likely the other player comes here with any hand, given this one and the deal."""
    deal = tree.deal[0] if at.kind == U0 else tree.deal[1]
    fill(work.across, U0, u64(len(work.across)), 0.0)
    for g in range(u64(deal.shape[0])):
        weight = at.theirs[at.s + g]
        if weight != 0.0:
            for x in range(u64(deal.shape[1])):
                work.across[x] += deal[g, x] * weight


@inlined
def look_at_same_hands(at, tree, work):
    """work.across[hand]: how likely this hand is dealt, and the other player comes here with the same one."""
    hands = u64(len(work.across))
    for x in range(hands):
        g = tree.same[at.kind, x]
        work.across[x] = tree.hand_probability[at.kind, x] * at.theirs[at.s + g] if g < hands else 0.0


@lay.register(WCS, WAS, WASByAverage)
def _(policy, marginal, at, tree, table, work):
    if policy.other and policy.same_hand:
        look_at_same_hands(at, tree, work)
    elif policy.other:
        look_across(at, tree, work)
    if not blend(policy, at, tree, table, work) > 0.0:
        blend(MCS(), at, tree, table, work)


@inlined
def dealt_place(at, tree, dice):
    """One of the possible hands, by its place, as likely as it is dealt."""
    total = 0.0
    for j in range(at.n):
        total += tree.hand_probability[at.kind, u64(tree.members[at.first + j])]
    u = uniform(dice) * total
    place = U0
    so_far = tree.hand_probability[at.kind, u64(tree.members[at.first])]
    while u >= so_far and place < at.n - U1:
        place += U1
        so_far += tree.hand_probability[at.kind, u64(tree.members[at.first + place])]
    return place


@lay.register(RCS)
def _(policy, marginal, at, tree, table, work):
    if marginal:
        blend(MCS(), at, tree, table, work)
    else:
        o = at.o + dealt_place(at, tree, work.dice) * at.k
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
    epsilon = policy.epsilon if policy.epsilon > 0.0 else exploration_rate(at.t)
    for a in range(at.k):
        work.laws[at.g + a] = (1.0 - epsilon) * work.laws[at.g + a] + epsilon / f64(at.k)


@lay.register(Explored)
def _(policy, marginal, at, tree, table, work):
    lay(policy.inside, marginal, at, tree, table, work)
    c = u64(tree.nodes[at.h << U2])
    alpha, beta = explored_share(policy, at.t), bonus(policy, at.t)
    total = sum_of_rarities(policy, beta, c, at.k)
    for a in range(at.k):
        rare = rare_probability(policy, beta, total, c + a)
        work.laws[at.g + a] = (1.0 - alpha) * work.laws[at.g + a] + alpha * rare


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


@inlined
def draw(policy, at, tree, table, work):
    """An action by the law of a policy; its probability is then in work.laws."""
    lay(policy, False, at, tree, table, work)
    a = pick(work.laws, at.g, at.k, work.dice)
    if law_is_drawn(policy):
        lay(policy, True, at, tree, table, work)
    tally(policy, u64(tree.nodes[at.h << U2]) + a)
    return a
