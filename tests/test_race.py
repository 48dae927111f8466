"""`mccfr race`: who takes part, that each has the same time, and that a plainly better method comes first."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import scipy.stats
from click.testing import CliRunner

import mccfr
from mccfr.cli import race as race_command
from mccfr.cli.main import cli
from mccfr.experiments.groups import Curve
from mccfr.experiments.racing import FIELD, default_folder, race_jobs, ranking, split_methods

HOME = Path(mccfr.__file__).parent.parent
SCHEMA = json.loads((HOME / "docs" / "json-schema.json").read_text())


def race(*args):
    return CliRunner().invoke(cli, ["race", *map(str, args)])


@pytest.mark.parametrize(
    ("text", "methods"),
    [
        ("cfr,external", ["cfr", "external"]),
        ("dcfr(1.5, 0, 2), cfr ,outcome(0.6)+rm_plus", ["dcfr(1.5, 0, 2)", "cfr", "outcome(0.6)+rm_plus"]),
        ("a([1, 2], b=(3, 4)),c", ["a([1, 2], b=(3, 4))", "c"]),
        ("", []),
        ("cfr,,", ["cfr"]),
    ],
)
def test_methods_are_separated_by_outer_commas(text, methods):
    assert split_methods(text) == methods


def test_the_default_field_is_what_the_help_says():
    assert [str(mccfr.Method.parse(method)) for method in FIELD]
    assert ", ".join(FIELD) in " ".join(race_command.command.help.split())


def test_a_method_without_chance_runs_once():
    jobs = race_jobs("kuhn", ["cfr", "external"], 2.0, 3, Path("out"))
    assert [(job.method, job.seed, job.seconds) for job in jobs] == [
        ("cfr", 1, 2.0), ("external", 1, 2.0), ("external", 2, 2.0), ("external", 3, 2.0),
    ]  # fmt: skip
    assert default_folder("goofspiel(n=5)", 60.0) == Path("races/goofspiel-n=5-60s")


def ended(method, last):
    """Runs that came to these exploitabilities."""
    ones = np.ones(1)
    columns = [{"iterations": ones, "touched": ones, "exploitability": np.array([value])} for value in last]
    return [Curve(Path(), "kuhn", method, seed, column) for seed, column in enumerate(columns)]


def test_the_ranking_and_its_tests():
    dice = np.random.default_rng(5)
    levels = {"outcome": -1.0, "external": -1.05, "chance": -4.0}
    logs = {method: dice.normal(level, 0.3, 6) for method, level in levels.items()}
    found = ranking({**{m: ended(m, np.exp(x)) for m, x in logs.items()}, "cfr": ended("cfr", [1e-4])})
    assert [entry.method for entry in found] == [
        "cfr",
        "chance",
        *sorted(["external", "outcome"], key=lambda m: logs[m].mean()),
    ]
    assert [entry.random for entry in found] == [False, True, True, True]
    assert [entry.beats_next for entry in found] == [True, True, False, None]
    assert found[0].exploitability == pytest.approx((1e-4, 1e-4, 1e-4))
    third, fourth = (logs[entry.method] for entry in found[2:])
    assert found[2].p == pytest.approx(scipy.stats.ttest_ind(third, fourth, equal_var=False).pvalue)  # Holm: times 1


def test_methods_without_chance_need_no_test():
    found = ranking({"lp": ended("lp", [0.0]), "cfr": ended("cfr", [1e-17]), "dcfr": ended("dcfr", [0.1])})
    assert [entry.beats_next for entry in found] == [False, True, None]
    alone = ranking({"external": ended("external", [0.1]), "outcome": ended("outcome", [0.2])})
    assert [entry.beats_next for entry in alone] == [None, None]  # one seed each


@pytest.mark.slow
def test_a_better_method_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args = ("kuhn", "--methods", "outcome,cfr_plus", "-m", "external", "--seconds", 0.3, "--seeds", 3)
    result = race(*args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["ranking"][0]["method"] == "cfr_plus"
    assert document["ranking"][0]["beats_next"]
    assert [entry["runs"] for entry in document["ranking"]] == [1, 3, 3]
    runs = [mccfr.Run(path.parent) for path in tmp_path.rglob("run.json")]
    assert len(runs) == 7
    assert all(0.3 <= run.status.seconds < 2.0 for run in runs)
    assert (tmp_path / "races" / "kuhn-0.3s" / "race.png").read_bytes().startswith(b"\x89PNG")

    before = {run.folder: run.status.updated for run in runs}
    again = race(*args, "--plot", "again.svg")  # nothing is run again
    assert again.exit_code == 0
    assert {run.folder: run.status.updated for run in runs} == before
    lines = [line for line in again.stdout.splitlines() if line.startswith("│")]
    assert "cfr_plus" in lines[0]
    assert "yes: p = " in lines[0]
    assert "cfr_plus" in (tmp_path / "again.svg").read_text()


@pytest.mark.slow
def test_words_of_your_own_take_part(tmp_path):
    """In a process of its own, since words once added stay."""
    (tmp_path / "words.py").write_text(
        'import mccfr\n@mccfr.recipe()\ndef mine():\n    return mccfr.Method.parse("cfr_plus")\n'
    )
    options = ["--methods", "mine", "--seconds", "0.05", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "mccfr", "--use", "words.py", "race", "kuhn", *options],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(HOME)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["ranking"][0]["method"] == "mine"


ERRORS = {
    "unknown game": (["khun"], "unknown game 'khun'; did you mean kuhn?"),
    "unknown method": (["kuhn", "--methods", "cfr,extrenal"], "unknown method 'extrenal'; did you mean external?"),
    "twice": (["kuhn", "--methods", "dcfr,dcfr(1.5,0,2)"], "'dcfr(1.5,0,2)' is already in the race, as 'dcfr'"),
    "no time": (["kuhn", "--seconds", "0"], "0 s is too short: give more than 0 s"),
    "no picture": (["kuhn", "--plot", "race.gif"], "cannot draw race.gif: a picture ends in .png, .svg, .pdf"),
    "no folder": (["kuhn", "--out", "/dev/null/race"], "cannot make the folder /dev/null/race: Not a directory"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_come_before_the_work(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args, expected = ERRORS[name]
    result = race(*args)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert expected in result.stderr
    assert list(tmp_path.iterdir()) == []
