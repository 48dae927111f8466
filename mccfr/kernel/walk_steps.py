"""The five steps of a walk: through others' nodes, choose at an own node; back at others', next own action, update.

`mccfr.kernel.walk` says what they compute and what the letters mean. A step is given an Errand, which stays the same
during a walk, and the small bundles below; it leaves what must outlast it in the walker's frame.
"""

from typing import Any, NamedTuple

import mccfr.kernel.rollouts  # noqa: F401  what probing answers
from mccfr.kernel.averaging import OTHERS, OWN, divides_by_others, own_visit, remember, where
from mccfr.kernel.counting import tally
from mccfr.kernel.dealing import edge_into, event, row, shares
from mccfr.kernel.dice import choose
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.estimators import (
    GeneralProbe,
    PageRule,
    Plain,
    Probe,
    corrects,
    divides_unseen,
    foresees,
    guess,
    learn,
    seen,
    unseen,
    weighs_opponent_again,
)
from mccfr.kernel.layout import CHANCE, FAIR, U0, U1, U2, U3, f64, u64
from mccfr.kernel.minimisers import absorb
from mccfr.kernel.play import kept, strategy
from mccfr.kernel.prefetch import look_ahead, look_further
from mccfr.kernel.pruning import endings, keep_regrets
from mccfr.kernel.samplers import (
    ALL,
    ONE,
    draw_off_policy,
    draws,
    draws_others_uniformly,
    explores_others,
    following,
    follows_all_chance,
    follows_all_others,
    note_laws,
    scale,
    single,
    skips,
    subset,
)
from mccfr.kernel.sharing import release, take
from mccfr.kernel.witness import arrives, follows, passes, picks, remembers, returns, supposes, updated, updates

CHILD, ROW, ARITY, AT, MASK, KIND, EVENTS = (u64(j) for j in range(7))  # words of a frame
WEIGHT, REACH, RATIO, VALUES = U0, U1, U2, U3  # reals of a frame; then k values, k laws, k strategies


class Errand(NamedTuple):
    """What a walk is for and what it works with: the same at every node."""

    i: Any  # the walker
    t: Any  # iteration
    weight: Any  # of the iteration in averages
    scales: Any  # what `pace` said of it
    method: Any
    tree: Any
    table: Any
    work: Any


class Going(NamedTuple):
    """Where a walk goes next, and with what."""

    h: Any  # node
    w: Any  # weight
    reach: Any  # of the walker, for averages at its own nodes
    n: Any  # events of chance so far


class Back(NamedTuple):
    """What comes back from below."""

    y: Any  # to the walker
    ahead: Any  # under the updated strategies, for estimators that foresee


class Left(NamedTuple):
    """A node on the path of a walk, as it was left."""

    f: Any  # its first word in work.frame
    g: Any  # its first number in work.real
    c: Any  # first child
    o: Any  # first table entry
    k: Any  # arity
    a: Any  # action


@inlined
def probability_of(tree, kind, o, k, p, s, a):
    """Probability of action a at a node that is not the walker's."""
    if kind < CHANCE:
        return p[s + a]
    return 1.0 / f64(k) if kind == FAIR else tree.odds[o + a]


@verb
def outlook(estimator, i, tree, kind, c, o, k, p, s, held):
    """What the baselines say a node is worth to player i."""


outlook.register(Plain, PageRule, Probe, GeneralProbe)(lambda estimator, i, tree, kind, c, o, k, p, s, held: 0.0)


@outlook.otherwise
def _(estimator, i, tree, kind, c, o, k, p, s, held):
    total = 0.0
    for a in range(k):
        b = guess(estimator, i, edge_into(estimator, i, tree, c + a, held))
        total += probability_of(tree, kind, o, k, p, s, a) * b
    return total


@inlined
def left_at(d, work):
    """The node at depth d."""
    f = d << U3
    frame = work.frame
    c, o, k, a = u64(frame[f + CHILD]), u64(frame[f + ROW]), u64(frame[f + ARITY]), u64(frame[f + AT])
    return Left(f, d * work.stride, c, o, k, a)


@inlined
def follows_all(sampler, kind):
    """Whether all actions of a node that is not the walker's are followed."""
    return follows_all_others(sampler) if kind < CHANCE else follows_all_chance(sampler)


@inlined
def off_policy(sampler, kind):
    """Whether one action of a node that is not the walker's is drawn, by a law that is not its own."""
    return draws_others_uniformly(sampler) or (explores_others(sampler) and kind < CHANCE)


@inlined
def keeps_others(method):
    """Whether nodes that are not the walker's have frames: to correct what comes back, or to go on to other actions."""
    sampler = method.sampler
    corrected = corrects(method.estimator) or draws_others_uniformly(sampler) or explores_others(sampler)
    return corrected or follows_all_others(sampler) or follows_all_chance(sampler)


@inlined
def weight_varies(method):
    """Whether the weight of a walk is ever other than 1."""
    sampler = method.sampler
    by_others = follows_all_others(sampler) or follows_all_chance(sampler) or draws_others_uniformly(sampler)
    return draws(sampler) != ALL or by_others or weighs_opponent_again(method.estimator)


@inlined
def laws_of(g, work):
    """Where a frame has its inclusion probabilities."""
    return g + VALUES + work.arity


@inlined
def plays_of(g, work):
    """Where a frame has its strategy, if that is not read from the table."""
    return g + VALUES + work.arity + work.arity


@inlined
def through(errand, kind, k, d, at):
    """A node that is not the walker's: go through one action, or the first of all; returns the depth, and where to."""
    i, t, weight, _, method, tree, table, work = errand
    sampler, frame, real, f, g = method.sampler, work.frame, work.real, d << U3, d * work.stride
    h, w, reach, n = at
    c = u64(tree.nodes[h << U2])
    o = row(tree, h, u64(tree.nodes[(h << U2) + U3]), work.held)
    p, s = kept(method.play, table, U0, real, plays_of(g, work))  # of chance nothing is read there
    if kind < CHANCE:
        p, s = strategy(method.play, table, o, k, real, plays_of(g, work), t)
    arrives(work.witness, i, h, kind, o, k, w, reach, p, s)
    if kind < CHANCE and where(method.averaging) == OTHERS:
        remember(table, p, s, o, k, weight * w)
        remembers(work.witness, table, o, k, weight, w, reach)
    full, off = follows_all(sampler, kind), off_policy(sampler, kind)
    a = U0
    inverse = ratio = 1.0
    if full:
        ratio = probability_of(tree, kind, o, k, p, s, a)
        real[g + VALUES] = 0.0
    elif off:
        a, inverse = draw_off_policy(sampler, table, p, s, o, k, work.dice)
        ratio = probability_of(tree, kind, o, k, p, s, a) * inverse
    elif kind < CHANCE:
        a = choose(p, s, k, work.dice)
        if weighs_opponent_again(method.estimator):
            w *= p[s + a]
    else:
        a = event(work.luck, n, kind, o, k, tree.odds, work.dice)
    if corrects(method.estimator) or off or full:
        frame[f + CHILD] = c
        frame[f + ROW] = o
        frame[f + ARITY] = k
        frame[f + AT] = a
        frame[f + KIND] = kind
        if shares(work.luck):
            frame[f + EVENTS] = n
        if full:
            real[g + WEIGHT] = w
        if full or off:
            real[g + RATIO] = ratio
        if where(method.averaging) != OTHERS:
            real[g + REACH] = reach
        d += U1
    if where(method.averaging) == OWN:  # pi_i pi_c / q: a sampled opponent costs its probability
        if kind >= CHANCE:
            reach *= ratio
        elif not full and divides_by_others(method.averaging):
            reach *= inverse if off else 1.0 / p[s + a]
    if shares(work.luck) and kind >= CHANCE:
        n += U1
    w *= ratio
    follows(work.witness, c + a, w)
    if off:
        tally(sampler, o + a)
    return d, Going(c + a, w, reach, n)


@inlined
def choose_own(errand, kind, k, d, at):
    """The walker's node: draw actions; returns whether one was drawn, and where the first leads to."""
    i, t, weight, _, method, tree, table, work = errand
    sampler, averaging, frame, real = method.sampler, method.averaging, work.frame, work.real
    f, g, every, lone = d << U3, d * work.stride, draws(sampler) == ALL, draws(sampler) == ONE
    h, w, reach, n = at
    c = u64(tree.nodes[h << U2])
    o = row(tree, h, u64(tree.nodes[(h << U2) + U3]), work.held)
    p, s = strategy(method.play, table, o, k, real, plays_of(g, work), t)
    arrives(work.witness, i, h, kind, o, k, w, reach, p, s)
    own_visit(averaging, table, p, s, o, k, weight, reach, t)
    if where(averaging) != OTHERS:
        remembers(work.witness, table, o, k, weight, w, reach)
    total = scale(sampler, table, o, k)
    a = mask = U0
    q = 1.0
    if lone:
        a, q = single(sampler, total, table, p, s, o, k, work.dice)
        mask = U1 << a
        if divides_unseen(method.estimator):
            note_laws(sampler, total, table, p, s, o, k, real, laws_of(g, work))
    elif not every:
        mask = subset(sampler, total, table, p, s, o, k, work.dice, real, laws_of(g, work))
        if skips(sampler):
            mask |= endings(tree, c, k)
        a = following(mask, U0, k)
    picks(work.witness, h, mask, q, real, laws_of(g, work))
    if lone:
        tally(sampler, o + a)
    frame[f + CHILD] = c
    frame[f + ROW] = o
    frame[f + ARITY] = k
    frame[f + AT] = a
    if keeps_others(method):
        frame[f + KIND] = kind
    if shares(work.luck):
        frame[f + EVENTS] = n
    if not every and not lone:
        frame[f + MASK] = mask
    if lone:
        real[g + RATIO] = q
    if weight_varies(method):
        real[g + WEIGHT] = w
    if where(averaging) != OTHERS:
        real[g + REACH] = reach
    drawn = every or lone or a < k
    if drawn:
        if not every and not lone:
            q = f64(real[laws_of(g, work) + a])
        if where(averaging) != OTHERS:
            reach *= p[s + a] / q if where(averaging) == OWN else p[s + a]
        w /= q
        if every:
            look_ahead(tree.memory, tree, table, o, c, k, work.held)
    return drawn, Going(c + a, w, reach, n)


@inlined
def back_at_others(errand, kind, left, back, at):
    """An action of a node that is not the walker's came back; returns what goes up, whether another action follows."""
    i, _, _, _, method, tree, table, work = errand
    estimator, frame, real = method.estimator, work.frame, work.real
    f, g, c, o, k, a = left
    h, w, reach, n = at
    p, s = kept(method.play, table, o, real, plays_of(g, work))
    e = edge_into(estimator, i, tree, c + a, work.held)
    value, ahead = back
    if follows_all(method.sampler, kind):
        real[g + VALUES] += real[g + RATIO] * back.y
        value = f64(real[g + VALUES])
        passes(work.witness, c + a, back.y, guess(estimator, i, e), value)
        learn(estimator, i, e, back.y, ahead)
        a += U1
        if a < k:
            ratio = probability_of(tree, kind, o, k, p, s, a)
            frame[f + AT] = a
            real[g + RATIO] = ratio
            w = real[g + WEIGHT] * ratio
            if where(method.averaging) != OTHERS:
                reach = f64(real[g + REACH])
            if where(method.averaging) == OWN and kind >= CHANCE:
                reach *= ratio
            if shares(work.luck) and kind >= CHANCE:
                n += U1
            follows(work.witness, c + a, w)
            return Back(value, ahead), True, Going(c + a, w, reach, n)
    else:
        expected = outlook(estimator, i, tree, kind, c, o, k, p, s, work.held)
        rest = back.y - guess(estimator, i, e)
        value = expected + (real[g + RATIO] * rest if off_policy(method.sampler, kind) else rest)
        passes(work.witness, c + a, back.y, guess(estimator, i, e), value)
        learn(estimator, i, e, back.y, ahead)
    if foresees(estimator):
        ahead = outlook(estimator, i, tree, kind, c, o, k, p, s, work.held)
    return Back(value, ahead), False, Going(h, w, reach, n)


@inlined
def next_own(errand, left, back, at):
    """An action of the walker's came back: its value; returns whether another one follows, and where to."""
    i, _, _, _, method, tree, table, work = errand
    estimator, sampler, frame, real = method.estimator, method.sampler, work.frame, work.real
    every, lone = draws(sampler) == ALL, draws(sampler) == ONE
    f, g, c, o, k, a = left
    h, w, reach, n = at
    if weight_varies(method):
        w = f64(real[g + WEIGHT])
    if where(method.averaging) != OTHERS:
        reach = f64(real[g + REACH])
    if every or lone or a < k:
        e = edge_into(estimator, i, tree, c + a, work.held)
        q = 1.0 if every else real[g + RATIO] if lone else real[laws_of(g, work) + a]
        real[g + VALUES + a] = seen(estimator, back.y, q, guess(estimator, i, e))
        returns(work.witness, c + a, back.y, q, guess(estimator, i, e), real[g + VALUES + a])
        learn(estimator, i, e, back.y, back.ahead)
        a = k if lone else a + U1 if every else following(u64(frame[f + MASK]), a + U1, k)
        if a < k:
            p, s = kept(method.play, table, o, real, plays_of(g, work))
            q = 1.0 if every else real[laws_of(g, work) + a]
            frame[f + AT] = a
            if where(method.averaging) != OTHERS:
                reach *= p[s + a] / q if where(method.averaging) == OWN else p[s + a]
            w /= q
            if every and a + U1 < k:
                look_further(tree.memory, tree, table, c + a + U1, work.held)
            return True, Going(c + a, w, reach, n)
    return False, Going(h, w, reach, n)


@inlined
def update(errand, left, at, back):
    """All drawn actions of the walker's are back: the node's value, with what the others are taken to be worth."""
    i, t, _, scales, method, tree, table, work = errand
    estimator, sampler, real = method.estimator, method.sampler, work.real
    every, lone = draws(sampler) == ALL, draws(sampler) == ONE
    f, g, c, o, k, a = left
    mask = U0 if every or lone else u64(work.frame[f + MASK])
    p, s = kept(method.play, table, o, real, plays_of(g, work))
    v = g + VALUES
    value = 0.0
    for j in range(k):
        x = real[v + j]
        if (u64(j) != a) if lone else not every and (mask >> u64(j)) & U1 == U0:
            if skips(sampler):  # only what is not played
                x = 0.0
            else:
                b = guess(estimator, i, edge_into(estimator, i, tree, c + j, work.held))
                x = unseen(estimator, b, c + j, i, t, method, tree, table, work)
                if divides_unseen(estimator):
                    x = seen(estimator, x, f64(real[laws_of(g, work) + j]), 0.0)
                supposes(work.witness, c + j, b, x)
        real[v + j] = x
        value += p[s + j] * x
    if skips(sampler):
        keep_regrets(real, v, mask, k, value)
    take(table, o)
    updates(work.witness, c, table, o, k, real, v, value, at.w)
    absorb(method.minimiser, table, o, k, real, v, value, at.w, scales)
    updated(work.witness, table, o, k)
    release(table, o)
    ahead = back.ahead
    if foresees(estimator):
        p, s = strategy(method.play, table, o, k, real, plays_of(g, work), t)
        ahead = outlook(estimator, i, tree, i, c, o, k, p, s, work.held)
    return Back(value, ahead)
