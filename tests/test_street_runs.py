"""Spots solved in run folders: a killed process goes on where it was, to the same bits."""

import numpy as np
import pytest
from street_trees import street_game
from test_cli import document
from test_cli_process import start
from test_cli_runs import checkpointed, ended, until

import mccfr

GAME = str(street_game("turn of one suit"))


@pytest.mark.slow_cases("dcfr-2")
@pytest.mark.parametrize(
    ("method", "workers"), [("dcfr", "2"), pytest.param("dcfr_restarts", "1", marks=pytest.mark.slow)]
)
def test_a_killed_solve_of_a_spot_goes_on_bit_for_bit(method, workers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    endless = ("-m", method, "-n", "1000000000", "--workers", workers, "--checkpoint-every", "0.2", "--out", "runs/a")
    process = start("solve", GAME, *endless, folder=tmp_path)
    until(lambda: checkpointed(tmp_path / "runs" / "a") > 100 or process.poll() is not None)
    process.kill()
    ended(process)
    kept = checkpointed(tmp_path / "runs" / "a")
    assert kept > 100
    found = document("trained", "resume", "runs/a", "-n", kept + 50)
    assert found["iterations"] == kept + 50
    twin = mccfr.solve(GAME, method, iterations=kept + 50)
    assert np.array_equal(mccfr.Run("runs/a").strategy().probabilities, twin.strategy().probabilities)
