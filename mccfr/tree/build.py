"""From levels to nodes: children side by side, blocks of children depth first.

The levels come breadth first; where a node's children lie then follows from the sizes of the subtrees before it:

    below(h) = sum over children c of (1 + below(c))                   nodes under h
    block(c_j) = block(h) + arity(h) + below(c_0) + ... + below(c_{j-1})
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError
from mccfr.games.base import CHANCE, TERMINAL, Level
from mccfr.kernel import layout

Ints = npt.NDArray[np.int64]


class Nodes(NamedTuple):
    """What a list of levels becomes."""

    nodes: npt.NDArray[np.uint32]
    odds: npt.NDArray[np.float64]
    payoffs: npt.NDArray[np.float64]


def build_nodes(levels: list[Level], row: Ints, first: tuple[int, ...], constant: float) -> Nodes:
    """Lay all levels out. Levels are emptied on the way down to save memory.

    row, first: as in `Infosets`; infoset codes in the levels are numbers within the player.
    """
    players = len(first) - 1
    below = _sizes(levels)
    nodes = np.zeros((int(below[0][0]) + 1, 4), dtype=np.uint32)
    if len(nodes) >= 2**32 or row[-1] >= 2**32:
        raise TreeError(
            f"{len(nodes):,} nodes and {row[-1]:,} entries: a written-out tree holds at most 2^32 of either"
        )
    laws, payoffs = _Laws(), _Payoffs(players, constant)
    position, block = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    for depth, level in enumerate(levels):
        _fill(nodes, level, position, block, row, first, laws, payoffs)
        if depth + 1 < len(levels):
            position, block = _descend(level, position, block, below[depth + 1])
        levels[depth] = below[depth] = None  # type: ignore[call-overload]  # free as we go
    return Nodes(nodes.reshape(-1), np.array(laws.values), payoffs.table())


def _sizes(levels: list[Level]) -> list[Ints]:
    """For each level, how many nodes lie under each of its nodes."""
    below: list[Ints] = [np.zeros(0, dtype=np.int64)] * len(levels)
    under = np.zeros(0, dtype=np.int64)
    for depth in range(len(levels) - 1, -1, -1):
        arity = levels[depth].arity
        total = np.concatenate(([0], np.cumsum(under + 1)))
        ends = np.cumsum(arity, dtype=np.int64)
        below[depth] = under = total[ends] - total[ends - arity]
    return below


def _descend(level: Level, position: Ints, block: Ints, below: Ints) -> tuple[Ints, Ints]:
    """Positions of the next level's nodes, and where each of their own blocks begins."""
    arity = level.arity.astype(np.int64)
    start = np.cumsum(arity) - arity
    before = np.cumsum(below) - below
    inner = arity > 0
    index = np.arange(int(arity.sum())) - np.repeat(start, arity)
    head = np.repeat(block[inner], arity[inner])
    shift = np.repeat(arity[inner] - before[start[inner]], arity[inner])
    return head + index, head + shift + before


def _fill(
    nodes: npt.NDArray[np.uint32],
    level: Level,
    position: Ints,
    block: Ints,
    row: Ints,
    first: tuple[int, ...],
    laws: "_Laws",
    payoffs: "_Payoffs",
) -> None:
    """Write the nodes of one level."""
    player, arity = level.player, level.arity
    moves, chance, terminal = player >= 0, player == CHANCE, player == TERMINAL
    nodes[position, layout.KIND] = np.where(moves, player, 0).astype(np.uint32) | arity.astype(np.uint32) << 8
    inner = position[~terminal]
    nodes[inner, layout.CHILD] = block[~terminal]
    infoset = level.infoset + np.array(first)[player[moves]]
    nodes[position[moves], layout.INFOSET] = infoset
    nodes[position[moves], layout.ROW] = row[infoset]
    payoffs.write(nodes, position[terminal], level.payoff)
    laws.write(nodes, position[chance], arity[chance], level.odds)


class _Laws:
    """The laws of chance nodes: uniform ones need no entry, equal ones share theirs."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.known: dict[tuple[float, ...], int] = {}

    def write(
        self,
        nodes: npt.NDArray[np.uint32],
        position: Ints,
        arity: npt.NDArray[np.int32],
        odds: npt.NDArray[np.float64],
    ) -> None:
        at = 0
        for h, k in zip(position.tolist(), arity.tolist()):
            law = tuple(odds[at : at + k].tolist())
            at += k
            if max(law) == min(law):
                nodes[h, layout.KIND] |= np.uint32(layout.FAIR)
            else:
                nodes[h, layout.KIND] |= np.uint32(layout.CHANCE)
                nodes[h, layout.ROW] = self._place(law)

    def _place(self, law: tuple[float, ...]) -> int:
        if law not in self.known:
            self.known[law] = len(self.values)
            self.values += law
        return self.known[law]


class _Payoffs:
    """Payoffs: inside the node for two players, in a table of their own for more."""

    def __init__(self, players: int, constant: float) -> None:
        self.players, self.constant = players, constant
        self.parts: list[npt.NDArray[np.float64]] = []
        self.count = 0

    def write(self, nodes: npt.NDArray[np.uint32], position: Ints, paid: npt.NDArray[np.float64]) -> None:
        nodes[position, layout.KIND] = np.uint32(layout.TERMINAL)
        if self.players <= 2:
            mine = paid if paid.ndim == 1 else paid[:, 0]
            nodes.view(np.float64)[position, 0] = mine - self.constant / 2 if self.players == 2 else mine
            return
        nodes[position, layout.ROW] = np.arange(self.count, self.count + len(position))
        self.count += len(position)
        self.parts.append(paid)

    def table(self) -> npt.NDArray[np.float64]:
        return np.concatenate(self.parts) if self.parts else np.empty((0, self.players))


def numbered(
    levels: Iterable[Level], players: int, watch: Callable[[int], None] = lambda met: None
) -> tuple[list[Level], list[list[int]]]:
    """Replace infoset codes by numbers in order of first appearance; also returns each player's codes in that order.

    watch: is told after each level how many infosets have been met.
    """
    codes: list[list[int]] = [[] for _ in range(players)]
    out = []
    for level in levels:
        mover = level.player[level.player >= 0]
        number = np.empty(len(level.infoset), dtype=np.int64)
        for p in range(players):
            mine = mover == p
            if not mine.any():
                continue
            distinct, where, which = np.unique(level.infoset[mine], return_index=True, return_inverse=True)
            order = np.argsort(where)
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order))
            number[mine] = rank[which] + len(codes[p])
            codes[p] += distinct[order].tolist()
        out.append(level._replace(infoset=number))
        watch(sum(map(len, codes)))
    return out, codes
