"""How likely one hand wins the showdown against each other hand, if nobody folds from here on. Exact.

All boards that can follow are gone through: 990 from a flop for each pair of hands, 44 from a turn. Before the flop the
whole deck has a table (`mccfr.cards.equity`); smaller decks are gone through there too.
"""

import functools
import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import HANDS, hand_of
from mccfr.cards.equity import hand_equities
from mccfr.cards.evaluator import deck_hands
from mccfr.games.holdem import HOLE_CARDS
from mccfr.kernel.one_against_all import add_wins_of_one
from mccfr.playing.table import Table

Floats = npt.NDArray[np.float64]
KEPT = 256  # pairs of hand and board whose chances are kept


@functools.cache
def preflop_chances() -> Floats:
    """[1326, 1326] P(win) + P(tie) / 2 of the row's hand, for the whole deck."""
    found = hand_equities()
    return np.asarray(found.win + found.tie / 2.0)


@functools.lru_cache(maxsize=KEPT)
def showdown_chances(table: Table, own: tuple[int, int], board: tuple[int, ...]) -> Floats:
    """[hands of the deck] P(win) + P(tie) / 2 of one hand against each other; 0 for hands that cannot be met."""
    if not board and table.deck.hands == HANDS and sum(table.deals) == 5:
        return preflop_chances()[hand_of(*own)]
    boards = run_outs(table, own, board)
    wins = np.zeros(table.deck.hands, np.int64)
    add_wins_of_one(deck_hands(boards.shape[1], table.ranks, table.suits), boards, *map(np.uint8, own), wins)
    left = table.deck.cards - 2 * HOLE_CARDS - len(board)
    return np.asarray(wins / (2.0 * math.comb(left, boards.shape[1] - len(board))))


def run_outs(table: Table, own: Sequence[int], board: Sequence[int]) -> npt.NDArray[np.uint8]:
    """[boards, cards] all whole boards that begin with this one and hold no card of one's own."""
    rest = remaining(table, (*own, *board))
    missing = sum(table.deals) - len(board)
    following = rest[ways_to_choose(len(rest), missing)]
    came = np.tile(np.array(board, np.uint8), (len(following), 1))
    return np.ascontiguousarray(np.concatenate((came, following), axis=1))


def remaining(table: Table, known: Sequence[int]) -> npt.NDArray[np.uint8]:
    """The cards of the deck that are not known, rising."""
    return np.array([card for card in range(table.deck.cards) if card not in known], np.uint8)


@functools.cache
def ways_to_choose(count: int, size: int) -> npt.NDArray[np.int64]:
    """[ways, size] all ways to choose so many of so many."""
    ways = list(itertools.combinations(range(count), size))
    return np.array(ways, np.int64).reshape(len(ways), size)
