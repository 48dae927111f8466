"""Means, intervals and tests of experiments and papers, against SciPy's."""

import math

import numpy as np
import pytest
import scipy.stats

from mccfr.jobs.statistics import ZERO, difference, geometric_mean, holm, mean


def test_intervals_are_those_of_scipy():
    values = np.random.default_rng(0).lognormal(size=12)
    expected = scipy.stats.t.interval(0.95, 11, values.mean(), scipy.stats.sem(values))
    assert mean(values) == pytest.approx((values.mean(), *expected))
    logs = np.log(values)
    low, high = scipy.stats.t.interval(0.95, 11, logs.mean(), scipy.stats.sem(logs))
    assert geometric_mean(values) == pytest.approx((scipy.stats.gmean(values), np.exp(low), np.exp(high)))


@pytest.mark.parametrize("seed", range(5))
def test_the_statistics_are_scipys(seed):
    dice = np.random.default_rng(seed)
    a, b = np.exp(dice.normal(0, 0.3, 7)), np.exp(dice.normal(0.2, 0.1, 11))
    found = difference(a, b)
    welch = scipy.stats.ttest_ind(np.log(a), np.log(b), equal_var=False)
    low, high = np.exp(welch.confidence_interval(0.95))
    assert found.welch == pytest.approx(welch.pvalue, rel=1e-9)
    assert found.ratio == pytest.approx((scipy.stats.gmean(a) / scipy.stats.gmean(b), low, high))
    assert found.mann_whitney == pytest.approx(scipy.stats.mannwhitneyu(a, b).pvalue)
    alone = difference(a, [1.1])  # known exactly: a test against a number
    assert alone.welch == pytest.approx(scipy.stats.ttest_1samp(np.log(a), math.log(1.1)).pvalue)
    assert alone.mann_whitney is None
    t = scipy.stats.t.interval(0.95, 6, np.log(a).mean(), scipy.stats.sem(np.log(a)))
    assert geometric_mean(a)[1:] == pytest.approx(np.exp(t))


def test_values_without_spread_are_not_tested():
    assert difference([2.0, 2.0], [1.0, 1.0]) == ((2.0, 2.0, 2.0), None, None)
    assert geometric_mean([3.0]) == pytest.approx((3.0, 3.0, 3.0))
    assert geometric_mean([3.0]).to_dict() == {"mean": pytest.approx(3.0), "low": None, "high": None}
    assert geometric_mean([3.0, 4.0]).to_dict() == geometric_mean([3.0, 4.0])._asdict()
    assert geometric_mean([0.0, 0.0]).mean == pytest.approx(ZERO)


def test_holm():
    assert holm([0.01, None, 0.04, 0.03]) == pytest.approx([0.03, None, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
