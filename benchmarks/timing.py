"""What benchmarks share: contestants that take turns, CPU time, medians, tables in Markdown."""

import statistics
import time
from collections.abc import Callable, Iterable

Run = Callable[[int], object]


def seconds(run: Run, n: int) -> float:
    """CPU time of n iterations."""
    began = time.process_time()
    run(n)
    return time.process_time() - began


def rates(runs: dict[str, Run], piece: float = 0.12, rounds: int = 9) -> dict[str, float]:
    """Iterations per second of each contestant: medians over rounds in which each has its turn."""
    size = {name: _size(run, piece) for name, run in runs.items()}
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            found[name].append(size[name] / seconds(run, size[name]))
    return {name: statistics.median(values) for name, values in found.items()}


def _size(run: Run, piece: float) -> int:
    """How many iterations fill a piece of time, once the first ones (and the compiler) are through."""
    run(1)
    n = 16
    while (took := seconds(run, n)) < piece / 4:
        n *= 4
    return max(1, int(n * piece / took))


def print_table(head: list[str], rows: Iterable[list[str]], left: int = 1) -> None:
    print("\n| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if j < left else "--:" for j in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
