"""`mccfr sweep`: what its files may say, and that a sweep killed or stopped anywhere comes to the same results."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import jsonschema
import numpy as np
import pyarrow.parquet
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import FileError, own_pip
from mccfr.experiments.sweep_file import read_sweep
from mccfr.experiments.sweeping import folder_names, sweep_jobs
from mccfr.experiments.training_jobs import TrainingJob, is_finished, train_all
from mccfr.jobs.process_pool import ProcessPool
from mccfr.jobs.ray_pool import RayPool

HOME = Path(mccfr.__file__).parent.parent
SCHEMA = json.loads((HOME / "docs" / "json-schema.json").read_text())
SMALL = {"games": ["kuhn", "leduc"], "methods": ["cfr_plus", "external"], "seeds": 2, "iterations": 300}
SOUND = 'games = ["kuhn"]\nmethods = ["external"]\nseeds = 1\niterations = 10\n'


def written(folder, name="sweep.toml", **settings):
    """A sweep file; JSON values are TOML values, but for what we do not use."""
    (folder / name).write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items()))
    return folder / name


def nobody(finished, total, running):
    """A watcher that does not care."""


def sweep_command(*args):
    return CliRunner().invoke(cli, ["sweep", *map(str, args)])


PROBLEMS = {  # a change of the sound file, and what is said of it
    "unknown key": ("seeds = 1", "seeds = 1\nseed = 2", ", line 4: unknown key 'seed'; did you mean seeds?"),
    "wrong type": ("= 10", '= "ten"', ", line 4: iterations must be a whole number from 1 (10000, \"10k\"), got 'ten'"),
    "boolean": (
        "iterations = 10", "seconds = true",
        ', line 4: seconds must be a time above 0 (90, "2min", "1h30m"), got True',
    ),
    "empty list": ('["kuhn"]', "[]", ", line 1: games must be a list of at least one name, got []"),
    "not a name": ('["kuhn"]', '["kuhn",\n 3]', ", line 2: games must be names in quotes, got 3"),
    "unknown game": ('["kuhn"]', '["kuhn",\n\n"ludec"]', ", line 3: unknown game 'ludec'; did you mean leduc?"),
    "unknown method": ('["external"]', '[\n"extrenal"]', ", line 3: unknown method 'extrenal'; did you mean external?"),
    "same method twice": (
        '"external"', '"dcfr",\n"dcfr(1.5, 0, 2)"', ", line 3: 'dcfr(1.5, 0, 2)' is already listed, as 'dcfr'"
    ),
    "same seed twice": ("seeds = 1", "seeds = [1, 2,\n1]", ", line 4: seed 1 is listed twice"),
    "no seeds": ("seeds = 1", "seeds = 0", ", line 3: seeds must be a number (5 means 1 to 5) or a list"),
    "nothing left out": ("seeds = 1\n", "", ": seeds is missing; for example seeds = 5"),
    "endless": ("iterations = 10", "", ": the runs have no limit; give iterations, seconds or target"),
    "syntax": ('["kuhn"]', '["kuhn"', ", line 2: unclosed array"),
    "key twice": ("seeds = 1", "seeds = 1\nseeds = 2", ", line 4: cannot overwrite a value"),
    "override": (
        "= 10", "= 10\n[[override]]\ngames = 'kuhn'\ntarget = 0.1\n[[override]]\nmethods = ['cfr']\ntarget = 1",
        ", line 9: 'cfr' is not among the methods of this sweep",
    ),
    "override of nothing": ("= 10", "= 10\n[[override]]\ngames = 'kuhn'", ", line 5: an override must change "),
    "missing part": ("= 10", "= 10\nuse = ['parts.py']", ", line 5: cannot read "),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_is_told_with_its_line(name, tmp_path):
    before, after, expected = PROBLEMS[name]
    file = tmp_path / "sweep.toml"
    file.write_text(SOUND.replace(before, after, 1))
    with pytest.raises(FileError) as caught:
        read_sweep(file)
    assert f"{file}{expected}" in str(caught.value).splitlines()[0]


YAML_PROBLEMS = {
    "games: [kuhn\nmethods: external\n": ", line 2: expected ',' or ']'",
    "games: kuhn\ngames: leduc\n": ", line 2: games is given twice",
    "games: kuhn\nmethods:\n- external\n- 5\nseeds: 1\niterations: 1":
        ", line 4: methods must be names in quotes, got 5",
    "games: kuhn\nmethods: external\nseeds: 1\ntarget: 1e-3":
        ", line 4: target must be an exploitability from 0, got '1e-3'",
    "games: kuhn\nmethods: external\nseeds: 1\nseconds: 1\noverride:\n- games: [kuhn]\n  second: 2":
        ", line 6: an override must change something",
    "- kuhn": ", line 1: expected keys and values",
}  # fmt: skip


@pytest.mark.parametrize("text", YAML_PROBLEMS)
def test_yaml_problems_have_lines_too(text, tmp_path):
    (tmp_path / "sweep.yaml").write_text(text)
    with pytest.raises(FileError) as caught:
        read_sweep(tmp_path / "sweep.yaml")
    assert f"{tmp_path / 'sweep.yaml'}{YAML_PROBLEMS[text]}" in str(caught.value).splitlines()[0]


def test_all_problems_are_told_at_once(tmp_path):
    file = written(tmp_path, games=["ludec"], methods=["extrenal"], sead=1, seeds=1, iterations=0)
    result = sweep_command(file)
    assert result.exit_code == 2
    assert [line.partition(" line ")[2][0] for line in result.stderr.splitlines()] == ["1", "2", "3", "5"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sweep.toml"]  # nothing was begun


def test_toml_and_yaml_say_the_same(tmp_path):
    (tmp_path / "sweep.yml").write_text(json.dumps({**SMALL, "override": [{"games": "kuhn", "iterations": 5}]}))
    toml = written(tmp_path, **SMALL)
    toml.write_text(toml.read_text() + '[[override]]\ngames = "kuhn"\niterations = 5\n')
    assert read_sweep(tmp_path / "sweep.yml") == read_sweep(toml)


def test_yaml_without_pyyaml(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "sweep.yaml").write_text("games: kuhn")
    with pytest.raises(
        mccfr.MccfrError, match=re.escape(f"needs PyYAML, which is not installed: {own_pip()} install 'mccfr[yaml]'")
    ):
        read_sweep(tmp_path / "sweep.yaml")


def test_overrides_and_paths(tmp_path):
    (tmp_path / "coin.efg").write_text("")
    mccfr.write_efg(mccfr.game("kuhn"), tmp_path / "coin.efg")
    file = written(
        tmp_path, games=["kuhn", "coin.efg"], methods=["cfr", "external"], seeds=[4], iterations=100, out="a/b"
    )
    file.write_text(
        file.read_text() + '[[override]]\ngames = "coin.efg"\nmethods = "cfr"\niterations = 7\ntarget = 0.5\n'
    )
    jobs = sweep_jobs(read_sweep(file))
    own = str(tmp_path / "coin.efg")
    assert [(job.game, job.method, job.iterations, job.target) for job in jobs] == [
        ("kuhn", "cfr", 100, None),
        ("kuhn", "external", 100, None),
        (own, "cfr", 7, 0.5),
        (own, "external", 100, None),
    ]
    assert jobs[0].folder == str(tmp_path / "a" / "b" / "kuhn" / "cfr" / "seed-4")


def test_folder_names_are_safe_and_differ():
    texts = [
        "leduc",
        "Leduc",
        "efg:a/b.efg",
        "efg:a-b.efg",
        "goofspiel(n=5)",
        "x" * 300,
        "..",
        "/",
        r"C:\x",
        "outcome+history",
    ]
    names = folder_names(texts)
    assert len({name.lower() for name in names.values()}) == len(texts)
    assert all(len(name) < 200 and not set(name) & set('/\\:*?"<>|() ') for name in names.values())
    assert all(name not in (".", "..") for name in names.values())
    assert (names["leduc"], names["goofspiel(n=5)"]) == ("leduc", "goofspiel-n=5")


def test_a_sweep_from_its_file_to_its_summary(tmp_path):
    file = written(tmp_path, **SMALL)
    plan = sweep_command(file, "--dry-run")
    assert plan.stdout.splitlines()[-1] == "8 runs, 0 of them finished"
    assert not (tmp_path / "sweep").exists()
    result = sweep_command(file, "--jobs", 2, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    table = pyarrow.parquet.read_table(tmp_path / "sweep" / "summary.parquet").to_pylist()
    assert table == found["runs"]
    assert {(row["game"], row["method"], row["seed"]) for row in table} == {
        (game, method, seed) for game in SMALL["games"] for method in SMALL["methods"] for seed in (1, 2)
    }
    for row in table:
        twin = mccfr.solve(row["game"], row["method"], iterations=300, seed=row["seed"])
        assert (row["iterations"], row["state"], row["error"]) == (300, "done", "")
        assert row["exploitability"] == pytest.approx(twin.exploitability(), rel=1e-9)
        strategy = mccfr.Run(tmp_path / "sweep" / row["folder"]).strategy()
        assert np.array_equal(strategy.probabilities, twin.strategy().probabilities)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(sweep_command(file, "--dry-run", "--json").stdout))


LONG = {
    "games": ["leduc", "goofspiel(n=4)"],
    "methods": ["external", "outcome+predictive"],
    "seeds": [3, 8],
    "iterations": 1_000_000,
    "checkpoint_every": 0.1,
}


def started(file):
    """The command in a process group of its own, once a run has written a checkpoint and goes on."""
    before = set(file.parent.rglob("*.ckpt"))
    process = subprocess.Popen(
        [sys.executable, "-m", "mccfr", "sweep", file.name, "--jobs", "2"],
        cwd=file.parent, env={**os.environ, "PYTHONPATH": str(HOME)}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (underway(file) and set(file.parent.rglob("*.ckpt")) - before):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process


def underway(file):
    states = [
        mccfr.Run(job.folder).status.state
        for job in sweep_jobs(read_sweep(file))
        if Path(job.folder, "run.json").exists()
    ]
    return "running" in states


def states(file):
    return [mccfr.Run(path.parent).status.state for path in file.parent.rglob("run.json")]


def ended(file):
    """Wait until no run is being trained any more."""
    deadline = time.monotonic() + 30
    while underway(file):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_a_sweep_killed_and_stopped_comes_to_the_same_result(tmp_path):
    file = written(tmp_path, **LONG)
    everything = started(file)
    os.killpg(everything.pid, signal.SIGKILL)
    everything.communicate()
    ended(file)
    assert "died" in states(file)

    parent = started(file)
    parent.kill()
    parent.communicate()
    ended(file)  # its workers do not go on without it

    stopped = started(file)
    os.killpg(stopped.pid, signal.SIGINT)
    _, err = stopped.communicate(timeout=30)
    assert stopped.returncode == 130
    assert "runs finished: the same command continues" in err
    assert "stopped" in states(file)
    assert "running" not in states(file)

    result = sweep_command(file, "--jobs", 2)
    assert result.exit_code == 0
    assert "8 of 8 runs finished" in result.stdout
    runs = [mccfr.Run(job.folder) for job in sweep_jobs(read_sweep(file))]
    resumed = [run for run in runs if any(event["event"] == "resumed" for event in run.events())]
    assert len(resumed) >= 2
    for run in resumed:
        twin = mccfr.solve(run.config.game, run.config.method, run.config.iterations, run.config.seed).strategy()
        assert np.array_equal(run.strategy().probabilities, twin.probabilities)


DEADLY = """
import os, signal
from pathlib import Path
from mccfr.games.kuhn import Kuhn

class Deadly(Kuhn):
    lives = 1
    def root(self):
        tombs = len(list(Path(__file__).parent.glob(f"{self.lives}-*.tomb")))
        if tombs < self.lives:
            Path(__file__).with_name(f"{self.lives}-{tombs}.tomb").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().root()

class Deadlier(Deadly):
    lives = 9

class Broken(Kuhn):
    def payoff(self, s):
        return 1 / 0
"""


def test_one_failing_job_stops_no_other(tmp_path):
    (tmp_path / "deadly.py").write_text(DEADLY)
    games = ["deadly.py:Deadlier", "deadly.py:Broken", "deadly.py:Deadly", "kuhn"]
    result = sweep_command(written(tmp_path, games=games, methods=["cfr"], seeds=1, iterations=10), "--jobs", 1)
    assert result.exit_code == 1
    lines = result.stderr.splitlines()
    assert len(lines) == 2
    assert (
        "Deadlier cfr seed 1 failed: its worker process was killed, and again when it was tried once more" in lines[0]
    )
    assert "Broken cfr seed 1 failed: " in lines[1]
    assert "2 of 4 runs finished" in result.stdout
    table = pyarrow.parquet.read_table(tmp_path / "sweep" / "summary.parquet").to_pylist()
    assert [row["state"] for row in table] == ["failed", "failed", "done", "done"]
    assert len(list(tmp_path.glob("9-*.tomb"))) == 2  # tried once more, and not again


@pytest.mark.slow
def test_a_finished_job_asked_for_more_goes_on(tmp_path):
    short = TrainingJob(str(tmp_path / "run"), "kuhn", "external", 1, iterations=10)
    longer = TrainingJob(str(tmp_path / "run"), "kuhn", "external", 1, iterations=20)
    train_all([short], ProcessPool(1), nobody)
    assert is_finished(short)
    assert not is_finished(longer)
    seen = []
    assert train_all([longer], ProcessPool(1), lambda *news: seen.append(news))[0].error == ""
    assert [(finished, total, len(running)) for finished, total, running in seen] == [(0, 1, 0), (0, 1, 1), (1, 1, 0)]
    assert mccfr.Run(tmp_path / "run").status.iterations == 20


def test_a_folder_that_cannot_be_made():
    result = CliRunner().invoke(cli, ["sweep", "/dev/null/sweep.toml"])
    assert result.exit_code == 2
    assert result.stderr.startswith("mccfr: error: cannot read /dev/null/sweep.toml: ")


def kill_the_worker(job):
    """End the process that trains a job, once there is something to resume from."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if any(Path(job.folder).glob("checkpoints/*.ckpt")) and mccfr.Run(job.folder).status.state == "running":
            os.kill(mccfr.Run(job.folder).status.pid, signal.SIGKILL)
            return
        time.sleep(0.01)


@pytest.mark.slow
def test_a_sweep_on_ray_survives_a_killed_worker(tmp_path, capfd):
    pytest.importorskip("ray")
    only = {"games": ["leduc"], "methods": ["external"], "seeds": [3], "iterations": 4_000_000}
    (job,) = sweep_jobs(read_sweep(written(tmp_path, **{**LONG, **only})))
    killer = threading.Thread(target=kill_the_worker, args=(job,))
    killer.start()
    assert [outcome.error for outcome in train_all([job], RayPool(processors=2), nobody)] == [""]
    killer.join()
    events = [event["event"] for event in mccfr.Run(job.folder).events()]
    assert events.count("resumed") == 1
    twin = mccfr.solve(job.game, job.method, job.iterations, job.seed).strategy()
    assert np.array_equal(mccfr.Run(job.folder).strategy().probabilities, twin.probabilities)
    assert capfd.readouterr() == ("", "")  # stdout is for the command's document


def test_a_cluster_that_is_not_there(tmp_path):
    pytest.importorskip("ray")
    result = sweep_command(written(tmp_path, **SMALL), "--ray", "127.0.0.1:1")
    assert result.exit_code == 2
    assert result.stderr.startswith("mccfr: error: no Ray cluster answers at 127.0.0.1:1: ")
