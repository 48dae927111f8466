"""Files that somebody else may have written: read up to a bound, and only if they are plain files."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import IO, Any

from mccfr.errors import FileError

MOST = 2**22  # bytes of a small file: a configuration, a status, a header


def open_plain(path: str | os.PathLike[str]) -> IO[bytes]:
    """A file opened for reading. A pipe or a device, which may never end or never begin, is refused."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise FileError(f"cannot read {path}: it is a pipe or a device, not a file")
        return open(path, "rb", opener=lambda *_: handle)
    except BaseException:
        os.close(handle)
        raise


def read_plain(path: str | os.PathLike[str], most: int = MOST) -> bytes:
    """The content of a file of at most so many bytes. OSError as usual, FileError if it is longer or no plain file."""
    with open_plain(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise FileError(f"cannot read {path}: it is longer than the {most:,} bytes that such a file may have")
    return content


def open_beside(path: Path, mode: str) -> IO[Any]:
    """A file to be added to or changed where it is. A link, which may lead to a file of somebody else's, is refused."""

    def follow_nothing(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)

    return open(path, mode, opener=follow_nothing)


def parse_json(content: bytes | str) -> Any:
    """JSON as the standard has it, without NaN and Infinity; whatever is wrong with it is a ValueError."""
    try:
        return json.loads(content, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not a number in JSON")


def is_count(value: Any, least: int = 0, most: int = 2**63 - 1) -> bool:
    """Whether a value read from a file is a whole number in these bounds; True is not."""
    return type(value) is int and least <= value <= most


def is_finite(value: Any) -> bool:
    """Whether a value read from a file is a number that is neither infinite nor too large for a float."""
    return type(value) in (int, float) and abs(value) < 1e300
