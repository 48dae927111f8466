"""How many hands a hand beats, as whole numbers, over all boards that can follow: the loops behind `mccfr.buckets`.

On a whole board a hand's score is 2 wins + ties against all hands that share no card with it or the board. Hands are
taken in order of strength, as in `mccfr.kernel.hand_values`; what differs here is that every hand counts once, so a
score is the number of live hands below plus the number of those not above, each less those with a card of one's own.
"""

from typing import Any, NamedTuple

from mccfr.kernel.bucket_rows import CARDS, hand_number, see_all
from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.hand_values import end_of_equals, order_live
from mccfr.kernel.layout import U0, U1, U2, u64


class ScoreRoom(NamedTuple):
    """What the loops write into while they work."""

    order: Any  # Room of `mccfr.kernel.hand_values`
    passed: Any  # int64[cards] by card, how many of the hands that were passed have it
    score: Any  # int64[hands]
    sums: Any  # uint64[hands]
    rows: Any  # int64[hands] -1 if a hand shares a card with the board
    held: Any  # uint64[HELD] cards to be looked up


@inlined
def add_passed(hands, room, first, end):
    """Count the cards of the hands in a span of the order."""
    for j in range(first, end):
        h = u64(room.order.order[j])
        room.passed[hands.low[h]] += 1
        room.passed[hands.high[h]] += 1


@inlined
def score_hands(hands, board, row, room):
    """score[h]: 2 wins + ties of every hand that a whole board leaves; returns how many it leaves, in room.order."""
    live, first = order_live(hands, board, row, room.order), U0
    room.passed[:] = 0
    while first < live:
        end = end_of_equals(room.order, first, live)
        for j in range(first, end):
            h = u64(room.order.order[j])
            room.score[h] = first - room.passed[hands.low[h]] - room.passed[hands.high[h]]
        add_passed(hands, room, first, end)
        for j in range(first, end):  # the hand itself has been passed once, and is taken out twice
            h = u64(room.order.order[j])
            room.score[h] += end - room.passed[hands.low[h]] - room.passed[hands.high[h]] + U1
        first = end
    return live


@inlined
def add_scores(hands, boards, times, squared, room):
    """sums[h] += the scores, or their squares, of all hands on boards that are counted so many times."""
    for row in range(u64(boards.shape[0])):
        live = score_hands(hands, boards, row, room)
        for j in range(live):
            h = u64(room.order.order[j])
            score = u64(room.score[h])
            room.sums[h] += times[row] * (score * score if squared else score)


@entry
def sum_scores(hands, boards, times, squared, room):
    """sums[h] += what boards, each counted so many times, add to the value of every hand."""
    add_scores(hands, boards, times, squared, room)


@inlined
def is_live(hands, board, size, h):
    """Whether a hand has none of the first cards of a board."""
    for c in range(size):  # noqa: SIM110, all() does not compile
        if board[c] == hands.low[h] or board[c] == hands.high[h]:
            return False
    return True


@inlined
def hold(hands, h, board, size, held):
    """Lay a hand and the first cards of a board where the index reads them."""
    held[CARDS] = hands.low[h]
    held[CARDS + U1] = hands.high[h]
    for c in range(size):
        held[CARDS + U2 + c] = board[c]


@entry
def fill_values(hands, boards, size, times, squared, index, room, table):
    """table[number of hand and board]: values on boards of `size` cards; boards[k]: all whole boards after one."""
    for k in range(u64(boards.shape[0])):
        room.sums[:] = 0
        add_scores(hands, boards[k], times, squared, room)
        for h in range(u64(hands.low.shape[0])):
            if is_live(hands, boards[k, U0], size, h):
                hold(hands, h, boards[k, U0], size, room.held)
                table[hand_number(index, room.held, U0)] = room.sums[h]


@inlined
def value_on(look, street, held):
    """The value of the cards that are held, on a street after the first."""
    if street == U1:
        return u64(look.value[1][hand_number(look.numbering[1], held, U0)])
    if street == U2:
        return u64(look.value[2][hand_number(look.numbering[2], held, U0)])
    return u64(look.value[3][hand_number(look.numbering[3], held, U0)])


@entry
def count_values(look, street, hands, boards, times, shift, room, counts):
    """counts[row before, value >> shift]: how many hands on boards of a street, in the order dealt, have each value."""
    size = u64(boards.shape[1])
    for k in range(u64(boards.shape[0])):
        for h in range(u64(hands.low.shape[0])):
            if is_live(hands, boards[k], size, h):
                hold(hands, h, boards[k], size, room.held)
                see_all(look, street, room.held, U0)
                counts[room.held[street - U1], value_on(look, street, room.held) >> shift] += times[k]


@inlined
def fill_rows(look, street, hands, board, size, room):
    """rows[h]: the row of every hand on the street before."""
    for h in range(u64(hands.low.shape[0])):
        if is_live(hands, board, size, h):
            hold(hands, h, board, size, room.held)
            see_all(look, street, room.held, U0)
            room.rows[h] = room.held[street - U1]


@entry
def count_scores(look, street, hands, boards, size, times, shift, room, counts):
    """The same on the last street, whose values are scores. boards[k]: whole boards that share their first cards."""
    for k in range(u64(boards.shape[0])):
        fill_rows(look, street, hands, boards[k, U0], size, room)
        for row in range(u64(boards.shape[1])):
            live = score_hands(hands, boards[k], row, room)
            for j in range(live):
                h = u64(room.order.order[j])
                counts[room.rows[h], u64(room.score[h]) >> shift] += times[k, row]
