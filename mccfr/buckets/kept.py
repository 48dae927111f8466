"""Large arrays that take long to make: kept in the cache folder, checked when they are read, made again if damaged."""

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mccfr.buckets.bucketing import Arrays
from mccfr.errors import FileError
from mccfr.files.cache import cache_folder
from mccfr.files.container import opened, save

Kinds = Mapping[str, tuple[Any, tuple[int, ...]]]  # type and shape of each array
TABLES = "mccfr-bucket-tables"


def kept_file(name: str) -> Path | None:
    """Where something of this name is kept; None if nothing is kept."""
    folder = cache_folder()
    return None if folder is None else folder / "buckets" / name


def kept_arrays(
    path: Path | None, key: str, kinds: Kinds, make: Callable[[], Arrays], wrong: Callable[[Arrays], str]
) -> Arrays:
    """Arrays of these types and shapes: read if a sound file with this key is kept, else made and kept.

    wrong: says what is wrong with arrays of the right types and shapes, or nothing. Kernels trust what passes.
    """
    if path is None:
        return make()
    with contextlib.suppress(FileError):
        return read_arrays(path, key, kinds, wrong)
    made = make()
    with contextlib.suppress(FileError, OSError):  # a full disk, or a folder that may not be written: made again
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, TABLES, {"key": key}, made)
    return made


def read_arrays(path: Path, key: str, kinds: Kinds, wrong: Callable[[Arrays], str]) -> Arrays:
    """Arrays of a file, whose sizes and checksums are compared; FileError if anything is not as it should be."""
    with opened(path, TABLES, "a file of tables of buckets") as found:
        if found.header.get("key") != key:
            raise FileError(f"{path} is of another bucketing or deck")
        arrays = found.arrays({each: ((np.dtype(kind),), shape) for each, (kind, shape) in kinds.items()}, {})
        if problem := wrong(arrays):
            raise FileError(f"{path}: {problem}")
        return arrays
