"""Baselines of vector walks: right on average, exact where they can be, and nothing changes without them."""

import functools

import numpy as np
import pytest

import mccfr
from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import enumerate_outcomes
from mccfr.errors import MethodError
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import TERMINAL
from mccfr.kernel.recorded_walks import Restless
from mccfr.solvers.choose_engine import engine_for

KUHN, CARDS, RANKS = "dealt:kuhn", "dealt:gp(2,2,1,1)", "dealt:gp(2,2,1,1,suits=False)"
FORMS = (
    "vector(external)", "vector(robust)", "vector(average)", "vector(outcome)",
    "vector(own=robust(2), other=robust(2))", "semi_vector(all)", "semi_vector(robust)",
)  # fmt: skip
BASELINES = ("infoset(0.5)", "static(uniform)")
STATIC_OF_ONE = ("semi_vector(robust)", "static(uniform)")

compiled = functools.cache(mccfr.compile)


def bench(method, game=KUHN, **options):
    return Bench(compiled(game), mccfr.Method.parse(method), **{"seed": 1, "warm_up": 0, **options})


def deviation(*given, **options):
    on = bench(*given, **options)
    return np.abs(enumerate_outcomes(on).mean - on.truth).max()


def engine(method, game=KUHN, seed=1):
    return engine_for(compiled(game), mccfr.Method.parse(method), seed)


def interpreted(made, n):
    with np.errstate(over="ignore"):
        run_walks.interpreted(n, made.clock, made.parts, made.tree, made.table, made.work)


def assert_same(one, other, names):
    for name in names:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


# right on average -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("form", FORMS)
def test_any_baseline_leaves_means_as_they_are(form, baseline):
    """With meaningless baselines; and strategies that change as soon as they may."""
    assert deviation(f"{form}+{baseline}") < 1e-12
    assert deviation(f"{form}+{baseline}", pure=False, recorder=Restless()) < 1e-12


@pytest.mark.parametrize("game", [CARDS, RANKS])
@pytest.mark.parametrize(
    "form",
    [
        "vector(robust)",
        "semi_vector(robust)",
        pytest.param("vector(own=all, other=all, chance=robust(2))", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("baseline", ["infoset", "static(uniform)"])
def test_also_with_public_cards(form, baseline, game):
    """The static baseline of one hand is a real one: that of an event which the hand cannot meet must be 0."""
    warm_up = 1 if (form, baseline) == STATIC_OF_ONE else 0
    assert deviation(f"{form}+{baseline}", game, warm_up=warm_up) < 1e-11


@pytest.mark.parametrize("baseline", ["infoset", "static(call)"])
def test_leduc_by_enumeration(baseline):
    assert deviation(f"vector(robust)+{baseline}", "dealt:leduc") < 1e-11


# what baselines are worth ---------------------------------------------------------------------------------------------


def frozen(form, game):
    """The form with exact values of the frozen strategy as its baseline."""
    on = bench(f"{form}+static(uniform)", game, warm_up=1, pure=False)
    on.parts.estimator.table[:] = compiled(game).public.pair_values(on.table.current)
    on._keep()
    return on


@pytest.mark.parametrize(
    ("form", "game"),
    [("vector(external)", KUHN), ("vector(robust)", KUHN), ("vector(robust)", CARDS)],
)
def test_exact_baselines_leave_the_root_without_variance(form, game):
    """Regrets still vary with 1 / q: on Kuhn their variances add up to 0.53 for `vector(robust)`, 3.5 without."""
    plain = enumerate_outcomes(bench(form, game, warm_up=1, pure=False))
    exact = enumerate_outcomes(frozen(form, game))
    entries = compiled(game).infosets.entries
    assert plain.variance[-2:].max() > 0.1
    assert np.abs(exact.variance[-2:]).max() < 1e-12
    assert exact.variance[:entries].sum() < 0.65 * plain.variance[:entries].sum()


def test_baselines_of_one_hand_leave_the_draw_of_the_hand():
    plain = enumerate_outcomes(bench("semi_vector(robust)", warm_up=1, pure=False))
    exact = enumerate_outcomes(frozen("semi_vector(robust)", KUHN))
    assert 0.1 < exact.variance[-2:].sum() < 0.6 * plain.variance[-2:].sum()


@pytest.mark.parametrize(("form", "game"), [("vector(robust)", KUHN), ("vector(external)", CARDS)])
def test_what_is_learned_is_what_a_hand_gets_for_a_unit_of_reach(form, game):
    """Under a frozen strategy, against sums over pairs; reaches differ by a public factor only, so it is exact."""
    tree, on = compiled(game), bench(f"{form}+infoset(1)", game, warm_up=250, pure=False)
    hands, (first, second) = tree.public.most_hands, tree.public.deal.shape
    key, law = tree.public.chance_reach
    values = tree.public.pair_values(on.table.current).reshape(-1, first, second)
    table, visits = on.parts.estimator.table.reshape(-1, 2, hands), on.parts.estimator.visits
    reach, checked = {0: np.ones((2, hands))}, 0
    for h, (child, o, which, kind) in enumerate(tree.public.nodes.reshape(-1, 4).tolist()):
        mover, k = kind & 255, kind >> 8
        for e in range(child, child + k) if mover != TERMINAL else ():
            reach[e] = reach[h].copy()
            if mover < 2:
                place = tree.public.members[tree.public.start[which] : tree.public.start[which + 1]]
                played = np.zeros(hands)
                played[place] = on.table.current[o + e - child :: k][: len(place)]
                reach[e][mover] *= played
            for i in (0, 1):
                theirs = reach[e][1 - i][: (second, first)[i]]
                met = law[key[e]] @ theirs if i == 0 else theirs @ law[key[e]]
                worth = values[e] @ theirs if i == 0 else -(theirs @ values[e])
                learned = mover != i or "external" not in form
                if learned:
                    checked += 1
                    np.testing.assert_allclose(table[e, i, : len(met)] * met, worth, atol=1e-9)
    assert checked > 10
    assert not visits.any()  # which only a plain mean needs
    assert np.abs(enumerate_outcomes(on).variance[-2:]).max() < 1e-12


# runs -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["vector(average)", "semi_vector(robust)", "vector(own=robust, other=robust(2))"])
@pytest.mark.parametrize("baseline", ["static(uniform)", "infoset"])
def test_a_baseline_of_nothing_changes_nothing(form, baseline):
    one, other = engine(form, CARDS), engine(f"{form}+{baseline}", CARDS)
    numbers = other.parts.estimator.table if "static" in baseline else other.parts.estimator.law
    numbers[:] = 0.0  # where no hand meets another, nothing is learned either
    for made in (one, other):
        interpreted(made, 20)
    assert_same(one.arrays, other.arrays, one.arrays)


def test_a_run_goes_on_with_its_baselines():
    straight, first, second = (engine("vector(average)+infoset", seed=seed) for seed in (5, 5, 6))
    interpreted(straight, 50)
    interpreted(first, 20)
    assert {"estimator.table", "estimator.visits"} <= set(first.arrays)
    assert "estimator.law" not in first.arrays  # it follows from the tree
    for name, array in first.arrays.items():
        second.arrays[name][:] = array
    interpreted(second, 30)
    assert_same(straight.arrays, second.arrays, straight.arrays)


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["vector(average)+infoset", "vector(robust)+static(uniform)", "semi_vector(robust)+infoset(0.1)"]
)
def test_it_is_compiled_as_written(method):
    one, other = (engine(method, "dealt:leduc", seed=5) for _ in range(2))
    one.run(10)
    interpreted(other, 10)
    assert_same(one.arrays, other.arrays, one.arrays)


@pytest.mark.slow
def test_baselines_of_real_methods_on_leduc():
    """By a z-test, compiled."""
    (row,) = mccfr.audit("dealt:leduc", "vector(average)+infoset", exact=False, iterations=100_000).rows
    assert row.unbiased


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (
            "vector(robust)+history",
            "history: vector and semi-vector forms take plain, static or infoset; public_outcome",
        ),
        ("vector(robust)+predictive", "predictive: vector and semi-vector forms take"),
        ("semi_vector+probe", "probe: vector and semi-vector forms take"),
        ("vector(own=all, other=all, chance=all)+infoset", "samples nothing"),
    ],
)
def test_what_makes_no_sense_is_refused(method, message):
    with pytest.raises(MethodError, match=message) as error:
        engine(method)
    assert "\n" not in str(error.value)
