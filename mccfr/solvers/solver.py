"""A solver: a tree, a method, a seed, and the tables they fill."""

import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.amounts import MOST, AmountError, amount, read_target, target_in_payoffs, target_text, whole_count
from mccfr.errors import MethodError, RangeError, TargetNotReached, quoted
from mccfr.evaluate.exact import Evaluator, evaluator_for
from mccfr.games.base import Game
from mccfr.gpu.device import checked_device
from mccfr.notebook import html_facts
from mccfr.signals import deferred_signals
from mccfr.solvers.auto import choose_method
from mccfr.solvers.choose_engine import engine_for
from mccfr.solvers.device_engine import place_iterations
from mccfr.solvers.method import AUTO, FullWidth, LinearProgramme, Method, PublicChance
from mccfr.solvers.prepare import compile as compile_game
from mccfr.solvers.soundness import require_sound
from mccfr.solvers.workers import choose_team, in_batches
from mccfr.strategy.strategy import Origin, Strategy, normalised
from mccfr.tree.tree import Tree
from mccfr.version import __version__

if TYPE_CHECKING:
    from mccfr.evaluate.abstract_values import AbstractEvaluator
    from mccfr.evaluate.street_values import StreetEvaluator
    from mccfr.evaluate.vector_values import VectorEvaluator
    from mccfr.solvers.parallel import Crew

CHUNK_SECONDS = 0.1  # between two looks at the clock and at Ctrl-C
GROWTH = 1.2  # from one measurement to the next
ROUNDING = 1e-14  # of the largest payoff: an exploitability that is 0 but for rounding
FREE_MEASURING = 2.0  # seconds that measuring may take before it is thinned out


class Progress(NamedTuple):
    """One measurement of a running solver, as passed to `watch` and kept in `Solver.history`.

    Attributes:
        iterations: Iterations done so far.
        seconds: Seconds spent solving so far; compiling kernels and measuring are not counted.
        exploitability: Exploitability of the average strategy (NashConv / 2), in the game's units; None if it was
            not measured.
        touched: Nodes touched so far. A full-width iteration touches every node once for each player.

    Examples:
        >>> import mccfr
        >>> solver = mccfr.solve("kuhn", "cfr_plus", iterations=10, watch=lambda progress: None)
        >>> [measured.iterations for measured in solver.history]
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    """

    iterations: int
    seconds: float
    exploitability: float | None
    touched: int = 0


class Solver:
    """A method working on a game: the tables it fills, and the iterations that fill them.

    `run` can be called as often as you like: `run(50)` twice leaves exactly the arrays of `run(100)`.
    `mccfr.solve` builds a solver and runs it in one call.

    Args:
        game: A game string such as `"leduc"`, a `Game`, or a compiled `Tree`.
        method: A method string such as `"external+linear"`, or a `Method`. `"auto"` picks a method for the
            game's size; `reason` says why.
        seed: Seed of the random numbers, a whole number from 0 to 2^63 - 1. The same seed gives the same
            arrays again, wherever `reproducible` is true.
        memory_limit: The most memory that compiling the game may take, as bytes or as `"8GB"`. By default the
            environment variable `MCCFR_MEMORY_LIMIT`, or else half of the machine's memory.
        workers: Threads that share the walks of a sampled method, or the branches of a large public tree; 0 takes
            one per core.
        parallel: How workers share the walks: `"replicas"`, `"batch"`, `"shared"`, `"locked"`, or `"auto"` for
            the one that suits the game. docs/runs.md describes them.
        crew: Carries out the batches of `parallel="batch"` somewhere else, such as on a Ray cluster; called with
            the engine. By default threads of this process do.
        device: Where iterations are made: `"cpu"`, `"gpu"` (needs an NVIDIA GPU and the extra `mccfr[gpu]`), or
            `"auto"` for the GPU where there is one and it pays. docs/gpu.md says which methods have a form for it.

    Attributes:
        tree: The compiled game.
        method: The method in use: the one given or chosen, with the batch size that `parallel="batch"` adds.
        reason: Why `"auto"` decided as it did, for the method and for the parallel mode, or why only one worker is
            in use; often empty.
        seed: The seed.
        workers: The number of workers in use.
        parallel: The parallel mode in use; empty if no walks are shared.
        device: Where iterations are made: `"cpu"` or `"gpu"`.
        placement: On a GPU, which one and how many walks are in flight; why `"auto"` took the CPU; otherwise empty.
        seconds: Seconds spent solving so far. Compiling kernels and measuring are not counted.
        history: The measurements so far, if `run` was given a target or someone to watch.
        reached: Whether the last run reached its target; None if it had none.
        engine: The tables and the kernel that fills them.

    Raises:
        MethodError: If the method, the seed, the workers or the parallel mode make no sense, alone or together.
        GameError: If the game string or the game itself is wrong.
        TreeError: If the game needs more memory than allowed, or has more players than the method takes.
        DeviceError: If there is no GPU, or too little memory on it.

    Examples:
        >>> import mccfr
        >>> solver = mccfr.Solver("kuhn", "external", seed=1)
        >>> solver.run(500).run(500)
        <Solver of kuhn by external: 1,000 iterations>
        >>> print(f"{solver.exploitability():.4f}")
        0.0299
    """

    def __init__(
        self,
        game: "str | Game | Tree",
        method: str | Method = "auto",
        seed: int = 0,
        memory_limit: str | float | None = None,
        workers: int = 1,
        parallel: str = "auto",
        crew: "Callable[[Any], Crew] | None" = None,
        device: str = "cpu",
    ) -> None:
        seed = whole_count("seed", seed, 0, MOST)
        device = checked_device(device)
        self._chosen = None if _is_auto(method) else Method.parse(method)  # before any work: a typo costs no time
        self.tree = compile_game(game, memory_limit)
        self.reason = ""
        if self._chosen is None:
            self._chosen, self.reason = choose_method(self.tree)
        if not isinstance(self._chosen.sampler, FullWidth | PublicChance):
            self.tree = self.tree.laid_out
        self.device, self.placement = self._placed(device, workers, parallel)
        team = choose_team(self.tree, self._chosen, workers, parallel)
        self.method: Method = in_batches(self._chosen, self.tree) if team.mode == "batch" else self._chosen
        self.workers, self.parallel = team.workers, team.mode
        self.reason = "; ".join(filter(None, (self.reason, team.reason)))
        self.seed = seed
        self.seconds = 0.0
        self.history: list[Progress] = []
        self.reached: bool | None = None  # whether the last run came to its target; None if it had none
        self.engine = engine_for(self.tree, self.method, seed, team, crew, self.device)
        self.placement = getattr(self.engine, "told", self.placement)
        self._piece = 0  # iterations that take about CHUNK_SECONDS, once known
        self._evaluator: Evaluator | VectorEvaluator | StreetEvaluator | AbstractEvaluator | None = None
        self._measuring = 0.0

    def _placed(self, device: str, workers: int, parallel: str) -> tuple[str, str]:
        """Where iterations are made, and why there."""
        assert self._chosen is not None
        if device == "cpu":
            return "cpu", ""
        if workers != 1 or parallel != "auto":
            raise MethodError(
                "workers share walks on the CPU, and a GPU makes them all: leave workers and parallel out"
            )
        return place_iterations(self.tree, self._chosen, device)

    @property
    def iterations(self) -> int:
        """Iterations done so far."""
        return int(self.engine.clock[0])

    @property
    def note(self) -> str:
        """A caveat about the result; empty unless a linear programme could not be solved exactly."""
        return self.engine.note

    @property
    def reproducible(self) -> bool:
        """Whether the same seed gives the same arrays again. False where workers write to one table in any order."""
        return self.device == "cpu" and (self.workers == 1 or self.parallel not in ("shared", "locked"))

    def __repr__(self) -> str:
        return f"<Solver of {self.tree.game} by {self.method}: {self.iterations:,} iterations>"

    def _repr_html_(self) -> str:
        """For notebooks: what is known without any computation."""
        last = self.history[-1] if self.history else None
        measured = last.exploitability if last is not None and last.iterations == self.iterations else None
        facts = (("game", self.tree.game), ("method", str(self.method)), ("seed", self.seed))
        reached = None if self.reached is None else "yes" if self.reached else "no"
        return html_facts(
            "Solver",
            (*facts, ("iterations", self.iterations), ("seconds", round(self.seconds, 3)),
             ("nodes touched", self.touched), ("exploitability", measured),
             ("target reached", reached), ("note", self.note or None)),
        )  # fmt: skip

    @property
    def touched(self) -> int:
        """Nodes touched so far.

        Walks count the nodes they visit; a full-width iteration touches every node once for each player.
        """
        return self.engine.touched

    def run(
        self,
        iterations: int | None = None,
        target: float | str | None = None,
        watch: Callable[[Progress], None] | None = None,
        seconds: float | None = None,
        pause: Callable[[], None] | None = None,
    ) -> "Solver":
        """Run more iterations.

        The run ends at the first of `iterations`, `target` and `seconds` that is reached. Ctrl-C ends it too; the
        solver stays intact and can go on.

        Args:
            iterations: How many more iterations to do. Without it, 1000, or as many as fit if `seconds` is given.
            target: Stop once exploitability is this low, in the game's units or, as `"0.5%"`, in percent of the pot.
                Exploitability is then measured on the way: at each of the first ten iterations, then at steps of 20 %.
            watch: Called with the `Progress` of every measurement.
            seconds: Stop after this many more seconds of solving.
            pause: Called about ten times a second between two iterations, when `state` may be read. An exception
                that it raises ends the run.

        Returns:
            The solver itself, so that calls can be chained.

        Raises:
            MethodError: If `iterations`, `target` or `seconds` is not a number from 0, or the target is a percentage
                of the pot and the game has none.
            RangeError: If the tables hold numbers that are not finite.

        Warns:
            TargetNotReached: If the run ends above `target`; `reached` is then False.

        Examples:
            >>> import mccfr
            >>> solver = mccfr.Solver("kuhn", "cfr_plus")
            >>> solver.run(iterations=10_000, target=0.001)
            <Solver of kuhn by cfr_plus: 126 iterations>
        """
        self.advance(iterations, target, watch, seconds, pause)
        self.warn_if_missed(target)
        return self

    def warn_if_missed(self, target: float | str | None) -> None:
        """Warn that the last run ended above its target, if it did.

        The warning, `TargetNotReached`, points at the code that called the caller of this method.

        Args:
            target: The exploitability that was asked for.
        """
        if self.reached is False and self.history and target is not None:
            found = f"{self.history[-1].exploitability:.6g} after {self.iterations:,} iterations"
            wanted = f"target {target_text(target)} not reached"
            text = f"{self.tree.game} by {self.method}: {wanted}, exploitability is {found}"
            warnings.warn(text, TargetNotReached, stacklevel=3)

    def advance(
        self,
        iterations: int | None = None,
        target: float | str | None = None,
        watch: Callable[[Progress], None] | None = None,
        seconds: float | None = None,
        pause: Callable[[], None] | None = None,
    ) -> None:
        """Run as `run` does, without a warning if the target is missed: the caller looks at `reached`.

        Args:
            iterations: How many more iterations to do.
            target: Stop once exploitability is this low, in the game's units or in percent of the pot.
            watch: Called with the `Progress` of every measurement.
            seconds: Stop after this many more seconds of solving.
            pause: Called about ten times a second between two iterations.
        """
        for name, function in (("watch", watch), ("pause", pause)):
            if function is not None and not callable(function):
                raise MethodError(f"{name} must be a function, got {quoted(function)}")
        end = self.iterations + _whole(iterations, seconds)
        limit = math.inf if seconds is None else self.seconds + amount("seconds", seconds)
        goal = -1.0 if target is None else self.goal(target)
        before, self.reached = len(self.history), None
        measure = target is not None or watch is not None
        stops: Iterable[float] = measuring_points(self.iterations, end) if measure else [end]
        for stop in stops:
            if stop <= self.iterations and self.iterations:  # a whole batch went past it
                continue
            self._advance(stop, limit, pause)
            over = self.seconds >= limit or self.iterations >= end or isinstance(self.method.sampler, LinearProgramme)
            if measure and (over or target is not None or self._affordable()):
                self._measure(watch, target is not None)
                self.reached = None if target is None else self._is_reached(goal)
                over = over or bool(self.reached and self.history[-1].exploitability <= goal)  # type: ignore[operator]
            if over:
                break
        if len(self.history) == before:
            self.reached = None  # nothing was measured: there is nothing to judge
        self.check_finite()

    def goal(self, target: float | str) -> float:
        """Read a target: a number in the game's payoffs, or a percentage of its pot.

        Args:
            target: The target, such as `0.01` or `"0.5%"`.

        Returns:
            The exploitability to reach, in the game's payoffs.

        Raises:
            MethodError: If it is neither, or a percentage and the game has no pot.
        """
        try:
            found = read_target(target)
        except AmountError as error:
            raise MethodError(str(error)) from None
        return target_in_payoffs(found, self.tree.pot, self.tree.game)

    def _is_reached(self, goal: float) -> bool:
        """Whether the last measurement is as low as asked for; what is 0 but for rounding counts as 0."""
        found = self.history[-1].exploitability
        return found is not None and found <= max(goal, ROUNDING * self.tree.largest_payoff)

    def check_finite(self) -> None:
        """Raise an error if any table holds a number that is not finite.

        `run`, `exploitability`, `strategy` and `current` call it themselves.

        Raises:
            RangeError: If a table holds an infinity or a NaN, because payoffs or weights are too large.
        """
        for name, array in self.engine.arrays.items():
            if array.dtype.kind == "f" and not _finite(array):
                raise RangeError(
                    f"{self.tree.game} by {self.method}: after {self.iterations:,} iterations {name} holds numbers "
                    "that are not finite. Payoffs or weights are too large: divide all payoffs by a constant, or take "
                    "fewer iterations or lower powers"
                )

    def _advance(self, stop: float, limit: float, pause: Callable[[], None] | None) -> None:
        """Up to iteration `stop` or so many seconds, in pieces short enough for Ctrl-C."""
        if isinstance(self.method.sampler, LinearProgramme):
            stop = 1
        if not self._piece:
            self.engine.run(0)  # compiles the kernel, which is not counted as time spent solving
            self._piece = 1
        while self.iterations < stop and self.seconds < limit:
            n = int(min(self._piece, stop - self.iterations))
            began = time.perf_counter()
            with deferred_signals():
                self.engine.run(n)
                took = time.perf_counter() - began
                self.seconds += took
            self._learn_piece(n, took)
            if pause is not None:
                pause()

    def _learn_piece(self, n: int, took: float) -> None:
        """n iterations took so long: how many make a piece?"""
        if took > 2 * CHUNK_SECONDS:
            self._piece = max(1, int(n * CHUNK_SECONDS / took))
        elif n == self._piece:
            self._piece = 2 * n

    def _measure(self, watch: Callable[[Progress], None] | None, wanted: bool) -> None:
        if self._evaluator is None and (wanted or self.tree.quickly_measured):
            self.exploitability()  # compiles, which says nothing about what measuring costs
        began = time.perf_counter()
        self.history.append(self.measured(wanted))
        self._measuring += time.perf_counter() - began
        if watch is not None:
            watch(self.history[-1])

    def measured(self, wanted: bool = False) -> Progress:
        """Say how far the solver is.

        Args:
            wanted: Whether to measure exploitability even where that takes minutes.

        Returns:
            Iterations, seconds and nodes so far, with the exploitability where it was measured.
        """
        known = self.exploitability() if wanted or self.tree.quickly_measured else None
        return Progress(self.iterations, self.seconds, known, self.touched)

    def _affordable(self) -> bool:
        """Whether measuring has taken little of the time so far: a tenth, after a few seconds for free."""
        return self._measuring < FREE_MEASURING + 0.1 * self.seconds

    def exploitability(self) -> float:
        """Measure the exploitability of the average strategy.

        Returns:
            NashConv / 2, in the game's units. 0 means an equilibrium.

        Raises:
            RangeError: If the tables hold numbers that are not finite.

        Examples:
            >>> import mccfr
            >>> print(f"{mccfr.solve('kuhn', 'cfr_plus').exploitability():.6f}")
            0.000087
        """
        self.check_finite()
        if (measure := getattr(self.engine, "nash_conv", None)) is not None:  # where the tables are
            return float(measure()) / 2
        if self._evaluator is None:
            self._evaluator = evaluator_for(self.tree, self.workers)
        return self._evaluator.nash_conv(self.engine.weights()) / 2

    def strategy(self) -> Strategy:
        """Make a strategy of the average over all iterations, which is the one that converges to an equilibrium.

        Returns:
            A strategy of its own: running the solver further does not change it.

        Raises:
            RangeError: If the tables hold numbers that are not finite.

        Examples:
            >>> import mccfr
            >>> mccfr.solve("kuhn", "cfr_plus", iterations=100).strategy()
            <Strategy for kuhn by cfr_plus, 100 iterations: 12 infosets>
        """
        return self._strategy(self.engine.weights(), str(self.method))

    def current(self) -> Strategy:
        """Make a strategy of the last iteration alone. On its own it need not converge.

        Returns:
            A strategy of its own: running the solver further does not change it.

        Raises:
            RangeError: If the tables hold numbers that are not finite.
        """
        return self._strategy(self.engine.current(), f"{self.method} (current strategy)")

    def _strategy(self, weights: npt.NDArray[np.float64], method: str) -> Strategy:
        self.check_finite()
        probabilities, visited = normalised(self.tree.infosets, weights)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        origin = Origin(self.tree.game, method, self.seed, self.iterations, __version__, created)
        return Strategy(self.tree.infosets, probabilities, origin, visited, self.tree)

    @property
    def state(self) -> dict[str, Any]:
        """Everything the solver knows, as a flat dict of arrays and numbers.

        The arrays are the live ones, so copy them if they are to outlast the next `run`. `restore` takes them back.
        """
        return {"iterations": self.iterations, "seconds": self.seconds, "seed": self.seed, **self.engine.arrays}

    def restore(self, state: dict[str, Any]) -> None:
        """Take over the state of another solver and go on exactly as that one would.

        Args:
            state: The `state` of a solver of the same game, method and seed.

        Raises:
            MethodError: If the state is of another game, method or seed, or no solver can have come to it.

        Examples:
            >>> import mccfr
            >>> first = mccfr.solve("kuhn", "external", iterations=500, seed=1)
            >>> second = mccfr.Solver("kuhn", "external", seed=1)
            >>> second.restore(first.state)
            >>> second.iterations
            500
        """
        mine = self.state
        if mine.keys() != state.keys():
            raise MethodError(f"this state is not of {self.method}: {', '.join(sorted(mine.keys() ^ state.keys()))}")
        for name, array in self.engine.arrays.items():
            if array.shape != np.shape(state[name]) or array.dtype != np.asarray(state[name]).dtype:
                raise MethodError(f"this state is not of {self.tree.game} by {self.method}: {name} differs in size")
        if state["seed"] != self.seed:
            raise MethodError(f"this state is of seed {quoted(state['seed'])}, not {self.seed}")
        require_sound(state, self.tree.infosets)
        for name, array in self.engine.arrays.items():
            array[...] = state[name]
        self.seconds = float(state["seconds"])
        self.engine.refresh()


def _finite(array: npt.NDArray[np.float64]) -> bool:
    """Whether all numbers are. Their sum nearly always tells, in one pass; it may be too large without any of them."""
    with np.errstate(over="ignore", invalid="ignore"):
        return math.isfinite(array.sum()) or bool(np.isfinite(array).all())


def measuring_points(start: int, end: float, growth: float = GROWTH) -> Iterator[int]:
    """Iterations at which exploitability is measured: every one up to 10, then 20 % apart, so that it costs little.

    The same ones wherever a run was interrupted; the last one is `end`.
    """
    at = 0
    while at < end:
        at = int(min(end, max(at + 1, int(at * growth))))
        if at > start:
            yield at


def _whole(iterations: int | None, seconds: float | None) -> float:
    if iterations is None:
        return 1000 if seconds is None else math.inf
    return whole_count("iterations", iterations)


def _is_auto(method: str | Method) -> bool:
    return isinstance(method, str) and method.strip().lower() == AUTO


def solve(
    game: "str | Game | Tree",
    method: str | Method = "auto",
    iterations: int | None = None,
    seed: int = 0,
    target: float | str | None = None,
    watch: Callable[[Progress], None] | None = None,
    memory_limit: str | float | None = None,
    seconds: float | None = None,
    workers: int = 1,
    parallel: str = "auto",
    device: str = "cpu",
) -> Solver:
    """Solve a game: build a `Solver` and run it.

    The run ends at the first of `iterations`, `target` and `seconds` that is reached; without any of them it does
    1000 iterations. `lp` solves the game exactly in a single step.

    Args:
        game: A game string such as `"leduc"`, a `Game`, or a compiled `Tree`.
        method: A method string such as `"cfr_plus"` or `"external+linear"`, or a `Method`. `"auto"` picks one for
            the game's size; `reason` of the solver says why.
        iterations: How many iterations to do; one iteration updates both players.
        seed: Seed of the random numbers. The same seed gives the same result again.
        target: Stop once exploitability is this low, in the game's units or, as `"0.5%"`, in percent of the pot.
        watch: Called with the `Progress` of every measurement.
        memory_limit: The most memory that compiling the game may take, as bytes or as `"8GB"`. By default the
            environment variable `MCCFR_MEMORY_LIMIT`, or else half of the machine's memory.
        seconds: Stop after this many seconds of solving.
        workers: Threads that share the walks of a sampled method, or the branches of a large public tree; 0 takes
            one per core.
        parallel: How workers share the walks: `"replicas"`, `"batch"`, `"shared"`, `"locked"`, or `"auto"` for
            the one that suits the game.
        device: Where iterations are made: `"cpu"`, `"gpu"`, or `"auto"` for the GPU where it pays.

    Returns:
        The solver after its run; `strategy()` gives its average strategy, and `run()` goes on.

    Raises:
        GameError: If the game string or the game itself is wrong.
        MethodError: If the method or another argument is wrong, or the method does not fit the game.
        TreeError: If the game needs more memory than allowed, or has more players than the method takes.

    Warns:
        TargetNotReached: If the run ends above `target`; `reached` of the solver is then False.

    Examples:
        >>> import mccfr
        >>> solver = mccfr.solve("kuhn", "cfr_plus", iterations=1000)
        >>> strategy = solver.strategy()
        >>> strategy
        <Strategy for kuhn by cfr_plus, 1,000 iterations: 12 infosets>
        >>> print(f"{mccfr.exploitability(strategy):.6f}")
        0.000087
    """
    solver = Solver(game, method, seed, memory_limit, workers, parallel, device=device)
    solver.advance(iterations, target, watch, seconds)
    solver.warn_if_missed(target)
    return solver
