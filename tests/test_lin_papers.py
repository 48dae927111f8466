"""The figures of Lin 2024: what their claims are judged by, on results made up for it."""

import numpy as np
import pytest

import mccfr
from mccfr.buckets.bucketing import CardRules, Fit
from mccfr.buckets.hand_classes import HandClasses
from mccfr.papers import lin_floor, lin_prior, lin_size, lin_threads
from mccfr.papers.figure import Done, Scale


def speeds(one, two):
    return {"speeds": {"shared 1": [one] * 3, "locked 1": [one] * 3, "shared 2": two[0], "locked 2": two[1]}}


@pytest.mark.parametrize(
    ("two", "verdicts"),
    [
        (([190.0, 191.0, 192.0], [150.0, 151.0, 152.0]), ["not reproduced", "not reproduced", "partly"]),
        (([6100.0, 6000.0, 6050.0], [6000.0, 6200.0, 6100.0]), ["reproduced", "reproduced", "not reproduced"]),
        (([900.0, 910.0, 905.0], [300.0, 301.0, 302.0]), ["partly", "partly", "reproduced"]),
    ],
)
def test_claims_about_threads(two, verdicts):
    done = [Done({"game": "kuhn"}, {**speeds(100.0, two), "processors": 2})]
    claims = lin_threads.FIGURE.report(Scale("", 3, 10, ("kuhn",)), done).claims
    assert [claim.verdict for claim in claims] == verdicts


def curve_of(game, name, seed, factor, noise, methods):
    draw = np.random.default_rng([seed, sum(map(ord, name))])
    points = [
        [x, x, x / 1e6, factor * np.exp(noise * draw.normal()) / np.sqrt(x)]
        for x in (100, 1000, 10_000, 40_000, 100_000)
    ]
    return Done({"game": game, "method": methods[name], "seed": seed}, {"points": points})


@pytest.mark.parametrize(("noise", "verdict"), [(0.1, "reproduced"), (0.5, "not reproduced"), (1.0, "not reproduced")])
def test_claims_about_the_floor(noise, verdict):
    done = [
        curve_of("kuhn", name, seed, 1.0, noise if name == lin_floor.WITH else 0.5, lin_floor.METHODS)
        for seed in range(60)
        for name in lin_floor.METHODS
    ]
    variance, mean = lin_floor.FIGURE.report(Scale("", 60, 100_000, ("kuhn",)), done).claims
    assert variance.verdict == verdict
    assert mean.verdict == "no claim"
    assert variance.ours.count("at") == 3  # while it lasts, when it has gone, and at the end


def test_a_ratio_of_variances_by_hand():
    found = lin_floor.variance_ratio(np.array([1.0, 3.0, 5.0]), np.array([1.0, 2.0, 3.0]))
    assert found.mean == pytest.approx(4.0)
    assert (found.low, found.high) == pytest.approx((4 / 39, 4 * 39))  # F(2, 2) has its 97.5 % point at 39


def test_variances_need_two_seeds(tmp_path):
    with pytest.raises(mccfr.MccfrError, match="run two seeds or more, not 1"):
        lin_floor.FIGURE.jobs(Scale("", 1, 100, ("kuhn",)))


@pytest.mark.parametrize(("factor", "verdict"), [(0.5, "reproduced"), (1.0, "not reproduced"), (2.0, "not reproduced")])
def test_claims_about_initial_weights(factor, verdict):
    done = [
        curve_of("kuhn", name, seed, 1.0 if name == lin_prior.EVEN else factor, 0.02, lin_prior.METHODS)
        for seed in range(5)
        for name in lin_prior.METHODS
    ]
    claims = lin_prior.FIGURE.report(Scale("", 5, 100_000, ("kuhn",)), done).claims
    assert {claim.verdict for claim in claims} == {verdict}


def test_rows_that_occur_are_those_that_some_hand_has():
    fit = Fit(HandClasses(), CardRules(4, 3, (3,)), {})
    hands = [[a, b, *board] for a in range(12) for b in range(a) for board in boards(set(range(12)) - {a, b})]
    assert lin_size.rows_that_occur(fit, 1) == len(np.unique(fit.rows_of(1, hands)))
    assert lin_size.rows_that_occur(fit, 0) == fit.rows[0]


def boards(left):
    cards = sorted(left)
    return [(x, y, z) for z in cards for y in cards if y < z for x in cards if x < y]


def test_sizes_are_added_up_over_streets():
    done = [
        Done(
            {"ranks": 13, "street": street},
            {"betting_nodes": 1, "line_classes": 2, "moves": 5, "rows": 10**6, "rows_that_occur": 10**5},
        )
        for street in (3, 2, 1, 0)
    ]
    report = lin_size.FIGURE.report(Scale("", 1, games=("13 ranks",)), done)
    assert [row[0] for row in report.rows] == ["preflop", "flop", "turn", "river"]
    assert [(claim.ours, claim.verdict) for claim in report.claims] == [
        ("1.28 gigabit (160 MB)", "reproduced"),  # 4 x 5 x 10^6 numbers of 64 bits
        ("3.84 gigabit (480 MB)", "partly"),
        ("0.384 gigabit (48 MB)", "partly"),
        ("8,000,000 and 20,000,000", "no claim"),
    ]
