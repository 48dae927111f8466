"""The exact methods against the naive twin, compiled code against interpreted, and linear programmes against both."""

import hashlib
import os
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import naive
import numpy as np
import pytest
from conftest import flat
from hypothesis import given, settings, strategies as st
from naive import (
    asymmetric_rm_plus,
    discounted,
    fading_by,
    predictive_discounted,
    predictive_rm_plus,
    restarting,
    rm,
    rm_plus,
    scheduled,
)
from random_games import TreeGame, games, random_game

import mccfr
import mccfr.solvers.words  # fills the dictionaries
from mccfr.errors import MethodError, TreeError
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.kernel.averaging import RestartedAverage, importance
from mccfr.solvers.method import PARTS, RECIPES

NAIVE = {  # every recipe and every part, as the naive twin writes it
    "cfr": {},
    "cfr+simultaneous": {"simultaneous": True},
    "cfr+linear": {"power": 1},
    "cfr+quadratic+skip(1)": {"power": 2, "skip": 1},
    "cfr+power(0.5)+skip(3)+simultaneous": {"power": 0.5, "skip": 3, "simultaneous": True},
    "cfr_plus": {"minimiser": rm_plus, "power": 1},
    "cfr_plus+constant": {"minimiser": rm_plus},
    "cfr_plus+simultaneous": {"minimiser": rm_plus, "power": 1, "simultaneous": True},
    "cfr_plus+rm": {"minimiser": rm, "power": 1},
    "cfr+rm_plus+linear+alternating": {"minimiser": rm_plus, "power": 1},
    "lcfr": {"minimiser": discounted(1, 1), "power": 1},
    "lcfr+simultaneous": {"minimiser": discounted(1, 1), "power": 1, "simultaneous": True},
    "dcfr": {"minimiser": discounted(1.5, 0), "power": 2},
    "dcfr(1.5, 0, 2, order=after)": {"minimiser": discounted(1.5, 0, "after"), "power": 2},
    "dcfr(2, 0.5, 3)+simultaneous": {"minimiser": discounted(2, 0.5), "power": 3, "simultaneous": True},
    "dcfr(1, -1, 1)": {"minimiser": discounted(1, -1), "power": 1},
    "dcfr(inf, -inf, 2)": {"minimiser": discounted(float("inf"), float("-inf")), "power": 2},
    "cfr+discounted(1.5, 0.5, order=after)": {"minimiser": discounted(1.5, 0.5, "after")},
    "pcfr_plus": {"minimiser": predictive_rm_plus, "power": 2},
    "pcfr_plus+simultaneous+linear": {"minimiser": predictive_rm_plus, "power": 1, "simultaneous": True},
    "cfr+prm_plus+power(3)": {"minimiser": predictive_rm_plus, "power": 3},
    "dcfr_plus": {"minimiser": discounted(1.5, float("-inf")), "power": 4},
    "pdcfr_plus": {"minimiser": predictive_discounted(2.3), "power": 5},
    "pdcfr_plus(inf, 2)+simultaneous": {"minimiser": predictive_rm_plus, "power": 2, "simultaneous": True},
    "cfr+pdrm_plus(0.5)": {"minimiser": predictive_discounted(0.5)},
    "sapcfr_plus": {"minimiser": asymmetric_rm_plus(2), "power": 2},
    "cfr_plus+saprm_plus(0.5)": {"minimiser": asymmetric_rm_plus(0.5), "power": 1},
    "hs_dcfr": {"minimiser": scheduled(1000), "fade": fading_by(30)},
    "hs_dcfr(15, 3)+simultaneous": {"minimiser": scheduled(3), "fade": fading_by(15, 3), "simultaneous": True},
    "hs_dcfr(3, 4)+skip(2)": {"minimiser": scheduled(4), "fade": fading_by(3, 4), "skip": 2},
    "hs_pcfr_plus(30, 10)": {"minimiser": predictive_rm_plus, "fade": fading_by(30, 10)},
    "cfr+scheduled(5)": {"minimiser": scheduled(5)},
    "cfr_plus+scheduled_average(7, 6)": {"minimiser": rm_plus, "fade": fading_by(7, 6)},
    "dcfr_restarts": {"minimiser": discounted(1.5, 0), "fade": restarting(3, 4)},
    "dcfr_restarts(1, 1, 2, 2)+simultaneous": {
        "minimiser": discounted(1, 1),
        "fade": restarting(2, 2),
        "simultaneous": True,
    },
    "cfr_plus+restarts(3)+skip(4)": {"minimiser": rm_plus, "fade": restarting(1, 3), "skip": 4},
}
SMALL = games(depth=4, most=40)


def words(methods):
    return {part.partition("(")[0] for method in methods for part in method.split("+")}


SAMPLED_ONLY = {
    "common",
    *("plain", "page_rule", "probe", "static", "history", "infoset", "predictive", "weighted"),
    *("own_average", "optimistic", "floor", "batch", "reward", "prune", "prior"),
}


def test_every_recipe_and_part_is_compared():
    full_width = {name for name in RECIPES if name not in ("lp", "include") and not RECIPES[name]().samples}
    tables = {"float64", "float32", "int16"}  # of spots: compared in test_street_sweeps.py
    assert words(NAIVE) == {*full_width, *PARTS} - SAMPLED_ONLY - tables - {"include"}


def weight_of_last(solver):
    """How much larger our sums are: a restarted average counts (t - p)^power where the twin has running factors."""
    averaging = solver.method.averaging
    restarted = isinstance(averaging, RestartedAverage) and solver.iterations > averaging.skip
    return importance(averaging, float(solver.iterations)) if restarted else 1.0


def assert_same(solver, infosets, twin):
    """Regrets, current strategy, sums and average strategy, to 1e-12."""
    pairs = {
        "regret": (solver.state["regret"], twin.regrets),
        "current": (solver.current().probabilities, twin.current),
        "sums": (solver.state["average"] / weight_of_last(solver), twin.sums),
        "average": (solver.strategy().probabilities, twin.average),
    }
    for name, (ours, table) in pairs.items():
        np.testing.assert_allclose(ours, flat(infosets, table), rtol=1e-12, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("method", NAIVE)
@pytest.mark.parametrize("iterations", [1, 2, 5, 20])
def test_kuhn_as_the_naive_twin(method, iterations):
    solver = mccfr.solve("kuhn", method, iterations=iterations)
    assert_same(solver, solver.tree.infosets, naive.cfr(Kuhn(), iterations, **NAIVE[method]))


NEWER = ["dcfr_plus", "pdcfr_plus", "sapcfr_plus", "hs_dcfr", "hs_dcfr(15, 3)+simultaneous", "dcfr_restarts"]


@pytest.mark.parametrize("method", ["cfr", "cfr_plus+simultaneous", "dcfr", "pcfr_plus", *NEWER])
def test_leduc_as_the_naive_twin(method):
    solver = mccfr.solve("leduc(suits=False)", method, iterations=5)
    assert_same(solver, solver.tree.infosets, naive.cfr(Leduc(suits=False), 5, **NAIVE[method]))


def without_ties(game):
    """The game with other payoffs: rounding decides no strategy then (a regret of 0 may come out as 1e-17)."""
    draw = random.Random(len(game.nodes))
    paid = [draw.uniform(0.5, 3) * draw.choice((-1, 1)) for _ in game.nodes]
    nodes = [replace(node, payoff=(x, -x)) if node.payoff else node for node, x in zip(game.nodes, paid)]
    return TreeGame(game.players, nodes, f"without_ties({game.name})")


@settings(max_examples=300)
@given(SMALL.map(without_ties), st.sampled_from(sorted(NAIVE)), st.integers(1, 8))
def test_random_games_as_the_naive_twin(game, method, iterations):
    solver = mccfr.solve(game, method, iterations=iterations)
    assert_same(solver, solver.tree.infosets, naive.cfr(game, iterations, **NAIVE[method]))


@pytest.mark.parametrize("tail", ["", "+simultaneous"])
def test_both_orders_of_dcfr_play_the_same_strategies(tail):
    before = mccfr.solve("kuhn", f"dcfr(1.5, 0, 2){tail}", iterations=50)
    after = mccfr.solve("kuhn", f"dcfr(1.5, 0, 2, order=after){tail}", iterations=50)
    np.testing.assert_allclose(after.current().probabilities, before.current().probabilities, atol=1e-12)
    np.testing.assert_allclose(after.strategy().probabilities, before.strategy().probabilities, atol=1e-12)
    assert not np.allclose(after.state["regret"], before.state["regret"])  # only the tables differ


def test_linear_cfr_is_dcfr_1_1_1_and_also_plain_weights_of_t():
    linear = mccfr.solve("kuhn", "lcfr", iterations=30)
    assert np.array_equal(linear.state["regret"], mccfr.solve("kuhn", "dcfr(1, 1, 1)", iterations=30).state["regret"])
    weighted = naive.cfr(Kuhn(), 30, naive.Minimiser(lambda old, r, t: [o + t * x for o, x in zip(old, r)]), power=1)
    np.testing.assert_allclose(30 * linear.state["regret"], flat(linear.tree.infosets, weighted.regrets), atol=1e-11)


def test_an_update_has_no_regret_on_average():
    """sum_a sigma(I, a) r(I, a) = 0 for the strategy that was played (identity 14 of the specification)."""
    solver = mccfr.Solver("leduc(suits=False)", "cfr").run(7)
    played, before = solver.current().probabilities, solver.state["regret"].copy()
    solver.run(1)
    gained = (solver.state["regret"] - before) * played
    assert np.abs(np.add.reduceat(gained, solver.tree.infosets.row[:-1])).max() < 1e-14
    assert np.abs(gained).max() > 1e-4


def test_regrets_do_not_notice_a_shift_of_all_payoffs():
    plain = mccfr.solve("leduc(suits=False)", "cfr", iterations=5)
    shifted = mccfr.solve("leduc(suits=False, shift=100)", "cfr", iterations=5)
    np.testing.assert_allclose(shifted.state["regret"], plain.state["regret"], atol=1e-10)


@pytest.mark.parametrize("method", ["cfr_plus", "dcfr", "pcfr_plus+simultaneous", "cfr+skip(60)", *NEWER])
def test_two_halves_are_one_whole(method):
    whole = mccfr.Solver("leduc(suits=False)", method).run(100)
    halves = mccfr.Solver("leduc(suits=False)", method).run(50).run(0).run(50)
    assert whole.iterations == halves.iterations == 100
    for name in ("regret", "current", "average"):
        assert whole.state[name].tobytes() == halves.state[name].tobytes()


def test_watching_changes_nothing():
    seen = []
    watched = mccfr.solve("kuhn", "cfr_plus", iterations=100, watch=seen.append)
    assert watched.state["regret"].tobytes() == mccfr.solve("kuhn", "cfr_plus", 100).state["regret"].tobytes()
    assert seen == watched.history
    assert seen[-1].iterations == 100
    assert seen[-1].exploitability == mccfr.exploitability(watched.strategy())
    assert [p.iterations for p in seen] == [*range(1, 11), 12, 14, 16, 19, 22, 26, 31, 37, 44, 52, 62, 74, 88, 100]


def test_a_target_ends_the_run_at_the_first_measurement_that_meets_it():
    solver = mccfr.solve("kuhn", "cfr_plus", iterations=100_000, target=0.01)
    values = [progress.exploitability for progress in solver.history]
    assert values[-1] <= 0.01 < min(values[:-1])
    assert solver.iterations == solver.history[-1].iterations < 1000


# Compiled and interpreted ---------------------------------------------------------------------------------------------

DIGESTS = ["kuhn", "leduc(suits=False)", "random"]


def digest(name):
    """A hash of every bit that the methods leave behind in this game."""
    game = random_game(7, 6) if name == "random" else name
    content = hashlib.sha256()
    for method in NAIVE:
        solver = mccfr.solve(game, method, iterations=2 if name.startswith("leduc") else 9)
        for array in ("regret", "current", "average"):
            content.update(solver.state[array].tobytes())
        content.update(np.float64(solver.exploitability()).tobytes())
        content.update(mccfr.best_response(solver.strategy(), 1).strategy.probabilities.tobytes())
    return content.hexdigest()


def test_compiled_is_interpreted_bit_for_bit():
    here = Path(__file__).parent
    paths = os.pathsep.join([str(here), str(here.parent)])
    script = "import test_exact_methods as t; print(*map(t.digest, t.DIGESTS))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [digest(name) for name in DIGESTS]


# Linear programmes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("kuhn", Fraction(-1, 18)),
        ("leduc", -0.0856064240780),
        ("leduc(suits=False)", -0.0856064240780),
        ("goofspiel(4)", 0),
        ("rps", 0),
        ("matrix([[3, -1], [-2, 4]])", 1),
    ],
)
def test_lp_values(game, value):
    strategy = mccfr.solve(game, "lp").strategy()
    assert mccfr.expected_value(strategy) == pytest.approx(float(value), abs=1e-12)
    assert abs(mccfr.exploitability(strategy)) < 1e-12


def test_lp_on_a_game_without_a_pure_equilibrium():
    strategy = mccfr.solve("matrix([[3, -1], [-2, 4]])", "lp").strategy()
    assert strategy.probabilities == pytest.approx([0.6, 0.4, 0.5, 0.5])


@settings(max_examples=60)
@given(games(depth=6, most=200), st.integers(0, 10**6))
def test_lp_and_cfr_plus_agree_on_random_games(game, seed):
    exact = mccfr.solve(game, "lp").strategy()
    value = mccfr.expected_value(exact)
    assert mccfr.exploitability(exact) == pytest.approx(0, abs=1e-9)
    other = mccfr.solve(game, "cfr_plus", iterations=100).strategy()
    low, high = -mccfr.best_response(other, 1).value, mccfr.best_response(other, 0).value
    assert low - 1e-9 <= value <= high + 1e-9
    gap = mccfr.nash_conv(other)
    assert gap < 0.3  # payoffs are -3 to 3
    assert abs(mccfr.expected_value(other) - value) <= gap + 1e-9


def test_lp_is_one_iteration_and_takes_no_parts():
    assert mccfr.solve("kuhn", "lp", iterations=500).iterations == 1
    with pytest.raises(MethodError, match="lp is exact and takes no parts"):
        mccfr.solve("kuhn", "lp+linear")


# Refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["lp", "cfr", "pcfr_plus", "auto"])
def test_three_players_are_refused(method):
    with pytest.raises(TreeError, match=r"has 3 players: exact methods and evaluation take two-player games only"):
        mccfr.solve(random_game(3, 4, players=3), method)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, True, "1", None])
def test_bad_seeds(seed):
    with pytest.raises(MethodError, match=r"seed must be a whole number from 0 to 2\^63 - 1, got"):
        mccfr.Solver("kuhn", "cfr", seed=seed)


@pytest.mark.parametrize("iterations", [-1, 1.5, True, "10"])
def test_bad_iterations(iterations):
    with pytest.raises(MethodError, match="iterations must be a whole number from 0, got"):
        mccfr.solve("kuhn", "cfr", iterations=iterations)


@pytest.mark.parametrize("target", [-0.1, float("nan")])
def test_bad_targets(target):
    with pytest.raises(MethodError, match="target must be an exploitability from 0, got"):
        mccfr.solve("kuhn", "cfr", target=target)


@settings(max_examples=30)
@given(SMALL)
def test_nothing_done_is_the_uniform_strategy_and_says_so(game):
    solver = mccfr.solve(game, "cfr", iterations=0)
    assert solver.strategy().unvisited == len(solver.tree.infosets)
    assert np.array_equal(solver.strategy().probabilities, mccfr.uniform(game).probabilities)
