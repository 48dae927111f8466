"""Full sweeps over hold'em with every card: street by street, board by board, all hands at once.

A sweep for player i goes down with both players' reaches and comes up with what every own hand is worth, chance and the
other player's reach counted in, as in `vector`. What differs is the order of work. All betting nodes of a street on one
board form a block: reaches of the whole block go down, then its endings are computed, sixteen at a time (`columns`),
then the boards that can follow are swept, then the block comes up. Tables lie in lanes, [board][node][action][hand], so
that every step is a loop over hands that the processor does several at a time.

Boards that differ only by an exchange of suits are swept once. A board has an *image* for each board it stands for:
values go up through every image, with hands exchanged accordingly; reaches go down to the board itself. Hands of one
board that such an exchange maps to each other play the same: the first of them decides.

The last street is cut into segments of some hundred nodes, so that what a segment needs stays in the cache.

Letters: b board, s street, g segment, m node, c first child, i walker, p player, n hands, k arity, o first lane of a
node's table, to and at places in `value` and `reach`.
"""

from typing import Any, NamedTuple

from mccfr.kernel.averaging import importance
from mccfr.kernel.columns import COLUMNS, add_rest, add_row, put_rest, subtract_row
from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.layout import U0, U1, U2, f64, u64
from mccfr.kernel.minimisers import pace, renew
from mccfr.kernel.sequence_form import BestReply, BestValue, Evaluate, Learn

FOLD, SHOWDOWN, DEAL = u64(2), u64(3), u64(4)  # kinds of nodes; smaller ones are players


class Lines(NamedTuple):
    """The betting of all streets. Nodes are numbered segment by segment, parents first, children side by side."""

    kind: Any  # uint8[nodes]
    arity: Any  # uint32[nodes]
    child: Any  # uint32[nodes] the first one
    entry: Any  # uint32[nodes] actions of the same player before, on the same street
    slot: Any  # uint32[2 nodes] where in its segment the reach of each player is kept
    worth: Any  # float[nodes] what a fold pays player 0, what a showdown pays the winner; with all chances in it
    first: Any  # uint32[segments + 1] nodes
    folds: Any  # uint32, the nodes where somebody has folded
    fold_start: Any  # uint32[segments + 1]
    shows: Any  # uint32, those with a showdown
    show_start: Any  # uint32[segments + 1]
    exits: Any  # uint32[lines that go on] the node at which cards are dealt, and
    roots: Any  # uint32[lines that go on] the node it leads to on the next street
    root_start: Any  # uint32[segments + 1] the lines that lead into a segment
    segment: Any  # uint32[streets + 1] the segments of each street; only the last may have several


class Boards(NamedTuple):
    """The boards of all streets, those that follow a board side by side, and the hands that can be held on each.

    Hands are in order of strength on the last street. Lists of player p on board b have the number 2 b + p.
    """

    start: Any  # uint32[2 boards + 1] where a list of hands begins
    low: Any  # uint8[hands] the cards of a hand
    high: Any  # uint8[hands]
    weaker: Any  # uint16[hands] how many hands of the other player are weaker, and
    upto: Any  # uint16[hands] how many are weaker or as strong
    twin: Any  # uint16[hands] the place of the same hand in the other player's list, or a place after its end
    leader: Any  # uint16[hands] the hand whose strategy this one shares
    uneven: Any  # uint8[boards] whether some hand shares another's
    base: Any  # uint64[2 boards] the first table entry
    follow: Any  # uint32[2 boards] the first board that follows, and the one after the last
    image: Any  # uint32[boards + 1] the images of a board
    up_start: Any  # uint32[2 images + 1]
    up: Any  # uint16, the place of each hand in the list of the board before


class Free(NamedTuple):
    """No strategy is given."""


class Locked(NamedTuple):
    """Some strategies are given, and not learned."""

    start: Any  # uint32[boards] where the marks of a board begin
    mark: Any  # uint8, whether the node in this place of its street is given


class StreetTable(NamedTuple):
    """Tables in lanes: see the module."""

    current: Any
    regret: Any
    average: Any
    locks: Any
    tie: Any  # float[2] up to which sum a player's regrets are rounding


class StreetWork(NamedTuple):
    """Memory of a sweep. A vector of hands has `stride` places."""

    reach: Any  # float, vectors by player, street and slot
    reach_at: Any  # uint64[2 streets] where those of a street begin
    value: Any  # float, vectors by street and node
    value_at: Any  # uint64[streets]
    block: Any  # float[stride * WIDTH] reaches of endings, in columns
    out: Any  # float[stride * WIDTH]
    sums: Any  # float[(cards + 1) * WIDTH] reaches of the hands with each card, and of all
    total: Any  # float[stride]
    scalar: Any  # float[4] numbers in the precision of the tables
    board: Any  # uint64[streets] where the sweep is
    next: Any  # uint64[streets]
    touched: Any  # uint64[1] public nodes
    stride: Any  # uint64
    cards: Any  # uint64


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


@inlined
def descend(lines, boards, table, b, s, g, work):
    """Both players' reaches, from the roots of a segment to all its nodes."""
    stride, first = work.stride, u64(lines.first[g])
    for m in range(first, u64(lines.first[g + U1])):
        p = u64(lines.kind[m])
        if p < U2:
            c, k = u64(lines.child[m]), u64(lines.arity[m])
            n = u64(boards.start[U2 * b + p + U1]) - u64(boards.start[U2 * b + p])
            o = boards.base[U2 * b + p] + u64(lines.entry[m]) * n
            here = work.reach_at[U2 * s + p]
            at = here + u64(lines.slot[U2 * m + p]) * stride
            for a in range(k):
                to, x = here + u64(lines.slot[U2 * (c + a) + p]) * stride, o + a * n
                for h in range(n):
                    work.reach[to + h] = work.reach[at + h] * table.current[x + h]


@inlined
def gather(lines, nodes, j, end, q, s, n, work):
    """The other player's reaches at up to sixteen endings, as columns."""
    for t in range(COLUMNS):
        if j + t < end:
            at = work.reach_at[U2 * s + q] + u64(lines.slot[U2 * u64(nodes[j + t]) + q]) * work.stride
            for h in range(n):
                work.block[h * COLUMNS + t] = work.reach[at + h]
        else:
            for h in range(n):
                work.block[h * COLUMNS + t] = 0.0


@inlined
def scatter(lines, nodes, j, end, g, s, sign, n, work):
    """Columns back to vectors, times what the endings are worth."""
    for t in range(COLUMNS):
        if j + t < end:
            m = u64(nodes[j + t])
            to = work.value_at[s] + (m - u64(lines.first[g])) * work.stride
            worth = lines.worth[m] * sign
            for h in range(n):
                work.value[to + h] = worth * work.out[h * COLUMNS + t]


@inlined
def take_in(boards, at, h, work):
    """Add a hand's reaches to the sums of all hands and of both its cards."""
    add_row(work.sums, work.cards * COLUMNS, work.block, h * COLUMNS)
    add_row(work.sums, u64(boards.low[at + h]) * COLUMNS, work.block, h * COLUMNS)
    add_row(work.sums, u64(boards.high[at + h]) * COLUMNS, work.block, h * COLUMNS)


@inlined
def clear_sums(work):
    for x in range((work.cards + U1) * COLUMNS):
        work.sums[x] = 0.0


@inlined
def folds_in_columns(boards, mine, theirs, n, others, work):
    """out = all reaches without those of hands that share a card."""
    clear_sums(work)
    for h in range(others):
        take_in(boards, theirs, h, work)
    for h in range(n):
        low, high = u64(boards.low[mine + h]) * COLUMNS, u64(boards.high[mine + h]) * COLUMNS
        put_rest(work.out, h * COLUMNS, work.sums, work.cards * COLUMNS, low, high)
        twin = u64(boards.twin[mine + h])
        if twin < others:  # taken off with both its cards
            add_row(work.out, h * COLUMNS, work.block, twin * COLUMNS)


@inlined
def shows_in_columns(boards, mine, theirs, n, others, work):
    """out = reaches of weaker hands minus those of stronger ones, hands that share a card left out.

    Sums begin at minus half of everything and grow along the order of strength: what a hand sees just before those it
    ties with plus what it sees just after them is weaker minus stronger.
    """
    clear_sums(work)
    for h in range(others):
        subtract_row(work.sums, work.cards * COLUMNS, work.block, h * COLUMNS)
        subtract_row(work.sums, u64(boards.low[theirs + h]) * COLUMNS, work.block, h * COLUMNS)
        subtract_row(work.sums, u64(boards.high[theirs + h]) * COLUMNS, work.block, h * COLUMNS)
    half = work.scalar[U2 + U1 + U1]
    for x in range((work.cards + U1) * COLUMNS):
        work.sums[x] *= half
    h = met = U0
    while h < n:
        weaker, upto = u64(boards.weaker[mine + h]), u64(boards.upto[mine + h])
        end = h + U1
        while end < n and u64(boards.weaker[mine + end]) == weaker and u64(boards.upto[mine + end]) == upto:
            end += U1
        while met < weaker:
            take_in(boards, theirs, met, work)
            met += U1
        for x in range(h, end):
            low, high = u64(boards.low[mine + x]) * COLUMNS, u64(boards.high[mine + x]) * COLUMNS
            put_rest(work.out, x * COLUMNS, work.sums, work.cards * COLUMNS, low, high)
        while met < upto:
            take_in(boards, theirs, met, work)
            met += U1
        for x in range(h, end):
            low, high = u64(boards.low[mine + x]) * COLUMNS, u64(boards.high[mine + x]) * COLUMNS
            add_rest(work.out, x * COLUMNS, work.sums, work.cards * COLUMNS, low, high)
        h = end


@inlined
def endings(lines, boards, i, b, s, g, work):
    """What every own hand gets at all endings of a segment."""
    mine, theirs = u64(boards.start[U2 * b + i]), u64(boards.start[U2 * b + U1 - i])
    n = u64(boards.start[U2 * b + i + U1]) - mine
    others = u64(boards.start[U2 * b + U2 - i]) - theirs
    j, end = u64(lines.fold_start[g]), u64(lines.fold_start[g + U1])
    while j < end:
        gather(lines, lines.folds, j, end, U1 - i, s, others, work)
        folds_in_columns(boards, mine, theirs, n, others, work)
        scatter(lines, lines.folds, j, end, g, s, work.scalar[U2 + U2 + U1 + i], n, work)
        j += COLUMNS
    j, end = u64(lines.show_start[g]), u64(lines.show_start[g + U1])
    while j < end:
        gather(lines, lines.shows, j, end, U1 - i, s, others, work)
        shows_in_columns(boards, mine, theirs, n, others, work)
        scatter(lines, lines.shows, j, end, g, s, work.scalar[U2 + U2 + U1], n, work)
        j += COLUMNS


@inlined
def ascend(actor, lines, boards, table, i, b, s, g, work):
    """What every own hand gets at all nodes of a segment, from its endings up."""
    stride, first, here = work.stride, u64(lines.first[g]), work.value_at[s]
    mine = u64(boards.start[U2 * b + i])
    n = u64(boards.start[U2 * b + i + U1]) - mine
    m = u64(lines.first[g + U1])
    street = u64(lines.first[u64(lines.segment[s])])
    while m > first:
        m -= U1
        p = u64(lines.kind[m])
        if p >= U2:
            continue
        c, k, to = here + (u64(lines.child[m]) - first) * stride, u64(lines.arity[m]), here + (m - first) * stride
        if p != i:
            for h in range(n):
                work.value[to + h] = work.value[c + h]
            for a in range(U1, k):
                at = c + a * stride
                for h in range(n):
                    work.value[to + h] += work.value[at + h]
            continue
        o = boards.base[U2 * b + i] + u64(lines.entry[m]) * n
        if locked(table.locks, b, m, street):
            mix(table, o, n, k, c, to, work)
            remember_given(actor, lines, table, o, n, k, i, m, s, work)
            continue
        own = work.reach_at[U2 * s + i] + u64(lines.slot[U2 * m + i]) * stride
        judge(actor, table, o, n, k, c, to, own, work)
        if boards.uneven[b] != 0:
            prefer(actor, table, o, n, k, mine, boards)
    work.touched[U0] += u64(lines.first[g + U1]) - first
    observe(actor, b, s, g, lines, work)


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
def bring_down(lines, boards, b, s, g, work):
    """Reaches of the street before, as the roots of a segment see them on board b."""
    stride = work.stride
    for p in range(U2):
        n = u64(boards.start[U2 * b + p + U1]) - u64(boards.start[U2 * b + p])
        up = u64(boards.up_start[U2 * u64(boards.image[b]) + p])
        for j in range(u64(lines.root_start[g]), u64(lines.root_start[g + U1])):
            at = work.reach_at[U2 * (s - U1) + p] + u64(lines.slot[U2 * u64(lines.exits[j]) + p]) * stride
            to = work.reach_at[U2 * s + p] + u64(lines.slot[U2 * u64(lines.roots[j]) + p]) * stride
            for h in range(n):
                work.reach[to + h] = work.reach[at + u64(boards.up[up + h])]


@inlined
def bring_up(lines, boards, i, b, s, g, before, value, value_at, work):
    """Add what the roots of a segment are worth to the nodes that lead to it, through every image of the board."""
    stride = work.stride
    n = u64(boards.start[U2 * b + i + U1]) - u64(boards.start[U2 * b + i])
    for image in range(u64(boards.image[b]), u64(boards.image[b + U1])):
        up = u64(boards.up_start[U2 * image + i])
        for j in range(u64(lines.root_start[g]), u64(lines.root_start[g + U1])):
            at = work.value_at[s] + (u64(lines.roots[j]) - u64(lines.first[g])) * stride
            to = value_at + (u64(lines.exits[j]) - before) * stride
            for h in range(n):
                value[to + u64(boards.up[up + h])] += work.value[at + h]


@inlined
def clear_exits(lines, s, g, value, value_at, work):
    """Nothing is known yet of what comes after the cards that end a street."""
    later = u64(lines.segment[s + U1])
    for j in range(u64(lines.root_start[later]), u64(lines.root_start[u64(lines.segment[s + U2])])):
        to = value_at + (u64(lines.exits[j]) - u64(lines.first[g])) * work.stride
        for h in range(work.stride):
            value[to + h] = 0.0


@inlined
def last_street(actor, lines, boards, table, i, b, s, work):
    """A board of the last street, segment by segment; what it is worth is added to the street before."""
    before = u64(lines.first[u64(lines.segment[s - U1])])
    for g in range(u64(lines.segment[s]), u64(lines.segment[s + U1])):
        bring_down(lines, boards, b, s, g, work)
        descend(lines, boards, table, b, s, g, work)
        endings(lines, boards, i, b, s, g, work)
        ascend(actor, lines, boards, table, i, b, s, g, work)
        bring_up(lines, boards, i, b, s, g, before, work.value, work.value_at[s - U1], work)


@inlined
def arrive(lines, boards, table, i, b, s, work):
    """A board of an earlier street: everything before the cards that follow."""
    g = u64(lines.segment[s])
    descend(lines, boards, table, b, s, g, work)
    endings(lines, boards, i, b, s, g, work)
    clear_exits(lines, s, g, work.value, work.value_at[s], work)
    work.board[s] = b
    work.next[s] = u64(boards.follow[U2 * b])


@inlined
def sweep_below(actor, lines, boards, table, i, top, last, work):
    """All boards that follow the one on street `top`, at which the sweep has arrived."""
    s = top
    while True:
        b = work.board[s]
        if work.next[s] < u64(boards.follow[U2 * b + U1]):
            below = work.next[s]
            work.next[s] += U1
            if s + U1 == last:
                last_street(actor, lines, boards, table, i, below, last, work)
            else:
                s += U1
                bring_down(lines, boards, below, s, u64(lines.segment[s]), work)
                arrive(lines, boards, table, i, below, s, work)
            continue
        if s == top:
            break
        g = u64(lines.segment[s])
        ascend(actor, lines, boards, table, i, b, s, g, work)
        before = u64(lines.first[u64(lines.segment[s - U1])])
        bring_up(lines, boards, i, b, s, g, before, work.value, work.value_at[s - U1], work)
        s -= U1


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


@inlined
def whole_sweep(actor, lines, boards, table, i, work):
    """Everything, for player i."""
    last = u64(len(lines.segment)) - U2
    prepare(i, actor, table, work)
    if last == U0:
        descend(lines, boards, table, U0, U0, U0, work)
        endings(lines, boards, i, U0, U0, U0, work)
    else:
        arrive(lines, boards, table, i, U0, U0, work)
        sweep_below(actor, lines, boards, table, i, U0, last, work)
    ascend(actor, lines, boards, table, i, U0, U0, U0, work)


@inlined
def root_value(boards, i, weight, work):
    """What the game is worth to player i, whose hands are dealt with these weights."""
    total = 0.0
    n = u64(boards.start[i + U1]) - u64(boards.start[i])
    for h in range(n):
        total += weight[u64(boards.start[i]) + h] * work.value[work.value_at[U0] + h]
    return total


@entry
def sweep_streets(n, clock, minimiser, averaging, lines, boards, table, work):
    """The next n iterations, player 1 answering player 0's renewed strategy. clock[0] counts them."""
    for _ in range(n):
        t = clock[U0] + 1.0
        actor = Learn(minimiser, pace(minimiser, t), importance(averaging, t))
        for i in range(U2):
            whole_sweep(actor, lines, boards, table, i, work)
        clock[U0] = t


@entry
def respond_streets(actor, i, lines, boards, table, weight, work):
    """One sweep for `actor`; returns the value of the game to player i."""
    whole_sweep(actor, lines, boards, table, i, work)
    return root_value(boards, i, weight, work)
