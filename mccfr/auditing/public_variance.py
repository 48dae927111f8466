"""How much the values of public outcome sampling vary, and how far baselines are from what they stand for: exactly.

Strategy and baselines stand still. What a node is worth to a pair of hands, x (see `mccfr.kernel.public_line`), then
depends on the line of public events drawn below it, and on nothing else. With f(a) the mover's strategy (1 at chance),
B(a) the baseline, X(a) the mean of x(a) and event a drawn with probability q(a),

    x = sum_b f(b) B(b) + f(a) (x(a) - B(a)) / q(a),

so covariances follow from those of the children, and neither lines nor draws need be gone through:

    Cov[x] = sum_a f(a) f(a)' Cov[x(a)] / q(a) + sum_a q(a) e(a) e(a)',
    e(a) = f(a) (X(a) - B(a)) / q(a) - sum_b f(b) (X(b) - B(b)).

A counterfactual value of a hand is a sum over the other player's hands, which all see the same line: covariances are
needed between pairs that share the own hand. No difference of large numbers is taken, so zero variance comes out as 0,
or as the square of a rounding error. [Davis, Schmid, Bowling 2019, figure 3, theorem 3]
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel.estimators import Plain
from mccfr.kernel.layout import CHANCE, TERMINAL
from mccfr.kernel.pair_baselines import HandBaseline
from mccfr.tree.dealt_tree import DealtTree

Floats = npt.NDArray[np.float64]


class Fork(NamedTuple):
    """A node that is not an ending."""

    number: int
    first: int  # child
    mover: int  # 0, 1 or CHANCE
    entries: slice
    hands: Any  # that the mover may hold
    play: Floats  # [actions, hands] the mover's strategy, 0 where a hand is not possible; of chance, ones

    @property
    def children(self) -> slice:
        return slice(self.first, self.first + len(self.play))

    def chances(self, epsilon: float) -> Floats:
        """[actions] with which a public event is drawn: uniformly with probability epsilon, else by the mean hand."""
        k = len(self.play)
        mean = self.play.sum(axis=1) / len(self.hands) if len(self.hands) else np.full(k, 1.0 / k)
        return epsilon / k + (1.0 - epsilon) * mean


def forks(tree: DealtTree, played: Floats) -> Iterator[Fork]:
    """All of them under a strategy, children before parents."""
    for h in reversed(range(len(tree))):
        child, row, which, kind = tree.nodes[4 * h : 4 * h + 4].tolist()
        mover, k = kind & 255, kind >> 8
        if mover == TERMINAL:
            continue
        if mover == CHANCE:
            yield Fork(h, child, mover, slice(0), (), np.ones((k, 1)))
            continue
        hands = tree.members[tree.start[which] : tree.start[which + 1]]
        entries = slice(row, row + k * len(hands))
        play = np.zeros((k, len(tree.hands[mover])))
        play[:, hands] = played[entries].reshape(-1, k).T
        yield Fork(h, child, mover, entries, hands, play)


def baselines(tree: DealtTree, estimator: Any, player: int) -> Floats:
    """[nodes, hands 0, hands 1] What a bound baseline says where this player learns: B of the edge to every node."""
    if isinstance(estimator, Plain):
        return np.zeros((len(tree), *tree.deal.shape))
    if not isinstance(estimator, HandBaseline):
        return np.asarray(estimator.table).reshape(-1, *tree.deal.shape)
    key, chances = tree.chance_reach
    own = estimator.table.reshape(len(tree), 2, -1)[:, player, : len(tree.hands[player])]
    return chances[key] * np.expand_dims(own, 2 - player)


def value_variances(tree: DealtTree, played: Floats, estimator: Any, epsilon: float = 1.0) -> Floats:
    """By entry: the variance of sum_g pi_-i(g) x, for lines that begin after this action of this infoset."""
    found = np.zeros(len(played))
    exact = tree.pair_values(played).reshape(-1, *tree.deal.shape)
    for player in (0, 1):
        _fill(found, tree, played, exact, baselines(tree, estimator, player), player, epsilon)
    return found


def _fill(
    found: Floats, tree: DealtTree, played: Floats, exact: Floats, baseline: Floats, player: int, epsilon: float
) -> None:
    """One player's entries of the variances."""
    reach = _reaches(tree, played, 1 - player)
    spread: dict[int, Floats] = {}  # [own hand, hand, hand] of nodes whose parent is still to come; endings have none
    for fork in forks(tree, played):
        below = [spread.pop(child, None) for child in range(fork.children.start, fork.children.stop)]
        if fork.mover == player:
            weights = reach[fork.number]
            own = [np.zeros(len(tree.hands[player])) if c is None else weights @ c @ weights for c in below]
            found[fork.entries] = np.array(own)[:, fork.hands].T.reshape(-1)
        missed = exact[fork.children] - baseline[fork.children]
        spread[fork.number] = _spread(fork, below, missed.swapaxes(1, 2) if player else missed, player, epsilon)


def _spread(fork: Fork, below: list[Floats | None], missed: Floats, player: int, epsilon: float) -> Floats:
    """Cov[x] of a node from those of its children; missed: X - B, [actions, own hand, hand]."""
    q = fork.chances(epsilon)
    play = fork.play[:, :, None] if fork.mover == player else fork.play[:, None, :]
    steps = play * missed
    apart = (steps / q[:, None, None] - steps.sum(axis=0)) * np.sqrt(q)[:, None, None]
    total = apart.transpose(1, 2, 0) @ apart.transpose(1, 0, 2)
    for f, p, covariance in zip(play, q, below):
        if covariance is not None:
            total += f[:, :, None] * f[:, None, :] / p * covariance
    return total


def _reaches(tree: DealtTree, played: Floats, player: int) -> Floats:
    """[nodes, hands] with which probability a player with this hand plays to a node."""
    found = np.ones((len(tree), len(tree.hands[player])))
    for fork in reversed(list(forks(tree, played))):
        step = fork.play if fork.mover == player else 1.0
        found[fork.children] = found[fork.number] * step
    return found


class Misses(NamedTuple):
    """How far baselines are from values, in the game's units."""

    largest: float  # over all edges and pairs of hands
    settled: float  # over those below which every ending has been met
    met: float  # share of endings that have been met


def baseline_misses(tree: DealtTree, played: Floats, estimator: Any) -> Misses:
    """max |b - u| of baselines of pairs. An ending has been met if its baseline is what it pays. [Theorem 3]"""
    exact = tree.pair_values(played).reshape(-1, *tree.deal.shape)
    table = baselines(tree, estimator, 0)
    key, chances = tree.chance_reach
    apart = np.zeros(len(tree))
    for h in range(1, len(tree)):  # no edge leads to the root
        chance = chances[key[h]]
        apart[h] = np.max(np.abs(table[h] - exact[h])[chance > 0.0] / chance[chance > 0.0])
    ends = tree.nodes[3::4] & 255 == TERMINAL
    settled = ends & (apart == 0.0)
    met = settled.sum() / ends.sum()
    for fork in forks(tree, played):
        settled[fork.number] = settled[fork.children].all()
    return Misses(float(apart.max()), float(apart[settled].max(initial=0.0)), float(met))
