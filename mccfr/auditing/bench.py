"""The bench a method is audited on: its engine with a Recorder for a minimiser, a frozen strategy, tables as in use."""

import functools
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from mccfr.auditing.forms import BOTH, number_of, sampling_engine, turns_of
from mccfr.auditing.profiles import forget_answers, mixed_strategy, set_traps
from mccfr.auditing.truth import Truth, dealt_values, exact_values, felt_values
from mccfr.kernel.averaging import OPTIMISTIC, importance, where
from mccfr.kernel.iterations import take_turn
from mccfr.kernel.layout import LeanTable, Table
from mccfr.kernel.play import AsLearned, strategy
from mccfr.kernel.recorded_walks import Recorder, record_walks
from mccfr.kernel.rewards import AsPaid
from mccfr.kernel.walk import Parts
from mccfr.solvers.method import Method, PublicOutcome
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.tree.tree import Tree

Floats = npt.NDArray[np.float64]
SMALL = 1000  # nodes, times hands where nodes are public: walks of larger games are compiled
WARM_UP, LONG_WARM_UP = 300, 100_000  # iterations before an audit, of small and of larger games
BLOCK = 1000  # of those, one player after the other
ENOUGH = 50_000  # nodes per walk of a block, for walks that touch much
NO_STATE = ("dice", "touched", "clock")  # arrays of an engine that are not rewound


class Bench:
    """One walk after the other from the same state. Increments: regrets, then averages, then the two root values.

    A walk is for player 0 or 1, or for BOTH: `turns` says which make an iteration.
    """

    def __init__(
        self,
        tree: Tree,
        method: Method,
        seed: int = 0,
        warm_up: int | None = None,
        pure: bool = True,
        recorder: Any = None,
    ) -> None:
        self.method, engine = method, sampling_engine(tree, method, seed)
        self.turns = turns_of(engine.parts)
        engine.parts = self.parts = engine.parts._replace(minimiser=Recorder() if recorder is None else recorder)
        if isinstance(engine.table, LeanTable):  # regrets are recorded here, so they cannot say what is played
            engine.table = Table(tree.infosets.uniform(), *np.zeros((2, tree.infosets.entries)))
        self.tree, self.nodes, self.table, self.work = tree, engine.tree, engine.table, engine.work
        if isinstance(self.parts, Parts):
            self.nodes = tree.outcome_view()
        self.entries = tree.infosets.entries
        self.large = tree.extent > SMALL
        if warm_up is None:
            warm_up = LONG_WARM_UP if self.large else WARM_UP
        self.time = float(max(warm_up, 1) + self.parts.averaging.skip)
        self.weight = float(importance(self.parts.averaging, self.time))
        arrays = {name: array for name, array in engine.arrays.items() if name not in NO_STATE}
        self._state = list(arrays.values())
        draw = np.random.default_rng(seed)
        self.table.current[:] = mixed_strategy(tree.infosets, draw, pure)
        traps = set_traps(tree.public, self.table.current) if pure and tree.public is not None else None
        if isinstance(method.sampler, PublicOutcome) and str(method.sampler.start) != "nothing":
            cast(PublicOutcomeEngine, engine).know()  # what the frozen strategy is worth
        if warm_up:
            self._warm_up(warm_up)
        else:
            _scramble(arrays, draw)
        size = min(1.0, tree.largest_payoff)  # or what walks add would be rounded away beside it
        self.table.regret[:] = size * draw.normal(size=self.entries)  # some laws draw by them
        if traps is not None:
            forget_answers(traps, self.table)
        self._keep()

    def _keep(self) -> None:
        """Stand here from now on: this is where `rewind` leads."""
        self._kept = [array.copy() for array in self._state]
        self._before = np.concatenate((self.table.regret, self.table.average))

    def _warm_up(self, iterations: int) -> None:
        """Let baselines and averages become what they are in use; the strategy stands still."""
        run, block = (record_walks, BLOCK) if self.large else (record_walks.interpreted, 1)
        with np.errstate(over="ignore"):
            for t in range(0, iterations, block):
                for turn in self.turns:
                    run(block, number_of(turn), t + 0.0, 1.0, 1.0, *self._arguments)
                if self.work.touched[0] > ENOUGH * block:
                    break

    @property
    def _arguments(self) -> tuple[Any, ...]:
        return self.parts, self.nodes, self.table, self.work

    @functools.cached_property
    def truth(self) -> Floats:
        """What increments must be on average."""
        self.rewind()
        regret, average, value = self._exact()
        return np.concatenate((regret, self.weight * average, value))

    @functools.cached_property
    def units(self) -> Floats:
        """What counts as much in each of these: the largest payoff, or of averages 1."""
        ones = np.ones(self.entries)
        return np.concatenate((self.tree.largest_payoff * ones, ones, np.full(2, self.tree.largest_payoff)))

    def _exact(self) -> Truth:
        """Under the strategy that is really played, which a floor bends."""
        infosets, played = self.tree.infosets, np.empty_like(self.table.current)
        play, space = getattr(self.parts, "play", AsLearned()), np.empty(int(infosets.arity.max(initial=1)))
        for o, k in zip(infosets.row.tolist(), infosets.arity.tolist()):
            p, s = strategy(play, self.table, o, k, space, 0, self.time)
            played[o : o + k] = p[s : s + k]
        if not isinstance(self.method.reward, AsPaid):
            return felt_values(self.tree.written, played, self.method.reward)
        if self.tree.public is not None:
            return dealt_values(self.tree.public, played, isinstance(self.parts, Parts))
        return exact_values(self.tree.written, played)

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
        self._keep()

    def rewind(self) -> None:
        """Back to the state after the warm-up, nothing recorded."""
        for array, kept in zip(self._state, self._kept):
            array[:] = kept
        if isinstance(self.parts, Parts):
            self.work.held[:] = 0  # no cards are kept from another walk

    def recorded(self, turn: int, value: float) -> Floats:
        """What was added since the last rewind by walks with this sum of root estimates."""
        values = [value, -value] if turn == BOTH else [value, 0.0] if turn == 0 else [0.0, value]
        return np.concatenate((np.concatenate((self.table.regret, self.table.average)) - self._before, values))

    def walk(self, turn: int, dice: Any) -> Floats:
        """The increments of one walk with these dice, interpreted."""
        self.rewind()
        parts, nodes, table, work = self._arguments
        work = work._replace(dice=dice)
        value = take_turn(parts, number_of(turn), self.time, self.weight, (1.0, 1.0), nodes, table, work)
        return self.recorded(turn, float(value))

    def batch(self, turn: int, n: int) -> Floats:
        """The increments of n walks, compiled, per walk."""
        self.rewind()
        step = 1.0 if where(self.parts.averaging) == OPTIMISTIC else 0.0  # it counts the time between visits
        value = record_walks(n, number_of(turn), self.time, step, self.weight, *self._arguments)
        return self.recorded(turn, float(value)) / n

    def touched(self) -> int:
        """Nodes touched since the last call."""
        count = int(self.work.touched[0])
        self.work.touched[0] = 0
        return count

    def place(self, entry: int) -> str:
        """Where an increment goes: whose, of which infoset and action."""
        if entry >= 2 * self.entries:
            return f"value to {entry - 2 * self.entries}"
        infosets, at = self.tree.infosets, entry % self.entries
        j = int(np.searchsorted(infosets.row, at, side="right")) - 1
        action = infosets.actions(j)[at - int(infosets.row[j])]
        return f"{'average' if entry >= self.entries else 'regret'} {infosets.owner(j)}/{infosets.labels[j]} {action}"


def _scramble(arrays: dict[str, npt.NDArray[Any]], draw: np.random.Generator) -> None:
    """Averages, baselines and counts without any meaning: no mean may depend on them."""
    arrays["average"][:] = draw.uniform(0.1, 2.0, len(arrays["average"]))
    for name, array in arrays.items():
        if name == "estimator.table":
            array[:] = draw.normal(0.0, 2.0, len(array))
        elif name == "estimator.visits" or name.endswith(".counts"):
            array[:] = draw.integers(0, 4, len(array))
