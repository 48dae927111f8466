"""With which probability every hand comes to every public state of a dealt tree, and what it is worth there.

For a strategy sigma, hands h of player i and g of the other, and a public node n:

    reach_i(n, h)   the product of sigma over player i's actions on the way to n
    w_i(n, h)       sum_g chance(n, h, g) reach_-i(n, g): everybody else's reach
    v_i(n, h)       sum_g chance(n, h, g) reach_-i(n, g) u_i(n, h, g): the counterfactual value [Zinkevich et al. 2007]
    best_i(n, h)    the same when player i plays a best response from n on

chance has the deal and all public events in it. Written with NumPy over public nodes, for trees of some thousand.
"""

import numpy as np
import numpy.typing as npt

from mccfr.kernel import layout
from mccfr.resolving.public_places import decision_at, kind_of
from mccfr.tree.dealt_tree import DealtTree

Floats = npt.NDArray[np.float64]
Leaves = dict[tuple[int, int], Floats]  # by player and node, [hands] values at leaves that have no matrix


class PublicValues:
    """Reaches and values of one strategy on one tree, worked out when asked for."""

    def __init__(self, tree: DealtTree, probabilities: Floats, leaves: Leaves | None = None) -> None:
        """Remember the strategy, a probability for every table entry; and what hands get at some leaves."""
        self.tree, self.probabilities, self.leaves = tree, probabilities, leaves or {}
        self._reach: tuple[Floats, Floats] | None = None
        self._pairs: Floats | None = None
        self._below: dict[tuple[int, bool], Floats] = {}

    def reach(self, player: int) -> Floats:
        """[nodes, hands] reach_i."""
        if self._reach is None:
            self._reach = reaches(self.tree, self.probabilities)
        return self._reach[player]

    def pairs(self, node: int) -> Floats:
        """[hands 0, hands 1] u_0 of each pair of hands at a node, times the chance of the pair."""
        if self._pairs is None:
            shape = (len(self.tree), *self.tree.deal.shape)
            self._pairs = self.tree.pair_values(self.probabilities).reshape(shape)
        return self._pairs[node]

    def value(self, player: int, node: int) -> Floats:
        """[hands] v_i at a node."""
        if self.leaves:
            return self._all(player, False)[node]
        pairs = self.pairs(node)
        return pairs @ self.reach(1)[node] if player == 0 else -(self.reach(0)[node] @ pairs)

    def best(self, player: int, node: int) -> Floats:
        """[hands] best_i at a node."""
        return self._all(player, True)[node]

    def _all(self, player: int, best: bool) -> Floats:
        if (player, best) not in self._below:
            self._below[player, best] = values_by_hand(self, player, best)
        return self._below[player, best]


def others_reach(chance: Floats, reach: Floats, player: int) -> Floats:
    """[hands] w_i: what chance and the other player, who comes with `reach`, contribute to each hand of player i."""
    return chance @ reach if player == 0 else reach @ chance


def reaches(tree: DealtTree, probabilities: Floats) -> tuple[Floats, Floats]:
    """For each player [nodes, hands] reach_i; parents come before children."""
    found = tuple(np.zeros((len(tree), len(hands))) for hands in tree.hands)
    for reach in found:
        reach[0] = 1.0
    for n, (child, _, _, kind) in enumerate(tree.nodes.reshape(-1, 4).tolist()):
        if kind & 255 == layout.TERMINAL:
            continue
        for reach in found:
            reach[child : child + (kind >> 8)] = reach[n]
        if kind & 255 != layout.CHANCE:
            decision, mover = decision_at(tree, n), found[kind & 255]
            below = mover[child : child + decision.arity]
            below[:] = 0.0
            below[:, decision.members] = mover[n, decision.members] * decision.rows(probabilities).T
    return found[0], found[1]


def values_by_hand(given: PublicValues, player: int, best: bool) -> Floats:
    """[nodes, hands] best_i or v_i, against the other player's reaches; children come after parents."""
    tree, others = given.tree, given.reach(1 - player)
    found = np.zeros((len(tree), len(tree.hands[player])))
    sign = 1.0 if player == 0 else -1.0
    words = tree.nodes.reshape(-1, 4).tolist()
    for n in range(len(tree) - 1, -1, -1):
        child, row, _, kind = words[n]
        if (player, n) in given.leaves:
            found[n] = given.leaves[player, n]
        elif kind_of(tree, n) == layout.TERMINAL:
            pays = tree.matrices[child] * (tree.stakes[row] * sign)
            found[n] = pays @ others[n] if player == 0 else others[n] @ pays
        else:
            below = found[child : child + (kind >> 8)]
            if kind & 255 != player:
                found[n] = below.sum(axis=0)
            elif best:
                found[n] = below.max(axis=0)
            else:
                decision = decision_at(tree, n)
                rows = decision.rows(given.probabilities)
                found[n, decision.members] = np.sum(rows.T * below[:, decision.members], axis=0)
    return found
