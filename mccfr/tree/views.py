"""Augmented infosets: what a player knows at nodes where it does not move, worked out from the tree alone.

At a node between two of its own moves, a player knows its past (its last infoset and action) and may have seen public
events since. Two nodes with the same past, equally many moves later, are told apart exactly as far as the player's next
infosets tell them apart; nodes after which it never moves again are told apart by the past alone. A game with public
cards or actions thereby gets them into the view, one with hidden bids does not.
"""

import numpy as np
import numpy.typing as npt

from mccfr.kernel import layout
from mccfr.kernel.histories import trace_recall, trace_views
from mccfr.tree.history_tree import HistoryTree


def view_keys(tree: HistoryTree) -> tuple[npt.NDArray[np.uint32], int]:
    """key[2 c + i]: number of (player i's view of c's parent, action into c); and how many numbers there are."""
    size, infosets = len(tree), len(tree.infosets)
    last = np.zeros(2 * size, dtype=np.uint32)
    trace_recall(tree.nodes, np.uint64(2), last, np.full(infosets, 0xFFFFFFFF, dtype=np.uint32))
    keys, total = np.zeros(2 * size, dtype=np.uint32), 0
    for player in (0, 1):
        views, parent = _views(tree, player, last[player::2])
        action = np.arange(size) - tree.nodes[layout.CHILD :: 4][parent]
        pairs = views[parent].astype(np.int64) * (int(action[1:].max(initial=0)) + 1) + action
        _, number = np.unique(pairs[1:], return_inverse=True)
        keys[2 + player :: 2] = number + total
        total += int(number.max(initial=-1)) + 1
    return keys, max(total, 1)


def _views(
    tree: HistoryTree, player: int, past: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """A number for the player's view at every node, and every node's parent."""
    size, infosets = len(tree), len(tree.infosets)
    kind = tree.nodes[layout.KIND :: 4] & 255
    parent, stage = np.zeros(size, dtype=np.uint32), np.zeros(size, dtype=np.uint32)
    group = np.full(size, 0xFFFFFFFF, dtype=np.uint32)
    stages = tree.depth + 1
    master = np.arange(stages * max(infosets, 1), dtype=np.uint32)
    trace_views(tree.nodes, np.uint64(player), np.uint64(infosets), parent, stage, group, master)
    while not np.array_equal(master, master[master]):
        master = master[master]
    own = kind == player
    described = np.empty((size, 4), dtype=np.int64)  # what tells two views apart
    described[:, 0] = np.where(own, 0, stage + 1)
    described[:, 1] = np.where(own, tree.nodes[layout.INFOSET :: 4], past)
    described[:, 2] = np.where(
        own | (group == 0xFFFFFFFF), -1, master[np.where(group == 0xFFFFFFFF, 0, group)].astype(np.int64)
    )
    described[:, 3] = np.where(own, 0, kind)
    return np.unique(described, axis=0, return_inverse=True)[1].reshape(-1), parent
