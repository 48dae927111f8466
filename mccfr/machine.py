"""How many processors this machine lends us."""

import os
from pathlib import Path


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def physical_cores() -> int:
    """How many of them do not share a core, where the system tells; else all."""
    if not hasattr(os, "sched_getaffinity"):
        return processors()
    siblings = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    try:
        return len({Path(siblings.format(cpu)).read_text() for cpu in os.sched_getaffinity(0)})
    except OSError:
        return processors()
