"""What is done at a decision of hold'em with every card, for all hands at once: learn, evaluate, respond, look.

These are the lane bodies of what `sequence_form` and `minimisers` do row by row; the formulas of minimisers are shared.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, U2, f64, u64
from mccfr.kernel.minimisers import renew
from mccfr.kernel.sequence_form import BestReply, BestValue, Evaluate, Learn
from mccfr.kernel.street_layout import Free, Locked


class Watch(NamedTuple):
    """Follow the current strategy, and keep what the nodes of one segment on one board are worth."""

    board: Any  # uint64
    segment: Any  # uint64
    value: Any  # float64[nodes of the segment * stride]
    reach: Any  # float64[2 * nodes of the segment * stride]


@verb
def locked(locks, b, m, first):
    """Whether the strategy at node m, in a street whose nodes begin at `first`, is given on board b."""


@verb
def judge(actor, table, o, n, k, c, to, own, work):
    """value[to:]: what an own node is worth, with those of its actions from value[c:] on.

    The lanes of its table begin at o, and its owner's reach at own.
    """


@verb
def observe(actor, b, s, g, lines, work):
    """A segment has come up."""


@verb
def prefer(actor, table, o, n, k, first, boards):
    """The strategy of an own node may have changed: hands that share one follow the first of them."""


locked.register(Free)(lambda locks, b, m, first: False)
locked.register(Locked)(lambda locks, b, m, first: locks.mark[u64(locks.start[b]) + m - first] != 0)
observe.otherwise(lambda actor, b, s, g, lines, work: None)
prefer.otherwise(lambda actor, table, o, n, k, first, boards: None)


@observe.register(Watch)
def _(actor, b, s, g, lines, work):
    if b != actor.board or g != actor.segment:
        return
    first = u64(lines.first[g])
    for m in range(first, u64(lines.first[g + U1])):
        for p in range(U2):
            at = work.reach_at[U2 * s + p] + u64(lines.slot[U2 * m + p]) * work.stride
            for h in range(work.stride):
                actor.reach[(U2 * (m - first) + p) * work.stride + h] = work.reach[at + h]
        for h in range(work.stride):
            actor.value[(m - first) * work.stride + h] = work.value[work.value_at[s] + (m - first) * work.stride + h]


@inlined
def mix(table, o, n, k, c, to, work):
    """value[to:] = sum of what the actions are worth, each as often as it is played."""
    for h in range(n):
        work.value[to + h] = table.current[o + h] * work.value[c + h]
    for a in range(U1, k):
        at, x = c + a * work.stride, o + a * n
        for h in range(n):
            work.value[to + h] += table.current[x + h] * work.value[at + h]


@judge.register(Evaluate, Watch)
def _(actor, table, o, n, k, c, to, own, work):
    mix(table, o, n, k, c, to, work)


@judge.register(BestValue)
def _(actor, table, o, n, k, c, to, own, work):
    for h in range(n):
        work.value[to + h] = work.value[c + h]
    for a in range(U1, k):
        at = c + a * work.stride
        for h in range(n):
            work.value[to + h] = max(work.value[to + h], work.value[at + h])


@judge.register(BestReply)
def _(actor, table, o, n, k, c, to, own, work):
    for h in range(n):
        best = U0
        for a in range(k):
            table.current[o + a * n + h] = 0.0
            if work.value[c + a * work.stride + h] > work.value[c + best * work.stride + h]:
                best = u64(a)
        table.current[o + best * n + h] = 1.0
        work.value[to + h] = work.value[c + best * work.stride + h]


@judge.register(Learn)
def _(actor, table, o, n, k, c, to, own, work):
    mix(table, o, n, k, c, to, work)
    if actor.importance != 0.0:
        remember_lanes(table, o, n, k, own, work)
    absorb_lanes(actor, table, o, n, k, c, to, work)
    match_lanes(table, o, n, k, work)


@inlined
def remember_lanes(table, o, n, k, own, work):
    """Add the strategy to the average, with the owner's reach and the weight of the iteration in scalar[0]."""
    for a in range(k):
        x = o + a * n
        for h in range(n):
            table.average[x + h] += work.scalar[U0] * work.reach[own + h] * table.current[x + h]


@inlined
def absorb_lanes(actor, table, o, n, k, c, to, work):
    """Take in the regrets; `current` then holds the weights with which actions are played, `total` their sums."""
    scales = work.scalar[U1], work.scalar[U2]
    for a in range(k):
        x, at = o + a * n, c + a * work.stride
        for h in range(n):
            r = work.value[at + h] - work.value[to + h]
            kept, weight = renew(actor.minimiser, table.regret[x + h], r, scales)
            table.regret[x + h] = kept
            table.current[x + h] = weight
    for h in range(n):
        work.total[h] = table.current[o + h]
    for a in range(U1, k):
        for h in range(n):
            work.total[h] += table.current[o + a * n + h]


@inlined
def match_lanes(table, o, n, k, work):
    """Divide by the sums; play evenly where they are no more than rounding, which is in scalar[3]."""
    tie = work.scalar[U2 + U1]
    even = 1.0 / f64(k)
    for h in range(n):
        work.total[h] = 1.0 / work.total[h] if work.total[h] > tie else 0.0
    for a in range(k):
        x = o + a * n
        for h in range(n):
            share = table.current[x + h] * work.total[h]
            table.current[x + h] = share if work.total[h] > 0.0 else even


@prefer.register(Learn, BestReply)
def _(actor, table, o, n, k, first, boards):
    for a in range(k):
        x = o + a * n
        for h in range(n):
            table.current[x + h] = table.current[x + u64(boards.leader[first + h])]


@verb
def remember_given(actor, lines, table, o, n, k, i, m, s, work):
    """A strategy that is given is remembered like any other."""


remember_given.otherwise(lambda actor, lines, table, o, n, k, i, m, s, work: None)


@remember_given.register(Learn)
def _(actor, lines, table, o, n, k, i, m, s, work):
    own = work.reach_at[U2 * s + i] + u64(lines.slot[U2 * m + i]) * work.stride
    if actor.importance != 0.0:
        remember_lanes(table, o, n, k, own, work)


@inlined
def prepare(i, actor, table, work):
    """Numbers of this sweep, in the precision of the tables."""
    work.scalar[U2 + U1] = table.tie[i]
    work.scalar[U2 + U2] = 0.5
    work.scalar[U2 + U2 + U1] = 1.0
    work.scalar[U2 + U2 + U2] = -1.0
    load_scalars(actor, work)


@verb
def load_scalars(actor, work):
    """The numbers of an actor, in the precision of the tables."""


load_scalars.otherwise(lambda actor, work: None)


@load_scalars.register(Learn)
def _(actor, work):
    work.scalar[U0] = actor.importance
    work.scalar[U1] = actor.scales[0]
    work.scalar[U2] = actor.scales[1]
