"""The exact variance of the counterfactual values of walks that draw one action at every node, with any baseline.

Strategy and baselines stand still. What a walk for player i says a history is worth, x, depends on what is drawn below
it. With f(a) what is played, B(a) the baseline, X(a) the mean of x(a) and action a drawn with probability q(a),

    x = sum_b f(b) B(b) + f(a) (x(a) - B(a)) / q(a),

so, as in `public_variance` but for single histories,

    Var[x] = sum_a f(a)^2 Var[x(a)] / q(a) + sum_a q(a) e(a)^2,
    e(a) = f(a) (X(a) - B(a)) / q(a) - sum_b f(b) (X(b) - B(b)).

A walk that follows everybody else on policy meets history h of an infoset I with a probability in proportion to
pi_-i(h), so the counterfactual value of action a there is pi_-i(I) x(ha), and varies with h as well: no baseline helps
against that. Plain Python that takes time in proportion to the tree. [Davis, Schmid, Bowling 2019, 6, theorem 2]
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.auditing.truth import histories_under
from mccfr.kernel.estimators import Plain, corrects, edge, guess
from mccfr.tree.history_tree import HistoryTree

Floats = npt.NDArray[np.float64]


def walk_baselines(tree: HistoryTree, estimator: Any, player: int) -> Floats:
    """[nodes] What a bound baseline says to this player of the edge to every node; 0 of the root, which has none."""
    kind, found = type(estimator), np.zeros(len(tree))
    if isinstance(estimator, Plain) or not corrects.body(kind)(estimator):
        return found
    i = np.uint64(player)
    edges = edge.body(kind)(estimator, i, np.arange(1, len(tree), dtype=np.uint64))
    found[1:] = guess.body(kind)(estimator, i, edges)
    return found


def walk_value_variances(tree: HistoryTree, played: Floats, estimator: Any) -> Floats:
    """By entry: the variance of pi_-i(I) x(ha), for walks that begin at I and take action a.

    Own actions are drawn uniformly, everybody else's as they are played.
    """
    odds, reach, worth = histories_under(tree, played)
    found = np.zeros_like(played)
    for player in (0, 1):
        gains = np.array(worth) * (1 - 2 * player)
        spread = _spreads(tree, player, odds, gains, walk_baselines(tree, estimator, player))
        weights = np.array([mine[1 - player] * mine[2] for mine in reach])
        found += _of_infosets(tree, player, weights, gains, spread)
    return found


def _spreads(tree: HistoryTree, player: int, odds: list[list[float]], gains: Floats, baseline: Floats) -> Floats:
    """[nodes] Var[x] of every history for walks of this player; children come after their parents."""
    spread, missed = [0.0] * len(tree), (gains - baseline).tolist()
    heads = tree.nodes.reshape(-1, 4)[:, (0, 3)].tolist()
    for h in reversed(range(len(tree))):
        (child, meta), f = heads[h], odds[h]
        if not f:
            continue
        q = [1.0 / len(f)] * len(f) if meta & 255 == player else f
        steps = [p * missed[child + a] for a, p in enumerate(f)]
        middle = sum(steps)
        for a, chance in enumerate(q):
            if chance > 0.0:
                apart = steps[a] / chance - middle
                spread[h] += f[a] ** 2 / chance * spread[child + a] + chance * apart**2
    return np.array(spread)


def _of_infosets(tree: HistoryTree, player: int, weights: Floats, gains: Floats, spread: Floats) -> Floats:
    """By entry: W sum_h w(h) (Var[x(ha)] + (u(ha) - their mean)^2), where w(h) = pi_-i(h) and W is their sum."""
    children, entries, parents = _own_edges(tree, player)
    w, size = weights[parents], tree.infosets.entries
    total = np.bincount(entries, w, size)
    whole = np.where(total > 0.0, total, 1.0)
    mean = np.bincount(entries, w * gains[children], size) / whole
    apart = spread[children] + (gains[children] - mean[entries]) ** 2
    return np.asarray(total * np.bincount(entries, w * apart, size), np.float64)


def _own_edges(tree: HistoryTree, player: int) -> tuple[Any, Any, Any]:
    """Of every edge that this player chooses: the node it leads to, the entry of the action, the node it leaves."""
    words = tree.nodes.reshape(-1, 4).astype(np.int64)
    mine = np.flatnonzero((words[:, 3] & 255) == player)
    arity = words[mine, 3] >> 8
    step = np.concatenate([np.arange(k) for k in arity]) if len(mine) else np.zeros(0, np.int64)
    parents = np.repeat(mine, arity)
    return words[parents, 0] + step, words[parents, 1] + step, parents
