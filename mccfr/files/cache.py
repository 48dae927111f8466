"""Where things are kept that took long to make and can be made again."""

import contextlib
import os
from pathlib import Path
from typing import NamedTuple


def cache_folder() -> Path | None:
    """MCCFR_CACHE ("off" for nowhere), else a folder in the user's cache folder."""
    given = os.environ.get("MCCFR_CACHE")
    if given is not None and given.lower() in ("off", "0", ""):
        return None
    if given:
        return Path(given)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mccfr"
    except RuntimeError:  # nobody has a home here
        return None


class Kept(NamedTuple):
    """A file in the cache folder: when it was last used, its bytes, its place."""

    used: float
    size: int
    path: Path


def kept_files(folder: Path | None, pattern: str) -> list[Kept]:
    """The files of a folder whose names are of this pattern, longest unused first; other processes may remove some."""
    found = []
    for path in folder.glob(pattern) if folder is not None else ():
        with contextlib.suppress(OSError):
            about = path.stat()
            found.append(Kept(about.st_mtime, about.st_size, path))
    return sorted(found)


def make_room(folder: Path, pattern: str, most: int) -> None:
    """Remove what was not used for longest until the files of this pattern have at most so many bytes."""
    there = kept_files(folder, pattern)
    beyond = sum(each.size for each in there) - most
    for each in there[:-1]:
        if beyond <= 0:
            return
        beyond -= each.size
        with contextlib.suppress(OSError):
            each.path.unlink()
