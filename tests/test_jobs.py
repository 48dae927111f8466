"""Jobs and pools: results and errors as they come, workers that die, and jobs that are stopped half-way."""

import contextlib
import dataclasses
import os
import signal
import time
from pathlib import Path

import pytest

from mccfr.errors import FileError, JobError
from mccfr.jobs.process_pool import ProcessPool
from mccfr.jobs.runner import DIED, Outcome, ThisProcess, run_jobs
from mccfr.papers.figure import Job
from mccfr.papers.kept_jobs import KEPT, do_or_recall


@dataclasses.dataclass(frozen=True)
class Division:
    """100 / n, after so many deaths."""

    n: int
    folder: str = ""
    deaths: int = 0
    workers: int = 1

    def do(self):
        tombs = len(list(Path(self.folder).glob("*.tomb"))) if self.deaths else 0
        if tombs < self.deaths:
            Path(self.folder, f"{tombs}.tomb").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if self.n < 0:
            raise FileError("not\nbelow 0")
        return 100 / self.n


@dataclasses.dataclass(frozen=True)
class Nap:
    """A long sleep that leaves a note if it is interrupted."""

    folder: str
    workers: int = 1

    def do(self):
        Path(self.folder, "asleep").touch()
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            Path(self.folder, "interrupted").touch()
            raise


def nobody(finished, total, running):
    """A watcher that does not care."""


@pytest.mark.parametrize("pool", [ThisProcess(), ProcessPool(2)], ids=["here", "processes"])
def test_results_are_kept_as_they_come_and_known_ones_not_asked_for(pool):
    jobs = [Division(n) for n in (1, 2, 0, 4)]
    kept, seen = [], []
    found = run_jobs(jobs, {jobs[2]: Outcome(jobs[2], "known")}, pool, lambda *news: seen.append(news), kept.append)
    assert [outcome.result for outcome in found] == [100.0, 50.0, "known", 25.0]
    assert [outcome.job for outcome in found] == jobs
    assert sorted(outcome.result for outcome in kept) == [25.0, 50.0, 100.0]
    assert (seen[0], seen[-1]) == ((1, 4, ()), (4, 4, ()))


def test_errors_are_one_line_and_stop_no_other(tmp_path):
    jobs = [Division(0), Division(-1), Division(5, str(tmp_path), 1), Division(5, str(tmp_path), 9), Division(2)]
    found = run_jobs(jobs, {}, ProcessPool(1), nobody)
    assert found[0].error.startswith(f"ZeroDivisionError in {__file__}, line ")
    assert [outcome.error for outcome in found[1:]] == ["not below 0", "", DIED, ""]
    assert [outcome.result for outcome in found] == [None, None, 20.0, None, 50.0]
    assert len(list(tmp_path.glob("*.tomb"))) == 3


def test_without_a_pool_errors_show_their_traceback():
    with pytest.raises(ZeroDivisionError):
        run_jobs([Division(0)], {}, ThisProcess(), nobody)


@pytest.mark.parametrize("patient", [True, False])
def test_jobs_under_way_are_stopped(patient, tmp_path):
    began = time.monotonic()
    with contextlib.closing(ProcessPool(1, patient).run([Nap(str(tmp_path))])) as events:
        next(events)
        while not (tmp_path / "asleep").exists():
            assert time.monotonic() < began + 30
            time.sleep(0.01)
    assert time.monotonic() < began + 30
    assert (tmp_path / "interrupted").exists() == patient


def halved(n):
    """The work of a figure's job."""
    if n % 2:
        raise ValueError(f"{n} is odd")
    return {"half": n // 2}


def test_a_failing_job_of_a_figure_is_told_and_the_others_are_kept(tmp_path):
    jobs = [Job(halved, {"n": n}) for n in (2, 3)]
    with pytest.raises(JobError, match=r"^halved\(n=3\) failed: ValueError in .*, line \d+: 3 is odd$"):
        do_or_recall(jobs, tmp_path, 2, False, nobody)
    with pytest.raises(ValueError, match="3 is odd"):
        do_or_recall(jobs, tmp_path, 1, False, nobody)
    assert len((tmp_path / KEPT).read_text().splitlines()) == 1
    assert [done.result for done in do_or_recall(jobs[:1], tmp_path, 2, False, nobody)] == [{"half": 1}]
