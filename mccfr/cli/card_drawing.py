"""Cards drawn in a terminal."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mccfr.playing.hand_words import cards_text
from mccfr.playing.table import Table

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = {"c": "green", "d": "blue", "h": "red", "s": "bold"}
HIDDEN = "??"


def can_draw() -> bool:
    """Whether the terminal has the characters."""
    return (sys.stdout.encoding or "ascii").lower().startswith("utf")


def drawn_cards(table: Table, cards: Sequence[int], empty: int = 0) -> "Text":
    """Cards side by side in boxes, three lines high, and so many places for cards to come."""
    from rich.text import Text

    top, middle, bottom = Text(), Text(), Text()
    for card in cards:
        name, shown = cards_text(table, [card]), cards_text(table, [card], symbols=True)
        top.append("┌───┐ ", "dim")
        middle.append("│", "dim").append(f"{shown} ", COLOURS[name[1]]).append("│ ", "dim")
        bottom.append("└───┘ ", "dim")
    for _ in range(empty):
        top.append("┌┄┄┄┐ ", "dim")
        middle.append("┆   ┆ ", "dim")
        bottom.append("└┄┄┄┘ ", "dim")
    return Text("\n").join([top, middle, bottom])
