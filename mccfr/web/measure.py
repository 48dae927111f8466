"""Why sample? Measured while one waits: nodes and seconds until exploitability is below a target."""

from collections.abc import Callable
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


NOTE = (
    "Measured just now with one seed on this machine. A sweep counts as touching every node once for each player. It "
    "runs on the sequence form and needs far less time per node than a walk, so the results in nodes and in seconds "
    "differ."
)


def races(seed: int, stopped: Callable[[], bool], tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """All races, one after the other; `tell` hears of every measurement."""
    rows: list[dict[str, Any]] = []
    for game, target in RACES:
        for text in METHODS:
            race(game, target, text, seed, rows, stopped, lambda: tell(_answer(seed, rows, False)))
    return _answer(seed, rows, True)


def _answer(seed: int, rows: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    note = NOTE if done else f"{rows[-1]['game']}, {rows[-1]['method']}: {rows[-1]['iterations']:,} iterations ..."
    return {"type": "measured", "done": done, "seed": seed, "rows": [dict(row) for row in rows], "note": note}


def race(
    game: str,
    target: float,
    text: str,
    seed: int,
    rows: list[dict[str, Any]],
    stopped: Callable[[], bool],
    tell: Callable[[], None],
) -> None:
    """One method on one game; its row is added, and kept up to date."""
    scene, method = scene_of(game), Method.parse(text)
    kind = "sampled" if method.samples else "full"
    row: dict[str, Any] = {"game": game, "nodes": len(scene.tree), "target": target, "method": text, "kind": kind}
    rows.append(row)

    def watch(reached: Progress) -> None:
        found = reached.exploitability
        counts = {"iterations": reached.iterations, "touched": reached.touched, "seconds": reached.seconds}
        row.update(counts, exploitability=found, reached=found is not None and found <= target)
        tell()

    def check() -> None:
        if stopped():
            raise Interrupted("the measurement was stopped")

    check()
    Lane(scene, method, seed).solver.run(10**9, target, watch, PATIENCE, check)
