"""Exploitability inside an abstraction: the table of an abstract game, and best responses of players who see rows.

Authorities: a plain twin that goes through deals one by one (`naive_abstract`), and the sequence form of the game
written out, history by history.
"""

import json
import warnings

import abstract_examples
import numpy as np
import pytest
from click.testing import CliRunner
from naive_abstract import best, every_deal, value
from test_cli import SCHEMA

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import StrategyError, TreeError
from mccfr.evaluate.abstract_values import AbstractEvaluator
from mccfr.evaluate.exact import Evaluator, evaluator_for
from mccfr.tree import abstract_counts
from mccfr.tree.abstract_table import AbstractTable, abstract_table, usual_deals

ALL_IN = "nolimit(stack=5, bet='a', raise_='a')"
GAMES = (
    f"holdem({ALL_IN}, exact, ranks=4, suits=2, board='3')",
    f"holdem({ALL_IN}, ehs2('2 3'), ranks=4, suits=2, board='2 1')",
    "holdem(limit(cap=1), ehs2(2), ranks=4, suits=2, board='3')",
)
SMALL = GAMES[1]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path / "cache"))


def random_weights(tree, seed=0):
    return np.random.default_rng(seed).exponential(size=tree.infosets.entries)


# ---- exact on small decks


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_ways_to_work_it_out_agree(game):
    tree = mccfr.compile(game)
    weights = random_weights(tree)
    strategy, _ = tree.infosets.normalised(weights)
    ours, written, deals = evaluator_for(tree), Evaluator(tree.written), every_deal(tree)
    assert isinstance(ours, AbstractEvaluator)
    assert ours.table.listed
    assert ours.nash_conv(weights) == pytest.approx(written.nash_conv(strategy), abs=1e-12)
    assert ours.value(strategy) == pytest.approx(written.value(strategy), abs=1e-12)
    assert ours.value(strategy) == pytest.approx(value(tree, strategy, deals, 0), abs=1e-12)
    for player in (0, 1):
        ours.load(strategy)
        written.load(strategy)
        found = ours.best_response(player)
        assert found == pytest.approx(written.best_response(player), abs=1e-12)
        assert found == pytest.approx(best(tree, strategy, deals, player), abs=1e-12)
        assert (1 - 2 * player) * ours.value(ours.reply) == pytest.approx(found, abs=1e-12)
        assert found >= (1 - 2 * player) * ours.value(strategy) - 1e-12


def test_made_up_games_in_one_batch_and_in_many(monkeypatch):
    assert abstract_examples.wrong() == []
    monkeypatch.setattr("mccfr.evaluate.abstract_values.BATCH", 40)
    assert abstract_examples.wrong() == []


def test_a_table_is_symmetric_and_sums_to_all_deals():
    table = abstract_table(mccfr.compile(SMALL))
    for weight, sign in zip(table.weight, table.sign):
        np.testing.assert_array_equal(weight, weight.T)
        np.testing.assert_array_equal(sign, -sign.T)
        assert weight.sum() == table.total == 2 * table.deals
        assert (abs(sign) <= weight).all()
    tree = mccfr.compile(SMALL)
    strategy = tree.infosets.uniform()
    won = AbstractEvaluator(tree, table).measure(strategy).won
    assert won[0, -1] == pytest.approx(-won[1, -1], abs=1e-13)


@pytest.mark.slow
def test_an_equilibrium_of_the_abstract_game_is_not_exploitable():
    solver = mccfr.solve(SMALL, "external", iterations=30_000, seed=1)
    assert solver.exploitability() < 0.03  # uniform: see below
    assert solver.exploitability() == pytest.approx(mccfr.abstract_exploitability(solver).exploitability, abs=1e-12)
    assert mccfr.exploitability(mccfr.uniform(SMALL)) > 0.3


def test_large_tables_have_single_precision(monkeypatch):
    tree = mccfr.compile(SMALL)
    counts = abstract_counts.count_all(tree)
    exact = AbstractEvaluator(tree, AbstractTable(counts, tree.fit.rows))
    monkeypatch.setattr("mccfr.tree.abstract_table.DOUBLE_ROWS", 3)
    single = AbstractTable(counts, tree.fit.rows)
    assert single.weight[-1].dtype == np.float32
    weights = random_weights(tree)
    assert AbstractEvaluator(tree, single).nash_conv(weights) == pytest.approx(exact.nash_conv(weights), rel=1e-6)


# ---- drawn tables


def test_drawn_deals_do_not_depend_on_workers_and_come_near_all_deals(monkeypatch):
    monkeypatch.setattr(abstract_counts, "BLOCK", 1000)
    tree = mccfr.compile(SMALL)
    one, two = (abstract_counts.draw(tree, 200_500, 3, workers) for workers in (1, 2))
    assert one.checksum == two.checksum
    assert one.counts[:, 0].sum() == 200_500
    assert one.checksum != abstract_counts.draw(tree, 200_500, 4, 2).checksum
    drawn, every = AbstractTable(one, tree.fit.rows), abstract_table(tree)
    for ours, right in ((drawn.weight, every.weight), (drawn.sign, every.sign)):
        for a, b in zip(ours, right):
            spread = np.sqrt(every.weight[-1].max() / every.total / drawn.deals)  # of a share of the deals
            assert abs(a / drawn.total - b / every.total).max() < 6 * spread
    for ours, right in zip(drawn.finer, every.finer):
        np.testing.assert_array_equal(ours.parent, right.parent)


def test_best_responses_win_less_where_they_were_not_found():
    strategy = mccfr.uniform(GAMES[0])  # many rows, few deals
    exact = mccfr.abstract_exploitability(strategy)
    found = mccfr.abstract_exploitability(strategy, deals=300, tables=3, seed=5)
    assert found.difference == pytest.approx(max(found.by_table) - min(found.by_table))
    assert found.difference > 0
    assert found.in_other_tables < exact.exploitability < found.exploitability
    assert found.exploitability == pytest.approx(np.mean(found.by_table))
    assert not found.listed
    assert exact.listed
    assert found.mbb == pytest.approx(500 * found.exploitability)
    again = mccfr.abstract_exploitability(strategy, deals=300, tables=3, seed=5, workers=1)
    assert again == found


def test_a_bucketing_that_forgets_is_refused():
    tree = mccfr.compile(SMALL)
    counts = abstract_counts._nothing(tree, 2, 0)
    deals = np.array([[0, 0, 0, 0, 1, 3, 9, 0, 1], [1, 3, 0, 0, 1, 3, 9, 0, 1]], np.uint64)
    with pytest.raises(TreeError, match="says that it has perfect recall, but"):
        abstract_counts._add(tree, counts, deals, np.ones(2, np.int64))
    object.__setattr__(tree.fit.bucketing, "perfect_recall", False)
    with pytest.raises(TreeError, match=r"no perfect recall.*--real"):
        evaluator_for(tree)
    assert not tree.quickly_measured


def test_what_makes_no_sense_is_refused():
    uniform = mccfr.uniform(SMALL)
    with pytest.raises(StrategyError, match=r"tables must be a whole number from 1 to 4, got 5"):
        mccfr.abstract_exploitability(uniform, tables=5)
    with pytest.raises(StrategyError, match="make one table, which is exact"):
        mccfr.abstract_exploitability(uniform, tables=2)
    with pytest.raises(mccfr.MccfrError, match="deals must be a whole number from 1"):
        mccfr.abstract_exploitability(uniform, deals=0)
    with pytest.raises(TreeError, match="1 to 2,147,483,647 deals"):
        mccfr.abstract_exploitability(uniform, deals=2**31)
    with pytest.raises(StrategyError, match="not seen through buckets"):
        mccfr.abstract_exploitability(mccfr.uniform("kuhn"))
    assert [usual_deals(rows) for rows in (16, 625, 4096, 10_000)] == [10**7, 10**7, 40_960_000, 10**8]


def test_a_table_too_large_for_memory_is_refused():
    tree = mccfr.compile(SMALL)
    object.__setattr__(tree, "limit", 1000)
    with pytest.raises(TreeError, match="a table of 18 x 18 rows would need about"):
        abstract_table(tree)


# ---- kept in the cache folder


def test_deals_are_kept_and_a_damaged_file_is_made_again(tmp_path):
    tree = mccfr.compile(SMALL)
    first = abstract_counts.drawn(tree, 3000, 1, 1)
    (file,) = (tmp_path / "cache").glob("*.deals")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = abstract_counts.drawn(tree, 3000, 1, 1)
    np.testing.assert_array_equal(kept.counts, first.counts)
    np.testing.assert_array_equal(kept.before, first.before)
    good = file.read_bytes()
    for bad in (good[:-200], good[:400] + bytes([good[400] ^ 1]) + good[401:], b"no zip"):
        file.write_bytes(bad)
        with pytest.warns(RuntimeWarning, match="the deals are drawn again"):
            again = abstract_counts.drawn(tree, 3000, 1, 1)
        np.testing.assert_array_equal(again.counts, first.counts)
        assert abstract_counts.load(file, tree, 3000, 1).deals == 3000  # and kept again
    with pytest.raises(mccfr.MccfrError, match="holds counts of other deals: its seed is not 2"):
        abstract_counts.load(file, tree, 3000, 2)


# ---- solvers, runs and commands


def slow(monkeypatch):
    """As if measuring took minutes."""
    monkeypatch.setattr("mccfr.tree.bucket_tree.QUICK_WORK", 0)


@pytest.mark.slow
def test_solvers_and_runs_do_not_measure_what_takes_minutes(monkeypatch, tmp_path):
    seen = []
    quick = mccfr.solve(SMALL, "external", iterations=20, watch=seen.append)
    assert all(progress.exploitability is not None for progress in seen)
    assert quick.tree.quickly_measured
    slow(monkeypatch)
    seen.clear()
    solver = mccfr.solve(SMALL, "external", iterations=20, watch=seen.append)
    assert [progress.iterations for progress in seen][-1] == 20
    assert all(progress.exploitability is None for progress in seen)
    assert solver._evaluator is None
    run = mccfr.train(tmp_path / "run", SMALL, "external", iterations=20)
    assert run.status.exploitability is None
    assert mccfr.exploitability(run) == pytest.approx(solver.exploitability(), abs=1e-12)
    aimed = mccfr.solve(SMALL, "external", iterations=2000, target=1.0)  # a target is worth the time
    assert aimed.reached
    assert aimed.history[-1].exploitability <= 1.0


def command(*words):
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def valid(result):
    import jsonschema

    document = json.loads(result.stdout)
    jsonschema.validate(document, SCHEMA)
    return document


@pytest.mark.slow
def test_commands(monkeypatch, tmp_path):
    file = str(tmp_path / "s.mccfr")
    mccfr.solve(SMALL, "external", iterations=100).strategy().save(file)
    exact = mccfr.abstract_exploitability(file)
    plain = command("evaluate", file)
    assert f"exploitability   {exact.exploitability:.6g}" in plain.stdout
    inside = command("evaluate", file, "--abstract")
    assert f"{exact.exploitability:.6g} chips, {exact.mbb:.6g} mbb/g (NashConv / 2, inside" in inside.stdout
    assert f"deals            {exact.deals:,}, all there are: exact" in inside.stdout
    slow(monkeypatch)
    cheap = command("evaluate", file)
    assert "not measured" in cheap.stdout
    assert f"{file} --abstract" in cheap.stdout
    assert f"{file} --real" in cheap.stdout
    assert valid(command("evaluate", file, "--json"))["exploitability"] is None
    told = command("evaluate", file, "--abstract", "--deals", "2k", "--tables", "2")
    for words in ("2,000 in each table, drawn", "chips: differ by", "where they were not found"):
        assert words in told.stdout
    document = valid(command("evaluate", file, "--abstract", "--deals", "2k", "--tables", "2", "--json"))
    assert document["abstract"]["deals"] == 2000
    assert document["exploitability"] == pytest.approx(np.mean(document["abstract"]["by_table"]))
    solved = command("solve", SMALL, "-m", "external", "-n", "20")
    assert "not measured, since it takes minutes: mccfr evaluate says how" in solved.stdout
    assert valid(command("solve", SMALL, "-m", "external", "-n", "20", "--json"))["exploitability"] is None
    trained = command("solve", SMALL, "-m", "external", "-n", "20", "--out", str(tmp_path / "folder"))
    assert "not measured, since" in trained.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--deals", "1k"), "--deals needs --abstract"),
        (("--abstract", "--against", "uniform"), "--against cannot be combined with --abstract"),
        (("--abstract", "--tables", "9"), "out of range"),
        (("--abstract", "--tables", "2"), "make one table, which is exact"),
    ],
)
def test_wrong_commands(words, said):
    result = command("evaluate", f"uniform:{SMALL}", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_command_tells_of_a_damaged_file(tmp_path):
    words = ("evaluate", f"uniform:{SMALL}", "--abstract", "--deals", "1k")
    first = command(*words)
    (file,) = (tmp_path / "cache").glob("*.deals")
    file.write_bytes(file.read_bytes()[:-300])
    again = command(*words)
    assert again.stdout == first.stdout
    assert again.stderr.startswith(f"mccfr: warning: {file}")
    assert again.stderr.count("\n") == 1
