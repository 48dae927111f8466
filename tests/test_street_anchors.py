"""Two spots that another solver has solved: values, equities' sum of both players, trees, and what float32 costs.

The numbers are those of the spots' `.spot` files in tests/data, solved by a Rust program to an exploitability of 0.02 %
of the pot: the EV out of position is pot / 2 + `expected_value`.
"""

import numpy as np
import pytest
from test_spots import SPOTS, read_spot

import mccfr

POT = 180


def ev(solver):
    return POT / 2 + mccfr.expected_value(solver.strategy())


def test_river_std():
    """Exploitability 0.003 % of the pot, so the value is known to 0.006 chips, and in fact to 0.001."""
    solver = mccfr.Solver(read_spot("river_std"), "dcfr").run(100)
    assert solver.exploitability() < 0.005 * POT
    solver.run(1900)
    assert solver.exploitability() < 0.00005 * POT
    assert ev(solver) == pytest.approx(98.670, abs=0.004)
    best = mccfr.best_response(solver.strategy(), 0).value, -mccfr.best_response(solver.strategy(), 1).value
    assert POT / 2 + best[1] <= 98.674
    assert POT / 2 + best[0] >= 98.666


def test_turn_pa():
    solver = mccfr.Solver(read_spot("turn_pa"), "dcfr").run(100)
    assert solver.exploitability() < 0.005 * POT
    solver.run(100)
    assert solver.exploitability() < 0.0012 * POT
    assert ev(solver) == pytest.approx(97.328, abs=0.05)


def test_values_of_hands_are_those_of_the_other_solver():
    """EV by hand of river_std, which no choice between equilibria changes by much where the hand is held often."""
    tree = mccfr.compile(read_spot("river_std"))
    solver = mccfr.Solver(tree, "dcfr").run(1000)
    found = hand_values(tree, solver.strategy().probabilities)
    lines = (SPOTS / "river_std.hands.csv").read_text().splitlines()[1:]
    theirs = {line.split(",")[0]: float(line.split(",")[3]) for line in lines}
    assert found.keys() == theirs.keys()
    wrong = {hand: (found[hand], theirs[hand]) for hand in theirs if abs(found[hand] - theirs[hand]) > 0.01 * POT}
    assert len(wrong) <= 0.05 * len(theirs), wrong


def hand_values(tree, probabilities):
    """What each hand of player 0 is worth, from half of the pot on, by a dense sum over the other's hands."""
    from mccfr.evaluate.street_values import StreetEvaluator, judging
    from mccfr.kernel.street_actors import FOLLOW_STRATEGY

    judge = StreetEvaluator(tree, 1)
    judge.value(probabilities)
    judge.sweeps.sweep(judging(FOLLOW_STRATEGY), 0, judge.table())
    mine, theirs = tree.boards.members[:2]
    deck = tree.boards.deck
    apart = np.array([[not set(deck.cards[h]) & set(deck.cards[o]) for o in theirs] for h in mine])
    met = apart @ tree.rules.ranges[1][theirs] / tree.pairs
    value = judge.sweeps.works[0].value[: len(mine)] / met
    names = [tree.infosets.name(j).partition(":")[0] for j in range(len(mine))]
    return dict(zip(names, (POT / 2 + value).tolist()))


@pytest.mark.parametrize("name", ["river_std", "turn_pa"])
def test_trees_are_theirs_action_by_action(name):
    """The betting of the compiled street tree, line by line."""
    tree = mccfr.compile(read_spot(name))
    assert "\n".join(tree.betting.rows()) + "\n" == (SPOTS / f"{name}.tree").read_text()


@pytest.mark.slow
def test_single_precision_costs_next_to_nothing():
    """On river_std, float32 tables, evaluated in float64: no worse than 1e-5 of the pot above float64 tables."""
    found = {}
    for tables in ("float64", "float32"):
        solver = mccfr.Solver(read_spot("river_std"), f"dcfr+{tables}").run(100)
        early = solver.exploitability() / POT
        solver.run(900)
        found[tables] = early, solver.exploitability() / POT
    assert solver.engine.arrays["regret"].dtype == np.float32
    assert found["float32"][0] < 0.005
    assert found["float32"][1] < found["float64"][1] + 1e-5
    assert found["float64"][1] < 0.0002
