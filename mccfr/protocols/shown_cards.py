"""Cards in messages and files of others: read, counted and compared, with an error that says which is wrong."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from mccfr.cards.boards import board_name
from mccfr.cards.deck import CardError
from mccfr.errors import quoted
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table, TableError

MOST_TEXT = 100  # characters of cards: a board with spaces has fourteen
CARD = re.compile(r"\S\S?")


def read_cards(table: Table, given: Any, what: str) -> tuple[int, ...]:
    """Cards from "AsKs", "As Ks" or ["As", "Ks"]; they must be of the table's deck, and differ."""
    text = " ".join(given) if isinstance(given, list) and all(isinstance(each, str) for each in given) else given
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise TableError(f"{what} must be cards, as in 'AsKs' or ['As', 'Ks'], got {quoted(given)}")
    try:
        found = tuple(table.deck.card(card) for card in CARD.findall(text))
    except CardError as error:
        raise TableError(f"{what}: {error}") from None
    return require_different(table, found, what)


def require_different(table: Table, cards: tuple[int, ...], what: str) -> tuple[int, ...]:
    """Refuse a card that is there twice."""
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise TableError(f"{what}: {card_text(table, (card,))} is there twice")
    return cards


def card_text(table: Table, cards: Iterable[int]) -> str:
    """Cards without spaces, `AsKs`."""
    return board_name(cards, table.suits).replace(" ", "")


def require_count(table: Table, cards: Sequence[int], expected: int, what: str) -> None:
    """Refuse too few or too many cards."""
    if len(cards) != expected:
        raise TableError(f"{what} has {len(cards)} cards, expected {expected}")


def seen_from(table: Table, seat: int, hole: Sequence[int], board: Sequence[int], moves: Sequence[Any]) -> Seen:
    """What the player in a seat sees after these moves; cards must differ and be as many as the street has."""
    s = table.start
    for move in moves:
        s = table.play(s, move)
    require_count(table, hole, 2, "the hand")
    require_count(table, board, table.board_size(s.street), f"the board after {s.line!r}" if s.line else "the board")
    require_different(table, (*hole, *board), "hand and board")
    return Seen(table, seat, tuple(hole), tuple(board), s, tuple(moves))
