"""Ray, on the cluster at an address or on this machine: how it is reached, and a pool of its tasks."""

import contextlib
import io
import logging
import os
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mccfr.errors import FileError, MissingExtra
from mccfr.jobs.runner import DIED, RETRIES, J, News, Outcome, attempt

GRACE = 60.0  # seconds that jobs have for their last checkpoint when they are stopped
PATIENCE = 10.0  # seconds that a cluster has to answer
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent anywhere
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # as it will be in later versions, which is warned of otherwise
}


class RayPool:
    """Jobs as Ray tasks, each with as many processors as it has workers. All nodes must see the folders they use."""

    def __init__(self, address: str | None = None, processors: int | None = None) -> None:
        self.address, self.processors = address, processors

    def run(self, jobs: Sequence[J]) -> News[J]:
        """Hand all jobs to Ray, which does them where there is room, and again elsewhere if a worker or node dies."""
        if not jobs:
            return
        # Ray tells of workers that died on stdout, where the answer of a command goes.
        with contextlib.redirect_stdout(io.StringIO()), connected(self.address, self.processors) as ray:
            task = ray.remote(max_retries=RETRIES)(_attempt_there)
            waiting = {task.options(num_cpus=job.workers).remote(job, str(Path.cwd())): job for job in jobs}
            try:
                while waiting:
                    for reference in ray.wait(list(waiting), timeout=1.0)[0]:
                        yield _outcome(ray, reference, waiting.pop(reference))
            except BaseException:
                for reference in waiting:
                    ray.cancel(reference)
                ray.wait(list(waiting), num_returns=len(waiting), timeout=GRACE)
                raise


def _attempt_there(job: J, folder: str) -> Outcome[J]:
    os.chdir(folder)  # paths mean what they mean to the one who asked
    return attempt(job)


def _outcome(ray: Any, reference: Any, job: J) -> Outcome[J]:
    try:
        return Outcome(*ray.get(reference))
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError):
        return Outcome(job, error=DIED)
    except ray.exceptions.RayError as error:
        return Outcome(job, error=f"{type(error).__name__}: {' '.join(str(error).split())}")


@contextlib.contextmanager
def connected(address: str | None, processors: int | None = None) -> Iterator[Any]:
    """Ray: the cluster at an address, or one of its own on this machine (None)."""
    for name, setting in SETTINGS.items():
        os.environ.setdefault(name, setting)
    try:
        import ray
    except ImportError:
        raise MissingExtra("ray", "ray", "more than one machine") from None
    logging.getLogger("ray").setLevel(logging.ERROR)
    _require_answer(address)
    try:
        ray.init(
            address or "local",
            num_cpus=processors if address is None else None,
            include_dashboard=False if address is None else None,
            configure_logging=False,
            log_to_driver=False,
            runtime_env={"env_vars": _environment()},
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        where = f"no Ray cluster answers at {address}" if address else "Ray cannot be started here"
        raise FileError(f"{where}: {' '.join(str(error).split())}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _require_answer(address: str | None) -> None:
    """Ray itself would wait for minutes, and fill the screen, before it says that nobody is there."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():  # "auto", or something for Ray to judge
        return
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise FileError(f"no Ray cluster answers at {address}: {error}") from None


def _environment() -> dict[str, str]:
    """Workers find this very package, and the cache of its kernels and trees."""
    home = str(Path(__file__).parents[2])
    found = {"PYTHONPATH": os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH", "")]))}
    return found | {name: value for name, value in os.environ.items() if name.startswith(("MCCFR_", "NUMBA_"))}
