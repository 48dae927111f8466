"""A first strategy by rules of thumb: how likely each move is, by the win rate of the cards. [Lin 2024, 7]

The paper gives no table, only that a hand that wins less than one time in five should nearly always be folded or
checked and hardly ever go all-in. The table here is ours.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import ALL_IN, BETS, CALLS, Move
from mccfr.errors import BettingError

WIN_RATES = (0.2, 0.4, 0.6, 0.8)  # where the next row begins
GIVE_UP, CALL, SMALL, LARGE = range(4)  # fold or check; call; the smallest bet or raise; all others together
CHANCES = np.array(
    [
        [0.85, 0.10, 0.04, 0.01],
        [0.60, 0.30, 0.08, 0.02],
        [0.30, 0.45, 0.20, 0.05],
        [0.10, 0.40, 0.35, 0.15],
        [0.02, 0.30, 0.38, 0.30],
    ]
)

Floats = npt.NDArray[np.float64]


def prior_weights(win_rate: npt.ArrayLike, moves: Sequence[Move]) -> Floats:
    """[rows, moves] the probabilities of moves, one row for each win rate.

    Moves of one column of CHANCES share it evenly, and what the columns of moves that are not offered would have had
    goes to the others in proportion. All-in is never the small bet, even where it is the only one.
    """
    rate = np.atleast_1d(np.asarray(win_rate, np.float64))
    if not ((rate >= 0) & (rate <= 1)).all():
        wrong = rate[~((rate >= 0) & (rate <= 1))][0]
        raise BettingError(f"a win rate is a number from 0 to 1, not {wrong:g}")
    if not moves:
        raise BettingError("a first strategy needs at least one move to play")
    column = columns_of(moves)
    weights = CHANCES[np.searchsorted(WIN_RATES, rate, "right")][:, column] / np.bincount(column)[column]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def columns_of(moves: Sequence[Move]) -> npt.NDArray[np.int64]:
    """Which column of CHANCES each move belongs to."""
    sized = [move.amount for move in moves if BETS <= move.kind < ALL_IN]
    smallest = min(sized, default=None)

    def column(move: Move) -> int:
        if move.kind < CALLS:
            return GIVE_UP
        if move.kind == CALLS:
            return CALL
        return SMALL if move.kind != ALL_IN and move.amount == smallest else LARGE

    return np.array([column(move) for move in moves], np.int64)
