"""Full-width methods side by side: exploitability after equal numbers of iterations, the best of each row starred.

python benchmarks/full_width.py                             the table of docs/choosing-a-method.md
python benchmarks/full_width.py leduc spot.toml -n 50,200   other games, other numbers of iterations
python benchmarks/full_width.py nlph --methods dcfr,hs_dcfr --seconds
"""

import argparse
import time

import mccfr

METHODS = (
    *("cfr_plus", "lcfr", "dcfr", "dcfr_plus", "pcfr_plus", "pdcfr_plus", "sapcfr_plus"),
    *("hs_dcfr", "hs_pcfr_plus", "dcfr_restarts"),
)
GAMES = ("leduc", "goofspiel(n=4)", "goofspiel(n=5)", "bluff(1,1)", "gp(6,4,4,1,suits=False)", "nlph")


def reached(tree: mccfr.Tree, method: str, counts: list[int]) -> list[tuple[float, float]]:
    """Exploitability, and CPU seconds of the iterations, after each of these numbers of iterations."""
    solver, spent, found = mccfr.Solver(tree, method), 0.0, []
    solver.run(0)  # compiles
    for count in counts:
        begin = time.process_time()
        solver.run(count - solver.iterations)
        spent += time.process_time() - begin
        found.append((solver.exploitability(), spent))
    return found


def row(name: str, count: int, cells: list[tuple[float, float]], seconds: bool) -> str:
    best = min(value for value, _ in cells)
    texts = [f"{value:.1e}{'*' if value == best else ' '}" + f"{spent:8.3f} s" * seconds for value, spent in cells]
    return f"{name:26} {count:>10,}  " + "  ".join(f"{text:>13}" for text in texts)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("games", nargs="*", default=GAMES, help="games, as mccfr solve takes them")
    options.add_argument("--iterations", "-n", default="100,1000", help="numbers of iterations, separated by commas")
    options.add_argument(
        "--methods", default=",".join(METHODS), help="methods without commas inside, separated by commas"
    )
    options.add_argument("--seconds", action="store_true", help="also the CPU seconds of the iterations")
    given = options.parse_args()
    methods, counts = given.methods.split(","), sorted(map(int, given.iterations.split(",")))
    print(f"{'game':26} {'iterations':>10}  " + "  ".join(f"{method:>13}" for method in methods))
    for game in given.games:
        tree = mccfr.compile(game)
        columns = [reached(tree, method, counts) for method in methods]
        for number, count in enumerate(counts):
            print(row(game, count, [column[number] for column in columns], given.seconds), flush=True)


if __name__ == "__main__":
    main()
