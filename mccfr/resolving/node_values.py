"""A node of a solved position as the next position needs it: reaches and alt(j) by hands of the deck.

Below the start, neither depends on the gadget, nor alt(j) on what the player itself did before.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.street_counterfactuals import StreetCounterfactuals
from mccfr.kernel.street_layout import StreetTable
from mccfr.tree.street_boards import Exchange
from mccfr.tree.street_tree import StreetTree

Floats = npt.NDArray[np.float64]
_NOTHING = np.zeros(0)


class Arrived(NamedTuple):
    """A node on a board.

    Attributes:
        reach: [2, hands of the deck] weights at the start times what the strategies do on the way.
        worth: [hands of the deck] alt(j) of one player, in chips; 0 for hands that cannot be there.
    """

    reach: Floats
    worth: Floats


def arrive(
    tree: StreetTree, lanes: Floats, player: int, node: int, board: int, turned: Exchange, best: bool = False
) -> Arrived:
    """What a node on a board is worth to a player by a strategy in lanes, or by a best response to it.

    Boards that an exchange of suits maps to each other are looked at as one; `turned` makes the real cards of it. The
    gate of the tree is left open.
    """
    open_table = StreetTable(lanes, _NOTHING, _NOTHING, tree.ties(np.dtype(np.float64)), tree.locks)
    found, hands = StreetCounterfactuals(tree, open_table), len(tree.boards.deck.cards)
    held = [turned.hands[tree.boards.members[2 * board + p]] for p in (0, 1)]
    reach, worth = np.zeros((2, hands)), np.zeros(hands)
    for p, mine in enumerate(found.reaches(node, board)):
        reach[p, held[p]] = mine
    worth[held[player]] = found.values(player, node, board, best).worth
    return Arrived(reach, worth)
