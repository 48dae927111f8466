"""Hold'em through buckets on disk: strategies saved and loaded, buckets held to their checksum, killed runs resumed."""

import numpy as np
import pytest
from bucket_walk_examples import compiled
from real_examples import random_strategy
from test_cli import document
from test_cli_process import start
from test_cli_runs import checkpointed, ended, until

import mccfr
from mccfr.buckets.bucketing import Fit
from mccfr.errors import FileError, StrategyError
from mccfr.files import container
from mccfr.strategy.file import FORMAT, save_strategy
from mccfr.tree import bucket_build

GAME = "holdem(nolimit(stack=6, bet='100%', raise_='a'), exact, ranks=4, suits=2, board='1 2')"


@pytest.fixture(scope="module")
def strategy():
    return mccfr.solve(GAME, "external", iterations=2000, seed=1).strategy()


@pytest.fixture
def other_buckets(monkeypatch):
    """From now on the same string stands for other rows, as after a change of the program that fits them."""

    def change():
        fitted = bucket_build.fitted
        monkeypatch.setattr(
            bucket_build, "fitted", lambda *given: Fit(*given, {**fitted(*given).arrays, "cut": np.zeros(1)})
        )

    return change


# ---- strategies in files


def test_a_strategy_comes_back_from_its_file(strategy, tmp_path):
    strategy.save(tmp_path / "a.mccfr")
    for game in (None, GAME):
        again = mccfr.load(tmp_path / "a.mccfr", game=game)
        assert again.probabilities.tobytes() == strategy.probabilities.tobytes()
        assert np.array_equal(again.visited, strategy.visited)
        assert again.tree.fingerprint == strategy.tree.fingerprint
        assert again["3c2d:a6"] == strategy["3c2d:a6"]
    assert mccfr.exploitability(again) == mccfr.exploitability(strategy)


def test_a_compact_file_rounds_and_is_small(tmp_path):
    strategy = random_strategy(compiled("exact, all-ins"))
    save_strategy(strategy, tmp_path / "small.mccfr", compact=True)
    strategy.save(tmp_path / "whole.mccfr")
    again, row = mccfr.load(tmp_path / "small.mccfr"), strategy.infosets.row
    assert again.probabilities == pytest.approx(strategy.probabilities, abs=1.01 / 255)
    assert np.add.reduceat(again.probabilities, row[:-1]) == pytest.approx(1.0, abs=1e-6)
    assert (again.probabilities[strategy.probabilities == 0.0] == 0.0).all()
    assert np.array_equal(again.visited, strategy.visited)
    assert (tmp_path / "small.mccfr").stat().st_size < (tmp_path / "whole.mccfr").stat().st_size / 4
    assert mccfr.exploitability(again) == pytest.approx(mccfr.exploitability(strategy), abs=0.02)


def test_a_file_has_the_checksum_of_its_buckets(strategy, tmp_path):
    strategy.save(tmp_path / "a.mccfr")
    with container.opened(tmp_path / "a.mccfr", FORMAT, "a strategy file") as file:
        assert file.header["buckets"] == strategy.tree.fit.checksum
    mccfr.uniform("kuhn").save(tmp_path / "kuhn.mccfr")
    with container.opened(tmp_path / "kuhn.mccfr", FORMAT, "a strategy file") as file:
        assert "buckets" not in file.header


@pytest.mark.parametrize("compact", [False, True])
def test_a_strategy_of_other_buckets_is_refused(strategy, tmp_path, other_buckets, compact):
    save_strategy(strategy, tmp_path / "a.mccfr", compact)
    other_buckets()
    with pytest.raises(StrategyError, match=r"a\.mccfr has checksum '\w{16}' of its buckets, but those of"):
        mccfr.load(tmp_path / "a.mccfr")
    with pytest.raises(StrategyError) as told:
        mccfr.load(tmp_path / "a.mccfr", game=GAME)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("told", [None, 7, "", "0" * 64])
def test_a_file_without_the_right_checksum_is_refused(strategy, tmp_path, told):
    strategy.save(tmp_path / "a.mccfr")
    header, arrays = container.load(tmp_path / "a.mccfr", FORMAT, "a strategy file")
    container.save(tmp_path / "b.mccfr", FORMAT, {**header, "buckets": told}, arrays)
    with pytest.raises(StrategyError, match=r"checksum[^\n]* of its buckets, but those of exact have '\w{16}'"):
        mccfr.load(tmp_path / "b.mccfr")


def test_a_strategy_of_another_deck_is_refused(strategy, tmp_path):
    strategy.save(tmp_path / "a.mccfr")
    with pytest.raises(StrategyError) as told:
        mccfr.load(tmp_path / "a.mccfr", game=GAME.replace("ranks=4", "ranks=5"))
    assert "\n" not in str(told.value)


# ---- runs


@pytest.mark.parametrize(
    ("method", "workers", "parallel"),
    [
        ("external", 1, "auto"),
        ("outcome+infoset", 1, "auto"),
        ("external", 2, "replicas"),
        ("external", 1, "shared"),
        ("external", 2, "batch"),
    ],
)
def test_a_solver_goes_on_from_the_state_of_another(method, workers, parallel):
    tree = compiled("exact, all-ins")
    first, second = (mccfr.Solver(tree, method, 3, None, workers, parallel) for _ in range(2))
    second.restore(first.run(150).state)
    first.run(100)
    second.run(100)
    for name, value in first.state.items():
        if isinstance(value, np.ndarray):
            assert value.tobytes() == second.state[name].tobytes(), name


def test_a_run_with_other_buckets_is_refused(tmp_path, other_buckets):
    mccfr.train(tmp_path / "a", GAME, "external", iterations=100)
    other_buckets()
    with pytest.raises((FileError, StrategyError)) as told:
        mccfr.train(tmp_path / "a", GAME, "external", iterations=200)
    assert "of its buckets, but those of exact have" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("method", ["external", pytest.param("outcome+infoset", marks=pytest.mark.slow)])
def test_a_killed_run_goes_on_bit_for_bit(method, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    endless = ("-m", method, "-n", "1000000000", "--workers", "1", "--checkpoint-every", "0.2", "--out", "runs/a")
    process = start("solve", GAME, *endless, folder=tmp_path)
    until(lambda: checkpointed(tmp_path / "runs" / "a") > 100 or process.poll() is not None)
    process.kill()
    ended(process)
    kept = checkpointed(tmp_path / "runs" / "a")
    assert kept > 100
    found = document("trained", "resume", "runs/a", "-n", kept + 500)
    assert found["iterations"] == kept + 500
    twin = mccfr.Solver(GAME, method).run(kept + 500)
    assert mccfr.Run("runs/a").strategy().probabilities.tobytes() == twin.strategy().probabilities.tobytes()
    _, arrays = container.load(mccfr.Run("runs/a").checkpoints()[0], "mccfr-checkpoint", "a checkpoint")
    for name in ("regret", "average", "dice", "touched"):
        assert arrays[name].tobytes() == twin.state[name].tobytes(), name
