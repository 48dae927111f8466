"""What finished flops gave, in a file: the same command continues from there.

The file belongs to one strategy, one choice of flops and one precision; another one's is refused. It is written anew
every few seconds and when work stops for whatever reason, so what is lost is at most what was being computed.
"""

import hashlib
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import FileError
from mccfr.files import container
from mccfr.strategy.strategy import Strategy

FORMAT = "mccfr-flops-1"
EVERY = 10.0  # seconds between two writings

Floats = npt.NDArray[np.float64]


def fingerprint(strategy: Strategy, kinds: list[int], precision: str) -> str:
    """A hash of everything that what is kept depends on."""
    content = hashlib.sha256(f"{strategy.tree.fingerprint} {precision} ".encode())
    content.update(np.asarray(kinds, np.int64).tobytes())
    content.update(np.ascontiguousarray(strategy.probabilities).tobytes())
    return content.hexdigest()


class KeptFlops:
    """Which flops are done, and their values: added up, or each by itself. path: None if nothing is kept."""

    def __init__(
        self, path: str | os.PathLike[str] | None, mark: str, kinds: list[int], shape: tuple[int, ...], each: bool
    ) -> None:
        self.path, self.mark, self.kinds, self.each = None if path is None else Path(path), mark, kinds, each
        self.done = np.zeros(len(kinds), np.uint8)
        self.values = np.zeros((len(kinds) if each else 1, *shape))
        self._place = {kind: place for place, kind in enumerate(kinds)}
        self._saved, self._new = time.monotonic(), False
        if self.path is not None and self.path.exists():
            self._read(self.path)

    @property
    def left(self) -> list[int]:
        """The kinds that are still to be done."""
        return [kind for kind, done in zip(self.kinds, self.done.tolist()) if not done]

    def add(self, kinds: list[int], values: Floats) -> None:
        """These flops are done."""
        for kind, value in zip(kinds, values):
            place = self._place[kind]
            self.values[place if self.each else 0] += value
            self.done[place] = 1
        self._new = True
        if time.monotonic() - self._saved > EVERY:
            self.save()

    def save(self) -> None:
        """Write the file, if there is anything new to write."""
        if self.path is not None and self._new:
            container.save(self.path, FORMAT, self._header, {"done": self.done, "values": self.values})
            self._saved, self._new = time.monotonic(), False

    @property
    def _header(self) -> dict[str, Any]:
        return {"fingerprint": self.mark, "flops": len(self.kinds)}

    def _read(self, path: Path) -> None:
        """What an earlier run kept."""
        with container.opened(path, FORMAT, "what an evaluation kept of its flops") as file:
            if file.header.get("fingerprint") != self.mark:
                problem = "was kept for another strategy, other flops or another device"
                raise FileError(f"{path} {problem}: take another file, or remove it")
            done = file.array("done", (np.uint8,), self.done.shape)
            values = file.array("values", (np.float64,), self.values.shape)
            if done.max(initial=0) > 1 or not np.isfinite(values).all():
                raise ValueError("done must be 0 or 1, and values finite")
            self.done, self.values = done, values
