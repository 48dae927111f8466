"""Progress on stderr: a line for people, shown only on a terminal, or with --log-json an event a line for programs."""

import contextlib
import json
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mccfr.cli.output import INTERRUPTED, duration, print_json, short

if TYPE_CHECKING:
    from mccfr import Progress
    from mccfr.jobs.runner import Job
    from mccfr.runs.status import Status

KERNELS = "compiling kernels (a few seconds, on first use only)"
SMALLEST_BAR, CLOCK = 14, 9  # columns, with what is around them
REFRESH = 0.5  # seconds between two looks at a run's status


class Limits(NamedTuple):
    """Where a solver is meant to end."""

    iterations: int | None = None
    seconds: float | None = None

    def share(self, iterations: int, seconds: float) -> float | None:
        """How much of the way is done, by the limit that is nearer; None if there is none."""
        parts = [done / end for done, end in ((iterations, self.iterations), (seconds, self.seconds)) if end]
        return min(1.0, max(parts)) if parts else None

    def left(self, iterations: int, seconds: float) -> float | None:
        """Seconds to go at the rate so far."""
        share = self.share(iterations, seconds)
        return seconds / share - seconds if share and seconds else None


class Meter:
    """Says what is going on: a phase; how far a solver is, how fast, how good; or how many of many runs are finished.

    clock: show the time since the start. every: where no line is shown, seconds between two that tell of runs.
    """

    def __init__(
        self, wanted: bool, limits: Limits | None = None, clock: bool = False, every: float = math.inf
    ) -> None:
        self.shown = wanted and sys.stderr.isatty()
        self.limits = limits or Limits()
        self.clock, self.every = clock, every
        self.runs_told = "no runs finished"
        self.pot: float | None = None  # of the game, if it has one
        self._began = self._told = time.monotonic()
        self._bar: Any = None
        self._task: Any = None
        self._exploitability: float | None = None
        self._iterations = self._saved = 0

    def __enter__(self) -> "Meter":
        if self.shown:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
            from rich.table import Column

            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
                BarColumn(None, table_column=Column(ratio=1)),
                *([TimeElapsedColumn()] if self.clock else []),
                TextColumn("{task.fields[note]}", markup=False, table_column=Column(no_wrap=True)),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, expand=True)
            self._bar.start()
            self._task = self._bar.add_task("", total=None, note="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def phase(self, text: str) -> None:
        """What is being done now."""
        if self._bar is not None:
            self._bar.update(self._task, description=text)

    def watch(self, reached: "Progress") -> None:
        """Show a measurement of the solver."""
        self._exploitability = reached.exploitability
        self.reach(reached.iterations, reached.seconds, reached.touched)

    def reach(self, iterations: int, seconds: float, touched: int, left: float | None = None) -> None:
        """So far is the solver; seconds are of solving."""
        if self._bar is None or not iterations:
            return
        self._iterations = iterations
        share = self.limits.share(iterations, seconds)
        left = self.limits.left(iterations, seconds) if left is None else left
        words = [f"{short(iterations)} iterations", *rates(iterations, touched, seconds)]
        if self._exploitability is not None:
            share_of_pot = f" ({100 * self._exploitability / self.pot:.3g} % of the pot)" if self.pot else ""
            words.append(f"exploitability {self._exploitability:.3g}{share_of_pot}")
        if left is not None:
            words.append(f"{duration(left)} left")
        if self._saved:
            words.append(f"saved at {short(self._saved)}")
        note = fitting(words, self._bar.console.width - SMALLEST_BAR)
        self._bar.update(self._task, description="", total=share and 1.0, completed=share or 0.0, note=note)

    def count(self, finished: int, total: int, running: "Sequence[Job]") -> None:
        """So many runs are finished, these are under way."""
        self.runs_told, now = f"{finished} of {total} runs finished", time.monotonic()
        if self._bar is not None:
            room = self._bar.console.width - SMALLEST_BAR - CLOCK - len(self.runs_told)
            more = f" and {len(running) - 2} more" if len(running) > 2 else ""
            note = shortened("; ".join(str(job) for job in running[:2]) + more, room)
            self._bar.update(self._task, description=self.runs_told, total=total, completed=finished, note=note)
        elif now - self._told >= self.every:
            self._told = now
            click.echo(f"{self.runs_told}, {now - self._began:.0f} s", err=True)

    def stopped(self, as_json: bool) -> int:
        """Say after Ctrl-C how many runs are finished; the exit code."""
        message = f"stopped with {self.runs_told}: the same command continues"
        click.echo(message, err=True)
        if as_json:
            print_json({"error": {"type": "Interrupted", "messages": [message]}})
        return INTERRUPTED

    def event(self, kind: str, **facts: Any) -> None:
        """What a run tells. Warnings are lines of their own, also where no progress is shown."""
        if kind == "checkpointed":
            self._saved = facts["iterations"]
        elif kind == "warning":
            text = f"mccfr: warning: {facts['message']}"
            if self._bar is None:
                click.echo(text, err=True)
            else:
                self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    @contextlib.contextmanager
    def following(self, read_status: "Callable[[], Status]") -> Iterator[None]:
        """Inside the block, look at a run's status now and then: measurements are rare in large games."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(REFRESH):
                with contextlib.suppress(
                    OSError, ValueError, TypeError
                ):  # not there yet, or damaged: the run will tell
                    status = read_status()
                    if status.iterations > self._iterations:  # a measurement may have been told since it was written
                        self.reach(status.iterations, status.seconds, status.touched, status.left)

        thread = threading.Thread(target=look, daemon=True)
        if self.shown:
            thread.start()
        try:
            yield
        finally:
            over.set()
            if thread.is_alive():
                thread.join()


def fitting(words: list[str], width: int) -> str:
    """The words with commas; where there is no room for all, without what matters least."""
    for unimportant in ("saved at", "nodes/s", "it/s"):
        if len(", ".join(words)) > width:
            words = [word for word in words if unimportant not in word]
    return ", ".join(words)


def shortened(text: str, width: int) -> str:
    """As much of the text as there is room for."""
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"


def rates(iterations: int, touched: int, seconds: float) -> list[str]:
    """Iterations and nodes per second."""
    if seconds <= 0:
        return []
    return [f"{short(iterations / seconds)} it/s", f"{short(touched / seconds)} nodes/s"]


def log_event(kind: str, **facts: Any) -> None:
    """One event as one line of JSON on stderr."""
    line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": kind, **facts}
    click.echo(json.dumps(line, default=str), err=True)
