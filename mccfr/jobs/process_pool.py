"""A pool of local processes. Each does one job after another; one that dies is replaced."""

import multiprocessing
import threading
from collections import Counter, deque
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Generic

from mccfr.jobs.runner import DIED, RETRIES, J, Job, News, Outcome, attempt
from mccfr.signals import leave_ctrl_c_to_the_parent, stop_this_process

_SPAWN = multiprocessing.get_context("spawn")  # forked Numba threads may hang


class ProcessPool:
    """So many jobs at a time, each in a process of this machine. patient: whether stopped jobs may save themselves."""

    def __init__(self, size: int, patient: bool = True) -> None:
        self.size, self.patient = size, patient

    def run(self, jobs: Sequence[J]) -> News[J]:
        """Do the jobs in their order, as processes become free."""
        waiting, deaths = deque(jobs), Counter[J]()
        workers = [_Worker[J]() for _ in range(min(self.size, len(jobs)))]
        try:
            while waiting or any(worker.job for worker in workers):
                for worker in workers:
                    if waiting and worker.job is None:
                        yield worker.take(waiting.popleft())
                for worker in _with_news(workers):
                    job, outcome = worker.answer()
                    if outcome is None:
                        workers[workers.index(worker)] = _Worker()
                        deaths[job] += 1
                        if deaths[job] <= RETRIES:
                            waiting.appendleft(job)
                            continue
                    yield outcome or Outcome(job, error=DIED)
        finally:
            _end(workers, self.patient)


class _Worker(Generic[J]):
    """A process, the pipe to it, and the job it is at."""

    def __init__(self) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs,))
        self.process.start()
        theirs.close()  # so that its death ends the pipe
        self.job: J | None = None

    def take(self, job: J) -> J:
        """Give it a job."""
        self.job = job
        try:
            self.pipe.send(job)
        except OSError:
            pass  # it has died: `answer` will say so
        return job

    def answer(self) -> tuple[J, Outcome[J] | None]:
        """Its job and how that ended; None instead if the process is no more."""
        assert self.job is not None
        job, self.job = self.job, None
        try:
            return job, self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            return job, None


def _with_news(workers: list[_Worker[J]]) -> list[_Worker[J]]:
    """Those that have finished their job, or died over it; waits until there is one."""
    busy = [worker for worker in workers if worker.job]
    ready = wait([handle for worker in busy for handle in (worker.pipe, worker.process.sentinel)])
    return [worker for worker in busy if worker.pipe in ready or worker.process.sentinel in ready]


def _end(workers: list[_Worker[J]], patient: bool) -> None:
    """Stop what is under way, and wait until it has; a second Ctrl-C does not wait for that."""
    try:
        for worker in workers:
            worker.pipe.close()
            if worker.job:
                worker.process.terminate() if patient else worker.process.kill()
        for worker in workers:
            worker.process.join()
    except BaseException:
        for worker in workers:
            worker.process.kill()
        raise


def _serve(pipe: "Connection[Outcome[Job], Job]") -> None:
    """The life of a worker: jobs until the pipe ends."""
    leave_ctrl_c_to_the_parent()
    threading.Thread(target=_follow_the_parent, daemon=True).start()
    try:
        while True:
            pipe.send(attempt(pipe.recv()))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _follow_the_parent() -> None:
    """A killed parent cannot stop its jobs: they would go on and hold their folders."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    stop_this_process()
