"""Hands of a board in order of strength, and what each is worth against a range: the loops behind `mccfr.cards`.

Strengths have 13 bits, so two passes of a radix sort order them. In that order a hand beats those before its equals,
less those that share a card with it: sums by card, kept while going through, take these out, so a board costs time
proportional to its hands and not to their pairs. [Johanson et al. 2011: Accelerating Best Response Calculation in Large
Extensive Games] What differs here: weights are those of a range, and ties are counted apart. Weights must be such that
their sums have no rounding (`mccfr.cards.hand_value` sees to that): what is taken out leaves 0 where nothing is left.
"""

from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.hand_strengths import NO_CARDS, look_up

u64 = np.uint64
U0, U1 = u64(0), u64(1)
LOW_BITS, LOW_MASK = u64(7), u64(127)
LOW_DIGITS, HIGH_DIGITS = u64(128), u64(64)  # 7462 strengths: below 2^13
DIGITS = 192


class Hands(NamedTuple):
    """The hands that take part, and the words by which `look_up` finds strengths."""

    table: Any  # uint32[...] for as many cards as a hand and its board have
    word: Any  # uint64[cards]
    bit: Any  # uint64[cards]
    low: Any  # uint8[hands] one card of each hand
    high: Any  # uint8[hands] the other


class Room(NamedTuple):
    """What the loops write into while they work."""

    strength: Any  # int16[hands] -1 if a hand shares a card with the board
    order: Any  # uint16[hands] the hands that remain, the weakest first
    half: Any  # uint16[hands] ordered by the lower digit
    digits: Any  # uint32[DIGITS] how many strengths have each digit, then where those begin
    below: Any  # float64[cards] weight of weaker hands by card
    equal: Any  # float64[cards] weight of equally strong hands by card
    live: Any  # float64[cards] weight of all hands by card


class Sums(NamedTuple):
    """What is added up for every hand against every range, over boards."""

    win: Any  # float64[ranges, hands] weight of the hands it beats
    tie: Any  # float64[ranges, hands] weight of the hands it splits with
    all: Any  # float64[ranges, hands] weight of the hands that can be dealt beside it
    squared: Any  # float64[ranges, hands] weight of those hands times the square of its hand strength


@inlined
def rank_live(hands, board, row, room):
    """strength[h] for every hand, how many have each digit; returns how many hands the board leaves."""
    total, bits, live = NO_CARDS, U0, U0
    for k in range(u64(board.shape[1])):
        total += hands.word[board[row, k]]
        bits |= hands.bit[board[row, k]]
    for d in range(u64(DIGITS)):
        room.digits[d] = 0
    for h in range(u64(hands.low.shape[0])):
        low, high = hands.low[h], hands.high[h]
        held = hands.bit[low] | hands.bit[high]
        if bits & held:
            room.strength[h] = -1
            continue
        found = look_up(hands.table, total + hands.word[low] + hands.word[high], bits | held)
        room.strength[h] = found
        room.digits[u64(found) & LOW_MASK] += 1
        room.digits[LOW_DIGITS + (u64(found) >> LOW_BITS)] += 1
        live += U1
    return live


@inlined
def begin_digits(digits, first, count):
    """From how many there are to where each begins."""
    begin = U0
    for d in range(first, first + count):
        here = u64(digits[d])
        digits[d] = begin
        begin += here


@inlined
def order_live(hands, board, row, room):
    """order[0:live]: the hands that a board leaves, the weakest first, equals by number; returns how many."""
    live = rank_live(hands, board, row, room)
    begin_digits(room.digits, U0, LOW_DIGITS)
    begin_digits(room.digits, LOW_DIGITS, HIGH_DIGITS)
    for h in range(u64(hands.low.shape[0])):
        if room.strength[h] >= 0:
            digit = u64(room.strength[h]) & LOW_MASK
            room.half[u64(room.digits[digit])] = h
            room.digits[digit] += 1
    for j in range(live):
        h = u64(room.half[j])
        digit = LOW_DIGITS + (u64(room.strength[h]) >> LOW_BITS)
        room.order[u64(room.digits[digit])] = h
        room.digits[digit] += 1
    return live


@entry
def order_hands(hands, boards, room):
    """Strengths and order of the hands on each board in turn; those of the last board remain. How many it leaves."""
    live = U0
    for row in range(u64(boards.shape[0])):
        live = order_live(hands, boards, row, room)
    return live


@inlined
def sum_live(hands, weights, side, room, live):
    """live[c]: weight of the hands with card c; returns that of all."""
    total = 0.0
    room.live[:] = 0.0
    room.below[:] = 0.0
    room.equal[:] = 0.0
    for j in range(live):
        h = u64(room.order[j])
        weight = weights[side, h]
        room.live[hands.low[h]] += weight
        room.live[hands.high[h]] += weight
        total += weight
    return total


@inlined
def end_of_equals(room, first, live):
    """Where the hands that are as strong as the one at `first` end."""
    end = first + U1
    while end < live and room.strength[room.order[end]] == room.strength[room.order[first]]:
        end += U1
    return end


@inlined
def move_equals(hands, weights, side, room, span, into, sign):
    """Add the weights of the hands in a span of the order to sums by card, or take them out; returns their sum."""
    first, end = span
    total = 0.0
    for j in range(first, end):
        h = u64(room.order[j])
        weight = sign * weights[side, h]
        into[hands.low[h]] += weight
        into[hands.high[h]] += weight
        total += weight
    return total


@inlined
def add_hand(sums, side, h, times, win, tie, dealt):
    """Add what one board says of one hand."""
    sums.win[side, h] += times * win
    sums.tie[side, h] += times * tie
    sums.all[side, h] += times * dealt
    if dealt > 0.0:
        sums.squared[side, h] += times * (win + 0.5 * tie) ** 2 / dealt


@inlined
def sweep(hands, weights, side, room, live, times, sums):
    """Add what one board says of all hands against one range, in order of strength."""
    total, below, first = sum_live(hands, weights, side, room, live), 0.0, U0
    while first < live:
        end = end_of_equals(room, first, live)
        equal = move_equals(hands, weights, side, room, (first, end), room.equal, 1.0)
        for j in range(first, end):
            h = u64(room.order[j])
            low, high, own = hands.low[h], hands.high[h], weights[side, h]
            win = below - room.below[low] - room.below[high]
            tie = equal - room.equal[low] - room.equal[high] + own
            dealt = total - room.live[low] - room.live[high] + own
            add_hand(sums, side, h, times, win, tie, dealt)
        move_equals(hands, weights, side, room, (first, end), room.equal, -1.0)
        below += move_equals(hands, weights, side, room, (first, end), room.below, 1.0)
        first = end


@entry
def add_values(hands, boards, times, weights, room, sums):
    """Add what boards, each counted so many times, say of all hands against ranges of these weights."""
    for row in range(u64(boards.shape[0])):
        live = order_live(hands, boards, row, room)
        for side in range(u64(weights.shape[0])):
            sweep(hands, weights, side, room, live, times[row], sums)
