"""What all tests share: a cache folder of their own, and the way between the package's arrays and the naive tables."""

import os
import signal
import tempfile

import naive
import numpy as np
from hypothesis import settings

CACHE = tempfile.TemporaryDirectory(prefix="mccfr-tests-")
os.environ["MCCFR_CACHE"] = CACHE.name

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script: children would be deaf too
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


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
