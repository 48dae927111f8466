"""A node of a hold'em strategy as plain data: line, moves, cards to come, both ranges, the grid, and single hands."""

import dataclasses
import functools
import math
import threading
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

import mccfr
from mccfr.cards.deck import RANKS
from mccfr.cards.evaluator import category, rank_deck
from mccfr.cards.ranges import Range, deck_of
from mccfr.errors import StrategyError, quoted
from mccfr.evaluate.node_view import HandView, NodeView, Runout
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_infosets import BucketInfosets
from mccfr.web.bucket_reader import BucketReader
from mccfr.web.node_lines import Place
from mccfr.web.preflop_reader import PreflopReader
from mccfr.web.spot_reader import SpotReader

SPOTS, PREFLOP, DEALT = ("spot", "holdem"), "nlph", "dealt:"
KEPT = 64  # nodes of a strategy that are kept: a quarter of a megabyte each
QUICK = 2**24  # table entries: up to here exploitability is measured at once
WIDEST = 1326  # hands that are told at once
MADE = (
    *("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house"),
    *("four of a kind", "straight flush"),
)


class Reader(Protocol):
    """What reads the nodes of one strategy."""

    seats: tuple[str, str]
    why_no_ev: str | None

    def place(self, line: str) -> Place:
        """Where a line leads."""

    def view(self, line: str) -> NodeView:
        """What is there."""

    def kinds_of_cards(self, line: str) -> list[list[str]]:
        """The cards that can come next, those that are alike together."""


def has_grid(game: str) -> bool:
    """Whether a game is hold'em, whose hands make a grid."""
    return game.removeprefix(DEALT).partition("(")[0] in (*SPOTS, PREFLOP)


def reader_of(strategy: Strategy) -> Reader:
    """What reads a strategy of hold'em; others are refused."""
    if not has_grid(strategy.game):
        raise StrategyError(f"a strategy of {strategy.game} has no grid: only games with two hole cards have one")
    if isinstance(strategy.infosets, BucketInfosets):
        return BucketReader(strategy)
    if strategy.game.removeprefix(DEALT).partition("(")[0] == PREFLOP:
        return PreflopReader(strategy)
    return SpotReader(strategy)


class Book:
    """A strategy that is being looked at: one node at a time, and nodes that were looked at before at once."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self._reading = strategy, threading.Lock()
        self.reader = reader_of(strategy)
        self._view = functools.lru_cache(KEPT)(self.reader.view)

    def view(self, line: str) -> NodeView:
        """A node; sweeps share their room, so that one is made at a time."""
        with self._reading:
            return self._view(line)

    def place(self, line: str) -> Place:
        """Where a line leads."""
        return self.reader.place(line)

    def runouts(self, line: str) -> list[Runout]:
        """What every card that can come next does: of spots, as much work as one node at the start."""
        if not isinstance(self.reader, SpotReader):
            raise StrategyError("what each card does is worked out for spots only")
        with self._reading:
            return self.reader.runouts(line)

    @functools.cached_property
    def exploitability(self) -> float | None:
        """Of the whole strategy, if it is measured quickly."""
        if isinstance(self.reader, BucketReader) or self.strategy.infosets.entries > QUICK:
            return None
        return mccfr.exploitability(self.strategy)


def node_page(book: Book, line: str, player: int | None, chosen: str, made: str) -> dict[str, Any]:
    """One node: everything but single hands. `chosen` is a range and `made` a made hand to which it is restricted."""
    place = book.place(line)
    whole = book.view(place.line)
    shown = whole.mover or 0 if player is None else player
    view = filtered(whole, shown, chosen, made)
    origin = book.strategy.origin
    return {
        "game": book.strategy.game,
        "method": origin.method,
        "iterations": origin.iterations,
        "line": place.line,
        "steps": [step._asdict() for step in place.steps],
        "board": whole.board.split(),
        "pot": whole.pot,
        "mover": whole.mover,
        "player": shown,
        "seats": list(book.reader.seats),
        "why_no_ev": book.reader.why_no_ev,
        "over": place.over,
        "choices": _choices(place, view, shown),
        "cards": place.cards,
        "kinds": book.reader.kinds_of_cards(place.line) if place.cards else [],
        "ranks": RANKS[: whole.ranks][::-1],
        "suits": whole.suits,
        "made": list(MADE) if len(whole.board.split()) >= 3 else [],
        "filtered": bool(chosen or made),
        "players": [_player(filtered(whole, p, chosen, made) if p == shown else whole, p) for p in (0, 1)],
        "cells": cells_of(view, shown),
    }


def _choices(place: Place, view: NodeView, player: int) -> list[dict[str, Any]]:
    often = view.frequencies() if view.mover == player else {}
    return [{**choice._asdict(), "frequency": plain(often.get(choice.action, math.nan))} for choice in place.choices]


def _player(view: NodeView, player: int) -> dict[str, Any]:
    numbers = {"combos": view.combos(player), "ev": view.mean_ev(player), "equity": view.mean_equity(player)}
    return {name: plain(value) for name, value in numbers.items()}


def filtered(view: NodeView, player: int, chosen: str, made: str) -> NodeView:
    """A node where a player has only the hands of a range, or those that make a certain hand with the board."""
    if not chosen and not made:
        return view
    wanted = Range.parse(chosen, view.ranks, view.suits).weights > 0 if chosen else np.ones(view.reach.shape[1], bool)
    if made:
        wanted = wanted & (made_hands(view) == made)
    reach, weight = view.reach.copy(), view.weight.copy()
    reach[player] *= wanted
    weight[player] *= wanted
    return dataclasses.replace(view, reach=reach, weight=weight)


def made_hands(view: NodeView) -> npt.NDArray[np.str_]:
    """[hands] what each hand makes with the board as it lies; empty for hands that the board leaves out."""
    board = deck_of(view.ranks, view.suits).read_cards(view.board)
    if len(board) < 3:
        raise StrategyError("made hands need a board of three cards or more")
    strengths = rank_deck(board, view.ranks, view.suits)
    return np.array([category(int(each)) if each >= 0 else "" for each in strengths])


def cells_of(view: NodeView, player: int) -> list[dict[str, Any]]:
    """The grid: every class that the player comes here with."""
    ranks, free = RANKS[: view.ranks][::-1], _free(view)
    names = {RANKS[high] + RANKS[low] + kind: hands for (high, low, kind), hands in view.deck.classes.items()}
    cells = []
    for name, found in view.classes(player).items():
        high, low = ranks.index(name[0]), ranks.index(name[1])
        possible = int(np.count_nonzero(free[names[name]]))
        row, column = (low, high) if name.endswith("o") else (high, low)
        cells.append({
            "hand": name,
            "row": row,
            "column": column,
            "combos": found.combos,
            "possible": possible,
            "fill": found.combos / possible if possible else 0.0,
            "ev": plain(found.ev),
            "equity": plain(found.equity),
            "frequency": [plain(p) for p in found.frequency.values()],
        })  # fmt: skip
    return cells


def _free(view: NodeView) -> npt.NDArray[np.bool_]:
    """[hands] which hands the board leaves possible."""
    return np.asarray(~np.isin(view.deck.hand_cards, view.deck.read_cards(view.board)).any(axis=1))


def hands_page(book: Book, line: str, player: int | None, hand: str, made: str) -> dict[str, Any]:
    """Single hands of a node, written as a range: the combos of a class, or all of `QQ+,AK`."""
    view = book.view(book.place(line).line)
    shown = view.mover or 0 if player is None else player
    rows = [row for row in filtered(view, shown, "", made).hands(shown, hand) if row.reach > 0]
    words = _made_of(view)
    return {
        "line": view.line,
        "player": shown,
        "hand": hand,
        "actions": list(view.actions) if view.mover == shown else [],
        "total": len(rows),
        "rows": [_row(row, words) for row in rows[:WIDEST]],
    }


def _made_of(view: NodeView) -> dict[str, str]:
    if len(view.board.split()) < 3:
        return {}
    words = made_hands(view)
    return {view.deck.hand_name(hand): str(words[hand]) for hand in np.flatnonzero(words != "").tolist()}


def _row(row: HandView, words: dict[str, str]) -> dict[str, Any]:
    return {
        "hand": row.hand,
        "reach": row.reach,
        "weight": row.weight,
        "equity": plain(row.equity),
        "ev": plain(row.ev),
        "frequency": [plain(p) for p in row.frequency.values()],
        "action_ev": [plain(x) for x in row.action_ev.values()],
        "made": words.get(row.hand, ""),
    }


def runouts_page(book: Book, line: str) -> dict[str, Any]:
    """The cards that can come next, as `mccfr show --runouts` prints them."""
    rows = book.runouts(line)
    return {
        "line": line,
        "mover": rows[0].mover,
        "moves": [NodeView.spoken(action) for action in rows[0].frequency],
        "actions": list(rows[0].frequency),
        "rows": [
            {
                "cards": row.cards,
                "chance": plain(row.chance),
                "ev": [plain(x) for x in row.ev],
                "equity": [plain(x) for x in row.equity],
                "frequency": [plain(p) for p in row.frequency.values()],
            }
            for row in rows
        ],
    }


def exploitability_page(book: Book) -> dict[str, Any]:
    """How much a best response wins against the whole strategy, and which share of the pot that is."""
    found = book.exploitability
    pot = None if found is None else book.strategy.tree.pot
    return {"exploitability": found, "of_pot": found / pot if found is not None and pot else None}


def check_made(made: str) -> str:
    """A made hand by its name."""
    if made and made not in MADE:
        raise StrategyError(f"no made hand {quoted(made)}: they are {', '.join(MADE)}")
    return made


def plain(value: float) -> float | None:
    """Without NaN, which is not JSON."""
    return float(value) if math.isfinite(value) else None
