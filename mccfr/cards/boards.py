"""Boards: read from text, one of each kind with its number of copies, and what can still follow one.

A deck is ranks x suits, and a card is suits * rank + suit, as in `mccfr.cards.isomorphism`. A board is a tuple of card
numbers; the order of its cards is kept, so that a flop can be told from a turn.
"""

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import RANKS, SUITS, CardError
from mccfr.cards.isomorphism import HandIndex
from mccfr.cards.ranges import Deck, deck_of
from mccfr.errors import quoted

Cards = npt.NDArray[np.uint8]
MOST_KINDS = 50_000_000  # boards in one array


class BoardKinds(NamedTuple):
    """One board of each kind: boards that an exchange of suits turns into one another are of one kind."""

    cards: Cards  # [kinds, cards] in the order of their numbers in HandIndex(rounds)
    copies: npt.NDArray[np.int64]  # [kinds] how many boards are of this kind


def board_kinds(rounds: Sequence[int], ranks: int = 13, suits: int = 4) -> BoardKinds:
    """One board of each kind, dealt in rounds of so many cards, and how many boards it stands for.

    Example:
        >>> flops = board_kinds((3,))
        >>> len(flops.cards), int(flops.copies.sum())
        (1755, 22100)
    """
    index = HandIndex(rounds, ranks, suits)
    if index.size > MOST_KINDS:
        raise CardError(f"{index} has {index.size:,} kinds, expected at most {MOST_KINDS:,}: unindex them in parts")
    cards = index.unindex(np.arange(index.size))
    return BoardKinds(cards, index.copies(cards))


def completions(board: Sequence[int], size: int = 5, ranks: int = 13, suits: int = 4) -> Cards:
    """[boards, size] every board of so many cards that begins with this one; cards to come have no order."""
    rest = [card for card in range(ranks * suits) if card not in board]
    missing = size - len(board)
    ways = math.comb(len(rest), missing)
    out = np.empty((ways, size), np.uint8)
    out[:, : len(board)] = board
    following = itertools.chain.from_iterable(itertools.combinations(rest, missing))
    out[:, len(board) :] = np.fromiter(following, np.uint8, ways * missing).reshape(ways, missing)
    return out


def parse_board(
    text: str | Iterable[int], sizes: Sequence[int] = (0, 3, 4, 5), ranks: int = 13, suits: int = 4
) -> tuple[int, ...]:
    """The cards of a board, from "Qs Jh 2h" or from card numbers; refused with the place of the mistake.

    Example:
        >>> parse_board("Qs Jh 2h")
        (43, 38, 2)
    """
    deck = deck_of(ranks, suits)
    found = _read(text, deck) if isinstance(text, str) else _numbered(text, deck)
    if len(found) not in sizes:
        *first, last = map(str, sizes)
        expected = f"{', '.join(first)} or {last}" if first else last
        raise CardError(f"board {quoted(board_name(found, suits))} has {len(found)} cards, expected {expected}")
    return found


def board_name(board: Iterable[int], suits: int = 4) -> str:
    """A board as text, "Qs Jh 2h"."""
    return " ".join(RANKS[card // suits] + SUITS[card % suits] for card in board)


def _read(text: str, deck: Deck) -> tuple[int, ...]:
    """Cards from a text, with or without spaces or commas between them."""
    found: dict[int, int] = {}
    for match in re.finditer(r"[^\s,]{1,2}", text):
        place = f"board {quoted(text)}: {quoted(match[0])} at character {match.start() + 1}"
        try:
            card = deck.card(match[0])
        except CardError as error:
            raise CardError(f"{place} is no card of this deck: {str(error).partition(': ')[2]}") from None
        if card in found:
            raise CardError(f"{place} is there already, at character {found[card]}; the cards of a board must differ")
        found[card] = match.start() + 1
    return tuple(found)


def _numbered(given: Iterable[int], deck: Deck) -> tuple[int, ...]:
    """Cards that are given as numbers."""
    try:
        found = tuple(given)
    except TypeError:
        raise CardError(f"a board is a text such as 'Qs Jh 2h', or card numbers, got {quoted(given)}") from None
    for place, card in enumerate(found):
        if not isinstance(card, int | np.integer) or card not in range(deck.cards):
            raise CardError(f"a board has cards from 0 to {deck.cards - 1}, got {quoted(card)}")
        if card in found[:place]:
            name = board_name([card], deck.suits)
            raise CardError(f"{name} is twice on board {quoted(board_name(found, deck.suits))}; its cards must differ")
    return tuple(int(card) for card in found)
