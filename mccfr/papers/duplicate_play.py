"""Duplicate hands between two strategies of one game, pair by pair, and means over two groups of trained bots."""

import numpy as np

from mccfr.errors import MethodError
from mccfr.jobs import statistics
from mccfr.jobs.statistics import Floats, Interval
from mccfr.kernel.dice import seeded
from mccfr.kernel.hand_play import play_pairs
from mccfr.playing.bulk import deal_to_many, play_deals
from mccfr.playing.policy import StrategyPolicy
from mccfr.strategy.strategy import Strategy

PIECE = 2**14  # pairs from one stream of dice


def pair_profits(one: Strategy, other: Strategy, pairs: int, seed: int) -> Floats:
    """[pairs] big blinds a hand that `one` wins from `other`, on average over both seats of each deal."""
    tree = one.tree.buckets
    assert tree is not None
    view, held = tree.walk_view(), np.zeros(tree.held, np.uint64)
    mine, theirs = (each.probabilities.astype(np.float32, copy=False) for each in (one, other))
    found = np.empty(pairs)
    for piece, begin in enumerate(range(0, pairs, PIECE)):
        play_pairs(view, mine, theirs, held, seeded(seed, piece), found[begin : begin + PIECE])
    return found / tree.betting.betting.smallest


def at_table(one: Strategy, other: Strategy, pairs: int, seed: int) -> Floats:
    """[pairs] the same between strategies of different trees, at the table of the first."""
    mine = StrategyPolicy(one)
    table = mine.table
    theirs = StrategyPolicy(other, table)
    for policy in (mine, theirs):
        policy.prepare(2 * pairs)
    found = np.empty(pairs)
    for piece, begin in enumerate(range(0, pairs, PIECE)):
        dice = np.random.default_rng([seed, piece])
        cards = deal_to_many(table, min(PIECE, pairs - begin), dice)
        as_first = play_deals(table, (mine, theirs), cards, (dice, dice)).payoff
        found[begin : begin + PIECE] = 0.5 * (as_first - play_deals(table, (theirs, mine), cards, (dice, dice)).payoff)
    return found / table.big_blind


def crossed_mean(values: Floats) -> Interval:
    """The mean of m[i, j], bot i of one group against bot j of another, as groups of independent bots.

    With m[i, j] = mu + a[i] + b[j] + c[i, j] the variance of the mean is var(a)/n + var(b)/k + var(c)/(n k). The
    variances of row means over n and of column means over k add up to that and once more var(c)/(n k), so the interval
    is a little too wide rather than too narrow; it is Student's with the freedom of the smaller group. Hands are not
    the unit: however many are played, what a training makes of its seed stays in c, a and b.
    """
    n, k = values.shape
    if min(n, k) < 2:
        raise MethodError("an interval over trained bots needs two seeds or more of each")
    rows, columns = values.mean(axis=1), values.mean(axis=0)
    error = float(np.sqrt(rows.var(ddof=1) / n + columns.var(ddof=1) / k))
    return statistics.student(float(values.mean()), error, min(n, k) - 1)
