"""How a run is doing, for others to see: `status.json`, written about once a second."""

import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mccfr.files.bounded import is_count, is_finite, parse_json, read_plain
from mccfr.files.container import atomic
from mccfr.runs.lock import is_locked

STATES = ("new", "running", "done", "stopped", "died")
DAMAGED = "damaged"  # the state of a run whose status it cannot have written itself


class Status(NamedTuple):
    """How a run is doing.

    Attributes:
        state: `"new"`, `"running"`, `"done"`, `"stopped"` (cleanly, before its end), `"died"` (crashed or was killed),
            or `"damaged"` if the status file makes no sense.
        iterations: Iterations done.
        seconds: Seconds of solving.
        exploitability: Exploitability when it was last measured, or None.
        touched: Nodes touched.
        rate: Iterations per second.
        left: Seconds to the end, or None if it cannot be foreseen.
        pid: The process that wrote the status.
        host: The machine it ran on.
        updated: When the status was written, as an ISO 8601 time.
        note: The last warning.
    """

    state: str = "new"
    iterations: int = 0
    seconds: float = 0.0  # of solving
    exploitability: float | None = None  # when last measured
    touched: int = 0
    rate: float = 0.0  # iterations a second
    left: float | None = None  # seconds, if the end can be foreseen
    pid: int = 0
    host: str = ""
    updated: str = ""
    note: str = ""  # the last warning


def _is_sound(status: Status) -> bool:
    """Whether a run can have written this."""
    counts = status.iterations, status.touched, status.pid
    optional = [number for number in (status.exploitability, status.left) if number is not None]
    numbers = status.seconds, status.rate, *optional
    words = status.state, status.host, status.updated, status.note
    if not (all(map(is_count, counts)) and all(map(is_finite, numbers)) and all(isinstance(w, str) for w in words)):
        return False
    dated = datetime.fromisoformat(status.updated) if status.updated else datetime.now(UTC)
    return status.state in STATES and dated.tzinfo is not None


def write_status(path: Path, status: Status) -> None:
    """Sign and date a status and write it."""
    updated = datetime.now(UTC).isoformat(timespec="seconds")
    signed = status._replace(pid=os.getpid(), host=socket.gethostname(), updated=updated)
    with atomic(path) as stream:
        stream.write(json.dumps(signed._asdict(), indent=1).encode() + b"\n")


def read_status(path: Path, lock: Path) -> Status:
    """As written; "running" by nobody is "died". One that is not there tells nothing, other nonsense is "damaged"."""
    try:
        found = parse_json(read_plain(path))
        status = Status(**{name: found[name] for name in Status._fields if name in found})
        status = status if _is_sound(status) else Status(DAMAGED)
    except FileNotFoundError:
        status = Status()
    except (OSError, ValueError, TypeError):
        status = Status(DAMAGED)
    if is_locked(lock):
        return status._replace(state="running")
    return status._replace(state="died", left=None) if status.state == "running" else status
