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


class PublicValues:
    """Reaches and values of one strategy on one tree, worked out when asked for."""

    def __init__(
        self, tree: DealtTree, probabilities: Floats, trees: tuple[DealtTree, DealtTree] | None = None
    ) -> None:
        """Remember the strategy: a probability for every table entry.

        `trees` are those from which the values of each player are read, if endings do not pay both the same.
        """
        self.tree, self.probabilities, self.trees = tree, probabilities, trees or (tree, tree)
        self._reach: tuple[Floats, Floats] | None = None
        self._pairs: dict[int, Floats] = {}
        self._best: dict[int, Floats] = {}

    def reach(self, player: int) -> Floats:
        """[nodes, hands] reach_i."""
        if self._reach is None:
            self._reach = reaches(self.tree, self.probabilities)
        return self._reach[player]

    def pairs(self, node: int, player: int = 0) -> Floats:
        """[hands 0, hands 1] u_0 of each pair of hands at a node, times the chance of the pair; as a player has it."""
        tree = self.trees[player]
        if id(tree) not in self._pairs:
            self._pairs[id(tree)] = tree.pair_values(self.probabilities).reshape(len(tree), *tree.deal.shape)
        return self._pairs[id(tree)][node]

    def value(self, player: int, node: int) -> Floats:
        """[hands] v_i at a node."""
        pairs = self.pairs(node, player)
        return pairs @ self.reach(1)[node] if player == 0 else -(self.reach(0)[node] @ pairs)

    def best(self, player: int, node: int) -> Floats:
        """[hands] best_i at a node."""
        if player not in self._best:
            tree = self.trees[player]
            self._best[player] = best_values(tree, self.reach(1 - player), self.probabilities, player)
        return self._best[player][node]


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


def best_values(tree: DealtTree, others: Floats, probabilities: Floats, player: int) -> Floats:
    """[nodes, hands] best_i, against the other player's reaches; children come after parents."""
    found = np.zeros((len(tree), len(tree.hands[player])))
    sign = 1.0 if player == 0 else -1.0
    words = tree.nodes.reshape(-1, 4).tolist()
    for n in range(len(tree) - 1, -1, -1):
        child, row, _, kind = words[n]
        if kind_of(tree, n) == layout.TERMINAL:
            pays = tree.matrices[child] * (tree.stakes[row] * sign)
            found[n] = pays @ others[n] if player == 0 else others[n] @ pays
            continue
        below = found[child : child + (kind >> 8)]
        found[n] = below.max(axis=0) if kind & 255 == player else below.sum(axis=0)
    return found
