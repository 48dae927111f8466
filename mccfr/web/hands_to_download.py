"""The hands of a game as a file that the page downloads: PHHS where that can be written, otherwise lines of JSON."""

import json
from collections.abc import Sequence
from typing import Any

from mccfr.errors import MccfrError
from mccfr.playing.played_hand import HandRecord
from mccfr.protocols.phh_writing import phhs_text


def written_hands(records: Sequence[HandRecord]) -> tuple[str, str]:
    """Name and text of a file of hands."""
    phhs = as_phhs(records)
    if phhs is not None:
        return "hands.phhs", phhs
    return "hands.jsonl", "".join(json.dumps(plain_hand(record)) + "\n" for record in records)


def as_phhs(records: Sequence[HandRecord]) -> str | None:
    """Hands in the format that other programs read; None for tables that it cannot express."""
    try:
        return "".join(phhs_text(records))
    except MccfrError:
        return None


def plain_hand(record: HandRecord) -> dict[str, Any]:
    """A hand as an object of plain values; of pairs the big blind's comes first."""
    deck = record.table.deck
    return {
        "hand": record.number,
        "table": repr(record.table),
        "players": list(record.names),
        "holes": ["".join(deck.card_name(card) for card in hole) for hole in record.holes],
        "board": "".join(deck.card_name(card) for card in record.board),
        "line": record.line,
        "chips": list(record.chips),
    }
