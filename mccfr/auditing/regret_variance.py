"""The exact variance of every sampled regret under a strategy, by a recursion over histories.

Enumeration meets every outcome of a walk, and there are too many of them in most games. But a walk's draws are
independent of each other, so second moments follow from those further down. This is plain Python, takes time in
proportion to the tree, and uses none of the walk's code. For walks that follow everybody else on policy.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.auditing.truth import histories_under
from mccfr.errors import MethodError
from mccfr.kernel.estimators import GeneralProbe, Plain, Probe
from mccfr.kernel.layout import CHANCE
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


def probing_of(method: Method) -> GeneralProbe:
    """How actions that a walk does not visit get values: by probes. Importance sampling probes none of them."""
    estimator = method.estimator
    if isinstance(method.sampler, External) and isinstance(estimator, Plain | Probe | GeneralProbe):
        return GeneralProbe()  # nothing is left out
    if isinstance(estimator, Plain):
        return GeneralProbe(share=0.0)
    if isinstance(estimator, Probe):
        return GeneralProbe(estimator.rollouts)
    if isinstance(estimator, GeneralProbe):
        return estimator
    raise MethodError("exact variances of regrets: the estimator must be plain or probe")


def regret_variances(tree: HistoryTree, method: Method, played: Floats) -> Floats:
    """Var[r^(I, a)] of one walk for the owner of I, by entry: the Var of [Gibson et al. 2012, lemma 1] before its max.

    r(I, a) itself does not vary while the strategy is fixed, so Var[r - r^] = Var[r^].
    """
    law, probing = own_law(method.sampler), probing_of(method)
    odds, reach, worth = histories_under(tree, played)
    probes = probe_squares(tree, probing, odds, worth)
    variance = np.zeros_like(played)
    for player in (0, 1):
        gains = [x * (1 - 2 * player) for x in worth]
        variance += _of_player(tree, player, law, probing.share, odds, reach, gains, probes)
    return variance


def probe_squares(tree: HistoryTree, probing: GeneralProbe, odds: list[list[float]], worth: list[float]) -> list[float]:
    """E[P(h)^2] of what a probe from every node brings: the mean of rollouts, each in a part of its first law.

    Parts of equal probability take away the variance between their means m_j: of n rollouts to k terminals each,
    Var[P] = (Var[one rollout] - Var[m_j over j]) / (n k).
    """
    square = [x * x for x in worth]  # E[(weight u(z))^2] of one rollout
    means = [[x] * probing.terminals for x in worth]  # of a rollout in each part
    for h in reversed(range(len(tree))):
        child, _, _, meta = tree.nodes[4 * h : 4 * h + 4].tolist()
        below = range(child, child + len(odds[h]))
        if not odds[h]:
            continue
        if meta & 255 >= CHANCE:
            square[h] = sum(p * square[c] for p, c in zip(odds[h], below))
            means[h] = [sum(p * means[c][j] for p, c in zip(odds[h], below)) for j in range(probing.terminals)]
            continue
        law = [probing.epsilon / len(odds[h]) + (1.0 - probing.epsilon) * p for p in odds[h]]
        ratio = [p / q if q > 0.0 else 0.0 for p, q in zip(odds[h], law)]
        square[h] = sum(q * x * x * square[c] for q, x, c in zip(law, ratio, below))
        weighted = [x * worth[c] for x, c in zip(ratio, below)]
        means[h] = [sum(p * x for p, x in zip(part, weighted)) for part in equal_parts(law, probing.terminals)]
    number = probing.rollouts * probing.terminals
    between = [sum(m * m for m in each) / len(each) for each in means]
    return [u * u + (x - m) / number for u, x, m in zip(worth, square, between)]


def equal_parts(law: list[float], number: int) -> list[list[float]]:
    """The law of an action within each of so many equally likely parts of [0, 1), actions side by side in it."""
    ends = [0.0, *itertools.accumulate(law)]
    return [
        [max(0.0, min(high * number, j + 1.0) - max(low * number, j)) for low, high in itertools.pairwise(ends)]
        for j in range(number)
    ]


def _of_player(
    tree: HistoryTree,
    player: int,
    law: Law,
    share: float,
    odds: list[list[float]],
    reach: list[tuple[float, float, float]],
    worth: list[float],
    probe: list[float],
) -> Floats:
    """worth: u_i(h) under the strategy. A regret is r^(I, a) = (Y_a - X) / q_i(h), where the walk meets h in I."""
    visited = _own_reach(tree, player, law, odds)
    entries = tree.infosets.entries
    mean, square = np.zeros(entries), np.zeros(entries)
    walk = [x * x for x in worth]  # E[X(h)^2] of what a walk returns; right at terminals, below for the others
    for h in reversed(range(len(tree))):
        if not odds[h]:
            continue
        child, row, _, meta = tree.nodes[4 * h : 4 * h + 4].tolist()
        below = range(child, child + len(odds[h]))
        if meta & 255 != player:
            walk[h] = sum(p * walk[c] for p, c in zip(odds[h], below))
            continue
        ends = [(worth[c], walk[c], probe[c]) for c in below]
        walk[h], squares = _at_own_node(odds[h], value_products(law(odds[h]), share, ends))
        against = reach[h][1 - player] * reach[h][2]
        for a, x in enumerate(squares):
            mean[row + a] += against * (worth[child + a] - worth[h])
            square[row + a] += against / visited[h] * x
    return square - mean**2


Ends = list[tuple[float, float, float]]  # of every action: u(ha), E[X(ha)^2] and E[P(ha)^2] of a probe


def value_products(q: list[float], share: float, ends: Ends) -> list[list[float]]:
    """E[Y_a Y_b] where Y_b = X(hb) / r_b for the one action drawn, P(hb) / r_b for others that are probed, else 0.

    r_b = 1 - (1 - q_b)(1 - share) is the probability that b has a value. Two actions have both if one is drawn and the
    other is probed, or if another one is drawn and both are probed.
    """
    factor = [1.0 / r if r > 0.0 else 0.0 for r in (1.0 - (1.0 - chance) * (1.0 - share) for chance in q)]
    found = [
        [x * y * u * v * share * (share + (1.0 - share) * (p_a + p_b)) for p_b, y, (v, _, _) in zip(q, factor, ends)]
        for p_a, x, (u, _, _) in zip(q, factor, ends)
    ]
    for a, (chance, x, (_, walk, probe)) in enumerate(zip(q, factor, ends)):
        found[a][a] = (chance * walk + (1.0 - chance) * share * probe) * x * x
    return found


def _at_own_node(sigma: list[float], products: list[list[float]]) -> tuple[float, list[float]]:
    """E[X^2] and E[(Y_a - X)^2], where X = sum over b of sigma_b Y_b."""
    mixed = [sum(p * x for p, x in zip(sigma, line)) for line in products]  # E[Y_a X]
    whole = sum(p * x for p, x in zip(sigma, mixed))
    return whole, [line[a] - 2.0 * mixed[a] + whole for a, line in enumerate(products)]


def _own_reach(tree: HistoryTree, player: int, law: Law, odds: list[list[float]]) -> list[float]:
    """q_i(h): how likely the walk's own draws let it come to each node, parents first."""
    reach = [1.0] * len(tree)
    for h, sigma in enumerate(odds):
        child, _, _, meta = tree.nodes[4 * h : 4 * h + 4].tolist()
        own = law(sigma) if sigma and meta & 255 == player else [1.0] * len(sigma)
        for a, q in enumerate(own):
            reach[child + a] = reach[h] * q
    return reach
