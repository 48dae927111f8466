"""Machine code on disk that processes share while they are compiling it.

Numba's cache knows nothing of other processes. Two that need the same kernel both compile it; and since all
specialisations of a function share an index file, which is read, changed and written again, two that finish at the same
time lose one entry, so the next process compiles that kernel once more. Here whoever comes second waits for the first,
and indices are changed by one process at a time.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from numba.core.caching import FunctionCache

try:
    import fcntl
except ImportError:  # not a POSIX system: everybody for themselves, as without us
    fcntl = None  # type: ignore[assignment]

PATIENCE = 120.0  # seconds; then compile it anyway
MOMENT = 0.02


class SharedCache(FunctionCache):
    """A function's machine code on disk, compiled by one process at a time."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._locks: dict[str, IO[bytes]] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is on disk for this signature; if nothing is, wait for whoever is compiling it."""
        found = super().load_overload(sig, target_context)
        name = _short(sig)
        if found is not None or name in self._locks or not self._lock(name):
            return found
        found = super().load_overload(sig, target_context)
        if found is not None:
            self._unlock(name)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Put it on disk, and let the others read it."""
        with self._index():
            super().save_overload(sig, data)
        self._unlock(_short(sig))

    def give_up(self) -> None:
        """Compiling has failed: nobody need wait for it."""
        for name in list(self._locks):
            self._unlock(name)

    @contextlib.contextmanager
    def _index(self) -> Iterator[None]:
        self._lock("index")
        try:
            yield
        finally:
            self._unlock("index")

    def _lock(self, name: str) -> bool:
        """Whether the lock is ours now; without one, work goes on as if there were no others."""
        if fcntl is None:
            return False
        path = Path(self.cache_path) / f"{self._impl.filename_base}-{name}.lock"
        until = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            file = path.open("wb")
            while time.monotonic() < until:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    self._locks[name] = file
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


def _short(sig: Any) -> str:
    """A signature as part of a file's name."""
    return hashlib.sha256(str(sig).encode()).hexdigest()[:16]
