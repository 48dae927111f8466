"""Postflop spots to 0.5 % of the pot, beside the Rust program postflop-solver: time, iterations and memory.

    python benchmarks/spots.py                                   the four spots that both have solved
    python benchmarks/spots.py --only river --tables float64     one of them, with other tables
    python benchmarks/spots.py --only flop --workers 2           a flop: minutes
    python benchmarks/spots.py --methods cfr_plus,pdcfr_plus     iterations and time of other methods
    python benchmarks/spots.py --precision                       what float32 and 16-bit tables cost in accuracy
    python benchmarks/spots.py --after 1,10,100 --methods ...    exploitability after so many seconds instead

Wall clock, the fastest of `--rounds` rounds. Trees are built and kernels compiled before the clock starts; measuring
exploitability, every ten iterations as the other program does, is not counted. Its numbers were measured on two shared
AMD cores like those this was written on, quiet; it stores in float32, and so do we by default here.
"""

import argparse
import resource
import time
from pathlib import Path
from typing import Any, NamedTuple

import mccfr

EXAMPLES = Path(__file__).parent.parent / "examples"
EVERY = 10  # iterations between measurements


class Peer(NamedTuple):
    """What the Rust program takes: iterations, seconds with one and two threads, megabytes."""

    iterations: int
    one: float
    two: float
    megabytes: float


def spots() -> dict[str, tuple[Any, Peer | None]]:
    """The spots by name, as games, and what the other program takes."""
    river, turn, flop = (mccfr.game(str(EXAMPLES / f"{name}.toml")) for name in ("river", "turn", "flop"))
    pot = {"bet": "100%,a", "raise_": "100%,a", "force_allin": 0}
    return {
        "river": (river, Peer(100, 0.012, 0.014, 0.3)),
        "river, all 1081 hands": (changed(river, oop="all", ip="all"), Peer(90, 0.052, 0.052, 0.8)),
        "turn, pot and all-in": (changed(turn, **pot), Peer(90, 1.05, 0.52, 9.7)),
        "turn, 33 % and 75 %": (turn, Peer(100, 5.1, 2.5, 44)),
        "flop": (flop, None),
    }


def changed(game: Any, **parameters: Any) -> Any:
    """A spot with other parameters."""
    names = ("board", "pot", "stack", "oop", "ip", "bet", "raise_", "force_allin")
    return mccfr.spot(**{**{name: getattr(game, name) for name in names}, **parameters})


def solve(tree: Any, method: str, workers: int, target: float) -> tuple[int, float, float]:
    """Iterations and seconds to the target, in percent of the pot, and the exploitability reached."""
    solver = mccfr.Solver(tree, method, workers=workers)
    solver.run(0)
    while True:
        solver.run(EVERY)
        found = 100 * solver.exploitability() / tree.pot
        if found <= target or solver.iterations >= 2000:
            return solver.iterations, solver.seconds, found


def main() -> None:
    options = read_options()
    if options.precision:
        print_precision()
        return
    if options.after:
        print_curves(options)
        return
    timed = f"seconds to {options.target:g} %"
    print(f"| spot | method | workers | iterations | ms each | {timed} | the Rust program | ratio | tables, MB |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, (game, peer) in spots().items():
        if not name.startswith(options.only) or (name == "flop" and options.only != "flop"):
            continue
        began = time.perf_counter()
        tree = mccfr.compile(game)
        built = time.perf_counter() - began
        for method in options.methods.split(","):
            for workers in map(int, options.workers.split(",")):
                print(row(name, tree, method.replace(";", ","), workers, peer, options), flush=True)
        size = f"{tree.counts['nodes']:,} public nodes, {tree.infosets.entries:,} table entries"
        print(f"<!-- {name}: {size}, built in {built:.2f} s -->")
    print(f"<!-- most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB -->")


def print_precision() -> None:
    """Exploitability in percent of the pot after equal iterations, by how tables are kept."""
    known = spots()
    print("| tables | river, 100 / 600 iterations | turn, pot and all-in, 100 / 200 iterations |")
    print("|---|--:|--:|")
    for tables in ("float64", "float32", "int16"):
        cells = []
        for name, stops in (("river", (100, 600)), ("turn, pot and all-in", (100, 200))):
            tree = mccfr.compile(known[name][0])
            solver = mccfr.Solver(tree, f"dcfr(1.5,0,3)+{tables}")
            found = [solver.run(stop - solver.iterations).exploitability() for stop in stops]
            cells.append(" / ".join(f"{100 * each / tree.pot:.4f}" for each in found))
        print(f"| {tables} | " + " | ".join(cells) + " |", flush=True)


def print_curves(options: Any) -> None:
    """A row for every spot and method: exploitability, in percent of the pot, after so many seconds of solving."""
    times = [float(seconds) for seconds in options.after.split(",")]
    print("| spot | method | workers |" + "".join(f" {seconds:g} s |" for seconds in times))
    print("|---|---|--:|" + "--:|" * len(times))
    for name, (game, _) in spots().items():
        if not name.startswith(options.only):
            continue
        tree = mccfr.compile(game)
        for method in options.methods.replace(",", " ").replace(";", ",").split():
            for workers in map(int, options.workers.split(",")):
                cells = curve(tree, f"{method}+{options.tables}", workers, times)
                print(f"| {name} | {method} | {workers} | " + " | ".join(cells) + " |", flush=True)


def curve(tree: Any, method: str, workers: int, times: list[float]) -> list[str]:
    """Exploitability in percent of the pot at these times, with the iterations done."""
    solver = mccfr.Solver(tree, method, workers=workers)
    solver.run(0)
    found = []
    for seconds in times:
        solver.run(seconds=max(seconds - solver.seconds, 0.0))
        found.append(f"{100 * solver.exploitability() / tree.pot:.3g} ({solver.iterations:,})")
    return found


def row(name: str, tree: Any, method: str, workers: int, peer: Peer | None, options: Any) -> str:
    text = f"{method}+{options.tables}"
    runs = [solve(tree, text, workers, options.target) for _ in range(options.rounds if len(tree) < 10**5 else 1)]
    iterations, seconds, found = min(runs, key=lambda run: run[1])
    theirs = None if peer is None or options.target != 0.5 else (peer.one if workers == 1 else peer.two)
    entry = {"float64": 24, "float32": 12, "int16": 6}[options.tables]
    beside = "" if theirs is None or peer is None else f"{theirs:g} s, {peer.iterations} iterations"
    ratio = "" if theirs is None else f"{theirs / seconds:.2f}"
    cells = (name, method, workers, iterations, f"{1000 * seconds / iterations:.3g}", f"{seconds:.4g} ({found:.3f} %)")
    return "| " + " | ".join(map(str, (*cells, beside, ratio, f"{tree.infosets.entries * entry / 2**20:.1f}"))) + " |"


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="spots whose name begins like this; flop only if named")
    parser.add_argument("--methods", default="dcfr(1.5;0;3)", help="methods, with ; inside parentheses")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--tables", default="float32", choices=("float64", "float32", "int16"))
    parser.add_argument("--precision", action="store_true")
    parser.add_argument("--after", default="", help="seconds, separated by commas")
    parser.add_argument("--target", type=float, default=0.5, help="percent of the pot")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
