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
    """How a race ended.

    Attributes:
        standings: The methods, the best first.
        curves: What the runs of each method measured.
        failed: The runs that failed, with their errors.
        folder: Where the run folders are.
    """

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
    """Run methods on a game for the same time each, and rank them by the exploitability they reach.

    Every run is a run folder; runs that are finished are not done again. Runs are trained in processes of their own, so
    a script calls this below `if __name__ == "__main__":`.

    Args:
        game: A game string.
        methods: Method strings; by default a selection of full-width and sampled methods.
        seconds: Seconds of solving for each run.
        seeds: Runs of each sampled method, with seeds from 1 on. Methods without chance run once.
        out: The folder for the runs; by default `races/GAME-SECONDSs`.
        jobs: How many runs to train at a time; by default one per physical core.
        use: Python files with methods or parts of your own.
        watch: Called with the number of finished runs, the number of all runs, and those under way.

    Returns:
        The standings with confidence intervals and tests, the measurements of all runs, and the runs that failed.

    Raises:
        MethodError: If a method is wrong or given twice.
        GameError: If the game string is wrong.
        FileError: If the folder cannot be made.

    Examples:
        >>> import mccfr
        >>> result = mccfr.race("kuhn", ["external", "cfr_plus"], seconds=0.1, seeds=1, out="races/kuhn", jobs=1)
        >>> [place.method for place in result.standings]
        ['cfr_plus', 'external']
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
    """What a sweep came to.

    Attributes:
        rows: One for each run; `error` is empty where none occurred.
        out: The folder with the runs.
    """

    rows: list[dict[str, Any]]  # one for each run; `error` is empty where none occurred
    out: Path

    def _repr_html_(self) -> str:
        """For notebooks."""
        heads = ("game", "method", "seed", "state", "iterations", "exploitability", "error")
        return html_table(f"Sweep in {self.out}", heads, [[row[head] for head in heads] for row in self.rows])

    @property
    def summary(self) -> Path:
        """The Parquet file that holds the rows."""
        return self.out / SUMMARY


def sweep(
    file: AnyPath,
    jobs: int | None = None,
    ray: str | None = None,
    use: Sequence[str] = (),
    watch: Watch | None = None,
) -> Sweep:
    r"""Run every game by every method with every seed, as a .toml or .yaml file says.

    The rows of the result are also written beside the runs, as `summary.parquet`. Runs are trained in processes of
    their own, so a script calls this below `if __name__ == "__main__":`.

    Args:
        file: The sweep file; docs/experiments.md describes it.
        jobs: How many runs to train at a time; by default one per processor, or fewer if runs have several workers.
        ray: The address of a Ray cluster that does the runs, or `"here"` for one on this machine.
        use: Python files with methods or parts of your own, besides those in the file.
        watch: Called with the number of finished runs, the number of all runs, and those under way.

    Returns:
        A row for each run, and where the runs are.

    Raises:
        FileError: If the file cannot be read or something in it is wrong; the message has a line for each problem.

    Examples:
        >>> import pathlib
        >>> import mccfr
        >>> text = 'games = ["kuhn"]\nmethods = ["cfr_plus"]\nseeds = 1\niterations = 100'
        >>> written = pathlib.Path("small.toml").write_text(text)
        >>> found = mccfr.sweep("small.toml", jobs=1)
        >>> [(row["game"], row["method"], row["iterations"], row["error"]) for row in found.rows]
        [('kuhn', 'cfr_plus', 100, '')]
        >>> found.summary.as_posix()
        'small/summary.parquet'
    """
    jobs, asked = _jobs(jobs), read_sweep(as_path(file, "a sweep file"))
    planned = sweep_jobs(asked._replace(use=(*use, *asked.use)))
    _made(asked.out)
    rows = summary_rows(train_all(planned, _pool(planned, jobs, ray), watch or nobody), asked.out)
    found = Sweep(rows, asked.out)
    write_summary(found.summary, rows)
    return found


def compare(one: "AnyPath | Run | Iterable[AnyPath | Run]", other: Any) -> Comparisons:
    """Test whether two groups of runs reach different exploitability, at equal walks, equal nodes and equal seconds.

    Args:
        one: The first group: a folder with runs below it, a pattern such as `runs/external-*`, a `Run`, or several of
            these.
        other: The second group, given likewise.

    Returns:
        A comparison for each of walks, nodes and seconds, at the largest amount that every run has reached: both
            groups' exploitability, their ratio, and p-values of Welch's t-test and the Mann-Whitney U test. What the
            runs have not in common, as seconds where one ended before another was first measured, is left out.

    Raises:
        FileError: If a group is empty or not made of runs, or the runs are of different games.

    Examples:
        >>> import mccfr
        >>> exact = mccfr.train("runs/cfr_plus", "kuhn", "cfr_plus", iterations=10_000)
        >>> for seed in (1, 2):
        ...     sampled = mccfr.train(f"runs/external-{seed}", "kuhn", "external", iterations=100_000, seed=seed)
        >>> walks, *others = mccfr.compare(exact, "runs/external-*")
        >>> walks.at, walks.difference.ratio.mean < 1
        (20000.0, True)
    """
    return comparison.compare(_curves(one), _curves(other))


def _curves(group: "AnyPath | Run | Iterable[AnyPath | Run]") -> list[Curve]:
    if not isinstance(group, str | os.PathLike | Run | Iterable) or isinstance(group, bytes):
        raise FileError(f"a group of runs is a folder, a pattern, a Run or several of these, got {quoted(group)}")
    given = [group] if isinstance(group, str | os.PathLike | Run) else list(group)
    if not given:
        raise FileError("compare takes two groups of runs, but one is empty: give at least one run folder for each")
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
