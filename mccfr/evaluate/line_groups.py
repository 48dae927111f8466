"""The lines of every street in groups of one shape, with all that a strategy seen through buckets says about them.

How likely a player's moves on a street are together is multiplied out beforehand, a number for each sequence of moves
and each row: the kernels look up one number where a table of moves would cost them one look-up a move.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError
from mccfr.evaluate.line_shapes import Kinds, Moves, Step, Steps, kinds_of, nodes_below, shape_of, steps_of
from mccfr.evaluate.lines_met import Merged, Met, merge_alike
from mccfr.kernel.response_layout import CHUNK, DEEPEST, FOLD as FOLD_STEP, HEAD, NOWHERE, STEP_WORDS, LineGroups
from mccfr.kernel.street_layout import FOLD
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.street_lines import LaidLines

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]
NO_LINE = -1


class Line(NamedTuple):
    """A line that comes to a street: its nodes there depth first, and the node before at which cards are dealt."""

    nodes: list[int]
    dealt: int


class StreetLines(NamedTuple):
    """The lines of a street, in groups of `lanes`; NO_LINE fills a group."""

    lines: list[Line]
    order: Ints  # [groups, lanes] numbers in `lines`
    kinds: list[Kinds]  # [groups]
    number: dict[int, int]  # by the node at which cards are dealt: group * lanes + lane


def lines_of(laid: LaidLines, street: int, lanes: int, met: Met | None = None) -> StreetLines:
    """The lines that come to a street after the first, those of one shape side by side.

    met: which nodes players come to; lines that the same players come to are side by side.
    """
    nodes = laid.nodes_of(street)
    links = laid.lines.links.reshape(-1, 2).astype(np.int64)
    here = links[(links[:, 1] >= nodes.start) & (links[:, 1] < nodes.stop)]
    found = [Line(nodes_below(laid, root), dealt) for dealt, root in here.tolist()]
    shapes: dict[Kinds, list[int]] = {}
    for line, each in enumerate(found):
        shapes.setdefault(kinds_of(laid, each.nodes), []).append(line)
    order, kinds = [], []
    for shape, members in shapes.items():
        if met is not None:
            members.sort(key=lambda line: (~met[:, found[line].dealt]).tolist())
        for begin in range(0, len(members), lanes):
            some = members[begin : begin + lanes]
            order.append(some + [NO_LINE] * (lanes - len(some)))
            kinds.append(shape)
    table = np.array(order)
    places = {found[line].dealt: at for at, line in enumerate(table.reshape(-1).tolist()) if line != NO_LINE}
    return StreetLines(found, table, kinds, places)


def in_pairs(shows: int) -> int:
    """How many showdown sequences there are with one to fill the last pair: the kernel does two at a time."""
    return shows + shows % 2


class StrategyRows(NamedTuple):
    """A strategy seen through buckets, as the nodes of laid-out lines find it."""

    probabilities: Floats
    entry: Ints  # [nodes] of row 0
    stride: Ints  # [nodes] from one row to the next
    rows: tuple[int, ...]  # [streets]

    def move(self, node: int, move: int, street: int) -> Floats:
        """[rows] How likely a move is."""
        first, stride = int(self.entry[node]) + move, int(self.stride[node])
        return self.probabilities[first : first + (self.rows[street] - 1) * stride + 1 : stride]


def strategy_rows(probabilities: Floats, buckets: BucketTree, laid: LaidLines) -> StrategyRows:
    """A strategy for the nodes of these lines."""
    infosets = buckets.infosets
    entry, stride = infosets.node_entry[laid.origin], infosets.node_stride[laid.origin]
    return StrategyRows(np.asarray(probabilities), entry, stride, buckets.fit.rows)


def lay_groups(
    laid: LaidLines,
    strategy: StrategyRows,
    streets: Sequence[StreetLines],
    street: int,
    free: int,
    precision: Any,
    met: Met,
) -> LineGroups:
    """Everything the kernels want to know about the lines of a street.

    streets: the lines of all streets after the first; free: cards that are not on the board; met: which nodes players
    come to.
    """
    return _Groups(laid, strategy, streets, street, free, np.dtype(precision)).laid_out(met)


class _Groups:
    """One street, group by group."""

    def __init__(
        self, laid: LaidLines, strategy: StrategyRows, streets: Sequence[StreetLines], street: int, free: int, real: Any
    ) -> None:
        self.laid, self.strategy, self.street, self.free, self.real = laid, strategy, street, free, real
        self.here = streets[street - 1]
        self.later = streets[street].number if street < len(streets) else {}
        self.before = streets[street - 2] if street > 1 else None
        self.lanes = self.here.order.shape[1]
        self.head: list[int] = []
        self.lists: list[int] = []
        self.steps: list[int] = []
        self.worth: list[Floats] = []
        self.exits: list[Ints] = []

    def laid_out(self, met: Met) -> LineGroups:
        groups = len(self.here.kinds)
        weights = []
        filled = 0
        for group in range(groups):
            for responder in (0, 1):
                steps = steps_of(self.here.kinds[group], responder)
                if steps.deepest > DEEPEST:
                    raise TreeError(f"{steps.deepest} moves are open at once on a street, expected at most {DEEPEST}")
                merged = merge_alike(steps, self._weights(group, steps.sequences))
                weights.append(merged.weights.astype(self.real))
                self._add(group, responder, merged, filled)
                filled += weights[-1].size
        self.steps += [0] * int(STEP_WORDS)  # a step is read while the one before is done
        self.worth.append(np.zeros(self.lanes))
        words = [np.array(each or [0], np.uint32) for each in (self.lists, self.steps)]
        rows = self.strategy.rows
        return LineGroups(
            np.uint64(self.lanes), np.uint64(groups), np.uint64(rows[self.street]), np.uint64(rows[self.street - 1]),
            np.array(self.head, np.uint64), words[0], words[1],
            np.concatenate(self.worth).astype(self.real), np.concatenate(self.exits).astype(np.uint32),
            np.concatenate([each.reshape(-1) for each in weights] or [np.zeros(1, self.real)]),
            self._sources(), self._down().reshape(-1), self._crews(met), self.real.type(0.0), self.real.type(0.5),
        )  # fmt: skip

    def _crews(self, met: Met) -> npt.NDArray[np.uint32]:
        """Groups and responders, 2 g + i, for which the other player comes to a line of the group."""
        dealt = [
            [self.here.lines[line].dealt for line in group if line != NO_LINE] for group in self.here.order.tolist()
        ]
        crews = [2 * g + i for g, nodes in enumerate(dealt) for i in (0, 1) if met[1 - i, nodes].any()]
        return np.array(crews, np.uint32)

    def _add(self, group: int, responder: int, merged: Merged, weights: int) -> None:
        """What the responder computes for a group."""
        steps = merged.steps
        begin, shows = len(self.steps) // int(STEP_WORDS), in_pairs(len(steps.shows))
        self.head += [len(steps.sequences), shows, len(steps.folds), len(self.lists)]
        folds = [*self._fold_weights(steps), 0]
        self.head += [begin, begin + len(steps.steps), weights, folds[0]]
        assert len(self.head) % int(HEAD) == 0
        for met in (steps.shows, steps.folds):
            self.lists += [met.index(s) if s in met else int(NOWHERE) for s in range(len(steps.sequences))]
        self.lists += [*steps.shows, *steps.shows[: shows - len(steps.shows)], *steps.folds]
        for step, times in zip(steps.steps, merged.times):
            folds = folds[1:] if step.source == int(FOLD_STEP) else folds
            self.steps += [step.source | step.move << 2 | self._place(steps, step) << 4, folds[0]]
            self._ending(group, responder, step.node, times)

    def _fold_weights(self, steps: Steps) -> list[int]:
        """Where the weights of the sequence of each fold begin, step by step."""
        size, fold = self.strategy.rows[self.street] * self.lanes, int(FOLD_STEP)
        return [steps.folds[step.number] * size for step in steps.steps if step.source == fold]

    def _place(self, steps: Steps, step: Step) -> int:
        """Where a step finds its number in fast memory."""
        if step.source == int(FOLD_STEP):
            return (in_pairs(len(steps.shows)) + step.number) * self.free * self.lanes
        return step.number * CHUNK * self.lanes

    def _ending(self, group: int, responder: int, node: int, times: Floats) -> None:
        """What an ending pays in every lane, so many times, or where it leads."""
        worth, exits = np.zeros(self.lanes), np.zeros(self.lanes, np.int64)
        for lane, line in enumerate(self.here.order[group].tolist()):
            if line != NO_LINE and node >= 0:
                at = self.here.lines[line].nodes[node]
                sign = -1.0 if self.laid.kind[at] == FOLD and responder == 1 else 1.0
                worth[lane] = times[lane] * sign * self.laid.lines.worth[at]
                exits[lane] = self.later.get(at, 0)
        self.worth.append(worth)
        self.exits.append(exits)

    def _weights(self, group: int, sequences: list[Moves]) -> Floats:
        """[sequences, rows, lanes] How likely the moves of a sequence are together."""
        found = np.zeros((len(sequences), self.strategy.rows[self.street], self.lanes))
        for lane, line in enumerate(self.here.order[group].tolist()):
            if line != NO_LINE:
                nodes = self.here.lines[line].nodes
                for s, moves in enumerate(sequences):
                    found[s, :, lane] = self._together(nodes, moves, self.street)
        return found

    def _together(self, nodes: list[int], moves: Moves, street: int) -> Floats:
        """[rows] The product over moves."""
        found = np.ones(self.strategy.rows[street])
        for node, move in moves:
            found = found * self.strategy.move(nodes[node], move, street)
        return found

    def _origins(self) -> list[tuple[Line, int] | None]:
        """Of every line, in order of groups, the line of the street before and which of its nodes dealt the cards."""
        before = self.before.lines if self.before else [Line(nodes_below(self.laid, 0), NO_LINE)]
        dealt = {node: (line, at) for line in before for at, node in enumerate(line.nodes)}
        order = self.here.order.reshape(-1).tolist()
        return [None if line == NO_LINE else dealt[self.here.lines[line].dealt] for line in order]

    def _sources(self) -> npt.NDArray[np.uint32]:
        """[groups * lanes] The number of the line of the street before; 0 where there is none."""
        number = self.before.number if self.before else {NO_LINE: 0}
        return np.array([0 if each is None else number[each[0].dealt] for each in self._origins()], np.uint32)

    def _down(self) -> Floats:
        """[2, groups, rows of the street before, lanes] How likely the moves of each player on that street are."""
        rows = self.strategy.rows[self.street - 1]
        found = np.zeros((2, len(self.here.kinds), rows, self.lanes), self.real)
        for at, each in enumerate(self._origins()):
            if each is not None:
                line, node = each
                moves = shape_of(kinds_of(self.laid, line.nodes)).moves[node]
                for player in (0, 1):
                    together = self._together(line.nodes, moves[player], self.street - 1)
                    found[player, at // self.lanes, :, at % self.lanes] = together
        return found
