"""What estimates must be on average, from the definitions, in plain Python and without any of the walk's code."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel import layout
from mccfr.kernel.rewards import felt
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.history_tree import HistoryTree

Floats = npt.NDArray[np.float64]


class Truth(NamedTuple):
    """One number per infoset-action, and the value of the game to each player."""

    regret: Floats  # r(I, a) = sum over h in I of pi_-i(h) (u_i(ha) - u_i(h))
    average: Floats  # pi_i(I) sigma(I, a) times the chance of I: sum over h in I of pi_c(h)
    value: Floats  # [2]


def felt_values(tree: HistoryTree, played: Floats, reward: Any) -> Truth:
    """The same where players feel rewards: each one's own as in the zero-sum game that pays what this one feels."""
    mine, other = (exact_values(tree, played, partial(_felt_by, reward, player)) for player in (0, 1))
    middle = int(tree.infosets.row[tree.infosets.first[1]])  # where player 1's entries begin
    regret = np.concatenate((mine.regret[:middle], other.regret[middle:]))
    return Truth(regret, mine.average, np.array([mine.value[0], other.value[1]]))


def _felt_by(reward: Any, player: int, payoff: float) -> float:
    """What player 0 gets where the payoff is felt by this player, and the other one gets the opposite."""
    return float(felt(reward, payoff) if player == 0 else -felt(reward, -payoff))


def exact_values(tree: HistoryTree, played: Floats, pay: Callable[[float], float] = float) -> Truth:
    """Regrets and average increments under a strategy. [Zinkevich et al. 2007, 3; Gibson et al. 2012]"""
    law, reach, worth = histories_under(tree, played, pay)
    regret, average = np.zeros_like(played), np.zeros_like(played)
    for h, odds in enumerate(law):
        child, row, _, meta = (int(word) for word in tree.nodes[4 * h : 4 * h + 4])
        i = meta & 255
        if i < layout.CHANCE:
            own, others = reach[h][i], reach[h][1 - i] * reach[h][2]
            for a, p in enumerate(odds):
                regret[row + a] += others * (worth[child + a] - worth[h]) * (1 - 2 * i)
                average[row + a] += own * reach[h][2] * p
    return Truth(regret, average, np.array([worth[0], -worth[0]]))


def histories_under(
    tree: HistoryTree, played: Floats, pay: Callable[[float], float] = float
) -> tuple[list[list[float]], list[tuple[float, float, float]], list[float]]:
    """Of every node: the law of what follows; pi_0, pi_1 and pi_c; what player 0 gets from there on.

    pay: what player 0 gets at an ending that pays so much.
    """
    law = [_law(tree, h, played) for h in range(len(tree))]
    worth = [0.0 if law[h] else pay(payoff) for h, payoff in enumerate(tree.reals[::2].tolist())]
    for h in reversed(range(len(tree))):
        if law[h]:
            child = int(tree.nodes[4 * h + layout.CHILD])
            worth[h] = sum(p * worth[child + a] for a, p in enumerate(law[h]))
    return law, _reaches(tree, law), worth


def _law(tree: HistoryTree, h: int, played: Floats) -> list[float]:
    """Probabilities of what follows a node; none at a terminal."""
    _, row, _, meta = (int(word) for word in tree.nodes[4 * h : 4 * h + 4])
    kind, arity = meta & 255, meta >> 8
    if kind == layout.TERMINAL:
        return []
    if kind == layout.FAIR:
        return [1.0 / arity] * arity
    return list((tree.odds if kind == layout.CHANCE else played)[row : row + arity].tolist())


def _reaches(tree: HistoryTree, law: list[list[float]]) -> list[tuple[float, float, float]]:
    """pi_0(h), pi_1(h) and pi_c(h) of every node; parents come first."""
    reach = [(1.0, 1.0, 1.0)] * len(tree)
    for h, odds in enumerate(law):
        child, _, _, meta = (int(word) for word in tree.nodes[4 * h : 4 * h + 4])
        actor = min(meta & 255, 2)  # chance is third
        for a, p in enumerate(odds):
            reach[child + a] = tuple(x * p if j == actor else x for j, x in enumerate(reach[h]))  # type: ignore[assignment]
    return reach


def dealt_values(tree: DealtTree, played: Floats, with_chance: bool) -> Truth:
    """Regrets and average increments on a dealt tree, for all pairs of hands at once.

    with_chance: whether averages count the chance of I. Walks that carry all hands leave it out: a factor of I alone.
    """
    truth = Truth(np.zeros_like(played), np.zeros_like(played), np.zeros(2))
    reach = [np.ones(len(hands)) for hands in tree.hands]
    total = float(_pairs(tree, 0, tree.deal, reach, played, truth, with_chance).sum())
    truth.value[:] = total, -total
    return truth


def _pairs(
    tree: DealtTree, h: int, chance: Floats, reach: list[Floats], played: Floats, truth: Truth, with_chance: bool
) -> Floats:
    """[hands 0, hands 1] pi_c u of player 0 at node h; regrets and averages below it are put into `truth`."""
    child, row, which, meta = tree.nodes[4 * h : 4 * h + 4].tolist()
    i, k = meta & 255, meta >> 8
    if i == layout.TERMINAL:
        return np.asarray(tree.stakes[row] * tree.matrices[child])
    if i == layout.CHANCE:
        law = tree.laws[row : row + chance.size * k].reshape(*chance.shape, k)
        after = [(child + a, chance * law[:, :, a], reach) for a in range(k)]
        return np.asarray(sum(_pairs(tree, *one, played, truth, with_chance) for one in after))
    hands = tree.members[tree.start[which] : tree.start[which + 1]]
    rows = slice(row, row + len(hands) * k)
    sigma = np.zeros((len(tree.hands[i]), k))
    sigma[hands] = played[rows].reshape(-1, k)
    worth = []
    for a in range(k):
        on = [x * sigma[:, a] if j == i else x for j, x in enumerate(reach)]
        worth.append(_pairs(tree, child + a, chance, on, played, truth, with_chance))
    value = np.einsum("xa,axy->xy" if i == 0 else "ya,axy->xy", sigma, np.array(worth))
    gains = [(x - value) @ reach[1] if i == 0 else reach[0] @ (value - x) for x in worth]
    truth.regret[rows] = np.stack(gains, axis=1)[hands].reshape(-1)
    own = reach[i] * chance.sum(axis=1 - i) if with_chance else reach[i]
    truth.average[rows] = (own[:, None] * sigma)[hands].reshape(-1)
    return np.asarray(value)
