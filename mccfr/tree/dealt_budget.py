"""How large a dealt game may become: refused before memory is spent on it, or on what a method keeps about it."""

from mccfr.tree.budget import require, size_text

BUILT_NODE_BYTES = 40  # 16 that stay, and what building and numbering infosets take at their peak
LISTED_NODE_BYTES = 300  # of a tree that is found node by node in Python
SMALL_TABLES = 2**26  # entries: up to here tables are float64, beyond float32


def entry_bytes(entries: int) -> int:
    """Bytes of one entry in one table of so many."""
    return 8 if entries <= SMALL_TABLES else 4


class DealtBudget:
    """A memory limit, held against a dealt tree with the three tables of a method."""

    def __init__(self, game: str, limit: int) -> None:
        self.game, self.limit = game, limit

    def check_tree(self, nodes: int, entries: int) -> None:
        """Refuse a game of a known size."""
        need = nodes * BUILT_NODE_BYTES + 3 * entries * entry_bytes(entries)
        sizes = f"{nodes:,} public nodes and {entries:,} table entries"
        require(need, self.limit, f"{self.game} has {sizes} and would need about {size_text(need)} with its tables")

    def charge(self, nodes: int) -> None:
        """A tree found node by node has so many already."""
        need = nodes * LISTED_NODE_BYTES
        if need > self.limit:
            size = f"at least {nodes:,} public nodes"
            require(need, self.limit, f"{self.game} has {size} and would need about {size_text(need)} to write out")
