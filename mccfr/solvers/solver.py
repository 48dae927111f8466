"""A solver: a tree, a method, a seed, and the tables they fill."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.evaluate.exact import Evaluator
from mccfr.games.base import Game
from mccfr.solvers.auto import choose_method
from mccfr.solvers.engines import LPEngine, SweepEngine, WalkEngine
from mccfr.solvers.method import LinearProgramme, Method
from mccfr.solvers.prepare import compile as compile_game
from mccfr.strategy.strategy import Origin, Strategy, normalised
from mccfr.tree.tree import Tree

CHUNK_SECONDS = 0.1  # between two looks at the clock and at Ctrl-C


class Progress(NamedTuple):
    """What a solver tells its watcher."""

    iterations: int
    seconds: float
    exploitability: float | None


class Solver:
    """Runs a method on a game. `run(50); run(50)` leaves exactly the arrays of `run(100)`."""

    def __init__(
        self,
        game: "str | Game | Tree",
        method: str | Method = "auto",
        seed: int = 0,
        memory_limit: str | float | None = None,
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
            raise MethodError(f"seed must be a whole number from 0 to 2^63 - 1, got {seed!r}")
        self._chosen = None if method == "auto" else Method.parse(method)  # before any work: a typo costs no time
        self.tree = compile_game(game, memory_limit)
        self.reason = ""
        if self._chosen is None:
            self._chosen, self.reason = choose_method(self.tree)
        self.method: Method = self._chosen
        self.seed = seed
        self.seconds = 0.0
        self.history: list[Progress] = []
        self._engine = _engine(self.tree, self.method, seed)
        self._evaluator: Evaluator | None = None

    @property
    def iterations(self) -> int:
        """Iterations done so far."""
        return int(self._engine.clock[0])

    def __repr__(self) -> str:
        return f"<Solver of {self.tree.game} by {self.method}: {self.iterations:,} iterations>"

    def run(
        self,
        iterations: int = 1000,
        target: float | None = None,
        watch: Callable[[Progress], None] | None = None,
    ) -> "Solver":
        """Do so many more iterations, or fewer if exploitability falls to the target first.

        Ctrl-C stops between two iterations and leaves the solver intact. `watch` is told of every measurement.
        """
        if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 0:
            raise MethodError(f"iterations must be a whole number from 0, got {iterations!r}")
        if target is not None and not target >= 0:
            raise MethodError(f"target must be an exploitability from 0, got {target!r}")
        end = self.iterations + iterations
        measure = target is not None or watch is not None
        for stop in _checkpoints(self.iterations, end) if measure else [end]:
            self._advance(stop)
            if measure:
                self._measure(watch)
                if target is not None and self.history[-1].exploitability <= target:  # type: ignore[operator]
                    break
            if isinstance(self.method.sampler, LinearProgramme):
                break
        return self

    def _advance(self, stop: int) -> None:
        """Up to iteration `stop`, in pieces short enough for Ctrl-C."""
        if isinstance(self.method.sampler, LinearProgramme):
            stop = 1
        self._engine.run(0)  # compiles the kernel, which is not counted as time spent solving
        piece = 1
        while self.iterations < stop:
            n = min(piece, stop - self.iterations)
            began = time.perf_counter()
            self._engine.run(n)
            took = time.perf_counter() - began
            self.seconds += took
            piece = max(1, int(n * CHUNK_SECONDS / took)) if took > 2 * CHUNK_SECONDS else 2 * n

    def _measure(self, watch: Callable[[Progress], None] | None) -> None:
        self.history.append(Progress(self.iterations, self.seconds, self.exploitability()))
        if watch is not None:
            watch(self.history[-1])

    def exploitability(self) -> float:
        """Of the average strategy, in the game's units: NashConv / 2."""
        if self._evaluator is None:
            self._evaluator = Evaluator(self.tree)
        return self._evaluator.nash_conv(self._engine.weights()) / 2

    def strategy(self) -> Strategy:
        """The average strategy: the one that converges to an equilibrium."""
        return self._strategy(self._engine.weights(), str(self.method))

    def current(self) -> Strategy:
        """The strategy of the last iteration; on its own it need not converge."""
        return self._strategy(self._engine.current(), f"{self.method} (current strategy)")

    def _strategy(self, weights: npt.NDArray[np.float64], method: str) -> Strategy:
        probabilities, visited = normalised(self.tree.infosets, weights)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        origin = Origin(self.tree.game, method, self.seed, self.iterations, package_version(), created)
        return Strategy(self.tree.infosets, probabilities, origin, visited, self.tree)

    @property
    def state(self) -> dict[str, Any]:
        """Everything the solver knows: a flat dict of arrays and numbers."""
        return {"iterations": self.iterations, "seconds": self.seconds, "seed": self.seed, **self._engine.state}


def _checkpoints(start: int, end: int) -> Iterator[int]:
    """Iterations at which exploitability is measured: every one up to 20, then 5 % apart, so that it costs little."""
    at = start
    while at < end:
        at = min(end, max(at + 1, int(at * 1.05)))
        yield at


def _engine(tree: Tree, method: Method, seed: int) -> SweepEngine | LPEngine | WalkEngine:
    if isinstance(method.sampler, LinearProgramme):
        return LPEngine(tree, method)
    return WalkEngine(tree, method, seed) if method.samples else SweepEngine(tree, method)


def package_version() -> str:
    """The installed version, or 'unknown' in a bare checkout."""
    try:
        return version("mccfr")
    except PackageNotFoundError:
        return "unknown"


def solve(
    game: "str | Game | Tree",
    method: str | Method = "auto",
    iterations: int = 1000,
    seed: int = 0,
    target: float | None = None,
    watch: Callable[[Progress], None] | None = None,
    memory_limit: str | float | None = None,
) -> Solver:
    """Solve a game: build a Solver and run it."""
    return Solver(game, method, seed, memory_limit).run(iterations, target, watch)
