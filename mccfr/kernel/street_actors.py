"""What is done at a decision of hold'em with every card, for all hands at once: learn, evaluate, respond, look.

These are the lane bodies of what `sequence_form` and `minimisers` do row by row; the formulas of minimisers are shared.
"""

from typing import Any, NamedTuple

from mccfr.kernel.averaging import fade_all, importance
from mccfr.kernel.dice import below
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, U2, f64, u64
from mccfr.kernel.minimisers import pace, renew
from mccfr.kernel.street_layout import (
    BOARD_WORDS,
    DRAWN,
    FIRST,
    FOLLOW,
    FOLLOW_END,
    HAND_WORDS,
    IMAGE,
    IMAGE_END,
    LEADER,
    NEXT,
    NODE_WORDS,
    OTHER_SCALE,
    REACH_AT,
    ROUNDING,
    SCALE,
    SEGMENT_WORDS,
    SLOT,
    STRIDE,
    VALUE_AT,
    VIA,
    VIA_END,
    WEIGHT,
    Free,
    Locked,
)

FOLLOW_STRATEGY, BEST_VALUE, BEST_REPLY = u64(0), u64(1), u64(2)


class Learning(NamedTuple):
    """Remember the strategy, take in the regrets."""

    minimiser: Any
    averaging: Any
    dealing: Any  # AllBoards or SomeBoards


class Judging(NamedTuple):
    """Learn nothing. In one class, so that one kernel serves all ways to evaluate."""

    way: Any  # FOLLOW_STRATEGY, BEST_VALUE, or BEST_REPLY: `current` becomes that pure strategy
    board: Any  # uint64, of the segment to look at
    segment: Any  # uint64, one that does not exist: none
    value: Any  # float64[nodes of the segment * stride] what its nodes are worth
    reach: Any  # float64[2 * nodes of the segment * stride] both players' reaches


class AllBoards(NamedTuple):
    """Every board that can follow is swept."""


class SomeBoards(NamedTuple):
    """Public chance sampling: of the boards that can follow one, only so many are swept. [Johanson et al. 2012]

    Of N boards, exchanges of suits counted, every (N / count)-th from a random one on, in a circle: each with
    probability count / N, so what it is worth counts N / count.
    """

    count: Any  # uint64
    dice: Any


@verb
def dealing_of(actor):
    """Which boards are swept."""


@verb
def first_draw(dealing, b, s, boards, work):
    """The sweep has arrived at board b: draw what follows."""


@verb
def more(dealing, b, s, boards, work):
    """Whether another board is to be swept after board b."""


@verb
def follow(dealing, b, s, step, boards, work):
    """The next board to be swept after board b; VIA and VIA_END of its street become the images it stands for."""


@verb
def share_of(dealing, b, boards):
    """How many boards each one that is swept after b stands for."""


@verb
def set_out(actor, t, work):
    """Iteration t begins: the numbers of an actor, in the precision of the tables."""


@verb
def fade_old(actor, table, t):
    """Iteration t begins: what was remembered before fades."""


@verb
def locked(locks, b, m, first):
    """Whether the strategy at node m, in a street whose nodes begin at `first`, is given on board b."""


@verb
def judge(actor, table, o, n, k, c, to, own, given, stride, work):
    """value[to:]: what an own node is worth, with those of its actions from value[c:] on, a stride apart.

    The lanes of its table begin at o, and its owner's reach at own. given: whether its strategy is locked.
    """


@verb
def learns(actor):
    """Whether strategies change, so that hands that share one must follow the first of them."""


@verb
def plays(actor):
    """Whether the walker's own strategy matters; a best response asks for the other player's alone."""


@verb
def observe(actor, b, s, g, lines, work):
    """A segment has come up."""


dealing_of.register(Learning)(lambda actor: actor.dealing)
dealing_of.register(Judging)(lambda actor: AllBoards())
share_of.register(AllBoards)(lambda dealing, b, boards: 1.0)


@first_draw.register(AllBoards)
def _(dealing, b, s, boards, work):
    work.place[NEXT + s] = u64(boards.boards[b * BOARD_WORDS + FOLLOW])


@more.register(AllBoards)
def _(dealing, b, s, boards, work):
    return work.place[NEXT + s] < u64(boards.boards[b * BOARD_WORDS + FOLLOW_END])


@follow.register(AllBoards)
def _(dealing, b, s, step, boards, work):
    below = work.place[NEXT + s]
    work.place[NEXT + s] += step
    work.place[VIA + s + U1] = u64(boards.boards[below * BOARD_WORDS + IMAGE])
    work.place[VIA_END + s + U1] = u64(boards.boards[below * BOARD_WORDS + IMAGE_END])
    return below


@inlined
def images_after(b, boards):
    """The first image of all boards that follow b, and how many there are."""
    first = u64(boards.boards[u64(boards.boards[b * BOARD_WORDS + FOLLOW]) * BOARD_WORDS + IMAGE])
    last = u64(boards.boards[b * BOARD_WORDS + FOLLOW_END]) - U1
    return first, u64(boards.boards[last * BOARD_WORDS + IMAGE_END]) - first


@first_draw.register(SomeBoards)
def _(dealing, b, s, boards, work):
    work.place[NEXT + s] = U0
    work.place[DRAWN + s] = below(dealing.dice, images_after(b, boards)[1])


@more.register(SomeBoards)
def _(dealing, b, s, boards, work):
    return work.place[NEXT + s] < min(dealing.count, images_after(b, boards)[1])


@follow.register(SomeBoards)
def _(dealing, b, s, step, boards, work):
    first, count = images_after(b, boards)
    image = first + (work.place[DRAWN + s] + work.place[NEXT + s] * count // min(dealing.count, count)) % count
    work.place[NEXT + s] += U1
    work.place[VIA + s + U1] = image
    work.place[VIA_END + s + U1] = image + U1
    return u64(boards.image[image])


@share_of.register(SomeBoards)
def _(dealing, b, boards):
    count = images_after(b, boards)[1]
    return f64(count) / f64(min(dealing.count, count))


locked.register(Free)(lambda locks, b, m, first: False)
locked.register(Locked)(lambda locks, b, m, first: locks.mark[u64(locks.start[b]) + m - first] != 0)
learns.register(Learning)(lambda actor: True)
learns.register(Judging)(lambda actor: actor.way == BEST_REPLY)
plays.register(Learning)(lambda actor: True)
plays.register(Judging)(lambda actor: actor.way == FOLLOW_STRATEGY)
observe.otherwise(lambda actor, b, s, g, lines, work: None)
set_out.otherwise(lambda actor, t, work: None)
fade_old.otherwise(lambda actor, table, t: None)
fade_old.register(Learning)(lambda actor, table, t: fade_all(actor.averaging, table, t))


@set_out.register(Learning)
def _(actor, t, work):
    scales = pace(actor.minimiser, t)
    work.scalar[WEIGHT] = importance(actor.averaging, t)
    work.scalar[SCALE] = scales[0]
    work.scalar[OTHER_SCALE] = scales[1]


@observe.register(Judging)
def _(actor, b, s, g, lines, work):
    if b != actor.board or g != actor.segment:
        return
    stride, here = work.place[STRIDE], work.place[VALUE_AT + s]
    first, end = u64(lines.segments[g * SEGMENT_WORDS + FIRST]), u64(lines.segments[(g + U1) * SEGMENT_WORDS + FIRST])
    for m in range(first, end):
        for p in range(U2):
            at = work.place[REACH_AT + U2 * s + p] + u64(lines.nodes[m * NODE_WORDS + SLOT + p]) * stride
            for h in range(stride):
                actor.reach[(U2 * (m - first) + p) * stride + h] = work.reach[at + h]
        for h in range(stride):
            actor.value[(m - first) * stride + h] = work.value[here + (m - first) * stride + h]


@inlined
def mix(table, o, n, k, c, to, stride, work):
    """value[to:] = sum of what the actions are worth, each as often as it is played."""
    for h in range(n):
        work.value[to + h] = table.current[o + h] * work.value[c + h]
    for a in range(U1, k):
        at, x = c + a * stride, o + a * n
        for h in range(n):
            work.value[to + h] += table.current[x + h] * work.value[at + h]


@judge.register(Judging)
def _(actor, table, o, n, k, c, to, own, given, stride, work):
    if actor.way == FOLLOW_STRATEGY or given:
        mix(table, o, n, k, c, to, stride, work)
        return
    for h in range(n):
        best = U0
        for a in range(U1, k):
            if work.value[c + a * stride + h] > work.value[c + best * stride + h]:
                best = u64(a)
        work.value[to + h] = work.value[c + best * stride + h]
        if actor.way == BEST_REPLY:
            for a in range(k):
                table.current[o + a * n + h] = 0.0
            table.current[o + best * n + h] = 1.0


@judge.register(Learning)
def _(actor, table, o, n, k, c, to, own, given, stride, work):
    weight = work.scalar[WEIGHT]
    mix(table, o, n, k, c, to, stride, work)
    if weight != 0.0:
        for a in range(k):
            x = o + a * n
            for h in range(n):
                table.average[x + h] += weight * work.reach[own + h] * table.current[x + h]
    if not given:
        learn_lanes(actor, table, o, n, k, c, to, stride, work)


@inlined
def learn_lanes(actor, table, o, n, k, c, to, stride, work):
    """Regrets and strategy of a decision that is worth value[to:], its actions value[c:], a stride apart."""
    absorb_lanes(actor, table, o, n, k, c, to, stride, work)
    match_lanes(table, o, n, k, work)


@inlined
def absorb_lanes(actor, table, o, n, k, c, to, stride, work):
    """Take in the regrets; `current` then holds the weights with which actions are played, `total` their sums."""
    scales = work.scalar[SCALE], work.scalar[OTHER_SCALE]
    for a in range(k):
        x, at = o + a * n, c + a * stride
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
    """Divide by the sums; play evenly where they are no more than rounding."""
    tie, even = work.scalar[ROUNDING], 1.0 / f64(k)
    for h in range(n):
        work.total[h] = 1.0 / work.total[h] if work.total[h] > tie else 0.0
    for a in range(k):
        x = o + a * n
        for h in range(n):
            share = table.current[x + h] * work.total[h]
            table.current[x + h] = share if work.total[h] > 0.0 else even


@inlined
def follow_leaders(boards, table, o, n, k, first):
    """Hands that an exchange of suits maps to each other play as the first of them."""
    for a in range(k):
        x = o + a * n
        for h in range(n):
            table.current[x + h] = table.current[x + u64(boards.hands[(first + h) * HAND_WORDS + LEADER])]
