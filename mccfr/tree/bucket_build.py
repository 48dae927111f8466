"""From the rules of hold'em with a bucketing to its tree: how large that is, and then the arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import FOLD_BY_0, NO_NODE, BettingTree, build_tree, tree_size
from mccfr.buckets.store import fitted
from mccfr.games.base import game_text
from mccfr.kernel import layout
from mccfr.tree.bucket_infosets import BucketInfosets
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.budget import memory_limit, require, size_text

MOST_ENTRIES = 2**32  # words of nodes have 32 bits
STRIDE_AT = 8  # bits of the street
ENTRY_BYTES = 12  # float32 regrets, float64 averages


def tree_through_buckets(game: Any, limit: str | float | None) -> BucketTree:
    """The tree of a game that is seen through buckets; refused before anything is made if it is too large."""
    text, most = game_text(game), memory_limit(limit)
    rows = game.buckets.rows(game.card_rules)
    size = tree_size(game.betting)
    infosets = sum(nodes * count for nodes, count in zip(size.decisions, rows))
    if not game.buckets.shares_lines:  # then decisions own the same entries, and the tree is small enough to look
        need = f"{text}: {infosets:,} infosets with {size.nodes:,} betting nodes would need at least"
        require(2 * ENTRY_BYTES * infosets, most, f"{need} {size_text(2 * ENTRY_BYTES * infosets)}")
    betting = build_tree(game.betting)
    fit = fitted(game.buckets, game.card_rules)
    found = BucketInfosets(betting, fit, *blocks_of(betting, game.buckets.shares_lines))
    require(ENTRY_BYTES * found.entries, min(most, MOST_ENTRIES * ENTRY_BYTES), f"{text}: {len(found):,} infosets with "
            f"{found.entries:,} entries would need {size_text(ENTRY_BYTES * found.entries)}")  # fmt: skip
    nodes, stakes = lay_out(betting, found)
    return BucketTree(text, game, betting, fit, nodes, stakes, found, limit=most)


def blocks_of(betting: BettingTree, shared: bool) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """[nodes] the block of table entries of a decision, and the first decision with the same entries.

    A block is all that a player decides on a street that was reached by one line; where lines that differ on earlier
    streets share rows, it is all decisions that look alike, which have the entries of the first of them.
    """
    count = len(betting.kind)
    block, leader = np.full(count, NO_NODE, np.int64), np.arange(count)
    keys = alike(betting) if shared else street_roots(betting)
    for player in (0, 1):
        numbers: dict[int, int] = {}
        first: dict[int, int] = {}
        before = int(block.max(initial=-1)) + 1
        for h in np.flatnonzero(betting.kind == player).tolist():
            key = int(keys[h])
            block[h] = before + numbers.setdefault(key, len(numbers))
            leader[h] = first.setdefault(key, h) if shared else h
    return block, leader


def alike(betting: BettingTree) -> npt.NDArray[np.int64]:
    """[nodes] the same number for decisions that look alike to somebody who forgets earlier streets."""
    from mccfr.betting.line_classes import forgetful_classes

    return forgetful_classes(betting)


def street_roots(betting: BettingTree) -> npt.NDArray[np.int64]:
    """[nodes] the node at which the street of each node began."""
    roots = np.zeros(len(betting.kind), np.int64)
    for h, above in enumerate(betting.parent.tolist()):
        if above >= 0:
            roots[h] = roots[above] if betting.street[h] == betting.street[above] else h
    return roots


def lay_out(betting: BettingTree, infosets: BucketInfosets) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
    """Nodes of four words, and the stakes they name."""
    words = np.zeros((len(betting.kind), 4), np.uint32)
    ends = betting.kind < 0
    stakes, number = np.unique(betting.stake, return_inverse=True)
    words[~ends, layout.CHILD] = betting.first_child[~ends]
    words[~ends, layout.ROW] = infosets.node_entry[~ends]
    words[~ends, layout.KIND] = betting.kind[~ends] | betting.arity[~ends] << 8
    folded = ends & (betting.kind <= FOLD_BY_0)
    words[folded, layout.CHILD] = 3 * (1 + FOLD_BY_0 - betting.kind[folded].astype(np.int64))
    words[ends, layout.ROW] = number[ends]
    words[ends, layout.KIND] = int(layout.TERMINAL)
    words[:, layout.INFOSET] = betting.street | infosets.node_stride << STRIDE_AT
    return words.reshape(-1), stakes
