"""What every hand gets by a best response on a street: all boards that follow a board, one group of lines at a time.

The other player's reach of sequence s with hand j is r = come(j) weight(s, row of j). A best response needs of it

    at a fold       all hands that share no card:            T - C(low) - C(high) + r
    at a showdown   the weaker ones minus the stronger ones

where C(c) is the sum over hands with card c and T over all. For showdowns sums grow along the order of strength, as in
`street_endings`: what a hand sees before those it ties with, plus what it sees after them, minus what is there in the
end. Sums begin at minus half of what they will come to, so that nothing is left to take off in the end. [Johanson et
al. 2011]

Hands are done in chunks: while the showdowns of a chunk are computed, sequence by sequence, the hands of the chunk
before are taken up the betting tree, hand by hand. So only sums and two chunks need fast memory.
"""

from mccfr.kernel.board_hands import LOW_BITS, SIXTEEN
from mccfr.kernel.crews import first, step, wait
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.layout import U0, U1, U2, U3, u64
from mccfr.kernel.reach_down import hand_at
from mccfr.kernel.response_layout import (
    ADD,
    BEGIN,
    CHUNK,
    DEEPEST,
    FOLD,
    FOLDS,
    HEAD,
    INDEX,
    LARGER,
    LISTS,
    MOVE,
    NOWHERE,
    POP,
    SEQUENCES,
    SHOW,
    SHOWS,
    SOURCE,
    STEP_WORDS,
    STEPS,
    STEPS_END,
    WEIGHTS,
)

FOUR = u64(4)
AT_ONCE = u64(CHUNK)
SPARE = u64(DEEPEST)


@inlined
def add_hands(boards, lines, b, c, come, reach, s0, s1, s2, s3, weights, zero):
    """C(c) of four sequences: the reaches of all hands with a card, added up."""
    lanes, n, each = lines.lanes, boards.hands, boards.free - U1
    x0 = x1 = x2 = x3 = zero
    at = (b * boards.free + c) * each
    for k in range(each):
        hand = b * n + u64(boards.with_card[at + k])
        r = reach[come + u64(boards.place[hand]) * lanes]
        w = weights + u64(boards.row[hand]) * lanes
        x0 += r * lines.weight[w + s0]
        x1 += r * lines.weight[w + s1]
        x2 += r * lines.weight[w + s2]
        x3 += r * lines.weight[w + s3]
    return x0, x1, x2, x3


@inlined
def put_sum(lines, boards, head, s, c, lane, value, room):
    """Store C(c) of a sequence where showdowns and folds look for it."""
    lists, sequences, m = lines.lists, lines.head[head + SEQUENCES], boards.free
    at = lines.head[head + LISTS] + s
    show, fold = u64(lists[at]), u64(lists[at + sequences])
    if show != NOWHERE:
        room.fast[(show * m + c) * lines.lanes + lane] = value
    if fold != NOWHERE:
        room.fast[((lines.head[head + SHOWS] + fold) * m + c) * lines.lanes + lane] = value


@inlined
def sum_by_card(crew, lines, boards, b, head, come, reach, room):
    """C of all sequences, four at a time, so that hands are looked up less often."""
    lanes, sequences, lane = lines.lanes, lines.head[head + SEQUENCES], crew.lane
    size, weights = lines.rows * lanes, lines.head[head + WEIGHTS] + lane
    final = sequences - U1
    for item in range(first(crew), (sequences + U3) // FOUR * boards.free, step(crew)):
        s, c = item // boards.free * FOUR, item % boards.free
        one, two, three = min(s + U1, final), min(s + U2, final), min(s + U3, final)
        x0, x1, x2, x3 = add_hands(
            boards, lines, b, c, come, reach, s * size, one * size, two * size, three * size, weights, lines.zero
        )
        put_sum(lines, boards, head, s, c, lane, x0, room)
        put_sum(lines, boards, head, one, c, lane, x1, room)
        put_sum(lines, boards, head, two, c, lane, x2, room)
        put_sum(lines, boards, head, three, c, lane, x3, room)


@inlined
def settle_sums(crew, lines, boards, head, room):
    """Of showdowns minus half of all sums, total included; of folds T / 2 - C, so that two of them are T - C - C."""
    lanes, m, shows = lines.lanes, boards.free, lines.head[head + SHOWS]
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
def chunk_end(boards, b, begin, shows):
    """Where the chunk ends that begins there: a few whole ties, or a part of a long one."""
    n, tie = boards.hands, u64(boards.tie[b * boards.hands + begin])
    if shows == U0:
        return n
    if is_long(tie):
        return min(tie >> SIXTEEN, begin + AT_ONCE)
    end = begin
    while end < n and (u64(boards.tie[b * n + end]) >> SIXTEEN) <= begin + AT_ONCE:
        end = u64(boards.tie[b * n + end]) >> SIXTEEN
    return end


@inlined
def rest(sums, at, total, lanes, pair):
    """What is there without the hands that share a card; `pair`: the cards of a hand."""
    return total - sums[at + (pair & LOW_BITS) * lanes] - sums[at + (pair >> SIXTEEN) * lanes]


@inlined
def take_in(lines, boards, b, begin, end, come, reach, weights, at, total, room):
    """Add the reaches of some hands to the sums of their cards; returns the total."""
    lanes = lines.lanes
    for j in range(begin, end):
        hand = b * boards.hands + j
        r = reach[come + u64(boards.place[hand]) * lanes] * lines.weight[weights + u64(boards.row[hand]) * lanes]
        pair = u64(boards.pair[hand])
        room.fast[at + (pair & LOW_BITS) * lanes] += r
        room.fast[at + (pair >> SIXTEEN) * lanes] += r
        total += r
    return total


@inlined
def show_ties(lines, boards, b, begin, end, come, reach, weights, at, total, out, room):
    """Weaker minus stronger for a chunk of whole ties; returns the total after it."""
    lanes, n, h = lines.lanes, boards.hands, begin
    while h < end:
        stop = u64(boards.tie[b * n + h]) >> SIXTEEN
        for j in range(h, stop):
            room.fast[out + (j - begin) * lanes] = rest(room.fast, at, total, lanes, u64(boards.pair[b * n + j]))
        total = take_in(lines, boards, b, h, stop, come, reach, weights, at, total, room)
        for j in range(h, stop):
            room.fast[out + (j - begin) * lanes] += rest(room.fast, at, total, lanes, u64(boards.pair[b * n + j]))
        h = stop
    return total


@inlined
def show_long_tie(lines, boards, b, begin, end, come, reach, weights, at, saved, total, out, room):
    """The same for a part of a long tie; the sums before it are saved when its first hand comes."""
    lanes, n, tie = lines.lanes, boards.hands, u64(boards.tie[b * boards.hands + begin])
    old = saved + boards.free * lanes
    if (tie & LOW_BITS) == begin:
        for c in range(boards.free):
            room.slow[saved + c * lanes] = room.fast[at + c * lanes]
        room.slow[old] = total
        total = take_in(lines, boards, b, begin, tie >> SIXTEEN, come, reach, weights, at, total, room)
    earlier = room.slow[old]
    for j in range(begin, end):
        pair = u64(boards.pair[b * n + j])
        room.fast[out + (j - begin) * lanes] = rest(room.slow, saved, earlier, lanes, pair) + rest(
            room.fast, at, total, lanes, pair
        )
    return total


@inlined
def show_chunk(crew, lines, boards, b, head, which, begin, end, come, reach, buffer, room):
    """Weaker minus stronger for a chunk of hands and one sequence."""
    lanes, m, shows = lines.lanes, boards.free, lines.head[head + SHOWS]
    sequences = lines.head[head + SEQUENCES]
    s = u64(lines.lists[lines.head[head + LISTS] + U2 * sequences + which])
    weights = lines.head[head + WEIGHTS] + s * lines.rows * lanes + crew.lane
    at = which * m * lanes + crew.lane
    totals = (shows + lines.head[head + FOLDS]) * m * lanes
    total = totals + which * lanes + crew.lane
    out = totals + (shows + (buffer * shows + which) * AT_ONCE) * lanes + crew.lane
    if is_long(u64(boards.tie[b * boards.hands + begin])):
        saved = room.slow_at + which * (m + U1) * lanes + crew.lane
        room.fast[total] = show_long_tie(
            lines, boards, b, begin, end, come, reach, weights, at, saved, room.fast[total], out, room
        )
    else:
        room.fast[total] = show_ties(
            lines, boards, b, begin, end, come, reach, weights, at, room.fast[total], out, room
        )


@inlined
def fold_value(lines, boards, head, which, pair, r, row, lane, room):
    """All hands of the other player that share no card with this one; r: how likely it has this very hand."""
    lanes, lists = lines.lanes, lines.head[head + LISTS]
    shows, sequences = lines.head[head + SHOWS], lines.head[head + SEQUENCES]
    s = u64(lines.lists[lists + U2 * sequences + shows + which])
    at = (shows + which) * boards.free * lanes + lane
    twin = r * lines.weight[lines.head[head + WEIGHTS] + (s * lines.rows + row) * lanes + lane]
    return room.fast[at + (pair & LOW_BITS) * lanes] + room.fast[at + (pair >> SIXTEEN) * lanes] + twin


@inlined
def take_up(crew, i, lines, later, boards, b, head, j, shown, come, reach, below, room):
    """What hand j gets on board b by all lines of a group, from their endings up. shown: results of its showdowns."""
    lanes, lane, hand = lines.lanes, crew.lane, b * boards.hands + j
    pair, row = u64(boards.pair[hand]), u64(boards.row[hand])
    r = reach[come + u64(boards.place[hand]) * lanes]
    value, x, aside = lines.zero, lines.zero, U0
    for k in range(lines.head[head + STEPS], lines.head[head + STEPS_END]):
        move, source = u64(lines.steps[k * STEP_WORDS + MOVE]), u64(lines.steps[k * STEP_WORDS + SOURCE])
        which = u64(lines.steps[k * STEP_WORDS + INDEX])
        if source == SHOW:
            x = lines.worth[k * lanes + lane] * room.fast[shown + which * AT_ONCE * lanes]
        elif source == FOLD:
            x = lines.worth[k * lanes + lane] * fold_value(lines, boards, head, which, pair, r, row, lane, room)
        elif source == POP:
            x = value
            aside -= U1
            value = room.stack[aside]
        else:
            line = u64(lines.exits[k * lanes + lane])
            at = hand_at(later, boards, b, i, line // lanes) + j * lanes + line % lanes
            room.stack[SPARE] = below[at]  # in the precision of the rest
            x = room.stack[SPARE]
        if move == LARGER:
            value = max(value, x)
        elif move == ADD:
            value += x
        else:
            room.stack[aside] = value
            aside += U1
            value = x
    return value


@inlined
def pass_on(crew, lines, boards, b, image, above, target, room):
    """Add the values of all hands to those of the board before, through an image."""
    lanes, n = lines.lanes, boards.hands
    kept = room.slow_at + room.values_at + crew.lane
    for j in range(first(crew), n, step(crew)):
        above[target + u64(boards.up[image * n + j]) * lanes] += room.slow[kept + j * lanes]


@inlined
def answer_board(crew, i, lines, later, before, boards, b, g, reach, below, above, room):
    """What a best response gets on board b by group g, added to `above`, which belongs to the board before.

    later: the lines of the next street, and below what they are worth here; on the last street neither is looked at.
    """
    lane, lanes, n, t = crew.lane, lines.lanes, boards.hands, u64(boards.parent[b])
    head = HEAD * (U2 * g + i)
    come, target = hand_at(lines, before, t, U1 - i, g) + lane, hand_at(lines, before, t, i, g) + lane
    sum_by_card(crew, lines, boards, b, head, come, reach, room)
    wait(crew)
    settle_sums(crew, lines, boards, head, room)
    wait(crew)
    shows = lines.head[head + SHOWS]
    shown = (shows + lines.head[head + FOLDS]) * boards.free * lanes + shows * lanes + lane
    image, images = u64(boards.image[b]), u64(boards.image[b + U1])
    kept = room.slow_at + room.values_at + lane
    begin = done = ready = buffer = U0
    while done < n:
        end, busy = begin, U0
        if begin < n:
            end, busy = chunk_end(boards, b, begin, shows), shows
        for item in range(first(crew), busy + ready - done, step(crew)):
            if item < busy:
                show_chunk(crew, lines, boards, b, head, item, begin, end, come, reach, buffer, room)
            else:
                j = done + item - busy
                mine = shown + ((U1 - buffer) * shows * AT_ONCE + j - done) * lanes
                value = take_up(crew, i, lines, later, boards, b, head, j, mine, come, reach, below, room)
                above[target + u64(boards.up[image * n + j]) * lanes] += value
                if image + U1 < images:
                    room.slow[kept + j * lanes] = value
        wait(crew)
        done, ready, begin, buffer = ready, end, end, U1 - buffer
    for other in range(image + U1, images):
        pass_on(crew, lines, boards, b, other, above, target, room)
        wait(crew)


@inlined
def answer_after(crew, i, lines, later, before, boards, t, g, reach, below, above, room):
    """The same for all boards that follow board t."""
    for b in range(u64(boards.follow[t]), u64(boards.follow[t + U1])):
        answer_board(crew, i, lines, later, before, boards, b, g, reach, below, above, room)
