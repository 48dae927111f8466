"""A game written out: every history is a node. See `mccfr.kernel.layout` for what a node is."""

import dataclasses
import functools
import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from mccfr.kernel import layout
from mccfr.kernel.estimators import Infoset
from mccfr.kernel.histories import trace_values
from mccfr.kernel.layout import FlatTree
from mccfr.tree.infosets import Infosets
from mccfr.tree.tree import Floats, Tree, nearness

if TYPE_CHECKING:
    from mccfr.tree.sequences import SequenceForm


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HistoryTree(Tree):
    """A tree with a node for every history: the game written out in full.

    Attributes:
        game: The string that names the game.
        players: How many players there are.
        nodes: The nodes, four 32-bit words each; `mccfr.kernel.layout` describes them.
        odds: The laws of chance nodes that are not uniform, one after the other.
        payoffs: A row of payoffs for each terminal if there are more than two players, and otherwise empty.
        infosets: Which table entries belong to which infoset, and what people call them.
        constant: What the payoffs summed to before half of it was taken from each player; 0 for a zero-sum game.
        one_history_per_node: True.

    Examples:
        >>> import mccfr
        >>> tree = mccfr.compile("kuhn")
        >>> tree
        <HistoryTree of kuhn: 58 nodes, 12 infosets>
        >>> tree.deal_count, tree.largest_payoff
        (6, 2.0)
    """

    one_history_per_node: ClassVar[bool] = True

    game: str  # the string that names the game
    players: int = dataclasses.field()
    nodes: npt.NDArray[np.uint32]  # [4 * number of nodes]
    odds: Floats  # laws of chance nodes that are not uniform, one after the other
    payoffs: Floats  # [terminals, players] when there are more than two players, else empty
    infosets: Infosets
    constant: float = 0.0  # what payoffs summed to before half of it was taken from each player

    @property
    def reals(self) -> Floats:
        """The memory of the nodes as float64. The payoff of terminal h is `reals[2 * h]`."""
        return self.nodes.view(np.float64)

    @property
    def written(self) -> "HistoryTree":
        """The tree itself."""
        return self

    def walk_view(self) -> FlatTree:
        """Return the tree as the kernel of a walk sees it.

        Returns:
            The arrays of the tree, and whether its nodes fit in the processor's cache.
        """
        return FlatTree(self.nodes, self.reals, self.odds, nearness(self.nodes))

    def deals(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """List the one deal there is: chance has nodes of its own, and a walk holds nothing.

        Yields:
            Probability 1, and no words.
        """
        yield 1.0, ()

    @functools.cached_property
    def deal_count(self) -> int:
        """How many nodes of players or terminals are reached by chance alone."""
        return len(self.openings)

    @functools.cached_property
    def openings(self) -> npt.NDArray[np.int64]:
        """The nodes at which everything is dealt and nobody has moved."""
        found, frontier = [], [0]
        while frontier:
            h = frontier.pop()
            child, _, _, meta = self.nodes[4 * h : 4 * h + 4].tolist()
            if int(layout.CHANCE) <= meta & 255 < int(layout.TERMINAL):
                frontier += range(child, child + (meta >> 8))
            else:
                found.append(h)
        return np.array(sorted(found), np.int64)

    @functools.cached_property
    def largest_infoset(self) -> int:
        """The most histories that a player cannot tell apart."""
        kind = self.nodes[layout.KIND :: 4] & 255
        return int(np.bincount(self.nodes[layout.INFOSET :: 4][kind < int(layout.CHANCE)], minlength=1).max())

    @functools.cached_property
    def largest_payoff(self) -> float:
        """The largest payoff in absolute value."""
        ends = self.nodes[layout.KIND :: 4] == int(layout.TERMINAL)
        return float(np.abs(self.reals[::2][ends] if self.players <= 2 else self.payoffs).max(initial=0.0))

    def history_values(self, probabilities: Floats) -> Floats:
        """Compute what every history is worth when both players follow a strategy.

        Args:
            probabilities: The strategy, a probability for every table entry.

        Returns:
            u(h) for player 0, one number for every node.
        """
        values = np.array(self.reals[::2])
        trace_values(self.nodes, self.odds, probabilities, values)
        return values

    def infoset_baseline(self, policy: Infoset) -> Infoset:
        """Make the tables of an infoset baseline, in which edges that look the same to the walker share a number.

        `mccfr.tree.views` works out what a player sees at nodes where it does not move.

        Args:
            policy: The baseline, without tables.

        Returns:
            The baseline with its tables.
        """
        from mccfr.tree.views import view_keys

        keys, count = view_keys(self)
        return policy._replace(key=keys, table=np.zeros(count), visits=np.zeros(count if policy.rate == 0.0 else 1))

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of everything that makes two games the same: nodes, chances, payoffs, infosets and their labels."""
        content = hashlib.sha256(f"{self.players} {self.infosets.first}".encode())
        for array in (self.nodes, self.odds, self.payoffs, self.infosets.row, self.infosets.menu):
            content.update(np.ascontiguousarray(array).view(np.uint8).data)
        content.update("\x00".join(self.infosets.labels).encode())
        content.update("\x00".join("\x01".join(menu) for menu in self.infosets.menus).encode())
        return content.hexdigest()

    @functools.cached_property
    def sequence_form(self) -> "SequenceForm":
        """The sequence form: terminals as a sparse matrix between the players' sequences.

        Raises `TreeError` if the game does not have two players.
        """
        from mccfr.tree.sequences import sequence_form

        return sequence_form(self)
