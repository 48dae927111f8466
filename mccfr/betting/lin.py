"""The betting of [Lin 2024]: 100 big blinds, few sizes, and re-raises that use later sizes only.

Before the flop a player may raise to 1, 2, 4, 8 or 16 big blinds; that 1 is a call of the big blind is our reading.
From the flop on sizes are 0.3, 0.5, 0.7, 1, 1.5 and 2 times the pot (the text; a figure has 0.33 and 0.67), of a raise
the pot as it is after calling. The paper speaks of going all-in but lists no such action: here a size that exceeds the
stack is all-in. `LIN_ALL_IN` offers it everywhere. A big blind has 100 chips, so that rounding matters little.
"""

from mccfr.betting.structures import NoLimit

PREFLOP, LATER = "2bb,4bb,8bb,16bb", "30%,50%,70%,100%,150%,200%"


def _lin(more: str) -> NoLimit:
    return NoLimit(stack=10_000, blinds="50 100", bet=LATER + more, increasing=True, preflop={"raise_": PREFLOP + more})


LIN = _lin("")
"""671,888 nodes; 32, 2286, 29,390 and 212,966 decisions before the flop, on the flop, the turn and the river."""

LIN_ALL_IN = _lin(",a")
"""696,806 nodes; 64, 2572, 31,004 and 219,340 decisions."""
