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
    """A node for every history."""

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
        """The memory of the nodes as float64: the payoff of terminal h is reals[2 * h]."""
        return self.nodes.view(np.float64)

    @property
    def written(self) -> "HistoryTree":
        """Itself."""
        return self

    def walk_view(self) -> FlatTree:
        return FlatTree(self.nodes, self.reals, self.odds, nearness(self.nodes))

    def deals(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """One: chance has nodes of its own, and a walk holds nothing."""
        yield 1.0, ()

    @functools.cached_property
    def deal_count(self) -> int:
        """How many nodes are reached by nothing but chance and are not chance's."""
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
        kind = self.nodes[layout.KIND :: 4] & 255
        return int(np.bincount(self.nodes[layout.INFOSET :: 4][kind < int(layout.CHANCE)], minlength=1).max())

    @functools.cached_property
    def largest_payoff(self) -> float:
        ends = self.nodes[layout.KIND :: 4] == int(layout.TERMINAL)
        return float(np.abs(self.reals[::2][ends] if self.players <= 2 else self.payoffs).max(initial=0.0))

    def history_values(self, probabilities: Floats) -> Floats:
        values = np.array(self.reals[::2])
        trace_values(self.nodes, self.odds, probabilities, values)
        return values

    def infoset_baseline(self, policy: Infoset) -> Infoset:
        """Edges as the walker sees them: see `mccfr.tree.views`."""
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
        """Terminals as a sparse matrix between the players' sequences; needs two players and perfect recall."""
        from mccfr.tree.sequences import sequence_form

        return sequence_form(self)
