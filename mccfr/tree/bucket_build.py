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
    found = BucketInfosets(betting, fit, blocks_of(betting, game.buckets.shares_lines))
    require(ENTRY_BYTES * found.entries, min(most, MOST_ENTRIES * ENTRY_BYTES), f"{text}: {len(found):,} infosets with "
            f"{found.entries:,} entries would need {size_text(ENTRY_BYTES * found.entries)}")  # fmt: skip
    nodes, stakes = lay_out(betting, found)
    return BucketTree(text, game, betting, fit, nodes, stakes, found, limit=most)


def blocks_of(betting: BettingTree, shared: bool) -> npt.NDArray[np.int64]:
    """[nodes] which block of table entries a decision owns, -1 at ends: its own, or one for all that look alike."""
    found = np.full(len(betting.kind), NO_NODE, np.int64)
    if shared:
        from mccfr.betting.line_classes import forgetful_classes

        alike = forgetful_classes(betting)
        keys = [(int(betting.kind[h]), int(alike[h])) for h in range(len(found))]
    else:
        keys = [(int(betting.kind[h]), h) for h in range(len(found))]
    for player in (0, 1):
        numbers: dict[tuple[int, int], int] = {}
        before = int(found.max(initial=-1)) + 1
        for h in np.flatnonzero(betting.kind == player).tolist():
            found[h] = before + numbers.setdefault(keys[h], len(numbers))
    return found


def lay_out(betting: BettingTree, infosets: BucketInfosets) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
    """Nodes of four words, and the stakes they name."""
    words = np.zeros((len(betting.kind), 4), np.uint32)
    ends = betting.kind < 0
    stakes, number = np.unique(betting.stake, return_inverse=True)
    words[~ends, layout.CHILD] = betting.first_child[~ends]
    words[~ends, layout.ROW] = infosets.block_entry[infosets.block_of[~ends]]
    words[~ends, layout.KIND] = betting.kind[~ends] | betting.arity[~ends] << 8
    folded = ends & (betting.kind <= FOLD_BY_0)
    words[folded, layout.CHILD] = 3 * (1 + FOLD_BY_0 - betting.kind[folded].astype(np.int64))
    words[ends, layout.ROW] = number[ends]
    words[ends, layout.KIND] = int(layout.TERMINAL)
    words[:, layout.INFOSET] = betting.street
    return words.reshape(-1), stakes
