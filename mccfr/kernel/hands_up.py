"""What hands get by all lines of a group: from the endings of a street up its betting tree, four hands at a time.

A list of steps says how (see `LineGroups`), the same for all hands, so that reading it costs less for four. Weights of
folds are asked for one fold ahead.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import inlined
from mccfr.kernel.layout import U0, U1, U2, U3, u64
from mccfr.kernel.line_parts import (
    FOUR,
    HIGH,
    LOW,
    SPARE,
    places,
    u32,
)
from mccfr.kernel.reach_down import hand_at
from mccfr.kernel.response_layout import (
    ADD,
    FOLD,
    LARGER,
    MOVE_AT,
    PLACE_AT,
    POP,
    SHOW,
    STEP_BITS,
    STEP_WORDS,
    WEIGHT,
)


class Held(NamedTuple):
    """A hand on its way up: where its weights, its cards in the sums of a sequence, and its results are."""

    reach: Any
    row: Any  # uint32
    low: Any  # uint32
    high: Any  # uint32
    shown: Any  # uint32


@inlined
def held_hand(group, board, j, shown, reach):
    """Hand j; shown: where the results of its showdowns begin."""
    lane, pair = u32(group.lane), board.pair[j]
    place, row = places(board.link[j], lane)
    return Held(reach[place], row, u32(u32(pair & LOW) + lane), u32(u32(pair >> HIGH) + lane), u32(shown))


@inlined
def fold(fast, place, hand, weight):
    """All hands that share no card; the hand itself was taken off with both its cards."""
    return fast[u32(place + hand.low)] + fast[u32(place + hand.high)] + hand.reach * weight


@inlined
def fold_weights(group, at, a, b, c, d):
    """The weights of four hands at a fold."""
    w = group.weights
    return w[u32(at + a.row)], w[u32(at + b.row)], w[u32(at + c.row)], w[u32(at + d.row)]


@inlined
def take_up(i, group, later, boards, b, hands, at_hands, below, room):
    """What four hands get on board b by all lines of a group, from their endings up. at_hands: their places in the list
    of the board."""
    lanes, fast, steps, stack, (h0, h1, h2, h3) = group.lanes, room.fast, group.steps, room.stack, hands
    v0 = v1 = v2 = v3 = x0 = x1 = x2 = x3 = w0 = w1 = w2 = w3 = group.zero
    if group.folds > U0:
        w0, w1, w2, w3 = fold_weights(group, group.first_fold, h0, h1, h2, h3)
    aside = s = at = U0
    what, worth = steps[U0], group.worths[U0]
    while s < group.final:
        s, at = s + STEP_WORDS, at + lanes
        next_what, next_worth = steps[s], group.worths[at]  # on their way while this step is done
        source, move, place = u64(what) & STEP_BITS, u64(what) >> MOVE_AT & STEP_BITS, u32(what >> PLACE_AT)
        if source == SHOW:
            x0, x1 = worth * fast[u32(h0.shown + place)], worth * fast[u32(h1.shown + place)]
            x2, x3 = worth * fast[u32(h2.shown + place)], worth * fast[u32(h3.shown + place)]
        elif source == FOLD:
            x0, x1 = worth * fold(fast, place, h0, w0), worth * fold(fast, place, h1, w1)
            x2, x3 = worth * fold(fast, place, h2, w2), worth * fold(fast, place, h3, w3)
            w0, w1, w2, w3 = fold_weights(group, steps[s - STEP_WORDS + WEIGHT], h0, h1, h2, h3)  # of the next fold
        elif source == POP:
            aside -= FOUR
            x0, x1, x2, x3 = v0, v1, v2, v3
            v0, v1, v2, v3 = stack[aside], stack[aside + U1], stack[aside + U2], stack[aside + U3]
        else:
            line = u64(group.exits[at - lanes])
            after = hand_at(later, boards, b, i, line // lanes) + line % lanes
            for k in range(FOUR):
                stack[SPARE + k] = below[after + at_hands[k] * lanes]  # in the precision of the rest
            x0, x1, x2, x3 = stack[SPARE], stack[SPARE + U1], stack[SPARE + U2], stack[SPARE + U3]
        if move == LARGER:
            v0, v1, v2, v3 = max(v0, x0), max(v1, x1), max(v2, x2), max(v3, x3)
        elif move == ADD:
            v0, v1, v2, v3 = v0 + x0, v1 + x1, v2 + x2, v3 + x3
        else:
            stack[aside], stack[aside + U1], stack[aside + U2], stack[aside + U3] = v0, v1, v2, v3
            aside += FOUR
            v0, v1, v2, v3 = x0, x1, x2, x3
        what, worth = next_what, next_worth
    return v0, v1, v2, v3


@inlined
def add_value(group, there, j, to, old, value, above, keeps, room):
    """Add the value of hand j, if there is one, to what the board before has, and keep it if images will want it."""
    if there:
        above[to] = old + value
        if keeps:
            room.slow[room.slow_at + j * group.lanes + group.lane] = value


@inlined
def take_up_item(i, group, later, boards, b, board, item, done, ready, shown, reach, below, above, room):
    """Hands of a chunk, four of them a quarter of a chunk apart, added to the values of the board before."""
    n, lanes, apart, image = board.hands, group.lanes, (ready - done + U3) // FOUR, u64(boards.image[b])
    j0, j1, j2, j3 = done + item, done + item + apart, done + item + U2 * apart, done + item + U3 * apart
    k1, k2, k3 = (j1 if j1 < ready else j0), (j2 if j2 < ready else j0), (j3 if j3 < ready else j0)
    t0, t1 = u64(boards.up[image * n + j0]), u64(boards.up[image * n + k1])
    t2, t3 = u64(boards.up[image * n + k2]), u64(boards.up[image * n + k3])
    old0, old1, old2, old3 = above[t0], above[t1], above[t2], above[t3]  # on their way, too
    hands = (
        held_hand(group, board, j0, shown + (j0 - done) * lanes, reach),
        held_hand(group, board, k1, shown + (k1 - done) * lanes, reach),
        held_hand(group, board, k2, shown + (k2 - done) * lanes, reach),
        held_hand(group, board, k3, shown + (k3 - done) * lanes, reach),
    )
    v0, v1, v2, v3 = take_up(i, group, later, boards, b, hands, (j0, k1, k2, k3), below, room)
    keeps = image + U1 < u64(boards.image[b + U1])
    add_value(group, True, j0, t0, old0, v0, above, keeps, room)
    add_value(group, j1 < ready, j1, t1, old1, v1, above, keeps, room)
    add_value(group, j2 < ready, j2, t2, old2, v2, above, keeps, room)
    add_value(group, j3 < ready, j3, t3, old3, v3, above, keeps, room)
