"""Machine code on disk: one folder for all processes, clones and installations, one file for each key.

Numba's cache keeps code beside the source and asks whether the file has changed. Here the name of a file says all that
the code depends on (`mccfr/kernel/code_key.py`), so it is found again from anywhere, and what has changed has another
name. A file holds a checksum of its content: one that is damaged is removed, and its function compiled again. Whoever
wants a function that another process is compiling waits for it. Where nothing can be written, nothing is kept.
"""

import contextlib
import gc
import hashlib
import os
import pickle
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from numba.core import compiler
from numba.core.caching import _Cache
from numba.core.serialize import dumps

from mccfr.files.cache import cache_folder, kept_files, make_room
from mccfr.kernel.code_key import code_key

try:
    import fcntl
except ImportError:  # not a POSIX system: everybody for themselves
    fcntl = None  # type: ignore[assignment]

PATIENCE = 120.0  # seconds; then compile it anyway
MOMENT = 0.02
HOUR = 3600.0
MOST = 1 << 30  # bytes in all; beyond that, what was not used for longest goes
MAGIC = b"mccfr machine code 1\n"
SUFFIX, LOCKED, PART = ".code", ".lock", ".part"
USER = os.getuid() if hasattr(os, "getuid") else 0  # where there are no users, all files are those of number 0
_ROOT = cache_folder()  # asked once: a process keeps all its code in one place


def kernel_folder() -> Path | None:
    """Where this process finds and keeps machine code, if anywhere."""
    return None if _ROOT is None else _ROOT / "kernels"


class KeptCode(_Cache):
    """A function's machine code on disk, compiled by one process at a time."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self._function, self._options = function, options
        self._locks: dict[str, IO[bytes]] = {}

    @property
    def cache_path(self) -> str:
        """The folder, as Numba's statistics show it."""
        return str(kernel_folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is on disk for this signature; if nothing is, wait for whoever is compiling it."""
        target_context.refresh()
        path = self._path(sig, target_context)
        if path is None:
            return None
        found = _read(path, target_context)
        if found is not None or path.name in self._locks or not self._lock(path):
            return found
        found = _read(path, target_context)
        if found is not None:
            self._unlock(path.name)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Put it on disk, and let the others read it."""
        path = self._path(sig, data.target_context)
        if path is None:
            return
        if not data.library.has_dynamic_globals and not data.lifted:
            _write(path, data._reduce())
        self._unlock(path.name)

    def compile_with(self, compiler: Callable[[Any], Any], sig: Any) -> Any:
        """Find or compile the function for a signature; looking for garbage meanwhile took a seventh of the time."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            return compiler(sig)
        finally:
            if collecting:
                gc.enable()
            for name in list(self._locks):  # compiling has failed: nobody need wait for it
                self._unlock(name)

    def enable(self) -> None:
        """Nothing to do: it is never switched off."""

    def disable(self) -> None:
        """Nothing to do: it is never switched off."""

    def flush(self) -> None:
        """Nothing to do: other processes may need it."""

    def _path(self, sig: Any, target_context: Any) -> Path | None:
        folder = kernel_folder()
        if folder is None:
            return None
        key = code_key(self._function, sig, self._options, target_context.codegen().magic_tuple())
        return None if key is None else folder / f"{self._function.__name__}-{key}{SUFFIX}"

    def _lock(self, path: Path) -> bool:
        """Whether the lock is ours now; without one, work goes on as if there were no others."""
        if fcntl is None:
            return False
        until = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            file = path.with_suffix(LOCKED).open("wb")
            while time.monotonic() < until:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    self._locks[path.name] = file
                    return True
                time.sleep(MOMENT)
            file.close()
        return False

    def _unlock(self, name: str) -> None:
        file = self._locks.pop(name, None)
        if file is not None:
            with contextlib.suppress(OSError):
                os.unlink(file.name)  # noqa: PTH108  whoever waits for it wakes up when it is closed
            file.close()


def _read(path: Path, target_context: Any) -> Any:
    """What a file holds, ready to run; a damaged one is removed, and what another user has put there is not touched."""
    try:
        if path.stat().st_uid != USER:
            return None
        content = path.read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + hashlib.sha256().digest_size
    with contextlib.suppress(Exception):  # whatever is wrong with it, it can be compiled again
        if content[:head] == _head(content[head:]):
            found = compiler.CompileResult._rebuild(target_context, *pickle.loads(content[head:]))
            with contextlib.suppress(OSError):
                os.utime(path)  # it was used
            return found
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def _write(path: Path, reduced: Any) -> None:
    """Write a file as a whole or not at all: the disk may be full, or the folder somebody else's."""
    try:
        content = dumps(reduced)
    except (pickle.PicklingError, TypeError, AttributeError):  # of a class that no other process could find
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(PART, dir=path.parent)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(_head(content))
                file.write(content)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink()
            raise
        make_room(path.parent, f"*{SUFFIX}", MOST)
        for part in kept_files(path.parent, f"*{PART}"):
            if part.used < time.time() - HOUR:  # of a process that was killed
                part.path.unlink()


def _head(content: bytes) -> bytes:
    return MAGIC + hashlib.sha256(content).digest()
