"""A pool of Ray tasks: on the cluster at an address, or on a Ray of its own on this machine."""

import contextlib
import io
import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from mccfr.experiments.jobs import DIED, RETRIES, Event, Job, Outcome, do
from mccfr.runs.cluster import connected

GRACE = 60.0  # seconds that jobs have for their last checkpoint when they are stopped


class RayPool:
    """Jobs as Ray tasks, each with as many processors as the job has workers. Run folders must be seen by all nodes."""

    def __init__(self, address: str | None = None, processors: int | None = None) -> None:
        self.address, self.processors = address, processors

    def run(self, jobs: Sequence[Job]) -> Generator[Event, None, None]:
        """Hand all jobs to Ray, which does them where there is room, and again elsewhere if a worker or node dies."""
        if not jobs:
            return
        # Ray tells of workers that died on stdout, where the answer of a command goes.
        with contextlib.redirect_stdout(io.StringIO()), connected(self.address, self.processors) as ray:
            task = ray.remote(max_retries=RETRIES)(_do_there)
            waiting = {task.options(num_cpus=job.workers).remote(job, str(Path.cwd())): job for job in jobs}
            try:
                while waiting:
                    for reference in ray.wait(list(waiting), timeout=1.0)[0]:
                        job = waiting.pop(reference)
                        yield Event(job, Outcome(job, _error(ray, reference)))
            except BaseException:
                for reference in waiting:
                    ray.cancel(reference)
                ray.wait(list(waiting), num_returns=len(waiting), timeout=GRACE)
                raise


def _do_there(job: Job, folder: str) -> str:
    os.chdir(folder)  # paths mean what they mean to the one who asked
    return do(job)


def _error(ray: Any, reference: Any) -> str:
    try:
        return str(ray.get(reference))
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError):
        return DIED
    except ray.exceptions.RayError as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
