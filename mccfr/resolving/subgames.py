"""What lies below a leaf, solved with the ranges that players come with, as often as it is asked for."""

import functools

import numpy as np
import numpy.typing as npt

from mccfr.kernel.layout import Table
from mccfr.kernel.public_line import pair_values
from mccfr.kernel.range_sweeps import WithRanges, sweep_with_ranges
from mccfr.resolving.gadgets import Unsafe
from mccfr.resolving.position_rules import DealtPosition
from mccfr.resolving.public_places import place_of
from mccfr.solvers.method import Method
from mccfr.tree.dealt_tree import DealtTree, deal_out

Floats = npt.NDArray[np.float64]


class Subgame:
    """A public state of a game with all that follows it; memory is taken once."""

    def __init__(self, tree: DealtTree, line: tuple[str, ...]) -> None:
        """Compile it, with every hand in both ranges."""
        place = place_of(tree, line)
        ones = [np.ones(len(hands)) for hands in tree.hands]
        whole = DealtPosition(tree, place, 0, ones[0], np.zeros(len(ones[1])), ones[1], Unsafe())
        self.tree, self.deal = deal_out(whole), whole.dealt().deal()
        self.view, self.work = self.tree.public_view(), self.tree.vector_work()
        entries = self.tree.infosets.entries
        self.pairs_view = self.tree.public_view(pairs=True)
        self.play = np.zeros(max(self.tree.infosets.widest, 1) * self.tree.most_hands)
        self.values = np.zeros(self.tree.histories)
        self.table, self.even = Table(*np.zeros((3, entries))), self.tree.infosets.uniform()
        self._no = np.zeros(0)

    def solved(self, method: Method, iterations: int, ranges: tuple[Floats, Floats]) -> Floats:
        """[hands 0, hands 1] What each pair is worth to player 0 by the average strategy after so many iterations."""
        table = self.table
        table.current[:] = self.even
        table.regret[:] = table.average[:] = 0.0
        first, second = (np.ascontiguousarray(each) for each in ranges)
        sweep_with_ranges(
            iterations, np.zeros(1), method.minimiser, method.averaging, WithRanges(first, second), self.view, table,
            self.work,
        )  # fmt: skip
        probabilities, _ = self.tree.infosets.normalised(table.average)
        pair_values(
            self.pairs_view, Table(probabilities, self._no, self._no), self.play, np.uint64(self.tree.most_hands),
            self.values,
        )  # fmt: skip
        pairs = self.values[: self.deal.size].reshape(self.deal.shape)
        return np.divide(pairs, self.deal, out=np.zeros_like(pairs), where=self.deal > 0.0)

    @functools.cached_property
    def pairs(self) -> int:
        """How many pairs of hands can be held here."""
        return int(np.count_nonzero(self.deal))
