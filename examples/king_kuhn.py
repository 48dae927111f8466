"""A third form of tree: Kuhn poker dealt at the start of a walk, each player seeing only whether it holds the king."""

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

import mccfr
from mccfr.kernel.dealing import deal, row, worth
from mccfr.kernel.dice import below
from mccfr.kernel.layout import TERMINAL, U0, U1, U2, Near, u64
from mccfr.tree.infosets import Infosets

END = int(TERMINAL)
NODES = [  # first child, first entry, 0, who moves and how many actions; of an ending what it pays: see `worth`
    [1, 0, 0, 0 | 2 << 8], [3, 8, 0, 1 | 2 << 8], [5, 12, 0, 1 | 2 << 8], [1, 0, 0, END], [7, 4, 0, 0 | 2 << 8],
    [3, 0, 0, END], [2, 0, 0, END], [4, 0, 0, END], [2, 0, 0, END],
]  # fmt: skip


class KingView(NamedTuple):
    nodes: Any
    odds: Any  # no event is public
    memory: Any


@deal.register(KingView)
def _(tree, i, held, dice):
    held[U0], other = below(dice, u64(3)), below(dice, U2)
    held[U1] = other + u64(other >= held[U0])


@row.register(KingView)
def _(tree, h, m, held):
    return u64(tree.nodes[(h << U2) + U1]) + (U2 if held[m & U1] == U2 else U0)


@worth.register(KingView)
def _(tree, h, held):
    what = tree.nodes[h << U2]  # 1 or 2 chips to the higher card; 3: player 1 folds; 4: player 0 does
    stake = 1.0 if what > 2 else float(what)
    return stake if what == 3 or (what < 3 and held[U0] > held[U1]) else -stake


class KingKuhn(mccfr.Tree):
    game, held = "KingKuhn", 2

    def __init__(self):
        labels = [f"{hand}:{line}" for line in ("", "pb", "p", "b") for hand in ("other", "king")]
        menu, menus = np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int32), [("pass", "bet"), ("fold", "call")]
        self.nodes, parent = np.array(NODES, np.uint32).reshape(-1), np.array([-1, -1, 0, 2, -1, -1, -1, -1])
        self.infosets = Infosets((0, 4, 8), np.arange(0, 17, 2), parent, labels, menus, menu)

    def walk_view(self):
        return KingView(self.nodes, np.zeros(0), Near())

    def deals(self):
        return ((1 / 6, cards) for cards in permutations(range(3), 2))


if __name__ == "__main__":
    mccfr.solve(KingKuhn(), "external", iterations=50_000, seed=1).strategy().show()
