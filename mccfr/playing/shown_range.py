"""The hands that a player may hold by its moves, for people: the 13 x 13 grid, and the likeliest classes."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mccfr.cards.deck import CLASS_NAMES, CLASS_OF_HAND
from mccfr.cards.grid import grid_table
from mccfr.playing.many_hands import Floats
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Policy, range_after

if TYPE_CHECKING:
    from rich.table import Table

WHOLE_DECK = 52


class ShownRange(NamedTuple):
    """What a player may have had.

    Attributes:
        weights: [hands] P(its moves | hand); 0 for hands that share a card with the board or the other player.
        grid: [169] the mean weight of each class in percent of the largest, NaN where no hand of it is possible; None
            with another deck than the whole one.
        likeliest: Classes (hands, in another deck) with their share of the range, the largest first.
    """

    weights: Floats
    grid: Floats | None
    likeliest: list[tuple[str, float]]

    def table(self, title: str) -> "Table | None":
        """The grid for the terminal."""
        return None if self.grid is None else grid_table(self.grid, title, ".0f", 0.0, 100.0)


def shown_range(policy: Policy, record: HandRecord, seat: int) -> ShownRange:
    """What the player of a seat may have had by a policy and its moves in a hand, as the other player sees it."""
    table = record.table
    weights = range_after(policy, record.board, record.moves, seat)
    known = (*record.holes[1 - seat], *record.board)
    free = ~np.isin(table.deck.hand_cards, known).any(axis=1)
    weights = np.where(free, weights, 0.0)
    total = max(float(weights.sum()), 1e-300)
    if table.ranks * table.suits != WHOLE_DECK:
        order = np.argsort(-weights, kind="stable")
        return ShownRange(weights, None, [(table.deck.hand_name(int(h)), float(weights[h] / total)) for h in order])
    count = np.bincount(CLASS_OF_HAND, free, len(CLASS_NAMES))
    held = np.bincount(CLASS_OF_HAND, weights, len(CLASS_NAMES))
    mean = np.where(count > 0, held / np.maximum(count, 1), np.nan)
    largest = float(np.nanmax(mean))
    order = np.argsort(-held, kind="stable")
    grid = 100.0 * mean / largest if largest > 0.0 else mean
    return ShownRange(weights, grid, [(CLASS_NAMES[int(c)], float(held[c] / total)) for c in order])
