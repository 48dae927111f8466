"""A progress line on stderr, for people only: nothing is shown unless stderr is a terminal."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mccfr import Progress

KERNELS = "compiling kernels (first use: a few seconds)"


class Meter:
    """Says what is going on: a phase before the first measurement, then iterations, rate and exploitability."""

    def __init__(self, wanted: bool) -> None:
        self.shown = wanted and sys.stderr.isatty()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> "Meter":
        if self.shown:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(30),
                TextColumn("{task.fields[note]}"),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task("", total=None, note="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def phase(self, text: str, total: int | None = None) -> None:
        """What is being done now, and how many iterations it is meant to take."""
        if self._bar is not None:
            self._bar.update(self._task, description=text, total=total)

    def watch(self, reached: "Progress") -> None:
        """Show a measurement of the solver."""
        if self._bar is not None:
            rate = reached.iterations / max(reached.seconds, 1e-9)
            note = f"{reached.iterations:,} iterations, {rate:,.0f}/s, exploitability {reached.exploitability:.3g}"
            self._bar.update(self._task, description="solving", completed=reached.iterations, note=note)
