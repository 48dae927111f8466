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

from mccfr.kernel.averaging import importance
from mccfr.kernel.dispatch import entry, inlined, outlined
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.minimisers import pace
from mccfr.kernel.sequence_form import Learn
from mccfr.kernel.street_actors import judge, locked, mix, observe, prefer, prepare, remember_given
from mccfr.kernel.street_endings import endings


@outlined
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


@outlined
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


@outlined
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


@outlined
def bring_up(lines, boards, i, b, s, g, work):
    """Add what the roots of a segment are worth to the nodes that lead to it, through every image of the board."""
    stride, before = work.stride, u64(lines.first[u64(lines.segment[s - U1])])
    n = u64(boards.start[U2 * b + i + U1]) - u64(boards.start[U2 * b + i])
    for image in range(u64(boards.image[b]), u64(boards.image[b + U1])):
        up = u64(boards.up_start[U2 * image + i])
        for j in range(u64(lines.root_start[g]), u64(lines.root_start[g + U1])):
            at = work.value_at[s] + (u64(lines.roots[j]) - u64(lines.first[g])) * stride
            to = work.value_at[s - U1] + (u64(lines.exits[j]) - before) * stride
            for h in range(n):
                work.value[to + u64(boards.up[up + h])] += work.value[at + h]


@inlined
def clear_exits(lines, s, g, work):
    """Nothing is known yet of what comes after the cards that end a street."""
    later = u64(lines.segment[s + U1])
    for j in range(u64(lines.root_start[later]), u64(lines.root_start[u64(lines.segment[s + U2])])):
        to = work.value_at[s] + (u64(lines.exits[j]) - u64(lines.first[g])) * work.stride
        for h in range(work.stride):
            work.value[to + h] = 0.0


@outlined
def last_street(actor, lines, boards, table, i, b, s, work):
    """A board of the last street, segment by segment; what it is worth is added to the street before."""
    for g in range(u64(lines.segment[s]), u64(lines.segment[s + U1])):
        bring_down(lines, boards, b, s, g, work)
        descend(lines, boards, table, b, s, g, work)
        endings(lines, boards, i, b, s, g, work)
        ascend(actor, lines, boards, table, i, b, s, g, work)
        bring_up(lines, boards, i, b, s, g, work)


@outlined
def arrive(lines, boards, table, i, b, s, work):
    """A board of an earlier street: everything before the cards that follow."""
    g = u64(lines.segment[s])
    descend(lines, boards, table, b, s, g, work)
    endings(lines, boards, i, b, s, g, work)
    clear_exits(lines, s, g, work)
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
        bring_up(lines, boards, i, b, s, g, work)
        s -= U1


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


@entry
def sweep_branches(actor, i, first, step, lines, boards, table, work, kept):
    """Every `step`-th of the boards that follow the first one, for player i; kept: what the roots are worth on each.

    The street before them is gone through again by every worker, which costs little; nothing is learned there.
    """
    last = u64(len(lines.segment)) - U2
    prepare(i, actor, table, work)
    arrive(lines, boards, table, i, U0, U0, work)
    b, end = u64(boards.follow[U0]) + first, u64(boards.follow[U1])
    while b < end:
        if last == U1:
            for g in range(u64(lines.segment[U1]), u64(lines.segment[U2])):
                bring_down(lines, boards, b, U1, g, work)
                descend(lines, boards, table, b, U1, g, work)
                endings(lines, boards, i, b, U1, g, work)
                ascend(actor, lines, boards, table, i, b, U1, g, work)
                keep_roots(lines, boards, b, g, kept, work)
        else:
            g = u64(lines.segment[U1])
            bring_down(lines, boards, b, U1, g, work)
            arrive(lines, boards, table, i, b, U1, work)
            sweep_below(actor, lines, boards, table, i, U1, last, work)
            ascend(actor, lines, boards, table, i, b, U1, g, work)
            keep_roots(lines, boards, b, g, kept, work)
        b += step


@inlined
def keep_roots(lines, boards, b, g, kept, work):
    """Copy what the roots of a segment of the second street are worth."""
    roots = u64(lines.root_start[u64(lines.segment[U2])]) - u64(lines.root_start[u64(lines.segment[U1])])
    place = (b - u64(boards.follow[U0])) * roots
    for j in range(u64(lines.root_start[g]), u64(lines.root_start[g + U1])):
        at = work.value_at[U1] + (u64(lines.roots[j]) - u64(lines.first[g])) * work.stride
        to = (place + j - u64(lines.root_start[u64(lines.segment[U1])])) * work.stride
        for h in range(work.stride):
            kept[to + h] = work.value[at + h]


@entry
def join_branches(actor, i, lines, boards, table, weight, work, kept):
    """The first street, once all boards that follow are known; returns the value of the game to player i.

    Adds up in the order of a sweep by one worker, so that the result is the same with any number of them.
    """
    prepare(i, actor, table, work)
    arrive(lines, boards, table, i, U0, U0, work)
    for b in range(u64(boards.follow[U0]), u64(boards.follow[U1])):
        put_roots(lines, boards, i, b, kept, work)
    ascend(actor, lines, boards, table, i, U0, U0, U0, work)
    return root_value(boards, i, weight, work)


@outlined
def put_roots(lines, boards, i, b, kept, work):
    """`bring_up` of the second street, from what was kept of it."""
    begin, end = u64(lines.root_start[u64(lines.segment[U1])]), u64(lines.root_start[u64(lines.segment[U2])])
    n = u64(boards.start[U2 * b + i + U1]) - u64(boards.start[U2 * b + i])
    place = (b - u64(boards.follow[U0])) * (end - begin)
    for image in range(u64(boards.image[b]), u64(boards.image[b + U1])):
        up = u64(boards.up_start[U2 * image + i])
        for j in range(begin, end):
            at = (place + j - begin) * work.stride
            to = work.value_at[U0] + u64(lines.exits[j]) * work.stride
            for h in range(n):
                work.value[to + u64(boards.up[up + h])] += kept[at + h]
