"""The command as a process: what it imports, how it is interrupted, who reads it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mccfr

HOME = Path(mccfr.__file__).parent.parent
HEAVY = {"numpy", "numba", "scipy", "rich", "pandas", "pyspiel"}
ENDLESS = ("solve", "goofspiel(n=5)", "--method", "cfr_plus", "--iterations", "1000000000")


def environment():
    return {**os.environ, "PYTHONPATH": str(HOME)}


def start(*args, folder):
    return subprocess.Popen(
        [sys.executable, "-m", "mccfr", *args],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment(),
    )  # fmt: skip


def interrupted(folder, number, *args):
    """A solve that would never end and gets a signal a second after its first iteration: exit code, stdout, stderr."""
    code = f"""
import os, sys, threading
import mccfr
from mccfr.cli.main import run
run_solver = mccfr.Solver.advance
def with_alarm(solver, iterations, *rest):
    run_solver(solver, 1)
    threading.Timer(1.0, os.kill, (os.getpid(), {int(number)})).start()
    return run_solver(solver, iterations - 1, *rest)
mccfr.Solver.advance = with_alarm
sys.argv = ["mccfr", *{(*ENDLESS, *args)!r}]
run()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, cwd=folder, env=environment(), check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["--help"],
        ["--version"],
        *([name, "--help"] for name in ("demo", "games", "check", "solve", "resume", "runs", "watch-run", "export")),
    ],
)
def test_help_imports_nothing_heavy(args):
    code = (
        "import sys\n"
        "from mccfr.cli.main import cli\n"
        f"try:\n    cli.main({args!r})\n"
        "except SystemExit as end:\n    assert not end.code\n"
        "print('imported:', *sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    imported = set(done.stdout.rpartition("imported:")[2].split())
    assert "click" in imported
    assert not HEAVY & imported


@pytest.mark.slow_cases("15")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_solve_keeps_what_it_reached(tmp_path, number):
    code, out, err = interrupted(tmp_path, number, "--out", "goofspiel.mccfr")
    assert (code, err) == (130, "")
    strategy = mccfr.load(tmp_path / "goofspiel.mccfr")
    assert f"stopped at iteration {strategy.origin.iterations:,} in " in out
    assert mccfr.exploitability(strategy) < 0.01 < mccfr.exploitability(mccfr.uniform("goofspiel(n=5)")) / 10


@pytest.mark.slow
def test_an_interrupted_solve_in_json(tmp_path):
    code, out, _ = interrupted(tmp_path, signal.SIGINT, "--json")
    found = json.loads(out)
    assert code == 130
    assert found["stopped"]
    assert found["iterations"] > 0


def test_an_interrupted_solve_is_the_run_of_so_many_iterations(tmp_path):
    interrupted(tmp_path, signal.SIGINT, "--out", "goofspiel.mccfr")
    strategy = mccfr.load(tmp_path / "goofspiel.mccfr")
    twin = mccfr.solve("goofspiel(n=5)", "cfr_plus", iterations=strategy.origin.iterations).strategy()
    assert np.array_equal(strategy.probabilities, twin.probabilities)


def test_a_reader_who_leaves_is_no_error(tmp_path):
    process = start("show", "uniform:leduc", "--limit", "900", "--json", folder=tmp_path)
    assert process.stdout.readline() == "{\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() in (0, 1)


def test_a_bug_shows_its_traceback_and_exit_code_1(tmp_path):
    code = """
import sys
import mccfr
from mccfr.cli.main import run
mccfr.game = None
sys.argv = ["mccfr", "check", "kuhn"]
run()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_exit_codes(tmp_path):
    for args, expected in ((["games"], 0), (["games", "nothing"], 2), (["--nothing"], 2)):
        process = start(*args, folder=tmp_path)
        process.communicate()
        assert process.returncode == expected
