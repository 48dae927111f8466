"""The audit of dealt games: vector and semi-vector forms and public outcome sampling, all with the exact mean."""

import functools
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.auditing.auditor import dealt_methods
from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import enumerate_outcomes, outcomes
from mccfr.auditing.exhibits import DEALT_EXHIBITS, EXHIBITS
from mccfr.auditing.profiles import mixed_strategy, set_traps
from mccfr.auditing.sampled import score_batches
from mccfr.auditing.truth import dealt_values, exact_values
from mccfr.cli.main import cli
from mccfr.errors import MethodError
from mccfr.kernel.recorded_walks import Restless
from mccfr.solvers.method import Method

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
CARDS, RANKS = "gp(2,2,1,1)", "gp(2,2,1,1,suits=False)"  # four cards, one of them public; as ranks, events are uneven
BIASED = (*EXHIBITS, *DEALT_EXHIBITS)
SOUND = [method for method in dealt_methods() if method not in BIASED]
WITH_CARDS = [
    "external", "outcome+history+common", "vector(robust)", "vector(average)", "vector(own=robust, chance=robust(2))",
    "semi_vector(robust)", "public_outcome(0.5)", "public_outcome+static(uniform)", "public_outcome+history(0.5)",
    "public_outcome(alternating=True)+infoset", "public_outcome(law=counts(was(both)))+predictive",
]  # fmt: skip

dealt = functools.cache(lambda game: mccfr.compile(f"dealt:{game}"))
flat = functools.cache(mccfr.compile)


def bench(method, game="kuhn", **options):
    return Bench(dealt(game), Method.parse(method), **{"seed": 1, "warm_up": 0, **options})


def deviation(method, game="kuhn", **options):
    on = bench(method, game, **options)
    return np.abs(enumerate_outcomes(on).mean - on.truth).max()


# what they must be ----------------------------------------------------------------------------------------------------


def in_flat(game):
    """Which entry of the written-out tree an entry of the dealt one is."""
    one, other = dealt(game).infosets, flat(game).infosets
    number = {(i, other.labels[j]): j for i in (0, 1) for j in other.of(i)}
    return np.concatenate(
        [other.row[number[i, one.labels[j]]] + np.arange(one.arity[j]) for i in (0, 1) for j in one.of(i)]
    )


@pytest.mark.parametrize("game", ["kuhn", CARDS, RANKS, "leduc", "bluff(1,1,faces=3)"])
def test_both_forms_of_a_game_agree_on_what_means_must_be(game):
    tree = dealt(game)
    played = mixed_strategy(tree.infosets, np.random.default_rng(1), pure=True)
    set_traps(tree, played)
    there = np.empty_like(played)
    there[in_flat(game)] = played
    found, truth = dealt_values(tree, played, with_chance=True), exact_values(flat(game), there)
    assert found.regret == pytest.approx(truth.regret[in_flat(game)], abs=1e-14)
    assert found.average == pytest.approx(truth.average[in_flat(game)], abs=1e-14)
    assert found.value == pytest.approx(truth.value, abs=1e-14)


def test_averages_of_vectors_are_realisation_plans():
    infosets = dealt(CARDS).infosets
    played = mixed_strategy(infosets, np.random.default_rng(1), pure=True)
    plan = played.copy()
    for j, parent in enumerate(infosets.parent.tolist()):
        plan[infosets.row[j] : infosets.row[j + 1]] *= plan[parent] if parent >= 0 else 1.0
    assert dealt_values(dealt(CARDS), played, with_chance=False).average == pytest.approx(plan, abs=1e-14)


@pytest.mark.parametrize(("game", "apart"), [("kuhn", True), ("leduc", True), (RANKS, False), ("bluff(1,1)", False)])
def test_traps_are_set(game, apart):
    """One hand opens, one that never meets it answers; where all hands meet, any does."""
    tree = dealt(game)
    played = mixed_strategy(tree.infosets, np.random.default_rng(1), pure=False)
    traps = set_traps(tree, played)
    for at, action, hand in ((traps.first, traps.opening, traps.x), (traps.second, traps.answer, traps.y)):
        rows = played[at.rows].reshape(at.shape)
        assert np.flatnonzero(rows[:, action]).tolist() == [hand]
        assert rows.sum(axis=1) == pytest.approx(1.0)
    assert not played[traps.third.rows].reshape(traps.third.shape)[:, -1].any()
    assert (tree.deal[traps.x, traps.y] == 0.0) == apart


# unbiased, and not ----------------------------------------------------------------------------------------------------


@pytest.mark.slow_cases("public_outcome(start=walk)+predictive")
@pytest.mark.parametrize("method", SOUND)
def test_li_2020_and_davis_2019_are_unbiased(method):
    """With meaningless baselines, averages, counts and regrets; and strategies that change as soon as they may."""
    assert deviation(method) < 1e-12
    assert deviation(method, recorder=Restless(), pure=False) < 1e-12


@pytest.mark.parametrize("game", [CARDS, RANKS])
@pytest.mark.parametrize("method", WITH_CARDS)
def test_also_with_public_cards(method, game):
    assert deviation(method, game) < 1e-11


@pytest.mark.parametrize("exhibit", BIASED)
def test_exhibits_are_biased(exhibit):
    assert deviation(exhibit) > 1e-3
    assert deviation(exhibit, warm_up=50) > 1e-3


@pytest.mark.parametrize("exhibit", [exhibit for exhibit in DEALT_EXHIBITS if "by_regret" not in exhibit])
def test_no_law_is_biased_where_everything_is_played(exhibit):
    assert deviation(exhibit, pure=False) < 1e-12


def test_ranges_miss_nothing_where_all_hands_meet():
    """Dice can all meet one another, so the other player's range is 0 for all or for none."""
    exhibit = "vector(own=robust, other=wcs(other), exhibit=True)"
    assert deviation(exhibit, "bluff(1,1,faces=2)") < 1e-12
    assert deviation(exhibit.replace("wcs", "was"), "bluff(1,1,faces=2)") > 1e-3


def test_weights_keep_means():
    assert deviation("vector(robust)+quadratic", warm_up=20) < 1e-12 * 20**2
    assert bench("vector(robust)+quadratic", warm_up=20).weight == 400.0


@pytest.mark.parametrize("method", ["vector(robust)", "semi_vector(all)", "public_outcome(0.5)+history"])
def test_regrets_of_a_strategy_against_itself_cancel_in_every_outcome(method):
    on = bench(method, CARDS)
    for turn in on.turns:
        for _, increments in outcomes(on, turn):
            weighted = on.table.current * increments[: on.entries]
            sums = np.add.reduceat(weighted, on.tree.infosets.row[:-1])
            assert np.abs(sums).max() <= 1e-12 * max(1.0, np.abs(weighted).max())


# moments --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["vector(robust)", "public_outcome", "public_outcome(alternating=True)"])
def test_moments_are_those_of_all_pairs_of_outcomes(method):
    on = bench(method)
    found = enumerate_outcomes(on)
    pairs = [(1.0, np.zeros_like(on.truth))]
    for turn in on.turns:
        pairs = [(p * q, x + y) for p, x in pairs for q, y in outcomes(on, turn)]
    for power, moment in ((2, found.variance), (4, found.fourth)):
        direct = sum(p * (x - found.mean) ** power for p, x in pairs)
        assert moment == pytest.approx(direct, rel=1e-9, abs=1e-9)
    assert found.fourth.max() > 1.0


def test_davis_2019_theorem_3_exact_baselines_leave_the_root_without_variance():
    variance = {
        method: enumerate_outcomes(bench(method, CARDS, warm_up=1)).variance[-2:].max()
        for method in ("public_outcome+predictive", "public_outcome(start=values)+predictive")
    }
    plain, started = variance.values()
    assert started < 1e-13
    assert plain > 0.1


@pytest.mark.slow_cases("semi_vector(robust)", "public_outcome+history*")
@pytest.mark.parametrize("method", ["public_outcome+history", "semi_vector(robust)"])
def test_batches_find_the_enumerated_moments(method):
    exact, on = enumerate_outcomes(bench(method, warm_up=100)), bench(method, warm_up=100)
    scores, biased = score_batches(on, 100_000)
    assert not biased.any()
    assert 0.5 < np.nanmax(np.abs(scores.z)) < scores.bar
    assert scores.moments.nodes == pytest.approx(exact.nodes, rel=0.02)
    if "history" not in method:  # which goes on learning in a batch
        assert scores.moments.variance.sum() == pytest.approx(exact.variance.sum(), rel=0.1)


# the face -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_audit_of_dealt_kuhn():
    report = mccfr.audit("dealt:kuhn", warm_up=30)
    assert {row.method for row in report.rows if not row.unbiased} == set(BIASED)
    assert {row.method for row in report.rows if row.exhibit} == set(BIASED)
    by_name = {row.method: row for row in report.rows}
    assert by_name["vector(external)"].variance < by_name["semi_vector(all)"].variance < by_name["external"].variance
    assert by_name["public_outcome+predictive"].variance < by_name["public_outcome"].variance / 2
    exhibit = str(report).splitlines()[-1]
    assert "NO: regrets (exhibit)" in exhibit
    assert "at regret 0/" in exhibit


@pytest.mark.slow
def test_a_z_test_finds_an_exhibit():
    (row,) = mccfr.audit("dealt:kuhn", DEALT_EXHIBITS[0], exact=False, iterations=20_000).rows
    assert row.biased == ("regrets", "averages", "values")
    assert row.fourth is None
    assert row.z > 20
    assert row.where.startswith(("regret", "average"))


@pytest.mark.parametrize(
    ("game", "method", "message"),
    [
        ("kuhn", "vector(robust)", r"^audit: vector\(.*robust\) walks a public tree; use dealt:kuhn"),
        (
            "dealt:kuhn",
            "dcfr",
            r"^audit: dcfr.* samples nothing; start with a sampler \(vector, semi_vector, public_outcome\)",
        ),
    ],
)
def test_what_cannot_be_audited(game, method, message):
    with pytest.raises(MethodError, match=message):
        mccfr.audit(game, method, exact=True, warm_up=0)


def test_the_document_keeps_to_the_schema():
    words = ["audit", "dealt:kuhn", "-m", "semi_vector", "-m", DEALT_EXHIBITS[0], "--exact", "--json"]
    document = json.loads(CliRunner().invoke(cli, words).stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    jsonschema.Draft202012Validator({"$ref": "#/$defs/audit", "$defs": SCHEMA["$defs"]}).validate(document)
    sound, biased = document["rows"]
    assert sound["unbiased"]
    assert biased["exhibit"]
    assert biased["where"].split()[0] in ("regret", "average")
