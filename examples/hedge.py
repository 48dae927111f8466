"""A minimiser of your own: exponential weights, sigma(a) ~ exp(eta R(a) / sqrt(t)). [Freund and Schapire 1997]

mccfr --use examples/hedge.py solve kuhn --method "external+hedge(eta=3)" --iterations 100000
"""

import dataclasses
import math
from typing import NamedTuple

import mccfr
from mccfr.kernel import minimisers


class Hedge(NamedTuple):
    """Exponential weights with a falling rate."""

    eta: float = 1.0


minimisers.pace.register(Hedge)(lambda minimiser, t: (minimiser.eta / math.sqrt(t), 0.0))


@minimisers.absorb.register(Hedge)
def _(minimiser, table, o, k, v, g, value, w, scales):
    best = -math.inf
    for a in range(k):
        table.regret[o + a] += w * (v[g + a] - value)
        best = max(best, table.regret[o + a])
    total = 0.0
    for a in range(k):
        table.current[o + a] = math.exp(scales[0] * (table.regret[o + a] - best))
        total += table.current[o + a]
    minimisers.match(table, o, k, total)


@mccfr.part(Hedge)
def hedge(method: mccfr.Method, eta: float = 1.0) -> mccfr.Method:
    """Exponential weights instead of regret matching."""
    return dataclasses.replace(method, minimiser=Hedge(float(eta)))


if __name__ == "__main__":
    print("iterations  external  external+hedge(eta=3)")
    solvers = [mccfr.Solver("kuhn", text, seed=1) for text in ("external", "external+hedge(eta=3)")]
    for more in (1_000, 9_000, 90_000, 900_000):
        matched, hedged = (solver.run(more).exploitability() for solver in solvers)
        print(f"{solvers[0].iterations:10,}  {matched:8.4f}  {hedged:8.4f}")
