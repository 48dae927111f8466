"""Engines: the tables a method fills, where they live, and the kernel that fills them.

Everybody who runs a method (solvers, runs, the page) knows an engine by the protocol below; `choose_engine` says which
one it is. Another place for tables is another class.
"""

import abc
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError, TreeError
from mccfr.kernel.dice import seeded
from mccfr.kernel.iterations import run_walks, turns
from mccfr.kernel.layout import LeanTable, Table
from mccfr.kernel.minimisers import AsymmetricRMPlus, Deferred, LazilyDiscounted, PredictiveRMPlus
from mccfr.kernel.sequence_form import plan_for, realise, sweep
from mccfr.solvers.bind import bind_method
from mccfr.solvers.method import FullWidth, Method
from mccfr.strategy.strategy import normalised
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.tree import Tree

DERIVED = ("keep", "key", "hand_probability", "event_probability", "rho")  # tables that follow from method and tree

FORGOTTEN = -1000.0  # the logarithm of a factor that leaves nothing

Floats = npt.NDArray[np.float64]


class Engine(Protocol):
    """What a solver, a run and the page ask of whatever carries out the iterations.

    An engine holds the tables of a method and knows where they live. `choose_engine.py` decides which engine a
    method gets; a class with these members is another one.

    Attributes:
        clock: `clock[0]` is the number of iterations done.
        note: A caveat about the result; nearly always empty.

    Examples:
        >>> import mccfr
        >>> engine = mccfr.Solver("kuhn", "cfr_plus").engine
        >>> engine.run(100)
        >>> float(engine.clock[0]), engine.touched, engine.full_width
        (100.0, 11600, True)
    """

    clock: Floats  # clock[0]: iterations done
    note: str  # what must be said about the result; nearly always nothing

    def run(self, n: int) -> None:
        """Carry out the next iterations.

        Args:
            n: How many. 0 compiles the kernel and does nothing else.
        """

    def weights(self) -> Floats:
        """Return the average strategy before it is normalised.

        Returns:
            A weight for every table entry.
        """

    def current(self) -> Floats:
        """Return the strategy of the last iteration.

        Returns:
            A probability for every table entry.
        """

    def regrets(self) -> Floats:
        """Return the cumulative regrets.

        Returns:
            A regret for every table entry.
        """

    @property
    def arrays(self) -> dict[str, Any]:
        """Everything that the next iteration depends on, by name. These are the live arrays, not copies."""

    def refresh(self) -> None:
        """Work out again what follows from the arrays, after they were given other contents."""

    @property
    def touched(self) -> int:
        """Nodes touched so far."""

    @property
    def full_width(self) -> bool:
        """Whether an iteration visits everything."""

    @property
    def changes_at_end(self) -> bool:
        """Whether strategies change when an iteration ends, and not before."""

    def attend(self, witness: Any) -> bool:
        """Have a witness follow all walks from now on.

        Args:
            witness: A witness of `mccfr.kernel.witness`, which the walks call.

        Returns:
            Whether this engine makes walks that can be followed.
        """

    def run_told(self, listen: Callable[[Any, Any], Any]) -> None:
        """Carry out the next iteration with a witness.

        Walks that can be followed are interpreted rather than compiled, from the same source. The arrays afterwards
        are the same.

        Args:
            listen: Makes the witness, from the method's parts and the table.
        """


class TableEngine(abc.ABC):
    """What engines have in common that fill one table."""

    full_width = False
    changes_at_end = False
    note = ""

    def __init__(self, table: Any, clock: Floats) -> None:
        self.table, self.clock = table, clock

    @abc.abstractmethod
    def run(self, n: int) -> None:
        """The next n iterations."""

    def weights(self) -> Floats:
        return self.table.average

    def current(self) -> Floats:
        return self.table.current

    def regrets(self) -> Floats:
        return self.table.regret

    @property
    def arrays(self) -> dict[str, Any]:
        return {**self.table._asdict(), "clock": self.clock}

    def refresh(self) -> None:  # noqa: B027  most have nothing to do
        """Nothing else follows from the table."""

    def attend(self, witness: Any) -> bool:
        return False

    def run_told(self, listen: Callable[[Any, Any], Any]) -> None:
        """Nobody hears anything: there are no walks."""
        self.run(1)


class SweepEngine(TableEngine):
    """Full-width iterations: the tables, and both players' realisation plans."""

    full_width = True

    def __init__(self, tree: HistoryTree, method: Method) -> None:
        assert isinstance(method.sampler, FullWidth)
        super().__init__(tree.tables(), np.zeros(1))
        self.method, self.form, self.nodes = method, tree.sequence_form, len(tree)
        self.changes_at_end = self.simultaneous = method.sampler.simultaneous
        self.plans = [plan_for(side) for side in self.form]
        self.gains = [plan_for(side) for side in self.form]
        self.refresh()

    def run(self, n: int) -> None:
        m = self.method
        sweep(
            n, self.clock, m.minimiser, m.averaging, self.simultaneous,
            self.form.first, self.form.second, self.table, *self.plans, *self.gains,
        )  # fmt: skip

    def refresh(self) -> None:
        for side, plan in zip(self.form, self.plans):
            realise(side, self.table, plan)

    @property
    def touched(self) -> int:
        """Every node once for each player."""
        return 2 * self.nodes * int(self.clock[0])


class LPEngine(TableEngine):
    """One linear programme; its `iteration` is the solution."""

    def __init__(self, tree: HistoryTree) -> None:
        solution, regrets = np.zeros((2, tree.infosets.entries))
        super().__init__(Table(solution, regrets, solution), np.zeros(1))
        self.tree = tree

    def run(self, n: int) -> None:
        if n:
            from mccfr.solvers.lp import solve_lp  # and with it SciPy

            self.table.average[:] = solve_lp(self.tree, self._heed)
            self.clock[0] = 1.0

    def _heed(self, note: str) -> None:
        self.note = note

    @property
    def arrays(self) -> dict[str, Any]:
        return {"solution": self.table.average, "clock": self.clock}

    @property
    def touched(self) -> int:
        return len(self.tree) * int(self.clock[0])


class SampledEngine(TableEngine):
    """Sampled iterations, by whichever walk the class of `parts` stands for."""

    def __init__(self, parts: Any, tree: Any, table: Any, work: Any) -> None:
        super().__init__(table, np.zeros(2))  # iterations; the sum of player 0's root estimates
        self.parts, self.tree, self.work = parts, tree, work

    def run(self, n: int) -> None:
        self._reach_ahead(int(self.clock[0]) + n)
        run_walks(n, self.clock, self.parts, self.tree, self.table, self.work)

    def _reach_ahead(self, last: int) -> None:
        """Lazy discounting looks its factors up: have them for all iterations to come."""
        minimiser = self.parts.minimiser
        inner = minimiser.inside if isinstance(minimiser, Deferred) else minimiser
        if isinstance(inner, LazilyDiscounted) and len(inner.keep) < 2 * (last + 1):
            inner = inner._replace(keep=log_factors(2 * last + 1, inner.alpha, inner.beta))
            outer = minimiser._replace(inside=inner) if isinstance(minimiser, Deferred) else inner
            self.parts = self.parts._replace(minimiser=outer)

    @property
    def arrays(self) -> dict[str, Any]:
        found: dict[str, Any] = self.table._asdict()
        for role, policy in self.parts._asdict().items():
            found |= _arrays(role, policy)
        return {**found, "dice": self.work.dice.state, "touched": self.work.touched, "clock": self.clock}

    @property
    def touched(self) -> int:
        return int(self.work.touched[0])

    @property
    def changes_at_end(self) -> bool:  # type: ignore[override]
        return isinstance(self.parts.minimiser, Deferred) or int(turns(self.parts)) == 1


class WalkEngine(SampledEngine):
    """One walk for each player, with hands drawn for it where the tree has hands."""

    def __init__(self, tree: Tree, method: Method, seed: int, *keys: int) -> None:
        if tree.players != 2:
            raise TreeError(f"{tree.game} has {tree.players} players: walks take two-player games only")
        work = tree.walk_work(seeded(seed, *keys), method.common)
        super().__init__(bind_method(method, tree), tree.walk_view(), tables_for(tree, method), work)
        self.infosets = tree.infosets
        if method.prior:
            begin_with(self.table, tree, method.prior)

    def current(self) -> Floats:
        """Of tables without one, worked out from the regrets."""
        if isinstance(self.table, LeanTable):
            return self.infosets.normalised(np.maximum(self.table.regret, 0.0))[0]
        return super().current()

    def attend(self, witness: Any) -> bool:
        self.work = self.work._replace(witness=witness)
        return True

    def run_told(self, listen: Callable[[Any, Any], Any]) -> None:
        self._reach_ahead(int(self.clock[0]) + 1)
        work = self.work._replace(witness=listen(self.parts, self.table))
        with np.errstate(over="ignore"):  # dice multiply modulo 2^64
            run_walks.interpreted(1, self.clock, self.parts, self.tree, self.table, work)


def tables_for(tree: Tree, method: Method) -> Any:
    """The tables of a sampled method, in the precision it asks for where the tree has several."""
    if tree.buckets is None:
        return tree.tables()
    if isinstance(method.minimiser, PredictiveRMPlus | AsymmetricRMPlus):
        raise MethodError(f"{method}: tables of hold'em through buckets have no room for forecasts: take rm or rm_plus")
    return tree.buckets.tables(method.tables)


def begin_with(table: Any, tree: Tree, kappa: float) -> None:
    """Give a table the tree's first regrets, and the strategy that they recommend; the average has no part in it."""
    table.regret[:] = tree.prior(kappa)
    if not isinstance(table, LeanTable):
        table.current[:] = normalised(tree.infosets, table.regret)[0]


def _arrays(role: str, policy: Any) -> dict[str, Any]:
    """The tables of a policy and of policies inside it."""
    found: dict[str, Any] = {}
    for name, value in policy._asdict().items():
        if isinstance(value, np.ndarray) and name not in DERIVED:
            found[f"{role}.{name}"] = value
        elif hasattr(value, "_asdict"):
            found |= _arrays(f"{role}.{name}", value)
    return found


def log_factors(iterations: int, alpha: float, beta: float) -> Floats:
    """keep[2 t], keep[2 t + 1]: sums up to t of log(s^x / (s^x + 1)) for x = alpha and x = beta.

    At x = inf and -inf the factors are 1 and 0, as in sweeps. Factors too small for a float are FORGOTTEN, whose
    exponential is 0 as well: sums stay finite, and so do their differences.
    """
    s = np.arange(1, iterations + 1, dtype=np.float64)
    keep = np.zeros((iterations + 1, 2))
    for column, exponent in enumerate((alpha, beta)):
        if np.isinf(exponent):
            factors = np.full(iterations, 0.0 if exponent > 0 else FORGOTTEN)
        else:
            with np.errstate(over="ignore"):
                factors = -np.logaddexp(0.0, -exponent * np.log(s))
        keep[1:, column] = np.cumsum(np.maximum(factors, FORGOTTEN))
    return keep.reshape(-1)
