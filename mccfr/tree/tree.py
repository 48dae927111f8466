"""A tree: a game for the machine. Whatever others want to know about a game, they ask its tree.

There are three kinds, and another is one class and the bodies of a few verbs: `HistoryTree` writes every history out;
`DealtTree` has public nodes, and hands that are dealt at the start; `StreetTree` has betting lines, boards and hands. A
new kind says

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

from mccfr.errors import MethodError
from mccfr.kernel import layout
from mccfr.kernel.dealing import Common, Fresh
from mccfr.kernel.estimators import Infoset
from mccfr.kernel.histories import trace_depth
from mccfr.kernel.layout import Far, Near, Table, Work
from mccfr.tree.budget import entry_bytes, memory_limit, require, size_text
from mccfr.tree.infosets import Infosets

if TYPE_CHECKING:
    from mccfr.tree.bucket_tree import BucketTree
    from mccfr.tree.dealt_tree import DealtTree
    from mccfr.tree.history_tree import HistoryTree
    from mccfr.tree.street_tree import StreetTree

Floats = npt.NDArray[np.float64]
CACHE_BYTES = 2**25  # nodes beyond this are walked looking ahead


def nearness(nodes: npt.NDArray[np.uint32]) -> Near | Far:
    """Whether nodes stay in the processor's cache."""
    return Far() if nodes.nbytes > CACHE_BYTES else Near()


class Tree(abc.ABC):
    """A compiled game: flat arrays, and what methods, evaluation and audits ask about them. The base of every kind.

    `mccfr.compile` makes one from a game. A new kind of tree defines `game`, `nodes`, `infosets`, `walk_view` and
    `deals`; the module's docstring says how. `len(tree)` is the number of nodes.

    Attributes:
        game: The string that names the game.
        nodes: The nodes, four 32-bit words each, one after the other.
        infosets: Which table entries belong to which infoset, and what people call them.
        players: How many players there are.
        constant: What the payoffs summed to before half of it was taken from each player; 0 for a zero-sum game.
        limit: The most bytes that the tree and what is made for it may take; 0 for the usual limit.
        held: How many words a walk keeps of the hands it was dealt.
        one_history_per_node: Whether every node is a single history, so that a walk can be shown on the nodes.

    Examples:
        >>> import mccfr
        >>> tree = mccfr.compile("leduc")
        >>> len(tree), len(tree.infosets), tree.depth
        (9457, 936, 11)
        >>> tree.counts["terminals"]
        5520
    """

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
        """Return the tree as the kernel of a walk sees it.

        Returns:
            A NamedTuple of arrays and numbers; its class decides which compiled code is used.
        """

    @abc.abstractmethod
    def deals(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """List every way to deal hands before the first move.

        Yields:
            The probability of a deal, and the words that a walk then holds.
        """

    def outcome_view(self) -> Any:
        """Return the tree as an audit sees it, which goes through everything that chance can do.

        Returns:
            The same as `walk_view`, except where another way to deal has fewer outcomes with the same chances.
        """
        return self.walk_view()

    def __len__(self) -> int:
        return len(self.nodes) // 4

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}: {len(self):,} nodes, {len(self.infosets):,} infosets>"

    @property
    def public(self) -> "DealtTree | None":
        """The tree with a vector of hands at every node, for methods that carry all hands; None if it has none."""
        return None

    @property
    def streets(self) -> "StreetTree | None":
        """The tree with betting lines, boards and hands, for sweeps board by board; None if it has none."""
        return None

    @property
    def buckets(self) -> "BucketTree | None":
        """The tree with betting lines and rows for cards that are dealt to a walk; None if it has none."""
        return None

    @property
    def quickly_measured(self) -> bool:
        """Whether exploitability takes seconds at most, so that it is measured while a method runs."""
        return True

    @property
    def laid_out(self) -> "Tree":
        """The form of the same game in which single histories can be walked: usually the tree itself."""
        return self

    @property
    def pot(self) -> float | None:
        """The pot at the start, of which a target may be a percentage; None if the game has none."""
        return None

    @functools.cached_property
    def written(self) -> "HistoryTree":
        """The same game with every history written out, and with the same table entries.

        Raises `TreeError` where that would need too much memory.
        """
        from mccfr.tree.write_out import write_out

        return write_out(self)

    @functools.cached_property
    def counts(self) -> dict[str, int]:
        """Sizes by name: nodes, terminals, chance, decision, infosets, infoset_actions and largest_infoset."""
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
        """About the largest payoff in absolute value, beside which other numbers are judged to be small."""
        return self.written.largest_payoff

    @functools.cached_property
    def deal_count(self) -> int:
        """How many ways there are to deal."""
        return sum(1 for _ in self.deals())

    @property
    def listed_deals(self) -> int:
        """How many different deals `deals` lists."""
        return self.deal_count

    @property
    def extent(self) -> int:
        """What a walk of everything visits: all nodes, times a player's hands where a node stands for all of them."""
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
        """Make the tables of a method: no regrets, no average, and a uniform current strategy.

        Returns:
            Tables of float64, or of float32 where there are more than 2^26 entries.

        Raises:
            TreeError: If the tables would need more memory than allowed.
        """
        entries = self.infosets.entries
        size = entry_bytes(entries)
        self.require(3 * entries * size, f"the tables of {entries:,} entries")
        dtype = np.float64 if size == 8 else np.float32
        return Table(self.infosets.uniform(dtype), np.zeros(entries, dtype), np.zeros(entries, dtype))

    def walk_work(self, dice: Any, common: bool = False) -> Work:
        """Make the memory that one walker needs.

        Args:
            dice: Where random numbers come from.
            common: Whether all lines of a walk share the events of chance.

        Returns:
            Frames for the deepest path, and room for the hands that a walk holds.
        """
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
        """How many histories baselines tell apart."""
        return len(self)

    def history_values(self, probabilities: Floats) -> Floats:
        """Compute what every history is worth when both players follow a strategy.

        Args:
            probabilities: The strategy, a probability for every table entry.

        Returns:
            u(h) for player 0, one number for every history that baselines tell apart; where several deals share it,
                their mean.
        """
        from mccfr.tree.write_out import place_values

        return place_values(self, probabilities)

    def infoset_baseline(self, policy: Infoset) -> Any:
        """Make the tables of an infoset baseline for this tree.

        Args:
            policy: The baseline, without tables.

        Returns:
            The baseline with a number for every edge as the walker sees it. Here every edge of each player has its own;
                kinds of trees that know more share them.
        """
        count = 2 * self.histories
        visits = np.zeros(count if policy.rate == 0.0 else 1)
        return policy._replace(key=np.arange(count, dtype=np.uint32), table=np.zeros(count), visits=visits)

    def prior(self, kappa: float) -> Floats:
        """Make the regrets that training begins with when the method has a `prior`.

        Args:
            kappa: The sum of the regrets of an infoset.

        Returns:
            A regret for every table entry, at least 0: kappa times a first strategy by rules of thumb.

        Raises:
            MethodError: If this kind of tree knows no such rules.
        """
        raise MethodError(f"{self.game}: prior goes by the win rate of cards, so it is for hold'em through buckets")

    def require(self, need: float, what: str) -> None:
        """Refuse to allocate more memory than allowed.

        Args:
            need: How many bytes are wanted.
            what: What they are for, in words for the error message.

        Raises:
            TreeError: If that is more than `limit`, or than the usual limit if there is none.
        """
        limit = self.limit or memory_limit()
        require(need, limit, f"{self.game}: {what} would need about {size_text(need)}")
