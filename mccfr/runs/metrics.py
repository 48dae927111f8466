"""Measurements of a run: a small table, kept in every checkpoint and written to Parquet for people to read."""

from pathlib import Path

import numpy as np

from mccfr.errors import FileError
from mccfr.files.bounded import read_plain
from mccfr.files.container import atomic
from mccfr.solvers.solver import Progress

COLUMNS = {
    "iterations": np.int64,
    "walks": np.int64,  # two for each iteration
    "touched": np.int64,  # nodes
    "seconds": np.float64,  # of solving
    "wall": np.float64,  # since the run was created
    "exploitability": np.float64,
}
MOST_BYTES, MOST_ROWS = 2**27, 1_000_000  # a run measures a few hundred times

Columns = dict[str, np.ndarray]


class Metrics:
    """Rows in the order of their iterations."""

    def __init__(self, columns: Columns | None = None) -> None:
        self.rows: list[tuple[float, ...]] = []
        if columns is not None:
            self.rows = list(zip(*(columns[name].tolist() for name in COLUMNS)))

    def add(self, reached: Progress, wall: float) -> None:
        """One measurement more."""
        assert reached.exploitability is not None
        n = reached.iterations
        self.rows.append((n, 2 * n, reached.touched, reached.seconds, wall, reached.exploitability))

    @property
    def iterations(self) -> int:
        """Of the last measurement, or -1."""
        return int(self.rows[-1][0]) if self.rows else -1

    @property
    def exploitability(self) -> float | None:
        """Of the last measurement."""
        return self.rows[-1][-1] if self.rows else None

    def columns(self) -> Columns:
        """As arrays."""
        columns = zip(*self.rows) if self.rows else ((),) * len(COLUMNS)
        return {name: np.array(values, dtype) for (name, dtype), values in zip(COLUMNS.items(), columns)}

    def write(self, path: Path) -> None:
        """To a Parquet file."""
        import pyarrow
        import pyarrow.parquet

        with atomic(path) as stream:
            columns = {name: pyarrow.array(column) for name, column in self.columns().items()}
            pyarrow.parquet.write_table(pyarrow.table(columns), stream)


def checked(columns: Columns, path: Path) -> Columns:
    """The columns that were found in a file, if they are measurements; else an error that says what is wrong."""
    if columns.keys() != COLUMNS.keys() or any(columns[name].dtype != dtype for name, dtype in COLUMNS.items()):
        raise FileError(f"{path} is damaged: its measurements should be {', '.join(COLUMNS)}")
    if len({column.shape for column in columns.values()}) > 1:
        raise FileError(f"{path} is damaged: its measurements have columns of different lengths")
    for name, column in columns.items():
        if not np.isfinite(column).all() or (name != "exploitability" and (column < 0).any()):
            raise FileError(f"{path} is damaged: its {name} are not all numbers from 0")
        if name in ("iterations", "walks", "touched", "seconds") and (np.diff(column) < 0).any():
            raise FileError(f"{path} is damaged: its {name} go back")
    return columns


def _require_schema(path: Path, found: dict[str, str]) -> None:
    for name, dtype in COLUMNS.items():
        kind = "int64" if dtype is np.int64 else "double"
        if found.get(name) != kind:
            what = f"is {found[name][:50]}" if name in found else "is missing"
            raise FileError(f"{path} is damaged: its column {name} {what}, expected {kind}")


def read_metrics(path: Path) -> Columns:
    """The columns of a Parquet file; empty ones if nothing has been measured yet."""
    import pyarrow
    import pyarrow.parquet

    try:
        content = read_plain(path, MOST_BYTES)  # at once: the file may be replaced at any time
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content), pre_buffer=False)
        if not 0 <= file.metadata.num_rows <= MOST_ROWS:
            raise FileError(f"{path} is damaged: it says that it has {file.metadata.num_rows:,} rows")
        _require_schema(path, {field.name: str(field.type) for field in file.schema_arrow})
        table = file.read(list(COLUMNS), use_threads=False)  # with threads, processes that end soon were seen to abort
        if any(table.column(name).null_count for name in COLUMNS):
            raise FileError(f"{path} is damaged: it has rows without a number")
        return checked({name: table.column(name).to_numpy() for name in COLUMNS}, path)
    except FileNotFoundError:
        return Metrics().columns()
    except FileError:
        raise
    except (KeyError, ValueError, pyarrow.ArrowException) as error:
        raise FileError(f"{path} is damaged: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {str(error.strerror or error).splitlines()[0]}") from None
