"""How large a dealt game may become: refused before memory is spent on it, or on what a method keeps about it."""

from mccfr.tree.budget import count_text, entry_bytes, require, size_text

BUILT_NODE_BYTES = 40  # 16 that stay, and what building and numbering infosets take at their peak
LISTED_NODE_BYTES = 300  # of a tree that is found node by node in Python


class DealtBudget:
    """A memory limit, held against a dealt tree with the three tables of a method."""

    def __init__(self, game: str, limit: int) -> None:
        self.game, self.limit = game, limit
        self.known = False  # whether the size of the game has been looked at

    def check_tree(self, nodes: int, entries: int) -> None:
        """Refuse a game of a known size."""
        self.known = True
        need = nodes * BUILT_NODE_BYTES + 3 * entries * entry_bytes(entries)
        sizes = f"{count_text(nodes)} public nodes and {count_text(entries)} table entries"
        require(need, self.limit, f"{self.game} has {sizes} and would need about {size_text(need)} with its tables")

    def charge(self, nodes: int) -> None:
        """A tree found node by node has so many already."""
        need = nodes * LISTED_NODE_BYTES
        if need > self.limit:
            size = f"at least {nodes:,} public nodes"
            require(need, self.limit, f"{self.game} has {size} and would need about {size_text(need)} to write out")
