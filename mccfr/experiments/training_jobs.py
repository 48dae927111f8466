"""Runs to be trained, each in a folder of its own, as jobs for a pool."""

import dataclasses
import warnings
from collections.abc import Sequence
from pathlib import Path

import mccfr
from mccfr.errors import FileError
from mccfr.jobs.runner import Outcome, Pool, Watch, run_jobs
from mccfr.runs.run import Run

# What a result rests on.
DECISIVE = ("game", "method", "seed", "iterations", "seconds", "target", "workers", "parallel")


@dataclasses.dataclass(frozen=True)
class TrainingJob:
    """One run: the arguments of `mccfr.train`."""

    folder: str
    game: str
    method: str
    seed: int
    iterations: int | None = None
    seconds: float | None = None
    target: float | str | None = None
    workers: int = 1
    parallel: str = "auto"
    checkpoint_every: float = 60.0
    tensorboard: bool = False
    use: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.game} {self.method} seed {self.seed}"

    def do(self) -> None:
        """Train the run, or go on with it; what it comes to is in its folder."""
        Path(self.folder).parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():  # the job may be done in the caller's process, whose filters are not ours
            warnings.simplefilter("ignore", mccfr.TargetNotReached)  # the table of all runs tells
            mccfr.train(**{field.name: getattr(self, field.name) for field in dataclasses.fields(self)})


TrainingOutcome = Outcome[TrainingJob]


def train_all(jobs: Sequence[TrainingJob], pool: Pool, watch: Watch) -> list[TrainingOutcome]:
    """The outcomes of all jobs, in their order. What is finished is not run again."""
    return run_jobs(jobs, {job: Outcome(job) for job in jobs if is_finished(job)}, pool, watch)


def is_finished(job: TrainingJob) -> bool:
    """Whether its folder holds this very job, done."""
    try:
        run = Run(job.folder)
        config = run.config
        same = all(getattr(config, name) == getattr(job, name) for name in DECISIVE)
        return same and run.status.state == "done"
    except FileError:
        return False  # not there yet, or not as it should be: training it will say why
