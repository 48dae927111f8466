"""One walk over a public tree with a vector of hands: the vector form. [Johanson et al. 2012; Li et al. 2020]

For player i, down: reach[g], with which probability the other player holds hand g and has played to here; up: for every
own hand what the node is worth, chance and the other player's reach counted in. Endings are over both players' hands
with the probabilities of the deal and of public events in them, so public chance nodes only add up.

    own node:       value[h] = sum_a sigma(h, a) v(h, a);  what is done with v is up to the actor
    others' node:   reach'[g] = reach[g] sigma(g, a);  value = sum_a v(a)
    ending:         value[h] = stake sum_g M[h, g] reach[g];  see `endings`

With sampling, an action followed with probability q(a) counts 1 / q(a): at own nodes v(h, a) is divided by it, and so
is the weight w of the walk below; elsewhere reach' is. Baselines correct what comes back: see `vector_baselines`.
Regrets then count w, and averages, added at the other player's nodes, w reach[g]. Own averages are added at the
walker's nodes: for every own hand its own reach over the probability of everything that was drawn on the way (but for
the other player's draws, if the average is not to be divided by them).
[Lanctot 2013, 4.4]

No recursion: a frame for every depth. Letters as in `walk`: h node, i walker, o first entry, k arity, c first child.
"""

from typing import Any, NamedTuple

from mccfr.kernel.averaging import OTHERS, Average, divides_by_others, fade_all, importance, remember, where
from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.endings import ending
from mccfr.kernel.estimators import Plain, Static
from mccfr.kernel.iterations import take_turn
from mccfr.kernel.layout import BYTE, CHANCE, TERMINAL, U0, U1, U2, U3, U8, f64, u64
from mccfr.kernel.minimisers import absorb, pace
from mccfr.kernel.pair_baselines import HandBaseline
from mccfr.kernel.public_laws import fill as fill, ranged_by_average
from mccfr.kernel.public_samplers import (
    Full,
    Sampling,
    bearers,
    begin,
    carry,
    extend_line,
    first_action,
    inclusion,
    next_action,
    pass_means_on,
    places,
    straight,
    tracks,
    wide,
)
from mccfr.kernel.sequence_form import Learn, answer, mean
from mccfr.kernel.vector_baselines import adds_up, correct, corrected, expect, suppose

NODE, AT = U0, U1  # words of a frame


class PublicTree(NamedTuple):
    """A dealt game for a walk: see `mccfr.tree.dealt_tree`."""

    nodes: Any  # uint32[4 nodes]
    pays: Any  # Matrices, OneCard or TwoCards
    stakes: Any
    members: Any  # uint32, the possible hands, list after list
    start: Any  # uint32[lists + 1]
    tie: Any  # float64[2, hands] up to which sum the regrets of a hand are rounding
    deal: Any = None  # a pair of float64[hands of the other, hands of i], for sampling by ranges
    hand_probability: Any = None  # float64[2, hands] of each player's hands in the deal
    index: Any = None  # uint32[lists, hands] the place of a hand in each list, for a hand that was drawn
    same: Any = None  # uint64[2, hands] the same hand among those of the other player; `hands` if it is not there


class VectorWork(NamedTuple):
    """Memory of a walk. A vector has room for the longer list of hands; vectors of all depths follow one another."""

    frame: Any  # uint64[2 depth]
    reach: Any  # float64[depth * hands] of the other player
    own: Any  # float64[depth * hands] of the walker
    values: Any  # float64[depth * hands * arity] at own nodes
    sums: Any  # float64[depth * hands] at other nodes
    out: Any  # float64[hands] what came back
    spare: Any  # float64[hands + cards] for endings
    touched: Any  # uint64[1] public nodes
    hands: Any  # uint64
    arity: Any  # uint64


class SampledWork(NamedTuple):
    """Memory of a vector walk that draws: a VectorWork and more."""

    frame: Any
    reach: Any
    own: Any
    values: Any
    sums: Any
    out: Any
    spare: Any
    touched: Any
    hands: Any
    arity: Any
    width: Any  # uint64, the most actions of a node, chance included
    laws: Any  # float64[depth * width] with which probability each action is followed
    masks: Any  # uint64[depth] the actions that are
    weight: Any  # float64[depth] 1 / probability of own draws
    line: Any  # float64[depth] 1 / probability of all draws, for own averages
    own_mean: Any  # float64[depth * hands] as own and reach, by average strategies, where a law asks for them
    reach_mean: Any
    across: Any  # float64[hands] ranges of the player who does not act, as the one who does sees them
    drawn: Any  # uint64[2] the other player's hand and the other player, where one hand was drawn
    expected: Any  # float64[hands] what a baseline says of an edge
    met: Any  # float64[hands] the weight of all hands that each may meet behind it
    dice: Any


class SampledParts(NamedTuple):
    """A sampled method on a public tree as the kernel sees it."""

    sampling: Any
    minimiser: Any
    averaging: Any
    estimator: Any = Plain()


class LearnSampled(NamedTuple):
    """At own infosets: take in the regrets; at the other player's, or at own ones: remember the strategy."""

    minimiser: Any
    scales: tuple[float, float]
    importance: float
    averaging: Any = Average()
    estimator: Any = Plain()


@verb
def baseline(actor):
    """The estimator by which an actor takes what comes back."""


@verb
def row_weight(actor, hand, d, work):
    """The weight `answer` is told for an own hand: its reach, or that of the walk."""


class Weights(NamedTuple):
    """A table of which only the proportions in each row count, such as an average; uniform where all are 0."""

    current: Any


@verb
def probability(table, o, k, a):
    """The probability of action a in the row of entries o .. o+k-1."""


@verb
def origin(sampling):
    """The node at which the walk begins."""


@verb
def cut(sampling, h, d, work):
    """Whether the walk goes no further than node h: then `out` has been given its values."""


@verb
def attend(actor, sampling, i, h, d, tree, table, work):
    """The walk has come to node h."""


@verb
def averages_own(actor):
    """Whether strategies are remembered at the walker's own nodes, which takes its reach and the odds of the line."""


@verb
def charged(actor, other, q):
    """What own averages are divided by for an action followed with probability q, if `other` by the other player."""


baseline.otherwise(lambda actor: Plain())
baseline.register(LearnSampled)(lambda actor: actor.estimator)
origin.otherwise(lambda sampling: U0)
cut.otherwise(lambda sampling, h, d, work: False)
probability.otherwise(lambda table, o, k, a: table.current[o + a])
row_weight.otherwise(lambda actor, hand, d, work: work.own[d * work.hands + hand])
row_weight.register(LearnSampled)(lambda actor, hand, d, work: work.weight[d])
attend.otherwise(lambda actor, sampling, i, h, d, tree, table, work: None)
averages_own.otherwise(lambda actor: False)
averages_own.register(LearnSampled)(lambda actor: where(actor.averaging) != OTHERS)
charged.otherwise(lambda actor, other, q: q)
charged.register(LearnSampled)(lambda actor, other, q: 1.0 if other and not divides_by_others(actor.averaging) else q)


@probability.register(Weights)
def _(table, o, k, a):
    total = 0.0
    for x in range(o, o + k):
        total += table.current[x]
    return table.current[o + a] / total if total > 0.0 else 1.0 / f64(k)


@answer.register(LearnSampled)
def _(actor, table, o, k, gain, s, w, tie):
    value = mean(table, o, k, gain, s)
    absorb(actor.minimiser, table, o, k, gain, s, value, w, actor.scales)
    return value


@attend.register(LearnSampled)
def _(actor, sampling, i, h, d, tree, table, work):
    kind = u64(tree.nodes[(h << U2) + U3]) & BYTE
    which = u64(tree.nodes[(h << U2) + U2])
    if kind == CHANCE or (kind == i) != averages_own(actor):
        return
    if averages_own(actor):
        n = u64(tree.start[which + U1]) - u64(tree.start[which])
        remember_hands(tree, table, h, U0, n, actor.importance * work.line[d], work.own, d * work.hands)
    else:
        place, end = places(sampling, which, tree, work)
        remember_hands(tree, table, h, place, end, actor.importance * work.weight[d], work.reach, d * work.hands)


@inlined
def remember_hands(tree, table, h, place, end, weight, reach, here):
    """Add the strategies of the hands in these places of node h to their averages, each with its reach."""
    o, k = u64(tree.nodes[(h << U2) + U1]), u64(tree.nodes[(h << U2) + U3]) >> U8
    first = u64(tree.start[u64(tree.nodes[(h << U2) + U2])])
    for j in range(place, end):
        hand = u64(tree.members[first + j])
        remember(table, table.current, o + j * k, o + j * k, k, weight * reach[here + hand])


@inlined
def copy(source, s, target, t, n):
    """n numbers from source[s:] to target[t:]."""
    for x in range(n):
        target[t + x] = source[s + x]


@inlined
def enter(actor, sampling, tree, table, i, h, a, d, work):
    """Both players' reaches after action a at node h, at depth d + 1."""
    q = inclusion(sampling, a, d, work)
    child = u64(tree.nodes[h << U2]) + a
    m = u64(tree.nodes[(h << U2) + U3])
    kind, k = m & BYTE, m >> U8
    here, below = d * work.hands, (d + U1) * work.hands
    carry(sampling, kind == i, q, d, work)
    pass_means_on(sampling, tree, table, i, h, a, d, work)
    if averages_own(actor):
        extend_line(sampling, kind, charged(actor, kind == U1 - i, q), h, a, d, tree, work)
    if kind == U1 - i:
        place, end = places(sampling, u64(tree.nodes[(h << U2) + U2]), tree, work)
        pass_on(tree, table, h, a, k, 1.0 / q, work.reach, here, below, place, end, wide(sampling), work)
    else:
        share = 1.0 if kind == i else q
        hand, end = bearers(sampling, work)
        for x in range(hand, end):
            work.reach[below + x] = work.reach[here + x] / share
    if (
        not (tracks(sampling) or averages_own(actor)) or u64(tree.nodes[(child << U2) + U3]) & BYTE == TERMINAL
    ):  # endings do not ask
        return
    if kind == i:
        which = u64(tree.nodes[(h << U2) + U2])
        n = u64(tree.start[which + U1]) - u64(tree.start[which])
        pass_on(tree, table, h, a, k, 1.0, work.own, here, below, U0, n, True, work)
    else:
        copy(work.own, here, work.own, below, work.hands)


@inlined
def pass_on(tree, table, h, a, k, share, reach, here, below, place, end, clear, work):
    """The actor's reach below: what the hands in these places had, times the probability with which they play a."""
    o = u64(tree.nodes[(h << U2) + U1])
    first = u64(tree.start[u64(tree.nodes[(h << U2) + U2])])
    if clear and end - place < work.hands:  # some hand cannot be held
        fill(reach, below, work.hands, 0.0)
    for j in range(place, end):
        hand = u64(tree.members[first + j])
        reach[below + hand] = reach[here + hand] * (probability(table, o + j * k, k, a) * share)


@pass_means_on.register(Sampling)
def _(sampling, tree, table, i, h, a, d, work):
    child = u64(tree.nodes[h << U2]) + a
    if not ranged_by_average(sampling) or u64(tree.nodes[(child << U2) + U3]) & BYTE == TERMINAL:
        return
    m, which = u64(tree.nodes[(h << U2) + U3]), u64(tree.nodes[(h << U2) + U2])
    kind, here, below = m & BYTE, d * work.hands, (d + U1) * work.hands
    mine, theirs = (work.own_mean, work.reach_mean) if kind == i else (work.reach_mean, work.own_mean)
    copy(theirs, here, theirs, below, work.hands)
    if kind == CHANCE:
        copy(mine, here, mine, below, work.hands)
    else:
        n = u64(tree.start[which + U1]) - u64(tree.start[which])
        pass_on(tree, Weights(table.average), h, a, m >> U8, 1.0, mine, here, below, U0, n, True, work)


@inlined
def answers(actor, tree, table, i, first, n, o, k, d, work):
    """out: the values of n hands' rows of k actions. A constant k lets the compiler unroll its loops."""
    here = d * work.hands
    for j in range(n):
        hand = u64(tree.members[first + j])
        at = here * work.arity + hand * k
        w = row_weight(actor, hand, d, work)
        work.out[hand] = answer(actor, table, o + j * k, k, work.values, at, w, tree.tie[i, hand])


@inlined
def leave(actor, tree, table, h, d, work):
    """All actions of an own node have come back: let the actor have each hand's row; out: their values."""
    o = u64(tree.nodes[(h << U2) + U1])
    which = u64(tree.nodes[(h << U2) + U2])
    m = u64(tree.nodes[(h << U2) + U3])
    i, k = m & BYTE, m >> U8
    first = u64(tree.start[which])
    n = u64(tree.start[which + U1]) - first
    if n < work.hands:  # some hand cannot be held
        fill(work.out, U0, work.hands, 0.0)
    if k == U1:
        answers(actor, tree, table, i, first, n, o, U1, d, work)
    elif k == U2:
        answers(actor, tree, table, i, first, n, o, U2, d, work)
    elif k == U3:
        answers(actor, tree, table, i, first, n, o, U3, d, work)
    else:
        answers(actor, tree, table, i, first, n, o, k, d, work)


@suppose.register(Static, HandBaseline)
def _(estimator, sampling, tree, table, i, h, d, work):
    c, m = u64(tree.nodes[h << U2]), u64(tree.nodes[(h << U2) + U3])
    kind, k, here, below = m & BYTE, m >> U8, d * work.hands, (d + U1) * work.hands
    for a in range(k):
        if kind == U1 - i:
            place, end = places(sampling, u64(tree.nodes[(h << U2) + U2]), tree, work)
            pass_on(tree, table, h, a, k, 1.0, work.reach, here, below, place, end, wide(sampling), work)
        expect(estimator, i, c + a, work.reach, below if kind == U1 - i else here, tree, work)
        for x in range(work.hands):
            if kind == i:
                work.values[here * work.arity + x * k + a] = work.expected[x]
            else:
                work.sums[here + x] += work.expected[x]


@inlined
def gather(estimator, sampling, tree, i, h, a, d, work):
    """Action a at node h has come back."""
    m = u64(tree.nodes[(h << U2) + U3])
    here, k = d * work.hands, m >> U8
    if corrected(estimator, sampling, m & BYTE, i):
        correct(estimator, sampling, tree, i, h, a, d, work)
    elif m & BYTE == i:
        q = inclusion(sampling, a, d, work)
        for x in range(work.hands):
            work.values[here * work.arity + x * k + a] = work.out[x] / q
    elif not straight(sampling, m & BYTE):
        for x in range(work.hands):
            work.sums[here + x] += work.out[x]


@inlined
def vector_walk(actor, sampling, i, t, tree, table, work):
    """Walk the public tree for player i at iteration t; returns an unbiased estimate of the value of the game to i."""
    d = a = touched = U0
    h = origin(sampling)
    fill(work.own, U0, work.hands, 1.0)
    begin(sampling, i, work)
    arriving = True
    while True:
        while True:  # ---- down
            if arriving:
                if cut(sampling, h, d, work):
                    break
                touched += U1
                m = u64(tree.nodes[(h << U2) + U3])
                if m & BYTE == TERMINAL:
                    stake = tree.stakes[u64(tree.nodes[(h << U2) + U1])]
                    number = u64(tree.nodes[h << U2])
                    ending(tree.pays, i, number, stake, work.reach, d * work.hands, work.out, work.spare)
                    break
                a = first_action(sampling, i, t, h, d, tree, table, work)
                attend(
                    actor, sampling, i, h, d, tree, table, work
                )  # after drawing: laws know the averages of earlier visits
                work.frame[(d << U1) + NODE] = h
                if m & BYTE != i and adds_up(baseline(actor), sampling, m & BYTE, i):
                    fill(work.sums, d * work.hands, work.hands, 0.0)
                if corrected(baseline(actor), sampling, m & BYTE, i):
                    suppose(baseline(actor), sampling, tree, table, i, h, d, work)
            work.frame[(d << U1) + AT] = a
            enter(actor, sampling, tree, table, i, h, a, d, work)
            h = u64(tree.nodes[h << U2]) + a
            d += U1
            arriving = True
        while d > U0:  # ---- up
            d -= U1
            h = work.frame[(d << U1) + NODE]
            a = work.frame[(d << U1) + AT]
            m = u64(tree.nodes[(h << U2) + U3])
            gather(baseline(actor), sampling, tree, i, h, a, d, work)
            a = next_action(sampling, a, d, work)
            if a < m >> U8:
                arriving = False
                break
            if m & BYTE == i:
                leave(actor, tree, table, h, d, work)
            elif adds_up(baseline(actor), sampling, m & BYTE, i):
                copy(work.sums, d * work.hands, work.out, U0, work.hands)
        if arriving:
            break
    work.touched[U0] += touched
    total = 0.0
    for x in range(work.hands):
        total += work.out[x]
    return total


@entry
def vector_sweep(n, clock, minimiser, averaging, tree, table, work):
    """The next n iterations, player 1 answering player 0's renewed strategy. clock[0] counts them."""
    for _ in range(n):
        t = clock[U0] + 1.0
        actor = Learn(minimiser, pace(minimiser, t), importance(averaging, t))
        fade_all(averaging, table, t)
        for i in range(U2):
            vector_walk(actor, Full(), i, t, tree, table, work)
        clock[U0] = t


@take_turn.register(SampledParts)
def _(parts, i, t, weight, scales, tree, table, work):
    actor = LearnSampled(parts.minimiser, scales, weight, parts.averaging, parts.estimator)
    return vector_walk(actor, parts.sampling, i, t, tree, table, work)


@entry
def vector_respond(actor, i, tree, table, work):
    """One walk for `actor`; returns the value of the game to player i."""
    return vector_walk(actor, Full(), i, 0.0, tree, table, work)
