"""Running jobs over processes. What is finished is kept, one JSON line per job, and not run again."""

import json
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from mccfr.errors import FileError
from mccfr.papers.figure import Done, Job

KEPT = "jobs.jsonl"

Watch = Callable[[int, int], None]


def run_jobs(jobs: list[Job], folder: Path, workers: int, fresh: bool, watch: Watch) -> list[Done]:
    """All jobs done, in their order; results do not depend on the number of workers. watch(finished, all)."""
    kept = folder / KEPT
    if fresh:
        kept.unlink(missing_ok=True)
    known = _read(kept)
    missing = [job for job in jobs if job.key not in known]
    watch(len(jobs) - len(missing), len(jobs))
    with kept.open("a") as file:
        for job, done in _in_processes(missing, workers) if workers > 1 else _here(missing):
            known[job.key] = done
            file.write(json.dumps({"key": job.key, "seconds": round(done.seconds, 3), "result": done.result}) + "\n")
            file.flush()
            watch(sum(job.key in known for job in jobs), len(jobs))
    return [known[job.key]._replace(arguments=job.arguments) for job in jobs]


def _do(job: Job) -> Done:
    began = time.perf_counter()
    result = job.work(**job.arguments)
    return Done(job.arguments, result, time.perf_counter() - began)


def _read(kept: Path) -> dict[str, Done]:
    """Finished jobs by key. A last line cut short by a crash does not count."""
    known: dict[str, Done] = {}
    text = kept.read_text() if kept.exists() else ""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            known[entry["key"]] = Done({}, entry["result"], entry["seconds"])
        except (ValueError, TypeError, KeyError):
            if number < len(lines):
                raise FileError(
                    f"{kept}, line {number} is not a finished job: delete it, or run with --fresh"
                ) from None
    if text and not text.endswith("\n"):
        kept.write_text("".join(f"{line}\n" for line in lines if line.endswith("}")))
    return known


def _here(jobs: list[Job]) -> Iterator[tuple[Job, Done]]:
    for job in jobs:
        yield job, _do(job)


def _in_processes(jobs: list[Job], workers: int) -> Iterator[tuple[Job, Done]]:
    """Results as they come. Stopped half-way, the jobs under way are given up."""
    context = multiprocessing.get_context("spawn")  # forked Numba threads may hang
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(min(workers, max(len(jobs), 1)), context, _leave_ctrl_c_to_the_parent) as pool:
        try:
            waiting = {pool.submit(_do, job): job for job in jobs}
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
            raise


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
