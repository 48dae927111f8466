"""Classes of hands on a board: what the hole cards make, how the board looks, and what may still come.

The loop behind `mccfr.buckets.hand_classes`, which says what the classes mean. Cards are counted into words: four bits
for each rank or suit, or one bit for each rank. A class counts only what a hole card takes part in.
"""

from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.dispatch import inlined, standalone

u64 = np.uint64
U0, U1, U2, U3, U4, U5 = (u64(j) for j in range(6))
DIGIT, RANK_BITS, SUIT_BITS = u64(15), u64(0x1FFF), u64(16)
FIVE_RANKS, WHEEL, WINDOWS = u64(0b11111), u64(0b1_0000_0000_1111), u64(10)  # A2345, and nine windows of five ranks
HIGH_CARD, ACE_HIGH, BOTTOM_PAIR, MIDDLE_PAIR, TOP_PAIR_WEAK, TOP_PAIR_GOOD, OVERPAIR = (u64(j) for j in range(7))
TWO_PAIR, TRIPS, SET, STRAIGHT, FLUSH, FULL_HOUSE = (u64(j) for j in range(7, 13))
NO_DRAW, GUTSHOT, OPEN_ENDED, FLUSH_DRAW, BOTH_DRAWS = (u64(j) for j in range(5))
MADE, TEXTURES, DRAWS = u64(13), u64(27), u64(5)
BETTER_KICKERS = 2  # so many at most, and a kicker is good


class Counted(NamedTuple):
    """Some cards, counted: ranks and suits with four bits each, and the ranks of each suit as sixteen bits."""

    ranks: Any
    suits: Any
    by_suit: Any


class Hole(NamedTuple):
    """Ranks and suits of the two hole cards, the higher one first."""

    high: Any
    low: Any
    high_suit: Any
    low_suit: Any


@inlined
def count_cards(cards, j, first, end, suits):
    """Columns first to end of row j of `cards`."""
    ranks = of_suit = by_suit = U0
    for c in range(first, end):
        rank, suit = u64(cards[j, c]) // suits, u64(cards[j, c]) % suits
        ranks += U1 << (U4 * rank)
        of_suit += U1 << (U4 * suit)
        by_suit |= U1 << (SUIT_BITS * suit + rank)
    return Counted(ranks, of_suit, by_suit)


@inlined
def digit(counts, j):
    """How many there are of rank or suit j."""
    return (counts >> (U4 * j)) & DIGIT


@inlined
def set_of(counts):
    """The ranks that are there, as bits."""
    found = U0
    for r in range(u64(13)):
        found |= u64(digit(counts, r) > U0) << r
    return found


@inlined
def at_least(counts, n):
    """How many ranks are there n times or more."""
    found = U0
    for r in range(u64(13)):
        found += u64(digit(counts, r) >= n)
    return found


@inlined
def window(j):
    """Five ranks in a row as bits; in the first window the ace is the lowest card."""
    return FIVE_RANKS << (j - U1) if j > U0 else WHEEL


@inlined
def has_straight(there, own):
    """Whether five ranks in a row are there, and of the highest such five one is in `own`."""
    found = False
    for j in range(WINDOWS):
        if there & window(j) == window(j):
            found = own & window(j) != U0
    return found


@inlined
def most_in_a_window(there):
    """The most ranks that lie within five in a row."""
    most = U0
    for j in range(WINDOWS):
        inside, ranks = U0, there & window(j)
        while ranks:
            inside += U1
            ranks &= ranks - U1
        most = max(most, inside)
    return most


@inlined
def has_straight_flush(every, board, suit):
    """Whether there are five in a row of this suit, of which a hole card is one."""
    there = (every.by_suit >> (SUIT_BITS * suit)) & RANK_BITS
    return has_straight(there, there & ~((board.by_suit >> (SUIT_BITS * suit)) & RANK_BITS))


@inlined
def has_full_house(hole, every, board):
    """A full house or better, with a hole card in it."""
    high, low = digit(every.ranks, hole.high), digit(every.ranks, hole.low)
    full = at_least(every.ranks, U3) > U0 and at_least(every.ranks, U2) > U1 and max(high, low) > U1
    straight_flush = has_straight_flush(every, board, hole.high_suit) or has_straight_flush(every, board, hole.low_suit)
    return full or max(high, low) == U4 or straight_flush


@inlined
def one_pair(hole, pair, kicker, board, ranks):
    """A pair that a hole card makes with the board, by its place among the board's ranks."""
    there, bit = set_of(board.ranks), U1 << pair
    if there < bit + bit:  # nothing above
        better = ranks - U1 - kicker - u64(pair > kicker)
        return TOP_PAIR_GOOD if better <= u64(BETTER_KICKERS) else TOP_PAIR_WEAK
    return BOTTOM_PAIR if there & (bit - U1) == U0 else MIDDLE_PAIR


@inlined
def pocket_pair(pair, board):
    """A pair in the hole, by its place among the board's ranks."""
    there, bit = set_of(board.ranks), U1 << pair
    return OVERPAIR if there < bit else MIDDLE_PAIR if there & (bit - U1) != U0 else BOTTOM_PAIR


@inlined
def pairs_of(hole, every, board, ranks):
    """The class of a hand below a straight."""
    high, low = digit(every.ranks, hole.high), digit(every.ranks, hole.low)
    if hole.high == hole.low:
        return SET if high == U3 else pocket_pair(hole.high, board)
    if max(high, low) == U3:
        return TRIPS
    if high == U2 and low == U2:
        return TWO_PAIR
    if high == U2:
        return one_pair(hole, hole.high, hole.low, board, ranks)
    if low == U2:
        return one_pair(hole, hole.low, hole.high, board, ranks)
    return ACE_HIGH if hole.high == ranks - U1 else HIGH_CARD


@inlined
def made_hand(hole, every, board, ranks):
    """What the hole cards make with the board, 0 to 12."""
    there = set_of(every.ranks)
    if has_full_house(hole, every, board):
        return FULL_HOUSE
    if max(digit(every.suits, hole.high_suit), digit(every.suits, hole.low_suit)) >= U5:
        return FLUSH
    if has_straight(there, there & ~set_of(board.ranks)):
        return STRAIGHT
    return pairs_of(hole, every, board, ranks)


@inlined
def texture(board, cards):
    """How a board of so many cards looks: cards that pair others, the longest suit, ranks close together; 0 to 26."""
    there, longest = set_of(board.ranks), U0
    for suit in range(U4):
        longest = max(longest, digit(board.suits, suit))
    paired = cards - at_least(board.ranks, U1)
    close = most_in_a_window(there)
    return (min(paired, U2) * U3 + min(max(longest, U2), U4) - U2) * U3 + min(max(close, U2), U4) - U2


@inlined
def straight_outs(every, board, ranks):
    """How many ranks would make a straight of which a hole card is part."""
    there = set_of(every.ranks)
    own, outs = there & ~set_of(board.ranks), U0
    for r in range(ranks):
        bit = U1 << r
        outs += u64(there & bit == U0 and has_straight(there | bit, own))
    return outs


@inlined
def draw(hole, every, board, ranks, made):
    """What one more card may bring beyond what is made, 0 to 4. Beside a flush six cards have no room for it."""
    flush = max(digit(every.suits, hole.high_suit), digit(every.suits, hole.low_suit)) == U4
    outs = straight_outs(every, board, ranks) if made < STRAIGHT else U0
    if flush:
        return BOTH_DRAWS if outs > U0 else FLUSH_DRAW
    return OPEN_ENDED if outs > U1 else GUTSHOT if outs > U0 else NO_DRAW


@inlined
def hole_of(cards, j, suits):
    """The hole cards of row j."""
    one, other = u64(cards[j, 0]), u64(cards[j, 1])
    high, low = max(one, other), min(one, other)
    return Hole(high // suits, low // suits, high % suits, low % suits)


@standalone
def classify(cards, ranks, suits, last, out):
    """out[j]: the class of row j, two hole cards and a board; on the last street there is nothing to draw."""
    ranks, suits = u64(ranks), u64(suits)
    for j in range(cards.shape[0]):
        hole = hole_of(cards, j, suits)
        every, board = count_cards(cards, j, 0, cards.shape[1], suits), count_cards(cards, j, 2, cards.shape[1], suits)
        made = made_hand(hole, every, board, ranks)
        row = made * TEXTURES + texture(board, u64(cards.shape[1] - 2))
        out[j] = row if last else row * DRAWS + draw(hole, every, board, ranks, made)
