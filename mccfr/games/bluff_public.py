"""The public tree of one round of Bluff as arrays, for trees too large to visit node by node.

Bids only rise, so a set of bids is a public history, written as a bit mask. Where its children begin follows from where
its parent's do: below a decision that leaves m higher bids (and a call) there are 2^(m+1) - 1 nodes.
"""

import numpy as np
import numpy.typing as npt

from mccfr.games.dealt import TERMINAL_KIND, PublicArrays

Words = npt.NDArray[np.uint32]


def bluff_public_tree(bids: int, lists: tuple[int, int]) -> PublicArrays:
    """The arrays that `mccfr.tree.dealt_tree` finds one by one; `lists`: number of each player's list of hands.

    Endings are keyed by the last bid and who doubted it.
    """
    keys = _endings(bids)
    words = np.zeros((2 ** (bids + 1) - 1, 4), np.uint32)
    child, mover, last = _histories(bids)
    words[0] = 1, 0, lists[0], bids << 8
    for bid in range(bids):  # all histories that end with it, and the calls that may follow
        here, before = slice(2**bid, 2 ** (bid + 1)), slice(0, 2**bid)
        number = child[before] + (bid - 1 - last[before])
        player, arity = mover[here].astype(np.uint32), bids - bid
        words[number, 0] = child[here]
        words[number, 2] = np.array(lists, np.uint32)[player]
        words[number, 3] = player | arity << 8
        call = child[here] + np.uint32(arity - 1)
        words[call, 0] = np.array([keys.get((bid, caller), 0) for caller in (0, 1)], np.uint32)[player]
        words[call, 3] = TERMINAL_KIND
    return PublicArrays(words, list(keys), [1.0], bids + 1)


def _histories(bids: int) -> tuple[Words, npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
    """For every set of bids where its children begin, who moves, and its last bid (-1 for none)."""
    child = np.empty(2**bids, np.uint32)
    mover = np.zeros(2**bids, np.uint8)
    last = np.full(2**bids, -1, np.int8)
    child[0] = 1
    for bid in range(bids):
        here, before = slice(2**bid, 2 ** (bid + 1)), slice(0, 2**bid)
        ahead = [_ahead(bids, previous, bid) for previous in range(-1, bid)]
        child[here] = child[before] + np.array(ahead, np.uint32)[last[before] + np.int8(1)]
        mover[here] = 1 - mover[before]
        last[here] = bid
    return child, mover, last


def _ahead(bids: int, previous: int, bid: int) -> int:
    """Nodes from the children of a history to those of its child: the children, and what is below lower bids."""
    children = bids - 1 - previous + (previous >= 0)
    return children + sum(2 ** (bids - lower) - 1 for lower in range(previous + 1, bid))


def _endings(bids: int) -> dict[tuple[int, int], int]:
    """Endings in the order in which a walk, low bids first and the call last, meets them."""
    order = [(bids - 1, bids % 2)]
    for bid in reversed(range(bids - 1)):
        order += [(bid, (bid + 1) % 2), (bid + 1, (bid + 1) % 2)]
    return {key: number for number, key in enumerate(order)}
