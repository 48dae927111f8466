"""Exact evaluation against the naive twin: values, best responses and exploitability of all kinds of strategies."""

import random
from fractions import Fraction

import naive
import numpy as np
import pytest
from conftest import flat, unflat
from hypothesis import assume, given, settings, strategies as st
from naive_kuhn import kuhn_equilibrium
from random_games import games, random_strategy

import mccfr
from mccfr.errors import StrategyError, TreeError
from mccfr.games.kuhn import Kuhn
from mccfr.strategy.strategy import Origin, Strategy, strategy_from

GAMES = games(depth=6, most=150)
SEEDS = st.integers(0, 10**6)


def on_tree(tree, table):
    """A naive profile as a Strategy."""
    return Strategy(tree.infosets, flat(tree.infosets, table), Origin(tree.game), tree=tree)


def pure_profile(game, seed):
    draw = random.Random(seed)
    return {key: naive.pure(draw.randrange(len(row)), len(row)) for key, row in naive.uniform(game).items()}


def close(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-12)


@settings(max_examples=150)
@given(GAMES, SEEDS, st.booleans())
def test_values_and_exploitability_are_the_naive_ones(game, seed, pure):
    profile = pure_profile(game, seed) if pure else random_strategy(game, seed)
    strategy = on_tree(mccfr.compile(game), profile)
    assert mccfr.expected_value(strategy) == close(naive.expected_value(game, profile))
    assert mccfr.exploitability(strategy) == close(naive.exploitability(game, profile))
    assert mccfr.nash_conv(strategy) == close(2 * naive.exploitability(game, profile))


@settings(max_examples=150)
@given(GAMES, SEEDS, st.sampled_from([0, 1]))
def test_best_responses_are_the_naive_ones(game, seed, player):
    profile = random_strategy(game, seed)
    tree = mccfr.compile(game)
    response = mccfr.best_response(on_tree(tree, profile), player)
    assert response.value == close(naive.best_response(game, profile, player)[0])

    played = unflat(tree.infosets, response.strategy.probabilities)
    assert naive.expected_values(game, played)[player] == close(response.value)
    assert all(sorted(row) == [0.0] * (len(row) - 1) + [1.0] for (who, _), row in played.items() if who == player)
    kept = {key: row for key, row in played.items() if key[0] != player}
    assert kept == {key: row for key, row in profile.items() if key[0] != player}


@settings(max_examples=40)
@given(games(depth=5, most=60), SEEDS)
def test_the_first_of_equally_good_actions_is_taken(game, seed):
    profile = pure_profile(game, seed)  # most infosets are then out of reach, and all their actions worth 0
    tree = mccfr.compile(game)
    for player in (0, 1):
        played = unflat(tree.infosets, mccfr.best_response(on_tree(tree, profile), player).strategy.probabilities)
        reached = {
            key
            for key, members in naive.infosets(game).items()
            if any(naive.reach_of_others(h, profile, player) for h in members)
        }
        for key, row in played.items():
            if key[0] == player and key not in reached:
                assert row[0] == 1.0


@settings(max_examples=60)
@given(GAMES, SEEDS, SEEDS)
def test_head_to_head(game, seed, other_seed):
    first, second = random_strategy(game, seed), random_strategy(game, other_seed)
    tree = mccfr.compile(game)
    mixed = {key: (first if key[0] == 0 else second)[key] for key in first}
    value = mccfr.expected_value(on_tree(tree, first), on_tree(tree, second))
    assert value == close(naive.expected_value(game, mixed))
    assert value <= mccfr.best_response(on_tree(tree, second), 0).value + 1e-12
    assert -value <= mccfr.best_response(on_tree(tree, first), 1).value + 1e-12


@settings(max_examples=60)
@given(GAMES, SEEDS)
def test_partial_strategies_play_uniformly_elsewhere(game, seed):
    full, draw = random_strategy(game, seed), random.Random(seed)
    known = {key: row for key, row in full.items() if draw.random() < 0.5}
    tree = mccfr.compile(game)
    actions = {(p, tree.infosets.labels[j]): tree.infosets.actions(j) for p in (0, 1) for j in tree.infosets.of(p)}
    strategy = strategy_from(tree, {key: dict(zip(actions[key], row)) for key, row in known.items()})
    assert strategy.unvisited == len(full) - len(known)
    assert mccfr.exploitability(strategy) == close(naive.exploitability(game, naive.uniform(game) | known))


@settings(max_examples=60)
@given(GAMES, st.floats(0.01, 100), SEEDS)
def test_scaling_all_payoffs_scales_exploitability(game, factor, seed):
    strategy = on_tree(mccfr.compile(game), random_strategy(game, seed))
    assume(mccfr.exploitability(strategy) > 1e-6)
    before = mccfr.exploitability(strategy)
    tree = mccfr.compile(game)
    terminal = (tree.nodes[3::4] & 255) == 255
    tree.reals[::2][terminal] *= factor
    scaled = Strategy(tree.infosets, strategy.probabilities, strategy.origin, tree=tree)
    assert mccfr.exploitability(scaled) == pytest.approx(factor * before, rel=1e-9)


@settings(max_examples=40)
@given(games(depth=5, totals=(-2.0, 1.0, 7.5), most=80), SEEDS)
def test_constant_sum_games_are_told_in_their_own_units(game, seed):
    profile = random_strategy(game, seed)
    strategy = on_tree(mccfr.compile(game), profile)
    values = naive.expected_values(game, profile)
    best = [naive.best_response(game, profile, player)[0] for player in (0, 1)]
    assert mccfr.expected_value(strategy) == close(values[0])
    assert [mccfr.best_response(strategy, player).value for player in (0, 1)] == [close(b) for b in best]
    assert mccfr.nash_conv(strategy) == close(best[0] + best[1] - sum(values))


# Kuhn poker -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 7), Fraction(1, 4), Fraction(1, 3)], ids=str)
def test_the_equilibria_of_kuhn_1950(alpha):
    strategy = on_tree(mccfr.compile("kuhn"), renamed(kuhn_equilibrium(alpha)))
    assert mccfr.expected_value(strategy) == pytest.approx(-1 / 18, abs=1e-15)
    assert abs(mccfr.exploitability(strategy)) < 1e-15


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1)], ids=str)
def test_too_many_bluffs_are_no_equilibrium(alpha):
    profile = kuhn_equilibrium(Fraction(1, 3))
    profile[0, "J"] = [1 - alpha, alpha]
    assert mccfr.exploitability(on_tree(mccfr.compile("kuhn"), renamed(profile))) > 0.01


def renamed(profile):
    """As our Kuhn poker writes its infosets: `Kcb` of the naive one is `K:cb`."""
    return {(player, f"{label[0]}:{label[1:]}"): row for (player, label), row in profile.items()}


@pytest.mark.parametrize("seed", range(20))
def test_kuhn_best_responses_by_trying_all_64_pure_strategies(seed):
    profile = random_strategy(Kuhn(), seed)
    strategy = on_tree(mccfr.compile("kuhn"), profile)
    for player in (0, 1):
        found = naive.best_response_by_enumeration(Kuhn(), profile, player)
        assert mccfr.best_response(strategy, player).value == close(found)


# Refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [2, -1, "0", None, 0.5])
def test_players_that_do_not_exist(player):
    with pytest.raises(StrategyError, match=r"no player .*: the players are 0 and 1"):
        mccfr.best_response(mccfr.uniform("kuhn"), player)


def test_strategies_of_different_games_do_not_meet():
    with pytest.raises(StrategyError, match=r"a strategy of kuhn cannot play one of rps"):
        mccfr.expected_value(mccfr.uniform("kuhn"), mccfr.uniform("rps"))


def test_a_strategy_without_its_game_says_so():
    lost = Strategy(mccfr.compile("kuhn").infosets, mccfr.uniform("kuhn").probabilities, Origin("kuhn"))
    with pytest.raises(StrategyError, match="was loaded without its game"):
        mccfr.exploitability(lost)


def test_three_players_are_refused():
    with pytest.raises(TreeError, match="two-player games only"):
        mccfr.exploitability(mccfr.uniform("openspiel:kuhn_poker(players=3)"))


def test_evaluation_leaves_its_strategy_alone():
    strategy = mccfr.solve("kuhn", "cfr", iterations=3).strategy()
    before = strategy.probabilities.copy()
    mccfr.best_response(strategy, 0)
    mccfr.exploitability(strategy)
    assert np.array_equal(strategy.probabilities, before)
