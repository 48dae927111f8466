"""Run folders: made, read, continued to the same bits, refused where they must be, and ended cleanly by signals."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from coin_games import MATCHING_COINS

import mccfr
from mccfr.errors import FileError, MccfrError, MethodError, MissingExtra, StrategyError
from mccfr.files import container
from mccfr.runs import training
from mccfr.runs.checkpoints import FORMAT, METRICS
from mccfr.runs.memory import available_memory

COIN = MATCHING_COINS.replace("(-1.0, 1.0)", "(-{loss}, {loss})")
OWN_PARTS = """
import mccfr
@mccfr.recipe()
def my_own():
    "A word of my own."
    return mccfr.Method.parse("cfr+rm_plus")
"""
ENDLESS = {"game": "leduc", "method": "cfr_plus", "iterations": 10**9}


class Listener(list):
    """Remembers events: (kind, facts)."""

    def __call__(self, kind, **facts):
        json.dumps(facts)  # JSON values only
        self.append((kind, facts))

    @property
    def kinds(self):
        return [kind for kind, _ in self if kind != "measured"]


def stopping(iterations):
    """A watcher who presses Ctrl-C at the first measurement from so many iterations on."""

    def watch(reached):
        if reached.iterations >= iterations:
            raise KeyboardInterrupt

    return watch


def state(run):
    """The arrays of the newest checkpoint."""
    _, found = container.load(run.checkpoints()[0], FORMAT, "a checkpoint")
    return {name: array for name, array in found.items() if not name.startswith(METRICS)}


def assert_same_arrays(run, arrays):
    found = state(run)
    assert found.keys() == {name for name, value in arrays.items() if isinstance(value, np.ndarray)}
    for name, array in found.items():
        assert array.tobytes() == arrays[name].tobytes(), name


STARTED = []


@pytest.fixture(autouse=True)
def no_process_stays():
    yield
    while STARTED:
        process = STARTED.pop()
        process.kill()
        process.communicate()


def python(code, folder, **options):
    """Start a process that has `mccfr` and trains in `folder`."""
    lines = f"import mccfr, os, signal, sys, time\nfolder = {str(folder)!r}\n{code}"
    environment = {**os.environ, "PYTHONPATH": str(Path(mccfr.__file__).parent.parent)}
    process = subprocess.Popen(
        [sys.executable, "-c", lines],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, **options,
    )  # fmt: skip
    STARTED.append(process)
    return process


def when(run_folder, condition, seconds=30):
    """Wait until something is so."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if (run_folder / "run.json").exists() and condition(mccfr.Run(run_folder)):
            return mccfr.Run(run_folder)
        time.sleep(0.02)
    return pytest.fail("waited in vain")


# Making and reading ---------------------------------------------------------------------------------------------------


def test_a_run_and_what_it_leaves(tmp_path):
    heard = Listener()
    run = mccfr.train(tmp_path / "runs" / "a", "kuhn", "external", iterations=1000, seed=4, on_event=heard)
    assert {path.name for path in run.folder.iterdir()} == {
        *("run.json", "status.json", "lock", "metrics.parquet", "events.jsonl", "strategy.mccfr", "checkpoints"),
    }
    assert [path.name for path in run.checkpoints()] == ["000000000001000.ckpt"]
    plain = mccfr.Solver("kuhn", "external", 4).run(1000)
    assert_same_arrays(run, plain.state)
    assert np.array_equal(run.strategy().probabilities, plain.strategy().probabilities)
    status = run.status
    assert (status.state, status.iterations, status.touched) == ("done", 1000, plain.touched)
    assert status.exploitability == plain.exploitability()
    assert status.pid == os.getpid()
    assert heard.kinds == ["started", "checkpointed", "finished"]
    assert [(event["event"], event.get("iterations")) for event in run.events()] == [
        (kind, facts.get("iterations")) for kind, facts in heard
    ]


def test_the_record(tmp_path):
    mccfr.train(tmp_path / "a", "goofspiel(n=3)", seed=2, keep=5)
    found = json.loads((tmp_path / "a" / "run.json").read_text())
    tree = mccfr.compile("goofspiel(n=3)")
    assert (found["format"], found["schema"]) == ("mccfr-run", 1)
    assert found["given"]["method"] == "auto"
    assert found["given"]["keep"] == 5
    assert found["resolved"]["method"] == "lp"
    assert "linear programme" in found["resolved"]["reason"]
    assert found["fingerprint"] == tree.fingerprint
    assert found["sizes"] == tree.counts
    assert found["versions"].keys() == {"mccfr", "python", "numpy", "numba", "platform"}
    assert mccfr.Run(tmp_path / "a").config.seed == 2


def test_metrics_are_readable_by_others_and_while_the_run_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "REPORT_AT_LEAST_EVERY", 0.0)
    seen = []

    def watch(reached):
        seen.append((mccfr.Run(tmp_path / "a").metrics()["iterations"].size, mccfr.Run(tmp_path / "a").status.state))

    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=50, watch=watch)
    assert {state for _, state in seen} == {"running"}
    assert seen[-1][0] > 10
    import pandas

    table = pandas.read_parquet(run.folder / "metrics.parquet")
    assert list(table) == ["iterations", "walks", "touched", "seconds", "wall", "exploitability"]
    assert list(table.dtypes.astype(str)) == ["int64", "int64", "int64", "float64", "float64", "float64"]
    solver = mccfr.Solver("kuhn", "cfr").run(50, watch=lambda reached: None)
    assert table.iterations.tolist() == [reached.iterations for reached in solver.history]
    assert table.exploitability.tolist() == [reached.exploitability for reached in solver.history]
    assert table.touched.tolist() == [reached.touched for reached in solver.history]
    assert (table.walks == 2 * table.iterations).all()
    assert (np.diff(table.wall) >= 0).all()
    assert np.array_equal(run.metrics()["exploitability"], table.exploitability)


def test_damaged_metrics_are_told_and_made_again(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=50)
    before = run.metrics()
    (run.folder / "metrics.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(FileError, match=r"metrics\.parquet") as error:
        run.metrics()
    assert "\n" not in str(error.value)
    run.train(iterations=60)
    assert np.array_equal(run.metrics()["exploitability"][: len(before["seconds"])], before["exploitability"])


def test_a_run_with_nothing_to_show_yet(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=0)
    assert run.metrics()["iterations"].size == 0
    assert run.status.exploitability is None
    for path in (*run.checkpoints(), run.folder / "strategy.mccfr", run.folder / "status.json"):
        path.unlink()
    assert run.status.state == "new"
    with pytest.raises(FileError, match="has no strategy yet: no checkpoint has been written"):
        run.strategy()


@pytest.mark.parametrize("content", ["", "[]", '{"state": "done", "iterations": "many"}', "{}"])
def test_a_status_that_makes_no_sense_does_not_stand_in_the_way(tmp_path, content):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=30)
    (run.folder / "status.json").write_text(content)
    assert mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=30).status == run.status
    assert run.status.iterations == 30


def test_tensorboard(tmp_path, monkeypatch):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=30, tensorboard=True)
    (log,) = (run.folder / "tensorboard").iterdir()
    assert b"exploitability" in log.read_bytes()
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(MissingExtra, match=r"pip install 'mccfr\[tensorboard\]'"):
        mccfr.train(tmp_path / "b", "kuhn", "cfr", iterations=30, tensorboard=True)
    assert not (tmp_path / "b").exists()


# Going on -------------------------------------------------------------------------------------------------------------


METHODS = [
    ("external", 1, "auto"), ("cfr_plus", 1, "auto"), ("outcome", 1, "auto"), ("dcfr", 1, "auto"),
    ("outcome+predictive+rm_plus+linear", 1, "auto"), ("external", 3, "replicas"), ("external", 2, "batch"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "workers", "parallel"), METHODS)
def test_an_interrupted_run_ends_as_an_uninterrupted_one(tmp_path, method, workers, parallel):
    options = {"iterations": 5000, "seed": 3, "workers": workers, "parallel": parallel}
    whole = mccfr.train(tmp_path / "whole", "kuhn", method, **options)
    for stop in (7, 100, 2000):
        with pytest.raises(KeyboardInterrupt):
            mccfr.train(tmp_path / "parts", "kuhn", method, **options, watch=stopping(stop))
        assert mccfr.Run(tmp_path / "parts").status.state == "stopped"
    parts = mccfr.train(tmp_path / "parts", "kuhn", method, **options)
    assert_same_arrays(parts, state(whole))
    for name in ("iterations", "walks", "touched", "exploitability"):
        assert np.array_equal(parts.metrics()[name], whole.metrics()[name])
    solver = mccfr.Solver("kuhn", method, 3, None, workers, parallel).run(5000)
    assert_same_arrays(parts, solver.state)


def test_a_checkpoint_just_before_a_measurement_loses_no_row(tmp_path, monkeypatch):
    """The solver pauses, then measures: killed in between, the run measures when it goes on."""
    pause, paused = training.Training._pause, []

    def save_and_die(self):
        pause(self)
        if self.solver.iterations == 14:
            paused.append(self.checkpoints.write(self.solver.state, self.metrics.columns()))
            raise RuntimeError("killed")

    monkeypatch.setattr(training.Training, "_pause", save_and_die)
    with pytest.raises(RuntimeError, match="killed"):
        mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=30)
    monkeypatch.undo()
    assert paused
    run = mccfr.Run(tmp_path / "a")
    assert run.status.state == "died"
    assert run.status.note == "RuntimeError: killed"
    assert run.train().metrics()["iterations"].tolist() == [*range(1, 11), 12, 14, 16, 19, 22, 26, 30]


def test_totals_may_be_raised_and_a_finished_run_returns_at_once(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "external", iterations=100)
    heard = Listener()
    for again in (
        lambda: mccfr.train(tmp_path / "a", "kuhn", "external", iterations=100, on_event=heard),
        lambda: mccfr.train(tmp_path / "a", "kuhn", "external", iterations=50, on_event=heard),
        lambda: mccfr.train(tmp_path / "a", "kuhn", "external", on_event=heard),
        lambda: run.train(on_event=heard),
    ):
        assert again().status.iterations == 100
    assert heard == []
    assert run.train(iterations=300, on_event=heard).config.iterations == 300
    assert heard.kinds == ["resumed", "checkpointed", "finished"]
    assert_same_arrays(run, mccfr.Solver("kuhn", "external").run(300).state)
    with pytest.warns(mccfr.TargetNotReached, match="target 1e-09 not reached"):
        assert mccfr.train(tmp_path / "a", "kuhn", "external", target=1e-9, iterations=400).status.iterations == 400


def test_targets_and_times(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr_plus", target=0.01)
    assert 0 < run.status.exploitability <= 0.01 < run.metrics()["exploitability"][-2]
    assert run.train(target=0.001).status.exploitability <= 0.001
    run = mccfr.train(tmp_path / "b", "kuhn", "external", seconds=0.2)
    assert 0.2 <= run.status.seconds < 0.6
    assert run.metrics()["iterations"][-1] == run.status.iterations
    before = run.status.iterations
    assert run.train(seconds=0.4).status.iterations > before


def test_a_linear_programme_ends_by_itself(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "lp")
    assert run.status.exploitability < 1e-9
    heard = Listener()
    assert run.train(iterations=10, on_event=heard).status.iterations == 1
    assert heard == []


def test_batches_may_go_on_with_another_number_of_workers(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "external", iterations=2000, workers=2, parallel="batch")
    run = mccfr.train(tmp_path / "a", "kuhn", "external", iterations=5000, workers=3, parallel="batch")
    assert run.record.resolved["workers"] == 3
    assert_same_arrays(run, mccfr.Solver("kuhn", "external", 0, None, 1, "batch").run(5000).state)


def test_the_strategy_is_the_one_that_has_come_furthest(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "external", iterations=100)
    kept = (run.folder / "strategy.mccfr").read_bytes()
    run.train(iterations=200)
    (run.folder / "strategy.mccfr").write_bytes(kept)
    assert run.strategy().origin.iterations == 200
    plain = mccfr.Solver("kuhn", "external").run(200).strategy()
    assert np.array_equal(mccfr.Run(run.folder).strategy().probabilities, plain.probabilities)


def test_a_damaged_strategy_file_is_made_up_for_by_a_checkpoint(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "external", iterations=100)
    before = run.strategy()
    (run.folder / "strategy.mccfr").write_bytes(b"PK")
    assert np.array_equal(run.strategy().probabilities, before.probabilities)
    run.checkpoints()[0].unlink()
    with pytest.raises(FileError, match=r"strategy\.mccfr is not a strategy file, or is damaged"):
        run.strategy()


def test_files_of_your_own_are_used_again(tmp_path):
    parts = tmp_path / "own_parts.py"
    parts.write_text(OWN_PARTS)
    train = "print(mccfr.train(folder, 'kuhn', 'my_own', iterations=10, use=['own_parts.py']).config.use)"
    out, err = python(train, tmp_path / "a", cwd=tmp_path).communicate(timeout=60)
    assert (out, err) == (f"{(str(parts),)}\n", "")
    resume = "print(mccfr.Run(folder).train(iterations=20).status.iterations)"
    out, err = python(resume, tmp_path / "a", cwd=tmp_path.parent).communicate(timeout=60)
    assert (out, err) == ("20\n", "")


def test_another_version_is_told(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=10)
    record = json.loads((run.folder / "run.json").read_text())
    record["versions"]["numba"] = "0.1"
    (run.folder / "run.json").write_text(json.dumps(record))
    heard = Listener()
    mccfr.Run(run.folder).train(iterations=20, on_event=heard)
    (warning,) = [facts["message"] for kind, facts in heard if kind == "warning"]
    assert warning.startswith("started with numba 0.1, now ")


# Games of your own ----------------------------------------------------------------------------------------------------


def test_a_game_file_that_has_changed(tmp_path):
    file = tmp_path / "coin.py"
    file.write_text(COIN.format(loss="1.0"))
    run = mccfr.train(tmp_path / "a", f"{file}:Coin", "cfr", iterations=10)
    run = mccfr.train(tmp_path / "a", f"{file}:Coin()", "cfr", iterations=20)
    assert run.status.iterations == 20
    file.write_text(COIN.format(loss="2.0"))
    with pytest.raises(
        FileError, match=r"^.*a was made for another version of .*coin\.py:Coin: the rules have changed"
    ):
        mccfr.Run(tmp_path / "a").train(iterations=30)
    assert mccfr.Run(tmp_path / "a").status.iterations == 20


def test_reading_runs_no_program(tmp_path):
    file, mark = tmp_path / "coin.py", tmp_path / "mark"
    file.write_text(COIN.format(loss="1.0") + f"\nimport pathlib\npathlib.Path({str(mark)!r}).touch()\n")
    mccfr.train(tmp_path / "a", f"{file}:Coin", "cfr", iterations=10)
    mark.unlink()
    run = mccfr.Run(tmp_path / "a")
    assert run.strategy()["first"] == {"H": 0.5, "T": 0.5}
    (run.folder / "strategy.mccfr").unlink()
    with pytest.raises(
        StrategyError, match=r"is of the game .*coin.py:Coin, which is a program of yours: give it with"
    ):
        run.strategy()
    assert not mark.exists()
    assert run.strategy(game=f"{file}:Coin")["first"] == {"H": 0.5, "T": 0.5}


def test_a_game_that_is_an_object(tmp_path):
    tree = mccfr.compile("kuhn")
    run = mccfr.train(tmp_path / "a", tree, "cfr", iterations=10)
    assert mccfr.train(tmp_path / "a", mccfr.game("kuhn"), "cfr", iterations=20).status.iterations == 20
    assert mccfr.exploitability(run.strategy()) > 0


# Refusals -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "a"
    return mccfr.train(folder, "kuhn", "external", iterations=10, seed=1)


OTHERS = {
    "leduc": {"game": "leduc"},
    "method cfr": {"method": "cfr"},
    "method auto": {"method": "auto"},
    "seed 2": {"seed": 2},
    "2 workers": {"workers": 2},
    "parallel shared": {"parallel": "shared"},
    "leduc, method cfr, seed 5": {"game": "leduc", "method": "cfr", "seed": 5},
}


@pytest.mark.parametrize("other", OTHERS)
def test_another_run_is_refused(kuhn, other):
    asked = {"game": "kuhn", "method": "external", "seed": 1, "iterations": 20, **OTHERS[other]}
    with pytest.raises(FileError) as error:
        mccfr.train(kuhn.folder, **asked)
    message = f"{kuhn.folder} holds kuhn by external, seed 1; asked for {other}: choose another folder"
    assert str(error.value) == message
    assert kuhn.config.iterations == mccfr.Run(kuhn.folder).config.iterations == 10


WRONG = {
    "this run has no limit": {},
    "iterations must be a whole number from 0, got -1": {"iterations": -1},
    "iterations must be a whole number from 0, got 1.5": {"iterations": 1.5},
    "seconds must be a number from 0, got nan": {"seconds": float("nan")},
    "target must be an exploitability from 0, got 'low'": {"target": "low"},
    "keep must be a whole number from 1, got 0": {"iterations": 1, "keep": 0},
    "checkpoint_every must be a number of seconds from 0, got -3": {"iterations": 1, "checkpoint_every": -3},
    "seed must be": {"iterations": 1, "seed": -1},
    "unknown": {"iterations": 1, "method": "exernal"},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_arguments_leave_no_folder(tmp_path, message):
    with pytest.raises(MethodError, match=message):
        mccfr.train(tmp_path / "a", "kuhn", **{"method": "cfr", **WRONG[message]})
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_does_not_exist_leaves_no_folder(tmp_path):
    with pytest.raises(MccfrError, match="unknown game"):
        mccfr.train(tmp_path / "a", "khun", "cfr", iterations=1)
    assert list(tmp_path.iterdir()) == []


def test_folders_that_are_no_runs(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("years of work")
    with pytest.raises(FileError, match=r"full is not a run folder and not empty \(it has thesis\.tex\)"):
        mccfr.train(tmp_path / "full", "kuhn", "cfr", iterations=1)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.tex"]
    for path in (tmp_path / "full", tmp_path / "nothing", tmp_path / "full" / "thesis.tex"):
        with pytest.raises(FileError, match=r"is not a run folder: it has no run\.json"):
            mccfr.Run(path)
    (tmp_path / "empty").mkdir()
    assert mccfr.train(tmp_path / "empty", "kuhn", "cfr", iterations=1).status.state == "done"


@pytest.mark.parametrize("place", ["/dev/null/a", "/dev/null", "/proc/a"])
def test_places_that_cannot_be_written_to(place):
    with pytest.raises(FileError, match=f"cannot make the run folder {place}: ") as error:
        mccfr.train(place, "kuhn", "cfr", iterations=1)
    assert "\n" not in str(error.value)


RECORDS = {
    "has schema 2, this version of mccfr reads 1": lambda record: {**record, "schema": 2},
    "its format should be 'mccfr-run'": lambda record: {**record, "format": "other"},
    "is damaged: KeyError: 'given'": lambda record: {k: v for k, v in record.items() if k != "given"},
    "is damaged: TypeError": lambda record: {**record, "given": {**record["given"], "colour": "red"}},
    "is damaged: ValueError": lambda record: {**record, "created": "yesterday"},
    "is damaged: 'resolved' is incomplete": lambda record: {**record, "resolved": {}},
}


@pytest.mark.parametrize("message", RECORDS)
def test_records_that_cannot_be_understood(tmp_path, message):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=1)
    path = run.folder / "run.json"
    path.write_text(json.dumps(RECORDS[message](json.loads(path.read_text()))))
    for use in (mccfr.Run, lambda folder: mccfr.train(folder, "kuhn", "cfr", iterations=9)):
        with pytest.raises(FileError, match=message.replace("'resolved'", ".*'resolved'")) as error:
            use(run.folder)
        assert "\n" not in str(error.value)


def test_a_record_that_is_no_json(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=1)
    (run.folder / "run.json").write_bytes(b"{\x00")
    with pytest.raises(FileError, match=r"run\.json is damaged: "):
        mccfr.Run(run.folder)


def test_a_run_killed_at_its_very_beginning(tmp_path):
    (tmp_path / "a" / "checkpoints").mkdir(parents=True)
    (tmp_path / "a" / "lock").write_text("{")
    (tmp_path / "a" / ".run.json.0123abcd").write_text("{")
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=1)
    assert run.status.state == "done"
    assert not list(run.folder.glob(".*"))


def test_remains_of_killed_processes_are_removed_and_nothing_else(tmp_path):
    run = mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=1)
    remains = [".status.json.1", ".metrics.parquet.2", ".strategy.mccfr.3", "checkpoints/.000000000000002.ckpt.4"]
    for name in (*remains, "notes.txt", ".gitignore"):
        (run.folder / name).write_text("x")
    with (run.folder / "events.jsonl").open("a") as file:
        file.write('{"time": "2026-01-01", "eve')
    run.train(iterations=2)
    assert not any((run.folder / name).exists() for name in remains)
    assert (run.folder / "notes.txt").exists()
    assert (run.folder / ".gitignore").exists()
    lines = (run.folder / "events.jsonl").read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == len(run.events())


# Processes ------------------------------------------------------------------------------------------------------------


def test_two_processes_on_one_folder(tmp_path):
    first = python(f"mccfr.train(folder, **{ENDLESS!r})", tmp_path / "a")
    run = when(tmp_path / "a", lambda run: run.status.state == "running" and run.status.iterations > 0)
    with pytest.raises(FileError) as error:
        run.train()
    host = json.loads((run.folder / "lock").read_text())["host"]
    assert str(error.value) == (
        f"{run.folder} is in use by process {first.pid} on {host}: wait until it ends, or choose another folder"
    )
    assert run.status.state == "running"
    assert run.status.left > 0
    first.kill()
    first.wait()
    assert run.status.state == "died"
    assert run.train(iterations=10).status.state == "done"  # the lock went with its process


@pytest.mark.slow_cases("15")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_a_run_cleanly(tmp_path, number):
    code = f"""
try:
    mccfr.train(folder, **{ENDLESS!r})
except KeyboardInterrupt:
    print("interrupted", mccfr.Run(folder).status.state)
"""
    process = python(code, tmp_path / "a")
    run = when(tmp_path / "a", lambda run: run.status.iterations > 0)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (out, err, process.returncode) == ("interrupted stopped\n", "", 0)
    reached = run.status.iterations
    assert [int(path.stem) for path in run.checkpoints()] == [reached]
    assert mccfr.load(run.folder / "strategy.mccfr").origin.iterations == reached
    assert run.events()[-1]["event"] == "stopped"
    assert_same_arrays(run, mccfr.Solver("leduc", "cfr_plus").run(reached).state)


def test_a_second_signal_does_not_wait(tmp_path):
    code = f"""
from mccfr.runs.checkpoints import Checkpoints
def slow(*_):
    print("saving", flush=True)
    time.sleep(60)
Checkpoints.write = slow
try:
    mccfr.train(folder, **{ENDLESS!r})
except KeyboardInterrupt:
    print("interrupted")
"""
    process = python(code, tmp_path / "a")
    when(tmp_path / "a", lambda run: run.status.iterations > 0)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "saving\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=10)[0] == "interrupted\n"


def test_ignored_signals_stay_ignored(tmp_path):
    code = """
signal.signal(signal.SIGINT, signal.SIG_IGN)
mccfr.train(folder, "kuhn", "cfr", iterations=50, watch=lambda reached: os.kill(os.getpid(), signal.SIGINT))
assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
print(mccfr.Run(folder).status.state)
"""
    assert python(code, tmp_path / "a").communicate(timeout=60) == ("done\n", "")


def test_training_outside_the_main_thread(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        runs = pool.map(lambda j: mccfr.train(tmp_path / str(j), "kuhn", "cfr", iterations=20, seed=j), range(2))
        assert [run.status.state for run in runs] == ["done", "done"]


def test_a_full_disk(tmp_path):
    """RLIMIT_FSIZE stands for it: files cannot grow beyond some size."""
    code = """
import resource
events = []
def listen(kind, **facts):
    events.append((kind, facts))
    if kind == "warning":
        print(facts["message"])
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
def watch(reached):
    if reached.iterations == 10:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, hard))
from mccfr.solvers import solver
from mccfr.runs import checkpoints
solver.CHUNK_SECONDS, checkpoints.SHARE = 0.002, 1.0
try:
    mccfr.train(folder, "leduc", "cfr_plus", iterations=1500, checkpoint_every=0.0, watch=watch, on_event=listen)
except mccfr.MccfrError as error:
    print("ERROR", error)
print("measured", max(facts["iterations"] for kind, facts in events if kind == "measured"))
"""
    out, err = python(code, tmp_path / "a").communicate(timeout=60)
    assert err == ""
    lines = out.splitlines()
    warnings = [line for line in lines if "File too large; training continues and tries again" in line]
    assert len(warnings) >= 2
    assert lines[-1] == "measured 1500"  # training went on to the end
    assert lines[-2].startswith("ERROR the final checkpoint could not be written: cannot write ")
    run = mccfr.Run(tmp_path / "a")
    names = [path.name for path in run.checkpoints()]
    assert lines[-2].endswith(f"the last good one is {names[0]}" if names else "there is none before it")
    assert not list(run.folder.rglob(".*"))
    assert run.train().status.state == "done"  # now there is room
    assert_same_arrays(run, mccfr.Solver("leduc", "cfr_plus").run(1500).state)
    assert run.metrics()["iterations"][-1] == 1500


def test_a_disk_that_is_full_for_a_while_only(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "REPORT_AT_LEAST_EVERY", 0.0)
    full, heard, fsync = [False], Listener(), os.fsync

    def sometimes(handle):
        if full[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    def watch(reached):
        full[0] = 10 < reached.iterations < 200

    monkeypatch.setattr(container.os, "fsync", sometimes)
    run = mccfr.train(tmp_path / "a", "leduc", "cfr", iterations=300, checkpoint_every=0.0, watch=watch, on_event=heard)
    assert {"warning", "checkpointed", "finished"} <= set(heard.kinds)
    assert any("No space left on device" in facts["message"] for kind, facts in heard if kind == "warning")
    assert run.status.state == "done"
    assert run.status.note == ""
    assert_same_arrays(run, mccfr.Solver("leduc", "cfr").run(300).state)


def test_available_memory_is_a_sensible_number():
    assert 2**20 < available_memory() < 2**50


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads as Linux lists them")
def test_reading_metrics_starts_no_threads(tmp_path):
    """A process that ends soon after pyarrow's reading threads were started was seen to abort, one time in five."""
    mccfr.train(tmp_path / "a", "kuhn", "external", iterations=100)
    code = (
        "import os, sys, mccfr, pyarrow.parquet; run = mccfr.Run(sys.argv[1]); before = os.listdir('/proc/self/task'); "
        "run.metrics(); print(len(before) == len(os.listdir('/proc/self/task')))"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "a"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
