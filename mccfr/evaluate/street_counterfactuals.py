"""Counterfactual values at a public node of hold'em with every card: what re-solving a position has to know.

At a node, for hand j of a player, against the reaches r(h) of the other player's hands (range times own probabilities):

    w(j) = sum of r(h) over hands h that share no card with j or the board
    v(j) = sum of r(h) u(h, j) over the same hands, u(h, j) being the expected chips from here on, over cards and moves
    alt(j) = v(j) / w(j)

where payoffs are counted as the tree counts them. v is what both strategies come to, or what the player's best response
comes to, below the node. What the player itself did before does not count in either.

A gift is what the player gave away at an earlier decision on the way to the node, when it held j: what its best action
was worth less what the one it took was worth, both by best responses and conditional on coming to that decision.
[Brown and Sandholm 2017] add gifts counted by the reach of that decision, which later actions and cards make larger
than this; as it is here, all positions that follow may be solved again, and each may count the whole gift.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import StrategyError
from mccfr.evaluate.street_reading import only_towards
from mccfr.evaluate.street_sweeps import AnyTable, StreetSweeps
from mccfr.evaluate.street_values import StreetEvaluator
from mccfr.kernel.layout import u64
from mccfr.kernel.street_actors import BEST_VALUE, FOLLOW_STRATEGY, Judging
from mccfr.kernel.street_layout import CHILD, NODE_WORDS
from mccfr.strategy.strategy import Strategy
from mccfr.tree.street_boards import deal_chances
from mccfr.tree.street_gates import reach_against
from mccfr.tree.street_lines import FIRST_NODES, SEGMENT
from mccfr.tree.street_tree import StreetTree

Floats = npt.NDArray[np.float64]
NOTHING = 1e-12  # of all reaches: what is left after taking off hands that share cards, where all do


class HandValues(NamedTuple):
    """What the hands of a player are worth at a node, in the order of `tree.boards.members[2 * board + player]`."""

    against: Floats  # w(j)
    value: Floats  # v(j)

    @property
    def worth(self) -> Floats:
        """alt(j) in chips; 0 for hands that meet no hand of the other player."""
        return np.divide(self.value, self.against, out=np.zeros_like(self.value), where=self.against > 0)


class StreetCounterfactuals:
    """Reads reaches and counterfactual values of one strategy of a street tree, at any of its public nodes."""

    def __init__(self, tree: StreetTree, table: AnyTable, workers: int = 1) -> None:
        self.tree, self.table = tree, table
        self.sweeps = StreetSweeps(tree, np.float64, workers)
        rules = tree.rules
        self.chances = deal_chances(rules.ranks * rules.suits, len(rules.board), rules.deals) / tree.pairs
        self._seen: dict[tuple[int, int, int, bool], tuple[Floats, Floats]] = {}

    def reaches(self, node: int, board: int = 0) -> tuple[Floats, Floats]:
        """Each player's reach of a node on a board, hand by hand: its range times its own probabilities."""
        reach = self._look(node, board, 0, False)[1]
        first, second = (reach[p, : len(self.tree.boards.members[2 * board + p])].copy() for p in (0, 1))
        return first, second

    def values(self, player: int, node: int, board: int = 0, best: bool = False) -> HandValues:
        """What a player's hands are worth at a node on a board, by the strategy or by a best response to it."""
        hands = self.tree.boards.members[2 * board + player]
        street = int(self.tree.boards.street[board])
        value = self._look(node, board, player, best)[0][: len(hands)] / self.chances[street]
        return HandValues(self._against(player, node, board), value)

    def gifts(self, player: int, node: int, board: int = 0) -> Floats:
        """[hands] What a player gave away on the way to a node, summed over its decisions there."""
        hands = self.tree.boards.members[2 * board + player]
        total = np.zeros(len(hands))
        for above, action, there in self._way(player, node, board):
            given = self._given(player, above, action, there)
            by_hand = np.zeros(len(self.tree.boards.deck.cards))
            by_hand[self.tree.boards.members[2 * there + player]] = given
            total += by_hand[hands]
        return total

    def _given(self, player: int, node: int, action: int, board: int) -> Floats:
        child = int(self.tree.laid.lines.nodes[node * int(NODE_WORDS) + int(CHILD)])
        best = self.values(player, node, board, best=True)
        hands = len(best.value)
        street = int(self.tree.boards.street[board])
        taken = self._look(child + action, board, player, True)[0][:hands] / self.chances[street]
        return HandValues(best.against, np.maximum(best.value - taken, 0.0)).worth

    def _way(self, player: int, node: int, board: int) -> Iterator[tuple[int, int, int]]:
        """The player's decisions before a node, the last first: node, action taken, board."""
        betting, laid, boards = self.tree.betting, self.tree.laid, self.tree.boards
        at = int(laid.origin[node])
        while at > 0:
            above = int(betting.parent[at])
            if int(betting.kind[above]) == player:
                street = int(betting.street[above]) - int(betting.street[0])
                while int(boards.street[board]) > street:
                    board = boards.listed[board].parent
                nodes = laid.nodes_of(street)
                here = nodes.start + int(np.flatnonzero(laid.origin[nodes.start : nodes.stop] == above)[0])
                yield here, at - int(betting.first_child[above]), board
            at = above

    def _against(self, player: int, node: int, board: int) -> Floats:
        """w(j), all hands of the other player less those that share a card."""
        other, boards = self.reaches(node, board)[1 - player], self.tree.boards
        weights = np.zeros(len(boards.deck.cards))
        weights[boards.members[2 * board + 1 - player]] = other
        found = reach_against(boards.deck, weights, boards.listed[board].cards)
        found = found[boards.members[2 * board + player]]
        return np.where(found > NOTHING * weights.sum(), found, 0.0)

    def _look(self, node: int, board: int, player: int, best: bool) -> tuple[Floats, Floats]:
        """What a node on a board is worth to a player, and both reaches; whole segments are kept."""
        segment = self.tree.laid.segment_of(node)
        key = board, segment, player, best
        if key not in self._seen:
            self._seen = {one: seen for one, seen in self._seen.items() if one[:2] == key[:2]}
            self._seen[key] = self._sweep(*key)
        first = int(self.tree.laid.lines.segments[FIRST_NODES::SEGMENT][segment])
        value, reach = self._seen[key]
        return value[node - first], reach[node - first]

    def _sweep(self, board: int, segment: int, player: int, best: bool) -> tuple[Floats, Floats]:
        """Sweep what lies below a board, and keep what is seen of a segment there."""
        starts, stride = self.tree.laid.lines.segments[FIRST_NODES::SEGMENT], self.tree.largest_infoset
        nodes = int(starts[segment + 1]) - int(starts[segment])
        value, reach = np.zeros((nodes, stride)), np.zeros((nodes, 2, stride))
        way = BEST_VALUE if best else FOLLOW_STRATEGY
        self.sweeps.boards = only_towards(self.tree, board)
        self.sweeps.sweep(
            Judging(way, u64(board), u64(segment), value.reshape(-1), reach.reshape(-1)), player, self.table
        )
        return value, reach


def counterfactuals(strategy: Strategy) -> StreetCounterfactuals:
    """Counterfactual values of a strategy of a spot, of hold'em, or of either behind a gate.

    Args:
        strategy: The strategy, of a game that is compiled to a `StreetTree`.

    Returns:
        What reads them, node by node; `tree.locate(line)` finds nodes and boards.

    Raises:
        StrategyError: If the game has no boards and ranges.

    Examples:
        >>> import mccfr
        >>> from mccfr.evaluate.street_counterfactuals import counterfactuals
        >>> spot = {"board": "2c 3d 4c 5d 6c", "oop": "all", "ip": "all", "bet": "a", "raise_": "a"}
        >>> tree = mccfr.compile(mccfr.spot(**spot, pot=10, stack=10, ranks=5, suits=2))
        >>> read = counterfactuals(mccfr.uniform(tree))
        >>> float(read.values(1, node=0).against.sum())
        30.0
    """
    tree = strategy.tree.streets
    if tree is None:
        raise StrategyError(f"{strategy.game} has no boards and ranges: counterfactual values are of spots and hold'em")
    evaluator = StreetEvaluator(tree, 1)
    evaluator.load(strategy.probabilities)
    return StreetCounterfactuals(tree, evaluator.table())
