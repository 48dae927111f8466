"""The game as one linear programme over realisation plans. [Koller, Megiddo, von Stengel 1996]

    maximise  f'q      subject to   E x = e,  F'q <= A'x,  x >= 0

x: player 0's realisation plan; q: the value of each infoset of player 1 (the first entry: of the game).
The optimal plan of player 1 is the dual of the inequality.
"""

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import linprog

from mccfr.errors import TreeError
from mccfr.kernel.layout import Side
from mccfr.strategy.strategy import uniform_probabilities
from mccfr.tree.history_tree import HistoryTree

INTERIOR_POINT_FROM = 20_000  # payoffs; above, the interior point method with crossover is several times faster


def solve_lp(tree: HistoryTree) -> npt.NDArray[np.float64]:
    """An equilibrium, as probabilities of every entry; infosets a plan never reaches play uniformly."""
    form = tree.sequence_form
    payoffs = form.payoffs
    E, F = _constraints(form.first), _constraints(form.second)
    sequences, values = payoffs.shape[0], F.shape[0]
    e = np.zeros(E.shape[0])
    e[0] = 1.0
    result = linprog(
        np.concatenate((np.zeros(sequences), [-1.0], np.zeros(values - 1))),
        A_ub=sparse.hstack((-payoffs.T, F.T), format="csr"),
        b_ub=np.zeros(payoffs.shape[1]),
        A_eq=sparse.hstack((E, sparse.csr_array((E.shape[0], values))), format="csr"),
        b_eq=e,
        bounds=[(0, None)] * sequences + [(None, None)] * values,
        method="highs-ipm" if payoffs.nnz >= INTERIOR_POINT_FROM else "highs-ds",
    )
    if not result.success:
        raise TreeError(f"{tree.game}: the linear programme was not solved: {result.message}")
    probabilities = uniform_probabilities(tree.infosets)
    _behave(form.first, np.clip(result.x[:sequences], 0, None), probabilities)
    _behave(form.second, np.clip(-result.ineqlin.marginals, 0, None), probabilities)
    return probabilities


def _constraints(side: Side) -> sparse.csr_array:
    """E: the empty sequence has probability 1, and the sequences of an infoset sum to the one before it."""
    infosets, sequences = len(side.parent), int(side.row[-1])
    arity = side.row[1:].astype(np.int64) - side.row[:-1]
    rows: npt.NDArray[np.int64] = np.concatenate(
        ([0], 1 + np.arange(infosets), 1 + np.repeat(np.arange(infosets), arity))
    )
    columns = np.concatenate(([0], side.parent, np.arange(1, sequences)))
    signs = np.concatenate(([1.0], -np.ones(infosets), np.ones(sequences - 1)))
    return sparse.csr_array((signs, (rows, columns)), shape=(infosets + 1, sequences))


def _behave(side: Side, plan: npt.NDArray[np.float64], probabilities: npt.NDArray[np.float64]) -> None:
    """Realisation plan to behaviour: each infoset's sequences divided by their sum, where that is not negligible."""
    base = int(side.base)
    row = side.row.astype(np.int64)
    for j in range(len(side.parent)):
        mine = plan[row[j] : row[j + 1]]
        total = mine.sum()
        if total > 1e-12:
            probabilities[base + row[j] - 1 : base + row[j + 1] - 1] = mine / total
