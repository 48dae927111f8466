"""Jobs, done by whatever pool of workers there is, and what becomes of them.

A pool is anything with `run(jobs)`: here is one that is no pool, `process_pool.py` has one of local processes and
`ray_pool.py` one of a Ray cluster.
"""

import contextlib
import traceback
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from mccfr.errors import MccfrError

RETRIES = 1  # of a job whose worker died under it
DIED = "its worker process was killed, and again when it was tried once more"


class Job(Hashable, Protocol):
    """A piece of work that depends on nothing but itself, so that any process can do it: it is pickled to get there."""

    @property
    def workers(self) -> int:
        """How many processors it keeps busy."""

    def do(self) -> Any:
        """Do it, in whatever process this is. The result is pickled on its way back."""


J = TypeVar("J", bound=Job)


class Outcome(NamedTuple, Generic[J]):
    """How a job ended: with a result, or with one line that says what went wrong."""

    job: J
    result: Any = None
    error: str = ""


News = Generator[J | Outcome[J], None, None]  # a job when it begins, its outcome when it has ended
Watch = Callable[[int, int, Sequence[Job]], None]  # finished, all, those known to be running


def nobody(finished: int, total: int, running: Sequence[Job]) -> None:
    """Nobody watches."""


class Pool(Protocol):
    """Workers that do jobs."""

    def run(self, jobs: Sequence[J]) -> News[J]:
        """Do the jobs; one whose worker dies is done again, as often as RETRIES says. Closing it stops them."""


class ThisProcess:
    """No pool at all: one job after another, right here. Errors are not caught, so that their traceback is seen."""

    def run(self, jobs: Sequence[J]) -> News[J]:
        """Do the jobs in their order."""
        for job in jobs:
            yield job
            yield Outcome(job, job.do())


def run_jobs(
    jobs: Sequence[J],
    known: Mapping[J, Outcome[J]],
    pool: Pool,
    watch: Watch,
    keep: Callable[[Outcome[J]], None] = lambda outcome: None,
) -> list[Outcome[J]]:
    """The outcomes of all jobs, in their order; one that fails stops no other.

    known: those that need not be done again. `keep` gets every other outcome as it comes, before `watch` is told.
    """
    outcomes, running = {**known}, dict[J, None]()
    watch(len(outcomes), len(jobs), ())
    with contextlib.closing(pool.run([job for job in jobs if job not in known])) as news:
        for item in news:
            if isinstance(item, Outcome):
                keep(item)
                outcomes[item.job] = item
                running.pop(item.job, None)
            else:
                running[item] = None
            watch(len(outcomes), len(jobs), tuple(running))
    return [outcomes[job] for job in jobs]


def attempt(job: J) -> Outcome[J]:
    """Do a job, and say in one line what went wrong, if anything. Ctrl-C and SIGTERM get through."""
    try:
        return Outcome(job, job.do())
    except MccfrError as error:
        return Outcome(job, error=" ".join(str(error).split()))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__} in {place.filename}, line {place.lineno}: {' '.join(str(error).split())}"
        return Outcome(job, error=text)
