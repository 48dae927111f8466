"""Intervals: coverage over thousands of simulated matches whose exact value is known."""

import math

import naive_aivat
import numpy as np
import pytest
from scipy import stats

import mccfr
from mccfr.playing.intervals import (
    ConfidenceSequence,
    Interval,
    IntervalError,
    Moments,
    moments_of,
    sequence_margin,
    t_interval,
    tuned_rate,
)

MATCHES = 2_000


def payoffs(text):
    """What a game pays player 0 under uniform play, with probabilities, and what its best reply gets; exact mean."""
    game = mccfr.game(text)

    def law(state):
        actions = game.actions(state)
        return dict.fromkeys(actions, 1 / len(actions))

    ends = naive_aivat.terminals(game, law)
    values = np.array([game.payoff(z.state)[0] for z in ends])
    chances = np.array([naive_aivat.probability(z) for z in ends])
    assert values @ chances == pytest.approx(mccfr.expected_value(mccfr.uniform(text)), abs=1e-12)
    return values, chances / chances.sum(), float(values @ chances)


@pytest.fixture(scope="module", params=["kuhn", "leduc"])
def matches(request):
    """[matches, hands] what was won in simulated matches, less the exact value."""
    values, chances, mean = payoffs(request.param)
    return np.random.default_rng(7).choice(values, (MATCHES, 4_000), p=chances) - mean


def test_a_t_interval_covers_the_value_at_a_fixed_number_of_hands(matches):
    covered = [not t_interval(match[:400]).excludes_zero for match in matches]
    assert 0.94 <= np.mean(covered) <= 0.96


def looks(match, every=50):
    """The sequence after each batch of a match."""
    sequence = ConfidenceSequence(first=100, tuned_to=1_000)
    return [sequence.add(batch) for batch in np.split(match, range(every, len(match), every))]


def ever_excludes_zero(matches, margins, every=50):
    """Share of matches in which |mean| ever exceeds margin(n) standard deviations, at looks after each batch."""
    at = np.arange(every, matches.shape[1] + 1, every)
    sums, squares = (np.cumsum(x, axis=1)[:, at - 1] for x in (matches, matches**2))
    means = sums / at
    spread = np.sqrt((squares - at * means**2) / (at - 1))
    return float((np.abs(means) > spread * np.array([margins(n) for n in at])).any(axis=1).mean())


def test_the_sequence_misses_the_value_at_no_time(matches):
    missed = ever_excludes_zero(matches, lambda n: sequence_margin(n, 0.05, 1_000) if n >= 100 else math.inf)
    assert missed <= 0.05
    for match in matches[:20]:  # the class says the same as these sums
        found = looks(match)
        assert any(look.excludes_zero for look in found) == bool(
            ever_excludes_zero(match[None], lambda n: sequence_margin(n, 0.05, 1_000) if n >= 100 else math.inf)
        )


def test_stopping_when_the_t_interval_excludes_zero_would_be_noticed(matches):
    missed = ever_excludes_zero(matches, lambda n: stats.t.ppf(0.975, n - 1) / math.sqrt(n) if n >= 100 else math.inf)
    assert missed > 0.15


def test_the_sequence_finds_a_difference():
    dice = np.random.default_rng(3)
    sequence = ConfidenceSequence()
    for n in range(100, 10_001, 100):
        if sequence.add(dice.normal(0.2, 1.0, 100)).excludes_zero:
            assert 200 <= n <= 2_000
            return
    raise AssertionError("0.2 standard deviations were never told from 0")


def test_t_intervals_are_those_of_scipy():
    values = np.random.default_rng(1).normal(1.0, 3.0, 23)
    low, high = stats.t.interval(0.9, 22, values.mean(), stats.sem(values))
    found = t_interval(values, 0.9)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)
    assert found.error == pytest.approx(stats.sem(values), abs=1e-12)
    assert found.size == 23


def test_batches_have_the_moments_of_all_together():
    values = np.random.default_rng(2).normal(1e6, 1.0, 1_000)
    found = Moments()
    for batch in np.split(values, [1, 2, 2, 50, 700]):
        found = found.merged(moments_of(batch))
    assert found.size == 1_000
    assert found.mean == pytest.approx(values.mean(), abs=1e-9)
    assert found.variance == pytest.approx(values.var(ddof=1), rel=1e-9)


def test_the_rate_is_nearly_the_best_one():
    def margin(rate, n=500, alpha=0.05):
        spread = n * rate**2
        return math.sqrt(2 * (spread + 1) / (n * spread) * math.log(math.sqrt(spread + 1) / alpha))

    best = min(margin(rate) for rate in np.geomspace(1e-3, 10, 2_000))
    assert margin(tuned_rate(0.05, 500)) == pytest.approx(best, rel=2e-3)
    assert sequence_margin(500, 0.05, 500) == margin(tuned_rate(0.05, 500))


def test_the_sequence_is_that_of_robbins_for_normal_observations():
    """exp(rate^2 S^2 / (2 (1 + n rate^2))) / sqrt(1 + n rate^2) is the mixture; at the margin it is 1 / alpha."""
    n, alpha, rate = 300, 0.1, tuned_rate(0.1, 1_000)
    total = n * sequence_margin(n, alpha, 1_000)
    mixture = math.exp(rate**2 * total**2 / (2 * (1 + n * rate**2))) / math.sqrt(1 + n * rate**2)
    assert mixture == pytest.approx(1 / alpha)


def test_few_observations_say_nothing():
    assert t_interval([]) == Interval(0.0, -math.inf, math.inf, math.inf, 0, 0.95)
    assert not t_interval([3.0]).excludes_zero
    assert not ConfidenceSequence(first=3).add([1.0, 1.1]).excludes_zero
    assert t_interval([2.0, 2.0]).excludes_zero


def test_units_can_be_changed():
    found = t_interval([1.0, 2.0, 4.0]).times(-500.0)
    assert found.low < found.mean < found.high
    assert found.margin == pytest.approx(500 * t_interval([1.0, 2.0, 4.0]).margin)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: t_interval([1.0, 2.0], 95), "level must be between 0 and 1, as in 0.95, got 95"),
        (lambda: t_interval([1.0, math.nan]), "finite"),
        (lambda: t_interval(["a"]), "must be numbers"),
        (lambda: t_interval([[1.0, 2.0]]), "in a row"),
        (lambda: ConfidenceSequence(level=0.0), "level"),
        (lambda: ConfidenceSequence(first=1), "first must be a whole number of at least 2"),
        (lambda: ConfidenceSequence(tuned_to=0.5), "tuned_to must be a whole number"),
    ],
)
def test_wrong_numbers_are_refused(wrong, message):
    with pytest.raises(IntervalError, match=message):
        wrong()
