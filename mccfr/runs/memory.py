"""How much memory is free."""

import math
import os
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")


def available_memory() -> float:
    """Bytes that may be taken without others going short: of the machine, and of the container we may be in."""
    return min(_of_machine(), _of_container())


def _of_machine() -> float:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        try:
            return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (AttributeError, ValueError, OSError):  # neither Linux nor another Unix
            return math.inf


def _of_container() -> float:
    try:
        most = int((CGROUP / "memory.max").read_text())
        used = int((CGROUP / "memory.current").read_text())
        details = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
        return most - used + int(details.get("inactive_file", 0))
    except (OSError, ValueError):  # no limit
        return math.inf
