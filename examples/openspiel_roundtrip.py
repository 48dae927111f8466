"""Solve here, evaluate there, and back: strategies travel to and from OpenSpiel, which must be installed.

python examples/openspiel_roundtrip.py
"""

import pyspiel
from open_spiel.python.algorithms import exploitability

import mccfr


def main():
    ours = mccfr.solve("leduc(suits=False)", "cfr_plus", iterations=1000).strategy()
    policy = ours.to_openspiel()
    theirs = exploitability.exploitability(policy.game, policy)
    print(f"{policy.game}")
    print(f"exploitability of our strategy   by mccfr {mccfr.exploitability(ours):.12f}   by OpenSpiel {theirs:.12f}")

    back = mccfr.from_openspiel(policy, "leduc(suits=False)")
    print(f"there and back again             largest change of a strategy {ours.compare(back).largest:.1e}")

    solver = pyspiel.CFRSolver(pyspiel.load_game("kuhn_poker"))
    for _ in range(100):
        solver.evaluate_and_update_policy()
    imported = mccfr.from_openspiel(solver.tabular_average_policy(), "openspiel:kuhn_poker")
    same = mccfr.solve("openspiel:kuhn_poker", "cfr", iterations=100).strategy()
    print(f"100 iterations of CFR on Kuhn    by OpenSpiel {mccfr.exploitability(imported):.12f}", end="   ")
    print(f"by mccfr {mccfr.exploitability(same):.12f}")


if __name__ == "__main__":
    main()
