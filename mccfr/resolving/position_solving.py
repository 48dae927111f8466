"""A position at a table, solved: to a share of the pot, by so many iterations, or by as many as fit into a time.

The method is that of `quick_solve`, DCFR+ in float32. To a share of the pot, all positions are solved equally well, and
the same position always comes to the same solution.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import build_tree
from mccfr.betting.lines import Move, State
from mccfr.betting.sizes import Size
from mccfr.playing.policy import Odds
from mccfr.playing.table import Table
from mccfr.resolving.budgets import Budget
from mccfr.resolving.gadgets import Gadget
from mccfr.resolving.node_values import arrive
from mccfr.resolving.position_betting import Made, PositionBetting
from mccfr.resolving.position_tree import BoardPosition, floored, free_hands, lay_out_position
from mccfr.resolving.quick_solve import solve_quickly
from mccfr.tree.street_gates import gated

Floats = npt.NDArray[np.float64]
Clock = Callable[[], float]


class HowToSolve(NamedTuple):
    """What all positions of an agent have in common."""

    gadget: Gadget
    sizes: tuple[Size, ...]
    budget: Budget
    best: bool = False  # whether values after a move are those of a best response of the opponent
    clock: Clock = time.perf_counter


class SolvedPosition:
    """A position with its solution, which says what hands do and how both players' hands stand after a move."""

    def __init__(self, table: Table, position: BoardPosition, made: Made, how: HowToSolve, began: float) -> None:
        """Build the tree from where betting stands, with what was really bet there, and solve it.

        `began` is when somebody began to wait: what has passed since is taken off the time for iterations.
        """
        self.table, self.position, self.how = table, position, how
        self.free = free_hands(table, position.board)
        betting = build_tree(PositionBetting(table, position.state, how.sizes, made))
        weights = dealt_weights(position, self.free, how.gadget)
        tree = lay_out_position(table, position.board, position.state.street, weights, betting)
        theirs = position.alternatives[tree.boards.members[position.opponent]]
        self.tree = gated(tree, position.opponent, how.gadget.name, theirs)
        budget = how.budget
        self.solved = solve_quickly(
            self.tree,
            target=budget.target,
            iterations=budget.iterations,
            seconds=budget.left(how.clock() - began),
            clock=how.clock,
        )

    @property
    def size(self) -> int:
        """Bytes of what is kept, about."""
        return int(self.solved.lanes.nbytes) + 12 * len(self.tree.boards.boards.hands)

    def odds(self, moves: tuple[Move, ...]) -> Odds:
        """For each move of the player after these moves, [hands of the deck] its probability."""
        at = self._node(moves)
        offered = self.tree.betting.moves(at)
        found = np.full((len(offered), len(self.free)), 1.0 / len(offered))
        found[:, self.tree.boards.members[self.position.player]] = self.solved.at(self._laid(at, 0))
        return dict(zip(offered, found))

    def after(self, moves: tuple[Move, ...], state: State, board: tuple[int, ...]) -> BoardPosition:
        """The position after moves, and after cards if they end a street, as it follows from the solution."""
        tree, before = self.tree, self.position
        new = board[len(before.board) :]
        number, turned = tree.boards.find([new] if new else [])
        node = self._laid(self._node(moves), int(bool(new)))
        found = arrive(tree, self.solved.lanes, before.opponent, node, number, turned, self.how.best)
        weights = np.array(tree.rules.ranges)
        share = np.divide(found.reach, weights, out=np.zeros_like(weights), where=weights > 0.0)
        return BoardPosition(board, state, before.player, before.ranges * share, found.worth)

    def _node(self, moves: tuple[Move, ...]) -> int:
        """The node of the betting tree after moves."""
        betting, node = self.tree.betting, 0
        for move in moves:
            node = next(child for child in betting.children(node) if betting.move(child) == move)
        return node

    def _laid(self, at: int, street: int) -> int:
        """The node of the tree, on its first street or the next, that a node of its betting is."""
        nodes = self.tree.laid.nodes_of(street)
        return nodes.start + int(np.flatnonzero(self.tree.laid.origin[nodes.start : nodes.stop] == at)[0])


def dealt_weights(position: BoardPosition, free: npt.NDArray[np.bool_], gadget: Gadget) -> tuple[Floats, Floats]:
    """How often hands are dealt: by both ranges, behind a safe gadget with 1 for every hand of the opponent."""
    first, second = (
        np.where(free, 1.0, 0.0) if gadget.safe and p == position.opponent else floored(position.ranges[p], free)
        for p in (0, 1)
    )
    return first, second
