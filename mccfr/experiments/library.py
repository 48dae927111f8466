"""What `mccfr race`, `sweep` and `compare` do, as functions that print nothing.

Runs are trained in processes of their own, so a script calls `race` and `sweep` below `if __name__ == "__main__":`.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mccfr.amounts import amount, whole_count
from mccfr.errors import FileError, GameError, as_path, quoted
from mccfr.experiments import comparison
from mccfr.experiments.comparison import Comparisons
from mccfr.experiments.groups import Curve, curve, find_runs
from mccfr.experiments.racing import (
    FIELD,
    Standing,
    check_field,
    default_folder,
    race_curves,
    race_jobs,
    ranking,
    spelled_methods,
)
from mccfr.experiments.sweep_file import read_sweep, spelled_game
from mccfr.experiments.sweeping import SUMMARY, summary_rows, sweep_jobs, write_summary
from mccfr.experiments.training_jobs import TrainingJob, TrainingOutcome, train_all
from mccfr.jobs.process_pool import ProcessPool
from mccfr.jobs.runner import Pool, Watch, nobody
from mccfr.machine import physical_cores, processors
from mccfr.notebook import html_table
from mccfr.runs.run import Run

HERE = "here"  # a Ray of its own on this machine

AnyPath = str | os.PathLike[str]


class Race(NamedTuple):
    """How a race ended."""

    standings: list[Standing]  # the best method first
    curves: dict[str, list[Curve]]  # what the runs of each method measured
    failed: list[TrainingOutcome]
    folder: Path

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [
            (place, entry.method, entry.runs, str(entry.exploitability), round(entry.iterations), entry.p)
            for place, entry in enumerate(self.standings, 1)
        ]
        heads = ("", "method", "runs", "exploitability [95 %]", "iterations", "p against the next")
        failed = f", {len(self.failed)} runs failed" if self.failed else ""
        return html_table(f"Race in {self.folder}{failed}", heads, rows)


def race(
    game: str,
    methods: Sequence[str] = FIELD,
    seconds: float = 60.0,
    seeds: int = 10,
    out: AnyPath | None = None,
    jobs: int | None = None,
    use: Sequence[str] = (),
    watch: Watch | None = None,
) -> Race:
    """Run methods on a game for the same time each and rank them by the exploitability they come to.

    Every run is a run folder in `out` (races/GAME-SECONDSs unless told); what is finished is not run again.
    jobs: runs at a time, one per core unless told. use: Python files with parts of your own. watch: told how many runs
    are finished, how many there are, and which are under way.
    """
    if not isinstance(game, str):
        raise GameError(f"a race takes the string of a game, as 'leduc' or 'mygame.py:MyGame', got {quoted(game)}")
    seconds, seeds, jobs = amount("seconds", seconds), whole_count("seeds", seeds, 1), _jobs(jobs)
    game, methods = spelled_game(game), spelled_methods(methods)
    check_field(game, methods)
    folder = _made(Path(out or default_folder(game, seconds)))
    planned = race_jobs(game, methods, seconds, seeds, folder, tuple(use))
    outcomes = train_all(planned, ProcessPool(jobs or physical_cores()), watch or nobody)
    curves = race_curves([outcome.job for outcome in outcomes if not outcome.error])
    return Race(ranking(curves), curves, [outcome for outcome in outcomes if outcome.error], folder)


class Sweep(NamedTuple):
    """What a sweep came to."""

    rows: list[dict[str, Any]]  # one for each run; `error` is empty where none occurred
    out: Path

    def _repr_html_(self) -> str:
        """For notebooks."""
        heads = ("game", "method", "seed", "state", "iterations", "exploitability", "error")
        return html_table(f"Sweep in {self.out}", heads, [[row[head] for head in heads] for row in self.rows])

    @property
    def summary(self) -> Path:
        """The rows as a Parquet file."""
        return self.out / SUMMARY


def sweep(
    file: AnyPath,
    jobs: int | None = None,
    ray: str | None = None,
    use: Sequence[str] = (),
    watch: Watch | None = None,
) -> Sweep:
    """Run every game by every method with every seed, as a .toml or .yaml file says.

    The rows of the result are those of `summary.parquet`, which is written beside the runs.
    jobs: runs at a time, one per processor unless told. ray: the address of a cluster, or "here". use and watch: as for
    `race`.
    """
    jobs, asked = _jobs(jobs), read_sweep(as_path(file, "a sweep file"))
    planned = sweep_jobs(asked._replace(use=(*use, *asked.use)))
    _made(asked.out)
    rows = summary_rows(train_all(planned, _pool(planned, jobs, ray), watch or nobody), asked.out)
    found = Sweep(rows, asked.out)
    write_summary(found.summary, rows)
    return found


def compare(one: "AnyPath | Run | Iterable[AnyPath | Run]", other: Any) -> Comparisons:
    """Test whether one group of runs comes to another exploitability than another: at equal walks, nodes and seconds.

    A group: a folder with runs below it, a pattern such as `runs/external-*`, a Run, or several of these.
    """
    return comparison.compare(_curves(one), _curves(other))


def _curves(group: "AnyPath | Run | Iterable[AnyPath | Run]") -> list[Curve]:
    if not isinstance(group, str | os.PathLike | Run | Iterable) or isinstance(group, bytes):
        raise FileError(f"a group of runs is a folder, a pattern, a Run or several of these, got {quoted(group)}")
    given = [group] if isinstance(group, str | os.PathLike | Run) else list(group)
    if not given:
        raise FileError("compare takes two groups of runs, and one is empty: give at least one run folder for each")
    found = [[entry] if isinstance(entry, Run) else find_runs([str(as_path(entry, "a run folder"))]) for entry in given]
    return [curve(run) for run in {run.folder: run for runs in found for run in runs}.values()]


def _jobs(jobs: int | None) -> int | None:
    return None if jobs is None else whole_count("jobs", jobs, 1)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {folder}: {error.strerror}; choose another") from None
    return folder


def _pool(planned: Sequence[TrainingJob], jobs: int | None, ray: str | None) -> Pool:
    from mccfr.jobs.ray_pool import RayPool

    widest = max(job.workers for job in planned)
    if ray is not None:
        return RayPool(None if ray == HERE else ray, max(jobs or processors(), widest))
    return ProcessPool(jobs or max(1, processors() // widest))
