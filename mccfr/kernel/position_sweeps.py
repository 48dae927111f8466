"""Sweeps over all positions of a street of hold'em with every card, board by board, each behind its gate.

A position is a root of betting on a board of the street. What was before is in the ranges, so positions are games of
their own, and all those of a board are swept together: the roots of a street are side by side in its block of betting
nodes. Tables are those of the whole game (`streets`), of which the lanes of this street and of later ones are used.

Letters as in `streets`; x the place of a position in `Ranges`.
"""

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.position_gates import admit, take_back
from mccfr.kernel.street_actors import set_out
from mccfr.kernel.street_layout import FIRST, NODE_WORDS, REACH_AT, ROOTS, SEGMENT_WORDS, SLOT, STRIDE, VALUE_AT
from mccfr.kernel.streets import WHOLE, prepare, sweep_from


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


@entry
def sweep_positions(n, actor, gate, players, top, some, first, lines, boards, table, ranges, work, kept):
    """n iterations of all positions of street `top`, which is not the first, on the boards from some[0] to some[1].

    first: the first board of the street. players: the first, and one after the last.
    """
    for b in range(some[0], some[1]):
        for g in range(u64(lines.street[top]), u64(lines.street[top + U1])):
            for t in range(n):
                set_out(actor, t + 1.0, work)
                for i in range(players[0], players[1]):
                    prepare(work)
                    enter(gate, ranges, lines, boards, top, b, b - first, g, work)
                    sweep_from(top, b, g, actor, WHOLE, (U0, U1), lines, boards, table, i, work, kept)
                    leave(gate, actor, ranges, lines, boards, i, top, b, b - first, g, work)
