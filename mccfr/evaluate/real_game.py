"""What a strategy seen through buckets is worth in the real game, where a best response sees every card.

The strategy stays as it is, a row for many hands. The best response is computed over all betting lines, boards and
hands of the same game without buckets, by the sweeps of `mccfr.kernel.streets`. [Johanson et al. 2011]
"""

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from mccfr.errors import StrategyError
from mccfr.evaluate.board_rows import row_table
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.evaluate.street_values import judging
from mccfr.kernel.street_actors import BEST_VALUE, FOLLOW_STRATEGY
from mccfr.machine import processors
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.street_build import lay_out_streets

MILLI = 1000.0


class RealValue(NamedTuple):
    """What a strategy is worth against players who see every card, in chips.

    Attributes:
        best_response: What each player gets by a best response with every card, player 0's first.
        value: What player 0 gets when both play the strategy.
        big_blind: The big blind, in chips.

    Examples:
        >>> import mccfr
        >>> game = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
        >>> found = mccfr.real_exploitability(mccfr.uniform(game))
        >>> print(f"{found.exploitability:.4f} chips are {found.mbb:.1f} mbb/g")
        1.1452 chips are 572.6 mbb/g
    """

    best_response: tuple[float, float]
    value: float
    big_blind: float

    @property
    def exploitability(self) -> float:
        """NashConv / 2 in the real game: what a best response wins on average over both seats."""
        return sum(self.best_response) / 2

    @property
    def mbb(self) -> float:
        """The same in thousandths of the big blind a game."""
        return MILLI * self.exploitability / self.big_blind


def real_exploitability(strategy: Strategy, workers: int = 0) -> RealValue:
    """What a strategy of hold'em with buckets is worth with every card; see `mccfr.real_exploitability`."""
    buckets = seen_through_buckets(strategy)
    tree = lay_out_streets(without_buckets(buckets), buckets.limit or None, tables=False)
    table = row_table(strategy, buckets, tree)
    sweeps = StreetSweeps(tree, np.float64, workers or processors())
    best = [sweeps.sweep(judging(BEST_VALUE), player, table) for player in (0, 1)]
    value = sweeps.sweep(judging(FOLLOW_STRATEGY), 0, table)
    return RealValue((best[0], best[1]), value, big_blind(buckets))


def seen_through_buckets(strategy: Strategy) -> BucketTree:
    """The tree of a strategy, if it has buckets."""
    tree = strategy.tree.buckets
    if not isinstance(tree, BucketTree):
        problem = "is not seen through buckets, so its exploitability is that of the real game already"
        raise StrategyError(f"{strategy.game} {problem}: take it without --real")
    return tree


def without_buckets(tree: BucketTree) -> Any:
    """The rules of the same game with every card."""
    return dataclasses.replace(tree.given, buckets=None)


def big_blind(tree: BucketTree) -> float:
    """The big blind, in chips."""
    return float(tree.given.betting.posted[1])
