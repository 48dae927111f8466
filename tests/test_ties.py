"""Ties are exact in full-width methods: regrets that are 0 in exact arithmetic do not decide a strategy."""

import numpy as np
import pytest

import mccfr
from mccfr.games.leduc import Leduc
from mccfr.tree import sequences
from mccfr.tree.ties import ROUNDING, hand_ties

# CFR+ on Goofspiel(5) in fractions, later ones with 100 digits.
EXACT = {3: 0.705569, 5: 0.592640, 15: 0.137204, 20: 0.087190}


@pytest.mark.parametrize("collapse", [True, False])
def test_cfr_plus_on_goofspiel_is_that_of_exact_arithmetic(collapse):
    solver = mccfr.Solver(f"goofspiel(n=5, collapse={collapse})", "cfr_plus")
    for iterations, exploitability in EXACT.items():
        solver.run(iterations - solver.iterations)
        assert solver.exploitability() == pytest.approx(exploitability, abs=1e-6)


def test_rounding_would_decide_otherwise(monkeypatch):
    monkeypatch.setattr(sequences, "sequence_ties", lambda payoffs, own, other: np.zeros(len(own[1])))
    solver = mccfr.solve("goofspiel(n=5)", "cfr_plus", iterations=20)
    assert abs(solver.exploitability() - EXACT[20]) > 0.01


class Scaled(Leduc):
    """Leduc for other stakes."""

    factor = 1.0

    def payoff(self, s):
        return tuple(self.factor * x for x in super().payoff(s))


@pytest.mark.parametrize("exponent", [-40, 40])
def test_strategies_do_not_depend_on_the_unit_of_payoffs(exponent, monkeypatch):
    """Powers of 2 change no digit."""
    monkeypatch.setattr(Scaled, "factor", 2.0**exponent)
    plain, scaled = (mccfr.solve(game, "cfr_plus", iterations=20) for game in (Leduc(), Scaled()))
    np.testing.assert_array_equal(plain.state["current"], scaled.state["current"])
    np.testing.assert_array_equal(plain.state["average"], scaled.state["average"])


def test_sizes_counted_by_hand():
    """Payoffs without their signs, chance counted in, against an even opponent; of own actions the largest."""
    matrix = mccfr.compile("matrix([[3, -1], [-2, 4]])").sequence_form
    np.testing.assert_allclose(matrix.first.tie, [ROUNDING * (2 + 4) / 2])
    np.testing.assert_allclose(matrix.second.tie, [ROUNDING * (3 + 2) / 2])
    kuhn = mccfr.compile("kuhn")
    sizes = dict(zip(kuhn.infosets.labels, kuhn.sequence_form.first.tie / ROUNDING))
    assert sizes["J:cb"] == pytest.approx(2 * (1 / 6) * (1 / 2) * 2)  # two deals, the other bets half the time, for 2
    assert sizes["J:"] == pytest.approx(2 * (1 / 6) * (1 / 2) * 1 + sizes["J:cb"])  # check, check for 1


def test_sizes_of_hands():
    dealt = mccfr.compile("dealt:kuhn")
    np.testing.assert_allclose(hand_ties(dealt.matrices, dealt.stakes), np.full((2, 3), ROUNDING * 2 * (1 / 3)))
