"""Whether the state of a solver is one that a solver can be in: looked at before kernels go on with it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mccfr.errors import MethodError, quoted
from mccfr.tree.infosets import Infosets

MOST_ITERATIONS = 2**53  # up to which a float counts them
MOST_TOUCHED = 2**62  # nodes: so many may follow before the count is full
MOST_LOOKED_UP = 2**31  # iterations for which a table of factors can be kept
NEVER_NEGATIVE = ("average", "current", "solution", "clock", "visits", "last")


def require_sound(state: Mapping[str, Any], infosets: Infosets) -> None:
    """Refuse counters, tables and lists of rows that no run of these infosets can have come to."""
    iterations, seconds = state["iterations"], state["seconds"]
    if type(iterations) is not int or not 0 <= iterations <= MOST_ITERATIONS:
        raise MethodError(f"this state has {quoted(iterations)} iterations, expected a whole number from 0")
    if type(seconds) not in (int, float) or not 0 <= seconds < 1e300:
        raise MethodError(f"this state has taken {quoted(seconds)} seconds, expected a number from 0")
    arrays = {name: array for name, array in state.items() if isinstance(array, np.ndarray)}
    for name, array in arrays.items():
        _require_numbers(name, array)
    if arrays["clock"][0] != iterations:
        raise MethodError(f"this state has {iterations:,} iterations, and its clock says {arrays['clock'][0]:g}")
    for name in arrays:
        if name.endswith("waiting"):
            _require_rows(arrays, name.removesuffix("waiting"), infosets)
        if name.endswith(".last") and (iterations > MOST_LOOKED_UP or (arrays[name] > iterations).any()):
            raise MethodError(f"this state has rows in {name} that were visited after iteration {iterations:,}")


def _require_numbers(name: str, array: np.ndarray) -> None:
    what = name.rpartition(".")[2]
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise MethodError(f"this state has numbers in {name} that are not finite")
        if what in NEVER_NEGATIVE and (array[:1] if what == "clock" else array).min(initial=0) < 0:
            raise MethodError(f"this state has negative numbers in {name}")
    elif what.startswith("dice") and not array.any():
        raise MethodError(f"this state has {name} that never change")
    elif what.startswith("touched") and array.max(initial=0) > MOST_TOUCHED:
        raise MethodError(f"this state has touched {array.max():,} nodes, more than can be counted")


def _require_rows(arrays: Mapping[str, np.ndarray], role: str, infosets: Infosets) -> None:
    """Rows that wait for an update are rows, each of them once and marked."""
    waiting, marked, count = arrays[f"{role}waiting"], arrays[f"{role}marked"], int(arrays[f"{role}count"][0])
    begin, arity = waiting[: 2 * count : 2], waiting[1 : 2 * count : 2]
    sound = 2 * count <= len(waiting) and np.array_equal(np.sort(begin), np.flatnonzero(marked))
    if sound and count:
        place = np.minimum(np.searchsorted(infosets.row, begin), len(infosets) - 1)
        sound = np.array_equal(infosets.row[place], begin) and np.array_equal(np.diff(infosets.row)[place], arity)
    if not sound:
        raise MethodError(f"this state has rows in {role}waiting that do not exist")
