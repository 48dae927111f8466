"""What every hand gets by a best response on a street: all boards that follow a board, one group of lines at a time.

The other player's reach of sequence s with hand j is r = come(j) weight(s, row of j). A best response needs of it

    at a fold       all hands that share no card:            T - C(low) - C(high) + r
    at a showdown   the weaker ones minus the stronger ones

where C(c) is the sum over hands with card c and T over all. For showdowns sums grow along the order of strength, as in
`street_endings`: what a hand sees before those it ties with, plus what it sees after them, minus what is there in the
end. Sums begin at minus half of what they will come to, so that nothing is left to take off in the end.
[Johanson et al. 2011]

Hands are done in chunks: while the showdowns of a chunk are computed, sequence by sequence, the hands of the chunk
before are taken up the betting tree, hand by hand. So only sums and two chunks need fast memory.
"""

from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.board_hands import LOW_BITS, PLACE_BITS, SIXTEEN, THIRTY_TWO
from mccfr.kernel.crews import first, step, wait
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.layout import BYTE, U0, U1, U2, U3, U8, u64
from mccfr.kernel.reach_down import hand_at
from mccfr.kernel.response_layout import (
    ADD,
    AT,
    CHUNK,
    DEEPEST,
    FOLD,
    FOLDS,
    HEAD,
    LARGER,
    LISTS,
    NOWHERE,
    POP,
    SEQUENCES,
    SHOW,
    SHOWS,
    STEP_WORDS,
    STEPS,
    STEPS_END,
    WEIGHT,
    WEIGHTS,
)

u32 = np.uint32  # in inner loops: a GPU has no 64-bit integers of its own
FOUR, ONE = u64(4), u32(1)
AT_ONCE = u64(CHUNK)
SPARE = u64(DEEPEST)


class SeenBoard(NamedTuple):
    """The hands of one board, as parts of the arrays of a `BoardList`: places in them are small numbers."""

    link: Any
    pair: Any
    tie: Any
    with_card: Any
    hands: Any  # uint64
    free: Any  # uint64


@inlined
def seen_board(boards, b):
    """The part of board b."""
    n, m = boards.hands, boards.free
    begin, end, cards = b * n, (b + U1) * n, m * (m - U1)
    return SeenBoard(
        boards.link[begin:end],
        boards.pair[begin:end],
        boards.tie[begin:end],
        boards.with_card[b * cards : (b + U1) * cards],
        n,
        m,
    )


@inlined
def add_hands(board, c, reach, w0, w1, w2, w3, zero):
    """C(c) of four sequences with weights w0 to w3: the reaches of all hands with a card, added up."""
    x0 = x1 = x2 = x3 = zero
    each = board.free - U1
    k, end = u32(c * each), u32(c * each + each)
    while k < end:
        link = board.link[board.with_card[k]]
        r, row = reach[link & PLACE_BITS], link >> THIRTY_TWO
        x0 += r * w0[row]
        x1 += r * w1[row]
        x2 += r * w2[row]
        x3 += r * w3[row]
        k = u32(k + ONE)
    return x0, x1, x2, x3


@inlined
def put_sum(lines, board, head, s, c, lane, value, room):
    """Store C(c) of a sequence where showdowns and folds look for it."""
    lists, sequences, m = lines.lists, lines.head[head + SEQUENCES], board.free
    at = lines.head[head + LISTS] + s
    show, fold = u64(lists[at]), u64(lists[at + sequences])
    if show != NOWHERE:
        room.fast[(show * m + c) * lines.lanes + lane] = value
    if fold != NOWHERE:
        room.fast[((lines.head[head + SHOWS] + fold) * m + c) * lines.lanes + lane] = value


@inlined
def sum_by_card(crew, lines, board, head, reach, room):
    """C of all sequences, four at a time, so that hands are looked up less often."""
    sequences, lane = lines.head[head + SEQUENCES], crew.lane
    size, weights = lines.rows * lines.lanes, lines.head[head + WEIGHTS] + lane
    final = max(sequences, U1) - U1
    for item in range(first(crew), (sequences + U3) // FOUR * board.free, step(crew)):
        s, c = item // board.free * FOUR, item % board.free
        one, two, three = min(s + U1, final), min(s + U2, final), min(s + U3, final)
        w0, w1 = lines.weight[weights + s * size :], lines.weight[weights + one * size :]
        w2, w3 = lines.weight[weights + two * size :], lines.weight[weights + three * size :]
        x0, x1, x2, x3 = add_hands(board, c, reach, w0, w1, w2, w3, lines.zero)
        put_sum(lines, board, head, s, c, lane, x0, room)
        put_sum(lines, board, head, one, c, lane, x1, room)
        put_sum(lines, board, head, two, c, lane, x2, room)
        put_sum(lines, board, head, three, c, lane, x3, room)


@inlined
def settle_sums(crew, lines, board, head, room):
    """Of showdowns minus half of all sums, total included; of folds T / 2 - C, so that two of them are T - C - C."""
    lanes, m, shows = lines.lanes, board.free, lines.head[head + SHOWS]
    totals = (shows + lines.head[head + FOLDS]) * m * lanes
    for which in range(first(crew), shows + lines.head[head + FOLDS], step(crew)):
        at, total = which * m * lanes + crew.lane, lines.zero
        for c in range(m):
            total += room.fast[at + c * lanes]
        total *= lines.half  # every hand has two cards
        if which < shows:
            room.fast[totals + which * lanes + crew.lane] = -lines.half * total
        for c in range(m):
            x = room.fast[at + c * lanes]
            room.fast[at + c * lanes] = -lines.half * x if which < shows else lines.half * total - x


@inlined
def is_long(tie):
    """Whether more hands tie than a chunk has room for."""
    return (tie >> SIXTEEN) - (tie & LOW_BITS) > AT_ONCE


@inlined
def chunk_end(board, begin, shows):
    """Where the chunk ends that begins there: a few whole ties, or a part of a long one."""
    n, tie = board.hands, u64(board.tie[begin])
    if shows == U0:
        return n
    if is_long(tie):
        return min(tie >> SIXTEEN, begin + AT_ONCE)
    end = begin
    while end < n and (u64(board.tie[end]) >> SIXTEEN) <= begin + AT_ONCE:
        end = u64(board.tie[end]) >> SIXTEEN
    return end


@inlined
def rest(sums, total, pair):
    """What is there without the hands that share a card; `pair`: the cards of a hand."""
    return total - sums[pair & LOW_BITS] - sums[pair >> SIXTEEN]


@inlined
def take_in(board, begin, end, reach, weights, sums, total):
    """Add the reaches of some hands to the sums of their cards; returns the total."""
    j = begin
    while j < end:
        link, pair = board.link[j], board.pair[j]
        r = reach[link & PLACE_BITS] * weights[link >> THIRTY_TWO]
        one, other = sums[pair & LOW_BITS], sums[pair >> SIXTEEN]  # both are on their way before one is stored
        sums[pair & LOW_BITS] = one + r
        sums[pair >> SIXTEEN] = other + r
        total += r
        j = u32(j + ONE)
    return total


@inlined
def show_ties(board, begin, end, reach, weights, sums, total, out, lanes):
    """Weaker minus stronger for a chunk of whole ties; returns the total after it."""
    h, after, before = begin, u32(U0), u32(U0)  # places in `out`
    while h < end:
        stop = u32(board.tie[h] >> SIXTEEN)
        j = h
        while j < stop:
            out[before] = rest(sums, total, board.pair[j])
            before, j = u32(before + lanes), u32(j + ONE)
        total = take_in(board, h, stop, reach, weights, sums, total)
        while h < stop:
            out[after] += rest(sums, total, board.pair[h])
            after, h = u32(after + lanes), u32(h + ONE)
    return total


@inlined
def show_long_tie(board, begin, end, reach, weights, sums, total, out, lanes, saved):
    """The same for a part of a long tie; the sums before it are saved when its first hand comes."""
    tie, old = u64(board.tie[begin]), board.free * lanes
    if (tie & LOW_BITS) == u64(begin):
        c = u32(U0)
        while c < old:
            saved[c] = sums[c]
            c = u32(c + lanes)
        saved[old] = total
        total = take_in(board, begin, u32(tie >> SIXTEEN), reach, weights, sums, total)
    earlier, j, to = saved[old], begin, u32(U0)
    while j < end:
        pair = board.pair[j]
        out[to] = rest(saved, earlier, pair) + rest(sums, total, pair)
        to, j = u32(to + lanes), u32(j + ONE)
    return total


@inlined
def show_chunk(crew, lines, board, head, which, begin, end, reach, buffer, room):
    """Weaker minus stronger for a chunk of hands and one sequence."""
    lanes, m, shows, lane = lines.lanes, board.free, lines.head[head + SHOWS], crew.lane
    s = u64(lines.lists[lines.head[head + LISTS] + U2 * lines.head[head + SEQUENCES] + which])
    weights = lines.weight[lines.head[head + WEIGHTS] + s * lines.rows * lanes + lane :]
    sums = room.fast[which * m * lanes + lane :]
    totals = (shows + lines.head[head + FOLDS]) * m * lanes
    out = room.fast[totals + (shows + (buffer * shows + which) * AT_ONCE) * lanes + lane :]
    total = totals + which * lanes + lane
    if is_long(u64(board.tie[begin])):
        saved = room.slow[room.slow_at + which * (m + U1) * lanes + lane :]
        room.fast[total] = show_long_tie(
            board, u32(begin), u32(end), reach, weights, sums, room.fast[total], out, u32(lanes), saved
        )
    else:
        room.fast[total] = show_ties(
            board, u32(begin), u32(end), reach, weights, sums, room.fast[total], out, u32(lanes)
        )


@inlined
def take_up(crew, i, lines, later, boards, b, board, head, j, shown, reach, below, room):
    """What hand j gets on board b by all lines of a group, from their endings up. shown: results of its showdowns."""
    lanes, lane, link, pair = lines.lanes, crew.lane, board.link[j], u64(board.pair[j])
    r, begin, end = reach[link & PLACE_BITS], lines.head[head + STEPS], lines.head[head + STEPS_END]
    weights = lines.weight[lines.head[head + WEIGHTS] + (link >> THIRTY_TWO) + lane :]
    one, other = room.fast[(pair & LOW_BITS) + lane :], room.fast[(pair >> SIXTEEN) + lane :]
    worths, steps, results = lines.worth[begin * lanes + lane :], lines.steps[begin * STEP_WORDS :], room.fast[shown:]
    value, x, aside = lines.zero, lines.zero, U0
    k, final, at = u32(U0), u32((end - begin) * STEP_WORDS), u32(U0)
    while k < final:
        what, place = steps[k], steps[u32(k + AT)]
        source, move = u64(what) & BYTE, u64(what) >> U8
        if source == SHOW:
            x = worths[at] * results[place]
        elif source == FOLD:  # all hands that share no card; the hand itself was taken off with both its cards
            x = worths[at] * (one[place] + other[place] + r * weights[steps[u32(k + WEIGHT)]])
        elif source == POP:
            x = value
            aside -= U1
            value = room.stack[aside]
        else:
            line = u64(lines.exits[begin * lanes + lane + at])
            after = hand_at(later, boards, b, i, line // lanes) + j * lanes + line % lanes
            room.stack[SPARE] = below[after]  # in the precision of the rest
            x = room.stack[SPARE]
        if move == LARGER:
            value = max(value, x)
        elif move == ADD:
            value += x
        else:
            room.stack[aside] = value
            aside += U1
            value = x
        k, at = u32(k + STEP_WORDS), u32(at + lanes)
    return value


@inlined
def answer_board(crew, i, lines, later, before, boards, b, g, arrived, below, values, room):
    """What a best response gets on board b by group g, added to `values`, which belong to the board before.

    later: the lines of the next street, and below what they are worth here; on the last street neither is looked at.
    """
    lane, lanes, n, t = crew.lane, lines.lanes, boards.hands, u64(boards.parent[b])
    head, board = HEAD * (U2 * g + i), seen_board(boards, b)
    reach, above = (
        arrived[hand_at(lines, before, t, U1 - i, g) + lane :],
        values[hand_at(lines, before, t, i, g) + lane :],
    )
    sum_by_card(crew, lines, board, head, reach, room)
    wait(crew)
    settle_sums(crew, lines, board, head, room)
    wait(crew)
    shows = lines.head[head + SHOWS]
    shown = (shows + lines.head[head + FOLDS]) * boards.free * lanes + shows * lanes + lane
    image, images = u64(boards.image[b]), u64(boards.image[b + U1])
    kept = room.slow[room.slow_at + room.values_at + lane :]
    begin = done = ready = buffer = U0
    while done < n:
        end, busy = begin, U0
        if begin < n:
            end, busy = chunk_end(board, begin, shows), shows
        item = first(crew)
        while item < busy + ready - done:
            if item < busy:
                show_chunk(crew, lines, board, head, item, begin, end, reach, buffer, room)
            else:
                j = done + item - busy
                mine = shown + ((U1 - buffer) * shows * AT_ONCE + j - done) * lanes
                value = take_up(crew, i, lines, later, boards, b, board, head, j, mine, reach, below, room)
                above[boards.up[image * n + j]] += value
                if image + U1 < images:
                    kept[j * lanes] = value
            item += step(crew)
        wait(crew)
        done, ready, begin, buffer = ready, end, end, U1 - buffer
    for other in range(image + U1, images):
        for j in range(first(crew), n, step(crew)):
            above[boards.up[other * n + j]] += kept[j * lanes]
        wait(crew)


@inlined
def answer_after(crew, i, lines, later, before, boards, t, g, reach, below, above, room):
    """The same for all boards that follow board t."""
    for b in range(u64(boards.follow[t]), u64(boards.follow[t + U1])):
        answer_board(crew, i, lines, later, before, boards, b, g, reach, below, above, room)
