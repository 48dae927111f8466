"""What all hands get at all endings of a segment: folds and showdowns of one board, sixteen at a time.

The arithmetic is that of `endings`: all reaches, less those of hands that share a card.
"""

from mccfr.kernel.columns import COLUMNS, add_rest, add_row, put_rest, take_rest
from mccfr.kernel.dispatch import inlined, outlined
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.street_layout import (
    CARDS,
    FIRST,
    FOLDS,
    HAND_WORDS,
    HIGH,
    LOW,
    NODE_WORDS,
    REACH_AT,
    SEGMENT_WORDS,
    SIGN,
    SLOT,
    STRIDE,
    TWIN,
    UPTO,
    VALUE_AT,
    WEAKER,
)


@inlined
def gather(lines, j, end, q, s, n, work):
    """The other player's reaches at up to sixteen endings, as columns."""
    here, stride = work.place[REACH_AT + U2 * s + q], work.place[STRIDE]
    for t in range(COLUMNS):
        if j + t < end:
            at = here + u64(lines.nodes[u64(lines.ends[j + t]) * NODE_WORDS + SLOT + q]) * stride
            for h in range(n):
                work.block[h * COLUMNS + t] = work.reach[at + h]
        else:
            for h in range(n):
                work.block[h * COLUMNS + t] = 0.0


@inlined
def scatter(lines, j, end, first, s, sign, n, work):
    """Columns back to vectors, times what the endings are worth."""
    here, stride = work.place[VALUE_AT + s], work.place[STRIDE]
    for t in range(COLUMNS):
        if j + t < end:
            m = u64(lines.ends[j + t])
            to, worth = here + (m - first) * stride, lines.worth[m] * sign
            for h in range(n):
                work.value[to + h] = worth * work.out[h * COLUMNS + t]


@inlined
def card_sums(boards, hand, word):
    """Where the sums of a hand's card begin."""
    return u64(boards.hands[hand * HAND_WORDS + word]) * COLUMNS


@inlined
def take_in(boards, hand, h, total, work):
    """Add a hand's reaches to the sums of all hands and of both its cards."""
    add_row(work.sums, total, work.block, h * COLUMNS)
    add_row(work.sums, card_sums(boards, hand, LOW), work.block, h * COLUMNS)
    add_row(work.sums, card_sums(boards, hand, HIGH), work.block, h * COLUMNS)


@inlined
def clear_sums(total, work):
    """Nothing has been taken in."""
    for x in range(total + COLUMNS):
        work.sums[x] = 0.0


@outlined
def folds_in_columns(boards, mine, theirs, n, others, work):
    """out = all reaches without those of hands that share a card."""
    total = work.place[CARDS] * COLUMNS
    clear_sums(total, work)
    for h in range(others):
        take_in(boards, theirs + h, h, total, work)
    for h in range(n):
        low, high = card_sums(boards, mine + h, LOW), card_sums(boards, mine + h, HIGH)
        put_rest(work.out, h * COLUMNS, work.sums, total, low, high)
        twin = u64(boards.hands[(mine + h) * HAND_WORDS + TWIN])
        if twin < others:  # taken off with both its cards
            add_row(work.out, h * COLUMNS, work.block, twin * COLUMNS)


@outlined
def shows_in_columns(boards, mine, theirs, n, others, work):
    """out = reaches of weaker hands minus those of stronger ones, hands that share a card left out.

    Sums grow along the order of strength. What a hand sees before those it ties with, plus what it sees after them,
    minus what is there in the end, is weaker minus stronger; the hand itself, a tie, cancels out.
    """
    total = work.place[CARDS] * COLUMNS
    clear_sums(total, work)
    h = met = U0
    while h < n:
        weaker = u64(boards.hands[(mine + h) * HAND_WORDS + WEAKER])
        upto = u64(boards.hands[(mine + h) * HAND_WORDS + UPTO])
        while met < weaker:
            take_in(boards, theirs + met, met, total, work)
            met += U1
        end = h
        while (
            end < n
            and u64(boards.hands[(mine + end) * HAND_WORDS + WEAKER]) == weaker
            and u64(boards.hands[(mine + end) * HAND_WORDS + UPTO]) == upto
        ):
            low, high = card_sums(boards, mine + end, LOW), card_sums(boards, mine + end, HIGH)
            put_rest(work.out, end * COLUMNS, work.sums, total, low, high)
            end += U1
        while met < upto:
            take_in(boards, theirs + met, met, total, work)
            met += U1
        for x in range(h, end):
            low, high = card_sums(boards, mine + x, LOW), card_sums(boards, mine + x, HIGH)
            add_rest(work.out, x * COLUMNS, work.sums, total, low, high)
        h = end
    while met < others:
        take_in(boards, theirs + met, met, total, work)
        met += U1
    for h in range(n):
        low, high = card_sums(boards, mine + h, LOW), card_sums(boards, mine + h, HIGH)
        take_rest(work.out, h * COLUMNS, work.sums, total, low, high)


@outlined
def endings(lines, boards, i, b, s, g, work):
    """What every own hand gets at all endings of a segment."""
    mine, theirs = u64(boards.start[U2 * b + i]), u64(boards.start[U2 * b + U1 - i])
    n = u64(boards.start[U2 * b + i + U1]) - mine
    others = u64(boards.start[U2 * b + U2 - i]) - theirs
    here, after = g * SEGMENT_WORDS, (g + U1) * SEGMENT_WORDS
    first = u64(lines.segments[here + FIRST])
    for kind in range(U2):
        j, end = u64(lines.segments[here + FOLDS + kind]), u64(lines.segments[after + FOLDS + kind])
        while j < end:
            gather(lines, j, end, U1 - i, s, others, work)
            if kind == U0:
                folds_in_columns(boards, mine, theirs, n, others, work)
                scatter(lines, j, end, first, s, work.scalar[SIGN + i], n, work)
            else:
                shows_in_columns(boards, mine, theirs, n, others, work)
                scatter(lines, j, end, first, s, work.scalar[SIGN], n, work)
            j += COLUMNS
