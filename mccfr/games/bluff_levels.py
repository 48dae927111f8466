"""One round of Bluff one depth at a time, as arrays: what `Bluff` says, for trees too large to visit node by node.

Bids only rise, so a set of bids is a history, and every deal has the same betting. It is written out once per depth and
repeated for each deal; only the payoffs differ. An infoset code is the mover's hand, then a bit mask of the bids made.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.games.base import CHANCE, TERMINAL, Level

NOTHING = np.empty(0)
NO_CODES = np.empty(0, np.int64)


class Round(NamedTuple):
    """A round, player 0 being the one who opens it."""

    odds: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]  # of each player's hands
    truth: npt.NDArray[np.bool_]  # [hands of player 0 * hands of player 1, bids] whether the bid is true

    @classmethod
    def of(cls, supports: Sequence[Sequence[Sequence[int]]], odds: Sequence[Sequence[float]], dice: int) -> "Round":
        """From what each hand counts for bids on each face, the odds of the hands, and the number of dice."""
        support0, support1 = map(np.array, supports)
        count = support0[:, None, None, :] + support1[None, :, None, :]
        truth = count > np.arange(dice)[:, None]  # a bid with index q means q + 1 dice or more
        return cls((np.array(odds[0]), np.array(odds[1])), truth.reshape(len(support0) * len(support1), -1))


class Front(NamedTuple):
    """The betting at one depth of every deal, with one entry per node in each array."""

    masks: npt.NDArray[np.int64]  # the bids made
    last: npt.NDArray[np.int64]  # the last of them, -1 for none
    called: npt.NDArray[np.bool_]  # whether it was called a lie, which ends the round


def count_endings(game: Round) -> tuple[int, int]:
    """How many of the round's endings are lost by the player who opened it, and by the other."""
    opener_loses = other_loses = 0
    deals = len(game.truth)
    for last, true in enumerate(game.truth.sum(axis=0).tolist()):
        by_opener = 2 ** (last - 1) if last else 1  # an even number of the lower bids came before
        by_other = 2**last - by_opener
        opener_loses += by_opener * (deals - true) + by_other * true
        other_loses += by_opener * true + by_other * (deals - true)
    return opener_loses, other_loses


def bluff_levels(game: Round, worth: tuple[float, float]) -> Iterator[Level]:
    """The levels in order, two rolls and then the bids. `worth`: what player 0 gets when 0 or 1 loses the round."""
    hands0, hands1 = map(len, game.odds)
    yield _roll(1, game.odds[0])
    yield _roll(hands0, game.odds[1])
    hands = np.divmod(np.arange(hands0 * hands1), hands1)
    bids = game.truth.shape[1]
    front = Front(np.zeros(1, np.int64), np.full(1, -1), np.zeros(1, np.bool_))
    for made in range(bids + 2):
        yield _betting(game.truth, worth, front, made, hands[made % 2])
        front = _children(front, bids)


def unpack(code: int, bids: int) -> tuple[int, Sequence[int]]:
    """The hand and the bids of a code."""
    return code >> bids, [bid for bid in range(bids) if code >> bid & 1]


def _roll(nodes: int, odds: npt.NDArray[np.float64]) -> Level:
    arity = np.full(nodes, len(odds), np.int32)
    return Level(np.full(nodes, CHANCE, np.int8), arity, NO_CODES, NOTHING, np.tile(odds, nodes))


def _betting(
    truth: npt.NDArray[np.bool_],
    worth: tuple[float, float],
    front: Front,
    made: int,
    hands: npt.NDArray[np.int64],
) -> Level:
    """Depth `made` of the betting for every deal; `hands` holds the mover's hand in each deal."""
    deals, bids = truth.shape
    mover = made % 2
    player = np.where(front.called, TERMINAL, mover).astype(np.int8)
    arity = np.where(front.called, 0, bids - 1 - front.last + (made > 0)).astype(np.int32)
    codes = hands[:, None] << bids | front.masks[~front.called]
    # A call ends at the depth of the player who made the bid: that player loses when the bid is false.
    bid_holds = truth[:, front.last[front.called]]
    payoff = np.where(bid_holds, worth[1 - mover], worth[mover])
    return Level(np.tile(player, deals), np.tile(arity, deals), codes.ravel(), payoff.ravel(), NOTHING)


def _children(front: Front, bids: int) -> Front:
    """The next depth: every higher bid in order and then, numbered after the highest, the call."""
    masks, last = front.masks[~front.called], front.last[~front.called]
    arity = bids - 1 - last + (last >= 0)
    starts = np.cumsum(arity) - arity
    parents = np.repeat(np.arange(len(masks)), arity)
    choice = last[parents] + 1 + np.arange(len(parents)) - starts[parents]
    called = choice == bids
    raised = np.where(called, 0, np.left_shift(1, choice))
    return Front(masks[parents] | raised, np.where(called, last[parents], choice), called)
