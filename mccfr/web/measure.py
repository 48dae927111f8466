"""Why sample? Measured while one waits: nodes and seconds until exploitability is below a target."""

from collections.abc import Callable, Iterator
from typing import Any

from mccfr.errors import MccfrError
from mccfr.solvers.method import Method
from mccfr.solvers.solver import Progress
from mccfr.web.admit import scene_of
from mccfr.web.lane import Lane

RACES = (("kuhn", 0.01), ("leduc", 0.1), ("goofspiel(5)", 0.02))  # games and targets, in the game's units
METHODS = ("cfr", "external")
PATIENCE = 20.0  # seconds of solving for each


class Interrupted(MccfrError):
    """The page has said stop."""


def races(seed: int, stopped: Callable[[], bool], tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """All races, one after the other; `tell` hears of every measurement."""
    return {"type": "measured", "seed": seed, "rows": list(_rows(seed, stopped, tell)), "note": NOTE}


NOTE = (
    "One seed, on this machine, now. A sweep counts as touching every node once for each player; it runs on the sequence "
    "form, which needs far less time for a node than a walk, so nodes and seconds tell different stories."
)


def _rows(seed: int, stopped: Callable[[], bool], tell: Callable[[dict[str, Any]], None]) -> Iterator[dict[str, Any]]:
    for game, target in RACES:
        scene = scene_of(game)
        for text in METHODS:
            lane = Lane(scene, Method.parse(text), seed)
            row = {"game": game, "nodes": len(scene.tree), "method": text, "target": target}

            def check() -> None:
                if stopped():
                    raise Interrupted("measuring was stopped")

            def watch(reached: Progress, row: dict[str, Any] = row) -> None:
                tell({"type": "progress", "what": "measure", **row, **_numbers(reached)})

            check()
            lane.solver.run(10**9, target, watch, PATIENCE, check)
            last = lane.solver.history[-1]
            assert last.exploitability is not None
            yield {**row, **_numbers(last), "reached": last.exploitability <= target}


def _numbers(reached: Progress) -> dict[str, Any]:
    return {
        "iterations": reached.iterations,
        "touched": reached.touched,
        "seconds": reached.seconds,
        "exploitability": reached.exploitability,
    }
