"""A fingerprint of behaviour: what a dozen methods come to after a few thousand iterations, one committed line each.

Exact are the dice after the run and the counts of iterations and nodes. The tables are compared by two sums each, to
1e-9, since another processor may round differently. The lines are chosen so that rounding decides no tie: planted
rounding errors change none of them, while many a run on Leduc would go another way.
"""

import dataclasses
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import FileError
from mccfr.notebook import html_table
from mccfr.solvers.solver import Solver

COMMITTED = Path(__file__).with_name("fingerprints.jsonl")
TABLES = ("current", "regret", "average")
TOLERANCE = 1e-9  # of a table's norm
DIGITS = 8  # of a hash
PIECES, PIECE_SECONDS = 5, 0.04  # of CPU time, by which a rate is measured

Sums = tuple[float, float]


@dataclasses.dataclass(frozen=True)
class Line:
    """What a method comes to on a game after a fixed number of iterations, and how fast.

    Attributes:
        game: The string that names the game.
        method: The method.
        seed: The seed.
        iterations: Iterations done.
        touched: Nodes touched.
        fingerprint: A hash of what is exact: the counts and the random numbers.
        sums: Two sums over each table, which are compared to 1e-9.
        rate: Iterations per second of CPU time.
    """

    game: str
    method: str
    seed: int
    iterations: int
    touched: int = 0
    fingerprint: str = ""  # a hash of what is exact
    sums: dict[str, Sums] = dataclasses.field(default_factory=dict)  # of each table
    rate: float = 0.0  # iterations per second of CPU time

    def solver(self) -> Solver:
        """Make a solver for this line.

        Returns:
            A solver that has not run yet.
        """
        return Solver(self.game, self.method, self.seed)

    def found_by(self, solver: Solver) -> "Line":
        """Run a solver and note what it comes to.

        Args:
            solver: A solver for this line that has not run yet.

        Returns:
            The line as this solver finds it, without a rate.
        """
        solver.run(self.iterations)
        state = solver.state
        exact = (self.game, self.method, self.seed, solver.iterations, solver.touched)
        dice = np.asarray(state.get("dice", ()), "<u8").tobytes()
        tables = {name: sums(state[name]) for name in TABLES}
        return dataclasses.replace(
            self, touched=solver.touched, fingerprint=_hash(repr(exact).encode() + dice), sums=tables, rate=0.0
        )

    def changes(self, other: "Line") -> tuple[str, ...]:
        """List in what another line differs.

        Args:
            other: The line to compare with.

        Returns:
            `"draws"` for the counts and random numbers, and the names of tables; empty if nothing differs.
        """
        exact = (self.touched, self.fingerprint) == (other.touched, other.fingerprint)
        wrong = [name for name in TABLES if name not in self.sums or not _close(self.sums[name], other.sums[name])]
        return (*(() if exact else ("draws",)), *wrong)


@dataclasses.dataclass(frozen=True)
class BenchRow:
    """A line as found on this machine, beside the committed one.

    Attributes:
        here: The line as found here.
        ours: The committed line.
    """

    here: Line
    ours: Line

    @property
    def changed(self) -> tuple[str, ...]:
        """What differs from the committed line; empty if nothing does."""
        return self.ours.changes(self.here)

    @property
    def ratio(self) -> float | None:
        """Speed relative to the committed line; None for a line that was never measured."""
        return self.here.rate / self.ours.rate if self.ours.rate else None

    def to_dict(self) -> dict[str, Any]:
        """Convert the row for JSON.

        Returns:
            The line as found here, with the committed rate, the ratio of rates, and what changed.
        """
        beside = {"our_rate": self.ours.rate, "ratio": self.ratio, "changed": list(self.changed)}
        return {**dataclasses.asdict(self.here), **beside}


@dataclasses.dataclass(frozen=True)
class BenchReport:
    """What a bench found: a row for each line, and one hash of all that is exact.

    Attributes:
        rows: A row for each line.

    Examples:
        >>> import mccfr
        >>> from mccfr.auditing.fingerprint import committed_lines
        >>> report = mccfr.bench(lines=committed_lines()[:1])
        >>> report.fingerprint == report.committed
        True
    """

    rows: tuple[BenchRow, ...]

    @property
    def fingerprint(self) -> str:
        """The hash of all that is exact, as found on this machine."""
        return _hash("".join(row.here.fingerprint for row in self.rows).encode())

    @property
    def committed(self) -> str:
        """The hash as it should be."""
        return _hash("".join(row.ours.fingerprint for row in self.rows).encode())

    @property
    def changed(self) -> tuple[BenchRow, ...]:
        """The rows that differ from the committed lines."""
        return tuple(row for row in self.rows if row.changed)

    def _repr_html_(self) -> str:
        """For notebooks."""
        verdict = f"{len(self.changed)} of {len(self.rows)} lines CHANGED" if self.changed else "as committed"
        rows = [
            (
                row.here.game,
                row.here.method,
                row.here.fingerprint,
                ", ".join(row.changed) or "ok",
                row.here.rate,
                row.ratio,
            )
            for row in self.rows
        ]
        heads = ("game", "method", "fingerprint", "changed", "it/s here", "ratio")
        return html_table(f"Bench, fingerprint {self.fingerprint}: {verdict}", heads, rows)

    def to_dict(self) -> dict[str, Any]:
        """Convert the report for JSON.

        Returns:
            Both hashes, the number of rows that changed, and the rows.
        """
        rows = [row.to_dict() for row in self.rows]
        return {
            "fingerprint": self.fingerprint, "committed": self.committed, "changed": len(self.changed), "rows": rows
        }  # fmt: skip

    def write(self, path: str | Path) -> None:
        """Write the lines as found on this machine to a file, in the format of `fingerprints.jsonl`.

        Args:
            path: The file to write.

        Raises:
            FileError: If the file cannot be written.
        """
        lines = "".join(json.dumps(dataclasses.asdict(row.here)) + "\n" for row in self.rows)
        try:
            Path(path).write_text(lines)
        except OSError as error:
            raise FileError(f"cannot write {path}: {error.strerror}") from None


def bench(watch: Callable[[str], None] | None = None, lines: Sequence[Line] | None = None) -> BenchReport:
    """Check whether this installation behaves as it should, and measure how fast it is.

    A dozen methods run for a few thousand iterations each. Counts and random numbers must equal those that come with
    the package, tables agree to 1e-9; speed is compared with that of the machine they were recorded on.

    Args:
        watch: Called with the name of each line before it runs.
        lines: Lines to run in place of those that come with the package.

    Returns:
        A report with a row for each line; `changed` lists those that differ.

    Examples:
        >>> import mccfr
        >>> from mccfr.auditing.fingerprint import committed_lines
        >>> report = mccfr.bench(lines=committed_lines()[:1])
        >>> report.changed
        ()
        >>> report.rows[0].here.method
        'external'
    """
    rows = []
    for line in committed_lines() if lines is None else lines:
        if watch is not None:
            watch(f"{line.method} on {line.game}")
        solver = line.solver()
        found = line.found_by(solver)
        rows.append(BenchRow(dataclasses.replace(found, rate=float(f"{rate(solver):.3g}")), line))
    return BenchReport(tuple(rows))


def committed_lines(path: Path = COMMITTED) -> list[Line]:
    """The lines of a file. A new one needs game, method, seed and iterations; `mccfr bench --write` adds the rest."""
    read: Iterable[dict[str, Any]] = map(json.loads, path.read_text().splitlines())
    return [Line(**{**line, "sums": {k: tuple(pair) for k, pair in line.get("sums", {}).items()}}) for line in read]


def sums(table: npt.ArrayLike) -> Sums:
    """Sum of (2 + cos j) x_j, which sees every entry and its place, and the norm."""
    x = np.asarray(table, np.float64)
    return float(x @ (2.0 + np.cos(np.arange(len(x))))), float(np.sqrt(x @ x))


def rate(solver: Solver) -> float:
    """Iterations per second of CPU time, the best of five measurements; goes on with the run."""
    n, rates = max(1, solver.iterations), list[float]()
    while len(rates) < PIECES:
        before, began = solver.iterations, time.process_time()
        solver.run(n)
        took = time.process_time() - began
        if took < PIECE_SECONDS:
            n = int(n * min(100.0, 1.5 * PIECE_SECONDS / max(took, 1e-9)))
        else:
            rates.append((solver.iterations - before) / took)
    return max(rates)


def _close(ours: Sums, here: Sums) -> bool:
    return all(abs(a - b) <= TOLERANCE * ours[1] for a, b in zip(ours, here))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGITS]
