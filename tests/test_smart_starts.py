"""Smart starts of public outcome sampling from any strategy: exact at once, unbiased, and never from a changed file."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from test_public_outcome import dealt, largest_error, outcomes, random_strategy, root_errors, truth

import mccfr
from mccfr.auditing.public_variance import value_variances
from mccfr.cli.main import cli
from mccfr.errors import MethodError, StrategyError
from mccfr.resolving.leaf_engines import LeafLines
from mccfr.solvers import engines, public_outcome
from mccfr.solvers.bind import calling_strategy
from mccfr.solvers.method import Method
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.solvers.strategy_files import strategy_files
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree import dealt_tree
from mccfr.tree.dealt_tree import deal_out
from mccfr.web.admit import method_of

METHOD = "uniform+rm_plus+linear+predictive"
SMALL = "gp(2,2,1,1)"  # with a public card
ZERO = 1e-24  # squares of rounding errors


@pytest.fixture(autouse=True)
def interpreted(request, monkeypatch):
    """Lines as plain Python: they are few, and compiling takes longer."""
    if "slow" in request.keywords:
        yield
        return
    monkeypatch.setattr(engines, "run_walks", engines.run_walks.interpreted)
    for room in (public_outcome, dealt_tree):
        monkeypatch.setattr(room, "pair_values", room.pair_values.interpreted)
    with np.errstate(over="ignore"):
        yield


def saved(game, path, seed=0):
    """A file with a random strategy of a dealt game."""
    tree = mccfr.compile(f"dealt:{game}")
    Strategy(tree.infosets, random_strategy(game, seed), Origin(tree.game), tree=tree).save(path)
    return str(path)


def started(start, estimator="predictive", game="kuhn", **options):
    return PublicOutcomeEngine(dealt(game), f"uniform+rm_plus+linear+{estimator}", 3, start=start, **options)


def first_strategy(start, path, game):
    """The start as it is written, and the strategy it stands for."""
    if start == "file":
        return saved(game, path), random_strategy(game)
    return start, calling_strategy(dealt(game))


# ---- theorem 3


@pytest.mark.parametrize("start", ["call", "file"])
@pytest.mark.parametrize("simultaneous", [True, False])
def test_there_is_no_variance_from_the_first_iteration_on(start, simultaneous, tmp_path):
    """Davis, Schmid, Bowling 2019, theorem 3, at every infoset and action, before and after single iterations."""
    given, first = first_strategy(start, tmp_path / "first.mccfr", SMALL)
    engine, tree = started(given, game=SMALL, simultaneous=simultaneous), dealt(SMALL)
    assert (engine.current() == first).all()
    for _ in range(3):
        assert value_variances(tree, engine.current(), engine.parts.estimator).max() < ZERO
        engine.run(1)
    assert (engine.current() != first).any()
    assert np.abs(root_errors(engine, tree, 40)).max() < 1e-12
    assert largest_error(engine, tree) < 1e-12


def test_another_strategy_than_that_of_the_start_has_variance():
    """So the last test can fail: the values alone are not enough."""
    engine, tree = started("call", game="leduc"), dealt("leduc")
    engine.current()[:] = tree.infosets.uniform()
    assert value_variances(tree, engine.current(), engine.parts.estimator).mean() > 1e-4
    assert (
        value_variances(tree, tree.infosets.uniform(), started("nothing", game="leduc").parts.estimator).mean() > 1e-3
    )


@pytest.mark.parametrize("estimator", ["predictive", "history", "history(rate=0.5)"])
@pytest.mark.parametrize("start", ["call", "file"])
def test_every_start_is_unbiased_whatever_is_played(start, estimator, tmp_path):
    """All outcomes of a line, under a strategy that is not the start's."""
    given, _ = first_strategy(start, tmp_path / "first.mccfr", "kuhn")
    played = random_strategy("kuhn", 7)
    engine = started(given, estimator)
    engine.current()[:] = played
    regret, average, value = truth("kuhn", played)
    found = [0.0, 0.0, 0.0]
    for p, *increments in outcomes(engine):
        found = [total + p * x for total, x in zip(found, increments)]
    assert found[0] == pytest.approx(regret, abs=1e-12)
    assert found[1] == pytest.approx(average, abs=1e-12)
    assert found[2] == pytest.approx(value, abs=1e-12)


def test_a_history_baseline_goes_on_from_the_values():
    engine, tree = started("call", "history"), dealt("kuhn")
    assert (engine.parts.estimator.table == tree.pair_values(calling_strategy(tree))).all()
    assert (engine.parts.estimator.visits == 1.0).all()


@pytest.mark.slow
def test_it_learns_from_always_call():
    """Which alone loses 1.75 in Leduc; a pure strategy does not keep it from exploring."""
    solver = mccfr.solve("dealt:leduc", "public_outcome(start=call)+predictive+rm_plus+linear", 30_000, seed=1)
    assert solver.exploitability() < 0.05


# ---- words


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("public_outcome(start=uniform)+predictive", "public_outcome(start=values)+predictive()"),
        ("public_outcome(start=call)+predictive", "public_outcome(start=call)+predictive()"),
        ("public_outcome(start='a b.mccfr')+predictive", "public_outcome(start='a b.mccfr')+predictive()"),
        ("public_outcome(start=nothing)+predictive", "public_outcome+predictive()"),
    ],
)
def test_starts_are_written_and_read(text, written):
    method = Method.parse(text)
    assert str(Method.parse(str(method))) == str(method) == str(Method.parse(written))
    assert ("a b.mccfr" in text) == (strategy_files(method) == ["a b.mccfr"])


def test_a_strategy_at_hand_is_a_start_too():
    tree = mccfr.compile("dealt:kuhn")
    strategy = Strategy(tree.infosets, random_strategy("kuhn"), Origin(tree.game), tree=tree)
    assert (started(strategy).current() == random_strategy("kuhn")).all()


@pytest.mark.parametrize(
    ("game", "method", "message"),
    [
        ("dealt:kuhn", "public_outcome(start=now)+predictive", "call, walk or a strategy file: no file 'now'"),
        ("dealt:kuhn", "public_outcome(start=5)+predictive", "start must be nothing, uniform, call, walk, a strategy"),
        ("dealt:kuhn", "public_outcome(start=True)+predictive", "a strategy file or a Strategy, got True"),
        ("dealt:kuhn", "public_outcome(start=call)+infoset", "only history and predictive baselines can start with"),
        ("dealt:kuhn", "public_outcome(start=call)", "only history and predictive baselines can start with call"),
        (
            "dealt:bluff(1,1,faces=2)",
            "public_outcome(start=call)+predictive",
            "has neither check nor call; try public_outcome(start=uniform)",
        ),
        ("dealt:kuhn", "public_outcome(start='leduc.mccfr')+predictive", "leduc"),
        ("dealt:kuhn", "public_outcome(start='cut.mccfr')+predictive", "cut.mccfr"),
        ("dealt:kuhn", "public_outcome(start='text.mccfr')+predictive", "text.mccfr is not a strategy file"),
        ("dealt:kuhn", "public_outcome(start='.')+predictive", "cannot read .: it is a folder"),
        ("dealt:kuhn", "public_outcome(start='/dev/zero')+predictive", "it is a pipe or a device"),
    ],
)
def test_wrong_starts_are_refused_in_one_line(game, method, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    mccfr.uniform("leduc").save("leduc.mccfr")
    whole = Path(saved("kuhn", "kuhn.mccfr")).read_bytes()
    Path("cut.mccfr").write_bytes(whole[: len(whole) // 2])
    Path("text.mccfr").write_text("not a strategy")
    result = CliRunner().invoke(cli, ["solve", game, "--method", method, "--iterations", "2", "--out", "x.mccfr"])
    said = result.stderr + capsys.readouterr().err  # whoever holds stderr: click's runner, or pytest
    assert result.exit_code == 2
    assert len(said.strip().splitlines()) == 1
    assert message in said


@pytest.mark.parametrize("start", ["walk", "call", "'first.mccfr'"])
def test_positions_start_with_nothing_or_values(start):
    tree = deal_out(mccfr.position(mccfr.uniform("dealt:kuhn"), "check"))
    method = Method.parse(f"public_outcome(start={start})+history+rm_plus+linear")
    with pytest.raises(MethodError, match="positions start with nothing or values"):
        LeafLines(tree, method, 1)


def test_a_page_names_no_files(tmp_path):
    tree = mccfr.compile("dealt:kuhn")
    assert method_of("public_outcome(start=call)+predictive", tree).sampler.start == "call"
    with pytest.raises(MethodError, match="the page accepts start=nothing, uniform, call or walk"):
        method_of(f"public_outcome(start='{saved('kuhn', tmp_path / 'a.mccfr')}')+predictive", tree)


# ---- runs


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A run of 20 iterations that started from a file, and the method."""
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    method = f"public_outcome(start='{saved('kuhn', 'first.mccfr')}')+predictive+rm_plus+linear"
    mccfr.train("run", "dealt:kuhn", method, iterations=20)
    return method


def test_a_run_goes_on_as_if_nothing_had_happened(run):
    mccfr.Run("run").train(iterations=50)
    whole = mccfr.solve("dealt:kuhn", run, 50)
    assert (mccfr.Run("run").strategy().probabilities == whole.strategy().probabilities).all()


@pytest.mark.parametrize("change", ["another", "gone", "no checkpoint"])
def test_a_run_does_not_go_on_from_a_changed_file(run, change):
    if change == "gone":
        Path("first.mccfr").unlink()
    else:
        saved("kuhn", "first.mccfr", seed=9)
    if change == "no checkpoint":
        for path in Path("run/checkpoints").iterdir():
            path.unlink()
    result = CliRunner().invoke(cli, ["resume", "run", "-n", "50"])
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    told = (
        "cannot read first.mccfr: no such file" if change == "gone" else "started with another strategy in first.mccfr"
    )
    assert told in result.stderr
    with pytest.raises(StrategyError if change != "gone" else mccfr.MccfrError, match=r"first\.mccfr"):
        mccfr.train("run", "dealt:kuhn", run, iterations=50)


def test_a_received_run_may_not_name_a_start(run, monkeypatch, tmp_path):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path / "somebody else"))
    result = CliRunner().invoke(cli, ["resume", "run", "-n", "50"])
    assert result.exit_code == 2
    assert "names the strategy first.mccfr, but you did not start this run on this machine" in result.stderr
    Path("run/strategy.mccfr").unlink()
    with pytest.raises(StrategyError, match="which looking does not read"):
        mccfr.Run("run").strategy()


def test_a_damaged_list_of_checksums_is_a_change(run):
    record = json.loads(Path("run/run.json").read_text())
    assert list(record["resolved"]["strategies"]) == ["first.mccfr"]
    record["resolved"]["strategies"] = {"first.mccfr": 5}
    Path("run/run.json").write_text(json.dumps(record))
    with pytest.raises(StrategyError, match="the file has changed since"):
        mccfr.Run("run").train(iterations=50)
