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

Before the first board there may be a gate, at which one player stops or chooses its hand: see `gates`. A sweep can also
begin in the middle of the game, at a board and all betting lines that come to it: see `position_sweeps`.

Letters: b board, s street, g segment, m node, c first child, i walker, p player, n hands, k arity, o first lane of a
node's table, to and at places in `value` and `reach`.
"""

from mccfr.kernel.dispatch import entry, inlined, outlined
from mccfr.kernel.gates import enter, leave
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.street_actors import (
    dealing_of,
    fade_old,
    first_draw,
    follow,
    follow_leaders,
    judge,
    learns,
    locked,
    more,
    observe,
    plays,
    set_out,
    share_of,
)
from mccfr.kernel.street_endings import endings
from mccfr.kernel.street_layout import (
    ARITY,
    BOARD,
    BOARD_WORDS,
    CHILD,
    ENTRY,
    FIRST,
    FOLLOW,
    FOLLOW_END,
    IMAGE,
    IMAGE_END,
    KIND,
    NEXT,
    NODE_WORDS,
    REACH_AT,
    ROOTS,
    ROUNDING,
    SEGMENT_WORDS,
    SHARE,
    SIGN,
    SLOT,
    STRIDE,
    TOUCHED,
    UNEVEN,
    UNIT,
    VALUE_AT,
    VIA,
    VIA_END,
)
from mccfr.kernel.street_tables import LARGEST_AVERAGE, close, opened, play_down

WHOLE, BRANCHES, JOIN = u64(0), u64(1), u64(2)  # everything; boards of the second street; the first street, after that


@outlined
def descend(skipped, lines, boards, table, b, s, g, work):
    """Both players' reaches, from the roots of a segment to all its nodes; not those of a player who is `skipped`."""
    stride = work.place[STRIDE]
    first, end = u64(lines.segments[g * SEGMENT_WORDS + FIRST]), u64(lines.segments[(g + U1) * SEGMENT_WORDS + FIRST])
    for m in range(first, end):
        word = m * NODE_WORDS
        p = u64(lines.nodes[word + KIND])
        if p < U2 and p != skipped:
            c, k = u64(lines.nodes[word + CHILD]), u64(lines.nodes[word + ARITY])
            mine = u64(boards.start[U2 * b + p])
            n = u64(boards.start[U2 * b + p + U1]) - mine
            o = boards.base[U2 * (U2 * b + p)] + u64(lines.nodes[word + ENTRY]) * n
            here = work.place[REACH_AT + U2 * s + p]
            at = here + u64(lines.nodes[word + SLOT + p]) * stride
            to = here + u64(lines.nodes[c * NODE_WORDS + SLOT + p]) * stride  # children have slots side by side
            play_down(table, m, o, n, k, mine, at, to, work)


@outlined
def ascend(actor, lines, boards, table, i, b, s, g, work):
    """What every own hand gets at all nodes of a segment, from its endings up."""
    stride, here = work.place[STRIDE], work.place[VALUE_AT + s]
    mine = u64(boards.start[U2 * b + i])
    n = u64(boards.start[U2 * b + i + U1]) - mine
    first, m = u64(lines.segments[g * SEGMENT_WORDS + FIRST]), u64(lines.segments[(g + U1) * SEGMENT_WORDS + FIRST])
    street = u64(lines.segments[u64(lines.street[s]) * SEGMENT_WORDS + FIRST])
    shared = learns(actor) and boards.boards[b * BOARD_WORDS + UNEVEN] != 0
    work.place[TOUCHED] += m - first
    work.scalar[ROUNDING] = table.tie[U2 * s + i]
    while m > first:
        m -= U1
        word = m * NODE_WORDS
        p, k = u64(lines.nodes[word + KIND]), u64(lines.nodes[word + ARITY])
        if p >= U2:
            continue
        c, to = here + (u64(lines.nodes[word + CHILD]) - first) * stride, here + (m - first) * stride
        if p == i:
            o = boards.base[U2 * (U2 * b + i)] + u64(lines.nodes[word + ENTRY]) * n
            own = work.place[REACH_AT + U2 * s + i] + u64(lines.nodes[word + SLOT + i]) * stride
            lane = boards.base[U2 * (U2 * b + i) + U1] + u64(lines.nodes[word + ENTRY])
            lanes, x = opened(table, m, o, n, k, lane, mine, plays(actor), work)
            judge(actor, lanes, x, n, k, c, to, own, locked(table.locks, b, m, street), stride, work)
            close(table, o, n, k, lane, work)
            if shared:
                follow_leaders(boards, table, o, n, k, mine)
            continue
        for h in range(n):
            work.value[to + h] = work.value[c + h]
        for a in range(U1, k):
            at = c + a * stride
            for h in range(n):
                work.value[to + h] += work.value[at + h]
    observe(actor, b, s, g, lines, work)


@outlined
def bring_down(lines, boards, b, s, g, work):
    """Reaches of the street before, as the roots of a segment see them on board b."""
    stride, image = work.place[STRIDE], u64(boards.boards[b * BOARD_WORDS + IMAGE])
    begin, end = u64(lines.segments[g * SEGMENT_WORDS + ROOTS]), u64(lines.segments[(g + U1) * SEGMENT_WORDS + ROOTS])
    for p in range(U2):
        n = u64(boards.start[U2 * b + p + U1]) - u64(boards.start[U2 * b + p])
        up = u64(boards.up_start[U2 * image + p])
        before, here = work.place[REACH_AT + U2 * (s - U1) + p], work.place[REACH_AT + U2 * s + p]
        for j in range(begin, end):
            at = before + u64(lines.nodes[u64(lines.links[U2 * j]) * NODE_WORDS + SLOT + p]) * stride
            to = here + u64(lines.nodes[u64(lines.links[U2 * j + U1]) * NODE_WORDS + SLOT + p]) * stride
            for h in range(n):
                work.reach[to + h] = work.reach[at + u64(boards.up[up + h])]


@outlined
def bring_up(lines, boards, i, b, s, begin, end, source, place, first, share, work):
    """Add what roots on board b are worth to the nodes that lead to them, through the images that it stands for.

    What a root is worth begins at source[place + (root - first) stride], and counts `share`.
    """
    stride = work.place[STRIDE]
    before = u64(lines.segments[u64(lines.street[s - U1]) * SEGMENT_WORDS + FIRST])
    n = u64(boards.start[U2 * b + i + U1]) - u64(boards.start[U2 * b + i])
    for image in range(work.place[VIA + s], work.place[VIA_END + s]):
        up = u64(boards.up_start[U2 * image + i])
        for j in range(begin, end):
            at = place + (u64(lines.links[U2 * j + U1]) - first) * stride
            to = work.place[VALUE_AT + s - U1] + (u64(lines.links[U2 * j]) - before) * stride
            for h in range(n):
                work.value[to + u64(boards.up[up + h])] += share * source[at + h]


@inlined
def clear_exits(lines, s, work):
    """Nothing is known yet of what comes after the cards that end a street."""
    stride, here = work.place[STRIDE], work.place[VALUE_AT + s]
    first = u64(lines.segments[u64(lines.street[s]) * SEGMENT_WORDS + FIRST])
    begin = u64(lines.segments[u64(lines.street[s + U1]) * SEGMENT_WORDS + ROOTS])
    end = u64(lines.segments[u64(lines.street[s + U2]) * SEGMENT_WORDS + ROOTS])
    for j in range(begin, end):
        to = here + (u64(lines.links[U2 * j]) - first) * stride
        for h in range(stride):
            work.value[to + h] = 0.0


@inlined
def pass_up(stage, lines, boards, i, b, s, g, share, work, kept):
    """A segment of board b has come up: add it to the street before, or keep it for whoever joins the branches."""
    begin, end = u64(lines.segments[g * SEGMENT_WORDS + ROOTS]), u64(lines.segments[(g + U1) * SEGMENT_WORDS + ROOTS])
    first, here = u64(lines.segments[g * SEGMENT_WORDS + FIRST]), work.place[VALUE_AT + s]
    if stage == WHOLE or s > U1:
        bring_up(lines, boards, i, b, s, begin, end, work.value, here, first, share, work)
        return
    stride, place = work.place[STRIDE], kept_place(lines, boards, b, work)
    street = u64(lines.segments[u64(lines.street[U1]) * SEGMENT_WORDS + FIRST])
    for j in range(begin, end):
        m = u64(lines.links[U2 * j + U1])
        for h in range(stride):
            kept[place + (m - street) * stride + h] = work.value[here + (m - first) * stride + h]


@inlined
def kept_place(lines, boards, b, work):
    """Where what is kept of a board of the second street begins."""
    first, end = (
        u64(lines.segments[u64(lines.street[U1]) * SEGMENT_WORDS + FIRST]),
        u64(lines.segments[u64(lines.street[U2]) * SEGMENT_WORDS + FIRST]),
    )
    return (b - u64(boards.boards[FOLLOW])) * (end - first) * work.place[STRIDE]


@inlined
def counts(dealing, b, boards, work):
    """`share_of`, in the precision of the tables."""
    work.scalar[SHARE] = share_of(dealing, b, boards)
    return work.scalar[SHARE]


@inlined
def prepare(work):
    """Numbers of a sweep, in the precision of the tables."""
    work.scalar[UNIT] = 1.0 / LARGEST_AVERAGE
    work.scalar[SIGN] = 1.0
    work.scalar[SIGN + U1] = -1.0


@inlined
def join(lines, boards, i, work, kept):
    """What was kept of the boards of the second street."""
    begin = u64(lines.segments[u64(lines.street[U1]) * SEGMENT_WORDS + ROOTS])
    end = u64(lines.segments[u64(lines.street[U2]) * SEGMENT_WORDS + ROOTS])
    first = u64(lines.segments[u64(lines.street[U1]) * SEGMENT_WORDS + FIRST])
    work.scalar[SHARE] = 1.0
    for b in range(u64(boards.boards[FOLLOW]), u64(boards.boards[FOLLOW_END])):
        work.place[VIA + U1] = u64(boards.boards[b * BOARD_WORDS + IMAGE])
        work.place[VIA_END + U1] = u64(boards.boards[b * BOARD_WORDS + IMAGE_END])
        place = kept_place(lines, boards, b, work)
        bring_up(lines, boards, i, b, U1, begin, end, kept, place, first, work.scalar[SHARE], work)


@inlined
def unread(actor, i):
    """The player whose reach nobody asks for: the walker, where its strategy does not matter; otherwise none."""
    return U2 if plays(actor) else i


@inlined
def arrive(actor, stage, skip, dealing, lines, boards, table, i, b, s, g, last, work, kept):
    """Everything on a board before the cards that follow; skip: boards of the second street that others do first."""
    descend(unread(actor, i), lines, boards, table, b, s, g, work)
    endings(lines, boards, i, b, s, g, work)
    if s == last:
        return
    clear_exits(lines, s, work)
    work.place[BOARD + s] = b
    first_draw(dealing, b, s, boards, work)
    if s == U0:
        work.place[NEXT] += skip
        if stage == JOIN:
            join(lines, boards, i, work, kept)
            work.place[NEXT] = u64(boards.boards[FOLLOW_END])


@inlined
def last_street(actor, stage, share, lines, boards, table, i, b, last, work, kept):
    """A board of the last street, segment by segment."""
    for g in range(u64(lines.street[last]), u64(lines.street[last + U1])):
        bring_down(lines, boards, b, last, g, work)
        descend(unread(actor, i), lines, boards, table, b, last, g, work)
        endings(lines, boards, i, b, last, g, work)
        ascend(actor, lines, boards, table, i, b, last, g, work)
        pass_up(stage, lines, boards, i, b, last, g, share, work, kept)


@inlined
def sweep_from(top, b, g, actor, stage, turns, lines, boards, table, i, work, kept):
    """Segment g of board b, on street `top`, and all boards that follow: down with the reaches at its roots, and up.

    A whole game begins with the first board, positions in the middle of it with any other. Before the last street a
    board has one segment. stage and turns: see `sweep_streets`.
    """
    last, dealing, s, arriving = u64(len(lines.street)) - U2, dealing_of(actor), top, True
    while True:
        if arriving:  # ---- down
            arriving = False
            arrive(actor, stage, turns[0], dealing, lines, boards, table, i, b, s, g, last, work, kept)
        if s < last and more(dealing, b, s, boards, work):
            below = follow(dealing, b, s, turns[1] if s == U0 else U1, boards, work)
            if s + U1 < last:
                s += U1
                b, g = below, u64(lines.street[s])
                bring_down(lines, boards, b, s, g, work)
                arriving = True
            else:
                share = counts(dealing, b, boards, work)
                last_street(actor, stage, share, lines, boards, table, i, below, last, work, kept)
            continue
        if s == U0 and stage == BRANCHES:  # ---- up
            return
        ascend(actor, lines, boards, table, i, b, s, g, work)
        if s == top:
            return
        above = work.place[BOARD + s - U1]
        pass_up(stage, lines, boards, i, b, s, g, counts(dealing, above, boards, work), work, kept)
        s -= U1
        b, g = above, u64(lines.street[s])


@entry
def sweep_streets(n, clock, actor, players, stage, turns, lines, boards, table, weight, work, kept):
    """The next n iterations, player 1 answering player 0's renewed strategy; returns the value to the last player.

    players: the first, and one after the last. stage: WHOLE, or a part of a sweep that several workers share: turns has
    the first board of the second street that this one does, and the step to the next. clock[0] counts iterations, but
    for parts. Joining adds up in the order of a whole sweep, so the result is the same with any number of workers.
    """
    value = 0.0
    for _ in range(n):
        t = clock[U0] + 1.0
        set_out(actor, t, work)
        if stage == WHOLE:
            fade_old(actor, table, t)
        for i in range(players[0], players[1]):
            prepare(work)
            enter(table.gate, unread(actor, i), boards, table, work)
            sweep_from(U0, U0, U0, actor, stage, turns, lines, boards, table, i, work, kept)
            if stage != BRANCHES:
                value = leave(table.gate, actor, boards, table, i, weight, work)
        if stage == WHOLE:
            clock[U0] = t
    return value
