"""How strong five to seven cards are: an addition per card, then two look-ups in a table of 0.4 MB.

Every card has a word. Words of a hand add up to a sum whose lower half names its set of ranks (KEYS are the smallest
numbers, found greedily, whose sums never coincide) and whose upper half counts suits from 3, four bits each, so that
the fourth bit says "five or more". Sums are sparse; they are cut into rows of 256, and rows overlap in the table where
their holes allow. With five of a suit, the ranks of that suit as 13 bits are looked up instead.
"""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import CARDS, HAND_CARDS, HANDS, CardError, card_name
from mccfr.cards.ranges import deck_of
from mccfr.cards.strengths import CATEGORIES, SIZES, STRENGTHS, Strengths, all_strengths
from mccfr.kernel import hand_strengths as kernel
from mccfr.kernel.hand_strengths import COLUMN, FLUSHES, WIDTH
from mccfr.kernel.hand_values import DIGITS, Hands, Room, order_hands

KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)  # by rank

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
    return begins, int(kernel.first_fit(fullest, start, columns, taken, begins))


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
    """Strengths for callers who know their cards: nothing is checked, nothing allocated."""
    kernel.evaluate(table(cards.shape[1]), CARD_WORD, CARD_BIT, cards, out)


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
    """`rank_hands` for callers who know their board: nothing is checked, nothing allocated."""
    kernel.rank_hands(table(len(board) + 2), CARD_WORD, CARD_BIT, board, _LOW, _HIGH, out)


def rank_deck(board: Sequence[int], ranks: int = 13, suits: int = 4) -> npt.NDArray[np.int16]:
    """[hands of the deck] the strength of every hole hand with this board; -1 if it shares a card with it.

    The deck is ranks x suits, numbered suits * rank + suit as in `mccfr.cards.isomorphism`: the lowest ranks, from the
    deuce, and the first suits of cdhs. The rules are those of the whole deck, so strengths of decks can be compared;
    without an ace there is no straight that ends in a five. With 13 ranks and 4 suits this is `rank_hands`.
    """
    _check_board(board, ranks, suits)
    hands = deck_hands(len(board), ranks, suits)
    out = np.empty(len(hands.low), np.int16)
    kernel.rank_hands(hands.table, hands.word, hands.bit, np.array(board, np.uint8), hands.low, hands.high, out)
    return out


class OrderedHands(NamedTuple):
    """The hands of a deck on a board, ranked and in order."""

    strength: npt.NDArray[np.int16]  # [hands of the deck] as `rank_deck` gives them
    order: npt.NDArray[np.uint16]  # [hands that share no card with the board] the weakest first, equals by number


def order_deck(board: Sequence[int], ranks: int = 13, suits: int = 4) -> OrderedHands:
    """All hole hands of a deck on this board of three to five cards: their strengths, and their order.

    Example:
        >>> from mccfr.cards.deck import cards, hand_name
        >>> found = order_deck(cards("Qs Jh 2h 8c 3d"))
        >>> len(found.order), hand_name(found.order[0]), hand_name(found.order[-1])
        (1081, '5c4c', 'Ts9s')
    """
    _check_board(board, ranks, suits)
    hands = deck_hands(len(board), ranks, suits)
    room = make_room(len(hands.low), ranks * suits)
    live = order_hands(hands, np.array([board], np.uint8), room)
    return OrderedHands(room.strength, room.order[: int(live)])


@functools.cache
def deck_hands(board: int, ranks: int = 13, suits: int = 4) -> Hands:
    """What the kernels need to rank all hands of a deck on boards of so many cards."""
    deck = deck_of(ranks, suits)
    of_whole_deck = [4 * (c // suits) + c % suits for c in range(deck.cards)]
    low, high = np.ascontiguousarray(deck.hand_cards.T.astype(np.uint8))
    return Hands(table(board + 2), CARD_WORD[of_whole_deck], CARD_BIT[of_whole_deck], low, high)


def make_room(hands: int, cards: int) -> Room:
    """Arrays for the kernels to work in."""
    sums = (np.empty(cards) for _ in range(3))
    return Room(
        np.empty(hands, np.int16), np.empty(hands, np.uint16), np.empty(hands, np.uint16),
        np.empty(DIGITS, np.uint32), *sums,
    )  # fmt: skip


def _check_board(board: Sequence[int], ranks: int, suits: int) -> None:
    cards = deck_of(ranks, suits).cards
    different = len(set(board)) == len(board) and all(0 <= c < cards for c in board)
    if len(board) + 2 not in SIZES or not different:
        raise CardError(f"expected a board of three to five different cards, 0 to {cards - 1}, not {list(board)}")


def count_strengths(size: int) -> npt.NDArray[np.int64]:
    """[7462] how many of all sets of so many cards have each strength: 133,784,560 sets for seven."""
    if size not in SIZES:
        raise CardError(f"expected five to seven cards, not {size}")
    counts = np.zeros(STRENGTHS, np.int64)
    kernel.count(table(size), CARD_WORD, CARD_BIT, np.arange(size - 2), counts)
    return counts


def count_categories(size: int) -> dict[str, int]:
    """How many of all sets of so many cards are of each category, the weakest first."""
    counts = np.bincount(strengths().category, count_strengths(size), len(CATEGORIES))
    return {name: int(count) for name, count in zip(CATEGORIES, counts)}


_LOW, _HIGH = HAND_CARDS.T.astype(np.uint8)
