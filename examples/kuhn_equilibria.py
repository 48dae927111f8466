"""Kuhn poker has a whole line of equilibria: which one does a method find, and are they all equally good?

With alpha from 0 to 1/3, player 0 bets the jack with alpha, the king with 3 alpha, and calls with the queen with
alpha + 1/3. Player 1 has one equilibrium strategy. [Kuhn 1950]

    python examples/kuhn_equilibria.py
"""

from fractions import Fraction

import mccfr

THIRD = Fraction(1, 3)


def equilibrium(alpha):
    """How often to bet or call in each infoset, as a strategy of our game."""
    bets = {"J:": alpha, "Q:": 0, "K:": 3 * alpha, "J:c": THIRD, "Q:c": 0, "K:c": 1}
    calls = {"J:cb": 0, "Q:cb": alpha + THIRD, "K:cb": 1, "J:b": 0, "Q:b": THIRD, "K:b": 1}
    given = {label: {"check": float(1 - p), "bet": float(p)} for label, p in bets.items()}
    given |= {label: {"fold": float(1 - p), "call": float(p)} for label, p in calls.items()}
    return mccfr.from_dict("kuhn", given)


def report(name, strategy):
    alpha, king, queen = strategy["J:"]["bet"], strategy["K:"]["bet"], strategy["Q:cb"]["call"]
    value, exploitability = mccfr.expected_value(strategy), mccfr.exploitability(strategy)
    print(f"{name:<16} {alpha:8.4f} {king:8.4f} {queen:8.4f} {value:10.6f} {max(exploitability, 0):12.6f}")


def main():
    print(f"{'':<16} {'bet J':>8} {'bet K':>8} {'call Q':>8} {'value':>10} {'exploitable':>12}")
    for alpha in (Fraction(0), Fraction(1, 6), THIRD):
        report(f"alpha = {alpha}", equilibrium(alpha))
    for method in ("lp", "cfr", "cfr_plus", "lcfr", "dcfr", "pcfr_plus"):
        report(method, mccfr.solve("kuhn", method, iterations=10_000).strategy())
    report("uniform", mccfr.uniform("kuhn"))


if __name__ == "__main__":
    main()
