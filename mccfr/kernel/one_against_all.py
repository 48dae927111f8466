"""One hand against every other on many boards: the loop behind the chances of local best response.

Compared with `hand_values`, which ranks all hands against a range, only one hand is followed here, but what it wins is
kept for each other hand. So one pass over the run-outs of a board serves every range that is met on it.
"""

import numpy as np

from mccfr.kernel.dispatch import entry
from mccfr.kernel.hand_strengths import NO_CARDS, look_up

u64 = np.uint64
U0 = u64(0)


@entry
def add_wins_of_one(hands, boards, low, high, twice):
    """Add to twice[h] 2 for each board on which the hand of cards low and high beats hand h, and 1 where they tie.

    Boards must not hold the two cards. A hand that shares a card with them or with a board gets nothing from it.
    """
    own = hands.bit[low] | hands.bit[high]
    own_word = hands.word[low] + hands.word[high]
    for row in range(u64(boards.shape[0])):
        total, bits = NO_CARDS, U0
        for k in range(u64(boards.shape[1])):
            total += hands.word[boards[row, k]]
            bits |= hands.bit[boards[row, k]]
        mine = look_up(hands.table, total + own_word, bits | own)
        for h in range(u64(hands.low.shape[0])):
            one, other = hands.low[h], hands.high[h]
            held = hands.bit[one] | hands.bit[other]
            if (bits | own) & held:
                continue
            theirs = look_up(hands.table, total + hands.word[one] + hands.word[other], bits | held)
            if mine > theirs:
                twice[h] += 2
            elif mine == theirs:
                twice[h] += 1
