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


SPOT = "spot(board='Qs Jh 2h 8c 3d', pot=100, stack=200, oop='QQ,AhKh', ip='JJ,KQs', bet='50%,a', raise_=a)"


def test_a_target_may_be_a_percentage_of_the_pot(tmp_path):
    solver = mccfr.solve(SPOT, "dcfr", target="0.5%", iterations=10_000)
    assert solver.reached is True
    assert solver.history[-1].exploitability <= 0.5 < solver.history[-2].exploitability
    assert solver.iterations == mccfr.solve(SPOT, "dcfr", target=0.5, iterations=10_000).iterations
    assert mccfr.Solver(SPOT, "external").goal(" .50 % ") == 0.5  # the dealt form has the pot too
    assert mccfr.Solver("nlph", "cfr_plus").goal(0.25) == 0.25
    found = mccfr.train(tmp_path / "a", SPOT, "dcfr", target="2.50%")
    assert (found.config.target, found.record.pot, found.reached) == ("2.5%", 100, True)
    assert found.status.exploitability <= 2.5
    again = mccfr.Run(tmp_path / "a").train(target="0.5%")
    assert again.reached is True
    assert again.status.iterations == solver.iterations
    before = again.status.updated
    assert mccfr.train(tmp_path / "a", SPOT, "dcfr", target="0.5%").status.updated == before  # there is nothing to do
    with pytest.warns(mccfr.TargetNotReached, match="target 0.001% not reached, exploitability is"):
        mccfr.solve(SPOT, "dcfr", target="0.001%", iterations=3)


@pytest.mark.parametrize("target", ["low", "0.5", "-1%", "%", "1%%", True, float("nan"), -0.1, [1]])
def test_what_is_no_target(target, tmp_path):
    for call in (
        lambda: mccfr.solve("kuhn", target=target),
        lambda: mccfr.train(tmp_path / "a", "kuhn", target=target),
    ):
        with pytest.raises(mccfr.MccfrError, match=r"^target must be an exploitability from 0, got .*, as in 0.5%$"):
            call()


def test_a_percentage_needs_a_pot(tmp_path):
    told = "target 0.5% is a percentage of the pot, and leduc has none: give it in payoffs"
    with pytest.raises(mccfr.MccfrError, match=f"^{told}$"):
        mccfr.solve("leduc", target="0.5%")
    with pytest.raises(mccfr.MccfrError, match=f"^{told}$"):
        mccfr.train(tmp_path / "a", "leduc", target="0.5%")
    assert not (tmp_path / "a" / "run.json").exists()
    said = run("solve", "leduc", "--target", "0.5%")
    assert (said.exit_code, said.stderr) == (2, f"mccfr: error: {told}\n")
    said = run("solve", "leduc", "--target", "low")
    assert said.exit_code == 2
    assert "'low' is neither a number, as 0.01, nor a percentage of the pot, as 0.5%." in said.stderr


def test_what_the_command_line_says_of_a_percentage(tmp_path):
    said = run("solve", SPOT, "-m", "dcfr", "--target", "0.5%")
    assert said.exit_code == 0
    assert "exploitability  0.4" in said.stdout
    assert "chips, 0.4" in said.stdout
    assert "% of the pot (NashConv / 2)" in said.stdout
    found = json.loads(run("solve", SPOT, "-m", "dcfr", "-t", "0.5%", "--out", tmp_path / "a", "--json").stdout)
    assert (found["pot"], found["limits"]["target"], found["target_reached"]) == (100, 0.5, True)
    said = run("resume", tmp_path / "a", "-t", "0.1%")
    assert said.exit_code == 0
    assert "% of the pot (NashConv / 2)" in said.stdout
    quiet = run("solve", SPOT, "-m", "dcfr", "-t", "0.001%", "-n", "3", "--quiet")
    assert quiet.exit_code == 1
    assert quiet.stderr.startswith("mccfr: target 0.001 not reached: exploitability is ")


@pytest.mark.slow
def test_a_sweep_takes_percentages(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text(f'games = ["{SPOT}"]\nmethods = ["dcfr"]\nseeds = [1]\ntarget = "1.0 %"\n')
    assert run("sweep", file).exit_code == 0
    again = run("sweep", file, "--json")
    assert again.exit_code == 0
    found = [mccfr.Run(path.parent) for path in tmp_path.rglob("run.json")]
    assert [(one.config.target, one.reached) for one in found] == [("1%", True)]


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
