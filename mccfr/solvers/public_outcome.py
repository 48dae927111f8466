"""The engine of public outcome sampling, and the tables its baselines need on one public tree."""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError, quoted
from mccfr.kernel.averaging import OptimisticAverage, divides_by_others
from mccfr.kernel.dice import seeded
from mccfr.kernel.estimators import History, Infoset, Plain, Predictive, Static
from mccfr.kernel.play import AsLearned
from mccfr.kernel.public_laws import MCS, EpsilonGreedy
from mccfr.kernel.public_line import LineForBoth, LineForEach, PublicWork, pair_values
from mccfr.kernel.samplers import Outcome, Uniform
from mccfr.kernel.vector import vector_sweep
from mccfr.solvers.bind import bind, static_strategy
from mccfr.solvers.engines import SampledEngine
from mccfr.solvers.method import Method, PublicOutcome
from mccfr.solvers.public_baselines import bound_baseline
from mccfr.solvers.public_words import STARTS
from mccfr.solvers.vector_sampling import bind_policy
from mccfr.tree.dealt_tree import DealtTree

Floats = npt.NDArray[np.float64]


class PublicOutcomeEngine(SampledEngine):
    """One line of public events per iteration, for both players at once, or one for each.

    start: `nothing` is known at first; `values` gives the baselines the exact values of the first strategy (uniform,
    or the one given); `walk` makes the first iteration a full one and then does so. `call`, a strategy file or a
    Strategy is played where nothing has been learned yet, and the baselines get its exact values. All of these make
    predictive baselines exact from the next iteration on. [Davis, Schmid, Bowling 2019, 6]
    """

    def __init__(
        self,
        tree: DealtTree,
        method: Method | str,
        seed: int,
        *keys: int,
        simultaneous: bool = True,
        start: Any = "nothing",
        strategy: Floats | None = None,
    ) -> None:
        method = Method.parse(method)
        _check(method, start)
        line: Any = LineForBoth if simultaneous else LineForEach
        law, estimator = bind_policy(_law(method.sampler), tree), bound_baseline(method.estimator, tree)
        parts = line(law, estimator, bind(method.minimiser, tree), method.averaging)
        super().__init__(parts, tree.sampled_view(pairs=True), tree.tables(), _workspace(tree, seed, *keys))
        if strategy is not None or not _is_word(start, *STARTS):
            self.table.current[:] = _first_strategy(start, tree) if strategy is None else strategy
        if _is_word(start, "walk"):
            self._sweep(tree)
        if not _is_word(start, "nothing"):
            self.know()

    def know(self) -> None:
        """Give the baselines the exact values of the current strategy."""
        estimator = self.parts.estimator
        pair_values(self.tree, self.table, self.work.play, self.work.hands, estimator.table)
        if isinstance(estimator, History):
            estimator.visits[:] = 1.0  # a mean goes on from them

    def _sweep(self, tree: DealtTree) -> None:
        self._reach_ahead(1)
        work = tree.vector_work()
        vector_sweep(1, self.clock, self.parts.minimiser, self.parts.averaging, self.tree, self.table, work)
        self.work.touched[0] += work.touched[0]

    @property
    def arrays(self) -> dict[str, Any]:
        return {name: array for name, array in super().arrays.items() if name != "estimator.law"}


def _is_word(start: Any, *words: str) -> bool:
    """Whether a start is one of these words, and no strategy."""
    return isinstance(start, str) and start in words


def _first_strategy(start: Any, tree: DealtTree) -> Floats:
    """The strategy of a start that names one; a file is data, read and checked like any other."""
    if isinstance(start, str) and start != "call" and not os.path.exists(start):  # noqa: PTH110  which never raises
        raise MethodError(
            f"public_outcome: start must be nothing, uniform, call, walk or a strategy file: no file {quoted(start)}"
        )
    return static_strategy(start, tree, "public_outcome(start={})")


def _check(method: Method, start: Any) -> None:
    """Refuse what public outcome sampling cannot do."""
    if not isinstance(method.sampler, PublicOutcome | Uniform | Outcome):
        raise MethodError(f"{method}: public outcome sampling draws one action: use uniform or outcome")
    if not isinstance(method.estimator, Plain | Static | History | Infoset | Predictive):
        raise MethodError(f"{method}: public outcome sampling takes plain, static, history, infoset or predictive")
    if not _is_word(start, "nothing") and not isinstance(method.estimator, History | Predictive):
        raise MethodError(f"{method}: only history and predictive baselines can start with {start}")
    if method.batch > 1 or not isinstance(method.play, AsLearned):
        raise MethodError(f"{method}: public outcome sampling supports neither batch nor floor")
    if isinstance(method.averaging, OptimisticAverage):
        raise MethodError(f"{method}: public outcome sampling does not support optimistic averages")
    if not divides_by_others(method.averaging):
        raise MethodError(f"{method}: public outcome sampling divides by all that was drawn: leave others=False out")


def _law(sampler: Any) -> Any:
    """The public law of a sampler: for outcome sampling, sigma is the mean over possible hands."""
    if isinstance(sampler, Outcome):
        return EpsilonGreedy(MCS(), sampler.epsilon) if sampler.epsilon > 0.0 else MCS()
    return sampler.law if isinstance(sampler, PublicOutcome) else sampler


def _workspace(tree: DealtTree, seed: int, *keys: int) -> PublicWork:
    first, second = map(len, tree.hands)
    hands, depth, arity = max(first, second), tree.depth + 2, max(tree.infosets.widest, 1)
    return PublicWork(
        np.zeros(2 * depth, np.uint64), np.zeros(2 * depth), np.zeros(2 * depth * hands),
        np.zeros(arity * hands), np.zeros(arity * hands), np.zeros(arity), np.zeros(arity), np.zeros(hands),
        np.zeros(2 * first * second), np.zeros(first * second), np.zeros(hands), np.zeros(hands),
        np.zeros(1, np.uint64), seeded(seed, *keys), np.uint64(hands), np.uint64(first), np.uint64(second),
    )  # fmt: skip
