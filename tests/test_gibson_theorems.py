"""Regrets, variances and bounds of `mccfr paper gibson2012-theorems`, against numbers by hand and brute force."""

import itertools
import math

import numpy as np
import pytest

import mccfr
from mccfr.auditing import regret_variance
from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import enumerate_outcomes, outcomes
from mccfr.auditing.regret_variance import regret_variances
from mccfr.auditing.truth import histories_under
from mccfr.errors import MethodError
from mccfr.papers import gibson_theorems
from mccfr.papers.figure import Done, Scale
from mccfr.papers.gibson_theorems import METHODS, REGRETS, SWEPT
from mccfr.papers.measured_regret import RegretMeter
from mccfr.papers.regret_bounds import (
    Constants,
    estimate_range,
    game_constants,
    lemma_1,
    m_value,
    theorem_1,
    theorem_2,
    vanilla,
)
from mccfr.solvers.method import Method

SAMPLED = [method for method in METHODS if method not in SWEPT]
KUHN = Constants(infosets=6, m=2 * math.sqrt(3), actions=2, delta=4.0)


@pytest.fixture(scope="module")
def kuhn():
    return mccfr.compile("kuhn")


# ---- constants and bounds, by hand


def test_constants_of_kuhn_by_hand(kuhn):
    """Player 0 moves with three cards, and again with each after a check; player 1 never moves twice."""
    assert game_constants(kuhn, 0) == pytest.approx(KUHN)
    assert game_constants(kuhn, 1) == pytest.approx(KUHN._replace(m=math.sqrt(6)))  # payoffs from -2 to 2


def test_m_values_by_hand():
    """Goofspiel(3): one infoset at first; then a bid of 1 cannot have won and one of 3 cannot have lost."""
    assert m_value(mccfr.compile("goofspiel(n=3)").infosets, 0) == pytest.approx(
        1 + sum(math.sqrt(n) for n in (2, 3, 2))
    )


@pytest.mark.parametrize("game", ["kuhn", "leduc", "goofspiel(n=4)"])
def test_m_lies_where_it_must(game):
    tree = mccfr.compile(game)
    for player in (0, 1):
        found = game_constants(tree, player)
        assert math.sqrt(found.infosets) <= found.m <= found.infosets


def test_bounds_by_hand():
    """At T = 4, p = 1/4, with estimates that differ by at most 10 and vary by 9."""
    root = math.sqrt(2) / 2  # sqrt|A| / sqrt(T)
    assert vanilla(KUHN, 4) == pytest.approx(24 * root)
    assert vanilla(KUHN, 4, with_m=True) == pytest.approx(8 * math.sqrt(3) * root)
    assert theorem_1(KUHN, 10.0, 0.25, 4) == pytest.approx((10 + 20 * math.sqrt(2)) * 6 * root)
    assert theorem_2(KUHN, 10.0, 9.0, 0.25, 4) == pytest.approx((10 + 6) * 6 * root)
    assert lemma_1(KUHN, 10.0, 9.0, 0.0, 0.25, 4) == pytest.approx(theorem_2(KUHN, 10.0, 9.0, 0.25, 4))
    assert lemma_1(KUHN, 10.0, 9.0, 2.0, 0.25, 4, 3.0) == pytest.approx(6 * math.sqrt(2) * (5 + math.sqrt(9 + 12 + 16)))


@pytest.mark.parametrize(
    ("method", "ranges"),
    [
        ("external", (4, 4)),
        ("outcome(epsilon=0.6)", (4 / 0.09, 4 / 0.3)),
        ("outcome(epsilon=0.6)+probe", (4 / 0.3, 4)),
        ("robust(k=1)", (16, 8)),
        ("robust(k=1)+probe", (8, 4)),
        ("robust(k=1)+probe(share=0.6, terminals=2)", (8 / 0.8, 4 / 0.8)),
    ],
)
def test_ranges_of_estimates_by_hand(kuhn, method, ranges):
    """Player 0 draws up to two actions of Kuhn, player 1 one; probing counts only those before the infoset."""
    assert tuple(estimate_range(kuhn, player, Method.parse(method)) for player in (0, 1)) == pytest.approx(ranges)


@pytest.mark.parametrize("method", [*SAMPLED, "robust(k=1)+probe(share=0.2, terminals=3)"])
def test_no_outcome_exceeds_the_range(kuhn, method):
    """Two estimates at an infoset differ as their regrets do. The range of probing would be too small without it."""
    bench = Bench(kuhn, Method.parse(method), 1)
    for player in (0, 1):
        widest = max(_spread(kuhn, increments) for _, increments in outcomes(bench, player))
        assert widest <= estimate_range(kuhn, player, Method.parse(method))
        if method == "robust(k=1)":
            assert widest > estimate_range(kuhn, player, Method.parse("robust(k=1)+probe")) / 2


def _spread(tree, increments):
    rows = itertools.pairwise(tree.infosets.row.tolist())
    return max(float(np.ptp(increments[start:end])) for start, end in rows)


# ---- variances, against every outcome of the production walk


OPTIONS = [
    "outcome+probe(2)",
    "robust+probe(share=0.3)",
    "outcome+probe(epsilon=0.5)",
    "robust+probe(terminals=3)",
    "outcome+probe(2, 0.7, 1, 2)",
]


@pytest.mark.parametrize("pure", [True, False])
@pytest.mark.parametrize(
    "method", [*SAMPLED, *OPTIONS, "external+probe", "external+probe(share=0.5)", "outcome(epsilon=1)"]
)
def test_variances_are_those_of_every_outcome(kuhn, method, pure):
    bench = Bench(kuhn, Method.parse(method), 3, pure=pure)
    found = regret_variances(kuhn.written, bench.method, bench.table.current)
    assert found == pytest.approx(enumerate_outcomes(bench).variance[: bench.entries], abs=1e-12)


@pytest.mark.slow_cases("robust+probe(terminals=2)")
@pytest.mark.parametrize(
    "method", ["robust+probe(share=0.3)", "outcome+probe(epsilon=0.5)", "robust+probe(terminals=2)"]
)
def test_variances_of_three_actions_are_those_of_every_outcome(method):
    """Goofspiel(3), where two actions of an infoset may both be left out."""
    tree = mccfr.compile("goofspiel(n=3)")
    bench = Bench(tree, Method.parse(method), 3, 0)
    found = regret_variances(tree.written, bench.method, bench.table.current)
    assert found == pytest.approx(enumerate_outcomes(bench, 1e9).variance[: bench.entries], abs=1e-12)


PLANTED = {
    "actions are taken to have values independently": (
        "value_products",
        lambda q, share, ends: [
            [x if a == b else ends[a][0] * ends[b][0] for b, x in enumerate(line)]
            for a, line in enumerate(PRODUCTS(q, share, ends))
        ],
        "robust+probe(share=0.3)",
    ),
    "parts take nothing away": ("equal_parts", lambda law, number: [law] * number, "robust+probe(terminals=3)"),
    "no action is probed": (
        "value_products",
        lambda q, share, ends: PRODUCTS(q, 0.0, ends),
        "robust+probe",
    ),
}
PRODUCTS = regret_variance.value_products


@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_changes_variances(kuhn, monkeypatch, bug):
    name, wrong, method = PLANTED[bug]
    bench = Bench(kuhn, Method.parse(method), 3)
    exact = enumerate_outcomes(bench).variance[: bench.entries]
    assert regret_variances(kuhn.written, bench.method, bench.table.current) == pytest.approx(exact, abs=1e-12)
    monkeypatch.setattr(regret_variance, name, wrong)
    assert np.abs(regret_variances(kuhn.written, bench.method, bench.table.current) - exact).max() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("method", SAMPLED)
def test_variances_of_goofspiel_are_those_that_are_drawn(method):
    tree = mccfr.compile("goofspiel(n=4)")
    audited = gibson_theorems.audited("goofspiel(n=4)", method, 400_000)
    assert audited["unbiased"]
    assert audited["ratio"] == pytest.approx(1.0, abs=0.3 if not audited["exact"] else 1e-9)
    assert regret_variances(tree.written, Method.parse(method), tree.infosets.uniform()).min() >= -1e-12


@pytest.mark.parametrize("method", ["average_strategy", "robust(2)", "outcome+history", "external+static(uniform)"])
def test_other_methods_are_refused(kuhn, method):
    with pytest.raises(MethodError, match="exact variances of regrets"):
        regret_variances(kuhn.written, Method.parse(method), kuhn.infosets.uniform())


def test_probes_off_policy_have_no_range(kuhn):
    with pytest.raises(MethodError, match=r"^the range of estimates: probes must be on policy, got outcome"):
        estimate_range(kuhn, 0, Method.parse("outcome+probe(epsilon=0.1)"))


# ---- regrets, against all 64 pure strategies and every strategy that was played


def brute_force(tree, played, alternating):
    """Average regrets from the definition. played: the strategies before the first iteration and after each."""
    middle = int(tree.infosets.row[tree.infosets.first[1]])
    met = [[], []]  # by player, the profiles in which its updates found the game
    for before, after in itertools.pairwise(played):
        met[0].append(before)
        met[1].append(np.concatenate(((after if alternating else before)[:middle], before[middle:])))
    return [_regret(tree, player, met[player], middle) for player in (0, 1)]


def _regret(tree, player, profiles, middle):
    def total(changed):
        return sum((1 - 2 * player) * histories_under(tree.written, changed(profile))[2][0] for profile in profiles)

    def replaced(pure, profile):
        return np.concatenate((pure, profile[middle:]) if player == 0 else (profile[:middle], pure))

    pures = [
        np.array([x for bit in bits for x in (bit, 1 - bit)], float) for bits in itertools.product((0, 1), repeat=6)
    ]
    best = max(total(lambda profile, pure=pure: replaced(pure, profile)) for pure in pures)
    return (best - total(lambda profile: profile)) / len(profiles)


@pytest.mark.slow_cases("outcome")
@pytest.mark.parametrize("method", ["cfr", "cfr+simultaneous", "outcome"])
def test_regrets_by_brute_force(kuhn, method):
    meter, twin = RegretMeter(mccfr.Solver(kuhn, method, 5)), mccfr.Solver(kuhn, method, 5)
    played = [twin.engine.current().copy()]
    for _ in range(6):
        twin.run(1)
        played.append(twin.engine.current().copy())
    meter.run(6)
    alternating = method != "cfr+simultaneous"
    assert meter.average_regrets() == pytest.approx(brute_force(kuhn, played, alternating), abs=1e-12)
    assert meter.average_regrets() != pytest.approx(brute_force(kuhn, played, not alternating), abs=1e-4)


def test_regrets_of_simultaneous_updates_sum_to_nash_conv():
    """Every strategy counts once in the average of CFR, so the two regrets are what both could gain against it."""
    solver = mccfr.Solver("goofspiel(n=3)", "cfr+simultaneous")
    meter = RegretMeter(solver)
    meter.run(50)
    assert sum(meter.average_regrets()) == pytest.approx(2 * solver.exploitability(), abs=1e-12)


# ---- verdicts


def made_up(factor=1.0, unbiased=True, probing=0.5, ratio=1.0):
    """A report on Kuhn in which regrets are `factor` times 1 / sqrt(T)."""
    done = []
    for method in METHODS:
        gain = probing if "probe" in method else 1.0
        points = [[t, *[factor * gain / math.sqrt(t)] * 2, gain, gain, 1 / t] for t in (1, 100)]
        result = {"points": points, "constants": [[*KUHN, 4.0 * gain]] * 2}
        done += [Done({"game": "kuhn", "method": method, "iterations": 100, "seed": seed}, result) for seed in (0, 1)]
        audit = {"exact": True, "unbiased": unbiased, "bias": 0.0, "ratio": ratio}
        done += [Done({"game": "kuhn", "method": method, "walks": 1}, audit)] * (method not in SWEPT)
    return gibson_theorems.FIGURE.report(Scale("", 2, 100, ("kuhn",), 1), done).claims


def verdicts(claims, words):
    found = {claim.verdict for claim in claims if words in claim.claim}
    assert found
    return found


def test_bounds_that_are_kept_are_reproduced():
    assert verdicts(made_up(), "regret over bound") == {"reproduced"}
    assert verdicts(made_up(), "bias of") == {"reproduced"}


LIMITS = {
    "C_v / sqrt": 19.6,
    "theorem 2, MCCFR": 71.9,
    "lemma 1 with": 71.9,
    "C_es / sqrt": 143.5,
    "theorem 1, MCCFR: ": 248.6,
}


@pytest.mark.parametrize("factor", [19.5, 30.0, 71.8, 72.0, 143.0, 144.0, 248.0, 249.0])
def test_a_violation_is_noticed(factor):
    """Bounds at T = 1 by hand, for Var = 1 and p = 0.05: theorem 2, for one, is (4 + 1 / sqrt(0.05)) 6 sqrt(2)."""
    claims = made_up(factor)
    for words, limit in LIMITS.items():
        assert verdicts(claims, words) == {"not reproduced" if factor > limit else "reproduced"}


def test_one_violation_of_one_run_is_enough():
    done = {"points": [[1, 0.1, 0.1, 1.0, 1.0, 0.1], [100, 0.1, 0.1, 1.0, 1.0, 0.1]], "constants": [[*KUHN, 4.0]] * 2}
    worse = {**done, "points": [done["points"][0], [100, 0.1, 7.2, 1.0, 1.0, 0.1]]}
    for runs, verdict in (([done, done], "reproduced"), ([done, worse], "not reproduced")):
        lines = gibson_theorems._lines("kuhn", "external", runs, 0.0)
        assert gibson_theorems.bound_kept("G8", "theorem 2", lines, "theorem_2").verdict == verdict


def test_bias_and_probing_are_judged():
    assert verdicts(made_up(unbiased=False), "bias of") == {"not reproduced"}
    assert verdicts(made_up(ratio=1.001), "bias of") == {"not reproduced"}
    assert verdicts(made_up(), "larger regret of both") == {"reproduced"}
    assert verdicts(made_up(probing=1.5), "larger regret of both") == {"not reproduced"}


def test_a_run_has_regrets_below_its_bounds():
    result = gibson_theorems.regrets("kuhn", "cfr", 0, 200)
    points = np.array(result["points"])
    assert (points[:, REGRETS].max(axis=1) < [vanilla(KUHN, t, with_m=False) for t in points[:, 0]]).all()
    assert points[-1, REGRETS].max() < 0.1
