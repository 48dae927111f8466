"""Two nodes of hold'em class by class: how frequencies, EVs and equities differ between lines or strategies."""

from typing import Any

from mccfr.errors import StrategyError
from mccfr.evaluate.node_view import ClassView, NodeView
from mccfr.web.node_lines import kind_of
from mccfr.web.range_nodes import Book, cells_of, filtered, plain

KINDS = {"fold": "fold", "pass": "check or call", "bet": "bet or raise", "all-in": "all-in"}


def difference_page(
    one: Book, line: str, player: int | None, other: Book, other_line: str, other_player: int | None, chosen: str
) -> dict[str, Any]:
    """The second node less the first, for every class that both players come there with.

    Where both nodes offer the same moves, frequencies are compared move by move, otherwise by kinds of moves.
    """
    views = one.view(one.place(line).line), other.view(other.place(other_line).line)
    if (views[0].ranks, views[0].suits) != (views[1].ranks, views[1].suits):
        raise StrategyError("these strategies are of different decks: they cannot be compared hand by hand")
    players = [
        view.mover or 0 if given is None else given for view, given in zip(views, (player, other_player), strict=True)
    ]
    first, second = (filtered(view, p, chosen, "") for view, p in zip(views, players, strict=True))
    columns = _columns(first, players[0], second, players[1])
    mine, theirs = first.classes(players[0]), second.classes(players[1])
    totals = [_by_column(view.frequencies(), columns) if columns else [] for view in (first, second)]
    return {
        "lines": [first.line, second.line],
        "players": players,
        "columns": columns,
        "totals": [plain(b - a) for a, b in zip(*totals, strict=True)] if columns else [],
        "cells": [
            {**_place(cell), **_difference(mine[cell["hand"]], theirs[cell["hand"]], columns)}
            for cell in cells_of(first, players[0])
            if cell["hand"] in theirs
        ],
        "only": [sorted(mine.keys() - theirs.keys()), sorted(theirs.keys() - mine.keys())],
    }


def _columns(first: NodeView, player: int, second: NodeView, other: int) -> list[str]:
    """What frequencies are compared by: moves, or kinds of moves; nothing if one of the players does not move."""
    if first.mover != player or second.mover != other:
        return []
    if first.actions == second.actions:
        return list(first.actions)
    offered = {kind_of(action) for action in (*first.actions, *second.actions)}
    return [words for kind, words in KINDS.items() if kind in offered]


def _by_column(often: dict[str, float], columns: list[str]) -> list[float]:
    """Frequencies by moves or by kinds."""
    if columns == list(often):
        return list(often.values())
    return [sum(p for action, p in often.items() if KINDS[kind_of(action)] == words) for words in columns]


def _place(cell: dict[str, Any]) -> dict[str, Any]:
    return {name: cell[name] for name in ("hand", "row", "column")}


def _difference(one: ClassView, other: ClassView, columns: list[str]) -> dict[str, Any]:
    moves = [b - a for a, b in zip(_by_column(one.frequency, columns), _by_column(other.frequency, columns))]
    return {
        "frequency": [plain(x) for x in moves],
        "moved": plain(sum(map(abs, moves)) / 2),  # total variation distance
        "ev": plain(other.ev - one.ev),
        "equity": plain(other.equity - one.equity),
        "combos": other.combos - one.combos,
    }
