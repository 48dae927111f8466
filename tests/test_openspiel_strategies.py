"""Strategies to and from OpenSpiel [Lanctot et al. 2019]: both sides evaluate the same strategy to the same number."""

import importlib

import numpy as np
import pytest
from random_games import random_game

import mccfr
from mccfr.errors import GameError, MccfrError, StrategyError
from mccfr.strategy.openspiel_policy import twin
from mccfr.strategy.strategy import Origin, Strategy

pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending,"
    "returns_type=win_loss))"
)
TWINS = {
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "leduc(suits=False)": "leduc_poker(suit_isomorphism=True)",
    "goofspiel(n=4)": GOOFSPIEL,
    "bluff(rounds=one)": "liars_dice",
}
SMALL = ["kuhn", "leduc(suits=False)", "goofspiel(n=4)"]


def uneven(tree, seed=1):
    """A random strategy with zeros in it."""
    draw = np.random.default_rng(seed)
    weights = draw.random(tree.infosets.entries) * (draw.random(tree.infosets.entries) > 0.2)
    weights[tree.infosets.row[:-1]] += 0.01
    total = np.add.reduceat(weights, tree.infosets.row[:-1])
    return Strategy(tree.infosets, weights / np.repeat(total, tree.infosets.arity), Origin(tree.game), tree=tree)


def python_module(name):
    """A module of OpenSpiel's Python, imported late: it adds games to pyspiel's list, which other tests look at."""
    return importlib.import_module(f"open_spiel.python.{name}")


def python_exploitability(game, policy):
    return python_module("algorithms.exploitability").exploitability(game, policy)


@pytest.fixture(scope="module")
def trees():
    return {text: mccfr.compile(text) for text in TWINS}


def test_twins():
    assert {text: twin(text) for text in TWINS} == TWINS
    assert twin("openspiel:kuhn_poker(players=3)") == "kuhn_poker(players=3)"


def cpp_nash_conv(game, policy):
    """By OpenSpiel's C++, from a Python policy."""
    return pyspiel.nash_conv(
        game, pyspiel.TabularPolicy({key: list(p) for key, p in policy_rows(policy).items()}), True
    )


def policy_rows(policy):
    rows = {}
    for key, number in policy.state_lookup.items():
        legal = np.flatnonzero(policy.legal_actions_mask[number])
        rows[key] = [(int(a), float(policy.action_probability_array[number][a])) for a in legal]
    return rows


@pytest.mark.slow_cases("bluff(rounds=one)")
@pytest.mark.parametrize("text", TWINS)
def test_openspiel_evaluates_ours_alike(trees, text):
    game = pyspiel.load_game(TWINS[text])
    learnt = mccfr.solve(trees[text], "cfr_plus", iterations=20).strategy()
    for strategy in [learnt] if text.startswith("bluff") else [learnt, uneven(trees[text])]:
        assert cpp_nash_conv(game, strategy.to_openspiel()) == pytest.approx(mccfr.nash_conv(strategy), abs=1e-10)


@pytest.mark.parametrize("text", SMALL)
def test_openspiel_in_python_evaluates_ours_alike(trees, text):
    game, strategy = pyspiel.load_game(TWINS[text]), uneven(trees[text], 2)
    found = python_exploitability(game, strategy.to_openspiel())
    assert found == pytest.approx(mccfr.exploitability(strategy), abs=1e-10)


@pytest.mark.parametrize("text", ["kuhn", "leduc", "goofspiel(n=4)"])
def test_we_evaluate_openspiels_cfr_alike(trees, text):
    game = pyspiel.load_game(TWINS[text])
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(15):
        solver.evaluate_and_update_policy()
    theirs = solver.average_policy()
    strategy = mccfr.from_openspiel(theirs, game=trees[text])
    assert mccfr.nash_conv(strategy) == pytest.approx(pyspiel.nash_conv(game, theirs), abs=1e-10)
    ours = mccfr.solve(trees[text], "cfr_plus", iterations=15).strategy()
    assert ours.compare(strategy).largest < 1e-6


@pytest.mark.slow
def test_we_evaluate_openspiels_liars_dice_alike(trees):
    game = pyspiel.load_game("liars_dice")
    draw, table = np.random.default_rng(4), {}
    for key, actions in legal_actions(game).items():
        weights = draw.random(len(actions)) + 0.01
        table[key] = list(zip(actions, (weights / weights.sum()).tolist()))
    theirs = pyspiel.TabularPolicy(table)
    strategy = mccfr.from_openspiel(theirs, game=trees["bluff(rounds=one)"])
    assert mccfr.nash_conv(strategy) == pytest.approx(pyspiel.nash_conv(game, theirs, True), abs=1e-10)


def legal_actions(game):
    """Legal actions by information state, from a walk over the whole game."""
    rows, stack = {}, [game.new_initial_state()]
    while stack:
        state = stack.pop()
        if not state.is_terminal():
            if not state.is_chance_node():
                rows[state.information_state_string()] = state.legal_actions()
            stack += [state.child(action) for action in state.legal_actions()]
    return rows


def test_we_evaluate_a_python_policy_alike():
    game = pyspiel.load_game("kuhn_poker")
    solver = python_module("algorithms.cfr").CFRSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    theirs = solver.average_policy()
    for strategy in (mccfr.from_openspiel(theirs), mccfr.from_openspiel(theirs, game="kuhn")):
        assert mccfr.exploitability(strategy) == pytest.approx(python_exploitability(game, theirs), abs=1e-10)
    assert mccfr.solve("kuhn", "cfr", iterations=30).strategy().compare(strategy).largest < 1e-9


@pytest.mark.parametrize("text", SMALL)
def test_there_and_back_is_the_identity(trees, text):
    strategy = uneven(trees[text], 3)
    back = mccfr.from_openspiel(strategy.to_openspiel(), game=text)
    np.testing.assert_allclose(back.probabilities, strategy.probabilities, atol=1e-15)
    assert back.unvisited == 0


def test_back_and_there_is_the_identity():
    theirs = python_module("policy").TabularPolicy(pyspiel.load_game("leduc_poker"))
    draw = np.random.default_rng(5)
    theirs.action_probability_array[:] = draw.random(theirs.action_probability_array.shape) * theirs.legal_actions_mask
    theirs.action_probability_array /= theirs.action_probability_array.sum(axis=1, keepdims=True)
    again = mccfr.from_openspiel(theirs, game="leduc").to_openspiel()
    for key, number in theirs.state_lookup.items():
        np.testing.assert_allclose(again.policy_for_key(key), theirs.action_probability_array[number], atol=1e-15)


def test_what_a_policy_does_not_know_is_unvisited():
    rows = {key: [(a, 0.5) for a in actions] for key, actions in legal_actions(pyspiel.load_game("kuhn_poker")).items()}
    del rows["0"]
    strategy = mccfr.from_openspiel(pyspiel.TabularPolicy(rows), game="kuhn")
    assert strategy.unvisited == 1
    assert strategy["J:"] == {"check": 0.5, "bet": 0.5}


# Games of OpenSpiel solved by us --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("matrix_mp", 0.0),
        ("matrix_rps", 0.0),
        ("leduc_poker(suit_isomorphism=True)", -0.0856064240780),
        ("liars_dice(numdice=1,dice_sides=3)", None),
        ("oshi_zumo(coins=4,size=1,horizon=4)", 0.0),
        ("blotto(players=2,coins=5,fields=3)", 0.0),
        ("goofspiel(imp_info=True,num_cards=3,points_order=descending,returns_type=win_loss)", 0.0),
    ],
)
def test_games_of_openspiel_are_solved(text, value):
    strategy = mccfr.solve(f"openspiel:{text}", "lp").strategy()
    assert abs(mccfr.exploitability(strategy)) < 1e-10
    if value is not None:
        assert mccfr.expected_value(strategy) == pytest.approx(value, abs=1e-10)
    game = pyspiel.load_game(text)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    assert abs(cpp_nash_conv(game, strategy.to_openspiel())) < 1e-9


@pytest.mark.parametrize("text", ["openspiel:kuhn_poker", "openspiel:liars_dice(numdice=1,dice_sides=3)"])
def test_games_of_openspiel_are_learnt(text):
    found = mccfr.solve(text, "cfr_plus", iterations=500).exploitability()
    assert 0 <= found < mccfr.exploitability(mccfr.uniform(text)) / 100


# Refusals -------------------------------------------------------------------------------------------------------------


def test_games_without_a_twin():
    with pytest.raises(StrategyError, match=r"no OpenSpiel game is known to equal rps: name it with game="):
        mccfr.uniform("rps").to_openspiel()
    with pytest.raises(StrategyError, match=r"known to equal leduc\(shift=1\)"):
        mccfr.uniform("leduc(shift=1)").to_openspiel()
    with pytest.raises(MccfrError, match="no OpenSpiel game is known"):
        mccfr.uniform(random_game(1)).to_openspiel()


def test_a_game_given_by_name_or_as_it_is():
    for game in ("kuhn_poker", "openspiel:kuhn_poker", pyspiel.load_game("kuhn_poker")):
        assert len(mccfr.uniform("kuhn").to_openspiel(game=game).state_lookup) == 12


@pytest.mark.parametrize(
    ("ours", "theirs"), [("kuhn", "leduc_poker"), ("leduc", "kuhn_poker"), ("goofspiel(3)", GOOFSPIEL)]
)
def test_another_game_is_refused(ours, theirs):
    with pytest.raises(StrategyError, match=r"is not the same as this OpenSpiel game: after '.*'"):
        mccfr.uniform(ours).to_openspiel(game=theirs)


def test_other_payoffs_are_refused():
    with pytest.raises(StrategyError, match=r"it pays 1?\d\d to player 0 here and -?\d+ there"):
        mccfr.uniform("leduc(shift=100)").to_openspiel(game="leduc_poker")


def test_coarser_infosets_are_refused():
    with pytest.raises((StrategyError, GameError), match=r"infoset|not the same as this OpenSpiel game"):
        mccfr.uniform("leduc(suits=False)").to_openspiel(game="leduc_poker")
