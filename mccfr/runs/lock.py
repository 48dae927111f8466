"""One process at a time trains in a folder: a lock that the system takes back however the process ends."""

import json
import os
import socket
import time
from pathlib import Path
from typing import IO, Any

from mccfr.errors import FileError
from mccfr.files.bounded import is_count, open_beside, parse_json, read_plain

TRIES, BETWEEN = 5, 0.05  # somebody who only looks whether the lock is free holds it for a moment


class Lock:
    """Held from `take` to `release`, or until the process ends. The file says who holds it; it is never deleted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[str] | None = None

    def take(self) -> None:
        """Take the lock, or say who has it."""
        try:
            file = open_beside(self.path, "a+")
        except OSError as error:
            raise FileError(f"cannot write in {self.path.parent}: {error.strerror or error}") from None
        for _ in range(TRIES):
            if _try_lock(file):
                self._file = file
                _sign(file)
                return
            time.sleep(BETWEEN)
        file.close()
        raise FileError(
            f"{self.path.parent} is in use{holder(self.path)}: wait until it ends, or choose another folder"
        )

    def release(self) -> None:
        """Let others take it."""
        if self._file is not None:
            self._file.close()
            self._file = None


def is_locked(path: Path) -> bool:
    """Whether somebody holds this lock now."""
    try:
        with open_beside(path, "r+") as file:
            return not _try_lock(file)
    except OSError:  # no such file, or one that we could not lock ourselves: believe what it says of this machine
        return _alive(_signature(path))


def holder(path: Path) -> str:
    """Who wrote their name in the lock, as ' by process 12 on host', or nothing if it cannot be read."""
    found = _signature(path)
    return f" by process {found['pid']} on {found['host']}" if found else ""


def _signature(path: Path) -> dict[str, Any]:
    try:
        found = parse_json(read_plain(path))
        sound = is_count(found["pid"], 1, 2**31 - 1) and isinstance(found["host"], str)
        return {"pid": found["pid"], "host": found["host"][:100]} if sound else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _alive(signature: dict[str, Any]) -> bool:
    if not signature or signature["host"] != socket.gethostname() or os.name == "nt":
        return False
    try:
        os.kill(signature["pid"], 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _sign(file: IO[str]) -> None:
    """Best effort: a full disk must not stand in the way of a run that only wants to go on."""
    try:
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
        file.flush()
    except OSError:
        pass


if os.name == "nt":
    import msvcrt

    FAR = 2**30  # Windows forbids reading what is locked, and the name at the beginning must stay readable

    def _try_lock(file: IO[str]) -> bool:
        file.seek(FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
