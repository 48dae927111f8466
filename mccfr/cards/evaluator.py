"""How strong five to seven cards are: an addition per card, then two look-ups in a table of 0.4 MB.

Every card has a word. Words of a hand add up to a sum whose lower half names its set of ranks (KEYS are the smallest
numbers, found greedily, whose sums never coincide) and whose upper half counts suits from 3, four bits each, so that
the fourth bit says "five or more". Sums are sparse; they are cut into rows of 256, and rows overlap in the table where
their holes allow. With five of a suit, the ranks of that suit as 13 bits are looked up instead.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from mccfr.cards.deck import CARDS, HAND_CARDS, HANDS, CardError, card_name
from mccfr.cards.strengths import CATEGORIES, SIZES, STRENGTHS, Strengths, all_strengths

KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)  # by rank
LEAN: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False, "cache": True}

u64 = np.uint64
WIDTH, COLUMN = u64(8), u64(255)  # 256 sums per row
LOW, SUIT_SHIFT = u64(0xFFFFFFFF), u64(32)
FIVE_OF_A_SUIT = u64(0x8888_0000_0000)
NO_CARDS = u64(0x3333_0000_0000)
FLUSHES = 1 << 13
RANK_BITS, SUIT_BITS = u64(0x1FFF), u64(16)

CARD_WORD = np.array([KEYS[c // 4] + (1 << 32 + 4 * (c % 4)) for c in range(CARDS)], np.uint64)
CARD_BIT = np.array([1 << 16 * (c % 4) + c // 4 for c in range(CARDS)], np.uint64)

Table = npt.NDArray[np.uint32]


@functools.cache
def strengths() -> Strengths:
    """What beats what; made once per process."""
    return all_strengths()


@functools.cache
def table(size: int) -> Table:
    """For sets of so many cards: flushes, where each row begins, rows. One array saves the kernels a load."""
    found = strengths()
    those = found.ranks.sum(axis=1) == size
    sums = found.ranks[those] @ np.array(KEYS)
    order = np.argsort(sums)
    rows, columns = sums[order] >> int(WIDTH), sums[order] & int(COLUMN)
    begins, length = _overlap(rows, columns)
    made = np.zeros(FLUSHES + len(begins) + length, np.uint32)
    made[:FLUSHES] = found.suited.clip(0)
    made[FLUSHES : FLUSHES + len(begins)] = begins + FLUSHES + len(begins)
    made[FLUSHES + len(begins) + begins[rows] + columns] = found.unsuited[those][order]
    return made


def _overlap(rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], int]:
    """Where each row begins, the fullest row first and each as early as it fits; and the length of all."""
    start = np.searchsorted(rows, np.arange(rows[-1] + 2))
    fullest = np.argsort(-np.diff(start), kind="stable")
    begins = np.zeros(len(fullest), np.int64)
    taken = np.zeros(4 * len(rows) + FLUSHES, np.bool_)  # in fact less than 2 * len(rows)
    return begins, int(_first_fit(fullest, start, columns, taken, begins))


@njit(**LEAN)
def _first_fit(fullest: Any, start: Any, columns: Any, taken: Any, begins: Any) -> int:
    length, free = 0, 0  # everything before `free` is taken
    for row in fullest:
        first, end = start[row], start[row + 1]
        if first == end:
            return length
        while taken[free]:
            free += 1
        begin = max(free - columns[first], 0)
        while _collides(columns, first, end, taken, begin):
            begin += 1
        for j in range(first, end):
            taken[begin + columns[j]] = True
        begins[row] = begin
        length = max(length, begin + columns[end - 1] + 1)
    return length


@njit(**LEAN)
def _collides(columns: Any, first: Any, end: Any, taken: Any, begin: Any) -> bool:
    for j in range(first, end):  # noqa: SIM110, any() does not compile
        if taken[begin + columns[j]]:
            return True
    return False


@njit(inline="always", **LEAN)
def look_up(table: Any, total: Any, bits: Any) -> Any:
    """The strength of cards whose words add up to `total` and whose bits are `bits`."""
    if total & FIVE_OF_A_SUIT:
        for suit in range(u64(4)):
            if total >> (SUIT_SHIFT + u64(4) * suit) & u64(8):
                return table[bits >> (SUIT_BITS * suit) & RANK_BITS]
    key = total & LOW
    return table[u64(table[u64(FLUSHES) + (key >> WIDTH)]) + (key & COLUMN)]


@njit(**LEAN)
def _evaluate(table: Any, word: Any, bit: Any, cards: Any, out: Any) -> None:
    for j in range(cards.shape[0]):
        total, bits = NO_CARDS, u64(0)
        for k in range(cards.shape[1]):
            total += word[cards[j, k]]
            bits |= bit[cards[j, k]]
        out[j] = look_up(table, total, bits)


@njit(**LEAN)
def _rank_hands(table: Any, word: Any, bit: Any, board: Any, low: Any, high: Any, out: Any) -> None:
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


@njit(**LEAN)
def _count(table: Any, word: Any, bit: Any, chosen: Any, counts: Any) -> None:
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


def evaluate(cards: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Strengths, 0 to 7461, of many sets of five to seven cards: [n, size] card numbers."""
    given = np.asarray(cards, np.int64)
    if given.ndim != 2 or given.shape[1] not in SIZES:
        raise CardError(f"expected sets of five to seven cards as rows, not an array of shape {given.shape}")
    if given.size and (given.min() < 0 or given.max() >= CARDS):
        raise CardError(f"expected card numbers 0 to {CARDS - 1}, not {given.min()} to {given.max()}")
    ordered = np.sort(given, axis=1)
    if (twice := ordered[:, 1:] == ordered[:, :-1]).any():
        raise CardError(f"{card_name(int(ordered[:, 1:][twice][0]))} is twice among the cards of one set")
    out = np.empty(len(given), np.int64)
    evaluate_into(given.astype(np.uint8), out)
    return out


def evaluate_into(cards: npt.NDArray[np.uint8], out: npt.NDArray[np.int64]) -> None:
    """The same for callers who know their cards: nothing is checked, nothing allocated."""
    _evaluate(table(cards.shape[1]), CARD_WORD, CARD_BIT, cards, out)


def strength(cards: Sequence[int]) -> int:
    """The strength of five to seven cards: higher wins, equal splits."""
    return int(evaluate([list(cards)])[0])


def category(strength: int) -> str:
    """What a strength is called: "full house"."""
    return CATEGORIES[strengths().category[strength]]


def rank_hands(board: Sequence[int]) -> npt.NDArray[np.int16]:
    """[1326] the strength of every hole hand with this board of three to five cards; -1 if it shares a card with it."""
    if len(board) not in (3, 4, 5) or len(set(board)) < len(board) or not all(0 <= c < CARDS for c in board):
        raise CardError(f"expected a board of three to five different cards, not {list(board)}")
    out = np.empty(HANDS, np.int16)
    rank_hands_into(np.array(board, np.uint8), out)
    return out


def rank_hands_into(board: npt.NDArray[np.uint8], out: npt.NDArray[np.int16]) -> None:
    """The same for callers who know their board: nothing is checked, nothing allocated."""
    _rank_hands(table(len(board) + 2), CARD_WORD, CARD_BIT, board, _LOW, _HIGH, out)


def count_strengths(size: int) -> npt.NDArray[np.int64]:
    """[7462] how many of all sets of so many cards have each strength: 133,784,560 sets for seven."""
    if size not in SIZES:
        raise CardError(f"expected five to seven cards, not {size}")
    counts = np.zeros(STRENGTHS, np.int64)
    _count(table(size), CARD_WORD, CARD_BIT, np.arange(size - 2), counts)
    return counts


def count_categories(size: int) -> dict[str, int]:
    """How many of all sets of so many cards are of each category, the weakest first."""
    counts = np.bincount(strengths().category, count_strengths(size), len(CATEGORIES))
    return {name: int(count) for name, count in zip(CATEGORIES, counts)}


_LOW, _HIGH = HAND_CARDS.T.astype(np.uint8)
