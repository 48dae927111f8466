"""Run folders on the command line: made, watched, interrupted, continued, listed, refused; mostly as real processes."""

import itertools
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from test_cli import SCHEMA, document, mccfr_command
from test_cli_process import environment, start

import mccfr
from mccfr.cli.main import cli
from mccfr.cli.output import duration, short
from mccfr.cli.progress import Limits, Meter, fitting, shortened

TRAIN = ("solve", "kuhn", "-m", "external", "-n", "500", "--out", "runs/a")
ENDLESS = (
    "solve", "goofspiel(n=5)", "-m", "external", "-n", "1000000000", "--checkpoint-every", "0.2", "--out", "runs/a",
)  # fmt: skip
MOVING = r"running, [\d,]+ iterations, .* it/s, .* nodes/s, exploitability 0\.\d+, .* left$"
HALF_A_CHECKPOINT = "is not a checkpoint, or is damaged or cut short"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def held_to(definition, found):
    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]}).validate(found)
    return found


def until(condition, seconds=60):
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def ended(process, seconds=60):
    out, err = process.communicate(timeout=seconds)
    return process.returncode, out, err


def same(one, other):
    return np.array_equal(one.probabilities, other.probabilities)


def test_a_run_is_made_then_found_finished(folder):
    found = document("trained", *TRAIN)
    assert (found["state"], found["iterations"], found["finished_before"]) == ("done", 500, False)
    twin = mccfr.solve("kuhn", "external", iterations=500)
    assert same(mccfr.Run("runs/a").strategy(), twin.strategy())
    assert found["exploitability"] == pytest.approx(twin.exploitability(), rel=1e-12)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert document("trained", *TRAIN)["finished_before"]
    assert "finished before: 500" in mccfr_command(*TRAIN)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_resume_ends_where_one_go_would(folder):
    mccfr_command(*TRAIN, "--quiet")
    found = document("trained", "resume", "runs/a", "-n", 1200)
    assert (found["command"], found["iterations"], found["limits"]["iterations"]) == ("resume", 1200, 1200)
    assert same(mccfr.Run("runs/a").strategy(), mccfr.solve("kuhn", "external", iterations=1200).strategy())
    assert "finished before: 1,200" in mccfr_command("resume", "runs/a")
    assert document("trained", "resume", "runs/a", "--target", 1e-3)["exploitability"] <= 1e-3
    found = document("trained", "resume", "runs/a", "--seconds", 0.3)
    assert 0.3 <= found["seconds"] < 1
    assert found["iterations"] > 1200


def test_a_report_of_a_run_leads_on(folder):
    lines = dict(line.split(None, 1) for line in mccfr_command(*TRAIN).splitlines())
    assert list(lines) == ["game", "method", "iterations", "nodes", "exploitability", "run", "next"]
    assert lines["next"] == "mccfr show runs/a"
    assert mccfr_command("show", "runs/a").startswith("kuhn · external, 500 iterations")
    missed = CliRunner().invoke(cli, ["resume", "runs/a", "-n", "600", "--target", "1e-9"])
    assert missed.exit_code == 1
    assert "target          1e-09 not reached: allow more --iterations or --seconds" in missed.stdout


def test_an_exact_method_needs_no_end(folder):
    found = document("trained", "solve", "kuhn", "--out", "runs/lp")
    assert (found["method"], found["iterations"], found["limits"]) == (
        "lp", 1, {"iterations": None, "seconds": None, "target": None},
    )  # fmt: skip
    assert found["exploitability"] == pytest.approx(0, abs=1e-12)


def test_strategies_are_taken_from_runs(folder):
    mccfr_command(*TRAIN, "--quiet")
    mccfr_command(*TRAIN[:-2], "--quiet", "--out", "a.mccfr")
    for command in (("show",), ("evaluate",), ("evaluate", "--against", "uniform:kuhn")):
        of_run, of_file = (json.loads(mccfr_command(*command, name, "--json")) for name in ("runs/a", "a.mccfr"))
        assert of_run.pop("strategy") == "runs/a" != of_file.pop("strategy")
        assert of_run == of_file
    mccfr_command("export", "runs/a", "run.csv")
    mccfr_command("export", "a.mccfr", "file.csv")
    assert Path("run.csv").read_bytes() == Path("file.csv").read_bytes()
    assert document("evaluate", "evaluate", "a.mccfr", "--against", "runs/a")["against"]["strategy"] == "runs/a"


def test_a_run_of_a_program_is_not_executed_for_a_look(folder):
    text = (Path(__file__).parent.parent / "docs" / "command-line.md").read_text()
    Path("coin.py").write_text(re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1])
    mccfr_command("solve", "coin.py", "-m", "cfr", "-n", 100, "--out", "runs/coin", "--quiet")
    assert "facing a bet" in mccfr_command("show", "runs/coin")
    refused = CliRunner().invoke(cli, ["evaluate", "runs/coin"])
    assert refused.exit_code == 2
    assert "--game" in refused.stderr
    assert document("evaluate", "evaluate", "runs/coin", "--game", "coin.py")["iterations"] == 100


def test_runs_lists_what_is_there_and_what_is_broken(folder):
    mccfr_command(*TRAIN, "--quiet")
    mccfr_command(*TRAIN[:-1], "runs/deep/er/b", "--seed", 7, "--quiet")
    for name, damage in (("cut", b'{"format": '), ("newer", b'"schema": 99')):
        shutil.copytree("runs/a", f"runs/{name}")
        record = Path(f"runs/{name}/run.json")
        whole = record.read_bytes()
        record.write_bytes(damage if name == "cut" else whole.replace(b'"schema": 1', damage))
    shutil.copytree("runs/a", "runs/odd")
    Path("runs/odd/status.json").write_text('{"state": 5, "iterations": "many", "updated": "never"}')
    shutil.copytree("runs/a", "runs/stub")
    Path("runs/stub/run.json").unlink()
    found = {Path(run["folder"]).name: run for run in document("runs", "runs")["runs"]}
    assert found.keys() == {"a", "b", "cut", "newer", "odd", "stub"}
    assert {name: run["seed"] for name, run in found.items() if "seed" in run} == {"a": 0, "b": 7}
    assert found["cut"]["problem"].startswith("runs/cut/run.json is damaged")
    assert found["newer"]["problem"].startswith("runs/newer/run.json has schema 99")
    assert found["odd"]["problem"].startswith("runs/odd/status.json is damaged")
    assert found["stub"]["problem"] == "runs/stub is not a run folder: it has no run.json"
    text = mccfr_command("runs")
    assert all(name in text for name in found)
    assert re.search(r"runs/a +kuhn +external +0 +done +500 +0\.0\d+ +\d+ s", text)
    (only,) = document("runs", "runs", "runs/deep")["runs"]
    assert only == {**found["b"], "folder": "runs/deep/er/b"}
    assert mccfr_command("runs", "runs/a").count("\n") == 2


def test_no_runs_is_no_error(folder):
    Path("runs").mkdir()
    assert document("runs", "runs")["runs"] == []
    assert mccfr_command("runs") == "no runs in runs; mccfr solve GAME --iterations N --out runs/a makes one\n"


def test_a_finished_run_can_be_watched(folder):
    mccfr_command(*TRAIN, "--quiet")
    found = document("watched", "watch-run", "runs/a")
    metrics = mccfr.Run("runs/a").metrics()
    assert [row["iterations"] for row in found["history"]] == metrics["iterations"].tolist()
    assert [event["event"] for event in found["events"]] == ["started", "checkpointed", "finished"]
    text = mccfr_command("watch-run", "runs/a", "--once")
    assert re.search(r"^state +done, \d+ s ago$", text, re.MULTILINE)
    assert re.search(r"^iterations +500 of 500$", text, re.MULTILINE)
    assert "●" in text
    assert mccfr_command("watch-run", "runs/a").startswith("done, 500 iterations, ")


def test_events_are_told_as_json(folder):
    """On stderr, where nothing else goes; stdout stays as it was."""
    for args, kinds in (
        (TRAIN, ["started", "checkpointed", "finished"]),
        (TRAIN[:-2], ["started", "finished"]),
    ):
        result = CliRunner().invoke(cli, [*args, "--log-json", "--json"])
        events = [held_to("event", json.loads(line)) for line in result.stderr.splitlines()]
        measured = [event["iterations"] for event in events if event["event"] == "measured"]
        assert [event["event"] for event in events if event["event"] != "measured"] == kinds
        assert measured[-1] == 500 == json.loads(result.stdout)["iterations"]
        assert len(measured) == len(set(measured)) > 30
    assert Path("runs/a/events.jsonl").read_text().count("\n") == len(events) + 1


def test_a_damaged_checkpoint_is_told_and_the_one_before_is_used(folder):
    mccfr_command(*TRAIN, "--quiet")
    mccfr_command("resume", "runs/a", "-n", 700, "--quiet")
    newest = max(Path("runs/a/checkpoints").glob("*.ckpt"))
    newest.write_bytes(newest.read_bytes()[:-200])
    result = CliRunner().invoke(cli, ["resume", "runs/a", "-n", "900"])
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"mccfr: warning: {newest}")
    assert HALF_A_CHECKPOINT in line
    assert "000000000000500.ckpt" in line
    assert same(mccfr.Run("runs/a").strategy(), mccfr.solve("kuhn", "external", iterations=900).strategy())


@pytest.mark.slow
def test_workers_share_a_run(folder):
    found = document("solve", "solve", "kuhn", "-m", "external", "-n", 4000, "--workers", 2, "--parallel", "replicas")
    assert (found["workers"], found["parallel"], found["reproducible"]) == (2, "replicas", True)
    args = ("solve", "kuhn", "-m", "external", "-n", 4000, "--workers", "all", "--parallel", "shared")
    found = document("solve", *args)
    assert (found["workers"], found["reproducible"]) == (len(os.sched_getaffinity(0)), False)
    assert "another run with this seed will differ" in mccfr_command(*args)
    one, two = (
        document("trained", "solve", "kuhn", "-m", "external", "-n", 320, "--workers", n, "--parallel", "batch",
                 "--out", f"runs/{n}")
        for n in (1, 2)
    )  # fmt: skip
    assert (one["parallel"], two["workers"], two["parallel"]) == ("batch", 2, "batch")
    assert same(mccfr.Run("runs/1").strategy(), mccfr.Run("runs/2").strategy())


@pytest.mark.slow
def test_parts_of_your_own_come_with_the_run(folder):
    shutil.copy(Path(__file__).parent.parent / "examples" / "hedge.py", folder)
    args = ["--use", "hedge.py", "solve", "kuhn", "-m", "external+hedge", "-n", "50", "--out", "runs/a", "--quiet"]
    for line in (args, ["resume", "runs/a", "-n", "80", "--quiet"]):  # the second process is not told of the file
        code, out, err = ended(start(*line, folder=folder))
        assert (code, out, err) == (0, "", "")
    assert mccfr.Run("runs/a").status.iterations == 80


def checkpointed(run):
    """Iterations of a run's newest checkpoint."""
    return max((int(path.stem) for path in run.glob("checkpoints/*.ckpt")), default=0)


@pytest.fixture
def going_on(folder):
    """A run in another process that has come so far that its checkpoints are worth something."""
    process = start(*ENDLESS, folder=folder)
    until(lambda: checkpointed(folder / "runs" / "a") > 20_000 or process.poll() is not None)
    yield process
    process.kill()
    process.communicate()


def test_a_run_that_goes_on_is_watched_read_guarded_and_interrupted(folder, going_on):
    assert document("runs", "runs")["runs"][0]["state"] == "running"
    found = document("evaluate", "evaluate", "runs/a")
    assert 0 < found["iterations"] < 10**9
    assert found["exploitability"] < mccfr.exploitability(mccfr.uniform("goofspiel(n=5)")) / 2
    code, out, err = ended(start("resume", "runs/a", folder=folder))
    message = rf"mccfr: error: runs/a is in use by process {going_on.pid} on \S+: wait until it ends, or choose another"
    assert (code, out) == (2, "")
    assert re.match(message, err)
    assert err.count("\n") == 1
    watcher = start("watch-run", "runs/a", "--every", "0.2", folder=folder)
    threading.Timer(10, watcher.kill).start()  # long before that it must have seen the run move
    lines = iter(watcher.stdout.readline, "")
    seen = itertools.islice((line for line in lines if re.match(MOVING, line)), 2)
    assert len(set(seen)) == 2
    going_on.send_signal(signal.SIGINT)
    code, out, err = ended(going_on)
    status = mccfr.Run("runs/a").status
    assert (code, err, status.state) == (130, "", "stopped")
    assert f"stopped at iteration {status.iterations:,} in " in out
    assert out.endswith("next            mccfr resume runs/a continues it\n")
    code, out, err = ended(watcher)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith(f"stopped, {status.iterations:,} iterations, ")
    total = status.iterations + 1000
    mccfr_command("resume", "runs/a", "-n", total, "--quiet")
    twin = mccfr.solve("goofspiel(n=5)", "external", iterations=total)
    assert same(mccfr.Run("runs/a").strategy(), twin.strategy())


def test_a_killed_run_is_seen_as_such_and_goes_on(folder, going_on):
    going_on.kill()
    going_on.wait()
    text = mccfr_command("watch-run", "runs/a", "--once")
    assert re.search(r"^state +died, \d+ s ago; mccfr resume runs/a continues it$", text, re.MULTILINE)
    assert mccfr_command("watch-run", "runs/a").startswith("died, ")
    kept = checkpointed(Path("runs/a"))
    assert document("evaluate", "evaluate", "runs/a")["iterations"] == kept
    found = document("trained", "resume", "runs/a", "-n", kept + 500)
    assert found["iterations"] == kept + 500
    twin = mccfr.solve("goofspiel(n=5)", "external", iterations=kept + 500)
    assert same(mccfr.Run("runs/a").strategy(), twin.strategy())


def test_ctrl_c_ends_the_watching_and_sigterm_the_run(folder, going_on):
    watcher = start("watch-run", "runs/a", folder=folder)
    assert watcher.stdout.readline().startswith("running, ")
    watcher.send_signal(signal.SIGINT)
    code, _, err = ended(watcher)
    assert (code, err) == (130, "stopped watching; the run in runs/a is not affected\n")
    assert mccfr.Run("runs/a").status.state == "running"
    going_on.terminate()
    code, out, err = ended(going_on)
    assert (code, err) == (130, "")
    assert "mccfr resume runs/a continues it" in out
    assert mccfr.Run("runs/a").status.state == "stopped"


def on_a_terminal(folder, *args, columns=120):
    """What a command shows on a terminal, colours and cursor movements taken out."""
    inner, outer = pty.openpty()
    env = {**environment(), "COLUMNS": str(columns), "LINES": "50", "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "mccfr", *args], stdout=outer, stderr=outer, stdin=outer, cwd=folder, env=env
    )
    os.close(outer)
    shown = b""
    try:
        while piece := os.read(inner, 65536):
            shown += piece
    except OSError:  # how a terminal says that nobody writes to it any more
        pass
    os.close(inner)
    return process.wait(), re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown.decode())


@pytest.mark.slow
def test_a_terminal_shows_progress_and_the_watcher_a_chart(folder):
    args = (
        "solve",
        "goofspiel(n=5)",
        "-m",
        "external",
        "--seconds",
        "2",
        "--checkpoint-every",
        "0.5",
        "--out",
        "runs/a",
    )
    code, shown = on_a_terminal(folder, *args)
    assert code == 0
    rates = r"[\d.]+[kM]? it/s, [\d.]+[kMG] nodes/s"
    assert re.search(rf"━.* [\d.]+[kM] iterations, {rates}, exploitability 0\.\d+, \d s left, saved at \d", shown)
    code, shown = on_a_terminal(folder, "watch-run", "runs/a")
    assert code == 0
    assert "●" in shown
    assert re.search(r"finished +[\d,]+ iterations", shown)
    code, shown = on_a_terminal(folder, *args[:4], "--seconds", "1", columns=80)
    assert re.search(r"━.* [\d.]+[kM] iterations, [\d.]+[kM]? it/s, exploitability 0\.\d+, \d s left\s", shown)


@pytest.mark.slow
def test_a_terminal_shows_how_many_runs_are_finished(folder):
    Path("two.toml").write_text('games = "kuhn"\nmethods = ["cfr", "cfr_plus"]\nseeds = 1\niterations = 10\n')
    code, shown = on_a_terminal(folder, "sweep", "two.toml", "--jobs", "1")
    assert code == 0
    assert re.search(r"0 of 2 runs finished ━+ 0:00:\d\d kuhn cfr seed 1\s", shown)
    assert re.search(r"2 of 2 runs finished ━+ 0:00:\d\d", shown)


def test_elsewhere_runs_are_told_now_and_then_if_at_all(capsys):
    Meter(True).count(1, 4, ())
    Meter(True, every=0.0).count(2, 4, ())
    assert capsys.readouterr() == ("", "2 of 4 runs finished, 0 s\n")


def test_what_has_no_room_is_left_out():
    assert (shortened("four", 4), shortened("four", 3), shortened("four", -1)) == ("four", "fo…", "…")
    words = ["5 iterations", "3 it/s", "40 nodes/s", "exploitability 0.1", "8 s left", "saved at 4"]
    assert fitting(words, 80) == ", ".join(words)
    assert fitting(words, 70) == ", ".join(words[:-1])
    assert fitting(words, 60) == "5 iterations, 3 it/s, exploitability 0.1, 8 s left"
    assert fitting(words, 10) == "5 iterations, exploitability 0.1, 8 s left"


def test_time_left_goes_by_the_nearer_end():
    assert Limits(1000, None).left(250, 10.0) == 30
    assert Limits(1000, 20.0).left(250, 10.0) == 10
    assert Limits(1000, 20.0).share(750, 10.0) == 0.75
    assert Limits().share(5, 1.0) is Limits().left(5, 1.0) is None


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (0.04, "0.04"), (7, "7"), (950, "950"), (999.6, "1.00k"), (12_345, "12.3k"), (123_456, "123k"),
     (4.56e9, "4.56G")],
)  # fmt: skip
def test_short_counts(count, text):
    assert short(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.4, "59 s"), (125, "2 min 5 s"), (12_000, "3 h 20 min"), (400_000, "4 days")],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def another_schema(run):
    (run / "run.json").write_text((run / "run.json").read_text().replace('"schema": 1', '"schema": 2'))


def damaged_record(run):
    (run / "run.json").write_bytes((run / "run.json").read_bytes()[:100])


def without_record(run):
    (run / "run.json").unlink()


def untouched(run):
    pass


REFUSED = [
    (
        untouched,
        ("solve", "leduc", "-m", "external", "-n", "500", "--out", "runs/a"),
        "runs/a holds kuhn by external, seed 0; asked for leduc: choose another folder",
    ),
    (another_schema, TRAIN, "runs/a/run.json has schema 2, this version of mccfr reads 1"),
    (damaged_record, ("resume", "runs/a"), "runs/a/run.json is damaged: "),
    (without_record, TRAIN, "runs/a is not a run folder and not empty (it has "),
    (untouched, (*TRAIN[:-1], "/dev/null/x"), "cannot make the run folder /dev/null/x: Not a directory"),
]
REFUSED_TOO = [
    (
        untouched,
        (*TRAIN, "--seed", "3"),
        "runs/a holds kuhn by external, seed 0; asked for seed 3: choose another folder",
    ),
    (another_schema, ("resume", "runs/a"), "runs/a/run.json has schema 2, this version of mccfr reads 1"),
    (damaged_record, ("evaluate", "runs/a"), "runs/a/run.json is damaged: "),
    (without_record, ("resume", "runs/a"), "runs/a is not a run folder: it has no run.json"),
    (untouched, (*TRAIN[:-1], "runs/a/run.json/b"), "cannot make the run folder runs/a/run.json/b: "),
    (untouched, (*TRAIN[:-1], "runs/a/run.json"), "--out runs/a/run.json: a strategy is saved as .mccfr"),
    (untouched, ("export", "runs/a", "a.efg"), "runs/a is a strategy, but .efg files hold games: "),
]


def in_this_process(args, folder):
    result = CliRunner().invoke(cli, args)
    return result.exit_code, result.stdout, result.stderr


def in_another_process(args, folder):
    return ended(start(*args, folder=folder))


@pytest.mark.parametrize(
    ("call", "change", "args", "message"),
    [*((in_another_process, *case) for case in REFUSED), *((in_this_process, *case) for case in REFUSED_TOO)],
)
def test_refusals(folder, trained, call, change, args, message):
    shutil.copytree(trained, "runs/a")
    change(folder / "runs" / "a")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    code, out, err = call(args, folder)
    assert (code, out) == (2, "")
    assert err.startswith(f"mccfr: error: {message}")
    assert err.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A finished run."""
    return mccfr.train(tmp_path_factory.mktemp("trained") / "a", "kuhn", "external", iterations=500).folder


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_refused(folder):
    Path("runs").mkdir(mode=0o555)
    code, _, err = ended(start(*TRAIN, folder=folder))
    assert code == 2
    assert re.fullmatch(r"mccfr: error: cannot make the run folder runs/a: Permission denied\n", err)
