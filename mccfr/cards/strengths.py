"""What beats what: the 7462 strengths of five cards, for every set of ranks that five to seven cards can have.

Written with NumPy over all sets at once; `mccfr/cards/evaluator.py` turns the answers into tables.
"""

import itertools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
STRENGTHS = 7462
HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL, FOUR, STRAIGHT_FLUSH = range(9)
SIZES = (5, 6, 7)  # cards to choose the best five from

Ints = npt.NDArray[np.int64]


class Strengths(NamedTuple):
    """Strengths 0 to 7461, the worst hand first."""

    ranks: Ints  # [sets, 13] how many cards of each rank: every possible set of five to seven cards
    unsuited: Ints  # [sets] strength of such cards without five of one suit
    suited: (
        Ints  # [8192] by the ranks of one suit as bits: strength of the best five of that suit, -1 if there are less
    )
    category: Ints  # [7462] category of each strength


def all_strengths() -> Strengths:
    """Rank all sets of ranks and all sets of cards of one suit against each other."""
    ranks = np.concatenate([_rank_sets(size) for size in SIZES])
    masks = np.arange(1 << 13)
    enough = (masks[:, None] >> np.arange(13) & 1).sum(axis=1) >= 5
    unsuited, suited = _unsuited_value(ranks), _suited_value(masks[enough])
    values = np.unique(np.concatenate([unsuited, suited]))
    of_suit = np.full(len(masks), -1)
    of_suit[enough] = np.searchsorted(values, suited)
    return Strengths(ranks, np.searchsorted(values, unsuited), of_suit, values >> 20)


def _rank_sets(size: int) -> Ints:
    """[sets, 13] every way to have so many cards with at most four of a rank."""
    chosen = np.array(list(itertools.combinations_with_replacement(range(13), size)))
    counts = np.zeros((len(chosen), 13), np.int64)
    for column in chosen.T:
        counts[np.arange(len(chosen)), column] += 1
    return counts[counts.max(axis=1) <= 4]


def _value(category: int, *kickers: Ints) -> Ints:
    """One number that compares as (category, kickers in order) does; a kicker is a rank."""
    value = np.full(len(kickers[0]), category)
    for kicker in kickers:
        value = (value << 4) + kicker
    return value << 4 * (5 - len(kickers))


def _highest(mask: Ints) -> Ints:
    """The highest rank in a set of ranks given as bits; 0 of an empty set."""
    return np.frexp(mask.astype(np.float64))[1].clip(1).astype(np.int64) - 1


def _top(mask: Ints, count: int) -> tuple[Ints, ...]:
    """The highest so many ranks of a set, in falling order."""
    found = []
    for _ in range(count):
        found.append(_highest(mask))
        mask = mask & ~(1 << found[-1])
    return tuple(found)


def _straight(mask: Ints) -> Ints:
    """The highest rank of the best straight in a set of ranks, or 0: none ends in a deuce. Aces are also low."""
    with_low_ace = mask << 1 | mask >> 12
    runs = with_low_ace
    for j in range(1, 5):
        runs = runs & with_low_ace >> j
    return np.where(runs > 0, _highest(runs) + 3, 0)


def _suited_value(mask: Ints) -> Ints:
    """Value of five or more cards of one suit."""
    end = _straight(mask)
    return np.where(end > 0, _value(STRAIGHT_FLUSH, end), _value(FLUSH, *_top(mask, 5)))


def _unsuited_value(counts: Ints) -> Ints:
    """Value of cards with these counts of ranks when no five are of one suit."""
    one, two, three, four = ((counts >= n) @ (1 << np.arange(13)) for n in (1, 2, 3, 4))
    (best_four,), (best_three,), (best_two, second) = _top(four, 1), _top(three, 1), _top(two, 2)
    end, pairs, with_three = _straight(one), (counts >= 2).sum(axis=1), two & ~(1 << best_three)
    choices = [
        (four > 0, _value(FOUR, best_four, _highest(one & ~(1 << best_four)))),
        ((three > 0) & (pairs > 1), _value(FULL, best_three, _highest(with_three))),
        (end > 0, _value(STRAIGHT, end)),
        (three > 0, _value(THREE, best_three, *_top(one & ~(1 << best_three), 2))),
        (pairs > 1, _value(TWO_PAIR, best_two, second, _highest(one & ~(1 << best_two) & ~(1 << second)))),
        (pairs > 0, _value(PAIR, best_two, *_top(one & ~(1 << best_two), 3))),
    ]
    conditions, values = zip(*choices)
    return np.select(conditions, values, _value(HIGH, *_top(one, 5)))
