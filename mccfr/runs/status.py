"""How a run is doing, for others to see: `status.json`, written about once a second."""

import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mccfr.files.container import atomic
from mccfr.runs.lock import is_locked


class Status(NamedTuple):
    """State: "new", "running", "done", "stopped" (cleanly, before its end) or "died" (without a word)."""

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


def write_status(path: Path, status: Status) -> None:
    """Sign and date a status and write it."""
    updated = datetime.now(UTC).isoformat(timespec="seconds")
    signed = status._replace(pid=os.getpid(), host=socket.gethostname(), updated=updated)
    with atomic(path) as stream:
        stream.write(json.dumps(signed._asdict(), indent=1).encode() + b"\n")


def read_status(path: Path, lock: Path) -> Status:
    """As written; "running" by nobody is "died". What cannot be read tells nothing."""
    try:
        found = json.loads(path.read_bytes())
        status = Status(**{name: found[name] for name in Status._fields if name in found})
    except (OSError, ValueError, TypeError):
        status = Status()
    if is_locked(lock):
        return status._replace(state="running")
    return status._replace(state="died", left=None) if status.state == "running" else status
