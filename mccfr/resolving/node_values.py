"""What nodes of a position are worth to every hand of a player, and how often both players' hands come there.

The values are v(j) of `mccfr.resolving.gadgets`, and dividing them by w(j) gives alt(j). Below the start they do not
depend on a gadget, nor on the player's own reach.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.street_reading import only_towards
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.layout import u64
from mccfr.kernel.street_actors import BEST_VALUE, FOLLOW_STRATEGY, Judging
from mccfr.kernel.street_layout import StreetTable
from mccfr.resolving.position_tree import compatible
from mccfr.tree.street_boards import Exchange, deal_chances
from mccfr.tree.street_lines import FIRST_NODES, SEGMENT
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

    Boards that an exchange of suits maps to each other are looked at as one; `turned` makes the real cards of it.
    """
    stride, starts = tree.largest_infoset, tree.laid.lines.segments[FIRST_NODES::SEGMENT]
    segment = tree.laid.segment_of(node)
    first, nodes = int(starts[segment]), int(starts[segment + 1]) - int(starts[segment])
    value, reach = np.zeros(nodes * stride), np.zeros(2 * nodes * stride)
    sweeps = StreetSweeps(tree, np.float64)
    sweeps.boards = only_towards(tree, board)
    table = StreetTable(lanes, _NOTHING, _NOTHING, tree.ties(np.dtype(np.float64)), tree.locks)
    sweeps.sweep(Judging(FOLLOW_STRATEGY, u64(board), u64(segment), value, reach), player, table)
    if best:
        sweeps.sweep(Judging(BEST_VALUE, u64(board), u64(segment), value, np.zeros_like(reach)), player, table)
    at = node - first
    return _by_hand(tree, player, board, turned, reach.reshape(nodes, 2, stride)[at], value.reshape(nodes, stride)[at])


def _by_hand(tree: StreetTree, player: int, board: int, turned: Exchange, seen: Floats, value: Floats) -> Arrived:
    """From places in lists of hands to hands of the deck, and from counterfactual values to averages."""
    deck, rules = tree.boards.deck, tree.rules
    reach, worth = np.zeros((2, len(deck.cards))), np.zeros(len(deck.cards))
    for p in (0, 1):
        held = turned.hands[tree.boards.members[2 * board + p]]
        reach[p, held] = seen[p, : len(held)]
    held = turned.hands[tree.boards.members[2 * board + player]]
    chances = deal_chances(deck.count, len(rules.board), rules.deals) / tree.pairs
    against = compatible(deck, reach[1 - player])[held] * chances[tree.boards.listed[board].street]
    worth[held] = np.divide(value[: len(held)], against, out=np.zeros(len(held)), where=against > 0.0)
    return Arrived(reach, worth)
