"""The hands of a board, worked out where they are used: strengths, order, ties, rows, and places in other lists.

Hands are ordered by counting: how many are weaker, and how many as strong come before. For 1,081 hands that is a
million comparisons, which a GPU does for all 2.5 million boards of hold'em in about a second.
"""

from mccfr.kernel.bucket_rows import CARDS, see_all
from mccfr.kernel.crews import first, step, wait
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.hand_strengths import NO_CARDS, look_up
from mccfr.kernel.layout import U0, U1, U2, u64

SIXTEEN, LOW_BITS = u64(16), u64(0xFFFF)
THIRTY_TWO, PLACE_BITS = u64(32), u64(0xFFFFFFFF)


@inlined
def on_board(boards, b, card):
    """Whether a card is on the board."""
    for k in range(boards.size):  # noqa: SIM110, any() does not compile
        if u64(boards.cards[b * boards.size + k]) == card:
            return True
    return False


@inlined
def free_number(boards, b, card):
    """The number of a card among those that are not on the board."""
    below = U0
    for k in range(boards.size):
        below += u64(u64(boards.cards[b * boards.size + k]) < card)
    return card - below


@inlined
def hand_of(one, other):
    """The number of a hand of two cards."""
    low, high = min(one, other), max(one, other)
    return high * (high - U1) // U2 + low


@inlined
def strength_on(deck, boards, b, h, last):
    """1 + how strong a hand is with the board; 1 before the last street, 0 if they share a card."""
    low, high = u64(deck.low[h]), u64(deck.high[h])
    if on_board(boards, b, low) or on_board(boards, b, high):
        return U0
    if not last:
        return U1
    total, bits = NO_CARDS + deck.word[low] + deck.word[high], deck.bit[low] | deck.bit[high]
    for k in range(boards.size):
        card = u64(boards.cards[b * boards.size + k])
        total += deck.word[card]
        bits |= deck.bit[card]
    return U1 + u64(look_up(deck.strength, total, bits))


@inlined
def row_on(look, deck, boards, b, h, streets, held):
    """The row of a hand on the street of the board."""
    held[CARDS] = u64(deck.low[h])
    held[CARDS + U1] = u64(deck.high[h])
    for k in range(boards.size):
        held[CARDS + U2 + k] = u64(boards.cards[b * boards.size + k])
    see_all(look, streets, held, U0)
    return held[streets - U1]


@inlined
def lay_hand(deck, boards, before, b, h, j, tie, link):
    """Everything about the hand in place j. link: what links it to the board before and to its row."""
    lanes = boards.lanes
    low, high, n, of_deck = u64(deck.low[h]), u64(deck.high[h]), boards.hands, u64(len(deck.low))
    t = u64(boards.parent[b])
    one, other = free_number(boards, b, low), free_number(boards, b, high)
    boards.pair[b * n + j] = one * lanes | other * lanes << SIXTEEN
    boards.tie[b * n + j] = tie
    boards.where[b * of_deck + h] = j
    each = boards.free - U1
    boards.link[b * n + j] = link
    boards.card_link[(b * boards.free + one) * each + other - U1] = link
    boards.card_link[(b * boards.free + other) * each + one] = link
    cards = u64(len(deck.word))
    for image in range(u64(boards.image[b]), u64(boards.image[b + U1])):
        turned = u64(boards.exchanged[image]) * cards
        twin = hand_of(u64(deck.exchange[turned + low]), u64(deck.exchange[turned + high]))
        boards.up[image * n + j] = u64(before.where[t * of_deck + twin]) * lanes


@inlined
def see_board(crew, look, deck, boards, before, b, streets, last, held):
    """All hands of board b. before: the boards of the street before; held: room to look up rows."""
    of_deck = u64(len(deck.low))
    for h in range(first(crew), of_deck, step(crew)):
        boards.strength[b * of_deck + h] = strength_on(deck, boards, b, h, last)
    wait(crew)
    for h in range(first(crew), of_deck, step(crew)):
        mine = u64(boards.strength[b * of_deck + h])
        if mine == U0:
            continue
        weaker = alike = earlier = U0
        for x in range(of_deck):
            other = u64(boards.strength[b * of_deck + x])
            weaker += u64(other != U0 and other < mine)
            alike += u64(other == mine)
            earlier += u64(other == mine and x < h)
        j = weaker + earlier
        place = u64(before.where[u64(boards.parent[b]) * of_deck + h])
        row = row_on(look, deck, boards, b, h, streets, held)
        link = place * boards.lanes | row * boards.lanes << THIRTY_TWO
        lay_hand(deck, boards, before, b, h, j, weaker | (weaker + alike) << SIXTEEN, link)
