"""The exact variance of every sampled regret under a strategy, by a recursion over histories.

Enumeration meets every outcome of a walk, and there are too many of them in most games. But a walk's draws are
independent of each other, so second moments follow from those further down. This is plain Python, takes time in
proportion to the tree, and uses none of the walk's code. For walks that follow everybody else on policy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.auditing.truth import histories_under
from mccfr.errors import MethodError
from mccfr.kernel.estimators import Plain, Probe
from mccfr.kernel.samplers import External, Outcome, Robust
from mccfr.solvers.method import Method
from mccfr.tree.history_tree import HistoryTree

Floats = npt.NDArray[np.float64]
Law = Callable[[list[float]], list[float]]  # from a strategy at an infoset to the probabilities of visiting its actions


def own_law(sampler: Any) -> Law:
    """How likely a walk visits each own action: all of them, or exactly one."""
    if isinstance(sampler, External):
        return lambda sigma: [1.0] * len(sigma)
    if isinstance(sampler, Outcome):
        return lambda sigma: [sampler.epsilon / len(sigma) + (1.0 - sampler.epsilon) * p for p in sigma]
    if isinstance(sampler, Robust) and sampler.k == 1:
        return lambda sigma: [1.0 / len(sigma)] * len(sigma)
    raise MethodError("exact variances of regrets: the sampler must be external, outcome or robust(1)")


def always_has_values(method: Method) -> bool:
    """Whether every action gets a value where a walk comes by: it is visited, or else probed by one rollout."""
    if isinstance(method.estimator, Plain):
        return isinstance(method.sampler, External)
    if isinstance(method.estimator, Probe) and method.estimator.rollouts == 1:
        return True
    raise MethodError("exact variances of regrets: the estimator must be plain or probe(1)")


def regret_variances(tree: HistoryTree, method: Method, played: Floats) -> Floats:
    """Var[r^(I, a)] of one walk for the owner of I, by entry: the Var of [Gibson et al. 2012, lemma 1] before its max.

    r(I, a) itself does not vary while the strategy is fixed, so Var[r - r^] = Var[r^].
    """
    law, filled = own_law(method.sampler), always_has_values(method)
    odds, reach, worth = histories_under(tree, played)
    variance = np.zeros_like(played)
    for player in (0, 1):
        gains = [x * (1 - 2 * player) for x in worth]
        variance += _of_player(tree, player, law, filled, odds, reach, gains)
    return variance


def _of_player(
    tree: HistoryTree,
    player: int,
    law: Law,
    filled: bool,
    odds: list[list[float]],
    reach: list[tuple[float, float, float]],
    worth: list[float],
) -> Floats:
    """worth: u_i(h) under the strategy. A regret is r^(I, a) = (Y_a - X) / q_i(h), where the walk meets h in I."""
    visited = _own_reach(tree, player, law, odds)
    entries = tree.infosets.entries
    mean, square = np.zeros(entries), np.zeros(entries)
    walk = [x * x for x in worth]  # E[X(h)^2] of what a walk returns; right at terminals, below for the others
    probe = list(walk)  # E[u(z)^2] of a rollout from h
    for h in reversed(range(len(tree))):
        if not odds[h]:
            continue
        child, row, _, meta = tree.nodes[4 * h : 4 * h + 4].tolist()
        below = range(child, child + len(odds[h]))
        probe[h] = sum(p * probe[c] for p, c in zip(odds[h], below))
        if meta & 255 != player:
            walk[h] = sum(p * walk[c] for p, c in zip(odds[h], below))
            continue
        ends = [(worth[c], walk[c], probe[c]) for c in below]
        walk[h], squares = (_filled if filled else _one_visited)(odds[h], law(odds[h]), ends)
        against = reach[h][1 - player] * reach[h][2]
        for a, x in enumerate(squares):
            mean[row + a] += against * (worth[child + a] - worth[h])
            square[row + a] += against / visited[h] * x
    return square - mean**2


Ends = list[tuple[float, float, float]]  # of every action: u(ha), E[X(ha)^2] and E[u(z)^2] of a rollout


def _one_visited(sigma: list[float], q: list[float], ends: Ends) -> tuple[float, list[float]]:
    """E[X^2] and E[(Y_a - X)^2] where Y_b = X(hb) / q_b for the one action drawn, 0 for others; X = sum sigma_b Y_b."""
    drawn = [square / chance if chance > 0.0 else 0.0 for chance, (_, square, _) in zip(q, ends)]  # E[Y_b^2]
    whole = sum(p * p * x for p, x in zip(sigma, drawn))
    return whole, [whole + (1.0 - 2.0 * p) * x for p, x in zip(sigma, drawn)]


def _filled(sigma: list[float], q: list[float], ends: Ends) -> tuple[float, list[float]]:
    """The same where Y_b = X(hb) for actions drawn and a rollout for others: all have the mean u(hb)."""
    noise = [chance * walk + (1.0 - chance) * probe - u * u for chance, (u, walk, probe) in zip(q, ends)]  # Var[Y_b]
    value = sum(p * u for p, (u, _, _) in zip(sigma, ends))
    whole = sum(p * p * x for p, x in zip(sigma, noise))
    squares = [(u - value) ** 2 + whole + (1.0 - 2.0 * p) * x for p, x, (u, _, _) in zip(sigma, noise, ends)]
    return value * value + whole, squares


def _own_reach(tree: HistoryTree, player: int, law: Law, odds: list[list[float]]) -> list[float]:
    """q_i(h): how likely the walk's own draws let it come to each node, parents first."""
    reach = [1.0] * len(tree)
    for h, sigma in enumerate(odds):
        child, _, _, meta = tree.nodes[4 * h : 4 * h + 4].tolist()
        own = law(sigma) if sigma and meta & 255 == player else [1.0] * len(sigma)
        for a, q in enumerate(own):
            reach[child + a] = reach[h] * q
    return reach
