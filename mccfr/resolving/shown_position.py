"""A decision at a hold'em table that was re-solved, for people: what each class of hands does, and the range."""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import OVER, Move
from mccfr.cards.deck import CLASS_OF_HAND, CLASSES
from mccfr.cards.grid import grid_table
from mccfr.playing.agents import known_policy
from mccfr.playing.table import Table
from mccfr.resolving.gadgets import ResolvingError
from mccfr.resolving.table_policy import ResolvingPolicy

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from mccfr.resolving.position_solving import SolvedPosition

Floats = npt.NDArray[np.float64]


class ShownPosition(NamedTuple):
    """A decision, what the re-solving player does with each hand, and how it was solved."""

    agent: str
    table: Table
    line: str
    board: tuple[int, ...]
    player: int
    pot: int  # chips in the middle
    asked: int  # chips to call
    range: Floats  # [hands of the deck] how likely the player plays to here with each
    odds: dict[Move, Floats]  # [hands of the deck] of each move
    solution: "SolvedPosition"

    @property
    def frequencies(self) -> dict[Move, float]:
        """How often each move is made with the whole range."""
        total = max(float(self.range.sum()), 1e-300)
        return {move: float(self.range @ p) / total for move, p in self.odds.items()}

    def hands(self) -> list[dict[str, Any]]:
        """Every hand of the range with its weight and its moves, the likeliest first."""
        order = np.argsort(-self.range, kind="stable")
        deck = self.table.deck
        return [
            {
                "hand": deck.hand_name(hand),
                "range": float(self.range[hand]),
                "strategy": {move.text: float(p[hand]) for move, p in self.odds.items()},
            }
            for hand in order.tolist()
            if self.range[hand] > 0.0
        ]

    def grids(self) -> "list[Grid]":
        """The range and each move as 13 x 13 grids; none for smaller decks, whose classes are others."""
        if self.table.deck.hands != len(CLASS_OF_HAND):
            return []
        weight, combos = _by_class(self.range), _by_class((self.range > 0.0).astype(np.float64))
        found = [grid_table(_mean(weight, combos), "range: how likely each hand comes here", low=0.0)]
        for move, p in self.odds.items():
            made = _mean(_by_class(self.range * p), weight)
            found.append(grid_table(made, f"{move.text}: how often", low=0.0, high=1.0))
        return found


def _by_class(weights: Floats) -> Floats:
    """[169] The sum over the hands of each class."""
    return np.asarray(np.bincount(CLASS_OF_HAND, weights, CLASSES), np.float64)


def _mean(total: Floats, weight: Floats) -> Floats:
    """total / weight; nothing where there is no weight."""
    return np.divide(total, weight, out=np.full(len(total), math.nan), where=weight > 0.0)


def show_position(agent: str, line: str, board: str) -> ShownPosition:
    """Re-solve the decision after a line on a board; refuses what is over, or comes before re-solving begins."""
    policy = known_policy(agent)
    if not isinstance(policy, ResolvingPolicy):
        raise ResolvingError(f"{agent} does not re-solve: write {agent}+resolve(river)")
    table = policy.table
    s, _ = table.at(line)
    if s.mover == OVER:
        raise ResolvingError(f"line {line!r}: the hand is over, so there is nothing to solve")
    if s.street < policy.first:
        raise ResolvingError(
            f"line {line!r} stands on street {s.street + 1} of {table.streets}, and {agent} re-solves from street "
            f"{policy.first + 1} on; before that it plays its blueprint, which mccfr show prints"
        )
    cards, need = table.deck.read_cards(board), table.board_size(s.street)
    if len(cards) != need:
        raise ResolvingError(f"board {board!r} has {len(cards)} cards, and the line {line!r} needs {need}")
    solution = policy.solution(cards, s)
    odds = policy.odds_on(cards, s)
    came = np.where(solution.free, solution.position.ranges[s.mover], 0.0)  # none of its moves lie since the start
    pot, asked = sum(s.stakes), max(s.stakes) - s.stakes[s.mover]
    return ShownPosition(policy.name, table, line, cards, s.mover, pot, asked, came, odds, solution)
