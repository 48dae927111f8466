"""A position at a table as a tree of hold'em with every card."""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import BettingTree
from mccfr.betting.lines import State
from mccfr.cards.boards import board_name
from mccfr.games.streets import Streets
from mccfr.playing.table import Table
from mccfr.tree.budget import memory_limit
from mccfr.tree.street_boards import deal_chances, hand_deck, list_boards
from mccfr.tree.street_build import MOST_BOARDS, StreetPlan
from mccfr.tree.street_lines import lay_lines
from mccfr.tree.street_tree import StreetTree, pair_sum

Floats = npt.NDArray[np.float64]
LEAST = 1e-6  # of the largest weight: every hand stays in the tree, so that whoever asks about it gets an answer


class BoardPosition(NamedTuple):
    """A public state at a table, as the player who re-solves it knows it.

    Attributes:
        board: The cards on the table, in the order in which they came.
        state: Where betting stands at the start of the position.
        player: Who re-solves.
        ranges: [2, hands of the deck] P(moves so far | hand) of both seats; 0 for hands that share a card with the
            board.
        alternatives: [hands of the deck] alt(j): what the opponent gets on average in the strategy so far when it
            holds j and the game comes here, in chips; 0 for hands that share a card with the board.
    """

    board: tuple[int, ...]
    state: State
    player: int
    ranges: Floats
    alternatives: Floats

    @property
    def opponent(self) -> int:
        """The other player."""
        return 1 - self.player


class PositionGame(NamedTuple):
    """The rules of a position, for a tree; its name is a board and the chips in the pot."""

    rules: Streets

    def streets(self) -> Streets:
        """The cards and the betting."""
        return self.rules

    def __str__(self) -> str:
        return f"position({board_name(self.rules.board, self.rules.suits)!r}, pot={self.rules.pot:g})"


def free_hands(table: Table, board: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """[hands of the deck] whether a hand shares no card with the board."""
    return ~hand_deck(table.ranks, table.suits).blocked(board)


def floored(weights: Floats, free: npt.NDArray[np.bool_]) -> Floats:
    """Weights of hands whose largest is 1 and which no free hand lacks; all alike where there are none."""
    largest = float(weights[free].max(initial=0.0))
    return np.where(free, np.maximum(weights / largest, LEAST) if largest > 0.0 else 1.0, 0.0)


def lay_out_position(
    table: Table, board: tuple[int, ...], street: int, weights: tuple[Floats, Floats], betting: BettingTree
) -> StreetTree:
    """The tree of a board, weights of both players' hands and a betting tree. Every hand that is free has a weight."""
    deals = tuple(table.deals[street:])
    rules = Streets(table.ranks, table.suits, board, deals, weights, betting.betting)
    game, deck = PositionGame(rules), hand_deck(table.ranks, table.suits)
    pairs = pair_sum(deck, *weights)
    laid = lay_lines(betting, deal_chances(deck.count, len(board), deals) / pairs)
    free = free_hands(table, board)
    plan = StreetPlan(str(game), game, rules, _memory(), False, deck, betting, laid, pairs, (free, free))
    listed = list_boards(deck, board, deals, plan.keeps, MOST_BOARDS)
    assert not isinstance(listed, int)
    return plan.tree(listed)


@functools.cache
def _memory() -> int:
    return memory_limit(None)
