"""What a strategy seen through buckets is worth in the real game, where a best response sees every card.

The strategy stays as it is, a row for many hands. The best response is computed over all betting lines, boards and
hands of the same game without buckets, by the sweeps of `mccfr.kernel.streets`: in one sweep for each player where all
boards can be listed, otherwise from a sample of flops (`real_flops`). [Johanson et al. 2011]
"""

import dataclasses
import math
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mccfr.cards.isomorphism import HandIndex
from mccfr.errors import MccfrError, StrategyError, quoted
from mccfr.evaluate.board_responses import BoardResponses
from mccfr.evaluate.board_rows import row_table
from mccfr.evaluate.real_flops import FEWEST_FLOPS, FlopSource, SweptFlops, Watch, respond_by_flops
from mccfr.evaluate.response_machines import Graphics
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.evaluate.street_values import judging
from mccfr.gpu.device import checked_device, find_gpu
from mccfr.kernel.street_actors import BEST_VALUE
from mccfr.machine import processors
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.flop_trees import FlopTrees
from mccfr.tree.street_build import lay_out_streets

Tell = Callable[[str], None]  # told what is being done

MILLI = 1000.0
MANY_BOARDS = 300_000  # kinds: laying out takes half a millisecond for each


class RealValue(NamedTuple):
    """What a strategy is worth against players who see every card, in chips.

    Attributes:
        best_response: What each player gets by a best response with every card, player 0's first.
        big_blind: The big blind, in chips.
        flops: How many flops were drawn; 0 if all were taken and everything is exact.
        margin: Exploitability is in `exploitability` plus or minus this with 95 % confidence; 0 if it is exact.
        device: Where it was computed: `cpu`, or the name of a GPU.

    Examples:
        >>> import mccfr
        >>> game = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
        >>> found = mccfr.real_exploitability(mccfr.uniform(game))
        >>> print(f"{found.exploitability:.4f} chips are {found.mbb:.1f} mbb/g")
        1.6333 chips are 816.7 mbb/g
    """

    best_response: tuple[float, float]
    big_blind: float
    flops: int = 0
    margin: float = 0.0
    device: str = "cpu"

    @property
    def exploitability(self) -> float:
        """NashConv / 2 in the real game: what a best response wins on average over both seats."""
        return sum(self.best_response) / 2

    @property
    def mbb(self) -> float:
        """The same in thousandths of the big blind a game."""
        return MILLI * self.exploitability / self.big_blind

    @property
    def mbb_margin(self) -> float:
        """The margin in thousandths of the big blind a game."""
        return MILLI * self.margin / self.big_blind


def real_exploitability(
    strategy: Strategy,
    flops: int | None = None,
    workers: int = 0,
    seed: int = 0,
    watch: Watch | None = None,
    device: str = "cpu",
    keep: str | os.PathLike[str] | None = None,
    tell: Tell | None = None,
) -> RealValue:
    """What a strategy of hold'em with buckets is worth with every card; see `mccfr.real_exploitability`."""
    buckets = seen_through_buckets(strategy)
    workers, tell = workers or processors(), tell or _says_nothing
    on_gpu = takes_gpu(checked_device(device), buckets, tell)
    if flops is None and not on_gpu:
        if keep is not None:
            raise StrategyError("keep is for flops one by one: add --flops N (flops=N) or --device gpu (device='gpu')")
        return RealValue(_respond_at_once(strategy, buckets, workers), big_blind(buckets))
    machine = Graphics() if on_gpu else None
    trees = FlopTrees(without_buckets(buckets), buckets.limit or None)
    count = len(trees.copies) if flops is None else checked_flops(flops, len(trees.copies))
    source: FlopSource = SweptFlops(strategy, buckets, trees, workers)
    if machine is not None:
        source = responses_on(machine, strategy, buckets, trees, count, tell)
    found = respond_by_flops(strategy, trees, source, count, seed, watch or _nobody, keep)
    exact = found.margin == 0.0
    name = "cpu" if machine is None else machine.gpu.name
    return RealValue(found.best_response, big_blind(buckets), 0 if exact else found.flops, found.margin, name)


def takes_gpu(device: str, buckets: BucketTree, tell: Tell) -> bool:
    """Whether the GPU is to compute: if it is wanted, or if `auto` finds one and the deck is large."""
    if device != "auto":
        return device == "gpu"
    if about_boards(buckets) <= MANY_BOARDS:
        tell("on the processor: the deck is small")
        return False
    try:
        find_gpu("--device auto")
    except MccfrError as error:
        tell(f"on the processor: {error}")
        return False
    return buckets.fit.cards.streets > 1


def responses_on(
    machine: Graphics, strategy: Strategy, buckets: BucketTree, trees: FlopTrees, flops: int, tell: Tell
) -> BoardResponses:
    """A strategy laid out on a GPU; says how much there is to do, and refuses what does not fit."""
    made = BoardResponses(strategy, buckets, trees, machine)
    cards, kinds = buckets.fit.cards, len(trees.copies)
    boards = HandIndex(cards.deals, cards.ranks, cards.suits).size
    some = f"{min(flops, kinds):,} of {kinds:,} kinds of flops" if flops < kinds else f"{kinds:,} kinds of flops"
    tell(
        f"on {machine.gpu.name}: {some}, {boards:,} kinds of boards in all, {made.line_count():,} lines to the last "
        f"street, {made.need() / 2**30:.1f} of {machine.gpu.free / 2**30:.1f} GiB"
    )
    return made


def _respond_at_once(strategy: Strategy, buckets: BucketTree, workers: int) -> tuple[float, float]:
    """Both best responses, each by one sweep over the whole game."""
    refuse_many_boards(buckets)
    tree = lay_out_streets(without_buckets(buckets), buckets.limit or None, tables=False)
    table = row_table(strategy, buckets, tree)
    sweeps = StreetSweeps(tree, np.float64, workers)
    return sweeps.sweep(judging(BEST_VALUE), 0, table), sweeps.sweep(judging(BEST_VALUE), 1, table)


def about_boards(buckets: BucketTree) -> float:
    """About how many kinds of boards a game has."""
    rules = buckets.fit.cards
    left, boards = rules.ranks * rules.suits, 1.0 / math.factorial(rules.suits)
    for count in rules.deals:
        boards *= math.comb(left, count)
        left -= count
    return boards


def refuse_many_boards(buckets: BucketTree) -> None:
    """Refuse a game with too many boards to list, before a minute is spent on listing them."""
    boards = about_boards(buckets)
    if boards > MANY_BOARDS:
        problem = f"has about {boards:,.0f} kinds of boards, too many for one sweep"
        advice = "add --flops 20 (flops=20) for an estimate by so many flops, or --device gpu for all"
        raise StrategyError(f"{buckets.game} {problem}: {advice}")


def checked_flops(flops: int, kinds: int) -> int:
    """An even number of flops, or all."""
    if isinstance(flops, bool) or not isinstance(flops, int) or flops < FEWEST_FLOPS or (flops < kinds and flops % 2):
        raise StrategyError(
            f"flops must be an even number from {FEWEST_FLOPS} on, half of them to choose and half to value, "
            f"or {kinds:,} or more for all kinds, got {quoted(flops)}"
        )
    return flops


def _says_nothing(text: str) -> None:
    """Nobody listens."""


def _nobody(done: int, of: int) -> None:
    """Nobody is told."""


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
