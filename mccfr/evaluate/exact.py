"""Exact evaluation on the sequence form. Exploitability is NashConv / 2, in the game's own units.

Trees are zero-sum; what was taken from each player of a constant-sum game is given back in the values told here.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import StrategyError, quoted
from mccfr.kernel.layout import Table
from mccfr.kernel.sequence_form import BestReply, Evaluate, both_best_values, plan_for, realise, respond
from mccfr.machine import processors
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.tree import Tree

if TYPE_CHECKING:
    from mccfr.evaluate.abstract_values import AbstractEvaluator
    from mccfr.evaluate.street_values import StreetEvaluator
    from mccfr.evaluate.vector_values import VectorEvaluator

Floats = npt.NDArray[np.float64]
_NOTHING = np.zeros(0)


class BestResponse(NamedTuple):
    """The best that a player can do against the other's strategy, and how.

    Attributes:
        value: What the player gets on average, in the game's units.
        strategy: The profile that gets it: the player's part is pure, taking the first of equally good actions, and
            the other player's part is as it was given.

    Examples:
        >>> import mccfr
        >>> response = mccfr.best_response(mccfr.uniform("kuhn"), 1)
        >>> print(f"{response.value:.4f}")
        0.4167
        >>> response.strategy["K:b"]
        {'fold': 0.0, 'call': 1.0}
    """

    value: float
    strategy: Strategy


class Evaluator:
    """Evaluates many profiles of one tree; memory is taken once."""

    def __init__(self, tree: HistoryTree) -> None:
        self.form = tree.sequence_form
        self.plans = [plan_for(side) for side in self.form]
        self.gains = [plan_for(side) for side in self.form]
        self.reply = np.empty(tree.infosets.entries)

    def load(self, probabilities: Floats) -> None:
        """Work out both players' realisation plans."""
        table = Table(probabilities, _NOTHING, _NOTHING)
        for side, plan in zip(self.form, self.plans):
            realise(side, table, plan)

    def value(self, probabilities: Floats) -> float:
        """Expected value for player 0."""
        self.load(probabilities)
        return self._pass(Evaluate(), 0, probabilities)

    def best_response(self, player: int) -> float:
        """Best response value against the loaded profile; `reply` then holds the pure strategy."""
        return self._pass(BestReply(), player, self.reply)

    def nash_conv(self, weights: Floats) -> float:
        """Sum of what both players get by a best response to the strategy proportional to these weights."""
        table = Table(self.reply, _NOTHING, _NOTHING)
        return float(both_best_values(*self.form, weights, table, *self.plans, *self.gains))

    def _pass(self, actor: BestReply | Evaluate, player: int, current: Floats) -> float:
        table = Table(current, _NOTHING, _NOTHING)
        plan, against = self.plans[player], self.plans[1 - player]
        return float(respond(actor, self.form.side(player), table, plan, against, self.gains[player]))


def evaluator_for(tree: Tree, workers: int = 0) -> "Evaluator | VectorEvaluator | StreetEvaluator | AbstractEvaluator":
    """Somebody who can evaluate profiles of this tree; large public ones with so many threads, 0: one for each core."""
    if tree.buckets is not None:
        from mccfr.evaluate.abstract_values import AbstractEvaluator  # and with it the kernels of cards
        from mccfr.tree.abstract_table import abstract_table

        return AbstractEvaluator(tree.buckets, abstract_table(tree.buckets, workers=workers or processors()))
    if tree.streets is not None:
        from mccfr.evaluate.street_values import StreetEvaluator  # and with it the kernels of boards

        return StreetEvaluator(tree.streets, workers)
    if tree.public is None:
        return Evaluator(tree.written)
    from mccfr.evaluate.vector_values import VectorEvaluator  # and with it the kernels of public trees

    return VectorEvaluator(tree.public, workers)


def expected_value(strategy: Strategy, opponent: Strategy | None = None) -> float:
    """What player 0 gets on average; see `mccfr.expected_value`."""
    return evaluator_for(strategy.tree).value(_profile(strategy, opponent)) + strategy.tree.constant / 2


def nash_conv(strategy: Strategy) -> float:
    """BR_0(sigma_1) + BR_1(sigma_0); see `mccfr.nash_conv`."""
    return evaluator_for(strategy.tree).nash_conv(strategy.probabilities)


def exploitability(strategy: Strategy) -> float:
    """NashConv / 2; see `mccfr.exploitability`."""
    return nash_conv(strategy) / 2


def best_response(strategy: Strategy, player: int) -> BestResponse:
    """The best that one player can do while the other follows a strategy; see `mccfr.best_response`."""
    if isinstance(player, bool) or player not in (0, 1):
        raise StrategyError(f"no player {quoted(player)}: the players are 0 and 1")
    player = int(player)
    evaluator = evaluator_for(strategy.tree)
    evaluator.load(strategy.probabilities)
    value = evaluator.best_response(player) + strategy.tree.constant / 2
    infosets = strategy.infosets
    begin, end = (infosets.entry(infosets.first[p]) for p in (player, player + 1))
    answer = strategy.probabilities.copy()
    answer[begin:end] = evaluator.reply[begin:end]
    origin = Origin(strategy.game, f"best response of player {player}", version=strategy.origin.version)
    return BestResponse(value, Strategy(infosets, answer, origin, tree=strategy.tree))


def _profile(first: Strategy, second: Strategy | None) -> Floats:
    """Player 0 from one strategy, player 1 from the other."""
    if second is None:
        return first.probabilities
    if second.tree.fingerprint != first.tree.fingerprint:
        raise StrategyError(f"a strategy of {first.game} cannot play one of {second.game}")
    middle = first.infosets.entry(first.infosets.first[1])
    return np.concatenate((first.probabilities[:middle], second.probabilities[middle:]))
