"""From a game of streets to its tree: how large it is, which suits may be exchanged, what is locked."""

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import LIMIT, BettingTree, build_tree
from mccfr.cards.evaluator import rank_deck
from mccfr.errors import GameError, TreeError, quoted
from mccfr.games.base import game_text
from mccfr.games.streets import Lock, StreetGame, Streets
from mccfr.kernel.street_layout import Free, Locked
from mccfr.tree.budget import memory_limit, require, size_text
from mccfr.tree.street_boards import (
    Board,
    Exchange,
    HandDeck,
    LaidBoards,
    deal_chances,
    hand_deck,
    lay_boards,
    list_boards,
)
from mccfr.tree.street_lines import LaidLines, lay_lines
from mccfr.tree.street_tree import StreetTree, need, pair_sum
from mccfr.tree.tree import Floats

NODE_BYTES = 200  # of a betting node, while lines are laid out
MOST_BOARDS = 2_000_000

Held = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]  # which hands each player may hold


class StreetPlan(NamedTuple):
    """A game of streets with its betting laid out; the boards are still to be listed."""

    text: str
    game: StreetGame
    rules: Streets
    most: int  # bytes that may be used
    limited: bool  # whether that was asked for
    deck: HandDeck
    betting: BettingTree
    laid: LaidLines
    pairs: float
    held: Held

    @property
    def keeps(self) -> tuple[Exchange, ...]:
        """The exchanges of suits that leave the game as it is."""
        return _kept(self.deck, self.rules)

    def require(self, listed: list[Board] | int, tables: bool = True) -> None:
        """Refuse boards, or so many of them, that need more memory than allowed; with tables or without."""
        hands = [int(mine.sum()) for mine in self.held]
        boards = listed if isinstance(listed, int) else len(listed)
        street = [self.laid.streets - 1] * boards if isinstance(listed, int) else [board.street for board in listed]
        entries = int((self.laid.entries[np.array(street)] * hands).sum()) if tables else 0
        needed = need(boards, sum(hands), entries, least=True)
        has = f"{boards:,} boards" + (f" and about {entries:,} table entries" if tables else "")
        require(needed, self.most, f"{self.text} has {has} and would need at least {size_text(needed)}")

    def tree(self, listed: list[Board]) -> StreetTree:
        """The tree with these boards."""
        boards, locks, given = lay_boards_of(self.rules, self.deck, self.betting, self.laid, self.held, listed)
        limit = self.most if self.limited else 0
        return StreetTree(
            self.text, self.game, self.rules, self.betting, self.laid, boards, self.pairs, locks, given, limit=limit
        )


def plan_streets(game: StreetGame, limit: str | float | None = None) -> StreetPlan:
    """The deck, the ranges and the betting of a game."""
    rules, text = game.streets(), game_text(game)
    most = memory_limit(limit)
    deck = hand_deck(rules.ranks, rules.suits)
    betting = build_tree(rules.betting, min(LIMIT, most // NODE_BYTES))
    free = ~deck.blocked(rules.board)
    weights = [np.where(free, given, 0.0) for given in rules.ranges]
    pairs = pair_sum(deck, weights[0], weights[1])
    if not pairs > 0:
        raise GameError(f"{text}: no two hands of these ranges can be held at the same time")
    laid = lay_lines(betting, deal_chances(deck.count, len(rules.board), rules.deals) / pairs)
    held = _may_hold(deck, weights[0], weights[1]), _may_hold(deck, weights[1], weights[0])
    return StreetPlan(text, game, rules, most, bool(limit), deck, betting, laid, pairs, held)


def lay_boards_of(
    rules: Streets, deck: HandDeck, betting: BettingTree, laid: LaidLines, held: Held, listed: list[Board]
) -> tuple[LaidBoards, Free | Locked, Any]:
    """Boards laid out for the betting of a game, and what is locked on them."""
    strengths = functools.partial(rank_deck, ranks=rules.ranks, suits=rules.suits)
    boards = lay_boards(deck, listed, held, laid.entries, lambda cards: strengths(cards))
    return boards, *_lay_locks(rules, betting, laid, boards)


def lay_out_streets(game: StreetGame, limit: str | float | None = None, tables: bool = True) -> StreetTree:
    """The street tree of a game; refused before it is built where it, and tables if wanted, need too much memory."""
    plan = plan_streets(game, limit)
    listed = list_boards(plan.deck, plan.rules.board, plan.rules.deals, plan.keeps, MOST_BOARDS)
    plan.require(listed, tables)
    assert not isinstance(listed, int)
    return plan.tree(listed)


def _may_hold(deck: HandDeck, mine: Floats, other: Floats) -> npt.NDArray[np.bool_]:
    """The hands of a player that some hand of the other one leaves possible."""
    by_card = np.bincount(deck.low, other, deck.count) + np.bincount(deck.high, other, deck.count)
    against = other.sum() - by_card[deck.low] - by_card[deck.high] + other
    return np.asarray((mine > 0) & (against > 1e-12 * other.sum()))


def _kept(deck: HandDeck, rules: Streets) -> tuple[Exchange, ...]:
    """The exchanges of suits that leave ranges and locks as they are."""

    def keeps(one: Exchange) -> bool:
        same = all(np.array_equal(weights[one.hands], weights) for weights in rules.ranges)
        return same and all(
            lock.cards is None and np.array_equal(lock.strategy[one.hands], lock.strategy) for lock in rules.locks
        )

    first, *others = deck.exchanges()
    return (first, *(one for one in others if keeps(one)))


def _lay_locks(rules: Streets, betting: BettingTree, laid: LaidLines, boards: LaidBoards) -> tuple[Free | Locked, Any]:
    """Which nodes are locked on which boards, and the strategies there, in lanes; -1 where nothing is given."""
    if not rules.locks:
        return Free(), None
    streets = boards.street
    sizes = np.array([len(laid.nodes_of(street)) for street in range(laid.streets)])[streets]
    start = np.concatenate(([0], np.cumsum(sizes)))
    mark = np.zeros(int(start[-1]), np.uint8)
    counts = np.diff(boards.boards.start.astype(np.int64)).reshape(-1, 2) * laid.entries[streets]
    given = np.full(int(counts.sum()), -1.0)
    for lock in rules.locks:
        node = betting.find(lock.line)
        street = int(betting.street[node]) - int(betting.street[0])
        nodes = laid.nodes_of(street)
        at = nodes.start + int(np.flatnonzero(laid.origin[nodes.start : nodes.stop] == node)[0])
        for board in _boards_of(lock, rules, boards, street):
            mark[start[board] + at - nodes.start] = 1
            _give(given, lock, laid, boards, board, at)
    return Locked(start[:-1].astype(np.uint32), mark), given


def _boards_of(lock: Lock, rules: Streets, boards: LaidBoards, street: int) -> Iterator[int]:
    """The boards on which a lock holds; its cards came in their order."""
    for number, board in enumerate(boards.listed):
        dealt = board.cards[len(rules.board) :]
        if board.street == street and (lock.cards is None or lock.cards == dealt):
            yield number


def _give(given: Floats, lock: Lock, laid: LaidLines, boards: LaidBoards, board: int, at: int) -> None:
    player = int(laid.kind[at])
    hands = boards.members[2 * board + player]
    base = int(boards.boards.base[4 * board + 2 * player]) + int(laid.entry[at]) * len(hands)
    block = lock.strategy[hands].T
    if block.shape[0] != int(laid.arity[at]):
        raise TreeError(f"the lock at {quoted(lock.line)} has {block.shape[0]} actions, expected {int(laid.arity[at])}")
    given[base : base + block.size] = block.reshape(-1)
