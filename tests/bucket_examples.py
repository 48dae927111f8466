"""Nested percentiles by their definition, deal by deal: what the tests compare with, and what finds bugs.

Shares with the package only the numbering of cards.
"""

import functools
import importlib
import itertools
from fractions import Fraction

import numpy as np
from equity_examples import slow_value, use_tables

NEVER = 2**64 - 1
EXAMPLES = [((3, 3, (3,)), "4 3"), ((3, 3, (2, 1)), "2 3"), ((4, 2, (1, 1, 1)), "2 3 1 2"), ((3, 3, (3,)), "6 7")]


@functools.cache
def strength(cards, suits):
    """The best five of some cards."""
    held = [(card // suits, card % suits) for card in cards]
    return max(slow_value(five) for five in itertools.combinations(held, 5))


@functools.cache
def plain_score(hole, board, ranks, suits):
    """2 wins + ties, hand after hand."""
    mine = strength((*hole, *board), suits)
    rest = [card for card in range(ranks * suits) if card not in (*hole, *board)]
    theirs = [strength((*other, *board), suits) for other in itertools.combinations(rest, 2)]
    return sum(2 * (mine > other) + (mine == other) for other in theirs)


@functools.cache
def plain_value(hole, board, ranks, suits, whole):
    """The score on a whole board, else the sum of squared scores over all boards that can follow."""
    if len(board) == whole:
        return plain_score(hole, board, ranks, suits)
    rest = [card for card in range(ranks * suits) if card not in (*hole, *board)]
    after = (tuple(sorted((*board, *more))) for more in itertools.combinations(rest, whole - len(board)))
    return sum(plain_score(hole, full, ranks, suits) ** 2 for full in after)


def all_deals(ranks, suits, deals):
    """Every hand and board in the order of streets; cards of one street have no order."""
    found = [()]
    for count in (2, *deals):
        found = [
            (*dealt, *more)
            for dealt in found
            for more in itertools.combinations([c for c in range(ranks * suits) if c not in dealt], count)
        ]
    return found


def plain_cuts(weights, buckets):
    """Greedy cuts of {value: weight}: every bucket tries all ends and takes the one nearest to its part."""
    values, cuts = sorted(weights), []
    for later in range(buckets - 1, 0, -1):
        if len(values) < 2:
            break
        wanted, best = Fraction(sum(weights[v] for v in values), later + 1), None
        for count in range(1, max(1, len(values) - later) + 1):
            off = abs(sum(weights[v] for v in values[:count]) - wanted)
            if best is None or off < best[0]:
                best = off, count
        values = values[best[1] :]
        cuts.append(values[0])
    return cuts + [NEVER] * (buckets - 1 - len(cuts))


@functools.cache
def plain_rows(ranks, suits, deals, counts):
    """All deals, their rows on every street, and the cuts of every row of the street before."""
    dealt, rows, cuts = all_deals(ranks, suits, deals), [], []
    before = [0] * len(dealt)
    for street, count in enumerate(counts):
        seen = [(deal[:2], tuple(sorted(deal[2 : 2 + sum(deals[:street])]))) for deal in dealt]
        values = [plain_value(*cards, ranks, suits, sum(deals)) for cards in seen]
        weights = [{} for _ in range(max(before) + 1)]
        for row, found in zip(before, values):
            weights[row][found] = weights[row].get(found, 0) + 1
        here = [plain_cuts(each, count) for each in weights]
        before = [row * count + sum(cut <= found for cut in here[row]) for row, found in zip(before, values)]
        rows.append(before)
        cuts.append(here)
    return dealt, rows, cuts


def faults(deck, buckets):
    """What is wrong with the cuts of a deck, with rows worked out from cards, and with rows looked up in tables."""
    rules = importlib.import_module("mccfr.buckets.bucketing").CardRules(*deck)
    module = importlib.import_module("mccfr.buckets.percentiles")
    kernel = importlib.import_module("mccfr.kernel.bucket_rows")
    bucketing = module.Percentiles(buckets)
    dealt, rows, cuts = plain_rows(*deck, bucketing.counts(rules))
    fit = importlib.import_module("mccfr.buckets.bucketing").Fit(bucketing, rules, bucketing.fit(rules))
    some = np.random.default_rng(1).integers(0, len(dealt), 40)
    hands = np.array(dealt, np.uint8)[some]
    walks = np.zeros((len(hands), rules.streets), np.int64)
    tables = bucketing.tables(fit)
    kernel.rows_of_hands(tables, np.uint64(rules.streets), hands, np.zeros(kernel.HELD, np.uint64), walks)
    found = []
    for street in range(rules.streets):
        expected = np.array(rows[street])[some]
        if fit.arrays[f"cut{street}"][: len(cuts[street])].tolist() != cuts[street]:
            found.append(f"cuts of street {street}")
        if (fit.rows_of(street, hands[:, : 2 + rules.board(street)]) != expected).any():
            found.append(f"rows of street {street}")
        if (walks[:, street] != expected).any():
            found.append(f"rows of walks on street {street}")
    return found


def cut_faults(tries, seed):
    """Random weights, light and heavy, whose cuts are not the greedy ones."""
    cut_points, dice = importlib.import_module("mccfr.buckets.cuts").cut_points, np.random.default_rng(seed)
    found = []
    for _ in range(tries):
        weights = dice.integers(0, 9, dice.integers(1, 15)) ** dice.integers(1, 4)
        buckets = int(dice.integers(1, 8))
        expected = plain_cuts({value: int(weight) for value, weight in enumerate(weights) if weight}, buckets)
        values = np.arange(len(weights), dtype=np.uint64)
        if cut_points(weights[None, :], values, buckets).tolist() != [expected]:
            found.append(f"{weights.tolist()} in {buckets} parts")
    return found


def wrong():
    """The first example that comes out wrong, or raises, if one does."""
    use_tables()
    for look, *given in ((cut_faults, 200, 3), *((faults, *example) for example in EXAMPLES)):
        try:
            if found := look(*given):
                return [repr((given, found[:3]))]
        except Exception as error:  # a planted bug may raise anything
            return [repr(error)]
    return []
