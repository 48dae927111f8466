"""A sampler of your own: each own action is visited with probability max(p, sigma(a)).

mccfr --use examples/coin_sampler.py solve leduc --method "coin(p=0.3)+rm_plus+linear" --iterations 100000
"""

from typing import NamedTuple

import mccfr
from mccfr.kernel import samplers


class Coin(NamedTuple):
    """Each own action by its own coin, which favours what is played."""

    p: float = 0.5


samplers.draws.register(Coin)(lambda sampler: samplers.EACH)
samplers.law.register(Coin)(lambda sampler, n, table, sigma, x: max(sampler.p, sigma))


@mccfr.recipe(Coin)
def coin(p: float = 0.5) -> mccfr.Method:
    """Each own action with probability max(p, sigma)."""
    return mccfr.Method(Coin(float(p)))


if __name__ == "__main__":
    for text in ("coin(p=1)", "coin(p=0.5)", "coin(p=0.3)", "coin(p=0.1)"):
        solver = mccfr.solve("leduc", text, iterations=100_000, seed=1)
        nodes = solver.touched / solver.iterations
        print(f"{text:11}  {nodes:4.1f} nodes per iteration, exploitability {solver.exploitability():.3f}")
