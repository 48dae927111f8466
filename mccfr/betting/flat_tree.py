"""The betting tree of a start and its menu, as flat arrays.

Cards are no part of it: a node whose street is later than its parent's is reached when cards have been dealt, and a
showdown before the last street is an all-in whose cards are still to come.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, Betting, Move, State
from mccfr.betting.tree_size import ADVICE, TreeSize, explore, tree_size as tree_size
from mccfr.errors import BettingError

SHOWDOWN, FOLD_BY_0, FOLD_BY_1 = -1, -2, -3  # kinds of ends
NO_NODE, LIMIT = -1, 2_000_000  # nodes
END = list[Move](), list[State]()  # what follows an end
MOVE = re.compile(r"[fkc]|[bra]\d+")

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]


class BettingTree(NamedTuple):
    """Nodes in an order in which parents come before children and the children of a node stand together.

    Arrays are [nodes] unless said otherwise. Node 0 is the start.
    """

    betting: Betting
    kind: Bytes  # the player who moves, 0 or 1; at ends SHOWDOWN, FOLD_BY_0 or FOLD_BY_1
    street: Bytes  # 0 preflop, 3 river
    first_child: Ints  # NO_NODE at ends
    arity: Ints  # 0 at ends
    parent: Ints  # NO_NODE at the start
    move_kind: Bytes  # of the move that led here, as in `lines`; 0 at the start
    move_amount: Ints
    stakes: Ints  # [nodes, 2]

    @property
    def size(self) -> TreeSize:
        """How many nodes there are, by street."""

        def count(chosen: npt.NDArray[np.bool_]) -> tuple[int, ...]:
            return tuple(np.bincount(self.street[chosen], minlength=self.betting.streets).tolist())

        return TreeSize(count(self.kind >= 0), count(self.kind <= FOLD_BY_0), count(self.kind == SHOWDOWN))

    @property
    def stake(self) -> npt.NDArray[np.float64]:
        """What the winner gains at each end: half of the dead pot and the smaller stake."""
        return self.betting.dead / 2 + self.stakes.min(axis=1)

    def children(self, node: int) -> range:
        """The nodes that follow a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.arity[node]))

    def move(self, node: int) -> Move:
        """The move that led to a node."""
        return Move(int(self.move_kind[node]), int(self.move_amount[node]))

    def moves(self, node: int) -> list[Move]:
        """The moves that are offered at a node."""
        return [self.move(child) for child in self.children(node)]

    def line(self, node: int) -> str:
        """All moves that led to a node, as text."""
        parts = []
        while node > 0:
            above = int(self.parent[node])
            parts.append(self.move(node).text + ("/" if self.street[node] > self.street[above] else ""))
            node = above
        return "".join(reversed(parts))

    def find(self, line: str) -> int:
        """The node that a line leads to."""
        self.betting.at(line)  # refuses what is not offered
        node = 0
        for text in MOVE.findall(line):
            node = next(child for child in self.children(node) if self.move(child).text == text)
        return node

    def rows(self) -> Iterator[str]:
        """The tree as text, a row for each node, depth first: `D LINE pPLAYER [MOVES]`, `T LINE [STAKES]`."""
        pending = [0]
        while pending:
            node = pending.pop()
            if self.kind[node] >= 0:
                offered = ", ".join(map(str, self.moves(node)))
                yield f"D {self.line(node)} p{self.kind[node]} [{offered}]"
                pending += reversed(self.children(node))
            else:
                yield f"T {self.line(node)} {self.stakes[node].tolist()}"


def build_tree(betting: Betting, limit: int = LIMIT) -> BettingTree:
    """The betting tree of some rules; one of more than `limit` nodes is refused before it is built."""
    below, size = explore(betting, limit)
    if size.nodes > limit:
        raise BettingError(f"this betting tree has {size.nodes:,} nodes, at most {limit:,} are built: {ADVICE}")
    states: list[State] = [betting.merged(betting.root())]
    led: list[Move] = [Move(0)]
    above, first, arity = [NO_NODE], [], []
    for node in range(size.nodes):
        offered, after = below.get(states[node], END)
        first.append(len(states) if offered else NO_NODE)
        arity.append(len(offered))
        above += [node] * len(offered)
        led += offered
        states += after
    return BettingTree(
        betting,
        np.array([_kind(s) for s in states], np.int8),
        np.array([s.street for s in states], np.int8),
        np.array(first),
        np.array(arity),
        np.array(above),
        np.array([kind for kind, _ in led], np.int8),
        np.array([amount for _, amount in led]),
        np.array([s.stakes for s in states]),
    )


def _kind(s: State) -> int:
    if s.mover != OVER:
        return s.mover
    return SHOWDOWN if s.folded == NOBODY else (FOLD_BY_0, FOLD_BY_1)[s.folded]
