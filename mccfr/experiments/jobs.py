"""Jobs: runs to be trained, each in a folder of its own, by whatever pool of workers there is.

A pool is anything with `run(jobs)`; `processes.py` has one of local processes, `ray_pool.py` one of a Ray cluster.
"""

import contextlib
import dataclasses
import traceback
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import mccfr
from mccfr.errors import FileError, MccfrError
from mccfr.runs.run import Run

RETRIES = 1  # of a job whose worker died under it
DECISIVE = (
    "game",
    "method",
    "seed",
    "iterations",
    "seconds",
    "target",
    "workers",
    "parallel",
)  # what a result rests on
DIED = "its worker process was killed, and again when it was tried once more"


@dataclasses.dataclass(frozen=True)
class Job:
    """One run: the arguments of `mccfr.train`."""

    folder: str
    game: str
    method: str
    seed: int
    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None
    workers: int = 1
    parallel: str = "auto"
    checkpoint_every: float = 60.0
    tensorboard: bool = False
    use: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.game} {self.method} seed {self.seed}"


class Outcome(NamedTuple):
    """How a job ended: without an error, or with one line that says which."""

    job: Job
    error: str = ""


class Event(NamedTuple):
    """A job has been started, or it has ended."""

    job: Job
    outcome: Outcome | None = None


class Pool(Protocol):
    """Workers that do jobs. Closing the generator stops the jobs under way, each with a checkpoint."""

    def run(self, jobs: Sequence[Job]) -> Generator[Event, None, None]:
        """Do the jobs; one whose worker dies is done again, as often as RETRIES says."""


Watch = Callable[[int, int, Sequence[Job]], None]  # finished, all, those known to be running


def run_jobs(jobs: Sequence[Job], pool: Pool, watch: Watch) -> list[Outcome]:
    """The outcomes of all jobs, in their order. What is finished is not run again; one that fails stops no other."""
    outcomes = {job: Outcome(job) for job in jobs if is_finished(job)}
    running: list[Job] = []
    watch(len(outcomes), len(jobs), tuple(running))
    with contextlib.closing(pool.run([job for job in jobs if job not in outcomes])) as events:
        for job, outcome in events:
            if outcome is None:
                running.append(job)
            else:
                outcomes[job] = outcome
                running = [other for other in running if other != job]
            watch(len(outcomes), len(jobs), tuple(running))
    return [outcomes[job] for job in jobs]


def is_finished(job: Job) -> bool:
    """Whether its folder holds this very job, done."""
    try:
        run = Run(job.folder)
        config = run.config
        same = all(getattr(config, name) == getattr(job, name) for name in DECISIVE)
        return same and run.status.state == "done"
    except FileError:
        return False  # not there yet, or not as it should be: training it will say why


def do(job: Job) -> str:
    """Train the run of a job, or go on with it; what went wrong, if anything. Ctrl-C and SIGTERM get through."""
    try:
        Path(job.folder).parent.mkdir(parents=True, exist_ok=True)
        mccfr.train(**{field.name: getattr(job, field.name) for field in dataclasses.fields(job)})
    except MccfrError as error:
        return " ".join(str(error).split())
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {place.filename}, line {place.lineno}: {' '.join(str(error).split())}"
    return ""
