"""The newer full-width methods: what they are limits of, how far they come, and that their sums stay in bounds."""

import numpy as np
import pytest

import mccfr
from mccfr.kernel.averaging import RestartedAverage, ScheduledAverage, fade, importance, last_restart

BARS = {  # exploitability on Leduc after 200 iterations: about twice of what it was when this was written
    "dcfr_plus": 0.006,
    "pdcfr_plus": 0.016,
    "sapcfr_plus": 0.007,
    "hs_dcfr(30, 200)": 0.012,
    "hs_pcfr_plus(30, 200)": 0.028,
    "dcfr_restarts": 0.005,
}


@pytest.mark.slow_cases("hs_pcfr_plus*dealt*", "*dealt*")
@pytest.mark.parametrize("form", ["leduc(suits=False)", "dealt:leduc(suits=False)"])
@pytest.mark.parametrize("method", BARS)
def test_they_come_close_to_an_equilibrium(form, method):
    assert mccfr.solve(form, method, iterations=200).exploitability() < BARS[method]


SAME = {  # methods that play the same
    "pdcfr_plus(inf, 2)": "pcfr_plus",
    "sapcfr_plus(0)": "pcfr_plus",
    "dcfr_plus(inf, 1)": "cfr_plus",
    "dcfr(1.5, -inf, 4)": "dcfr_plus",
    f"cfr_plus+scheduled_average(3, {2**53})": "cfr_plus+power(3)",  # whose gamma never changes
}


@pytest.mark.parametrize("method", SAME)
def test_limits(method):
    one, other = (mccfr.solve("leduc(suits=False)", m, iterations=30) for m in (method, SAME[method]))
    np.testing.assert_allclose(one.current().probabilities, other.current().probabilities, atol=1e-12)
    np.testing.assert_allclose(one.strategy().probabilities, other.strategy().probabilities, atol=1e-12)


def test_an_average_forgets_what_was_before_its_restart():
    """After 16 iterations it begins anew: then it is what `skip(16)` has, counted from there."""
    restarted = mccfr.solve("kuhn", "dcfr_restarts(gamma=0)", iterations=40).strategy()
    skipped = mccfr.solve("kuhn", "dcfr+constant+skip(16)", iterations=40).strategy()
    np.testing.assert_allclose(restarted.probabilities, skipped.probabilities, atol=1e-13)
    just_begun = mccfr.Solver("kuhn", "dcfr_restarts").run(16)
    played = just_begun.current().probabilities.copy()
    first = just_begun.run(1).strategy()
    rows = [slice(*first.infosets.row[j : j + 2]) for j in range(len(first.infosets))]
    reached = [row for row in rows if just_begun.state["average"][row].sum() > 0]
    assert len(reached) > 6
    for row in reached:
        np.testing.assert_allclose(first.probabilities[row], played[row], atol=1e-13)


@pytest.mark.parametrize(("base", "restarts"), [(4, [2, 5, 17, 65]), (2, [2, 3, 5, 9, 17, 33, 65]), (10, [2, 11])])
def test_when_averages_restart(base, restarts):
    average = RestartedAverage(3.0, 0, base)
    assert [t for t in range(2, 100) if fade(average, float(t)) == 0.0] == restarts
    assert all(importance(average, float(t)) == 1.0 for t in restarts)
    assert importance(average, 99.0) == (99 - (restarts[-1] - 1)) ** 3
    assert last_restart(base, 1.0) == 0.0


def test_factors_of_a_schedule():
    average = ScheduledAverage(30.0, 0, 1000)
    assert fade(average, 1.0) == 0.0
    assert fade(average, 501.0) == pytest.approx((500 / 501) ** 27.5, rel=1e-15)
    assert fade(average, 1e9) == pytest.approx((1 - 1e-9) ** 25, rel=1e-15)
    assert fade(ScheduledAverage(2.0, 0, 10), 100.0) == 1.0  # never more


@pytest.mark.parametrize("method", ["hs_dcfr(40, 3)", "hs_pcfr_plus(40, 100000)", "dcfr_restarts(gamma=20)"])
def test_sums_stay_in_bounds(method):
    solver = mccfr.solve("matrix([[3, -1], [-2, 4]])", method, iterations=100_000)
    assert np.isfinite(solver.state["average"]).all()
    assert solver.exploitability() < 0.01


@pytest.mark.parametrize("method", ["hs_dcfr(30, 50)", "dcfr_restarts", "pdcfr_plus"])
def test_a_run_goes_on_bit_for_bit(method, tmp_path):
    mccfr.train(tmp_path / "run", "kuhn", method, iterations=40)
    continued = mccfr.train(tmp_path / "run", "kuhn", method, iterations=90)
    whole = mccfr.solve("kuhn", method, iterations=90).strategy()
    assert continued.strategy().probabilities.tobytes() == whole.probabilities.tobytes()
