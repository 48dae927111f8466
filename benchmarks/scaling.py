"""What several workers are worth: throughput, and exploitability after equal time, for every parallel mode.

    python benchmarks/scaling.py                                   # leduc, goofspiel(n=6); 1 and 2 workers; 10 s each
    python benchmarks/scaling.py leduc --workers 1,2,16 --seconds 60 --out scaling.jsonl

Cells that need few cores run side by side, each pinned to cores of its own. Ratios are to one worker of the plain walk.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

MODES = ("replicas", "batch", "shared", "locked")


def measure(game: str, method: str, mode: str, workers: int, seconds: float, seed: int) -> dict:
    """One cell, in this process."""
    import mccfr

    tree = mccfr.compile(game)
    solver = mccfr.Solver(tree, method, seed, workers=workers, parallel=mode)
    solver.run(1)  # compiles
    solver = mccfr.Solver(tree, method, seed, workers=workers, parallel=mode)
    solver.run(seconds=seconds)
    return {
        "game": game, "method": str(solver.method), "mode": mode if mode != "auto" else "plain", "workers": workers,
        "entries": tree.infosets.entries, "seconds": solver.seconds, "iterations": solver.iterations,
        "rate": solver.iterations / solver.seconds, "nodes_per_second": solver.touched / solver.seconds,
        "exploitability": solver.exploitability(),
    }  # fmt: skip


def cells(games: list[str], workers: list[int], method: str) -> list[tuple[str, str, str, int]]:
    """Every game: the plain walk, then each mode with each number of workers."""
    return [
        (game, method, mode, count)
        for game in games
        for mode in ("auto", *MODES)
        for count in (workers if mode != "auto" else [1])
    ]


def run_all(wanted: list[tuple[str, str, str, int]], seconds: float, seed: int, cores: list[int]):
    """Start cells while there are cores free; yield results as they come."""
    free, running, waiting = list(cores), {}, sorted(wanted, key=lambda cell: (cell[0], cell[3]))
    while waiting or running:
        while waiting and min(waiting[0][3], len(cores)) <= len(free):
            cell = waiting.pop(0)
            taken = [free.pop() for _ in range(min(cell[3], len(cores)))]
            pinned = ["taskset", "-c", ",".join(map(str, taken))]
            command = [sys.executable, __file__, "--cell", json.dumps([*cell, seconds, seed])]
            running[subprocess.Popen([*pinned, *command], stdout=subprocess.PIPE, text=True)] = taken
        done = next(iter(running))
        output, _ = done.communicate()
        free += running.pop(done)
        yield json.loads(output)


def show(results: list[dict]) -> None:
    """One line a cell, with its ratio to the plain walk of the same game."""
    plain = {r["game"]: r for r in results if r["mode"] == "plain"}
    print(f"{'game':18}{'mode':10}{'workers':>8}{'it/s':>12}{'ratio':>8}{'Mnodes/s':>10}{'exploitability':>16}")
    for r in sorted(results, key=lambda r: (r["game"], r["workers"], r["mode"] != "plain")):
        ratio = r["rate"] / plain[r["game"]]["rate"]
        print(
            f"{r['game']:18}{r['mode']:10}{r['workers']:8}{r['rate']:12,.0f}{ratio:8.2f}"
            f"{r['nodes_per_second'] / 1e6:10.1f}{r['exploitability']:16.5f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["leduc", "goofspiel(n=6)"])
    parser.add_argument("--method", default="external")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="append every result to this file, one JSON object a line")
    parser.add_argument("--cell", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.cell:
        print(json.dumps(measure(*json.loads(asked.cell))))
        return
    workers = [int(word) for word in asked.workers.split(",")]
    cores = sorted(os.sched_getaffinity(0))
    results = []
    for result in run_all(cells(asked.games, workers, asked.method), asked.seconds, asked.seed, cores):
        results.append(result)
        if asked.out:
            with Path(asked.out).open("a") as file:
                file.write(json.dumps(result) + "\n")
    show(results)


if __name__ == "__main__":
    main()
