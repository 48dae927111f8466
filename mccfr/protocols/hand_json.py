"""Hands as JSON, one object to a line: for programs, and for tables that PHH has no words for."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mccfr.betting.lines import NOBODY
from mccfr.betting.structures import Limit
from mccfr.errors import as_path
from mccfr.files.container import atomic
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import Table
from mccfr.protocols.acpc_text import betting_text
from mccfr.protocols.phh import ReadHand
from mccfr.protocols.shown_cards import card_text


def hand_document(hand: HandRecord, chips: tuple[float, float] | None = None) -> dict[str, Any]:
    """A hand as values of JSON; null for cards and results that are not known."""
    if chips is None and (hand.state.folded != NOBODY or all(hand.holes)):
        chips = hand.chips
    return {
        "hand": hand.number,
        "names": list(hand.names),
        "table": table_document(hand.table),
        "holes": [card_text(hand.table, hole) or None for hole in hand.holes],
        "board": card_text(hand.table, hand.board),
        "line": hand.line,
        "acpc": betting_text(hand.table, hand.moves),
        "chips": None if chips is None else list(chips),
    }


def table_document(table: Table) -> dict[str, Any]:
    """The rules of a table as values of JSON."""
    rules = table.betting
    small, big = rules.posted
    sizes = {"bets": [size for size, _ in rules.by_street]} if isinstance(rules, Limit) else {"stack": rules.stack}
    return {
        "betting": str(rules),
        "limit": isinstance(rules, Limit),
        "blinds": [small, big],
        "ante": rules.ante,
        **sizes,
        "ranks": table.ranks,
        "suits": table.suits,
        "board": list(table.deals),
    }


def json_lines(hands: Iterable[ReadHand]) -> Iterator[str]:
    """A line for each hand."""
    for each in hands:
        yield json.dumps(hand_document(each.hand, each.chips), ensure_ascii=True) + "\n"


def write_json_lines(path: Any, hands: Iterable[ReadHand]) -> None:
    """Write hands to a file, an object to a line.

    Args:
        path: The file to write.
        hands: The hands with their results.

    Raises:
        FileError: The file cannot be written.
    """
    with atomic(as_path(path, "a file of hands")) as file:
        for line in json_lines(hands):
            file.write(line.encode())
