"""After a hand: with which cards the agent plays like that, and what its strategy does in the page's seat."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import Move, State
from mccfr.cards.deck import CLASS_NAMES, CLASS_OF_HAND, CLASSES, SIDE, hand_name
from mccfr.playing.many_hands import DealtHands
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Policy, believe, range_after
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table
from mccfr.web.move_words import size_words, spoken

Floats = npt.NDArray[np.float64]


class Advice(NamedTuple):
    """A decision of the page's player, and what a strategy does there with the same cards."""

    state: State
    board: tuple[int, ...]
    odds: dict[Move, float]  # every move of the strategy's tree here, also those it never makes
    made: Move | None = None  # what the player did


def advise(policy: Policy, seen: Seen) -> Advice:
    """What a strategy does in the place of a player who is to move."""
    hands = DealtHands(seen.table, np.array([(*seen.hole, *seen.board)], np.uint8))
    belief = believe(policy, hands, seen.moves, seen.seat)
    found = policy.odds(belief, seen.state, hands)
    return Advice(seen.state, seen.board, {move: float(p[0]) for move, p in found.items()})


def told_advice(table: Table, advice: Advice) -> dict[str, Any]:
    """A decision as plain data: the moves of the strategy with their probabilities, and the one that was made."""
    s = advice.state
    names = [table.deck.card_name(card) for card in advice.board]
    return {
        "street": s.street,
        "board": names,
        "pot": sum(s.stakes),
        "asked": max(s.stakes) - s.stakes[s.mover],
        "made": None if advice.made is None else spoken(s, advice.made),
        "probability": None if advice.made is None else advice.odds.get(advice.made),
        "moves": [
            {"label": spoken(s, move), "size": size_words(table, s, move), "probability": p}
            for move, p in sorted(advice.odds.items())
        ],
    }


def agents_range(policy: Policy, record: HandRecord, seat: int) -> dict[str, Any] | None:
    """The 13 x 13 grid of a seat's range after a hand, given the board and the other player's cards.

    A hand's weight is the probability that the strategy makes all the seat's moves with it; a cell's weight is the mean
    over its hands, and its share the probability of the cell among all hands.
    """
    if policy.table.deck.hands != len(CLASS_OF_HAND):
        return None  # a smaller deck has fewer classes
    weights = range_after(policy, record.board, record.moves, seat)
    known = (*record.board, *record.holes[1 - seat])
    free = np.asarray(~np.isin(policy.table.deck.hand_cards, known).any(axis=1))
    weights = np.where(free, weights, 0.0)
    if not weights.sum() > 0.0:
        return None
    return {"cells": _cells(weights, free), "hands": float(weights.sum())}


def _cells(weights: Floats, free: npt.NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Every class that the known cards leave possible."""
    possible = np.bincount(CLASS_OF_HAND[free], minlength=CLASSES)
    sums = np.bincount(CLASS_OF_HAND, weights=weights, minlength=CLASSES)
    best = float(np.max(sums / np.maximum(possible, 1)))
    return [
        {
            "hand": CLASS_NAMES[number],
            "row": number // SIDE,
            "column": number % SIDE,
            "weight": float(sums[number] / possible[number]),
            "height": float(sums[number] / possible[number]) / best,
            "share": float(sums[number] / weights.sum()),
            "combos": [
                {"hand": hand_name(hand), "weight": float(weights[hand])}
                for hand in np.flatnonzero((number == CLASS_OF_HAND) & (weights > 0.0)).tolist()
            ],
        }
        for number in np.flatnonzero(possible).tolist()
    ]
