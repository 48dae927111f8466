"""The jobs of a figure. What is finished is kept, one JSON line per job, and not done again."""

import json
from pathlib import Path
from typing import Any

from mccfr.errors import FileError, JobError
from mccfr.jobs.process_pool import ProcessPool
from mccfr.jobs.runner import Outcome, ThisProcess, Watch, run_jobs
from mccfr.papers.figure import Done, Job

KEPT = "jobs.jsonl"


def do_stages(stages: list[list[Job]], folder: Path, workers: int, fresh: bool, watch: Watch) -> list[Done]:
    """All jobs of all stages, in their order; none begins before the stages before it are done."""
    jobs, total, done = list[Job](), sum(map(len, stages)), list[Done]()
    for stage in stages:
        jobs += stage
        done = do_or_recall(jobs, folder, workers, fresh, lambda finished, _, running: watch(finished, total, running))
        fresh = False
    return done


def do_or_recall(jobs: list[Job], folder: Path, workers: int, fresh: bool, watch: Watch) -> list[Done]:
    """All jobs done, in their order; results do not depend on the number of workers. One that fails stops all."""
    kept = folder / KEPT
    if fresh:
        kept.unlink(missing_ok=True)
    found = _read(kept)
    known = {job: Outcome(job, Done(job.arguments, *found[job.key])) for job in jobs if job.key in found}
    pool = ProcessPool(workers, patient=False) if workers > 1 else ThisProcess()
    with kept.open("a") as file:

        def keep(outcome: Outcome[Job]) -> None:
            if outcome.error:
                raise JobError(f"{outcome.job} failed: {outcome.error}")
            result, seconds = outcome.result.result, round(outcome.result.seconds, 3)
            file.write(json.dumps({"key": outcome.job.key, "seconds": seconds, "result": result}) + "\n")
            file.flush()

        return [outcome.result for outcome in run_jobs(jobs, known, pool, watch, keep)]


def _read(kept: Path) -> dict[str, tuple[dict[str, Any], float]]:
    """Results and seconds of finished jobs by key. A last line cut short by a crash does not count."""
    found = {}
    text = kept.read_text() if kept.exists() else ""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            found[entry["key"]] = entry["result"], entry["seconds"]
        except (ValueError, TypeError, KeyError, RecursionError):
            if number < len(lines):
                raise FileError(
                    f"{kept}, line {number} is not a finished job: delete it, or run with --fresh"
                ) from None
    if text and not text.endswith("\n"):
        kept.write_text("".join(f"{line}\n" for line in lines if line.endswith("}")))
    return found
