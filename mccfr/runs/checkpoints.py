"""Checkpoints: a solver's whole state in one file, written beside the training, the last good ones kept."""

import contextlib
import re
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mccfr.errors import FileError, MccfrError, quoted
from mccfr.files import container
from mccfr.files.bounded import is_count
from mccfr.runs.memory import available_memory
from mccfr.runs.metrics import checked
from mccfr.solvers.solver import Solver

FORMAT, SCHEMA = "mccfr-checkpoint", 1
NAME = re.compile(r"\d{15}\.ckpt")
MEASURED = (np.int64, np.float64)
METRICS = "metrics."  # before the names of the metrics' columns; the other arrays are the solver's
SHARE = 0.015  # of the training time, that saving may take
SPARE = 2**28  # bytes of memory to leave alone


class Written(NamedTuple):
    """A checkpoint that is safely there, or why it is not."""

    iterations: int
    rows: int  # of the metrics
    path: Path
    seconds: float  # from its beginning to its end
    cost: float  # seconds that training waited, and of processor time beside it
    error: str = ""


class Checkpoints:
    """The checkpoints of one run: files named by their iterations."""

    def __init__(self, folder: Path, identity: Mapping[str, Any], keep: int = 3) -> None:
        self.folder, self.identity, self.keep = folder, dict(identity), keep

    def paths(self) -> list[Path]:
        """From the newest to the oldest."""
        found = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted((path for path in found if NAME.fullmatch(path.name)), reverse=True)

    def write(self, state: Mapping[str, Any], columns: Mapping[str, np.ndarray]) -> Path:
        """Write a checkpoint, then delete the oldest ones. Whatever happens, the newest good one stays."""
        path = self.folder / f"{state['iterations']:015d}.ckpt"
        arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
        numbers = {name: value for name, value in state.items() if name not in arrays}
        members = {**arrays, **{METRICS + name: column for name, column in columns.items()}}
        header = {"schema": SCHEMA, **self.identity, **numbers, "arrays": list(members)}
        container.save(path, FORMAT, header, members, large=0)
        for old in self.paths()[self.keep :]:
            with contextlib.suppress(OSError):
                old.unlink()
        return path

    def read(self, path: Path, into: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """The state of a solver and its metrics' columns; arrays are read into the memory of those in `into`."""
        arrays = {name: array for name, array in into.items() if isinstance(array, np.ndarray)}
        with container.opened(path, FORMAT, "a checkpoint") as file:
            header = file.header
            if not is_count(header.get("schema"), SCHEMA, SCHEMA):
                raise FileError(
                    f"{path} has schema {quoted(header.get('schema'))}, this version of mccfr reads {SCHEMA}"
                )
            for name, value in self.identity.items():
                if header.get(name) != value:
                    told, mine = quoted(header.get(name)), quoted(value)
                    raise FileError(f"{path} is of another run: its {name} is {told}, not {mine}")
            names = [name.removesuffix(".npy") for name in file.names]
            if header.get("arrays") != names:  # damage to a ZIP's directory can hide members
                raise FileError(f"{path} is damaged: it does not have the arrays it should have")
            measured = [name for name in names if name.startswith(METRICS)]
            if set(names) - set(measured) != arrays.keys():
                raise FileError(f"{path} is of another method: it does not have the arrays of this one")
            wanted: dict[str, Any] = {name: ((array.dtype,), array.shape) for name, array in arrays.items()}
            wanted |= dict.fromkeys(measured, (MEASURED, (None,)))
            members = file.arrays({name: wanted[name] for name in names}, arrays)
        columns = {name.removeprefix(METRICS): members.pop(name) for name in measured}
        numbers = {name: header[name] for name in into if name not in arrays and name in header}
        return {**numbers, **members}, columns

    def restore(self, solver: Solver) -> "Restored | None":
        """Give a solver the state of the newest readable checkpoint. None if there are none, readable or not."""
        bad: dict[Path, str] = {}
        for path in self.paths():
            try:
                state, columns = self.read(path, solver.state)
                checked(columns, path)
                solver.restore(state)
                return Restored(path, columns, bad)
            except MccfrError as error:
                bad[path] = str(error)
        if bad.keys() != set(self.paths()):  # a run that goes on has written newer ones and deleted these
            return self.restore(solver)
        if bad:
            raise FileError(f"no checkpoint in {self.folder} can be read; the newest: {next(iter(bad.values()))}")
        return None


class Restored(NamedTuple):
    """The checkpoint a solver was restored from, its metrics' columns, and newer ones that could not be read."""

    path: Path
    columns: dict[str, np.ndarray]
    bad: dict[Path, str]

    def put_bad_ones_aside(self) -> list[str]:
        """Rename them to `.damaged`, as is safe now that a good one has been found; what was wrong with them."""
        for path in self.bad:
            with contextlib.suppress(OSError):
                path.replace(path.with_suffix(".damaged"))
        return list(self.bad.values())


class Writer:
    """Writes checkpoints in a thread of its own, so rarely that training loses little time."""

    def __init__(self, checkpoints: Checkpoints, every: float) -> None:
        self.checkpoints, self.every = checkpoints, every
        self._next = time.perf_counter() + every
        self._thread: threading.Thread | None = None
        self._written: Written | None = None
        self._copy: dict[str, Any] = {}

    @property
    def due(self) -> bool:
        """Whether it is time for another one."""
        return self._thread is None and time.perf_counter() >= self._next

    def begin(self, state: Mapping[str, Any], columns: Mapping[str, np.ndarray]) -> None:
        """Copy a state and write it while training goes on; without memory for a copy, write it here and now."""
        began = time.perf_counter()
        if self._copy:
            copy = {name: self._copied(name, value) for name, value in state.items()}
            self._start(self._write, copy, columns, began, time.perf_counter() - began)
        elif self._room(state):
            self._start(self._prepare, state)
        else:
            self._write(state, columns, began, None)

    def _start(self, work: Callable[..., None], *args: Any) -> None:
        self._thread = threading.Thread(target=work, args=args, name="checkpoint")
        self._thread.start()

    def _prepare(self, state: Mapping[str, Any]) -> None:
        """Take memory for copies. Touching it for the first time can take long; training need not wait for that."""
        copy = {name: np.empty_like(value) for name, value in state.items() if isinstance(value, np.ndarray)}
        for array in copy.values():
            array.fill(0)
        self._copy = copy

    def collect(self, wait: bool = False) -> Written | None:
        """What became of the last one, once; None if there is nothing new."""
        if self._thread is not None and (wait or not self._thread.is_alive()):
            self._thread.join()
            self._thread = None
        if self._thread is not None:
            return None
        written, self._written = self._written, None
        return written

    def _write(
        self, state: Mapping[str, Any], columns: Mapping[str, np.ndarray], began: float, lost: float | None
    ) -> None:
        """`lost`: seconds that training waited; None if it waits for all of this."""
        burnt, iterations = time.thread_time(), int(state["iterations"])
        try:
            path, error = self.checkpoints.write(state, columns), ""
        except (MccfrError, OSError) as failure:
            path, error = self.checkpoints.folder, str(failure)
        now = time.perf_counter()
        cost = now - began if lost is None else lost + time.thread_time() - burnt
        self._next = began + max(self.every, cost / SHARE)
        self._written = Written(iterations, len(columns["iterations"]), path, now - began, cost, error)

    def _room(self, state: Mapping[str, Any]) -> bool:
        """Whether there is memory for a copy; once made, its memory is used again."""
        need = sum(value.nbytes for value in state.values() if isinstance(value, np.ndarray))
        return need + SPARE <= available_memory()

    def _copied(self, name: str, value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        np.copyto(self._copy[name], value)
        return self._copy[name]
