"""One walk for every sampled algorithm in value form.

At node h the walk visits a random set of actions with inclusion probabilities q(a) > 0; with any control variate b(a):

    v(a)  = b(a) + 1[a visited] (y(a) - b(a)) / q(a)         y(a): what came back from below
    value = sum_a sigma(a) v(a)                               goes to the parent
    w(child a) = w (1 if own else sigma(a)) / q(a)            w(root) = 1
    own node:       regret(I, a)  += w (v(a) - value)
    others' node:   average(I, a) += w sigma(a)

[Lanctot et al. 2009; Gibson et al. 2012; Davis, Schmid, Bowling 2019, eq. 4]. Parts answer questions with constants, so
the compiler drops every branch that a method does not need: each method gets a kernel of its own from this one text.
No recursion: frames in preallocated arrays, one loop down and one up. Letters: h node, i walker, w weight, o first
table entry, k arity, p[s:] strategy, q inclusion probability, v value, y what came back, b baseline, c first child.
"""

from typing import Any, NamedTuple

from mccfr.kernel.averaging import OTHERS, OWN, own_visit, remember, where
from mccfr.kernel.dealing import come_back, deal, event, events_before, forget, place, row, shares, worth
from mccfr.kernel.dice import below, choose
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.estimators import Probe, corrects, edge, foresees, guess, learn, seen, unseen, weighs_opponent_again
from mccfr.kernel.iterations import take_turn
from mccfr.kernel.layout import BYTE, CHANCE, FAIR, TERMINAL, U0, U1, U2, U3, U8, f64, u64
from mccfr.kernel.minimisers import absorb
from mccfr.kernel.play import kept, strategy
from mccfr.kernel.prefetch import look_ahead, look_further, looks_ahead, prefetch
from mccfr.kernel.samplers import (
    ALL,
    ONE,
    draws,
    draws_others_uniformly,
    following,
    follows_all_chance,
    follows_all_others,
    scale,
    single,
    subset,
)
from mccfr.kernel.sharing import release, take
from mccfr.kernel.witness import (
    arrives,
    ends,
    follows,
    passes,
    picks,
    remembers,
    returns,
    strolls,
    supposes,
    updated,
    updates,
)

CHILD, ROW, ARITY, AT, MASK, KIND, EVENTS = (u64(j) for j in range(7))  # words of a frame
WEIGHT, REACH, RATIO, VALUES = U0, U1, U2, U3  # reals of a frame; then k values, k laws, k strategies


class Parts(NamedTuple):
    """A method as the kernel sees it."""

    sampler: Any
    estimator: Any
    minimiser: Any
    averaging: Any
    play: Any


@inlined
def probability_of(tree, kind, o, k, p, s, a):
    """Probability of action a at a node that is not the walker's."""
    if kind < CHANCE:
        return p[s + a]
    return 1.0 / f64(k) if kind == FAIR else tree.odds[o + a]


@inlined
def outlook(estimator, i, tree, kind, c, o, k, p, s, held):
    """What the baselines say a node is worth to player i."""
    total = 0.0
    for a in range(k):
        total += probability_of(tree, kind, o, k, p, s, a) * guess(
            estimator, i, edge(estimator, i, place(tree, c + a, held))
        )
    return total


@inlined
def rollout(h, i, t, play, tree, table, work):
    """Play on from h, everybody by the current strategy; no table is touched. [Gibson et al. 2012, Probe]"""
    touched = U1
    n = events_before(work.luck)
    m = u64(tree.nodes[(h << U2) + U3])
    strolls(work.witness, h)
    while m & BYTE != TERMINAL:
        k = m >> U8
        c = u64(tree.nodes[h << U2])
        o = row(tree, h, m, work.held)
        if m & BYTE >= CHANCE:
            h = c + event(work.luck, n, m & BYTE, o, k, tree.odds, work.dice)
            n += U1
        else:
            p, s = strategy(play, table, o, k, work.spare, U0, t)
            h = c + choose(p, s, k, work.dice)
        m = u64(tree.nodes[(h << U2) + U3])
        strolls(work.witness, h)
        touched += U1
    work.touched[U0] += touched
    y = worth(tree, h, work.held)
    return y if i == U0 else -y


@unseen.register(Probe)
def _(estimator, b, h, i, t, play, tree, table, work):
    total = 0.0
    for _ in range(estimator.rollouts):
        total += rollout(h, i, t, play, tree, table, work)
    return total / f64(estimator.rollouts)


@inlined
def walk(i, t, weight, scales, method, tree, table, work):
    """Walk once for player i at iteration t; returns an unbiased estimate of the root's value to i."""
    sampler = method.sampler
    estimator = method.estimator
    averaging = method.averaging
    frame = work.frame
    real = work.real
    dice = work.dice
    witness = work.witness
    every = draws(sampler) == ALL
    lone = draws(sampler) == ONE
    corrected = corrects(estimator) or draws_others_uniformly(sampler)
    varies = (
        not every
        or follows_all_others(sampler)
        or follows_all_chance(sampler)
        or draws_others_uniformly(sampler)
        or weighs_opponent_again(estimator)
    )  # whether w does
    laws = VALUES + work.arity
    plays = laws + work.arity
    held = work.held
    d = h = n = touched = U0
    w = reach = 1.0
    value = ahead = 0.0
    deal(tree, held, dice)
    forget(work.luck)
    while True:
        while True:  # ---- down
            touched += U1
            m = u64(tree.nodes[(h << U2) + U3])
            kind = m & BYTE
            if kind == TERMINAL:  # 1  a leaf
                value = worth(tree, h, held)
                if i != U0:
                    value = -value
                ahead = value
                ends(witness, i, h, w, value)
                break
            k = m >> U8
            c = u64(tree.nodes[h << U2])
            o = row(tree, h, m, held)
            f = d << U3
            g = d * work.stride
            if kind != i:  # 2  not the walker's: all edges, or one
                p, s = kept(method.play, table, U0, real, g + plays)  # of chance nothing is read there
                if kind < CHANCE:
                    p, s = strategy(method.play, table, o, k, real, g + plays, t)
                arrives(witness, i, h, kind, o, k, w, reach, p, s)
                if kind < CHANCE:
                    if where(averaging) == OTHERS:
                        remember(table, p, s, o, k, weight * w)
                        remembers(witness, table, o, k, weight, w, reach)
                    full = follows_all_others(sampler)
                else:
                    full = follows_all_chance(sampler)
                a = U0
                ratio = 1.0
                if full:
                    ratio = probability_of(tree, kind, o, k, p, s, a)
                    real[g + VALUES] = 0.0
                elif draws_others_uniformly(sampler):
                    a = below(dice, k)
                    ratio = probability_of(tree, kind, o, k, p, s, a) * f64(k)
                elif kind < CHANCE:
                    a = choose(p, s, k, dice)
                    if weighs_opponent_again(estimator):
                        w *= p[s + a]
                else:
                    a = event(work.luck, n, kind, o, k, tree.odds, dice)
                if corrected or full:
                    frame[f + CHILD] = c
                    frame[f + ROW] = o
                    frame[f + ARITY] = k
                    frame[f + AT] = a
                    frame[f + KIND] = kind
                    if shares(work.luck):
                        frame[f + EVENTS] = n
                    if full:
                        real[g + WEIGHT] = w
                    if full or draws_others_uniformly(sampler):
                        real[g + RATIO] = ratio
                    if where(averaging) != OTHERS:
                        real[g + REACH] = reach
                    d += U1
                if where(averaging) == OWN:  # pi_i pi_c / q: a sampled opponent costs its probability
                    if kind >= CHANCE:
                        reach *= ratio
                    elif not full:
                        reach *= f64(k) if draws_others_uniformly(sampler) else 1.0 / p[s + a]
                if shares(work.luck) and kind >= CHANCE:
                    n += U1
                w *= ratio
                h = c + a
                follows(witness, h, w)
                continue
            p, s = strategy(method.play, table, o, k, real, g + plays, t)  # 3  the walker's: which actions?
            arrives(witness, i, h, kind, o, k, w, reach, p, s)
            own_visit(averaging, table, p, s, o, k, weight, reach, t)
            if where(averaging) != OTHERS:
                remembers(witness, table, o, k, weight, w, reach)
            total = scale(sampler, table, o, k)
            a = mask = U0
            q = 1.0
            if lone:
                a, q = single(sampler, total, table, p, s, o, k, dice)
                mask = U1 << a
            elif not every:
                mask = subset(sampler, total, table, p, s, o, k, dice, real, g + laws)
                a = following(mask, U0, k)
            picks(witness, h, mask, q, real, g + laws)
            frame[f + CHILD] = c
            frame[f + ROW] = o
            frame[f + ARITY] = k
            frame[f + AT] = a
            if corrected or follows_all_others(sampler) or follows_all_chance(sampler):
                frame[f + KIND] = kind
            if shares(work.luck):
                frame[f + EVENTS] = n
            if not every and not lone:
                frame[f + MASK] = mask
            if lone:
                real[g + RATIO] = q
            if varies:
                real[g + WEIGHT] = w
            if where(averaging) != OTHERS:
                real[g + REACH] = reach
            d += U1
            if not every and not lone:
                if a == k:  # none was drawn
                    break
                q = real[g + laws + a]
            if where(averaging) != OTHERS:
                reach *= p[s + a] / q if where(averaging) == OWN else p[s + a]
            w /= q
            h = c + a
            if looks_ahead(tree.memory) and every:
                prefetch(table.regret, o)
                for j in range(k):
                    look_ahead(tree, table, c + j, held)
        going = False
        while d > U0:  # ---- up
            f = (d - U1) << U3
            g = (d - U1) * work.stride
            c = frame[f + CHILD]
            o = frame[f + ROW]
            k = frame[f + ARITY]
            a = frame[f + AT]
            if shares(work.luck):
                n = frame[f + EVENTS]
                come_back(work.luck, n)
            if (corrected or follows_all_others(sampler) or follows_all_chance(sampler)) and frame[
                f + KIND
            ] != i:  # 4  back at somebody else's node
                kind = frame[f + KIND]
                p, s = kept(method.play, table, o, real, g + plays)
                e = edge(estimator, i, place(tree, c + a, held))
                y = value
                if follows_all_others(sampler) if kind < CHANCE else follows_all_chance(sampler):
                    real[g + VALUES] += real[g + RATIO] * y
                    value = real[g + VALUES]
                    passes(witness, c + a, y, guess(estimator, i, e), value)
                    learn(estimator, i, e, y, ahead)
                    a += U1
                    if a < k:
                        ratio = probability_of(tree, kind, o, k, p, s, a)
                        frame[f + AT] = a
                        real[g + RATIO] = ratio
                        w = real[g + WEIGHT] * ratio
                        if where(averaging) != OTHERS:
                            reach = real[g + REACH]
                        if where(averaging) == OWN and kind >= CHANCE:
                            reach *= ratio
                        if shares(work.luck) and kind >= CHANCE:
                            n += U1
                        h = c + a
                        follows(witness, h, w)
                        going = True
                        break
                else:
                    expected = outlook(estimator, i, tree, kind, c, o, k, p, s, held) if corrects(estimator) else 0.0
                    back = y - guess(estimator, i, e)
                    value = expected + (real[g + RATIO] * back if draws_others_uniformly(sampler) else back)
                    passes(witness, c + a, y, guess(estimator, i, e), value)
                    learn(estimator, i, e, y, ahead)
                if foresees(estimator):
                    ahead = outlook(estimator, i, tree, kind, c, o, k, p, s, held)
                d -= U1
                continue
            p, s = kept(method.play, table, o, real, g + plays)
            mask = U0
            v = g + VALUES
            at = a
            if not every and not lone:
                mask = frame[f + MASK]
            if varies:
                w = real[g + WEIGHT]
            if where(averaging) != OTHERS:
                reach = real[g + REACH]
            if every or lone or a < k:  # 5  the walker's: an action came back; is there another?
                e = edge(estimator, i, place(tree, c + a, held))
                q = 1.0 if every else real[g + RATIO] if lone else real[g + laws + a]
                real[v + a] = seen(estimator, value, q, guess(estimator, i, e))
                returns(witness, c + a, value, q, guess(estimator, i, e), real[v + a])
                learn(estimator, i, e, value, ahead)
                a = k if lone else a + U1 if every else following(mask, a + U1, k)
                if a < k:
                    q = 1.0 if every else real[g + laws + a]
                    frame[f + AT] = a
                    if where(averaging) != OTHERS:
                        reach *= p[s + a] / q if where(averaging) == OWN else p[s + a]
                    w /= q
                    h = c + a
                    if looks_ahead(tree.memory) and every and a + U1 < k:
                        look_further(tree, table, h + U1, held)
                    going = True
                    break
            value = 0.0  # 6  the node's value, with what the unvisited are taken to be worth
            for j in range(k):
                x = real[v + j]
                if (u64(j) != at) if lone else not every and (mask >> u64(j)) & U1 == U0:
                    b = guess(estimator, i, edge(estimator, i, place(tree, c + j, held)))
                    x = unseen(estimator, b, c + j, i, t, method.play, tree, table, work)
                    supposes(witness, c + j, b, x)
                real[v + j] = x
                value += p[s + j] * x
            take(table, o)
            updates(witness, c, table, o, k, real, v, value, w)
            absorb(method.minimiser, table, o, k, real, v, value, w, scales)  # 7  regrets
            updated(witness, table, o, k)
            release(table, o)
            if foresees(estimator):
                p, s = strategy(method.play, table, o, k, real, g + plays, t)
                ahead = outlook(estimator, i, tree, i, c, o, k, p, s, held)
            d -= U1
        if not going:
            break
    work.touched[U0] += touched
    return value


@take_turn.register(Parts)
def _(parts, i, t, weight, scales, tree, table, work):
    return walk(i, t, weight, scales, parts, tree, table, work)
