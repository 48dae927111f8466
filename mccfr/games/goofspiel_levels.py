"""Goofspiel one depth at a time, as arrays: what `Goofspiel` says, for trees too large to visit node by node.

All nodes of a depth have the same mover and the same number of bids left. An infoset code holds one base-64 digit per
finished round: the bid and how it went. Bids start at 1, so no digit is 0 and codes of different lengths never meet.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.games.base import TERMINAL, Level

OUTCOMES = "wlt"
WON, LOST, TIED = range(3)
NOTHING = np.empty(0)


class Front(NamedTuple):
    """The nodes of one depth, before player 0 bids, with one entry per node in each array."""

    left: tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]  # cards left to each player, as bit masks
    codes: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]  # of each player's infoset
    lead: npt.NDArray[np.int8]  # of player 0, in points


def count_nodes(n: int, collapse: bool) -> int:
    """Each round multiplies the nodes by the bids of player 0, then by those of player 1."""
    nodes = width = 1
    for cards in range(n, int(collapse), -1):
        nodes += width * cards + width * cards**2
        width *= cards**2
    return nodes


def goofspiel_levels(n: int, collapse: bool) -> Iterator[Level]:
    """The levels in order; the last one is all terminals."""
    full = np.array([(1 << n) - 1], np.int16)
    none = np.zeros(1, np.int64)
    front = Front((full, full), (none, none), np.zeros(1, np.int8))
    for cards in range(n, int(collapse), -1):
        yield _decisions(0, cards, front.codes[0])
        hands = _hands(n, cards)
        bids0 = hands[front.left[0]].ravel()
        yield _decisions(1, cards, np.repeat(front.codes[1], cards))
        front = _after_round(front, cards, bids0, hands, needs_codes=cards > 1 + collapse)
    yield _terminals(front)


def describe(n: int, player: int, code: int) -> tuple[str, tuple[str, ...]]:
    """The label and the bids left that belong to a code."""
    rounds: list[str] = []
    left = list(range(1, n + 1))
    while code:
        code, digit = divmod(code, 64)
        bid, outcome = divmod(digit, 4)
        left.remove(bid)
        rounds.append(f"{bid}{OUTCOMES[outcome]}")
    return f"{player}:{''.join(reversed(rounds))}", tuple(map(str, left))


def _decisions(player: int, cards: int, codes: npt.NDArray[np.int64]) -> Level:
    nodes = len(codes)
    return Level(np.full(nodes, player, np.int8), np.full(nodes, cards, np.int32), codes, NOTHING, NOTHING)


def _terminals(front: Front) -> Level:
    left0, left1 = front.left
    # With the last round left out, the higher of the two cards left takes one more point.
    last = (left0 > left1).astype(np.int8) - (left0 < left1).astype(np.int8)
    payoff = np.sign(front.lead + last).astype(np.float64)
    nodes = len(payoff)
    none = np.empty(0, np.int64)
    return Level(np.full(nodes, TERMINAL, np.int8), np.zeros(nodes, np.int32), none, payoff, NOTHING)


def _hands(n: int, cards: int) -> npt.NDArray[np.int8]:
    """Row m holds the bids of bit mask m, ascending, for the masks of this many cards."""
    hands = np.zeros((1 << n, cards), np.int8)
    for mask in range(1 << n):
        if mask.bit_count() == cards:
            hands[mask] = [bit + 1 for bit in range(n) if mask >> bit & 1]
    return hands


def _after_round(
    front: Front, cards: int, bids0: npt.NDArray[np.int8], hands: npt.NDArray[np.int8], needs_codes: bool
) -> Front:
    """The nodes after both have bid: each old node has cards * cards of them, player 0's bid changing slowest."""
    bids1 = np.repeat(hands[front.left[1]], cards, axis=0).ravel()
    bids0 = np.repeat(bids0, cards)
    width = cards * cards
    won = np.sign(bids0 - bids1)
    left0 = np.repeat(front.left[0], width) ^ np.left_shift(1, bids0 - 1, dtype=np.int16)
    left1 = np.repeat(front.left[1], width) ^ np.left_shift(1, bids1 - 1, dtype=np.int16)
    lead = np.repeat(front.lead, width) + won * np.int8(cards)
    if not needs_codes:
        return Front((left0, left1), front.codes, lead)
    # The outcome digit of player 0 by `won` = 0, 1, -1; player 1 sees the opposite.
    outcome0 = np.array([TIED, WON, LOST])[won]
    outcome1 = np.array([TIED, LOST, WON])[won]
    code0 = np.repeat(front.codes[0], width) * 64 + bids0.astype(np.int64) * 4 + outcome0
    code1 = np.repeat(front.codes[1], width) * 64 + bids1.astype(np.int64) * 4 + outcome1
    return Front((left0, left1), (code0, code1), lead)
