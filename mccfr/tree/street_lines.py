"""Betting trees laid out for sweeps: street by street, in segments, with a place for every reach that changes.

A line that goes on after a street ends there in a node at which cards are dealt, and begins again in a root on the next
street. A line that is all-in goes on through the streets that are left, to its showdown on the last one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import FOLD_BY_0, SHOWDOWN as ENDS, BettingTree
from mccfr.kernel import street_layout as kernel
from mccfr.kernel.street_layout import Lines

FOLD, SHOWDOWN, DEAL = (int(kind) for kind in (kernel.FOLD, kernel.SHOWDOWN, kernel.DEAL))
FIRST_NODES, SEGMENT = int(kernel.FIRST), int(kernel.SEGMENT_WORDS)
SEGMENT_NODES = 256  # of the last street: more begin another segment

Numbers = npt.NDArray[np.int64]


class LaidLines(NamedTuple):
    """The betting of all streets for the kernel, and where each of its nodes comes from."""

    lines: Lines
    kind: npt.NDArray[np.uint32]  # [nodes]
    arity: npt.NDArray[np.uint32]  # [nodes]
    entry: npt.NDArray[np.uint32]  # [nodes] actions of the same player before, on the same street
    first: Numbers  # [streets + 1] nodes
    origin: Numbers  # [nodes] the node of the betting tree; where cards are dealt, the one they lead to
    streets: int
    entries: Numbers  # [streets, 2] actions of each player
    slots: Numbers  # [streets, 2] the most reaches of a segment
    widest: Numbers  # [streets] the most nodes of a segment

    def nodes_of(self, street: int) -> range:
        """The nodes of a street."""
        return range(int(self.first[street]), int(self.first[street + 1]))

    def segment_of(self, node: int) -> int:
        """The segment of a node."""
        return int(np.searchsorted(self.lines.segments[FIRST_NODES::SEGMENT], node, side="right")) - 1


def lay_lines(tree: BettingTree, chances: npt.NDArray[np.float64]) -> LaidLines:
    """Lay a betting tree out. chances: [streets] by which what is won on a street is multiplied."""
    made = _Layout(tree)
    for street in range(made.streets):
        made.lay_street(street)
    return made.finish(chances)


class _Layout:
    """Street after street; `pending` has the lines that go on."""

    def __init__(self, tree: BettingTree) -> None:
        self.tree = tree
        self.first_street = int(tree.street[0])
        self.streets = tree.betting.streets - self.first_street
        self.pending: list[tuple[int, int]] = [(-1, 0)]  # the node at which cards are dealt, and where they lead
        self.kind: list[int] = []
        self.arity: list[int] = []
        self.child: list[int] = []
        self.entry: list[int] = []
        self.origin: list[int] = []
        self.slot: list[tuple[int, int]] = []
        self.first, self.segment = [0], [0]
        self.exits: list[int] = []
        self.roots: list[int] = []
        self.root_start = [0]
        self.entries = np.zeros((self.streets, 2), np.int64)
        self.slots = np.zeros((self.streets, 2), np.int64)
        self.widest = np.zeros(self.streets, np.int64)

    def lay_street(self, street: int) -> None:
        lines, self.pending = self.pending, []
        used = [0, 0]
        for number, (above, node) in enumerate(lines):
            full = street == self.streets - 1 and len(self.kind) - self.first[-1] >= SEGMENT_NODES
            if full and number:
                self._close(street, used)
                used = [0, 0]
            root = self._new(node, (used[0], used[1]))
            used = [used[0] + 1, used[1] + 1]
            if above >= 0:
                self.exits.append(above)
                self.roots.append(root)
            self._lay_from(root, street, used)
        self._close(street, used)
        self.segment.append(len(self.first) - 1)

    def _close(self, street: int, used: list[int]) -> None:
        """End a segment."""
        self.slots[street] = np.maximum(self.slots[street], used)
        self.widest[street] = max(self.widest[street], len(self.kind) - self.first[-1])
        self.first.append(len(self.kind))
        self.root_start.append(len(self.roots))

    def _new(self, node: int, slot: tuple[int, int]) -> int:
        self.kind.append(0)
        self.arity.append(0)
        self.child.append(0)
        self.entry.append(0)
        self.origin.append(node)
        self.slot.append(slot)
        return len(self.kind) - 1

    def _lay_from(self, root: int, street: int, used: list[int]) -> None:
        """The nodes of one line on one street, parents first."""
        waiting = [root]
        for at in waiting:
            node = self.origin[at]
            mover = int(self.tree.kind[node])
            on_street = int(self.tree.street[node]) - self.first_street
            if on_street > street or (mover == ENDS and street < self.streets - 1):
                self.kind[at] = DEAL
                self.pending.append((at, node))
            elif mover < 0:
                self.kind[at] = SHOWDOWN if mover == ENDS else FOLD
            else:
                waiting += self._decision(at, node, mover, street, used)

    def _decision(self, at: int, node: int, mover: int, street: int, used: list[int]) -> range:
        children = self.tree.children(node)
        self.kind[at], self.arity[at], self.child[at] = mover, len(children), len(self.kind)
        self.entry[at] = int(self.entries[street, mover])
        self.entries[street, mover] += len(children)
        for child in children:
            mine = used[mover]
            used[mover] += 1
            self._new(child, (mine, self.slot[at][1]) if mover == 0 else (self.slot[at][0], mine))
        return range(self.child[at], self.child[at] + len(children))

    def finish(self, chances: npt.NDArray[np.float64]) -> LaidLines:
        kind, origin, first = np.array(self.kind, np.uint32), np.array(self.origin), np.array(self.first)
        by_street = first[np.array(self.segment)]
        street = np.searchsorted(by_street, np.arange(len(kind)), side="right") - 1
        stake = self.tree.stake[origin] * chances[street]
        worth = np.where(self.tree.kind[origin] == FOLD_BY_0, -stake, stake)
        worth[kind <= 1] = worth[kind == DEAL] = 0.0
        folds, shows = np.flatnonzero(kind == FOLD), np.flatnonzero(kind == SHOWDOWN)
        arity, entry = _words(self.arity), _words(self.entry)
        lines = Lines(
            _words(np.column_stack((kind, arity, self.child, entry, np.array(self.slot)))), worth,
            _words(np.column_stack((first, np.searchsorted(folds, first), len(folds) + np.searchsorted(shows, first),
                                    self.root_start))),
            _words(np.concatenate((folds, shows))), _words(np.column_stack((self.exits, self.roots))),
            _words(self.segment),
        )  # fmt: skip
        return LaidLines(
            lines, kind, arity, entry, by_street, origin, self.streets, self.entries, self.slots, self.widest
        )


def _words(values: npt.ArrayLike) -> npt.NDArray[np.uint32]:
    return np.ascontiguousarray(values, np.uint32).reshape(-1)
