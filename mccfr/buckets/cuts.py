"""Where values are cut into buckets of equal probability, and which bucket a value is in."""

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import Arrays, Rows
from mccfr.errors import quoted

Cuts = npt.NDArray[np.uint64]
NEVER = np.uint64(2**64 - 1)  # a cut that no value reaches: the bucket above it is empty


def cut_points(counts: npt.NDArray[np.int64], values: npt.NDArray[np.unsignedinteger], buckets: int) -> Cuts:
    """[rows, buckets - 1] cuts of every row: a value is in as many buckets' upper part as it has cuts at or below it.

    counts: [rows, values] how often each value is met; values rise.
    """
    cuts = np.full((len(counts), buckets - 1), NEVER, np.uint64)
    for row, found in enumerate(counts):
        there = np.flatnonzero(found)
        ends = boundaries(np.cumsum(found[there]), buckets)
        cuts[row, : len(ends)] = values[there[ends]]
    return cuts


def boundaries(below: npt.NDArray[np.int64], buckets: int) -> list[int]:
    """With which values new buckets begin. below[v]: how much there is up to value v, included.

    Each bucket takes its part of what is left, to the nearest boundary between two values, but at least one value, and
    leaves one for every later bucket if there are so many. With fewer values than buckets each value has its own.
    """
    ends: list[int] = []
    begin, values = 0, len(below)
    for later in range(buckets - 1, 0, -1):
        last = values - later if values - begin > later else begin + 1
        if begin + 1 >= values:
            break
        taken = int(below[begin - 1]) if begin else 0
        begin = nearest_boundary(below, taken, int(below[-1]) - taken, later + 1, begin + 1, last)
        ends.append(begin)
    return ends


def nearest_boundary(below: npt.NDArray[np.int64], taken: int, left: int, buckets: int, first: int, last: int) -> int:
    """After which value a bucket has nearest to left / buckets, from first to last; the lower one if two are."""
    wanted = buckets * taken + left  # all times the number of buckets, so that nothing is rounded
    at = min(max(int(np.searchsorted(below, -(-wanted // buckets))) + 1, first), last)
    if at > first and abs(buckets * int(below[at - 2]) - wanted) <= abs(buckets * int(below[at - 1]) - wanted):
        return at - 1
    return at


def digits_of(cuts: Cuts, row: Rows, values: npt.NDArray[np.unsignedinteger]) -> Rows:
    """[n] rows of a street, from the rows of the street before and the values."""
    above = (cuts[row] <= values.astype(np.uint64)[:, None]).sum(axis=1)
    return row * (cuts.shape[1] + 1) + above


def wrong_shapes(arrays: Arrays, shapes: dict[str, tuple[int, ...]], kind: npt.DTypeLike) -> str:
    """What is wrong with the names, types or shapes of arrays, if anything."""
    if missing := sorted(set(shapes) ^ set(arrays)):
        return f"the arrays are {quoted(sorted(arrays))}, expected {', '.join(sorted(shapes))} ({missing[0]} differs)"
    for name, shape in shapes.items():
        if arrays[name].shape != shape or arrays[name].dtype != kind:
            found = f"{arrays[name].dtype}{list(arrays[name].shape)}"
            return f"{name} is {found}, expected {np.dtype(kind)}{list(shape)}"
    return ""
