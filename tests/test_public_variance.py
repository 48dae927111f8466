"""Exact variances of public outcome sampling, against the production walk: all its lines, and draws."""

import functools

import numpy as np
import pytest

import mccfr
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.auditing.public_variance import baseline_misses, baselines, forks, value_variances
from mccfr.kernel.estimators import Static
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import CHANCE
from mccfr.kernel.pair_baselines import HandBaseline
from mccfr.kernel.recorded_walks import Recorder
from mccfr.solvers.choose_engine import engine_for
from mccfr.solvers.method import Method

ESTIMATORS = ["plain", "static", "history(rate=0.5)", "infoset(rate=0.5)", "predictive"]
STILL = 1e-300  # a rate at which nothing is learned
dealt = functools.cache(lambda game: mccfr.compile(f"dealt:{game}"))


def made_engine(game, estimator, epsilon=1.0):
    return engine_for(dealt(game), Method.parse(f"public_outcome({epsilon})+{estimator}+rm_plus+linear"), 4)


def trained(game, estimator, iterations):
    engine = made_engine(game, estimator)
    engine.run(iterations)
    return engine


def scrambled(game, estimator, epsilon=1.0):
    """Random strategies and random numbers as baselines; nothing is compiled."""
    engine, dice = made_engine(game, estimator, epsilon), np.random.default_rng(1)
    row = dealt(game).infosets.row
    weights = dice.random(row[-1]) ** 2
    engine.current()[:] = weights / np.repeat(np.add.reduceat(weights, row[:-1]), np.diff(row))
    if hasattr(engine.parts.estimator, "table"):
        engine.parts.estimator.table[:] = dice.normal(size=len(engine.parts.estimator.table))
    return engine


def walker(engine, tree, fork, a, dice):
    """A call that makes one walk after action a, learns nothing, and returns sum_g pi_-i(g) x for the mover's hands."""
    words = tree.nodes.reshape(-1, 4).copy()
    words[0] = words[fork.first + a]
    estimator = engine.parts.estimator
    if isinstance(estimator, HandBaseline):
        estimator = estimator._replace(rate=STILL)
    elif hasattr(estimator, "table"):
        estimator = Static(0, estimator.table)
    public = engine.tree._replace(nodes=words.reshape(-1))
    parts = engine.parts._replace(minimiser=Recorder(), estimator=estimator)
    work = engine.work._replace(dice=dice)
    run = run_walks.interpreted if isinstance(dice, EveryOutcome) else run_walks
    view = fork.mover if isinstance(estimator, HandBaseline) else 0
    weights = reach(tree, engine.current(), 1 - fork.mover, fork.number)

    def walk():
        with np.errstate(over="ignore"):
            run(1, np.zeros(2), parts, public, engine.table, work)
        x = work.value.reshape(2, *tree.deal.shape)[view]
        return x @ weights if fork.mover == 0 else weights @ x

    return walk


def reach(tree, played, player, number):
    """By going up, from the node to the root."""
    above = {child: fork for fork in forks(tree, played) for child in range(*fork.children.indices(len(tree)))}
    found = np.ones(len(tree.hands[player]))
    while number:
        fork = above[number]
        found = found * (fork.play[number - fork.first] if fork.mover == player else 1.0)
        number = fork.number
    return found


def enumerated(engine, tree, fork, a):
    """Variance of every possible hand's gain, by all lines below."""
    dice = EveryOutcome()
    walk = walker(engine, tree, fork, a, dice)
    seen, first, second = 0.0, 0.0, 0.0
    while True:
        x = walk()[fork.hands]
        p = dice.probability
        seen, first, second = seen + p, first + p * x, second + p * x * x
        if not dice.turn():
            break
    assert seen == pytest.approx(1.0)
    return second - first**2


@pytest.mark.parametrize("epsilon", [1.0, 0.3])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_variance_of_kuhn_is_that_of_its_lines(estimator, epsilon):
    tree, engine = dealt("kuhn"), scrambled("kuhn", estimator, epsilon)
    found = value_variances(tree, engine.current(), engine.parts.estimator, epsilon)
    for fork in forks(tree, engine.current()):
        rows = found[fork.entries].reshape(-1, len(fork.play))
        for a in range(len(fork.play)):
            np.testing.assert_allclose(rows[:, a], enumerated(engine, tree, fork, a), rtol=1e-9, atol=1e-14)
    assert found.max() > 1e-3


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_variances_across_a_public_card_are_those_of_lines(estimator):
    """In Leduc, at the last decisions before the card."""
    tree, engine = dealt("leduc"), scrambled("leduc", estimator)
    found = value_variances(tree, engine.current(), engine.parts.estimator)
    last = [fork for fork in forks(tree, engine.current()) if fork.mover < 2 and len(fork.hands) == 6][:2]
    for fork in last:
        a = next(j for j in range(len(fork.play)) if tree.nodes[4 * (fork.first + j) + 3] & 255 == CHANCE)
        rows = found[fork.entries].reshape(-1, len(fork.play))
        np.testing.assert_allclose(rows[:, a], enumerated(engine, tree, fork, a), rtol=1e-9, atol=1e-15)
        assert rows[:, a].max() > 1e-6


@pytest.mark.slow
def test_draws_vary_as_much():
    """The compiled walk and its dice, from both actions of the first decision of Leduc."""
    tree, engine = dealt("leduc"), scrambled("leduc", "static")
    found = value_variances(tree, engine.current(), engine.parts.estimator)
    root = list(forks(tree, engine.current()))[-1]
    for a in (0, 1):
        walk = walker(engine, tree, root, a, engine.work.dice)
        drawn = np.array([walk() for _ in range(10_000)])
        expected = found[root.entries].reshape(-1, 2)[:, a]
        squares = (drawn - drawn.mean(axis=0)) ** 2
        error = squares.std(axis=0) / len(drawn) ** 0.5
        assert np.all(np.abs(drawn.var(axis=0) - expected) < 5 * error)
        assert np.all(error < 0.1 * expected)


def test_a_baseline_of_exact_values_leaves_no_variance():
    tree, engine = dealt("leduc"), scrambled("leduc", "plain")
    exact = Static(0, tree.pair_values(engine.current()))
    assert value_variances(tree, engine.current(), exact, 0.5).max() < 1e-30
    assert baseline_misses(tree, engine.current(), exact) == (0.0, 0.0, 1.0)


def test_theorem_3_holds_below_what_was_met():
    tree = dealt("leduc")
    early, late = trained("leduc", "predictive", 3_000), trained("leduc", "predictive", 40_000)
    largest, settled, met = baseline_misses(tree, early.current(), early.parts.estimator)
    assert largest > 1.0
    assert 0.0 < settled < 1e-12
    assert 0.5 < met < 1.0
    largest, settled, met = baseline_misses(tree, late.current(), late.parts.estimator)
    assert settled == largest < 1e-12
    assert met == 1.0
    history = trained("leduc", "history(rate=0.5)", 40_000)
    assert baseline_misses(tree, history.current(), history.parts.estimator).largest > 1e-6


def test_infoset_baselines_are_seen_by_hands():
    """For player 1 the same number for all hands of player 0 that may come there, times their chance."""
    tree, engine = dealt("leduc"), scrambled("leduc", "infoset(rate=0.5)")
    key, chances = tree.chance_reach
    for player in (0, 1):
        seen = baselines(tree, engine.parts.estimator, player)
        for h in (1, len(tree) - 1):
            chance = chances[key[h]]
            own = np.max(np.abs(seen[h]), axis=1 - player) / chance.max()
            np.testing.assert_allclose(np.abs(seen[h]), chance * np.expand_dims(own, 1 - player), rtol=1e-12)
        assert own.max() > 0.1
