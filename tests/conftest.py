"""What all tests share: a cache folder of their own, and the way between the package's arrays and the naive tables."""

import fnmatch
import gc
import importlib
import os
import signal
import tempfile
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import settings

from mccfr.files.cache import cache_folder

CACHE = tempfile.TemporaryDirectory(prefix="mccfr-tests-")
KERNELS = (cache_folder() or Path(CACHE.name)) / "kernels"  # machine code is shared with everybody, nothing else is


def own_cache(folder):
    """A cache folder for one test, with the machine code that all share."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "kernels").exists():
        (folder / "kernels").symlink_to(KERNELS, target_is_directory=True)
    return str(folder)


KERNELS.mkdir(parents=True, exist_ok=True)
os.environ["MCCFR_CACHE"] = own_cache(Path(CACHE.name))
importlib.import_module("mccfr.kernel.compile_once")  # which asks once, so before any test names another folder

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script: children would be deaf too
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(config, items):
    """`@pytest.mark.slow_cases("goofspiel*", ...)` marks those cases of a test as slow whose names match a pattern."""
    seen = {}
    for item in items:
        case = item.name.partition("[")[2].removesuffix("]")
        for mark in item.iter_markers("slow_cases"):
            hits = {pattern for pattern in mark.args if fnmatch.fnmatchcase(case, pattern)}
            seen.setdefault((item.parent.nodeid, item.originalname), (set(mark.args), set()))[1].update(hits)
            if hits:
                item.add_marker(pytest.mark.slow)
    if not any("::" in asked for asked in config.args):
        idle = {name: patterns - hits for name, (patterns, hits) in seen.items() if patterns != hits}
        if idle:
            raise pytest.UsageError(f"slow_cases without any case: {idle}")


def pytest_collection_finish():
    """Leave what stays to the end out of every search for garbage."""
    gc.collect()
    gc.freeze()


settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


@pytest.fixture
def uncompiled(monkeypatch):
    """Walks run interpreted: the same numbers, and nothing to compile."""
    from mccfr.solvers import engines

    plain = engines.run_walks.interpreted

    def run(*arguments):
        with np.errstate(over="ignore"):
            plain(*arguments)

    run.interpreted = plain
    monkeypatch.setattr(engines, "run_walks", run)


def keys(infosets):
    """(player, label) of every infoset, in the order of the tables."""
    return [(infosets.owner(j), label) for j, label in enumerate(infosets.labels)]


def flat(infosets, table: naive.Table):
    """A naive table as one array, in the order of the package's tables."""
    named = {(player, str(infoset)): row for (player, infoset), row in table.items()}
    assert named.keys() == set(keys(infosets))
    return np.array([float(x) for key in keys(infosets) for x in named[key]])


def unflat(infosets, values) -> naive.Table:
    """An array of the package as a naive table; the game's infosets must be strings."""
    rows = np.split(np.asarray(values), infosets.row[1:-1])
    return {key: row.tolist() for key, row in zip(keys(infosets), rows)}
