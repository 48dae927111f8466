"""Solves a position of hold'em with every card while somebody waits: to a target, by a count, or within a time.

A river with all hands takes less than half a millisecond an iteration, so everything around the iterations counts:
measuring is done seldom, and the clock is read between portions of iterations that are expected to fit, with what
comes after them. Loading machine code, or compiling it the first time, does not count.
"""

import functools
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.amounts import read_target, target_in_payoffs
from mccfr.evaluate.street_values import StreetEvaluator
from mccfr.kernel.street_rows import to_rows
from mccfr.machine import processors
from mccfr.resolving.gadgets import ResolvingError
from mccfr.solvers.method import FullWidth, Method
from mccfr.solvers.street_engine import StreetEngine
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.street_tree import StreetTree

METHOD = "dcfr_plus+float32"  # the fewest processor seconds on rivers and turns: benchmarks/resolving_speed.py
FIRST_MEASURED = 12  # iterations before the first measurement
SLOWEST, FASTEST = 1.08, 1.5  # by how much iterations grow from one measurement to the next
LEAST_POWER, MOST_POWER = 0.7, 2.0  # of iterations by which exploitability is expected to fall
SHARE = 0.5  # of the time that is left, for the next portion of iterations
IN_TIME = 0.95  # of the seconds given: what is aimed at
MOST = 10**9  # iterations: as good as no limit

Floats = npt.NDArray[np.float64]


class Solved(NamedTuple):
    """A solved position.

    Attributes:
        tree: The position, behind its gadget if it has one.
        lanes: The average strategy as sweeps keep it, [board][node][action][hand].
        iterations: How many iterations it took.
        seconds: How long they took, with measuring.
        exploitability: Of the average strategy in this game, gadget included, in chips; None if it was not measured.
    """

    tree: StreetTree
    lanes: Floats
    iterations: int
    seconds: float
    exploitability: float | None

    def at(self, node: int, board: int = 0) -> Floats:
        """Read the strategy of the player who moves at a node.

        Args:
            node: The number of a decision, as `tree.locate` finds it.
            board: The number of the board.

        Returns:
            [actions, hands] probabilities, hands in the order of `tree.boards.members[2 * board + player]`.
        """
        laid, boards = self.tree.laid, self.tree.boards
        player, count = int(laid.kind[node]), int(laid.arity[node])
        hands = len(boards.members[2 * board + player])
        start = int(boards.boards.base[4 * board + 2 * player]) + int(laid.entry[node]) * hands
        return self.lanes[start : start + count * hands].reshape(count, hands)

    def strategy(self) -> Strategy:
        """Put the strategy into rows, for everybody who takes a strategy.

        Returns:
            The average strategy of the tree, gate included.
        """
        rows = np.empty_like(self.lanes)
        to_rows(self.tree.laid.lines, self.tree.boards.boards, self.lanes, rows)
        self.tree.gate_rows.lanes_to_rows(self.lanes, rows)
        origin = Origin(self.tree.game, "solve_quickly", iterations=self.iterations)
        return Strategy(self.tree.infosets, rows, origin, tree=self.tree)


class _Budget(NamedTuple):
    """When to stop."""

    target: float  # chips, 0: none
    iterations: int
    until: float  # on the clock
    clock: Callable[[], float]


def solve_quickly(
    tree: StreetTree,
    method: str | Method = METHOD,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    workers: int = 0,
    clock: Callable[[], float] = time.perf_counter,
) -> Solved:
    """Solve a position until it is good enough, or until the time is up.

    Args:
        tree: The position, usually `mccfr.tree.street_gates.gated`.
        method: A full-width method.
        target: Stop when exploitability is at most that: chips, or a percentage of the pot such as `"0.5%"`.
        iterations: Stop after so many iterations.
        seconds: Stop in time: another portion of iterations begins only if it is expected to fit.
        workers: Threads that share the boards of a turn; 0 takes one per core.
        clock: Tells the time in seconds.

    Returns:
        The average strategy. Its exploitability was measured if there was a target, and time for it.

    Raises:
        ResolvingError: If nothing says when to stop, a limit is not positive, or the method is not full-width.

    Examples:
        >>> import mccfr
        >>> from mccfr.resolving.quick_solve import solve_quickly
        >>> spot = {"board": "2c 3d 4c 5d 6c", "oop": "all", "ip": "all", "bet": "a", "raise_": "a"}
        >>> tree = mccfr.compile(mccfr.spot(**spot, pot=10, stack=10, ranks=5, suits=2))
        >>> solved = solve_quickly(tree, target="1%")
        >>> solved.exploitability <= 0.1
        True
    """
    goal = _read_goal(tree, target, iterations, seconds)
    chosen = _parsed(method) if isinstance(method, str) else method
    if not isinstance(chosen.sampler, FullWidth):
        raise ResolvingError(f"{chosen} is not full-width: a position takes cfr_plus, dcfr, pcfr_plus or another")
    began = clock()
    engine, judge = StreetEngine(tree, chosen, workers or processors(), 0), StreetEvaluator(tree, workers)
    loading = clock()
    engine.run(0)
    began += clock() - loading
    until = began + IN_TIME * seconds if seconds is not None else np.inf
    found = _run(engine, judge, _Budget(goal, iterations or MOST, until, clock))
    lanes = average_lanes(judge, engine)
    return Solved(tree, lanes, int(engine.clock[0]), clock() - began, found)


def _read_goal(tree: StreetTree, target: float | str | None, iterations: int | None, seconds: float | None) -> float:
    """The target in chips, 0 if there is none; refuses budgets that make no sense."""
    if target is None and iterations is None and seconds is None:
        raise ResolvingError("nothing says when to stop: give target, iterations or seconds")
    if iterations is not None and not (isinstance(iterations, int) and iterations >= 1):
        raise ResolvingError(f"iterations is {iterations!r}: expected a whole number from 1")
    if seconds is not None and not 0 < seconds < np.inf:
        raise ResolvingError(f"seconds is {seconds!r}: expected a number above 0")
    if target is None:
        return 0.0
    goal = target_in_payoffs(read_target(target), tree.pot, tree.game)
    if not goal > 0:
        raise ResolvingError(f"target is {target!r}: expected more than 0, which takes forever")
    return goal


@functools.lru_cache(64)
def _parsed(method: str) -> Method:
    return Method.parse(method)


def _run(engine: StreetEngine, judge: StreetEvaluator, budget: _Budget) -> float | None:
    """Iterations until the budget is used up; returns the exploitability measured last."""
    measured: list[tuple[int, float]] = []
    measure_at, pace = FIRST_MEASURED if budget.target else MOST, _Pace(budget.clock)
    if budget.until < np.inf:
        pace.rehearse(judge, engine)
    while True:
        done = int(engine.clock[0])
        stop = min(budget.iterations, measure_at)
        count = pace.fitting(budget.until, stop - done)
        if count:
            pace.time(engine.run, count)
        done += count
        over = not count or done >= budget.iterations
        if budget.target and (over or done >= measure_at) and pace.may_measure(budget.until):
            measured.append((done, pace.measure(judge, engine)))
            over = over or measured[-1][1] <= budget.target
            measure_at = next_measured(measured, budget.target)
        if over:
            return measured[-1][1] if measured else None


def next_measured(measured: list[tuple[int, float]], target: float) -> int:
    """After how many iterations to measure again: where the target is expected, if progress goes on as it was.

    Exploitability falls like a power of iterations; the power is that between the last two measurements, 1 at first.
    """
    done, found = measured[-1]
    power = 1.0
    if len(measured) > 1 and 0 < found < measured[-2][1]:
        before, more = measured[-2]
        power = min(max(np.log(more / found) / np.log(done / before), LEAST_POWER), MOST_POWER)
    growth = (found / target) ** (1 / power) if target else FASTEST
    return max(done + 1, int(done * min(max(growth, SLOWEST), FASTEST)) + 1)


class _Pace:
    """How long iterations, measurements and reading the result take, the slowest so far."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock, self.iteration, self.measuring, self.reading = clock, 0.0, 0.0, 0.0

    def rehearse(self, judge: StreetEvaluator, engine: StreetEngine) -> None:
        """Read the result before there is one, and note how long that took."""
        began = self.clock()
        average_lanes(judge, engine)
        self.reading = self.clock() - began

    def may_measure(self, until: float) -> bool:
        """Whether another measurement fits, and reading the result after it."""
        return self.measuring + self.reading < until - self.clock()

    def fitting(self, until: float, count: int) -> int:
        """How many of so many iterations may be done now: one at first, none if the next would not fit."""
        if until == np.inf:
            return count
        left = until - self.clock() - self.measuring - self.reading
        if not self.iteration:
            return 1
        if self.iteration > left:
            return 0
        return max(1, min(count, int(SHARE * left / self.iteration)))

    def time(self, run: Callable[[int], None], count: int) -> None:
        """Run iterations, and note how long one took."""
        began = self.clock()
        run(count)
        self.iteration = max(self.iteration, (self.clock() - began) / count)

    def measure(self, judge: StreetEvaluator, engine: StreetEngine) -> float:
        """Exploitability of the average strategy, and note how long that took."""
        began = self.clock()
        found = judge.nash_conv(engine.weights().astype(np.float64, copy=False)) / 2
        self.measuring = max(self.measuring, self.clock() - began)
        return found


def average_lanes(judge: StreetEvaluator, engine: StreetEngine) -> Floats:
    """The average strategy in lanes, in float64, even where nothing was remembered."""
    judge.load(engine.weights().astype(np.float64, copy=False))
    return np.asarray(judge.table().current)
