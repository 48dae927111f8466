"""All pure strategies of a player in a tiny game, each played against the other's strategy: a best response by trying.

Kuhn poker has six infosets of two actions for each player, so 2^6 = 64 of them. The best is worth exactly what the best
response is that one pass through the tree finds. Leduc, with 468 infosets for each player, has too many to try.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.exact import Evaluator
from mccfr.tree.history_tree import HistoryTree

MOST = 64  # pure strategies of a player that are tried, and listed
TIE = 1e-12  # by how much values may differ that count as equal: rounding

Floats = npt.NDArray[np.float64]


def by_brute_force(tree: HistoryTree, strategy: Floats) -> list[dict[str, Any]] | None:
    """For each player all of its pure strategies with their values, the best first; None if there are too many."""
    infosets = tree.infosets
    many = [math.prod(len(infosets.actions(j)) for j in infosets.of(i)) for i in (0, 1)]
    return None if max(many) > MOST else [_tried(tree, strategy, i) for i in (0, 1)]


def _tried(tree: HistoryTree, strategy: Floats, i: int) -> dict[str, Any]:
    infosets, sign = tree.infosets, 1 - 2 * i
    evaluator = Evaluator(tree)
    found = [(sign * evaluator.value(played), plan) for plan, played in pure_strategies(tree, strategy, i)]
    found.sort(key=lambda one: -one[0])  # and otherwise as they were tried
    best = found[0][0]
    return {
        "player": i,
        "infosets": [infosets.labels[j] for j in infosets.of(i)],
        "best": best,
        "strategies": [
            {
                "actions": [infosets.actions(j)[a] for j, a in zip(infosets.of(i), plan)],
                "value": value,
                "best": value >= best - TIE,
            }
            for value, plan in found
        ],
    }


def pure_strategies(tree: HistoryTree, strategy: Floats, i: int) -> Iterator[tuple[tuple[int, ...], Floats]]:
    """Every way for player i to choose one action at each infoset, and the strategy in which it does."""
    infosets = tree.infosets
    mine = infosets.of(i)
    for plan in itertools.product(*(range(len(infosets.actions(j))) for j in mine)):
        played = strategy.copy()
        for j, a in zip(mine, plan):
            played[infosets.row[j] : infosets.row[j + 1]] = 0.0
            played[infosets.row[j] + a] = 1.0
        yield plan, played
