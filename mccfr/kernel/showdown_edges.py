"""The loops behind all-in equities: what hands win of one another over all boards that can still come.

The edge of hand i over hand j is P(i wins) - P(j wins). Boards that can follow are gone through in plain order, as sets
of cards; counts are whole numbers, so that they do not depend on that order. Nothing here takes a policy.
"""

import numpy as np

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.hand_strengths import NO_CARDS, look_up

u64 = np.uint64
U0, U1 = u64(0), u64(1)


@inlined
def next_set(chosen, size, count):
    """The next set of so many of `count` things, rising, in place; False after the last."""
    k = size
    while k > U0 and u64(chosen[k - U1]) == count - size + k - U1:
        k -= U1
    if k == U0:
        return False
    chosen[k - U1] += 1
    for m in range(k, size):
        chosen[m] = chosen[m - U1] + 1
    return True


@inlined
def add_cards(hands, cards, chosen, size, total, bits):
    """Words and bits of a board with the chosen ones of some cards."""
    for k in range(size):
        total += hands.word[cards[chosen[k]]]
        bits |= hands.bit[cards[chosen[k]]]
    return total, bits


@inlined
def strength_with(hands, low, high, total, bits):
    """The strength of two cards with a board that they share no card with."""
    held = hands.bit[low] | hands.bit[high]
    return look_up(hands.table, total + hands.word[low] + hands.word[high], bits | held)


@inlined
def rank_all(hands, total, bits, strength):
    """strength[h] of every hand on a board, -1 where they share a card."""
    for h in range(u64(hands.low.shape[0])):
        low, high = hands.low[h], hands.high[h]
        held = hands.bit[low] | hands.bit[high]
        if bits & held:
            strength[h] = -1
        else:
            strength[h] = strength_with(hands, low, high, total, bits)


@inlined
def add_edges(strength, hand, row, wins):
    """wins[row, h] += 1 where h beats the hand, -1 where it loses."""
    own = strength[hand]
    if own < 0:
        return
    for h in range(u64(strength.shape[0])):
        other = strength[h]
        wins[row, h] += np.int32(other >= 0) * (np.int32(other > own) - np.int32(other < own))


@entry
def edges_against(hands, board, rest, chosen, those, strength, wins):
    """wins[k, h]: boards on which h beats hand those[k], less those on which it loses to it.

    `rest` are the cards that are not on the board, `chosen` the numbers 0, 1, ... of as many of them as come. What is
    counted for hands that share a card with those[k] means nothing.
    """
    size, count = u64(chosen.shape[0]), u64(rest.shape[0])
    begun, held = NO_CARDS, U0
    for k in range(u64(board.shape[0])):
        begun += hands.word[board[k]]
        held |= hands.bit[board[k]]
    more = True
    while more:
        total, bits = add_cards(hands, rest, chosen, size, begun, held)
        rank_all(hands, total, bits, strength)
        for k in range(u64(those.shape[0])):
            add_edges(strength, those[k], k, wins)
        more = next_set(chosen, size, count)


@inlined
def list_unseen(hands, cards, rest):
    """rest[0:n]: the cards of the deck that are not among these; returns n."""
    dealt, left = U0, U0
    for k in range(u64(cards.shape[0])):
        dealt |= hands.bit[cards[k]]
    for card in range(u64(hands.word.shape[0])):
        if not dealt & hands.bit[card]:
            rest[left] = card
            left += U1
    return left


@inlined
def deal_edge(hands, cards, rest, chosen, size):
    """Boards on which the first two cards beat the next two, less those on which they lose; the others lie there."""
    left = list_unseen(hands, cards, rest)
    begun, held = NO_CARDS, U0
    for k in range(u64(4), u64(cards.shape[0])):
        begun += hands.word[cards[k]]
        held |= hands.bit[cards[k]]
    for k in range(size):
        chosen[k] = k
    wins, more = 0, True
    while more:
        total, bits = add_cards(hands, rest, chosen, size, begun, held)
        one = strength_with(hands, cards[0], cards[1], total, bits)
        other = strength_with(hands, cards[2], cards[3], total, bits)
        wins += int(one > other) - int(one < other)
        more = next_set(chosen, size, left)
    return wins


@entry
def edges_of_deals(hands, dealt, missing, rest, chosen, wins):
    """wins[n]: for each row of two hands and the board so far, boards won less boards lost by the first hand."""
    for n in range(u64(dealt.shape[0])):
        wins[n] = deal_edge(hands, dealt[n], rest, chosen, u64(missing))
