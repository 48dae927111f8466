"""What all hands get at all endings of a segment: folds and showdowns of one board, sixteen at a time.

The arithmetic is that of `endings`: all reaches, less those of hands that share a card.
"""

from mccfr.kernel.columns import COLUMNS, add_rest, add_row, put_rest, subtract_row
from mccfr.kernel.dispatch import inlined, outlined
from mccfr.kernel.layout import U0, U1, U2, u64


@outlined
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


@outlined
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


@outlined
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


@outlined
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


@outlined
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
