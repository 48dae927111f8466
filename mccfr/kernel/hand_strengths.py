"""Strengths of cards as sums of words, looked up in a table: the loops behind `mccfr.cards`.

What words and the table are is said in `mccfr.cards.evaluator`. Nothing here takes a policy or calls another file.
"""

import numpy as np

from mccfr.kernel.dispatch import inlined, standalone

u64 = np.uint64
CARDS = 52
WIDTH, COLUMN = u64(8), u64(255)  # 256 sums per row
LOW, SUIT_SHIFT = u64(0xFFFFFFFF), u64(32)
FIVE_OF_A_SUIT = u64(0x8888_0000_0000)
NO_CARDS = u64(0x3333_0000_0000)
FLUSHES = 1 << 13
RANK_BITS, SUIT_BITS = u64(0x1FFF), u64(16)
STRIDE = 4  # boards compared in one pass


@standalone
def first_fit(fullest, start, columns, taken, begins):
    """Lay rows into one array, each as early as none of its columns collides; returns the length of all."""
    length, free = 0, 0  # everything before `free` is taken
    for row in fullest:
        first, end = start[row], start[row + 1]
        if first == end:
            return length
        while taken[free]:
            free += 1
        begin = max(free - columns[first], 0)
        while collides(columns, first, end, taken, begin):
            begin += 1
        for j in range(first, end):
            taken[begin + columns[j]] = True
        begins[row] = begin
        length = max(length, begin + columns[end - 1] + 1)
    return length


@standalone
def collides(columns, first, end, taken, begin):
    """Whether a row that begins there would meet a place that is taken."""
    for j in range(first, end):  # noqa: SIM110, any() does not compile
        if taken[begin + columns[j]]:
            return True
    return False


@inlined
def look_up(table, total, bits):
    """The strength of cards whose words add up to `total` and whose bits are `bits`."""
    if total & FIVE_OF_A_SUIT:
        for suit in range(u64(4)):
            if total >> (SUIT_SHIFT + u64(4) * suit) & u64(8):
                return table[bits >> (SUIT_BITS * suit) & RANK_BITS]
    key = total & LOW
    return table[u64(table[u64(FLUSHES) + (key >> WIDTH)]) + (key & COLUMN)]


@standalone
def evaluate(table, word, bit, cards, out):
    """out[j]: the strength of the cards in row j."""
    for j in range(cards.shape[0]):
        total, bits = NO_CARDS, u64(0)
        for k in range(cards.shape[1]):
            total += word[cards[j, k]]
            bits |= bit[cards[j, k]]
        out[j] = look_up(table, total, bits)


@standalone
def rank_hands(table, word, bit, board, low, high, out):
    """out[h]: the strength of hole hand h with the board, -1 if they share a card."""
    total, bits = NO_CARDS, u64(0)
    for k in range(board.shape[0]):
        total += word[board[k]]
        bits |= bit[board[k]]
    for h in range(low.shape[0]):
        one, other = bit[low[h]], bit[high[h]]
        if bits & (one | other):
            out[h] = -1
        else:
            out[h] = look_up(table, total + word[low[h]] + word[high[h]], bits | one | other)


@standalone
def count(table, word, bit, chosen, counts):
    """Count strengths over all sets of chosen.size + 2 cards; `chosen` is 0, 1, 2, ... at first."""
    size = chosen.shape[0]
    while True:
        total, bits = NO_CARDS, u64(0)
        for k in range(size):
            total += word[chosen[k]]
            bits |= bit[chosen[k]]
        for i in range(u64(chosen[size - 1] + 1), u64(CARDS)):
            for j in range(i + u64(1), u64(CARDS)):
                counts[look_up(table, total + word[i] + word[j], bits | bit[i] | bit[j])] += 1
        k = size - 1
        while k >= 0 and chosen[k] == CARDS - 2 - size + k:
            k -= 1
        if k < 0:
            return
        chosen[k] += 1
        for m in range(k + 1, size):
            chosen[m] = chosen[m - 1] + 1


@standalone
def add_wins(attack, defend, copies, sums, wins):
    """wins[i, j] += copies * how often attack[:, i] > defend[:, j]."""
    for i in range(attack.shape[1]):
        sums[:] = 0
        for b in range(0, attack.shape[0], STRIDE):
            a0, a1, a2, a3 = attack[b, i], attack[b + 1, i], attack[b + 2, i], attack[b + 3, i]
            for j in range(attack.shape[1]):
                sums[j] += (
                    np.int16(a0 > defend[b, j])
                    + np.int16(a1 > defend[b + 1, j])
                    + np.int16(a2 > defend[b + 2, j])
                    + np.int16(a3 > defend[b + 3, j])
                )
        for j in range(attack.shape[1]):
            wins[i, j] += copies * np.int32(sums[j])
