"""Exact evaluation inside an abstraction: best responses of players who see rows, in the game that a table defines.

A sweep goes down the betting tree with the other player's reaches, a vector over rows at every node, and comes up with
what each node is worth to a row. Endings are products of reaches with the matrices of `mccfr.tree.abstract_table`.
Those of many lines are done at once, since a product of two matrices takes far less time than vector after vector: limit
hold'em with ten buckets has 9,639 endings on the river, each a product with a matrix of 10,000 x 10,000.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import FOLD_BY_0, SHOWDOWN, BettingTree
from mccfr.tree.abstract_table import AbstractTable
from mccfr.tree.bucket_tree import BucketTree

Floats = npt.NDArray[np.float64]
Vectors = npt.NDArray[Any]  # over rows
BATCH = 2**24  # numbers at the nodes of the lines that are done at once


class StreetPart(NamedTuple):
    """What the betting of one street can come to from its first node on."""

    decisions: list[int]  # parents before children
    folds: list[int]
    showdowns: list[int]
    later: list[int]  # first nodes of the next street

    @property
    def nodes(self) -> int:
        """All of them."""
        return sum(map(len, self))


class Measured(NamedTuple):
    """What both players get in the game of each table, in chips.

    won: [players, strategies, tables]. The strategies of a player are the best response found in each table, and last
    its own; the other player follows its own.
    """

    won: Floats

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return self.won.shape[2]

    @property
    def nash_conv(self) -> Floats:
        """[tables] what both players get together by best responses, each in the table in which they were found."""
        return np.einsum("ptt->t", self.won[:, :-1])

    @property
    def untried(self) -> Floats:
        """[tables - 1] the same in other tables than the one in which they were found."""
        sums = self.won[:, :-1].sum(axis=0)
        return sums[~np.eye(self.tables, dtype=bool)]

    @property
    def value(self) -> Floats:
        """[tables] what player 0 gets when both follow the strategy."""
        return self.won[0, -1]


class AbstractEvaluator:
    """Evaluates profiles of one tree with buckets in the game of a table: its face is that of other evaluators.

    further: more tables of the same game; `measure` finds best responses in each, and tries them in all.
    """

    loaded: Floats
    reply: Floats

    def __init__(self, tree: BucketTree, table: AbstractTable, *further: AbstractTable) -> None:
        self.tree, self.tables = tree, (table, *further)
        self.parts = street_parts(tree.betting)
        self.stake = tree.betting.stake

    @property
    def table(self) -> AbstractTable:
        """The game in which all but `measure` is answered."""
        return self.tables[0]

    def load(self, probabilities: Floats) -> None:
        """The profile to respond to; it must stay as it is."""
        self.loaded = probabilities

    def value(self, probabilities: Floats) -> float:
        """Expected value for player 0."""
        return float(self._sweep(0, probabilities)[-1, 0])

    def best_response(self, player: int) -> float:
        """Best response value against the loaded profile; `reply` then holds the pure strategy and the other's part."""
        self.reply = self.loaded.copy()
        return float(self._sweep(player, self.loaded, self.reply)[0, 0])

    def best_values(self, weights: Floats) -> tuple[float, float]:
        """What each player gets by a best response to the strategy proportional to these weights."""
        return float(self._sweep(0, weights)[0, 0]), float(self._sweep(1, weights)[0, 0])

    def nash_conv(self, weights: Floats) -> float:
        """The sum of both."""
        return sum(self.best_values(weights))

    def measure(self, weights: Floats) -> Measured:
        """Best responses and values of the strategy proportional to these weights, in all tables."""
        return Measured(np.stack([self._sweep(player, weights) for player in (0, 1)]))

    def _sweep(self, player: int, weights: Floats, reply: Floats | None = None) -> Floats:
        """[strategies, tables] what a player gets: see `Measured`."""
        found = _Sweep(self, player, weights, reply).street(0, [0], np.ones((1, self.table.rows[0])))
        return found.sum(axis=(2, 3), dtype=np.float64) / [table.total for table in self.tables]


class _Sweep:
    """One sweep for one player. What a node is worth to a row has a number for each strategy and table: `Measured`."""

    def __init__(self, given: AbstractEvaluator, player: int, weights: Floats, reply: Floats | None) -> None:
        self.parts, self.tables, self.stake = given.parts, given.tables, given.stake
        self.betting, self.infosets = given.tree.betting, given.tree.infosets
        self.player, self.weights, self.reply = player, weights, reply

    def street(self, street: int, starts: list[int], reach: Vectors) -> Vectors:
        """[strategies, tables, starts, rows] what the first nodes of a street are worth, some at a time."""
        rows = self.tables[0].rows[street]
        found = [self._lines(street, starts[some], reach[some]) for some in self._batches(starts, rows)]
        return found[0] if len(found) == 1 else np.concatenate(found, axis=2)

    def _batches(self, starts: list[int], rows: int) -> Iterator[slice]:
        """Lines that are done at once."""
        begin = size = 0
        for j, start in enumerate(starts):
            if size > 0 and size + self.parts[start].nodes * rows > BATCH:
                yield slice(begin, j)
                begin, size = j, 0
            size += self.parts[start].nodes * rows
        yield slice(begin, len(starts))

    def _lines(self, street: int, starts: list[int], reach: Vectors) -> Vectors:
        """The same for one batch: down to the endings, and up again."""
        reaches = dict(zip(starts, reach.astype(self.tables[0].weight[street].dtype, copy=False)))
        parts = [self.parts[start] for start in starts]
        for node in (node for part in parts for node in part.decisions):
            self._go_down(node, reaches)
        worth = self._endings(street, parts, reaches)
        worth.update(self._later(street, [node for part in parts for node in part.later], reaches))
        for node in (node for part in parts for node in reversed(part.decisions)):
            worth[node] = self._come_up(node, [worth.pop(child) for child in self.betting.children(node)])
        return np.stack([worth[start] for start in starts], axis=2)

    def _go_down(self, node: int, reaches: dict[int, Vectors]) -> None:
        """The other player's reaches of the nodes that follow."""
        reach, children = reaches.pop(node), self.betting.children(node)
        if self.betting.kind[node] == self.player:
            reaches.update((child, reach) for child in children)
        else:
            law = self._law(node).astype(reach.dtype, copy=False)
            reaches.update((child, reach * law[:, a]) for a, child in enumerate(children))

    def _law(self, node: int) -> Vectors:
        """[rows, moves] the strategy at a decision; uniform where it has no weight."""
        weights = self.infosets.at_node(self.weights, node)
        total = weights.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), 1.0 / weights.shape[1])

    def _endings(self, street: int, parts: list[StreetPart], reaches: dict[int, Vectors]) -> dict[int, Vectors]:
        """What folds and showdowns of a street are worth."""
        folds = [node for part in parts for node in part.folds]
        showdowns = [node for part in parts for node in part.showdowns]
        won = np.where(FOLD_BY_0 - self.betting.kind[folds] == self.player, -1.0, 1.0)  # who folds, loses
        weight, sign = ([getattr(table, name)[street] for table in self.tables] for name in ("weight", "sign"))
        found = _products(folds, reaches, weight, won * self.stake[folds])
        return {**found, **_products(showdowns, reaches, sign, self.stake[showdowns])}

    def _later(self, street: int, starts: list[int], reaches: dict[int, Vectors]) -> dict[int, Vectors]:
        """What the first nodes of the next street are worth to rows of this one."""
        if not starts:
            return {}
        found = []
        reach = np.stack([reaches.pop(node) for node in starts])
        for some in self._batches(starts, self.tables[0].rows[street + 1]):
            finer = self.tables[0].finer[street]
            found.append(finer.gather(self.street(street + 1, starts[some], finer.spread(reach[some]))))
        return dict(zip(starts, np.moveaxis(np.concatenate(found, axis=2), 2, 0)))

    def _come_up(self, node: int, worths: list[Vectors]) -> Vectors:
        """[strategies, tables, rows] what a decision is worth, from what its moves lead to."""
        if self.betting.kind[node] != self.player:
            return np.sum(worths, axis=0)
        worth = np.stack(worths)  # [moves, strategies, tables, rows]
        out = np.empty_like(worth[0])
        for j in range(len(self.tables)):
            best = worth[:, j, j].argmax(axis=0)
            out[j] = np.take_along_axis(worth[:, j], best[None, None], axis=0)[0]
            if j == 0 and self.reply is not None:
                self.infosets.at_node(self.reply, node)[:] = np.eye(len(worth))[best]
        out[-1] = np.einsum("atr,ra->tr", worth[:, -1], self._law(node))
        return out


def _products(
    nodes: list[int], reaches: dict[int, Vectors], matrices: list[Vectors], factor: Floats
) -> dict[int, Vectors]:
    """[strategies, tables, rows] what endings pay: matrices times the other's reaches, times what is at stake."""
    if not nodes:
        return {}
    reach = np.stack([reaches.pop(node) for node in nodes])
    scale = factor.astype(reach.dtype)[:, None]
    paid = np.stack([reach @ matrix.T * scale for matrix in matrices], axis=1)
    return dict(zip(nodes, np.broadcast_to(paid[:, None], (len(nodes), len(matrices) + 1, *paid.shape[1:]))))


def street_parts(betting: BettingTree) -> dict[int, StreetPart]:
    """For the first node of every street: what the betting can come to."""
    parts: dict[int, StreetPart] = {}
    starts = [0]
    while starts:
        start = starts.pop()
        parts[start] = part = StreetPart([], [], [], [])
        pending = [start]
        while pending:
            node = pending.pop()
            kind = int(betting.kind[node])
            if betting.street[node] > betting.street[start]:
                part.later.append(node)
            elif kind >= 0:
                part.decisions.append(node)
                pending += betting.children(node)
            else:
                (part.showdowns if kind == SHOWDOWN else part.folds).append(node)
        starts += part.later
    return parts
