"""What a strategy wins against another of the same game through buckets, by hands played out in pairs.

A deal is played twice with seats exchanged, so luck with the cards cancels; the unit is the pair. Pairs are
independent, so their mean has a normal interval.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import CALLS, CHECKS, FOLDS
from mccfr.errors import StrategyError, nearest, quoted
from mccfr.kernel.dice import seeded
from mccfr.kernel.hand_play import play_pairs
from mccfr.strategy.strategy import Origin, Strategy, uniform_strategy
from mccfr.tree.bucket_tree import BucketTree

PIECE = 2**16  # pairs from one stream of dice
SURE = 1.96  # standard errors on either side of a 95 % interval
SIMPLE = {"fold": (FOLDS, CHECKS), "call": (CHECKS, CALLS)}  # kinds of moves, the first that is offered is played


class PlayedOut(NamedTuple):
    """What a strategy wins against another, on average over both seats.

    Attributes:
        mean: Chips for each hand.
        low: Where its 95 % interval begins.
        high: Where it ends.
        hands: How many hands were played, two for each deal.
        mbb: The mean in thousandths of a big blind.

    Examples:
        >>> import mccfr
        >>> game = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
        >>> mccfr.play_out(mccfr.uniform(game), "uniform", hands=10_000, seed=1).hands
        10000
    """

    mean: float
    low: float
    high: float
    hands: int
    mbb: float


def play_out(strategy: Strategy, opponent: Strategy | str, hands: int, seed: int = 0) -> PlayedOut:
    """Play hands between two strategies of one game through buckets; see `mccfr.play_out`."""
    tree = strategy.tree.buckets
    if tree is None:
        raise StrategyError(f"{strategy.game} has no buckets: mccfr.expected_value is exact for it")
    other = simple_strategy(tree, opponent) if isinstance(opponent, str) else opponent
    if other.tree.fingerprint != tree.fingerprint:
        raise StrategyError(f"a strategy of {strategy.game} cannot play one of {other.game}")
    view, held = tree.walk_view(), np.zeros(tree.held, np.uint64)
    mine, theirs = (each.probabilities.astype(np.float32, copy=False) for each in (strategy, other))
    pairs = max(hands // 2, 2)
    total = squares = 0.0
    for piece, begin in enumerate(range(0, pairs, PIECE)):
        out = np.empty(min(PIECE, pairs - begin))
        play_pairs(view, mine, theirs, held, seeded(seed, piece), out)
        total += float(out.sum())
        squares += float(out @ out)
    mean = total / pairs
    error = math.sqrt(max(squares / pairs - mean * mean, 0.0) / (pairs - 1))
    big_blind = tree.betting.betting.smallest
    return PlayedOut(mean, mean - SURE * error, mean + SURE * error, 2 * pairs, 1000 * mean / big_blind)


def simple_strategy(tree: BucketTree, name: str) -> Strategy:
    """`fold`: folds whenever it can, else checks; `call`: checks or calls; `uniform`: every move alike."""
    if name in ("uniform", "random"):
        return uniform_strategy(tree)
    if name not in SIMPLE:
        known = (*SIMPLE, "uniform")
        raise StrategyError(f"no simple opponent {quoted(name)}; {nearest(name, known)}")
    probabilities: Any = np.zeros(tree.infosets.entries, np.float32)
    for node, (part,) in tree.infosets.each_part(probabilities):
        part[:, _first_kind(tree, node, SIMPLE[name])] = 1.0
    return Strategy(tree.infosets, probabilities, Origin(tree.game, f"always {name}"), tree=tree)


def _first_kind(tree: BucketTree, node: int, kinds: tuple[int, ...]) -> int:
    """The number of the first move of one of these kinds, in the order of kinds."""
    offered: npt.NDArray[np.int8] = tree.betting.move_kind[list(tree.betting.children(node))]
    return next(int(np.flatnonzero(offered == kind)[0]) for kind in kinds if (offered == kind).any())
