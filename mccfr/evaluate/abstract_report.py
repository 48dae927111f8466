"""How exploitable a strategy is inside its abstraction, with what is needed to judge the number."""

from typing import NamedTuple

import numpy as np

from mccfr.errors import StrategyError, quoted
from mccfr.evaluate.abstract_values import AbstractEvaluator
from mccfr.machine import processors
from mccfr.strategy.strategy import Strategy
from mccfr.tree.abstract_counts import Watch, unwatched
from mccfr.tree.abstract_table import abstract_table, can_be_listed, require_recall
from mccfr.tree.bucket_tree import BucketTree

MOST_TABLES = 4


class AbstractExploitability(NamedTuple):
    """How exploitable a strategy is by players who see cards as it does, in the game that a table of deals defines.

    A best response is found in the same table in which it is then measured. It takes advantage of what happens to be in
    the table, so of a drawn table the number is a little too large. With several tables, each best response is also
    measured in those in which it was not found, which gives a number that is a little too small.

    Attributes:
        exploitability: NashConv / 2 in chips, the mean over the tables.
        nash_conv: What both players get together by best responses, the mean over the tables.
        best_response: What each player gets by a best response, the mean over the tables.
        value: What player 0 gets when both follow the strategy, the mean over the tables.
        deals: How many deals each table is made of. Each counts twice, with the players exchanged.
        listed: Whether these are all deals there are, so that the numbers are exact.
        by_table: The exploitability in each table.
        in_other_tables: What best responses found in one table win in the others, per game and on average over both
            seats; None if there is one table.
        big_blind: Chips of the big blind.

    Examples:
        >>> import mccfr
        >>> game = "holdem(nolimit(stack=4, bet='a', raise_='a'), exact, ranks=4, suits=2, board='3')"
        >>> found = mccfr.abstract_exploitability(mccfr.uniform(game))
        >>> found.deals, found.listed
        (1680, True)
        >>> print(f"{found.exploitability:.4f} chips, {found.mbb:.0f} mbb/g")
        0.6220 chips, 311 mbb/g
    """

    exploitability: float
    nash_conv: float
    best_response: tuple[float, float]
    value: float
    deals: int
    listed: bool
    by_table: tuple[float, ...]
    in_other_tables: float | None
    big_blind: float

    @property
    def difference(self) -> float | None:
        """By how much the tables differ at most, in chips; None if there is one table."""
        return max(self.by_table) - min(self.by_table) if len(self.by_table) > 1 else None

    @property
    def mbb(self) -> float:
        """The exploitability in thousandths of a big blind per game."""
        return self.milliblinds(self.exploitability)

    def milliblinds(self, chips: float) -> float:
        """Convert chips to thousandths of a big blind.

        Args:
            chips: A number of chips.

        Returns:
            The same in thousandths of a big blind.
        """
        return 1000.0 * chips / self.big_blind


def measure_abstract(
    strategy: Strategy, deals: int | None, tables: int, seed: int = 0, workers: int = 0, watch: Watch = unwatched
) -> AbstractExploitability:
    """Measure a strategy in so many tables; see `mccfr.abstract_exploitability`."""
    tree = _tree_of(strategy)
    if type(tables) is not int or not 1 <= tables <= MOST_TABLES:
        raise StrategyError(f"tables must be a whole number from 1 to {MOST_TABLES}, got {quoted(tables)}")
    if tables > 1 and deals is None and can_be_listed(tree):
        raise StrategyError(
            f"all {tree.deal_count:,} deals of this deck make one table, which is exact: several tables need a number "
            "of deals to draw"
        )
    threads = workers or processors()
    made = [abstract_table(tree, deals, seed + j, threads, watch) for j in range(tables)]
    watch("finding best responses", 0.0)
    found = AbstractEvaluator(tree, *made).measure(strategy.probabilities)
    nash_conv = float(found.nash_conv.mean())
    best = np.einsum("ptt->p", found.won[:, :-1]) / tables
    return AbstractExploitability(
        nash_conv / 2, nash_conv, (float(best[0]), float(best[1])), float(found.value.mean()), made[0].deals,
        made[0].listed, tuple((found.nash_conv / 2).tolist()),
        float(found.untried.mean()) / 2 if tables > 1 else None, float(tree.given.betting.posted[1]),
    )  # fmt: skip


def _tree_of(strategy: Strategy) -> BucketTree:
    tree = strategy.tree.buckets
    if tree is None:
        raise StrategyError(
            f"{strategy.game} is not seen through buckets, so it has no abstraction: mccfr.exploitability is exact"
        )
    require_recall(tree)
    return tree
