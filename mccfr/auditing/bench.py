"""The bench a method is audited on: its parts with a Recorder for a minimiser, a frozen strategy, tables as in use."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.auditing.recorder import Recorder, record_walks
from mccfr.auditing.truth import Truth, exact_values
from mccfr.errors import MethodError
from mccfr.kernel.averaging import OPTIMISTIC, importance, where
from mccfr.kernel.layout import FlatTree, Table
from mccfr.kernel.play import strategy
from mccfr.kernel.walk import walk
from mccfr.solvers.bind import bind_method
from mccfr.solvers.engines import workspace
from mccfr.solvers.fit import SAMPLERS
from mccfr.solvers.method import Method
from mccfr.tree.tree import Infosets, Tree

Floats = npt.NDArray[np.float64]
SMALL = 1000  # nodes: walks of larger games are compiled
WARM_UP, LONG_WARM_UP = 300, 100_000  # iterations before an audit, of small and of larger games
BLOCK = 1000  # of those, one player after the other
ENOUGH = 50_000  # nodes per walk of a block, for walks that touch much
PURE = 3  # every so many infosets one plays purely


class Bench:
    """One walk after the other from the same state. Increments: regrets, then averages, then the two root values."""

    def __init__(
        self,
        tree: Tree,
        method: Method,
        seed: int = 0,
        warm_up: int | None = None,
        pure: bool = True,
        recorder: Any = None,
    ) -> None:
        if not method.samples:
            raise MethodError(f"audit: {method} samples nothing; begin with a sampler ({SAMPLERS})")
        if warm_up is None:
            warm_up = WARM_UP if len(tree) <= SMALL else LONG_WARM_UP
        draw = np.random.default_rng(seed)
        self.tree, self.nodes = tree, FlatTree(tree.nodes, tree.reals, tree.odds)
        self.parts = bind_method(method, tree)._replace(minimiser=Recorder() if recorder is None else recorder)
        self.entries = entries = tree.infosets.entries
        self.table = Table(mixed_strategy(tree.infosets, draw, pure), np.zeros(entries), np.zeros(entries))
        self.work = workspace(tree, seed)
        self.time = float(max(warm_up, 1) + method.averaging.skip)
        self.weight = float(importance(self.parts.averaging, self.time))
        self._state = [self.table.regret, self.table.average, *_tables(self.parts)]
        if warm_up:
            self._warm_up(warm_up)
        else:
            self._scramble(draw)
        self.table.regret[:] = 0.0
        self._kept = [array.copy() for array in self._state]

    def _warm_up(self, iterations: int) -> None:
        """Let baselines and averages become what they are in use; the strategy stands still."""
        run, block = (record_walks, BLOCK) if len(self.tree) > SMALL else (record_walks.interpreted, 1)
        with np.errstate(over="ignore"):
            for t in range(0, iterations, block):
                for i in (0, 1):
                    run(block, np.uint64(i), t + 0.0, 1.0, 1.0, *self._arguments)
                if self.work.touched[0] > ENOUGH * block:
                    break

    def _scramble(self, draw: np.random.Generator) -> None:
        """Baselines and averages without any meaning: no mean may depend on them."""
        self.table.average[:] = draw.uniform(0.1, 2.0, len(self.table.average))
        estimator = self.parts.estimator
        if getattr(estimator, "table", None) is not None:
            estimator.table[:] = draw.normal(0.0, 2.0, len(estimator.table))
        if getattr(estimator, "visits", None) is not None:
            estimator.visits[:] = draw.integers(0, 4, len(estimator.visits))

    @property
    def _arguments(self) -> tuple[Any, ...]:
        return self.parts, self.nodes, self.table, self.work

    @functools.cached_property
    def truth(self) -> Floats:
        """What increments must be on average."""
        regret, average, value = self._exact()
        return np.concatenate((regret, self.weight * average, value))

    def _exact(self) -> Truth:
        """Under the strategy that is really played, which a floor bends."""
        played = np.empty_like(self.table.current)
        infosets, space = self.tree.infosets, self.work.real
        for o, k in zip(infosets.row.tolist(), infosets.arity.tolist()):
            p, s = strategy(self.parts.play, self.table, o, k, space, 0, self.time)
            played[o : o + k] = p[s : s + k]
        return exact_values(self.tree, played)

    def take(self, current: Floats, state: dict[str, Any], time: float) -> None:
        """Stand where a solver stands: with this strategy, and the averages and baselines of its state."""
        self.__dict__.pop("truth", None)
        self.table.current[:], self.table.average[:], self.table.regret[:] = current, state["average"], 0.0
        for role, policy in self.parts._asdict().items():
            for name, value in policy._asdict().items():
                if isinstance(value, np.ndarray) and f"{role}.{name}" in state:
                    value[:] = state[f"{role}.{name}"]
        self.time = time
        self.weight = float(importance(self.parts.averaging, time))
        self._kept = [array.copy() for array in self._state]

    def rewind(self) -> None:
        """Back to the state after the warm-up, nothing recorded."""
        for array, kept in zip(self._state, self._kept):
            array[:] = kept

    def recorded(self, i: int, value: float) -> Floats:
        """What was added since the last rewind by walks of player i with this sum of root estimates."""
        values = [value, 0.0] if i == 0 else [0.0, value]
        return np.concatenate((self.table.regret, self.table.average - self._kept[1], values))

    def walk(self, i: int, dice: Any) -> Floats:
        """The increments of one walk of player i with these dice, interpreted."""
        self.rewind()
        work = self.work._replace(dice=dice)
        value = walk(np.uint64(i), self.time, self.weight, (1.0, 1.0), self.parts, self.nodes, self.table, work)
        return self.recorded(i, float(value))

    def batch(self, i: int, n: int) -> Floats:
        """The increments of n walks of player i, compiled, per walk."""
        self.rewind()
        step = 1.0 if where(self.parts.averaging) == OPTIMISTIC else 0.0  # it counts the time between visits
        value = record_walks(n, np.uint64(i), self.time, step, self.weight, *self._arguments)
        return self.recorded(i, float(value)) / n

    def touched(self) -> int:
        """Nodes touched since the last call."""
        count = int(self.work.touched[0])
        self.work.touched[0] = 0
        return count


def mixed_strategy(infosets: Infosets, draw: np.random.Generator, pure: bool) -> Floats:
    """Random probabilities bounded away from 0; if `pure`, some infosets play one action only."""
    rows = []
    for j, k in enumerate(infosets.arity.tolist()):
        mixed = 0.25 / k + 0.75 * draw.dirichlet(np.ones(k))
        rows.append(np.eye(k)[draw.integers(k)] if pure and j % PURE == PURE - 1 else mixed)
    return np.concatenate(rows) if rows else np.zeros(0)


def _tables(parts: Any) -> list[npt.NDArray[Any]]:
    """Every array that a walk might write to."""
    return [value for policy in parts for value in policy if isinstance(value, np.ndarray)]
