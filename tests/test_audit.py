"""The audit: every sampled method has the exact mean, by enumeration; identities of the literature; what is biased."""

import json
import math
from pathlib import Path

import jsonschema
import naive
import numpy as np
import pytest
from click.testing import CliRunner
from conftest import flat, unflat
from naive_kuhn import Kuhn
from random_games import random_game

import mccfr
from mccfr.auditing.auditor import _estimators, _samplers, all_methods
from mccfr.auditing.bench import Bench, mixed_strategy
from mccfr.auditing.enumeration import enumerate_outcomes, outcomes
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.auditing.exhibits import EXHIBITS
from mccfr.auditing.sampled import score_batches
from mccfr.auditing.truth import exact_values
from mccfr.cli.main import cli
from mccfr.errors import MethodError, TreeError
from mccfr.games.base import CHANCE
from mccfr.kernel.dice import below, choose, uniform
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.recorded_walks import Recorder
from mccfr.solvers.method import Method

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
RANDOM = random_game(57, 6, most=60)  # hidden actions, uneven chance, infosets at two depths, three actions
GAMES = {"kuhn": Kuhn(), "random": RANDOM}
TREES = {name: mccfr.compile(game) for name, game in GAMES.items()}
SAMPLERS = (
    "external", "outcome(0.6)", "outcome(1)", "robust(1)", "robust(2)", "average_strategy(0.1, 10, 1.5)",
    "average_strategy(0.1, 0, 0)", "chance", "uniform", "opponent_on_policy", "everything",
    "outcome(explore=counts(alpha=0.3))", "outcome(explore=counts, others=True)",
)  # fmt: skip
LISTED = {"kuhn": "include(0.5, always='c l')", "random": "include(0.5, always=a)"}
ESTIMATORS = (
    "plain",
    "probe",
    "probe(2)",
    "probe(1, 0.5, 0.5, 2)",
    "static(uniform)",
    "history",
    "history(0.5)",
    "infoset",
    "predictive",
)
COMBINATIONS = [
    (name, f"{sampler}+{estimator}")
    for name in GAMES
    for sampler in (*SAMPLERS, LISTED[name])
    for estimator in ESTIMATORS
    if sampler != "everything"
    or estimator in ("plain", "probe", "probe(1, 0.5, 0.5, 2)")  # there is nothing for a baseline to correct
    if name == "kuhn" or not estimator.startswith("probe(")  # too many outcomes
    if (sampler, estimator) != ("chance", "predictive")  # refused: chance sampling freezes strategies
]


def bench(method, game="kuhn", **options):
    return Bench(TREES[game], Method.parse(method), **{"seed": 1, "warm_up": 0, **options})


def moments(method, game="kuhn", **options):
    return enumerate_outcomes(bench(method, game, **options))


def deviation(method, game="kuhn", **options):
    """The largest difference between a mean and what it must be: regrets, averages, values."""
    on = bench(method, game, **options)
    return [np.abs(part).max() for part in split(enumerate_outcomes(on).mean - on.truth, on)]


def split(increments, on):
    return np.split(increments, [on.entries, 2 * on.entries])


# what they must be ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_the_naive_twin_agrees_on_what_means_must_be(name, seed):
    game, tree = GAMES[name], TREES[name]
    strategy = mixed_strategy(tree.infosets, np.random.default_rng(seed), pure=True)
    twin, truth = unflat(tree.infosets, strategy), exact_values(tree, strategy)
    regrets = naive.regrets(game, twin, 0) | naive.regrets(game, twin, 1)
    averages = {
        key: [sum(naive.reach(h, twin, key[0]) * naive.reach(h, twin, CHANCE) for h in members) * p for p in twin[key]]
        for key, members in naive.infosets(game).items()
    }
    assert truth.regret == pytest.approx(flat(tree.infosets, regrets), abs=1e-14)
    assert truth.average == pytest.approx(flat(tree.infosets, averages), abs=1e-14)
    assert truth.value == pytest.approx(naive.expected_values(game, twin), abs=1e-14)


# dice that try everything ---------------------------------------------------------------------------------------------


def enumerated(throw):
    """{what came out: its probability}."""
    dice, found = EveryOutcome(), {}
    while True:
        result = throw(dice)
        found[result] = found.get(result, 0.0) + dice.probability
        if not dice.turn():
            return found


def test_laws_are_enumerated_exactly():
    law = np.array([0.1, 0.0, 0.6, 0.3])
    one, k = np.uint64(0), np.uint64(4)
    assert enumerated(lambda dice: int(choose(law, one, k, dice))) == pytest.approx({0: 0.1, 2: 0.6, 3: 0.3})
    assert enumerated(lambda dice: int(below(dice, 3))) == pytest.approx(dict.fromkeys(range(3), 1 / 3))
    assert enumerated(lambda dice: uniform(dice) * 4.0 < 1.0) == {True: 0.25, False: 0.75}


def test_every_sampler_and_estimator_is_enumerated():
    found = {word.partition("(")[0] for _, method in COMBINATIONS for word in method.split("+")}
    known = {word.removeprefix("+").partition("(")[0] for word in (*_samplers(), *_estimators())}
    assert found == known - {""} | {"plain"}


def test_a_number_keeps_its_word():
    def twice(dice):
        u = uniform(dice)
        return bool(u < 0.5), bool(u >= 0.2), bool(3.0 * u < 1.8)

    cases = {(True, False, True): 0.2, (True, True, True): 0.3, (False, True, True): 0.1, (False, True, False): 0.4}
    assert enumerated(twice) == pytest.approx(cases)


# unbiased -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "method"), COMBINATIONS)
def test_lanctot_2009_every_combination_is_unbiased(name, method):
    """With meaningless baselines and averages, and infosets that play purely."""
    assert max(deviation(method, name)) < 1e-12


@pytest.mark.parametrize(("name", "method"), COMBINATIONS)
def test_lanctot_2013_own_averages_are_unbiased_where_everything_is_possible(name, method):
    assert max(deviation(f"{method}+own_average", name, pure=False)) < 1e-12


def test_own_averages_are_biased_where_an_opponent_plays_purely():
    """Histories that the opponent keeps from happening are never met on policy; drawn uniformly, they are."""
    regrets, averages, values = deviation("external+own_average", "random")
    assert averages > 1e-3
    assert max(regrets, values) < 1e-12
    assert max(deviation("uniform+own_average", "random")) < 1e-12
    assert max(deviation("chance+own_average", "random")) < 1e-12


@pytest.mark.parametrize(("method", "law"), [("external", None), ("outcome+probe", None), ("uniform", naive.uniform)])
@pytest.mark.parametrize("name", GAMES)
def test_averages_as_visited_count_how_likely_the_other_player_came_along(name, method, law):
    """The mean is that of `own_average` times pi_-i, by the strategy or by the law that draws instead of it."""
    game, on = GAMES[name], bench(f"{method}+own_average(others=False)", name)
    twin = unflat(TREES[name].infosets, on.table.current)
    others = twin if law is None else law(game)
    met = {
        (i, infoset): [
            sum(naive.reach(h, twin, i) * naive.reach(h, others, 1 - i) * naive.reach(h, twin, CHANCE) for h in members)
            * p
            for p in twin[i, infoset]
        ]
        for (i, infoset), members in naive.infosets(game).items()
    }
    increments = enumerate_outcomes(on).mean
    regrets, averages, values = split(increments, on)
    assert averages == pytest.approx(flat(TREES[name].infosets, met), abs=1e-14)
    assert np.abs(np.concatenate((regrets, values)) - np.concatenate(split(on.truth, on)[::2])).max() < 1e-12
    assert np.abs(averages - split(on.truth, on)[1]).max() > 1e-3


def test_averages_as_visited_are_right_where_others_do_everything():
    assert max(deviation("chance+own_average(others=False)", "random")) < 1e-12


@pytest.mark.parametrize(
    "method", ["external+linear", "outcome+quadratic+own_average", "outcome+floor(0.3)+predictive"]
)
def test_weights_and_floors_keep_means(method):
    assert max(deviation(method, pure=False)) < 1e-12
    assert max(deviation(method, pure=False, warm_up=20)) < 1e-12 * 20**2


@pytest.mark.parametrize("name", GAMES)
def test_the_exhibits_are_biased(name):
    regrets, averages, values = deviation("external+optimistic", name)
    assert averages > 1e-3
    assert max(regrets, values) < 1e-12
    regrets, _, values = deviation("external+page_rule", name)
    assert regrets > 1e-3
    assert values < 1e-12


def test_unsupported_actions_are_noticed():
    """Outcome sampling without exploration never tries what it does not play."""
    with np.errstate(divide="ignore", invalid="ignore"):
        assert max(deviation("outcome(0)")) > 1e-3
    assert max(deviation("outcome(0)", pure=False)) < 1e-12


# identities -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "method"), COMBINATIONS[::3])
def test_regrets_of_a_strategy_against_itself_cancel_in_every_outcome(name, method):
    """sum over a of sigma(I, a) r(I, a) = 0."""
    on = bench(method, name)
    for i in (0, 1):
        for _, increments in outcomes(on, i):
            weighted = on.table.current * increments[: on.entries]
            sums = np.add.reduceat(weighted, on.tree.infosets.row[:-1])
            assert np.abs(sums).max() <= 1e-13 * max(1.0, np.abs(weighted).max())


def same(one, other, name="random"):
    """The same mean and variance everywhere."""
    one, other = moments(one, name), moments(other, name)
    return one.mean == pytest.approx(other.mean, abs=1e-12) and one.variance == pytest.approx(other.variance, abs=1e-11)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("external", "external+probe"),  # probing with rho = 1 [Gibson et al. 2012]
        ("external", "external+probe(2, 0.5, 0.5, 2)"),
        ("external", "robust(3)"),
        ("external", "average_strategy(epsilon=1)"),
        ("external", "include(p=1)"),
        ("external+history", "robust(3)+history"),
        ("outcome(1)", "robust(1)"),
        ("outcome(1)", "opponent_on_policy"),
        ("outcome(1)+probe", "robust(1)+probe"),
        ("outcome(1)+predictive", "opponent_on_policy+predictive"),
    ],
)
def test_li_2020_methods_that_are_one_and_the_same(one, other):
    assert same(one, other)


def test_sameness_can_fail():
    assert not same("external", "robust(2)")
    assert not same("outcome(1)", "outcome(0.6)")


@pytest.mark.parametrize("sampler", [s for s in SAMPLERS if s != "everything"])
def test_davis_2019_no_baseline_is_plain_sampling(sampler):
    zero = bench(f"{sampler}+static(uniform)", "random")
    zero.parts.estimator.table[:] = 0.0
    zero._kept = [array.copy() for array in zero._state]
    plain = bench(sampler, "random")
    for i in (0, 1):
        for (p, one), (q, other) in zip(outcomes(zero, i), outcomes(plain, i), strict=True):
            assert p == q
            assert one == pytest.approx(other, abs=1e-13)


@pytest.mark.parametrize("name", GAMES)
def test_everything_is_exact(name):
    on = bench("everything", name)
    found = enumerate_outcomes(on)
    assert found.samples == 2
    assert np.abs(found.variance).max() < 1e-14
    assert found.mean == pytest.approx(on.truth, abs=1e-14)
    assert found.nodes == 2 * len(on.tree)


def test_li_2020_a_batch_divides_the_variance():
    """Two iterations through the deferred minimiser, in every outcome of both."""
    tree = mccfr.compile("matrix([[2,-1],[-1,1]])")
    single = enumerate_outcomes(Bench(tree, Method.parse("robust(1)"), 1, 0))
    on = Bench(tree, Method.parse("robust(1)+batch(2)"), 1, 0)
    from mccfr.solvers.bind import bind_method

    minimiser = bind_method(Method.parse("robust(1)+batch(2)"), tree).minimiser._replace(inside=Recorder())
    parts, dice, mean, square = on.parts._replace(minimiser=minimiser), EveryOutcome(), 0.0, 0.0
    with np.errstate(over="ignore"):
        while True:
            on.rewind()
            run_walks.interpreted(2, np.zeros(2), parts, on.nodes, on.table, on.work._replace(dice=dice))
            added = on.recorded(0, 0.0)[: on.entries]
            mean = mean + dice.probability * added
            square = square + dice.probability * added**2
            if not dice.turn():
                break
    assert mean == pytest.approx(on.truth[:4])
    assert square - mean**2 == pytest.approx(single.variance[:4] / 2)


# variance -------------------------------------------------------------------------------------------------------------


def edges(on, i):
    """(pi, probability that uniform sampling walks it, u - b) of every edge, for player i."""
    tree, current, worth = on.tree, on.table.current, {}
    baseline = on.parts.estimator.table * (1 - 2 * i)

    def law(h):
        _, row, _, meta = (int(x) for x in tree.nodes[4 * h : 4 * h + 4])
        kind, k = meta & 255, meta >> 8
        return [] if kind == 255 else [1 / k] * k if kind == 254 else (tree.odds if kind == 253 else current)[row:][:k]

    def value(h):
        child = int(tree.nodes[4 * h])
        worth[h] = sum(p * value(child + a) for a, p in enumerate(law(h))) if len(law(h)) else tree.reals[2 * h]
        return worth[h]

    def below_node(h, pi, q):
        child, odds = int(tree.nodes[4 * h]), law(h)
        for a, p in enumerate(odds):
            yield pi * p, q / len(odds), worth[child + a] * (1 - 2 * i) - baseline[child + a]
            yield from below_node(child + a, pi * p, q / len(odds))

    value(0)
    return below_node(0, 1.0, 1.0)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("warm_up", [0, 300])
def test_davis_2019_theorem_2_bounds_the_variance(name, warm_up):
    """Var[u_b] <= sum over edges of pi^2 / q (u - b)^2, at the root."""
    on = bench("uniform+history", name, warm_up=warm_up)
    variance = enumerate_outcomes(on).variance[-2:]
    bound = [sum(pi**2 / q * gap**2 for pi, q, gap in edges(on, i)) for i in (0, 1)]
    assert (variance <= bound).all()
    assert (variance > np.array(bound) / 50).all()  # and says something


def test_davis_2019_exact_baselines_leave_the_root_without_variance():
    on = bench("uniform+predictive", warm_up=2000)
    assert np.abs(enumerate_outcomes(on).variance[-2:]).max() < 1e-12
    assert moments("uniform").variance[-2:].min() > 0.1


@pytest.mark.parametrize("method", ["external", "outcome(0.6)", "robust(1)", "include(0.5, always=a)"])
def test_gibson_2012_variance_is_bounded_by_the_range_of_estimates(method):
    """sqrt(Var) <= sqrt(2) max(Delta~, Delta), after theorem 2."""
    on = bench(method, "random")
    rows = on.tree.infosets.row[:-1]

    def widest(regrets):
        return (np.maximum.reduceat(regrets, rows) - np.minimum.reduceat(regrets, rows)).max()

    sampled = max(widest(increments[: on.entries]) for i in (0, 1) for _, increments in outcomes(on, i))
    largest = math.sqrt(enumerate_outcomes(on).variance[: on.entries].max())
    assert 0.0 < largest <= math.sqrt(2) * max(sampled, widest(on.truth[: on.entries]))
    assert largest > sampled / 50


def test_gibson_2012_probing_lowers_the_variance_of_values():
    for sampler in ("outcome(0.6)", "robust(1)"):
        assert moments(f"{sampler}+probe").variance[-2:].sum() < 0.6 * moments(sampler).variance[-2:].sum()


# z-tests --------------------------------------------------------------------------------------------------------------


def test_batches_find_the_enumerated_moments():
    exact = enumerate_outcomes(bench("outcome", warm_up=50))
    on = bench("outcome", warm_up=50)
    scores, biased = score_batches(on, 200_000)
    assert not biased.any()
    assert np.abs(scores.z).max() < scores.bar < 7
    sizes = np.flatnonzero(exact.variance > 1e-3)
    assert scores.moments.variance[sizes] == pytest.approx(exact.variance[sizes], rel=0.6)
    assert scores.moments.variance[sizes].sum() == pytest.approx(exact.variance[sizes].sum(), rel=0.1)
    assert scores.moments.nodes == pytest.approx(exact.nodes, rel=0.01)


def test_a_z_test_finds_the_exhibits():
    report = mccfr.audit("kuhn", EXHIBITS, exact=False, iterations=20_000)
    assert [row.biased for row in report.rows] == [("averages",), ("regrets", "averages")]
    assert all(row.z > 20 for row in report.rows)


@pytest.mark.slow
def test_leduc_is_tested_by_batches():
    (row,) = mccfr.audit("leduc", "external", iterations=100_000).rows
    assert row.unbiased
    assert not row.exact
    assert 1.0 < row.z < 7.0
    assert row.untested < row.tested / 20
    assert len(row.variances) == 2184


# the face -------------------------------------------------------------------------------------------------------------


def test_by_default_every_sampler_meets_every_estimator():
    methods = [Method.parse(m) for m in all_methods() if m not in EXHIBITS]
    pairs = {(type(m.sampler).__name__, type(m.estimator).__name__) for m in methods}
    assert len({sampler for sampler, _ in pairs}) >= 9
    assert {estimator for _, estimator in pairs} >= {"Plain", "Probe", "Static", "History", "Infoset", "Predictive"}
    assert len(pairs) >= 8 * 6 + 1


@pytest.mark.slow  # docs/audit.md shows every row of it, and is run
def test_the_audit_of_kuhn():
    report = mccfr.audit("kuhn")
    wrong = {row.method for row in report.rows if not row.unbiased}
    on_policy = {"external", "outcome", "robust", "average_strategy(0.1, 10, 1.5)", "include", "opponent_on_policy"}
    assert wrong == {*EXHIBITS, *(f"{sampler}+own_average" for sampler in on_policy)}
    by_name = {row.method: row for row in report.rows}
    assert by_name["outcome+predictive"].variance < by_name["outcome"].variance / 2
    assert by_name["outcome"].nodes < by_name["external"].nodes
    assert str(report).startswith("method ")
    assert len(str(report).splitlines()) == len(report.rows) + 1


@pytest.mark.slow
def test_what_cannot_be_audited():
    with pytest.raises(MethodError, match=r"^audit: cfr_plus samples nothing; start with a sampler \(external, "):
        mccfr.audit("kuhn", "cfr_plus")
    with pytest.raises(MethodError, match="did you mean external"):
        mccfr.audit("kuhn", ["external", "externl"])
    with pytest.raises(MethodError, match=r"^audit: external has more than 10,000 outcomes on leduc; use --sampled"):
        mccfr.audit("leduc", "external", exact=True)
    with pytest.raises(MethodError, match=r"^audit: iterations must be a whole number from 1, got 0"):
        mccfr.audit("kuhn", "external", iterations=0)
    with pytest.raises(MethodError, match=r"^audit: seed must be a whole number from 0, got -1"):
        mccfr.audit("kuhn", "external", seed=-1)
    with pytest.raises(TreeError, match="3 players"):
        mccfr.audit(random_game(5, 4, players=3), "external")


def test_the_command_prints_the_report():
    result = CliRunner().invoke(cli, ["audit", "kuhn", "-m", "external", "--method", "external+optimistic"])
    assert result.exit_code == 0
    assert result.stdout == f"{mccfr.audit('kuhn', ['external', 'external+optimistic'])}\n"


@pytest.mark.parametrize("how", ["--exact", "--sampled"])
def test_the_document_keeps_to_the_schema(how):
    result = CliRunner().invoke(cli, ["audit", "kuhn", "-m", "external", how, "-n", "2000", "--json"])
    document = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    jsonschema.Draft202012Validator({"$ref": "#/$defs/audit", "$defs": SCHEMA["$defs"]}).validate(document)
    assert document["rows"][0]["exact"] == (how == "--exact")
    assert document["rows"][0]["unbiased"]
