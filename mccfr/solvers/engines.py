"""Engines: the arrays a method fills, and the kernel that fills them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError
from mccfr.kernel.dealing import Common, DealtWalkTree, FarDealtTree, Fresh
from mccfr.kernel.dice import seeded
from mccfr.kernel.histories import trace_depth
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import CHANCE, FarTree, FlatTree, Table, Work
from mccfr.kernel.minimisers import Deferred, LazilyDiscounted
from mccfr.kernel.sequence_form import plan_for, realise, sweep
from mccfr.solvers.bind import bind_method
from mccfr.solvers.lp import solve_lp
from mccfr.solvers.method import FullWidth, Method
from mccfr.solvers.tables import tables_for
from mccfr.strategy.strategy import uniform_probabilities
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.tree import Tree

CACHE_BYTES = 2**25  # a tree beyond this is walked looking ahead
DERIVED = ("keep", "key", "hand_probability", "event_probability", "rho")  # tables that follow from the method and the tree


class TableEngine:
    """What engines have in common that fill one table."""

    table: Any

    def weights(self) -> npt.NDArray[np.float64]:
        """The average strategy, not normalised."""
        return self.table.average

    def current(self) -> npt.NDArray[np.float64]:
        """The strategy of the last iteration."""
        return self.table.current

    def refresh(self) -> None:
        """The table has been given other contents. Walks read nothing else."""


class SweepEngine(TableEngine):
    """Full-width iterations: the tables, and both players' realisation plans."""

    def __init__(self, tree: Tree, method: Method) -> None:
        assert isinstance(method.sampler, FullWidth)
        entries = tree.infosets.entries
        self.method, self.form = method, tree.sequence_form
        self.simultaneous = method.sampler.simultaneous
        self.table = Table(uniform_probabilities(tree.infosets), np.zeros(entries), np.zeros(entries))
        self.plans = [plan_for(side) for side in self.form]
        self.gains = [plan_for(side) for side in self.form]
        self.clock = np.zeros(1)
        self.refresh()

    def run(self, n: int) -> None:
        m = self.method
        sweep(
            n, self.clock, m.minimiser, m.averaging, self.simultaneous,
            self.form.first, self.form.second, self.table, *self.plans, *self.gains,
        )  # fmt: skip

    @property
    def arrays(self) -> dict[str, Any]:
        return {**self.table._asdict(), "clock": self.clock}

    def refresh(self) -> None:
        """The tables have been given other contents."""
        for side, plan in zip(self.form, self.plans):
            realise(side, self.table, plan)

    def touched_nodes(self, tree: Tree) -> int:
        return 2 * len(tree) * int(self.clock[0])


class LPEngine:
    """One linear programme; its `iteration` is the solution."""

    def __init__(self, tree: Tree, method: Method) -> None:
        self.tree = tree
        self.solution = np.zeros(tree.infosets.entries)
        self.clock = np.zeros(1)

    def run(self, n: int) -> None:
        if n:
            self.solution[:] = solve_lp(self.tree)
            self.clock[0] = 1.0

    def weights(self) -> npt.NDArray[np.float64]:
        return self.solution

    current = weights

    @property
    def arrays(self) -> dict[str, Any]:
        return {"solution": self.solution, "clock": self.clock}

    def refresh(self) -> None:
        """Nothing else depends on the solution."""

    def touched_nodes(self, tree: Tree) -> int:
        return len(tree) * int(self.clock[0])


class WalkEngine(TableEngine):
    """Sampled iterations: one walk for each player, in a dealt game with hands drawn for it."""

    def __init__(self, tree: Tree | DealtTree, method: Method, seed: int, *keys: int) -> None:
        if tree.players != 2:
            raise TreeError(f"{tree.game} has {tree.players} players: walks take two-player games only")
        self.parts = bind_method(method, tree)
        self.tree = walk_tree(tree)
        self.table: Any = tables_for(tree)
        self.work = workspace(tree, seed, *keys, common=method.common)
        self.clock = np.zeros(2)  # iterations; the sum of player 0's root estimates

    def run(self, n: int) -> None:
        self._reach_ahead(int(self.clock[0]) + n)
        run_walks(n, self.clock, self.parts, self.tree, self.table, self.work)

    def run_told(self, witness: Any) -> None:
        """The next iteration by the same text, interpreted, with the same arrays after it; a witness hears of it."""
        self._reach_ahead(int(self.clock[0]) + 1)
        with np.errstate(over="ignore"):  # dice multiply modulo 2^64
            run_walks.interpreted(1, self.clock, self.parts, self.tree, self.table, self.work._replace(witness=witness))

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

    def touched_nodes(self, tree: Tree) -> int:
        return int(self.work.touched[0])


def _arrays(role: str, policy: Any) -> dict[str, Any]:
    """The tables of a policy and of policies inside it."""
    found: dict[str, Any] = {}
    for name, value in policy._asdict().items():
        if isinstance(value, np.ndarray) and name not in DERIVED:
            found[f"{role}.{name}"] = value
        elif hasattr(value, "_asdict"):
            found |= _arrays(f"{role}.{name}", value)
    return found


def walk_tree(tree: Tree | DealtTree) -> Any:
    """A tree as walks see it."""
    large = tree.nodes.nbytes > CACHE_BYTES
    if isinstance(tree, Tree):
        return (FarTree if large else FlatTree)(tree.nodes, tree.reals, tree.odds)
    hand = tree.deal.sum(axis=1)
    reply = np.cumsum(tree.deal / np.where(hand > 0.0, hand, 1.0)[:, None], axis=1)
    return (FarDealtTree if large else DealtWalkTree)(
        tree.nodes, tree.payoffs.reshape(-1), tree.stakes, tree.laws, tree.index.reshape(-1), np.cumsum(hand),
        reply.reshape(-1), *map(np.uint64, (tree.index.shape[1], tree.deal.shape[1], tree.deal.size)),
    )  # fmt: skip


def workspace(tree: Tree | DealtTree, seed: int, *keys: int, common: bool = False) -> Work:
    """Frames for the deepest path, dice from the seed (and, of several workers, from its number)."""
    arity = max(tree.infosets.widest, 1)
    stride = 3 + 3 * arity
    depth = tree.depth + 1
    return Work(
        np.zeros(8 * depth, np.uint64), np.zeros(stride * depth), np.zeros(arity), np.zeros(1, np.uint64),
        seeded(seed, *keys), np.uint64(stride), np.uint64(arity), np.zeros(4, np.uint64),
        common_luck(tree) if common else Fresh(),
    )  # fmt: skip


def common_luck(tree: Tree | DealtTree) -> Common:
    """Room for the events of chance on a line."""
    events = int(trace_depth(tree.nodes, CHANCE, np.zeros(len(tree), np.uint32)))
    return Common(*(np.zeros(events, np.uint64) for _ in Common._fields))


def log_factors(iterations: int, alpha: float, beta: float) -> npt.NDArray[np.float64]:
    """keep[2 t], keep[2 t + 1]: sums up to t of log(s^x / (s^x + 1)) for x = alpha and x = beta."""
    s = np.arange(1, iterations + 1, dtype=np.float64)
    keep = np.zeros((iterations + 1, 2))
    with np.errstate(over="ignore"):
        for column, exponent in enumerate((alpha, beta)):
            keep[1:, column] = np.cumsum(-np.logaddexp(0.0, -exponent * np.log(s)))
    return keep.reshape(-1)
