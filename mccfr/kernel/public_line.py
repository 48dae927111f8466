"""Public outcome sampling: one line of public events, every pair of hands on it. [Davis, Schmid, Bowling 2019, 6]

Values are kept for player 0 and with the chance of the pair in them, x(h) = pi_c(h) u(h): that of the deal and of all
public events so far, as the endings have it. Chance nodes then only add up. With q(a) the probability with which event
a of public state S was drawn, q(S) the product of them down to S, and any control variates B(a) in the same scale:

    ending:         x = stake M
    after event a:  v(a) = B(a) + (x - B(a)) / q(a);  of all other events v = B
    player's node:  x = sum_a sigma(a) v(a);  regret(I, a) += sum_g pi_-i(g) (v(a) - x) / q(S)
                    average(I, a) += pi_i(I) sigma(a) / q(S)
    public chance:  x = sum_a v(a)

pi_c(h) is a constant of the game, so this is the recursion of eq. 4, multiplied pair by pair with a number that no
strategy and no draw changes: the same means, and a baseline B = pi_c b is exact where b is. Predictive baselines
(eq. 7) are linear in their children's as well: after all endings were drawn B(a) = x(a | sigma^t), v(a) does not depend
on what is drawn, and x has no variance (theorem 3). What still varies is 1 / q(S), that is who gets an update.

Letters as in `vector`; who: bit i says whether player i learns; e: the node an edge leads to; m: the mover's hand; n:
the other player's.
"""

from typing import Any, NamedTuple

from mccfr.kernel.averaging import importance, remember
from mccfr.kernel.dice import below
from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.estimators import corrects, foresees, seen
from mccfr.kernel.iterations import take_turn, turns
from mccfr.kernel.layout import BYTE, CHANCE, TERMINAL, U0, U1, U2, U3, U8, f64, u64
from mccfr.kernel.minimisers import absorb, pace, settle
from mccfr.kernel.pair_baselines import (
    gather_targets,
    learning_rate,
    move_to_targets,
    prepare,
    prior,
    update_pair,
    views,
)
from mccfr.kernel.public_laws import Spot, draw
from mccfr.kernel.vector import copy, fill

NODE, AT = U0, U1  # words of a frame
DRAWN, WEIGHT = U0, U1  # reals of a frame: q(a), 1 / q(S)


class LineForBoth(NamedTuple):
    """A method as the kernel sees it; both players learn from one line."""

    sampler: Any  # a law of `public_laws`
    estimator: Any
    minimiser: Any
    averaging: Any


class LineForEach(NamedTuple):
    """A method as the kernel sees it; each player in turn learns from a line of its own."""

    sampler: Any
    estimator: Any
    minimiser: Any
    averaging: Any


class PastGate(NamedTuple):
    """A law for a position behind a gate, its root: the last action, to follow, is taken for certain, and what the
    others pay is known and needs no draw. [Sustr, Kovarik, Lisy 2019]
    """

    inside: Any  # the law everywhere else


@verb
def settled(law, h):
    """Whether node h is such a gate."""


@verb
def plain_law(law):
    """The law by which actions are drawn."""


settled.otherwise(lambda law, h: False)
settled.register(PastGate)(lambda law, h: h == U0)
plain_law.otherwise(lambda law: law)
plain_law.register(PastGate)(lambda law: law.inside)


class PublicWork(NamedTuple):
    """Memory of a walk. Vectors have room for the longer list of hands, matrices are [hands 0, hands 1]."""

    frame: Any  # uint64[2 depth]
    real: Any  # float64[2 depth]
    reach: Any  # float64[2 depth * hands] both players' own, depth after depth
    play: Any  # float64[arity * hands] the mover's strategy, action after action; 0 for hands that are not possible
    gain: Any  # float64[arity * hands] what the mover's hands would get
    row: Any  # float64[arity] the same of one hand
    laws: Any  # float64[arity] with which probability each action is drawn
    across: Any  # float64[hands] ranges of the player who does not act, as the one who does sees them
    value: Any  # float64[2 * pairs] x, as each player's baselines have it
    ahead: Any  # float64[pairs] x under the updated strategies
    target: Any  # float64[hands] what baselines of hands should be
    line: Any  # float64[hands] baselines of one hand of player 0
    touched: Any  # uint64[1] public nodes
    dice: Any
    hands: Any  # uint64
    first: Any  # uint64 hands of player 0
    second: Any  # uint64 hands of player 1


@inlined
def lay_out(tree, table, h, play, hands):
    """play[a * hands + m]: the mover's strategy at node h."""
    o = u64(tree.nodes[(h << U2) + U1])
    which = u64(tree.nodes[(h << U2) + U2])
    k = u64(tree.nodes[(h << U2) + U3]) >> U8
    s = u64(tree.start[which])
    fill(play, U0, k * hands, 0.0)
    for j in range(u64(tree.start[which + U1]) - s):
        m = u64(tree.members[s + j])
        for a in range(k):
            play[a * hands + m] = table.current[o + j * k + a]


@inlined
def drawn(law, t, h, d, tree, table, work):
    """A public action of node h by a law of `public_samplers`, and its probability."""
    m = u64(tree.nodes[(h << U2) + U3])
    mover, which = m & BYTE, u64(tree.nodes[(h << U2) + U2])
    first = u64(tree.start[which])
    n = u64(tree.start[which + U1]) - first
    mine, theirs = ((d << U1) + mover) * work.hands, ((d << U1) + U1 - mover) * work.hands
    o = u64(tree.nodes[(h << U2) + U1])
    at = Spot(t, h, mover, m >> U8, o, first, n, U0, work.reach, mine, work.reach, theirs)
    a = draw(plain_law(law), at, tree, table, work)
    return a, work.laws[a]


@inlined
def follow(law, t, tree, table, work):
    """Draw a line of public events, with both players' reaches on it; returns its ending and its length."""
    d = h = U0
    w = 1.0
    fill(work.reach, U0, work.hands << U1, 1.0)
    while u64(tree.nodes[(h << U2) + U3]) & BYTE != TERMINAL:
        mover = u64(tree.nodes[(h << U2) + U3]) & BYTE
        here, after = (d << U1) * work.hands, ((d + U1) << U1) * work.hands
        copy(work.reach, here, work.reach, after, work.hands << U1)
        if mover == CHANCE:
            k = u64(tree.nodes[(h << U2) + U3]) >> U8
            a, q = below(work.dice, k), 1.0 / f64(k)
        else:
            lay_out(tree, table, h, work.play, work.hands)
            if settled(law, h):
                a, q = (u64(tree.nodes[(h << U2) + U3]) >> U8) - U1, 1.0
            else:
                a, q = drawn(law, t, h, d, tree, table, work)
            for m in range(work.hands):
                work.reach[after + mover * work.hands + m] *= work.play[a * work.hands + m]
        work.frame[(d << U1) + NODE], work.frame[(d << U1) + AT] = h, a
        work.real[(d << U1) + DRAWN], work.real[(d << U1) + WEIGHT] = q, w
        w /= q
        h = u64(tree.nodes[h << U2]) + a
        d += U1
    work.touched[U0] += d + U1
    return h, d


@inlined
def finish(tree, h, out, s):
    """out[s:]: what an ending pays for each pair, its chance counted in."""
    number = u64(tree.nodes[h << U2])
    stake = tree.stakes[u64(tree.nodes[(h << U2) + U1])]
    pays = tree.pays[1]  # to player 1
    for h0 in range(u64(pays.shape[1])):
        for h1 in range(u64(pays.shape[2])):
            out[s + h0 * u64(pays.shape[2]) + h1] = -stake * pays[number, h0, h1]


@inlined
def pay_line(tree, h, h0, line):
    """line: what an ending pays hand h0 of player 0 against each of player 1, its chance counted in."""
    number = u64(tree.nodes[h << U2])
    stake = tree.stakes[u64(tree.nodes[(h << U2) + U1])]
    for h1 in range(u64(tree.pays[1].shape[2])):
        line[h1] = -stake * tree.pays[1][number, h0, h1]


@inlined
def correct(estimator, view, e, d, work):
    """The event of depth d came back: from x to v, and what the baseline of its edge learns."""
    q = work.real[(d << U1) + DRAWN]
    pairs = work.first * work.second
    gather_targets(estimator, view, e, d, work)
    rate = learning_rate(estimator, view, e)
    for h0 in range(work.first):
        prepare(estimator, view, e, h0, work)
        for h1 in range(work.second):
            p = h0 * work.second + h1
            y = work.value[view * pairs + p]
            work.value[view * pairs + p] = seen(estimator, y, q, prior(estimator, e, h0, h1, work))
            update_pair(estimator, e * pairs + p, y, work.ahead[p], rate)
    move_to_targets(estimator, view, e, rate, work)


@inlined
def mix(estimator, view, mover, c, a, k, d, paid, tree, work):
    """At a player's node: gain = sum_n pi(n) v of every action and hand of the mover; x = sum_a sigma(a) v(a).

    paid: whether the actions that were not taken are endings that pay what they pay; otherwise they have baselines.
    """
    x = view * work.first * work.second
    fill(work.gain, U0, k * work.hands, 0.0)
    for h0 in range(work.first):
        blend(mover, a, h0, d, work.value, x + h0 * work.second, work)
        for h1 in range(work.second):
            m = h0 if mover == U0 else h1
            work.value[x + h0 * work.second + h1] *= work.play[a * work.hands + m]
    if corrects(estimator) or paid:
        for other in range(k):
            if other != a:
                for h0 in range(work.first):
                    if paid:
                        pay_line(tree, c + other, h0, work.line)
                    else:
                        prepare(estimator, view, c + other, h0, work)
                        for h1 in range(work.second):
                            work.line[h1] = prior(estimator, c + other, h0, h1, work)
                    blend(mover, other, h0, d, work.line, U0, work)
                    for h1 in range(work.second):
                        m = h0 if mover == U0 else h1
                        work.value[x + h0 * work.second + h1] += work.play[other * work.hands + m] * work.line[h1]


@inlined
def blend(mover, a, h0, d, v, s, work):
    """Add v[s:], the values of action a for hand h0 of player 0 and all of player 1, to the mover's gains."""
    gain = a * work.hands
    if mover == U1:
        w = work.reach[(d << U1) * work.hands + h0]
        for h1 in range(work.second):
            work.gain[gain + h1] += w * v[s + h1]
        return
    reach = ((d << U1) + U1) * work.hands
    h1 = U0
    even = odd = 0.0  # two sums: each addition waits for the one before it
    while h1 + U1 < work.second:
        even += work.reach[reach + h1] * v[s + h1]
        odd += work.reach[reach + h1 + U1] * v[s + h1 + U1]
        h1 += U2
    if h1 < work.second:
        even += work.reach[reach + h1] * v[s + h1]
    work.gain[gain + h0] += even + odd


@inlined
def improve(minimiser, weight, scales, mover, h, d, tree, table, work):
    """The mover's infosets at node h: averages and regrets."""
    o = u64(tree.nodes[(h << U2) + U1])
    which = u64(tree.nodes[(h << U2) + U2])
    k = u64(tree.nodes[(h << U2) + U3]) >> U8
    s = u64(tree.start[which])
    w = work.real[(d << U1) + WEIGHT]
    reach = ((d << U1) + mover) * work.hands
    for j in range(u64(tree.start[which + U1]) - s):
        m = u64(tree.members[s + j])
        row = o + j * k
        value = 0.0
        for a in range(k):
            v = work.gain[a * work.hands + m]
            work.row[a] = v if mover == U0 else -v
            value += table.current[row + a] * work.row[a]
        remember(table, table.current, row, row, k, weight * w * work.reach[reach + m])
        absorb(minimiser, table, row, k, work.row, U0, value, w, scales)


@inlined
def foresee(estimator, mover, c, k, work):
    """ahead = sum_a sigma(a) B(a) with the mover's strategy as it is now."""
    fill(work.ahead, U0, work.first * work.second, 0.0)
    for a in range(k):
        for h0 in range(work.first):
            for h1 in range(work.second):
                m = h0 if mover == U0 else h1
                b = prior(estimator, c + a, h0, h1, work)
                work.ahead[h0 * work.second + h1] += work.play[a * work.hands + m] * b


@inlined
def back_at_player(who, weight, scales, method, h, a, d, tree, table, work):
    """A player's node, whose action a came back."""
    m = u64(tree.nodes[(h << U2) + U3])
    mover, k, c = m & BYTE, m >> U8, u64(tree.nodes[h << U2])
    lay_out(tree, table, h, work.play, work.hands)
    for turn in range(u64(views(method.estimator))):  # the mover's own view last: its gains are to stay
        view = U0 if views(method.estimator) == 1 else mover ^ U1 if turn == U0 else mover
        if views(method.estimator) == 1 or (who >> view) & U1 == U1:
            correct(method.estimator, view, c + a, d, work)
            mix(method.estimator, view, mover, c, a, k, d, settled(method.sampler, h), tree, work)
    if (who >> mover) & U1 == U1:
        improve(method.minimiser, weight, scales, mover, h, d, tree, table, work)
    if foresees(method.estimator):
        lay_out(tree, table, h, work.play, work.hands)
        foresee(method.estimator, mover, c, k, work)


@inlined
def back_at_chance(who, estimator, h, a, d, tree, work):
    """A public chance node, whose outcome a came back."""
    k, c = u64(tree.nodes[(h << U2) + U3]) >> U8, u64(tree.nodes[h << U2])
    for view in range(u64(views(estimator))):
        if views(estimator) == 1 or (who >> view) & U1 == U1:
            correct(estimator, view, c + a, d, work)
            if corrects(estimator):
                add_others(estimator, view, c, a, k, work)


@inlined
def add_others(estimator, view, c, a, k, work):
    """The baselines of all outcomes of chance but a, to what a is worth now and will be."""
    for other in range(k):
        if other != a:
            for h0 in range(work.first):
                prepare(estimator, view, c + other, h0, work)
                for h1 in range(work.second):
                    p = h0 * work.second + h1
                    b = prior(estimator, c + other, h0, h1, work)
                    work.value[view * work.first * work.second + p] += b
                    if foresees(estimator):
                        work.ahead[p] += b


@inlined
def public_walk(who, t, weight, scales, method, tree, table, work):
    """One line of public events; returns an unbiased estimate of player 0's value of the game."""
    h, d = follow(method.sampler, t, tree, table, work)
    return come_back(who, h, d, weight, scales, method, tree, table, work)


@inlined
def come_back(who, h, d, weight, scales, method, tree, table, work):
    """From the ending h of a line of d events back to the root; returns the same."""
    pairs = work.first * work.second
    finish(tree, h, work.value, U0)
    copy(work.value, U0, work.value, pairs, pairs)
    copy(work.value, U0, work.ahead, U0, pairs)
    while d > U0:
        d -= U1
        h, a = work.frame[(d << U1) + NODE], work.frame[(d << U1) + AT]
        if u64(tree.nodes[(h << U2) + U3]) & BYTE == CHANCE:
            back_at_chance(who, method.estimator, h, a, d, tree, work)
        else:
            back_at_player(who, weight, scales, method, h, a, d, tree, table, work)
    root = pairs if views(method.estimator) == 2 and who == U2 else U0
    total = 0.0
    for p in range(pairs):
        total += work.value[root + p]
    return total


turns.register(LineForBoth)(lambda parts: U1)


@take_turn.register(LineForBoth)
def _(parts, i, t, weight, scales, tree, table, work):
    return public_walk(U3, t, weight, scales, parts, tree, table, work)


@take_turn.register(LineForEach)
def _(parts, i, t, weight, scales, tree, table, work):
    value = public_walk(U1 << i, t, weight, scales, parts, tree, table, work)
    return value if i == U0 else -value


@entry
def pair_values(tree, table, play, hands, values):
    """values[node * pairs + pair] = x under the current strategy, for every node: children come after parents."""
    first, second = u64(tree.pays[1].shape[1]), u64(tree.pays[1].shape[2])
    nodes = u64(len(tree.nodes)) >> U2
    for up in range(nodes):
        h = nodes - U1 - up
        m = u64(tree.nodes[(h << U2) + U3])
        if m & BYTE == TERMINAL:
            finish(tree, h, values, h * first * second)
            continue
        if m & BYTE != CHANCE:
            lay_out(tree, table, h, play, hands)
        fill(values, h * first * second, first * second, 0.0)
        for a in range(m >> U8):
            e = u64(tree.nodes[h << U2]) + a
            for h0 in range(first):
                for h1 in range(second):
                    hand = h0 if m & BYTE == U0 else h1
                    sigma = 1.0 if m & BYTE == CHANCE else play[a * hands + hand]
                    values[(h * first + h0) * second + h1] += sigma * values[(e * first + h0) * second + h1]


@entry
def walk_lines(n, t, who, h, d, asked, visits, clock, parts, tree, table, work):
    """Up to n walks, the first of them that of iteration t; before a line learns from an ending that is `asked` for its
    worth, they stop.

    A line of d > 0 events to an ending h, at which they stopped before, is learned from first. Returns the ending and
    the length of the line at which they stop now, 0 if there is none, and how many walks were finished.
    """
    done = U0
    while done < n:
        if d == U0:
            h, d = follow(parts.sampler, t, tree, table, work)
            visits[h] += 1
            if asked[h]:
                return h, d, done
        scales = pace(parts.minimiser, t)
        value = come_back(who, h, d, importance(parts.averaging, t), scales, parts, tree, table, work)
        settle(parts.minimiser, table, t, scales)
        if who != U2:
            clock[U1] += value
        t += 1.0
        d = U0
        done += U1
    return h, U0, done
