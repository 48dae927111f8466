"""Moves drawn for many hands at once, and the groups into which hands fall by them."""

from collections.abc import Iterator

import numpy as np

from mccfr.betting.lines import Move
from mccfr.playing.many_hands import Ints
from mccfr.playing.policy import Belief, Odds, Thought


def move_groups(odds: Odds, dice: np.random.Generator) -> Iterator[tuple[Move, Ints]]:
    """Draw a move for every hand; for each move that was drawn, the numbers of its hands."""
    moves = list(odds)
    up_to = np.cumsum([odds[move] for move in moves], axis=0)
    drawn = (dice.random(up_to.shape[1]) * up_to[-1] >= up_to[:-1]).sum(axis=0)
    for number in np.unique(drawn).tolist():
        yield moves[number], np.flatnonzero(drawn == number)


def belief_of_some(belief: Belief, chosen: Ints) -> Belief:
    """A belief about only the hands with these numbers."""
    return [Thought(node, weight[chosen]) for node, weight in belief]
