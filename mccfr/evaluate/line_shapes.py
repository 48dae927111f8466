"""The moves below a betting line on one street, as steps: how what endings pay becomes what the line is worth.

Lines with the same moves below them have the same shape and are computed together; what their endings pay differs. The
nodes of a shape are numbered depth first from 0, its root.
"""

import functools
from typing import NamedTuple

from mccfr.kernel import response_layout as kernel
from mccfr.kernel.street_layout import ARITY, CHILD, DEAL, FOLD, NODE_WORDS, SHOWDOWN
from mccfr.tree.street_lines import LaidLines

BEGIN, LARGER, ADD, POP = (int(word) for word in (kernel.BEGIN, kernel.LARGER, kernel.ADD, kernel.POP))
SOURCES = {int(FOLD): int(kernel.FOLD), int(SHOWDOWN): int(kernel.SHOW), int(DEAL): int(kernel.DEAL)}

Kinds = tuple[int, ...]  # of the nodes depth first: a player and how many moves it has, or an ending
Moves = tuple[tuple[int, int], ...]  # node and number of each move of one player


class Step(NamedTuple):
    """One step, and the node of the ending that it looks at; -1 where it takes a value that was put aside."""

    move: int
    source: int
    number: int  # among the sequences of showdowns, or of folds
    node: int


class Steps(NamedTuple):
    """What a responder computes: the sequences of the other player that are met at endings, and the steps."""

    sequences: list[Moves]
    shows: list[int]  # sequences met at showdowns
    folds: list[int]
    steps: list[Step]
    deepest: int  # how many values are aside at most


class Shape(NamedTuple):
    """A tree of moves on one street."""

    kinds: Kinds
    children: tuple[tuple[int, ...], ...]
    moves: tuple[tuple[Moves, Moves], ...]  # of each node, by player, what led to it


def nodes_below(laid: LaidLines, root: int) -> list[int]:
    """The nodes of a line on its street, depth first."""
    words, found, waiting = laid.lines.nodes, [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        first, arity = (int(words[node * int(NODE_WORDS) + int(word)]) for word in (CHILD, ARITY))
        waiting += reversed(range(first, first + arity))
    return found


def kinds_of(laid: LaidLines, nodes: list[int]) -> Kinds:
    """What tells shapes apart: players, numbers of moves, endings."""
    return tuple(int(laid.kind[node]) + (int(laid.arity[node]) << 3) for node in nodes)


@functools.lru_cache(maxsize=4096)
def shape_of(kinds: Kinds) -> Shape:
    """The tree of nodes in depth-first order."""
    children: list[list[int]] = [[] for _ in kinds]
    moves: list[tuple[Moves, Moves]] = [((), ())]
    waiting = [0]  # decisions, the last of which has the next node
    for node in range(1, len(kinds)):
        while len(children[waiting[-1]]) == kinds[waiting[-1]] >> 3:
            waiting.pop()
        above = waiting[-1]
        player, made = kinds[above] & 7, (above, len(children[above]))
        before = moves[above]
        moves.append((before[0] + (made,), before[1]) if player == 0 else (before[0], before[1] + (made,)))
        children[above].append(node)
        waiting.append(node)
    return Shape(kinds, tuple(map(tuple, children)), tuple(moves))


@functools.lru_cache(maxsize=4096)
def steps_of(kinds: Kinds, responder: int) -> Steps:
    """How a responder adds a shape up."""
    return _Writer(shape_of(kinds), responder).written()


class _Writer:
    """Writes steps node by node; the deepest child of a node comes first, so that few values wait."""

    def __init__(self, shape: Shape, responder: int) -> None:
        self.shape, self.responder = shape, responder
        self.sequences: dict[Moves, int] = {}
        self.met: dict[int, list[int]] = {int(kernel.SHOW): [], int(kernel.FOLD): []}
        self.steps: list[Step] = []
        self.height = [0] * len(shape.kinds)
        for node in reversed(range(len(shape.kinds))):
            self.height[node] = 1 + max((self.height[child] for child in shape.children[node]), default=-1)

    def written(self) -> Steps:
        self._write(0, BEGIN)
        aside = deepest = 0
        for step in self.steps:
            aside += (step.move == BEGIN) - (step.source == POP)
            deepest = max(deepest, aside)
        shows, folds = self.met[int(kernel.SHOW)], self.met[int(kernel.FOLD)]
        return Steps(list(self.sequences), shows, folds, self.steps, deepest)

    def _write(self, node: int, move: int) -> None:
        """Combine the value of a node with the one in hand; BEGIN: put that aside."""
        if not self.shape.children[node]:
            self._ending(node, move)
            return
        mine = self.shape.kinds[node] & 7 == self.responder
        inner, *others = sorted(self.shape.children[node], key=lambda child: -self.height[child])
        self._write(inner, BEGIN)
        for child in others:
            self._write(child, LARGER if mine else ADD)
        if move != BEGIN:
            self.steps.append(Step(move, POP, 0, -1))

    def _ending(self, node: int, move: int) -> None:
        source, index = SOURCES[self.shape.kinds[node] & 7], 0
        if source != int(kernel.DEAL):
            made = self.shape.moves[node][1 - self.responder]
            sequence = self.sequences.setdefault(made, len(self.sequences))
            met = self.met[source]
            if sequence not in met:
                met.append(sequence)
            index = met.index(sequence)
        self.steps.append(Step(move, source, index, node))
