"""The value-form walk on dealt trees, and common random numbers."""

import numpy as np
import pytest

import mccfr
from mccfr.auditing.bench import mixed_strategy
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.auditing.truth import exact_values
from mccfr.errors import MethodError
from mccfr.kernel.dice import seeded
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import Table
from mccfr.kernel.recorded_walks import Recorder
from mccfr.kernel.samplers import Listed, PackedList, law
from mccfr.kernel.walk import walk
from mccfr.solvers.bind import bind, bind_method
from mccfr.solvers.engines import WalkEngine
from mccfr.solvers.method import Method
from mccfr.tree import budget, dealt_infosets

SMALL_POKER = "gp(2,2,1,1)"  # four cards, a public one
METHODS = (
    "external", "outcome(0.6)", "robust(1)+probe", "outcome+history", "external+infoset", "outcome+infoset(0.5)",
    "outcome+predictive", "outcome+static", "external+static(uniform)", "uniform+history", "everything",
    "average_strategy", "outcome+own_average", "external+common", "robust(1)+probe+common",
)  # fmt: skip


def profile(tree, pure=True, seed=3):
    """Random strategies, some of them perhaps pure, the same for both forms of a game: they have the same labels."""
    flat = mccfr.compile(tree.game.removeprefix("dealt:"))
    played = mixed_strategy(flat.infosets, np.random.default_rng(seed), pure)
    truth = exact_values(flat, played)
    order = np.concatenate([
        np.arange(flat.infosets.row[j], flat.infosets.row[j + 1])
        for p in (0, 1)
        for number in tree.infosets.of(p)
        for j in [flat.infosets.find(tree.infosets.labels[number], p)]
    ])  # fmt: skip
    return played[order], truth.regret[order], truth.average[order], truth.value


def expected_increments(tree, method, current, scramble=True):
    """Exact means over all outcomes of a walk for each player: regrets, averages, root values."""
    parts = bind_method(Method.parse(method), tree)._replace(minimiser=Recorder())
    table = Table(current.copy(), np.zeros(len(current)), np.zeros(len(current)))
    state = [a for part in (*parts, table) for a in part if isinstance(a, np.ndarray)] + [table.regret, table.average]
    if scramble and hasattr(parts.estimator, "visits"):
        parts.estimator.table[:] = np.random.default_rng(1).normal(size=len(parts.estimator.table))
    before = [a.copy() for a in state]
    means, values, chance = [np.zeros(len(current)), np.zeros(len(current))], np.zeros(2), 0.0
    work, nodes = tree.walk_work(seeded(0), Method.parse(method).common), tree.walk_view()
    for i in (0, 1):
        dice, more = EveryOutcome(), True
        while more:
            for array, kept in zip(state, before):
                array[:] = kept
            with np.errstate(over="ignore"):
                args = nodes, table, work._replace(dice=dice)
                value = walk(parts, np.uint64(i), 5.0, 1.0, (1.0, 1.0), *args)
            values[i] += dice.probability * value
            means[0] += dice.probability * table.regret
            means[1] += dice.probability * (table.average - before[-1])
            chance += dice.probability
            more = dice.turn()
    assert chance == pytest.approx(2.0, abs=1e-9)
    return *means, values


@pytest.mark.parametrize("method", METHODS)
def test_walks_with_hands_drawn_for_them_have_the_right_means(method):
    tree = mccfr.compile("dealt:kuhn")
    current, regret, average, value = profile(tree, pure="own_average" not in method)  # which needs mixed opponents
    found = expected_increments(tree, method, current)
    np.testing.assert_allclose(found[0], regret, atol=1e-12)
    np.testing.assert_allclose(found[1], average, atol=1e-12)
    np.testing.assert_allclose(found[2], value, atol=1e-12)


@pytest.mark.parametrize("game", [SMALL_POKER, f"dealt:{SMALL_POKER}"])
@pytest.mark.parametrize("method", ["outcome+common", "outcome+history+common", "robust(1)+infoset+common", "outcome"])
def test_a_public_card_that_serves_all_lines_changes_no_mean(game, method):
    tree = mccfr.compile(game)
    current, regret, average, value = profile(tree)
    found = expected_increments(tree, method, current)
    np.testing.assert_allclose(found[0], regret, atol=1e-12)
    np.testing.assert_allclose(found[1], average, atol=1e-12)
    np.testing.assert_allclose(found[2], value, atol=1e-12)


def test_lines_of_a_walk_share_the_public_card_and_only_then():
    """Walker 0 tries both actions before the card: with common numbers it comes out alike, otherwise not always."""
    tree = mccfr.compile("dealt:leduc")
    for method, alike in (("external+common", True), ("external", False)):
        engine = WalkEngine(tree, Method.parse(method), seed=2)
        cards = [met_cards(engine, tree) for _ in range(200)]
        assert max(map(len, cards)) > (0 if alike else 1)
        assert all(len(seen) <= 1 for seen in cards) == alike


def met_cards(engine, tree):
    """Which public cards one walk of player 0 met: its own infosets after the card whose regrets changed."""
    engine.table.regret[:] = 0.0
    with np.errstate(over="ignore"):
        parts = engine.parts._replace(minimiser=Recorder())
        run = walk(parts, np.uint64(0), 1.0, 1.0, (1.0, 1.0), engine.tree, engine.table, engine.work)
    assert np.isfinite(run)
    infosets = tree.infosets
    changed = {
        infosets.labels[j] for j in infosets.of(0) if engine.table.regret[infosets.row[j] : infosets.row[j + 1]].any()
    }
    return {label.partition("/")[2][0] for label in changed if "/" in label}


@pytest.mark.slow_cases("outcome+predictive", "outcome(0.6)+history+rm_plus", "external+common")
@pytest.mark.parametrize(
    "method", ["external", "outcome(0.6)+history+rm_plus", "outcome+predictive", "external+common"]
)
def test_compiled_walks_are_the_interpreted_ones(method):
    tree = mccfr.compile("dealt:leduc")
    one, other = (WalkEngine(tree, Method.parse(method), seed=7) for _ in range(2))
    one.run(50)
    with np.errstate(over="ignore"):
        run_walks.interpreted(50, other.clock, other.parts, other.tree, other.table, other.work)
    for name, array in one.arrays.items():
        assert np.array_equal(array, other.arrays[name]), name


@pytest.mark.slow_cases("outcome+predictive", "external+common")
@pytest.mark.parametrize("method", ["external", "external+common", "outcome+predictive"])
def test_both_forms_of_leduc_make_the_same_draws(method):
    one, other = (mccfr.solve(game, method, iterations=2000, seed=1).strategy() for game in ("leduc", "dealt:leduc"))
    for player in (0, 1):
        for number in one.infosets.of(player):
            label = one.infosets.labels[number]
            assert other[player, label] == pytest.approx(one[player, label], abs=1e-9), label


@pytest.mark.slow_cases("locked", "batch")
@pytest.mark.parametrize("parallel", ["replicas", "batch", "shared", "locked"])
def test_workers_share_dealt_games(parallel):
    solver = mccfr.Solver("dealt:leduc", "external", seed=1, workers=2, parallel=parallel).run(60_000)
    assert solver.exploitability() < 0.3  # 2.37 before; 0.07 to 0.15 with seeds 1 to 20
    assert solver.parallel == parallel


def test_common_numbers_help_external_sampling_on_leduc():
    """0.073 against 0.062 on average after 100,000 iterations, 20 seeds; here fewer, and 1.96 standard errors apart."""
    tree = mccfr.compile("dealt:leduc")
    found = {
        method: np.log([mccfr.Solver(tree, method, seed=s).run(50_000).exploitability() for s in range(16)])
        for method in ("external", "external+common")
    }
    assert found["external+common"].mean() < found["external"].mean()


@pytest.mark.parametrize("method", ["cfr+common", "everything+common", "uniform+common", "vector(external)+common"])
def test_common_numbers_need_chance_to_be_drawn_by_its_law(method):
    with pytest.raises(MethodError, match="common is for walks that draw chance"):
        Method.parse(method)


def test_common_is_written_and_read():
    assert str(Method.parse("external+common+rm_plus")) == "external+rm_plus+common"


@pytest.mark.slow
def test_public_methods_share_out_replicas():
    """Twice the iterations on private tables, averages added up: as good as either, and the same again."""
    solvers = [
        mccfr.Solver("dealt:leduc", "public_outcome+predictive+rm_plus+linear", 3, workers=2).run(40_000)
        for _ in range(2)
    ]
    assert solvers[0].exploitability() < 0.2  # 2.37 before; 0.09 to 0.11 with seeds 1 to 3
    assert np.array_equal(solvers[0].strategy().probabilities, solvers[1].strategy().probabilities)
    with pytest.raises(MethodError, match="use replicas"):
        mccfr.Solver("dealt:leduc", "vector(external)", workers=2, parallel="shared")


@pytest.mark.parametrize("always", ["bluff", "ends", "liar 1-2"])
def test_a_packed_list_says_what_the_written_one_does(monkeypatch, always):
    tree = mccfr.compile("dealt:bluff(1,1,rounds=one,faces=3)")
    written = bind(Listed(0.5, always), tree)
    monkeypatch.setattr(dealt_infosets, "WRITTEN_UP_TO", 0)
    packed = bind(Listed(0.5, always), tree)
    assert isinstance(packed, PackedList)
    found = [law(packed, 1.0, None, 0.0, np.uint64(x)) for x in range(tree.infosets.entries)]
    assert found == written.rho.tolist()


@pytest.mark.slow
def test_walks_on_float32_tables_learn(monkeypatch):
    """As with float64 ones: the same draws, until a rounded strategy tips one of them over."""
    game, method = "dealt:bluff(1,1)", "include(0.5,always=bluff)+probe"
    exact = mccfr.Solver(game, method, seed=1).run(50_000).exploitability()
    monkeypatch.setattr(budget, "SMALL_TABLES", 0)
    monkeypatch.setattr(dealt_infosets, "WRITTEN_UP_TO", 0)
    solver = mccfr.Solver(game, method, seed=1).run(50_000)
    assert solver.state["regret"].dtype == np.float32
    assert solver.exploitability() == pytest.approx(exact, rel=0.2)
    assert exact < 0.2  # 0.78 before


@pytest.mark.slow_cases("external+floor*", "external")
@pytest.mark.parametrize("method", ["external", "external+floor(0.01,100)"])
def test_workers_share_float32_tables(monkeypatch, method):
    monkeypatch.setattr(budget, "SMALL_TABLES", 0)
    solver = mccfr.Solver("dealt:bluff(1,1)", method, seed=1, workers=2, parallel="shared").run(20_000)
    assert solver.state["regret"].dtype == np.float32
    assert solver.exploitability() < 0.2  # 0.78 before
