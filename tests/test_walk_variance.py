"""Exact variances of walks with baselines, against all outcomes of the production walk."""

import functools

import numpy as np
import pytest

import mccfr
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.auditing.walk_variance import walk_baselines, walk_value_variances
from mccfr.kernel.estimators import Infoset, Plain, Static
from mccfr.kernel.recorded_walks import Recorder, record_walks
from mccfr.solvers.choose_engine import engine_for
from mccfr.solvers.method import Method

ESTIMATORS = ["plain", "static", "history(rate=0.5)", "infoset(rate=0.5)", "predictive"]
STILL = 1e-300  # a rate at which nothing is learned
written = functools.cache(mccfr.compile)


def scrambled(game, estimator):
    """A random strategy with a certain action, and random numbers as baselines; nothing is compiled."""
    engine, dice = (
        engine_for(written(game), Method.parse(f"opponent_on_policy+{estimator}"), 4),
        np.random.default_rng(1),
    )
    row = written(game).infosets.row
    weights = dice.random(row[-1]) ** 2
    weights[row[1]] = 0.0
    engine.current()[:] = weights / np.repeat(np.add.reduceat(weights, row[:-1]), np.diff(row))
    if estimator != "plain":
        engine.parts.estimator.table[:] = dice.normal(size=len(engine.parts.estimator.table))
    return engine


def still(estimator):
    """The same baseline, learning nothing."""
    if isinstance(estimator, Infoset):
        return estimator._replace(rate=STILL)
    return estimator if isinstance(estimator, Plain) else Static(0, estimator.table)


def moments(engine, tree, player, node):
    """Mean and variance over all outcomes of a walk for this player that begins at a node."""
    words = tree.nodes.reshape(-1, 4).copy()
    words[0] = words[node]
    reals = tree.walk_view().reals.reshape(len(tree), -1).copy()
    reals[0] = reals[node]
    nodes = tree.walk_view()._replace(nodes=words.reshape(-1), reals=reals.reshape(-1))
    parts = engine.parts._replace(minimiser=Recorder(), estimator=still(engine.parts.estimator))
    dice, found = EveryOutcome(), []
    work = engine.work._replace(dice=dice)
    while True:
        with np.errstate(over="ignore"):
            x = record_walks.interpreted(1, np.uint64(player), 1.0, 0.0, 0.0, parts, nodes, engine.table, work)
        found.append((dice.probability, x))
        if not dice.turn():
            break
    p, x = np.array(found).T
    assert p.sum() == pytest.approx(1.0)
    return p @ x, p @ (x - p @ x) ** 2


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_variances_are_those_of_all_outcomes(estimator):
    """By hand for every infoset of Kuhn: first which history it is, then what a walk says of that."""
    tree, engine = written("kuhn"), scrambled("kuhn", estimator)
    exact = walk_value_variances(tree, engine.current(), engine.parts.estimator)
    direct, words = np.zeros_like(exact), tree.nodes.reshape(-1, 4).astype(int)
    reach = reaches(tree, engine.current())
    for player in (0, 1):
        for j in tree.infosets.of(player):
            row = tree.infosets.row[j]
            inside = [h for h in range(len(tree)) if (words[h, 3] & 255) == player and words[h, 1] == row]
            w = np.array([reach[h][1 - player] * reach[h][2] for h in inside])
            for a in range(2):
                mean, variance = np.array([moments(engine, tree, player, words[h, 0] + a) for h in inside]).T
                p = w / w.sum() if w.sum() else w
                direct[row + a] = w.sum() ** 2 * (p @ variance + p @ (mean - p @ mean) ** 2)
    assert exact == pytest.approx(direct, abs=1e-12)
    assert exact.max() > 0.01


def reaches(tree, played):
    """pi_0, pi_1 and pi_c of every node."""
    from mccfr.auditing.truth import histories_under

    return histories_under(tree, played)[1]


def test_exact_baselines_leave_only_which_history_it_is():
    """Of walks in Kuhn, whose hands differ; with a baseline that is exact nothing is left of a history's variance."""
    tree = written("kuhn")
    played = scrambled("kuhn", "plain").current()
    right = Static(0, tree.history_values(played))
    left = walk_value_variances(tree, played, right)
    plain = walk_value_variances(tree, played, Plain())
    assert (left <= plain + 1e-15).all()
    assert 0.0 < left.sum() < 0.9 * plain.sum()
    assert np.abs(walk_baselines(tree, right, 0) + walk_baselines(tree, right, 1)).max() == 0.0
