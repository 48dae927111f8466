"""Writes mccfr/web/method_costs.json, which the view Methods of the page shows: python docs/generate_method_costs.py.

Takes about a minute. `tests/test_method_pages.py` computes some of the numbers again.
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

import mccfr
from mccfr.web.method_pages import COSTS, wanted_costs

ITERATIONS, SEED = 1000, 1
EXACT = ("kuhn", "dealt:kuhn")  # games small enough for all outcomes of an iteration


def cost(game: str, method: str) -> dict[str, Any]:
    """Nodes of an iteration, the mean of the first 1,000; bytes of tables; variance, as `mccfr audit` prints it."""
    solver = mccfr.Solver(game, method, SEED).run(ITERATIONS)
    tables = sum(value.nbytes for value in solver.state.values() if isinstance(value, np.ndarray) and value.size > 8)
    return {"nodes": solver.touched / ITERATIONS, "bytes": tables, "variance": variance(game, method)}


def variance(game: str, method: str) -> float | None:
    """Of what one iteration adds to a regret, averaged over all of them; none where that is not computed exactly."""
    if not mccfr.Method.parse(method).samples:
        return 0.0
    return float(f"{mccfr.audit(game, method).rows[0].variance:.4g}") if game in EXACT else None


def all_costs() -> dict[str, dict[str, Any]]:
    """By game and method."""
    found: dict[str, dict[str, Any]] = {}
    for game, method in wanted_costs():
        found.setdefault(game, {})[method] = cost(game, method)
    return found


if __name__ == "__main__":
    COSTS.write_text(json.dumps(all_costs(), indent=1) + "\n")
