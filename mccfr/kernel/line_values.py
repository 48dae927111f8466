"""What every hand gets by a best response on a street: all boards that follow a board, one group of lines at a time.

The other player's reach of sequence s with hand j is r = come(j) weight(s, row of j). A best response needs of it

    at a fold       all hands that share no card:            T - C(low) - C(high) + r
    at a showdown   the weaker ones minus the stronger ones

where C(c) is the sum over hands with card c and T over all. For showdowns sums grow along the order of strength, as in
`street_endings`: what a hand sees before those it ties with, plus what it sees after them, minus what is there in the
end [Johanson et al. 2011]. Here the three are one number. Sums begin at -C, and every hand is added twice, once before
the hands of its tie are looked at and once after: in between, of weaker hands both parts are there, of hands that tie
one, and of stronger ones none. So ties of any length cost no memory.

Hands are done in chunks: while the showdowns of a chunk are computed, two sequences at a time, the hands of the chunk
before are taken up the betting tree, four at a time. So only sums and two chunks need fast memory. On a GPU most of the
time would be spent waiting for weights, which are far away: they are asked for in dozens before the first is used.
"""

from mccfr.kernel.crews import begin_here, first, step, wait
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.hands_up import take_up_item
from mccfr.kernel.layout import U0, U1, U2, U3, u64
from mccfr.kernel.line_parts import AT_ONCE, FOUR, HIGH, LOW, N0, N1, N2, N3, N4, places, seen_board, seen_group, u32
from mccfr.kernel.reach_down import hand_at
from mccfr.kernel.response_layout import (
    NOWHERE,
)

# ---- sums by card


@inlined
def come(link, lane, reach, there, zero):
    """The reach of a hand, and where its weights are; no reach if it is not there."""
    at, row = places(link, lane)
    return (reach[at] if there else zero), row


@inlined
def add_hands(group, links, begin, end, reach, s0, s1, s2, s3):
    """C(c) of four sequences whose weights begin at s0 to s3: the reaches of all hands with a card, added up."""
    x0 = x1 = x2 = x3 = zero = group.zero
    k, last, weights = begin, u32(end - N1), group.weights
    lane = u32(group.lane)
    while k < end:  # four hands at a time
        l1, l2, l3 = min(u32(k + N1), last), min(u32(k + N2), last), min(u32(k + N3), last)
        ra, a = come(links[k], lane, reach, True, zero)
        rb, b = come(links[l1], lane, reach, k + N1 <= last, zero)
        rc, c = come(links[l2], lane, reach, k + N2 <= last, zero)
        rd, d = come(links[l3], lane, reach, k + N3 <= last, zero)
        x0 += (
            ra * weights[u32(a + s0)]
            + rb * weights[u32(b + s0)]
            + rc * weights[u32(c + s0)]
            + rd * weights[u32(d + s0)]
        )
        x1 += (
            ra * weights[u32(a + s1)]
            + rb * weights[u32(b + s1)]
            + rc * weights[u32(c + s1)]
            + rd * weights[u32(d + s1)]
        )
        x2 += (
            ra * weights[u32(a + s2)]
            + rb * weights[u32(b + s2)]
            + rc * weights[u32(c + s2)]
            + rd * weights[u32(d + s2)]
        )
        x3 += (
            ra * weights[u32(a + s3)]
            + rb * weights[u32(b + s3)]
            + rc * weights[u32(c + s3)]
            + rd * weights[u32(d + s3)]
        )
        k = u32(k + N4)
    return x0, x1, x2, x3


@inlined
def put_sum(group, board, s, c, value, room):
    """Store C(c) of a sequence where showdowns and folds look for it."""
    show, fold = u64(group.lists[s]), u64(group.lists[s + group.sequences])
    if show != NOWHERE:
        room.fast[(show * board.free + c) * group.lanes + group.lane] = value
    if fold != NOWHERE:
        room.fast[((group.shows + fold) * board.free + c) * group.lanes + group.lane] = value


@inlined
def sum_by_card(crew, group, board, reach, room):
    """C of all sequences, four at a time, so that hands are looked up less often."""
    each, size, final = board.free - U1, group.rows, max(group.sequences, U1) - U1
    for item in range(first(crew), (group.sequences + U3) // FOUR * board.free, step(crew)):
        s, c = item // board.free * FOUR, item % board.free
        one, two, three = min(s + U1, final), min(s + U2, final), min(s + U3, final)
        begin, end = u32(c * each), u32(c * each + each)
        s0, s1, s2, s3 = u32(s * size), u32(one * size), u32(two * size), u32(three * size)
        x0, x1, x2, x3 = add_hands(group, board.card_link, begin, end, reach, s0, s1, s2, s3)
        put_sum(group, board, s, c, x0, room)
        put_sum(group, board, one, c, x1, room)
        put_sum(group, board, two, c, x2, room)
        put_sum(group, board, three, c, x3, room)


@inlined
def settle_sums(crew, group, board, half, room):
    """Of showdowns minus all sums, total included; of folds T / 2 - C, so that two of them are T - C - C."""
    lanes, m, shows = group.lanes, board.free, group.shows
    totals = (shows + group.folds) * m * lanes
    for which in range(first(crew), shows + group.folds, step(crew)):
        at, total = which * m * lanes + group.lane, group.zero
        for c in range(m):
            total += room.fast[at + c * lanes]
        total *= half  # every hand has two cards
        if which < shows:
            room.fast[totals + which * lanes + group.lane] = -total
        for c in range(m):
            x = room.fast[at + c * lanes]
            room.fast[at + c * lanes] = -x if which < shows else half * total - x


# ---- showdowns


@inlined
def ask(board, j, end, lane, reach, first_weights, second_weights):
    """What adding hand j to two sequences will need: its reach, its weights, and its cards. It stays as it is loaded,
    since whoever does anything with it has to wait for it; after the end the last hand stands for all others."""
    at = min(j, u32(end - N1))
    place, row = places(board.link[at], lane)
    return reach[place], first_weights[row], second_weights[row], board.pair[at]


@inlined
def add_hand(group, fast, first_sums, second_sums, there, hand):
    """Add a hand, if it is there, to the sums of its cards, of two sequences; returns what was added."""
    r, one, two, pair = hand
    r = r if there else group.zero
    low, high = u32(pair & LOW), u32(pair >> HIGH)
    a, b = u32(first_sums + low), u32(first_sums + high)
    c, d = u32(second_sums + low), u32(second_sums + high)
    xa, xb, yc, yd = fast[a], fast[b], fast[c], fast[d]  # all are on their way before one is stored
    fast[a] = xa + r * one
    fast[b] = xb + r * one
    fast[c] = yc + r * two
    fast[d] = yd + r * two
    return r * one, r * two


@inlined
def take_in(group, board, j, end, reach, weights, others, fast, sums, second, x, y):
    """Add some hands to the sums of their cards and to the totals x and y of two sequences, which are returned.

    Four hands at a time; the next four are asked for before these are added.
    """
    lane = u32(group.lane)
    a = ask(board, j, end, lane, reach, weights, others)
    b = ask(board, u32(j + N1), end, lane, reach, weights, others)
    c = ask(board, u32(j + N2), end, lane, reach, weights, others)
    d = ask(board, u32(j + N3), end, lane, reach, weights, others)
    while j < end:
        a_now, b_now, c_now, d_now, after = a, b, c, d, u32(j + N4)
        if after < end:
            a = ask(board, after, end, lane, reach, weights, others)
            b = ask(board, u32(after + N1), end, lane, reach, weights, others)
            c = ask(board, u32(after + N2), end, lane, reach, weights, others)
            d = ask(board, u32(after + N3), end, lane, reach, weights, others)
        x0, y0 = add_hand(group, fast, sums, second, True, a_now)
        x1, y1 = add_hand(group, fast, sums, second, u32(j + N1) < end, b_now)
        x2, y2 = add_hand(group, fast, sums, second, u32(j + N2) < end, c_now)
        x3, y3 = add_hand(group, fast, sums, second, u32(j + N3) < end, d_now)
        x += (x0 + x1) + (x2 + x3)
        y += (y0 + y1) + (y2 + y3)
        j = after
    return x, y


@inlined
def rest(fast, sums, total, pair):
    """What is there without the hands that share a card; `pair`: the cards of a hand."""
    return total - fast[u32(sums + u32(pair & LOW))] - fast[u32(sums + u32(pair >> HIGH))]


@inlined
def put_results(board, j, end, fast, sums, second, x, y, out, further, lanes):
    """Weaker minus stronger for hands of one tie and two sequences, from `out` on; two hands at a time."""
    while j < end:
        after = min(u32(j + N1), u32(end - N1))
        one, two = board.pair[j], board.pair[after]
        x_one, x_two = rest(fast, sums, x, one), rest(fast, sums, x, two)  # nothing is stored in between
        y_one, y_two = rest(fast, second, y, one), rest(fast, second, y, two)
        fast[out] = x_one
        fast[u32(out + further)] = y_one
        if after > j:
            fast[u32(out + lanes)] = x_two
            fast[u32(u32(out + lanes) + further)] = y_two
        out, j = u32(out + u32(lanes + lanes)), u32(j + N2)


@inlined
def show_chunk(crew, group, board, which, begin, end, reach, buffer, room):
    """Weaker minus stronger for a chunk of hands and two sequences."""
    lanes, lane, shows, m, fast = group.lanes, group.lane, group.shows, board.free, room.fast
    other, totals = which + shows // U2, (shows + group.folds) * m * lanes + lane
    s, s_other = group.lists[U2 * group.sequences + which], group.lists[U2 * group.sequences + other]
    weights, others = begin_here(crew, group.weights[u32(s * group.rows) :], group.weights[u32(s_other * group.rows) :])
    sums, second = u32(which * m * lanes + lane), u32(other * m * lanes + lane)
    out = u32(totals + (shows + (buffer * shows + which) * AT_ONCE) * lanes)
    further = u32(shows // U2 * AT_ONCE * lanes)  # from the results of one to those of the other
    x, y = fast[totals + which * lanes], fast[totals + other * lanes]
    j, until = u32(begin), u32(end)
    while j < until:
        tie = board.tie[j]
        stop = u32(tie >> HIGH)
        if u32(tie & LOW) == j:  # the tie before for the second time, this one for the first
            since = u32(board.tie[j - N1] & LOW) if j > N0 else j
            x, y = take_in(group, board, since, stop, reach, weights, others, fast, sums, second, x, y)
        stop = min(stop, until)
        put_results(board, j, stop, fast, sums, second, x, y, out, further, u32(lanes))
        out, j = u32(out + u32(stop - j) * u32(lanes)), stop
    fast[totals + which * lanes] = x
    fast[totals + other * lanes] = y


# ---- boards


@inlined
def answer_board(crew, i, lines, group, later, before, boards, b, g, arrived, below, values, room):
    """What a best response gets on board b by group g, added to `values`, which belong to the board before.

    later: the lines of the next street, and below what they are worth here; on the last street neither is looked at.
    """
    lane, lanes, n, t = crew.lane, lines.lanes, boards.hands, u64(boards.parent[b])
    board = seen_board(crew, boards, b)
    reach, above = begin_here(
        crew,
        arrived[hand_at(lines, before, t, U1 - i, g) :],
        values[hand_at(lines, before, t, i, g) + lane :],
    )
    sum_by_card(crew, group, board, reach, room)
    wait(crew)
    settle_sums(crew, group, board, lines.half, room)
    wait(crew)
    answer_chunks(crew, i, group, later, boards, b, board, reach, below, above, room)
    image, images = u64(boards.image[b]), u64(boards.image[b + U1])
    kept = room.slow[room.slow_at + lane :]
    for other in range(image + U1, images):
        for j in range(first(crew), n, step(crew)):
            above[boards.up[other * n + j]] += kept[j * lanes]
        wait(crew)


@inlined
def answer_chunks(crew, i, group, later, boards, b, board, reach, below, above, room):
    """All hands of a board: chunk by chunk, showdowns first, and one chunk later up."""
    n, lanes, shows = board.hands, group.lanes, group.shows
    shown = (shows + group.folds) * board.free * lanes + shows * lanes + group.lane
    pairs = shows // U2
    most = AT_ONCE if shows > U0 else n
    begin = done = ready = buffer = U0
    while done < n:
        end, busy = min(begin + most, n), U0
        if begin < n:
            busy = (pairs + U1) // U2 * U2  # even: two workers can be in one warp, and should do the same
        results = shown + (U1 - buffer) * shows * AT_ONCE * lanes
        item = first(crew)
        while item < busy + (ready - done + U3) // FOUR:
            if item >= busy:
                take_up_item(
                    i, group, later, boards, b, board, item - busy, done, ready, results, reach, below, above, room
                )
            elif item < pairs:
                show_chunk(crew, group, board, item, begin, end, reach, buffer, room)
            item += step(crew)
        wait(crew)
        done, ready, begin, buffer = ready, end, end, U1 - buffer


@inlined
def answer_after(crew, i, lines, later, before, boards, t, g, reach, below, above, room):
    """The same for all boards that follow board t."""
    group = seen_group(crew, lines, g, i)
    for b in range(u64(boards.follow[t]), u64(boards.follow[t + U1])):
        answer_board(crew, i, lines, group, later, before, boards, b, g, reach, below, above, room)
