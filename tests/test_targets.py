"""A target that is not reached is told: a warning and an attribute in Python, exit code 1 on the command line."""

import json
import warnings

import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.experiments.training_jobs import TrainingJob


def run(*args):
    return CliRunner().invoke(cli, [str(a) for a in args])


def test_a_solver_warns_whoever_called_it():
    with pytest.warns(mccfr.TargetNotReached, match="^kuhn by cfr_plus: target 1e-09 not reached, ") as told:
        solver = mccfr.solve("kuhn", "cfr_plus", target=1e-9, iterations=10)
    assert solver.reached is False
    assert told[0].filename == __file__
    with pytest.warns(mccfr.TargetNotReached) as told:
        solver.run(10, target=1e-9)
    assert told[0].filename == __file__


def test_a_target_that_is_reached_or_not_given():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solver = mccfr.solve("kuhn", "cfr_plus", target=0.01, iterations=1000)
        assert solver.reached is True
        assert solver.run(10).reached is None
        assert mccfr.solve("kuhn", "lp", target=0).reached is True  # but for rounding
        assert mccfr.solve("kuhn", "cfr_plus", target=0.01, iterations=0).reached is None


def test_runs_warn_too(tmp_path):
    with pytest.warns(mccfr.TargetNotReached, match="target 1e-09 not reached") as told:
        found = mccfr.train(tmp_path / "a", "kuhn", "cfr_plus", target=1e-9, iterations=10)
    assert found.reached is False
    assert told[0].filename == __file__
    with pytest.warns(mccfr.TargetNotReached):
        found.train(iterations=20, target=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found.train(target=0.01).reached is True
        assert mccfr.train(tmp_path / "b", "kuhn", "cfr_plus", iterations=10).reached is None


def test_a_job_of_many_does_not_warn_and_leaves_the_filters_alone(tmp_path):
    job = TrainingJob(str(tmp_path / "a"), "kuhn", "cfr_plus", 1, iterations=10, target=1e-9)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        job.do()
        assert told == []
        mccfr.solve("kuhn", "cfr_plus", iterations=10, target=1e-9)
        assert [warning.category for warning in told] == [mccfr.TargetNotReached]


def test_exit_codes(tmp_path):
    limits = ("-m", "cfr_plus", "-n", "10", "-t", "1e-9")
    said = run("solve", "kuhn", *limits)
    assert said.exit_code == 1
    assert "target          1e-09 not reached: allow more --iterations or --seconds" in said.stdout
    assert said.stderr == ""
    quiet = run("solve", "kuhn", *limits, "--quiet")
    assert (quiet.exit_code, quiet.stdout) == (1, "")
    assert quiet.stderr == "mccfr: target 1e-09 not reached: exploitability is 0.0326871\n"
    found = run("solve", "kuhn", *limits, "--out", tmp_path / "a", "--json")
    assert (found.exit_code, json.loads(found.stdout)["target_reached"]) == (1, False)
    assert run("resume", tmp_path / "a", "-n", "20", "-t", "1e-9").exit_code == 1
    assert run("resume", tmp_path / "a", "-n", "30").exit_code == 0
    assert run("solve", "kuhn", "-m", "cfr_plus", "-t", "0.01").exit_code == 0
