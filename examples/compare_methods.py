"""Exploitability of the exact methods side by side, iteration by iteration.

python examples/compare_methods.py                      # Leduc poker
python examples/compare_methods.py 'goofspiel(n=4)'     # any game string
"""

import sys

import mccfr

METHODS = ("cfr", "cfr+simultaneous", "cfr_plus", "lcfr", "dcfr", "pcfr_plus")
MILESTONES = (1, 10, 100, 1_000, 5_000)


def curve(tree, method):
    """Exploitability of the average strategy at each milestone; a solver goes on where it stopped."""
    solver = mccfr.Solver(tree, method)
    return [solver.run(stop - solver.iterations).exploitability() for stop in MILESTONES]


def main(game="leduc"):
    tree = mccfr.compile(game)
    print(tree)
    print(f"{'iterations':<18}" + "".join(f"{n:>12,}" for n in MILESTONES))
    start = mccfr.exploitability(mccfr.uniform(tree))
    for method in METHODS:
        print(f"{method:<18}" + "".join(f"{value:12.2e}" for value in curve(tree, method)))
    print(f"The uniform strategy has exploitability {start:.4f}; one iteration is one sweep for each player.")


if __name__ == "__main__":
    main(*sys.argv[1:2])
