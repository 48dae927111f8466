"""Sweeps over all positions of a street of hold'em with every card, board by board, each behind its gate.

A position is a root of betting on a board of the street. What was before is in the ranges, so positions are games of
their own, and all those of a board are swept together: the roots of a street are side by side in its block of betting
nodes. Tables are those of the whole game (`streets`), of which the lanes of this street and of later ones are used.

Letters as in `streets`; x the place of a position in `Ranges`.
"""

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.position_gates import admit, take_back
from mccfr.kernel.street_actors import dealing_of, follow, more, set_out
from mccfr.kernel.street_endings import endings
from mccfr.kernel.street_layout import (
    BOARD,
    FIRST,
    NODE_WORDS,
    REACH_AT,
    ROOTS,
    SEGMENT_WORDS,
    SLOT,
    STRIDE,
    VALUE_AT,
)
from mccfr.kernel.streets import (
    WHOLE,
    arrive,
    ascend,
    bring_down,
    counts,
    descend,
    last_street,
    pass_up,
    prepare,
    unread,
)


@inlined
def place_of_root(lines, top, row, j, work):
    """Where the hands of root j begin in `Ranges`, on the board in this row of its street."""
    first = u64(lines.segments[u64(lines.street[top]) * SEGMENT_WORDS + ROOTS])
    end = u64(lines.segments[u64(lines.street[top + U1]) * SEGMENT_WORDS + ROOTS])
    return (row * (end - first) + j - first) * work.place[STRIDE]


@inlined
def enter(gate, ranges, lines, boards, top, b, row, g, work):
    """The ranges of both players at all roots of a segment."""
    stride = work.place[STRIDE]
    for j in range(
        u64(lines.segments[g * SEGMENT_WORDS + ROOTS]), u64(lines.segments[(g + U1) * SEGMENT_WORDS + ROOTS])
    ):
        x, root = place_of_root(lines, top, row, j, work), u64(lines.links[U2 * j + U1])
        for p in range(U2):
            n = u64(boards.start[U2 * b + p + U1]) - u64(boards.start[U2 * b + p])
            at = work.place[REACH_AT + U2 * top + p] + u64(lines.nodes[root * NODE_WORDS + SLOT + p]) * stride
            admit(gate, ranges, p, x, n, at, work)


@inlined
def leave(gate, actor, ranges, lines, boards, i, top, b, row, g, work):
    """What all roots of a segment are worth to the walker goes to their gates."""
    stride, first = work.place[STRIDE], u64(lines.segments[g * SEGMENT_WORDS + FIRST])
    n = u64(boards.start[U2 * b + i + U1]) - u64(boards.start[U2 * b + i])
    for j in range(
        u64(lines.segments[g * SEGMENT_WORDS + ROOTS]), u64(lines.segments[(g + U1) * SEGMENT_WORDS + ROOTS])
    ):
        x, root = place_of_root(lines, top, row, j, work), u64(lines.links[U2 * j + U1])
        take_back(actor, gate, ranges, i, x, n, work.place[VALUE_AT + top] + (root - first) * stride, work)


@inlined
def sweep_last(actor, lines, boards, table, i, b, s, g, work):
    """Positions on the last street: nothing follows."""
    descend(unread(actor, i), lines, boards, table, b, s, g, work)
    endings(lines, boards, i, b, s, g, work)
    ascend(actor, lines, boards, table, i, b, s, g, work)


@inlined
def sweep_below(actor, lines, boards, table, i, top, b, last, work, kept):
    """Positions on an earlier street, and all boards that follow theirs: the loop of `streets.sweep_streets`."""
    dealing, s, arriving = dealing_of(actor), top, True
    while True:
        if arriving:
            arriving = False
            arrive(actor, WHOLE, U0, dealing, lines, boards, table, i, b, s, last, work, kept)
        if more(dealing, b, s, boards, work):
            below = follow(dealing, b, s, U1, boards, work)
            share = counts(dealing, b, boards, work)
            if s + U1 < last:
                s += U1
                b = below
                bring_down(lines, boards, b, s, u64(lines.street[s]), work)
                arriving = True
            else:
                last_street(actor, WHOLE, share, lines, boards, table, i, below, last, work, kept)
            continue
        ascend(actor, lines, boards, table, i, b, s, u64(lines.street[s]), work)
        if s == top:
            return
        above = work.place[BOARD + s - U1]
        pass_up(WHOLE, lines, boards, i, b, s, u64(lines.street[s]), counts(dealing, above, boards, work), work, kept)
        s -= U1
        b = above


@entry
def sweep_positions(n, actor, gate, players, top, some, first, lines, boards, table, ranges, work, kept):
    """n iterations of all positions of street `top`, which is not the first, on the boards from some[0] to some[1].

    first: the first board of the street. players: the first, and one after the last.
    """
    last = u64(len(lines.street)) - U2
    for b in range(some[0], some[1]):
        for g in range(u64(lines.street[top]), u64(lines.street[top + U1])):
            for t in range(n):
                set_out(actor, t + 1.0, work)
                for i in range(players[0], players[1]):
                    prepare(work)
                    enter(gate, ranges, lines, boards, top, b, b - first, g, work)
                    if top == last:
                        sweep_last(actor, lines, boards, table, i, b, top, g, work)
                    else:
                        sweep_below(actor, lines, boards, table, i, top, b, last, work, kept)
                    leave(gate, actor, ranges, lines, boards, i, top, b, b - first, g, work)
