"""Figures of Davis et al. 2019 and Li et al. 2020 on public trees: what jobs find, and that wrong claims are told."""

import numpy as np
import pytest

from mccfr.papers import (
    davis_ablation_variance,
    davis_beyond,
    davis_public,
    davis_sizes,
    davis_theorem3,
    davis_variance,
    li_exploration,
)
from mccfr.papers.curves import ITERATIONS, SECONDS
from mccfr.papers.davis_public import CALL, PUBLIC, public_method
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Done, Scale
from mccfr.solvers import engines, public_outcome
from mccfr.tree import dealt_tree

XS = np.array([100.0, 1_000.0, 10_000.0, 100_000.0])


def runs(*levels, seconds=1.0):
    """Three runs with these exploitabilities at XS."""
    return [
        np.array([[x, 10 * x, seconds * x, factor * y] for x, y in zip(XS, levels)]) for factor in (0.98, 1.0, 1.02)
    ]


# ---- table 1


@pytest.mark.parametrize(
    ("game", "found"), [("leduc", (9_450, 936, 5)), ("gp(6,4,4,1)", (2_965_896, 49_920, 23)), ("kuhn", (54, 12, 2))]
)
def test_sizes(game, found):
    assert tuple(davis_sizes.sizes(game).values()) == found


@pytest.mark.parametrize(
    ("count", "paper", "verdict"),
    [(9450, "9450", "reproduced"), (9457, "9450", "not reproduced"), (2_965_896, "3e6", "reproduced"),
     (4_400_000, "3e6", "not reproduced")],
)  # fmt: skip
def test_a_size_is_judged(count, paper, verdict):
    assert davis_sizes._claim("leduc", "histories", count, paper).verdict == verdict


# ---- figures 2 and 4


def test_the_order_of_baselines_is_judged():
    levels = {"none": 1.0, CALL: 0.6, "infoset": 0.5, "history": 0.3, "predictive": 0.2}
    found = {name: runs(2.0, 1.5, 1.0, level) for name, level in levels.items()}
    assert {claim.verdict for claim in davis_public._d9(found)} == {"reproduced"}
    found["predictive"], found["none"] = found["none"], found["predictive"]
    assert {
        claim.verdict for claim in davis_public._d9(found) if "history baseline over infoset" not in claim.claim
    } == {"not reproduced"}


@pytest.mark.parametrize(
    ("levels", "verdict"),
    [((1.0, 0.5, 0.8, 1.0), "reproduced"), ((1.0, 1.0, 1.0, 0.5), "partly"), ((1.0, 1.0, 1.2, 1.0), "not reproduced")],
)
def test_an_early_lead_is_judged(levels, verdict):
    found = {"predictive": runs(*levels), "history": runs(1.0, 1.0, 1.0, 1.0)[::-1]}
    assert davis_public._ahead_early(found, "predictive", "history", "early").verdict == verdict


@pytest.mark.parametrize(
    ("levels", "verdict"),
    [((0.5, 0.7, 1.0, 3.0), "reproduced"), ((1.0, 1.0, 2.0, 3.0), "partly"), ((0.5, 0.5, 0.5, 0.5), "not reproduced")],
)
def test_tailing_off_is_judged(levels, verdict):
    found = {CALL: runs(*levels), "history": runs(1.0, 1.0, 1.0, 1.0)[::-1]}
    assert davis_public._tails_off(found).verdict == verdict


def test_the_methods_are_those_of_the_paper():
    assert public_method(PUBLIC["history"]) == "public_outcome+history(rate=0.5)+rm_plus+linear"
    jobs = davis_public.FIGURE_2.jobs(davis_public.FIGURE_2.full)
    assert len({job.key for job in jobs}) == 7 * 20
    assert {job.arguments["game"] for job in jobs} == {"dealt:leduc"}


# ---- figure 3


@pytest.mark.slow
def test_variances_in_leduc():
    """One run of each: flat without a baseline, ten times lower with always call, and gone with predictive ones."""
    found = {
        name: davis_variance.variances("dealt:leduc", public_method(word), 1, 100_000, 100, 1)["points"]
        for name, word in PUBLIC.items()
    }
    assert [stop for stop, _ in found["none"]] == XS.tolist()
    last = {name: points[-1][1] for name, points in found.items()}
    assert 0.02 < last["none"] < 0.1
    assert 0.03 < last[CALL] / last["none"] < 0.3
    assert last["history"] < 0.1 * last["infoset"]
    assert last["predictive"] < davis_variance.ZERO < 1e-3 < found["predictive"][0][1]


def spread(*means):
    return np.outer((0.9, 1.0, 1.1), means)


@pytest.mark.parametrize(
    ("changed", "verdicts"),
    [
        ({}, ["reproduced"] * 5),
        ({"none": spread(1.0, 1.0, 0.1, 0.1)}, ["not reproduced", "reproduced", "partly", "reproduced", "reproduced"]),
        ({CALL: spread(0.9, 0.1, 0.1, 0.1)}, ["reproduced", "partly", "reproduced", "reproduced", "reproduced"]),
        (
            {CALL: spread(0.9, 0.9, 0.9, 0.9)},
            ["reproduced", "reproduced", "not reproduced", "reproduced", "reproduced"],
        ),
        ({"history": spread(1.0, 0.1, 0.1, 0.05)}, ["reproduced"] * 3 + ["partly", "reproduced"]),
        ({"predictive": spread(0.1, 0.1, 0.1, 1e-9)}, ["reproduced"] * 4 + ["not reproduced"]),
        ({"predictive": spread(0.0, 0.0, 0.0, 0.0)}, ["reproduced"] * 4 + ["not reproduced"]),
    ],
)
def test_variances_are_judged(changed, verdicts):
    usual = {
        "none": spread(1.0, 1.2, 1.0, 0.8),
        CALL: spread(0.1, 0.1, 0.1, 0.08),
        "infoset": spread(1.0, 0.5, 0.2, 0.1),
        "history": spread(1.0, 0.05, 0.01, 0.001),
        "predictive": spread(0.1, 0.1, 1e-30, 1e-30),
    }
    claims = davis_variance._claims(XS, usual | changed)
    assert [claim.verdict for claim in claims] == verdicts


# ---- D11: variances with RM+ and with RM


def frozen(*means):
    """Runs of three seeds, [seeds, checkpoints, 2], with these mean variances at XS."""
    return np.stack([np.column_stack((XS, factor * np.array(means))) for factor in (0.9, 1.0, 1.1)])


@pytest.mark.parametrize(
    ("plus", "words", "verdict"),
    [
        ((0.5, 0.5, 0.5, 0.5), "lower at 4, even at 0, higher at 0 of 4 checkpoints; 0.5 ", "reproduced"),
        ((1.0, 0.5, 0.5, 0.5), "lower at 3, even at 1, higher at 0 of 4", "reproduced"),
        ((1.0, 1.0, 0.5, 0.5), "lower at 2, even at 2, higher at 0 of 4", "partly"),
        ((1.1, 0.5, 0.5, 0.5), "lower at 3, even at 0, higher at 1 of 4", "partly"),
        ((2.0, 0.5, 0.5, 2.0), "lower at 2, even at 0, higher at 2 of 4", "not reproduced"),
        ((1.0, 1.0, 1.0, 1.0), "lower at 0, even at 4, higher at 0 of 4", "not reproduced"),
        ((2.0, 2.0, 2.0, 2.0), "lower at 0, even at 0, higher at 4 of 4", "not reproduced"),
        ((0.5, 0.5, 0.5, 1e-30), "lower at 4, even at 0, higher at 0 of 4", "reproduced"),  # gone with RM+ only
    ],
)
def test_variances_of_both_updates_are_judged(plus, words, verdict):
    claim = davis_ablation_variance._claim(
        "public outcome sampling, history", davis_ablation_variance._points(frozen(1.0, 1.0, 1.0, 1.0), frozen(*plus))
    )
    assert claim.ours.startswith(words)
    assert claim.verdict == verdict


def test_checkpoints_without_variance_are_not_judged():
    rm, plus = frozen(1.0, 1.0, 1e-30, 0.0), frozen(0.5, 0.5, 1e-31, 1e-29)
    points = davis_ablation_variance._points(rm, plus)
    assert [at.judged for at in points] == ["lower", "lower", "no variance", "no variance"]
    claim = davis_ablation_variance._claim("outcome sampling, predictive", points)
    assert claim.verdict == "reproduced"
    assert "of 2 checkpoints" in claim.ours
    assert claim.ours.endswith("none left with either at 100,000")
    nothing = davis_ablation_variance._claim("outcome sampling, none", points)
    assert (nothing.paper, nothing.verdict) == ("nothing is said", "no claim")


def test_noise_is_even():
    """Ratios on both sides of 1 are no finding, even if their mean is below it."""
    plus = frozen(1.0, 1.0, 1.0, 1.0)
    plus[:, :, 1] *= np.array([0.6, 1.2, 1.1])[:, None]
    points = davis_ablation_variance._points(frozen(1.0, 1.0, 1.0, 1.0), plus)
    assert {at.judged for at in points} == {"even"}
    assert points[0].ratio.mean < 1.0


@pytest.mark.parametrize("sampling", ["lines", "walks"])
def test_linear_averages_change_no_variance(sampling, monkeypatch):
    """RM+ alone has the same variances as with linear averages, to the last bit; RM has others."""
    monkeypatch.setattr(engines, "run_walks", engines.run_walks.interpreted)
    for room in (public_outcome, dealt_tree):
        monkeypatch.setattr(room, "pair_values", room.pair_values.interpreted)
    lines = sampling == "lines"
    work = davis_variance.variances if lines else davis_ablation_variance.walk_variances
    start = "public_outcome+history(rate=0.5)" if lines else "opponent_on_policy+history"
    with np.errstate(over="ignore"):
        linear, constant, rm = (
            work("dealt:kuhn" if lines else "kuhn", f"{start}+{rest}", 1, 300, 100, 2)["points"]
            for rest in ("rm_plus+linear", "rm_plus+constant", "rm+constant")
        )
    assert linear == constant != rm


# ---- theorem 3


def done(game, start, points):
    return Done({"game": game, "start": start, "seed": 0}, {"points": points})


@pytest.mark.parametrize(
    ("end", "at_once", "verdicts"),
    [
        ([1e-15, 1e-15, 1.0, 1e-36], 1e-15, ["reproduced"] * 4),
        ([13.0, 1e-15, 0.9, 1e-3], 1e-15, ["reproduced", "partly", "reproduced", "reproduced"]),
        ([1e-3, 1e-3, 1.0, 1e-6], 1e-15, ["not reproduced", "not reproduced", "reproduced", "reproduced"]),
        ([1e-15, 1e-15, 1.0, 1e-6], 1e-3, ["reproduced", "not reproduced", "not reproduced", "not reproduced"]),
    ],
)
def test_exactness_is_judged(end, at_once, verdicts):
    jobs = [done("g", "nothing", [[1, 13.0, 0.0, 0.1, 0.1], [10, *end]])]
    jobs += [done("g", start, [[1, at_once, 0.0, 1.0, 0.0]]) for start in ("values", "walk")]
    claims = davis_theorem3.FIGURE.report(Scale("", 1, games=("g",)), jobs).claims
    assert [claim.verdict for claim in claims] == verdicts


@pytest.mark.slow
def test_theorem_3_in_small():
    """In GP(2,2,1,1): all endings are soon met."""
    game = "dealt:gp(2,2,1,1)"
    jobs = [
        done(game, start, davis_theorem3.misses(game, start, 0, 3_000)["points"]) for start in davis_theorem3.STARTS
    ]
    claims = davis_theorem3.FIGURE.report(Scale("", 1, games=(game,)), jobs).claims
    assert {claim.verdict for claim in claims} == {"reproduced"}


# ---- beyond


def test_equal_time_is_not_equal_iterations():
    """Half the exploitability, at four times the time: a tie where 1 / sqrt(T) is the rate."""
    levels = XS**-0.5
    found = {davis_beyond.PUBLISHED: runs(*levels), "PRM+": runs(*(levels / 2), seconds=4.0)}
    iterations, seconds = (davis_beyond._against_published("g", found, "PRM+", c) for c in (ITERATIONS, SECONDS))
    assert iterations.ours.startswith("0.5 [")
    assert seconds.ours.startswith("1 [")
    assert {iterations.verdict, seconds.verdict} == {"no claim"}


@pytest.mark.parametrize(("slower", "best"), [(1.0, 39.3), (10.0, 393.0)])
def test_speeds_at_the_last_and_at_the_best_level(slower, best):
    """The other lags behind by a factor of 40 at a level of 40, and has caught up at the end (but for `slower`)."""
    iterations = np.array([10.0, 100.0, 1000.0, 10_000.0])
    one = np.column_stack((iterations, iterations, iterations, [100.0, 10.0, 1.0, 0.1]))
    other = np.column_stack((slower * iterations, iterations, iterations, [100.0, 50.0, 40.0, 0.1]))
    found = {"one": [one] * 2, "other": [other] * 2}
    last = li_exploration.speed_up("L2", "one", "other", "100 to 1000", found, ITERATIONS)
    assert float(last.ours.split()[0]) == pytest.approx(slower)
    assert last.verdict == (NOT if slower == 1.0 else PARTLY)
    most = li_exploration.at_best("L2", "one", "other", "100 to 1000", found)
    assert float(most.ours.split()[0]) == pytest.approx(best, rel=0.01)
    assert most.verdict == (PARTLY if slower == 1.0 else REPRODUCED)
