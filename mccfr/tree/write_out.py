"""Any tree written out: a chance node for the deal, and below it the tree once for every way to deal.

Nodes keep their table entries, so a strategy of the one is a strategy of the other. What chance never does is left out.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.kernel import layout
from mccfr.kernel.dealing import place, row, worth
from mccfr.tree.budget import BUILT_NODE_BYTES, STATE_BYTES
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.infosets import Infosets
from mccfr.tree.recall import parents
from mccfr.tree.tree import Floats, Tree


def write_out(tree: Tree) -> HistoryTree:
    """A tree's game with a node for every history; needs perfect recall."""
    tree.require(tree.listed_deals * len(tree) * (BUILT_NODE_BYTES + STATE_BYTES), "its histories written out")
    writer = _Writer(tree)
    nodes = writer.nodes()
    old = tree.infosets
    parent = parents(tree.game, nodes, old.labels, tree.players)
    infosets = Infosets(old.first, old.row, parent, old.labels, old.menus, old.menu)
    return HistoryTree(
        tree.game, tree.players, nodes, np.array(writer.odds), np.zeros((0, tree.players)), infosets, tree.constant
    )


def place_values(tree: Tree, probabilities: Floats) -> Floats:
    """What player 0 gets from every place on when both follow a strategy: the mean over the deals it stands for."""
    view, words = tree.walk_view(), tree.nodes.reshape(-1, 4).tolist()
    total, weight = np.zeros(tree.histories), np.zeros(tree.histories)
    for p, cards in tree.deals():
        held, value = np.array(cards, np.uint64), np.zeros(len(tree))
        for h in reversed(range(len(tree))):  # children come after their parents
            value[h] = _value(view, words[h], np.uint64(h), held, probabilities, value)
            at = int(place(view, np.uint64(h), held))
            total[at] += p * value[h]
            weight[at] += p
    return total / np.where(weight > 0.0, weight, 1.0)


def _value(view: Any, words: list[int], h: np.uint64, held: Any, probabilities: Floats, value: Floats) -> float:
    child, _, _, meta = words
    kind, k = meta & 255, meta >> 8
    if kind == layout.TERMINAL:
        return float(worth(view, h, held))
    if kind == layout.FAIR:
        return float(value[child : child + k].mean())
    o = int(row(view, h, np.uint64(meta), held))
    law = probabilities if kind < layout.CHANCE else view.odds
    return float(law[o : o + k] @ value[child : child + k])


class _Writer:
    """Goes through all histories; children lie side by side, blocks of children follow depth first."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.view, self.old = tree, tree.walk_view(), tree.nodes.reshape(-1, 4)
        self.words: list[list[int]] = [[0, 0, 0, 0]]
        self.odds: list[float] = []
        self.pays: dict[int, float] = {}
        deals = [(p, np.array(held, np.uint64)) for p, held in tree.deals() if p > 0.0]
        first = self._open(0, int(layout.CHANCE), self._law([p for p, _ in deals]), 0, len(deals))
        self.waiting: list[tuple[int, int, Any]] = [(first + j, 0, held) for j, (_, held) in enumerate(deals)][::-1]
        while self.waiting:
            self._visit(*self.waiting.pop())

    def _law(self, law: list[float]) -> int:
        self.odds += law
        return len(self.odds) - len(law)

    def _open(self, at: int, kind: int, entry: int, infoset: int, arity: int) -> int:
        """Room for the children of a node; returns the first."""
        first = len(self.words)
        self.words[at] = [first, entry, infoset, kind | arity << 8]
        self.words += [[0, 0, 0, 0] for _ in range(arity)]
        return first

    def _visit(self, at: int, h: int, held: npt.NDArray[np.uint64]) -> None:
        child, _, _, meta = self.old[h].tolist()
        kind, k = meta & 255, meta >> 8
        if kind == layout.TERMINAL:
            self.words[at] = [0, 0, 0, kind]
            self.pays[at] = float(worth(self.view, np.uint64(h), held))
            return
        o, follow = int(row(self.view, np.uint64(h), np.uint64(meta), held)), list(range(k))
        if kind < layout.CHANCE:
            infoset = int(np.searchsorted(self.tree.infosets.row, o))
            first = self._open(at, kind, o, infoset, k)
        else:
            law = [1.0 / k] * k if kind == layout.FAIR else self.view.odds[o : o + k].tolist()
            follow = [a for a in follow if law[a] > 0.0]
            first = self._open(at, int(layout.CHANCE), self._law([law[a] for a in follow]), 0, len(follow))
        self.waiting += [(first + j, child + a, held) for j, a in enumerate(follow)][::-1]

    def nodes(self) -> npt.NDArray[np.uint32]:
        """As `mccfr.kernel.layout` has them."""
        nodes = np.array(self.words, np.uint32).reshape(-1)
        nodes.view(np.float64)[2 * np.array(list(self.pays), np.int64)] = list(self.pays.values())
        return nodes
