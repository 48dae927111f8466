"""Re-solving in Leduc poker: what each gadget makes of good and bad strategies, and what look-aheads come to.

python benchmarks/resolving_leduc.py            # 30 positions after the card, solved exactly
python benchmarks/resolving_leduc.py --depth    # every decision, three actions ahead, without suits
"""

import sys
import time

import numpy as np

import mccfr
from mccfr.resolving.gadgets import GADGETS

BEFORE = ("check check", "check bet call", "check bet raise call", "bet call", "bet raise call")


def gadgets() -> None:
    """Exploitability before and after all positions below the card were solved again by linear programmes."""
    equilibrium = mccfr.solve("dealt:leduc", "cfr_plus", iterations=5000).strategy()
    infosets = equilibrium.infosets
    noise = infosets.normalised(np.random.default_rng(0).gamma(0.5, size=infosets.entries))[0]
    lines = [f"{line} {card}" for line in BEFORE for card in "JjQqKk"]
    print(f"{'noise':>6} {'before':>12} {'values':>8} " + " ".join(f"{gadget:>12}" for gadget in GADGETS))
    for share in (0.0, 0.3, 1.0):
        mixed = (1 - share) * equilibrium.probabilities + share * noise
        strategy = mccfr.Strategy(infosets, mixed, equilibrium.origin, tree=equilibrium.tree)
        for values in ("best", "average"):
            after = [mccfr.refine(strategy, lines, gadget, "lp", 1, values).strategy for gadget in GADGETS]
            told = " ".join(f"{mccfr.exploitability(each):12.7f}" for each in after)
            print(f"{share:6.1f} {mccfr.exploitability(strategy):12.7f} {values:>8} {told}", flush=True)


def look_aheads() -> None:
    """Exploitability of whole strategies by look-aheads of three actions with solved leaves."""
    print(f"{'iterations':>10} {'exploitability':>14} {'bounds':>16} {'evaluations':>12} {'seconds':>8}")
    for iterations in (20, 60, 200, 600):
        began = time.perf_counter()
        player = mccfr.Resolver("leduc(suits=False)", "cfr_plus", 3, leaves="solve(cfr_plus, 100)", budget=iterations)
        found = mccfr.exploitability(player.strategy())
        bounds = " ".join(f"{bound:.4f}" for bound in player.bounds)
        seconds = time.perf_counter() - began
        print(
            f"{iterations:10} {found:14.4f} {bounds:>16} {player.costs['evaluations']:12,} {seconds:8.1f}", flush=True
        )


if __name__ == "__main__":
    look_aheads() if "--depth" in sys.argv else gadgets()
