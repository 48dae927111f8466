"""Measurements for TensorBoard, an optional extra."""

from pathlib import Path
from typing import Any

from mccfr.errors import MissingExtra
from mccfr.solvers.solver import Progress


def require_tensorboard() -> Any:
    """The class that writes, if it is installed."""
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise MissingExtra("tensorboardX", "tensorboard", "writing for TensorBoard") from None
    return SummaryWriter


class Board:
    """Writes scalars to a folder that TensorBoard reads; does nothing unless wanted."""

    def __init__(self, folder: Path, wanted: bool, iterations: int) -> None:
        self._writer: Any = None
        if wanted:
            purged = iterations + 1 if iterations else None  # what was told beyond the checkpoint is told again
            self._writer = require_tensorboard()(str(folder), purge_step=purged, flush_secs=10)

    def add(self, reached: Progress) -> None:
        """One measurement more."""
        if self._writer is not None:
            facts = {"exploitability": reached.exploitability, "touched": reached.touched, "seconds": reached.seconds}
            for name, value in facts.items():
                self._writer.add_scalar(name, value, reached.iterations)

    def close(self) -> None:
        """Write what is left."""
        if self._writer is not None:
            self._writer.close()
