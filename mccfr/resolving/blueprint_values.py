"""What a blueprint gives the opponent where re-solving begins: alt(j) of every hand, with every card.

The blueprint is followed by both players in the rest of the hand, each hand by its row of buckets, on the betting that
the blueprint has below its node. So these are exact values of the real game as long as all bets were in the blueprint's
tree. After other bets the node is the likeliest of those that the blueprint takes the betting for
(`mccfr.playing.translation`), and chips are those of the real pot; where the tree has no node at all, both players
check to the end.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import BettingTree
from mccfr.betting.lines import Move, State
from mccfr.playing.many_hands import BoardHands
from mccfr.playing.policy import Belief, StrategyPolicy, believe
from mccfr.playing.translation import LOST
from mccfr.resolving.blueprint_betting import betting_below, checked_down
from mccfr.resolving.node_values import arrive
from mccfr.resolving.position_tree import BoardPosition, floored, free_hands, lay_out_position
from mccfr.tree.street_tree import StreetTree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Followed(NamedTuple):
    """What a blueprint makes of the betting so far: both ranges, and where it stands in its own tree."""

    ranges: Floats  # [2, hands of the deck]
    node: int  # LOST if there is none


def first_position(
    blueprint: StrategyPolicy, board: tuple[int, ...], s: State, moves: tuple[Move, ...], player: int, best: bool
) -> BoardPosition:
    """The position at the beginning of a street, as it comes from the blueprint."""
    hands = BoardHands(blueprint.table, board)
    found = followed(blueprint, hands, s, moves, player)
    alternatives = blueprint_values(blueprint, hands, s, found, player, best)
    return BoardPosition(board, s, player, found.ranges, alternatives)


def followed(blueprint: StrategyPolicy, hands: BoardHands, s: State, moves: tuple[Move, ...], player: int) -> Followed:
    """Both ranges by Bayes from all moves so far, and the player's likeliest node."""
    free = free_hands(blueprint.table, hands.board)
    beliefs = [believe(blueprint, hands, moves, seat) for seat in (0, 1)]
    ranges = np.array([np.where(free, blueprint.reach(belief), 0.0) for belief in beliefs])
    return Followed(ranges, _likeliest(beliefs[player], free, blueprint.tree.betting, s))


def _likeliest(belief: Belief, free: npt.NDArray[np.bool_], tree: BettingTree, s: State) -> int:
    """The node that most of the range is at, if the same player moves there on the same street."""
    node = max(belief, key=lambda thought: float(thought.weight[free].sum())).node
    return node if node != LOST and (tree.kind[node], tree.street[node]) == (s.mover, s.street) else LOST


def blueprint_values(
    blueprint: StrategyPolicy, hands: BoardHands, s: State, found: Followed, player: int, best: bool = False
) -> Floats:
    """[hands of the deck] alt(j): what the opponent gets in the rest of the hand by the blueprint, or at best."""
    table, free = blueprint.table, free_hands(blueprint.table, hands.board)
    weights = [np.where(free, 1.0, 0.0)] * 2
    weights[player] = floored(found.ranges[player], free)
    if found.node == LOST:
        tree = lay_out_position(table, hands.board, s.street, (weights[0], weights[1]), checked_down(table, s))
        lanes = np.ones(tree.infosets.entries)
    else:
        below = betting_below(blueprint.tree.betting, found.node, table, s)
        tree = lay_out_position(table, hands.board, s.street, (weights[0], weights[1]), below.tree)
        lanes = blueprint_lanes(blueprint, tree, below.nodes, s.street, hands)
    return arrive(tree, lanes, 1 - player, 0, 0, tree.boards.listed[0].images[0], best).worth


def blueprint_lanes(blueprint: StrategyPolicy, tree: StreetTree, nodes: Ints, street: int, first: BoardHands) -> Floats:
    """What every hand does by the blueprint at all nodes of a tree, in lanes [board][node][action][hand].

    `nodes` are the blueprint's, for each node of the tree's betting.
    """
    laid, boards = tree.laid, tree.boards
    lanes = np.empty(tree.infosets.entries)
    for b, listed in enumerate(boards.listed):
        hands = first if b == 0 else BoardHands(blueprint.table, listed.cards)
        rows = hands.rows(blueprint.tree, street + listed.street)
        for player, decisions in enumerate(tree.infosets.decisions[listed.street]):
            mine = rows[boards.members[2 * b + player]]
            base = int(boards.boards.base[4 * b + 2 * player])
            for node in decisions.tolist():
                odds = blueprint.tree.infosets.at_node(blueprint.probabilities, int(nodes[laid.origin[node]]))
                begin = base + int(laid.entry[node]) * len(mine)
                lanes[begin : begin + odds.shape[1] * len(mine)] = odds[mine].T.reshape(-1)
    return lanes
