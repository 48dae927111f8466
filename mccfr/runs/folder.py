"""The files of a run folder, and who may train in it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from mccfr.errors import FileError
from mccfr.files.container import sync_folder
from mccfr.runs.lock import Lock


class Folder:
    """Where everything is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record = path / "run.json"
        self.status = path / "status.json"
        self.lock = path / "lock"
        self.metrics = path / "metrics.parquet"
        self.events = path / "events.jsonl"
        self.strategy = path / "strategy.mccfr"
        self.checkpoints = path / "checkpoints"
        self.tensorboard = path / "tensorboard"

    @property
    def is_run(self) -> bool:
        """Whether it holds a run."""
        try:
            return self.record.exists()
        except OSError as error:
            raise FileError(f"cannot read {self.path}: {error.strerror or error}") from None

    def require_free(self) -> None:
        """Refuse a folder with other things in it. What a run leaves that was killed at its very beginning may stay."""
        if self.path.is_dir():
            ours = {self.lock, self.checkpoints, *self._temporary()}
            others = sorted(path.name for path in self.path.iterdir() if path not in ours)
            if others or any(self.checkpoints.glob("*.ckpt")):
                found = ", ".join([*others[:3], "..."] if len(others) > 3 else others or ["checkpoints"])
                raise FileError(
                    f"{self.path} is not a run folder and not empty (it has {found}): choose another folder"
                )

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else trains here inside the block. The folder is made if need be; remains of killed runs go."""
        lock = Lock(self.lock)
        try:
            self.checkpoints.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"cannot make the run folder {self.path}: {error.strerror or error}") from None
        with contextlib.suppress(OSError):  # a parent folder that we may not read
            sync_folder(self.path)
            sync_folder(self.path.parent)
        lock.take()
        try:
            for path in self._temporary():
                path.unlink(missing_ok=True)
            yield
        finally:
            lock.release()

    def give_up(self) -> None:
        """Remove a folder that has become no run; one with anything in it stays."""
        with contextlib.suppress(OSError):
            self.checkpoints.rmdir()
            if {path.name for path in self.path.iterdir()} <= {self.lock.name}:
                self.lock.unlink(missing_ok=True)
                self.path.rmdir()

    def _temporary(self) -> list[Path]:
        """Files that were being written when a process was killed."""
        named = (self.record, self.status, self.metrics, self.strategy)
        found = [path for target in named for path in self.path.glob(f".{target.name}.*")]
        return [*found, *self.checkpoints.glob(".*.ckpt.*")]
