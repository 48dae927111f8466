"""The tables of a method on one tree: their type by their size, and what may not be had."""

import numpy as np

from mccfr.kernel.layout import Table
from mccfr.tree.budget import memory_limit, require, size_text
from mccfr.tree.dealt_budget import entry_bytes
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.tree import Tree


def tables_for(tree: Tree | DealtTree) -> Table:
    """Empty tables and a uniform strategy; float32 for large dealt games (docs/dealt.md says what that loses)."""
    entries = tree.infosets.entries
    if not isinstance(tree, DealtTree):
        return Table(tree.infosets.uniform(), np.zeros(entries), np.zeros(entries))
    size = entry_bytes(entries)
    require_memory(tree, 3 * entries * size, f"the tables of {entries:,} entries")
    dtype = np.float64 if size == 8 else np.float32
    return Table(tree.infosets.uniform(dtype), np.zeros(entries, dtype), np.zeros(entries, dtype))


def require_memory(tree: DealtTree, need: float, what: str) -> None:
    """Refuse what a method would keep about a dealt game before it is allocated."""
    limit = tree.limit or memory_limit()
    require(need, limit, f"{tree.game}: {what} would need about {size_text(need)}")
