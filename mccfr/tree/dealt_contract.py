"""Checks a game that exists only in dealt form: probabilities, payoffs and labels of its compiled public tree."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mccfr.errors import QUOTED, GameError, quoted, shortened
from mccfr.games.base import game_text
from mccfr.kernel import layout
from mccfr.tree.dealt_tree import DealtTree, deal_out

TOLERANCE = 1e-9  # of sums of probabilities


def checked_tree(game: Any) -> DealtTree:
    """The public tree of a game, or an error with a line for each kind of fault."""
    tree = deal_out(game)
    if faults := list(dealt_faults(tree)):
        name = shortened(game_text(game), QUOTED)
        raise GameError("\n".join(f"{name}, {fault}" for fault in faults))
    return tree


def dealt_faults(tree: DealtTree) -> Iterator[str]:
    """What is wrong with a public tree, a line for each kind."""
    deal = tree.deal
    if np.any(deal < 0) or abs(deal.sum() - 1) > TOLERANCE:
        yield f"deal(): the probabilities of pairs of hands sum to {deal.sum():g}, expected 1, none below 0"
    if not np.all(np.isfinite(tree.matrices)):
        yield "matrix(): a payoff is not a finite number"
    elif np.any(tree.matrices[:, deal == 0] != 0):
        yield "matrix(): a pair of hands that is never dealt is paid, expected 0"
    if (worst := _worst_law(tree)) > TOLERANCE:
        yield f"law(): the probabilities of public events miss a sum of 1 by {worst:g}"
    yield from _repeated_labels(tree)


def _worst_law(tree: DealtTree) -> float:
    """By how much the probabilities after a public chance node fail to sum to 1, for hands that can be dealt."""
    worst = 0.0
    for _, row, _, kind in tree.nodes.reshape(-1, 4).tolist():
        if kind & 255 == layout.CHANCE:
            law = tree.laws[row : row + tree.deal.size * (kind >> 8)].reshape(*tree.deal.shape, kind >> 8)
            worst = max(worst, float(np.abs(law.sum(axis=2) - 1)[tree.deal > 0].max()))
    return worst


def _repeated_labels(tree: DealtTree) -> Iterator[str]:
    for player in (0, 1):
        seen: set[str] = set()
        for number in tree.infosets.of(player):
            label = tree.infosets.labels[number]
            if label in seen:
                yield f"label(): two infosets of player {player} are called {quoted(label)}"
                return
            seen.add(label)
