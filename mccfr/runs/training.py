"""A solver at work in its folder: measurements, checkpoints, status, and a clean end."""

import math
import time
from collections.abc import Callable
from typing import Any

from mccfr.errors import FileError, MccfrError
from mccfr.runs.checkpoints import Checkpoints, Writer, Written
from mccfr.runs.config import Record
from mccfr.runs.events import Events, Listener
from mccfr.runs.folder import Folder
from mccfr.runs.metrics import Metrics
from mccfr.runs.status import Status, write_status
from mccfr.runs.tensorboard import Board
from mccfr.signals import Stop
from mccfr.solvers.method import LinearProgramme
from mccfr.solvers.solver import Progress, Solver, measuring_points

REPORT_EVERY = 1.0  # seconds between two writings of status and metrics
REPORT_SHARE = 0.01  # of the time, that these may take: where they are slow they become rarer
REPORT_AT_LEAST_EVERY = 10.0

Watch = Callable[[Progress], None]


def identity(record: Record) -> dict[str, Any]:
    """What the checkpoints of a run have in common."""
    resolved = record.resolved
    return {"game": resolved["game"], "method": resolved["method"], "fingerprint": record.fingerprint}


class Training:
    """One stretch of training, from the newest checkpoint to the end that was asked for."""

    def __init__(
        self,
        folder: Folder,
        record: Record,
        solver: Solver,
        watch: Watch | None,
        listener: Listener | None,
        came_from: str = "",
    ) -> None:
        self.folder, self.record, self.config, self.solver = folder, record, record.given, solver
        self.watch, self._came_from = watch, came_from  # the device it was on before, if that was another one
        self.note = ""
        self._newest = (-1, 0)  # iterations and measurements in the newest checkpoint
        self.events = Events(folder.events, listener)
        self.checkpoints = Checkpoints(folder.checkpoints, identity(record), self.config.keep)
        self.metrics = self._restored()
        self.board = Board(folder.tensorboard, self.config.tensorboard, solver.iterations)
        self.writer = Writer(self.checkpoints, self.config.checkpoint_every)
        self.stop = Stop()
        self._began = solver.iterations, solver.seconds
        self._next_report = 0.0
        self._saved_rows = -1

    def _restored(self) -> Metrics:
        """Take over the newest checkpoint; the metrics up to there."""
        found = self.checkpoints.restore(self.solver)
        if found is None:
            facts = {name: self.record.resolved[name] for name in ("game", "method", "reason", "workers", "parallel")}
            self.events.tell("started", **facts, seed=self.config.seed, sizes=self.record.sizes)
            return Metrics()
        self.events.tell("resumed", iterations=self.solver.iterations, checkpoint=found.path.name)
        for why in found.put_bad_ones_aside():
            self._warn(f"{why}; continuing from {found.path.name} instead")
        if self._came_from:
            here = self.record.resolved["device"]
            moved = f"continues on the {here} after the {self._came_from}"
            self._warn(f"{moved}: the result is no longer bit for bit that of one device")
        if changed := self.record.changed_versions():
            self._warn(f"started with {changed}: the result may differ in its last digits")
        metrics = Metrics(found.columns)
        self._newest = self.solver.iterations, len(metrics.rows)
        return metrics

    def go(self) -> None:
        """Train. KeyboardInterrupt, once all is saved, if a signal asked to stop."""
        with self.stop:
            try:
                self._report("running")
                self._next_report = 0.0  # the first one imports what it needs, which says nothing about the next
                self._run()
            except KeyboardInterrupt:
                self._end("stopped")
                raise
            except Exception as error:
                self.note = f"{type(error).__name__}: {' '.join(str(error).split())}"
                self._report("died")
                raise
            finally:
                self._collect(wait=True)
                self.board.close()
            self._end("done")
            if self.stop.asked:
                raise KeyboardInterrupt

    def _run(self) -> None:
        solver, config = self.solver, self.config
        if self._unmeasured and self._overdue:
            self._measure()
        if not self._finished:
            left = None if config.iterations is None else config.iterations - solver.iterations
            seconds = math.inf if config.seconds is None else config.seconds - solver.seconds
            solver.advance(left, config.target, self._measured, seconds, self._pause)
        if self._unmeasured:
            self._measure()

    @property
    def _overdue(self) -> bool:
        """Whether the checkpoint was written just before this would have been measured."""
        step = self.solver.method.batch if self.solver.parallel == "batch" else 1
        last = math.inf if self.config.iterations is None else self.config.iterations
        planned = next(measuring_points(max(0, self.solver.iterations - step), last), math.inf)
        return planned <= self.solver.iterations

    @property
    def _finished(self) -> bool:
        solver = self.solver
        if isinstance(solver.method.sampler, LinearProgramme) and solver.iterations:
            return True
        return self.config.reached(solver.iterations, solver.seconds, self.metrics.exploitability, solver.tree.pot)

    @property
    def _unmeasured(self) -> bool:
        wanted = self.config.target is not None or self.solver.tree.quickly_measured
        return wanted and self.metrics.iterations != self.solver.iterations > 0

    def _measure(self) -> None:
        self._measured(self.solver.measured(wanted=True))

    def _measured(self, reached: Progress) -> None:
        if reached.exploitability is None:  # it takes minutes: there is nothing to keep but how far the run is
            if self.watch is not None:
                self.watch(reached)
            return
        self.metrics.add(reached, self.record.age)
        self.board.add(reached)
        self.events.tell("measured", **reached._asdict())
        if self.watch is not None:
            self.watch(reached)

    def _pause(self) -> None:
        """Between two iterations, about ten times a second."""
        if self.stop.asked:
            self.solver.check_finite()
            raise KeyboardInterrupt
        self._collect()
        if self.writer.due:
            self.solver.check_finite()  # so that the last good checkpoint stays
            self.writer.begin(self.solver.state, self.metrics.columns())
            self._collect()
        if time.perf_counter() >= self._next_report:
            self._report("running")

    def _collect(self, wait: bool = False) -> None:
        """Tell what became of a checkpoint."""
        written = self.writer.collect(wait)
        if written is not None and written.error:
            self._warn(f"{written.error}; training continues and tries again at the next checkpoint")
        elif written is not None:
            self._checkpointed(written)

    def _checkpointed(self, written: Written) -> None:
        self.note, self._newest = "", (written.iterations, written.rows)
        size = written.path.stat().st_size if written.path.exists() else 0
        facts = {"iterations": written.iterations, "file": written.path.name, "bytes": size}
        self.events.tell("checkpointed", **facts, seconds=written.seconds, cost=written.cost)

    def _warn(self, message: str) -> None:
        self.note = message
        self.events.tell("warning", message=message)

    def _report(self, state: str) -> None:
        """Write metrics and status. That they cannot be written does not end the training."""
        began = time.perf_counter()
        try:
            self._write_metrics()
            write_status(self.folder.status, self._status(state))
        except FileError as error:
            if str(error) != self.note:  # once, not every second
                self._warn(str(error))
        now = time.perf_counter()
        pause = max(REPORT_EVERY, (now - began) / REPORT_SHARE)
        self._next_report = now + min(pause, REPORT_AT_LEAST_EVERY)

    def _write_metrics(self) -> None:
        if self._saved_rows != len(self.metrics.rows):
            self.metrics.write(self.folder.metrics)
            self._saved_rows = len(self.metrics.rows)

    def _status(self, state: str) -> Status:
        solver, (iterations, seconds) = self.solver, self._began
        rate = (solver.iterations - iterations) / max(solver.seconds - seconds, 1e-9)
        left = self._left(rate) if state == "running" else None
        reached = (solver.iterations, solver.seconds, self.metrics.exploitability, solver.touched)
        return Status(state, *reached, rate, left, note=self.note or solver.note)

    def _left(self, rate: float) -> float | None:
        config, solver = self.config, self.solver
        ends = [] if config.seconds is None else [config.seconds - solver.seconds]
        if config.iterations is not None and rate > 0:
            ends.append((config.iterations - solver.iterations) / rate)
        return max(0.0, min(ends)) if ends else None

    def _end(self, state: str) -> None:
        """A last checkpoint, the strategy, and what there is to say."""
        self._collect(wait=True)
        self._save_checkpoint()
        self.solver.strategy().save(self.folder.strategy)
        self._write_metrics()
        reached = self._status(state)
        write_status(self.folder.status, reached)  # last: "done" means that nothing is left to do
        told = {name: getattr(reached, name) for name in ("iterations", "seconds", "exploitability", "touched")}
        self.events.tell("finished" if state == "done" else "stopped", **told)

    def _save_checkpoint(self) -> None:
        """Of where things stand now, unless there is one."""
        rows = len(self.metrics.rows)
        if self._newest == (self.solver.iterations, rows):
            return
        began = time.perf_counter()
        try:
            path = self.checkpoints.write(self.solver.state, self.metrics.columns())
        except MccfrError as error:
            good = (
                f"the last good one is {self._newest[0]:015d}.ckpt"
                if self._newest[0] >= 0
                else "there is none before it"
            )
            self._warn(f"the final checkpoint could not be written: {error}; {good}")
            self._report("stopped")
            raise FileError(self.note) from None
        took = time.perf_counter() - began
        self._checkpointed(Written(self.solver.iterations, rows, path, took, took))
