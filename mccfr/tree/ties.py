"""Ties: up to which size regrets are rounding alone.

Sums of many terms that are equal in exact arithmetic come out 1e-17 apart. Where all regrets of an infoset are exactly
0, regret matching plays evenly; with 1e-17 in place of one of them it plays a pure strategy, and all later iterates are
others. Full-width methods therefore play evenly wherever the weights of a row sum to less than the rounding of the
sums behind them. The size of these sums: all payoffs below an infoset, chance counted in, against an opponent who plays
evenly. (The opponent may do otherwise and make them larger, which the margin is for.)
"""

import numpy as np
import numpy.typing as npt
from scipy import sparse

from mccfr.kernel.levels import depths
from mccfr.kernel.minimisers import LEAST

ROUNDING = 2.0**-40  # of the size of a sum: 4,000 times the precision of a float64

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


def sequence_ties(payoffs: sparse.csr_array, own: tuple[Places, Places], other: tuple[Places, Places]) -> Floats:
    """For each of a player's infosets; (row, parent) of both players as in `kernel.layout.Side`."""
    row, parent = own
    sizes, largest = abs(payoffs) @ _even_plan(*other), np.zeros(len(parent))
    depth = depths(row, parent)
    for level in range(int(depth.max(initial=-1)), -1, -1):
        here = np.flatnonzero(depth == level)
        largest[here] = np.maximum.reduceat(sizes, row[:-1])[here]
        np.add.at(sizes, parent[here], largest[here])
    return np.maximum(ROUNDING * largest, LEAST)


def hand_ties(matrices: Floats, stakes: Floats) -> Floats:
    """[players, hands] for the infosets of each hand of a dealt game; nothing where a player has fewer hands."""
    ties = np.zeros((2, max(matrices.shape[1:])))
    for matrix in matrices:
        for player in (0, 1):
            sizes = np.abs(matrix).sum(axis=1 - player)
            ties[player, : len(sizes)] = np.maximum(ties[player, : len(sizes)], sizes)
    return np.maximum(ROUNDING * float(np.abs(stakes).max(initial=0.0)) * ties, LEAST)


def _even_plan(row: Places, parent: Places) -> Floats:
    """The realisation plan of a player who plays evenly."""
    plan = np.ones(row[-1])
    owner = np.repeat(np.arange(len(parent)), np.diff(row))
    depth = depths(row, parent)
    for level in range(int(depth.max(initial=-1)) + 1):
        x = np.flatnonzero(depth[owner] == level)
        plan[1 + x] = plan[parent[owner[x]]] / np.diff(row)[owner[x]]
    return plan
