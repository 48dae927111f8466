"""An estimator of your own: the same number as the baseline of everything. Any constant leaves the mean unchanged.

mccfr --use examples/constant_baseline.py audit kuhn --method "outcome+constant_baseline(b=0.5)"
"""

import dataclasses
from typing import NamedTuple

import mccfr
from mccfr.kernel import estimators


class ConstantBaseline(NamedTuple):
    """b(h, a) = b for player 0, -b for player 1."""

    b: float = 0.0


estimators.corrects.register(ConstantBaseline)(lambda estimator: True)
estimators.edge.register(ConstantBaseline)(lambda estimator, i, c: c)
estimators.guess.register(ConstantBaseline)(lambda estimator, i, e: estimator.b if i == 0 else -estimator.b)
estimators.learn.register(ConstantBaseline)(lambda estimator, i, e, y, ahead: None)
estimators.seen.register(ConstantBaseline)(lambda estimator, y, q, b: b + (y - b) / q)
estimators.unseen.register(ConstantBaseline)(lambda estimator, b, h, i, t, method, tree, table, work: b)


@mccfr.part(ConstantBaseline)
def constant_baseline(method: mccfr.Method, b: float = 0.0) -> mccfr.Method:
    """The same baseline everywhere."""
    return dataclasses.replace(method, estimator=ConstantBaseline(float(b)))


if __name__ == "__main__":
    print("Leduc with 100 chips for player 0 on top, by outcome sampling:")
    for text in ("outcome", *(f"outcome+constant_baseline(b={b})" for b in (50, 90, 100))):
        solver = mccfr.solve("leduc(shift=100)", text, iterations=100_000, seed=1)
        print(f"{text:32} exploitability {solver.exploitability():.3f}")
