"""The deck: 52 cards, 1326 hole hands, their 169 classes, and what exchanging suits does to them.

A card is 4 * rank + suit, from 0 (deuce of clubs) to 51 (ace of spades): ranks 23456789TJQKA, suits cdhs. A hole hand
is two cards, low < high, and has the number high * (high - 1) / 2 + low. A class is a cell of the 13 x 13 grid, aces
first: class 13 * row + column, pairs on the diagonal, suited hands to the upper right of it.
"""

import itertools

import numpy as np
import numpy.typing as npt

from mccfr.errors import MccfrError

RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS, HANDS, CLASSES = 52, 1326, 169
SIDE = 13  # of the grid

SUIT_PERMUTATIONS = tuple(itertools.permutations(range(4)))  # suit s becomes SUIT_PERMUTATIONS[p][s]; the first: itself


class CardError(MccfrError, ValueError):
    """A text that is not a card, a hand or a class."""


def card(text: str) -> int:
    """The number of a card: "2c" is 0, "As" is 51."""
    if len(text) != 2 or text[0].upper() not in RANKS or text[1].lower() not in SUITS:
        raise CardError(f"{text!r} is not a card: expected a rank of {RANKS} and a suit of {SUITS}, as in 'As'")
    return 4 * RANKS.index(text[0].upper()) + SUITS.index(text[1].lower())


def cards(text: str) -> list[int]:
    """The numbers of several cards, which must differ: "AsKs" or "As Ks"."""
    letters = "".join(text.split())
    found = [card(letters[j : j + 2]) for j in range(0, len(letters), 2)]
    if len(set(found)) < len(found):
        raise CardError(f"{text!r} has the same card twice")
    return found


def card_name(number: int) -> str:
    """A card as text."""
    return RANKS[number // 4] + SUITS[number % 4]


def hand(text: str) -> int:
    """The number of a hole hand: "2c2d" is 0, "AhAs" is 1325. The order of the cards does not matter."""
    found = cards(text)
    if len(found) != 2:
        raise CardError(f"{text!r} is not a hole hand: expected two cards, as in 'AsKs'")
    return hand_of(found[0], found[1])


def hand_of(one: int, other: int) -> int:
    """The number of the hole hand of two cards."""
    low, high = sorted((one, other))
    return high * (high - 1) // 2 + low


def hand_name(number: int) -> str:
    """A hole hand as text, higher card first."""
    low, high = HAND_CARDS[number]
    return card_name(high) + card_name(low)


def hand_class(text: str) -> int:
    """The number of a class: "AA", "AKs", "72o"."""
    if len(text) < 2 or text[:2].upper().translate(_NO_RANKS):
        raise CardError(f"{text!r} is not a class of hands: expected one like 'AA', 'AKs' or '72o'")
    high, low = sorted(12 - RANKS.index(rank) for rank in text[:2].upper())
    match text[2:].lower(), high == low:
        case "", True:
            return SIDE * high + high
        case "s", False:
            return SIDE * high + low
        case "o", False:
            return SIDE * low + high
    kind = "a pair takes no letter after it" if high == low else "say 's' for suited or 'o' for offsuit"
    raise CardError(f"{text!r} is not a class of hands: {kind}")


def class_name(number: int) -> str:
    """A class as text."""
    row, column = divmod(number, SIDE)
    kind = "" if row == column else "s" if row < column else "o"
    return RANKS[12 - min(row, column)] + RANKS[12 - max(row, column)] + kind


def _hand_cards() -> npt.NDArray[np.int64]:
    return np.array([(low, high) for high in range(CARDS) for low in range(high)])


def _class_of_hand() -> npt.NDArray[np.int64]:
    low, high = (12 - HAND_CARDS // 4).T  # counted from the ace: the high card has the smaller number
    suited = HAND_CARDS[:, 0] % 4 == HAND_CARDS[:, 1] % 4
    return np.where(suited, SIDE * high + low, SIDE * low + high)


def _permuted_hands() -> npt.NDArray[np.int64]:
    """[24, 1326] the hand that each hand becomes under each permutation of the suits."""
    suits = np.array(SUIT_PERMUTATIONS)
    moved = HAND_CARDS // 4 * 4 + suits[:, HAND_CARDS % 4]
    low, high = moved.min(axis=2), moved.max(axis=2)
    return high * (high - 1) // 2 + low


_NO_RANKS = str.maketrans("", "", RANKS)
HAND_CARDS = _hand_cards()  # [1326, 2] the two cards of each hand
CLASS_OF_HAND = _class_of_hand()  # [1326]
CLASS_SIZES = np.bincount(CLASS_OF_HAND, minlength=CLASSES)  # 6 hands of a pair, 4 suited, 12 offsuit
CLASS_NAMES = tuple(class_name(number) for number in range(CLASSES))
PERMUTED_HANDS = _permuted_hands()


def disjoint() -> npt.NDArray[np.bool_]:
    """[1326, 1326] whether two hole hands share no card, so that both can be dealt."""
    shared = HAND_CARDS[:, None, :, None] == HAND_CARDS[None, :, None, :]
    return ~shared.any(axis=(2, 3))
