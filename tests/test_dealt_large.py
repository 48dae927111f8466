"""Large dealt games: what they do differently is done here to small ones, and what does not fit is refused."""

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import StrategyError, TreeError
from mccfr.evaluate import branches
from mccfr.evaluate.vector_values import VectorEvaluator
from mccfr.games.bluff import Bluff
from mccfr.games.bluff_values import BRACKETS
from mccfr.solvers import part_values
from mccfr.solvers.prepare import game_value
from mccfr.tree import budget, dealt_infosets, dealt_tree as dealt
from mccfr.tree.dealt_budget import DealtBudget

ROUND = "dealt:bluff(1,1,rounds=one,faces=3)"


@pytest.fixture
def large(monkeypatch):
    """Every dealt game is a large one: nothing is written out, tables are float32, walks are shared."""
    monkeypatch.setattr(dealt_infosets, "WRITTEN_UP_TO", 0)
    monkeypatch.setattr(budget, "SMALL_TABLES", 0)
    monkeypatch.setattr(dealt, "SHARED_FROM", 0)


@pytest.mark.slow_cases("bluff(dice0=2)")
@pytest.mark.parametrize("game", [Bluff(1, 1), Bluff(2, 1), Bluff(1, 2, faces=4), Bluff(1, 1, faces=2)], ids=str)
def test_the_public_tree_built_at_once_is_the_one_found_node_by_node(game):
    rules = game.with_values(dict.fromkeys(game.subgames(), 0.0)).dealt()
    at_once, found = rules.public_tree(), dealt._Builder(rules, DealtBudget("", 2**40))
    np.testing.assert_array_equal(at_once.words, np.array(found.nodes, np.uint32))
    assert (list(at_once.endings), list(at_once.stakes)) == (found.endings, list(found.stakes))
    assert at_once.depth == found.depth
    tree = dealt._assemble("", rules, at_once, [], dealt._everybody(rules), DealtBudget("", 2**40))
    assert game.dealt_size() == (len(tree), tree.infosets.entries)
    np.testing.assert_array_equal(np.concatenate(found.members), tree.members)


@pytest.mark.parametrize(("dice", "infosets"), [((1, 1), 24_576), ((2, 1), 3_538_944), ((2, 2), 352_321_536)])
def test_sizes_of_bluff(dice, infosets):
    """Every sequence of bids is a decision, with as many infosets as the mover has hands: 2^24 x 21 for (2,2)."""
    game = Bluff(*dice, rounds="one")
    rules, (nodes, entries) = game.dealt(), game.dealt_size()
    hands = [len(rules.hands(p)) for p in (0, 1)]
    assert (nodes + 1) // 4 * sum(hands) == infosets
    assert entries == (nodes - 1) // 2 * sum(hands)
    if dice != (2, 2):  # the tree itself: seconds and a gigabyte
        counts = mccfr.compile(f"dealt:{Bluff(*dice, rounds='one')}").counts
        assert (counts["infosets"], counts["infoset_actions"], counts["nodes"]) == (infosets, entries, nodes)


def written_and_not(game):
    """The infosets of a game with all names kept, and with none."""
    kept = mccfr.compile(game).infosets
    kept.labels, kept.row, kept.menus, kept._numbers  # noqa: B018  worked out while it is small
    other = mccfr.compile(game).infosets
    return kept, other


@pytest.mark.parametrize("game", ["dealt:leduc", "dealt:gp(2,2,1,2)", "dealt:bluff(2,1,rounds=one,faces=3)"])
def test_infosets_worked_out_one_at_a_time_are_those_written_out(game, monkeypatch):
    kept, lazy = written_and_not(game)
    labels, menus = list(kept.labels), [kept.actions(j) for j in range(len(kept))]
    monkeypatch.setattr(dealt_infosets, "WRITTEN_UP_TO", 0)
    assert [lazy.labels[j] for j in range(len(lazy))] == labels
    assert list(lazy.labels[2:5]) == labels[2:5]
    assert [lazy.actions(j) for j in range(len(lazy))] == menus
    assert [lazy.entry(j) for j in range(len(lazy) + 1)] == kept.row.tolist()
    assert (lazy.widest, lazy.entries) == (max(map(len, menus)), kept.row[-1])
    weights = np.random.default_rng(1).exponential(size=lazy.entries)
    weights[: len(menus[0])] = 0.0
    p, visited = lazy.normalised(weights)
    q, seen = super(dealt_infosets.DealtInfosets, kept).normalised(weights)
    np.testing.assert_allclose(p, q, rtol=1e-15)
    np.testing.assert_array_equal(visited, seen)
    np.testing.assert_allclose(lazy.uniform(), super(dealt_infosets.DealtInfosets, kept).uniform(), rtol=1e-15)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 17)), st.integers(0, 10**6))
def test_labels_of_a_large_game_are_found_again(bids, hand):
    infosets = mccfr_21().infosets
    rules = infosets.rules
    state, player = tuple(sorted(bids)), len(bids) % 2
    hands = rules.hands(player)
    label = rules.label(state, player, hand % len(hands))
    number = infosets.find(label)
    assert infosets.labels[number] == label
    assert infosets.owner(number) == player
    assert infosets.actions(number) == tuple(rules.actions(state))
    assert infosets.find(label, player) == number


_TREES = {}


def mccfr_21():
    """Bluff(2,1), which is large as it is: its names are never written out."""
    if not _TREES:
        _TREES["tree"] = mccfr.compile("dealt:bluff(2,1,rounds=one)")
    return _TREES["tree"]


@pytest.mark.parametrize("label", ["11", "", "7:", "12:1-2", "12:1-2,1-1", "3:1-2,1-3", "12:1-7", "21:", "12:,", ":"])
def test_a_label_that_is_none_is_refused(label):
    with pytest.raises(StrategyError) as refused:
        mccfr_21().infosets.find(label)
    assert "no infoset" in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
    assert label not in mccfr.uniform(mccfr_21())


@pytest.mark.slow_cases("dcfr")
@pytest.mark.parametrize("method", ["dcfr", pytest.param("pcfr_plus", marks=pytest.mark.slow)])
def test_float32_tables_agree_with_float64(method, monkeypatch):
    """To the accuracy of float32: 24 bits, lost a few times."""
    game = "dealt:bluff(1,1,rounds=one)"
    double = mccfr.solve(game, method, iterations=30, seed=4)
    monkeypatch.setattr(budget, "SMALL_TABLES", 0)
    single = mccfr.solve(game, method, iterations=30, seed=4)
    for name in ("current", "regret", "average"):
        assert (double.state[name].dtype, single.state[name].dtype) == (np.float64, np.float32)
    gap = np.abs(single.strategy().probabilities - double.strategy().probabilities).mean()
    assert gap < 1e-3  # where hardly anybody comes, a tie may be decided the other way
    assert single.exploitability() == pytest.approx(double.exploitability(), rel=1e-4)
    assert single.exploitability() < 0.9 * mccfr.exploitability(mccfr.uniform(game))


@pytest.mark.slow_cases("hs_dcfr*", "dcfr_restarts*")
@pytest.mark.parametrize(
    "game", [pytest.param("dealt:leduc", marks=pytest.mark.slow), "dealt:bluff(2,1,rounds=one,faces=3)"]
)
@pytest.mark.parametrize(
    "method", [pytest.param("dcfr", marks=pytest.mark.slow), "hs_dcfr(30, 5)", "dcfr_restarts(base=2)"]
)
def test_a_walk_in_branches_is_the_walk(game, method, large, monkeypatch):
    """Bit for bit, whatever the number of workers."""
    monkeypatch.setattr(budget, "SMALL_TABLES", 2**26)
    one, *others = (mccfr.solve(game, method, iterations=7, workers=workers) for workers in (1, 2, 3))
    for other in others:
        assert other.workers > 1
        for name in ("current", "regret", "average"):
            np.testing.assert_array_equal(other.state[name], one.state[name])
        assert other.exploitability() == one.exploitability()
        assert other.touched == one.touched


def test_branches_cover_the_tree():
    tree = mccfr.compile("dealt:bluff(1,1,rounds=one)")
    for wanted in (1, 2, 7, 40):
        roots, order = branches.cut_tree(tree.nodes, wanted)
        assert len(roots) >= wanted
        assert sorted(order.tolist()) == list(range(len(roots)))
        begins = tree.nodes[0::4][roots.astype(int)]
        assert (np.diff(begins.astype(int)) > 0).all()


def test_weights_are_normalised_on_the_way():
    """The average strategy is evaluated without a copy of it: exactly as its normalised copy."""
    solver = mccfr.solve(ROUND, "dcfr", iterations=5)
    evaluator = VectorEvaluator(solver.tree)
    strategy = solver.strategy()
    first, second = evaluator.best_values(solver.state["average"])
    assert first == pytest.approx(mccfr.best_response(strategy, 0).value, abs=1e-14)
    assert second == pytest.approx(mccfr.best_response(strategy, 1).value, abs=1e-14)
    assert evaluator.nash_conv(7.0 * solver.state["average"]) == pytest.approx(first + second, abs=1e-14)
    assert evaluator.nash_conv(np.zeros_like(solver.state["average"])) / 2 == pytest.approx(
        mccfr.exploitability(mccfr.uniform(solver.tree))
    )


@pytest.mark.slow
def test_a_large_strategy_is_used_like_any_other(large, tmp_path, monkeypatch):
    solver = mccfr.solve(ROUND, "dcfr", iterations=50)
    strategy = solver.strategy()
    assert strategy.probabilities.dtype == np.float32
    file = tmp_path / "round.mccfr"
    strategy.save(file)
    again = mccfr.load(file)
    assert again["2:1-3"] == strategy["2:1-3"]
    assert mccfr.exploitability(again) == mccfr.exploitability(strategy)
    shown = CliRunner().invoke(cli, ["show", str(file), "2:1-3"])
    assert "liar" in shown.stdout
    assert shown.exit_code == 0
    assert CliRunner().invoke(cli, ["show", str(file), "--limit", "3"]).exit_code == 0
    assert CliRunner().invoke(cli, ["evaluate", str(file)]).exit_code == 0
    refused = CliRunner().invoke(cli, ["show", str(file), "9:"])
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 1)
    refused = CliRunner().invoke(cli, ["export", str(file), str(tmp_path / "round.csv")])
    assert (refused.exit_code, "192 infosets, too many to be exported" in refused.stderr) == (2, True)
    assert not (tmp_path / "round.csv").exists()
    reply = mccfr.best_response(strategy, 0)
    assert -mccfr.best_response(strategy, 1).value - 1e-6 <= mccfr.expected_value(strategy) <= reply.value + 1e-6
    assert mccfr.expected_value(reply.strategy) == pytest.approx(reply.value, abs=1e-6)


@pytest.mark.parametrize(
    ("game", "limit", "message"),
    [
        ("dealt:bluff(3,3)", None, "137,438,953,471 public nodes"),
        (
            "dealt:bluff(2,2)",
            "4GB",
            "33,554,431 public nodes and 704,643,030 table entries and would need about 9.1 GB",
        ),
        ("dealt:bluff(2,1)", "10MB", "524,287 public nodes"),
        ("dealt:gp(13,4,4,1)", "2MB", "public nodes and would need about"),
    ],
)
def test_a_game_that_does_not_fit_is_refused_before_it_is_built(game, limit, message):
    with pytest.raises(TreeError) as refused:
        mccfr.compile(game, memory_limit=limit)
    assert message in str(refused.value)
    assert "the limit is" in str(refused.value)


def test_what_a_method_keeps_is_refused_before_it_is_allocated(monkeypatch):
    tree = mccfr.compile("dealt:bluff(2,1,rounds=one)", memory_limit="300MB")
    with pytest.raises(TreeError, match=r"baselines of 524,287 public nodes x 126 numbers would need about 504.0 MB"):
        mccfr.Solver(tree, "public_outcome+predictive")
    monkeypatch.setattr("mccfr.tree.tree.entry_bytes", lambda entries: 1000)
    with pytest.raises(TreeError, match=r"the tables of 7,077,861 entries would need about 19.8 GB; the limit is"):
        mccfr.Solver(tree, "dcfr")


@pytest.mark.parametrize("opener", ["loser", "winner", "alternate"])
def test_values_of_large_parts_are_bracketed(opener, monkeypatch, tmp_path):
    """Parts solved in vector form instead of exactly give the same game, to the width of their brackets."""
    game = Bluff(2, 2, opener=opener, faces=2)
    exact = {key: game_value(part) for key, part in game.subgames().items()}
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    monkeypatch.setattr(part_values, "EXACT_UP_TO", 0)
    values = dict(mccfr.solvers.prepare.settle(game).values)
    assert values.keys() == exact.keys()
    for key, value in values.items():
        assert value == pytest.approx(exact[key], abs=1e-4)
    monkeypatch.setattr(part_values, "PART_ITERATIONS", 0)
    assert dict(mccfr.solvers.prepare.settle(game).values) == values  # from the cache


def test_shipped_values_are_brackets():
    for game, (low, high) in BRACKETS.items():
        assert -1.0 < low < high < 1.0
        assert high - low < 2e-3
        assert str(mccfr.game(game)) == game
    needed = {
        str(part)
        for opener in ("loser", "winner", "alternate")
        for part in Bluff(2, 2, opener=opener).subgames().values()
    }
    assert needed <= BRACKETS.keys()
