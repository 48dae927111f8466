"""Killed at any moment, a run goes on to the very same end. `python tests/torture.py --kills 500` does it at large."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.slow_cases("two workers", "one worker")
@pytest.mark.skipif(os.name != "posix", reason="forks and kills")
@pytest.mark.parametrize(("seed", "rounds"), [(1, [0, 1]), (2, [3, 6])], ids=["one worker", "two workers"])
def test_kills_change_nothing(seed, rounds):
    done = subprocess.run(
        [sys.executable, str(HERE / "torture.py"), "--kills", "5", "--seed", str(seed), "--rounds", *map(str, rounds)],
        capture_output=True, text=True, check=False, timeout=120, env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["done"]
    assert found["kills"] >= 5
    assert found["checkpoints_to_go_on_from"] >= 1
