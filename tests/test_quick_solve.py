"""Positions solved to a target, by a count and within a time that a clock of our own tells."""

import numpy as np
import pytest
from gate_twins import pair

import mccfr
from mccfr.errors import MccfrError
from mccfr.kernel.dispatch import uncompiled
from mccfr.resolving import quick_solve
from mccfr.resolving.quick_solve import next_measured, solve_quickly

RIVER = "river, the opponent first"


class Clock:
    """Time goes by only where iterations are run or something is measured."""

    def __init__(self, monkeypatch, iteration, measuring=0.0, growth=0.0):
        self.now, self.iterations, self.measured = 100.0, 0, 0
        run, nash_conv = quick_solve.StreetEngine.run, quick_solve.StreetEvaluator.nash_conv

        def slow_run(engine, n):
            self.now += n * iteration * (1 + growth * self.iterations)
            self.iterations += n
            return run(engine, n)

        def slow_measure(judge, weights):
            self.now += measuring
            self.measured += 1
            return nash_conv(judge, weights)

        monkeypatch.setattr(quick_solve.StreetEngine, "run", slow_run)
        monkeypatch.setattr(quick_solve.StreetEvaluator, "nash_conv", slow_measure)

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def _nothing_compiled():
    with uncompiled():
        yield


def solve(kind="resolve", **given):
    return solve_quickly(pair(RIVER, kind)[0], **{"method": "cfr_plus", "workers": 1, **given})


@pytest.mark.parametrize("kind", ["resolve", "maxmargin"])
def test_a_target_is_reached_and_measured(kind):
    found = solve(kind, target="5%")
    assert found.exploitability <= 0.05 * found.tree.pot
    assert mccfr.exploitability(found.strategy()) == pytest.approx(found.exploitability, rel=1e-9)


def test_a_count_is_kept_and_gives_the_same_average_as_a_solver():
    found = solve(iterations=13)
    assert (found.iterations, found.exploitability) == (13, None)
    solver = mccfr.Solver(found.tree, "cfr_plus")
    solver.engine.run(13)
    assert (found.strategy().probabilities == solver.strategy().probabilities).all()


def test_a_node_is_read_as_its_infosets_say():
    found = solve(iterations=5)
    strategy, tree = found.strategy(), found.tree
    for line in ("", "k", "b5"):
        node, board, _ = tree.locate(line)
        odds = found.at(node, board)
        mover = int(tree.laid.kind[node])
        for place in range(len(tree.boards.members[2 * board + mover])):
            row = strategy.at(tree.infosets.number(mover, board, node, place))
            assert list(row.values()) == odds[:, place].tolist()


@pytest.mark.parametrize("growth", [0.0, 0.01])
@pytest.mark.parametrize(("iteration", "seconds"), [(0.01, 1.0), (0.3, 1.0), (0.07, 0.5), (0.001, 0.05)])
def test_a_time_is_kept(monkeypatch, iteration, seconds, growth):
    """Never more than a tenth too late, also where iterations become slower; and not much too early."""
    clock = Clock(monkeypatch, iteration, growth=growth)
    found = solve(seconds=seconds, clock=clock)
    assert found.seconds <= 1.1 * seconds
    assert found.iterations == clock.iterations
    assert found.seconds + 2 * iteration * (1 + growth * clock.iterations) >= 0.95 * seconds


def test_measuring_counts_as_time(monkeypatch):
    clock = Clock(monkeypatch, 0.01, measuring=0.2)
    found = solve(target=1e-9, seconds=1.0, clock=clock)
    assert found.seconds <= 1.1
    assert found.exploitability is not None
    assert 1 <= clock.measured <= 4


def test_measurements_come_where_the_target_is_expected():
    assert next_measured([(10, 1.0)], 0.8) == 13  # like 1 / iterations
    assert next_measured([(10, 1.0), (20, 0.25)], 0.2) == 23  # like 1 / iterations^2
    assert next_measured([(10, 1.0)], 0.01) == 16  # no further than that
    assert next_measured([(10, 1.0), (11, 1.2)], 1.0) > 11
    assert next_measured([(10, 1.0)], 0.0) == 16


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "nothing says when to stop: give target, iterations or seconds"),
        ({"iterations": 0}, "iterations is 0: expected a whole number from 1"),
        ({"iterations": 2.5}, "iterations is 2.5: expected a whole number from 1"),
        ({"seconds": 0}, "seconds is 0: expected a number above 0"),
        ({"seconds": float("nan")}, "seconds is nan: expected a number above 0"),
        ({"target": 0}, "target is 0: expected more than 0, which takes forever"),
        ({"target": "0%"}, "target is '0%': expected more than 0"),
        ({"target": -1}, "target must be an exploitability from 0, got -1"),
        ({"iterations": 1, "method": "external"}, "external is not full-width"),
    ],
)
def test_budgets_that_make_no_sense(given, said):
    with pytest.raises(MccfrError) as caught:
        solve(**given)
    assert str(caught.value).startswith(said)


def test_single_precision_gives_a_strategy_in_double():
    found = solve(iterations=4, method="dcfr_plus+float32")
    assert found.lanes.dtype == np.float64
    assert found.at(0).sum(axis=0) == pytest.approx(1, abs=1e-6)
