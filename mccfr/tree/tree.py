"""A tree: a game for the machine. Whatever others want to know about a game, they ask its tree.

There are two kinds, and a third is one class and the bodies of a few verbs: `HistoryTree` writes every history out;
`DealtTree` has public nodes, and hands that are dealt at the start. A new kind says

    game, nodes, infosets   its name, nodes of four words each (`mccfr.kernel.layout`), and who owns which table entries
    walk_view()             what a walk sees: a NamedTuple with nodes, odds and memory, with bodies of the verbs `row`
                            and `worth` for its class, of `deal` if hands are dealt, of `place` if histories have
                            baselines of their own (`mccfr.kernel.dealing`)
    held, deals()           how many words a walk keeps of its hands, and every way to deal them

and is then walked, solved, audited, kept on disk and shown like the others. Full-width methods, evaluation and audits
use `written`, the same game with all histories written out, unless the tree has something better.
"""

import abc
import functools
import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from mccfr.kernel import layout
from mccfr.kernel.dealing import Common, Fresh
from mccfr.kernel.estimators import Infoset
from mccfr.kernel.histories import trace_depth
from mccfr.kernel.layout import Far, Near, Table, Work
from mccfr.tree.budget import entry_bytes, memory_limit, require, size_text
from mccfr.tree.infosets import Infosets

if TYPE_CHECKING:
    from mccfr.tree.dealt_tree import DealtTree
    from mccfr.tree.history_tree import HistoryTree

Floats = npt.NDArray[np.float64]
CACHE_BYTES = 2**25  # nodes beyond this are walked looking ahead


def nearness(nodes: npt.NDArray[np.uint32]) -> Near | Far:
    """Whether nodes stay in the processor's cache."""
    return Far() if nodes.nbytes > CACHE_BYTES else Near()


class Tree(abc.ABC):
    """What every kind of tree answers."""

    game: str  # the string that names the game
    nodes: npt.NDArray[np.uint32]  # [4 * number of nodes]
    infosets: Infosets
    players: int = 2
    constant: float = 0.0  # what payoffs summed to before half of it was taken from each player
    limit: int = 0  # bytes that it and what is made for it may take, 0 for the usual limit

    held: ClassVar[int] = 0  # words that a walk keeps of the hands it was dealt
    one_history_per_node: ClassVar[bool] = False  # so that a walk can be shown on its nodes

    @abc.abstractmethod
    def walk_view(self) -> Any:
        """The tree as a walk sees it."""

    @abc.abstractmethod
    def deals(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """Every way to deal hands: its probability, and the words that a walk then holds."""

    def __len__(self) -> int:
        return len(self.nodes) // 4

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}: {len(self):,} nodes, {len(self.infosets):,} infosets>"

    @property
    def public(self) -> "DealtTree | None":
        """The tree with a vector of hands at every node, for methods that carry all of them; None if it has none."""
        return None

    @functools.cached_property
    def written(self) -> "HistoryTree":
        """Every history written out, with the same table entries; refused where that would need too much memory."""
        from mccfr.tree.write_out import write_out

        return write_out(self)

    @functools.cached_property
    def counts(self) -> dict[str, int]:
        """Sizes by name: nodes, terminals, chance and decision nodes, infosets, infoset_actions, largest_infoset."""
        kind = (self.nodes[layout.KIND :: 4] & 255).astype(np.uint8)
        terminals = int(np.count_nonzero(kind == int(layout.TERMINAL)))
        decision = int(np.count_nonzero(kind < int(layout.CHANCE)))
        return {
            "nodes": len(self),
            "terminals": terminals,
            "chance": len(self) - terminals - decision,
            "decision": decision,
            "infosets": len(self.infosets),
            "infoset_actions": self.infosets.entries,
            "largest_infoset": self.largest_infoset,
        }

    @property
    def largest_infoset(self) -> int:
        """The most histories, or pairs of hands, that a player cannot tell apart."""
        return self.written.largest_infoset

    @property
    def largest_payoff(self) -> float:
        """In size, or nearly: numbers are small only beside it."""
        return self.written.largest_payoff

    @functools.cached_property
    def deal_count(self) -> int:
        """How many ways there are to deal."""
        return sum(1 for _ in self.deals())

    @property
    def extent(self) -> int:
        """What a walk of everything visits: nodes, times the hands of a player where nodes stand for all of them."""
        return len(self)

    @functools.cached_property
    def depth(self) -> int:
        """The most moves before a node."""
        return int(trace_depth(self.nodes, layout.U0, np.zeros(len(self), dtype=np.uint32)))

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of what makes two games the same: what a walk sees, all deals, infosets and their labels."""
        infosets = self.infosets
        content = hashlib.sha256(repr((type(self).__name__, infosets.first, list(self.deals()))).encode())
        for value in (*self.walk_view(), infosets.row, infosets.menu):
            content.update(np.ascontiguousarray(value).tobytes())
        content.update("\x00".join([*infosets.labels, *map("\x01".join, infosets.menus)]).encode())
        return content.hexdigest()

    # ---- what a method needs

    def tables(self) -> Table:
        """Empty tables and a uniform strategy; float32 where entries are many (docs/dealt.md says what that loses)."""
        entries = self.infosets.entries
        size = entry_bytes(entries)
        self.require(3 * entries * size, f"the tables of {entries:,} entries")
        dtype = np.float64 if size == 8 else np.float32
        return Table(self.infosets.uniform(dtype), np.zeros(entries, dtype), np.zeros(entries, dtype))

    def walk_work(self, dice: Any, common: bool = False) -> Work:
        """Frames for the deepest path, and room for what a walk holds."""
        arity, depth = max(self.infosets.widest, 1), self.depth + 1
        stride = 3 + 3 * arity
        return Work(
            np.zeros(8 * depth, np.uint64), np.zeros(stride * depth), np.zeros(arity), np.zeros(1, np.uint64), dice,
            np.uint64(stride), np.uint64(arity), np.zeros(self.held, np.uint64),
            self._common_luck() if common else Fresh(),
        )  # fmt: skip

    def _common_luck(self) -> Common:
        """Room for the events of chance on a line."""
        events = int(trace_depth(self.nodes, layout.CHANCE, np.zeros(len(self), np.uint32)))
        event, law, arity = (np.zeros(events, np.uint64) for _ in range(3))
        return Common(event, law, arity, np.zeros(1, np.uint64))

    @property
    def histories(self) -> int:
        """How many baselines of histories there are: one for every `place`."""
        return len(self)

    def history_values(self, probabilities: Floats) -> Floats:
        """u(h) for player 0 at every place when both follow a strategy; the mean over deals where they share it."""
        from mccfr.tree.write_out import place_values

        return place_values(self, probabilities)

    def infoset_baseline(self, policy: Infoset) -> Any:
        """A baseline for every edge as the walker sees it, with its tables; here for every edge and player."""
        count = 2 * self.histories
        visits = np.zeros(count if policy.rate == 0.0 else 1)
        return policy._replace(key=np.arange(count, dtype=np.uint32), table=np.zeros(count), visits=visits)

    def require(self, need: float, what: str) -> None:
        """Refuse what would be kept about this tree before it is allocated."""
        limit = self.limit or memory_limit()
        require(need, limit, f"{self.game}: {what} would need about {size_text(need)}")
