"""Sweeps: every game by every method with every seed, each a run folder, and one table of what came out."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mccfr.errors import FileError
from mccfr.experiments.sweep_file import Sweep
from mccfr.experiments.training_jobs import TrainingJob, TrainingOutcome
from mccfr.files.container import atomic
from mccfr.jobs.statistics import Interval, geometric_mean
from mccfr.runs.run import Run

SUMMARY = "summary.parquet"
LONGEST_NAME = 100  # of a folder


def sweep_jobs(sweep: Sweep) -> list[TrainingJob]:
    """One job for each game, method and seed, in the folder OUT/GAME/METHOD/seed-SEED."""
    games, methods = folder_names(sweep.games), folder_names(sweep.methods)
    return [
        TrainingJob(
            str(sweep.out / games[game] / methods[method] / f"seed-{seed}"),
            *(game, method, seed),
            **sweep.settings_of(game, method),
            use=sweep.use,
        )
        for game in sweep.games
        for method in sweep.methods
        for seed in sweep.seeds
    ]


def folder_names(texts: Sequence[str]) -> dict[str, str]:
    """A name for each text that any file system takes, no two the same. run.json has the text itself."""
    names: dict[str, str] = {}
    for text in texts:
        name = re.sub(r"[^A-Za-z0-9.+=_]+", "-", text).strip("-.") or "-"
        if len(name) > LONGEST_NAME or name.lower() in {other.lower() for other in names.values()}:
            name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        names[text] = name
    return names


def summary_rows(outcomes: Sequence[TrainingOutcome], out: Path) -> list[dict[str, Any]]:
    """How far every job is: one row each."""
    return [_row(outcome.job, outcome.error, out) for outcome in outcomes]


def _row(job: TrainingJob, error: str, out: Path) -> dict[str, Any]:
    row: dict[str, Any] = {"game": job.game, "method": job.method, "seed": job.seed}
    try:
        status = Run(job.folder).status
        reached = (status.iterations, status.touched, status.seconds, status.exploitability)
        state = "failed" if error else status.state
    except FileError:
        reached, state = (0, 0, 0.0, None), "failed" if error else "new"
    row |= dict(zip(("iterations", "touched", "seconds", "exploitability"), reached))
    return row | {"state": state, "folder": str(Path(job.folder).relative_to(out)), "error": error}


def means(rows: Sequence[dict[str, Any]]) -> dict[tuple[str, str], Interval | None]:
    """Geometric mean of exploitability over seeds, by game and method; None where no run has been measured."""
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        values = found.setdefault((row["game"], row["method"]), [])
        if row["exploitability"] is not None and row["state"] == "done":
            values.append(row["exploitability"])
    return {key: geometric_mean(values) if values else None for key, values in found.items()}


def write_summary(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """The rows as a Parquet file."""
    import pyarrow
    import pyarrow.parquet

    integers, floats = ("seed", "iterations", "touched"), ("seconds", "exploitability")
    types = dict.fromkeys(integers, pyarrow.int64()) | dict.fromkeys(floats, pyarrow.float64())
    schema = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in rows[0]])
    with atomic(path) as stream:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema), stream)
