"""Betting lines that a forgetful player takes for the same: earlier streets are forgotten but for who raised on them.

In [Lin 2024, 5] a bucket has the raising history beside the cards: on how many earlier streets each player raised. What
else of the line is part of it the paper does not say; here it is all of the current street. A class is

    street, mover                           whose rows they are
    the moves of this street                each by its kind and its place among the bets and raises offered then
    streets on which the mover raised       before this one, each counted once; a bet is a raise
    the same of the other player
    the kinds of moves that are offered     so that rows of one class have the same length and meaning

Chips are no part of it: half a pot is half a pot. So players have imperfect recall, whatever their cards are.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import BettingTree
from mccfr.betting.lines import BETS, OVER, Betting, Move, State

NO_CLASS = -1  # at ends
Step = tuple[int, int]  # kind, and place among the bets and raises offered; -1 for other moves


class LineClass(NamedTuple):
    """What a forgetful player knows of a line."""

    street: int
    mover: int
    moves: tuple[Step, ...]  # of this street
    raised: tuple[int, int]  # on how many earlier streets the mover did, and the other player
    menu: tuple[int, ...]  # kinds of moves offered


class _Memory(NamedTuple):
    """What is kept of a line while it is played on."""

    moves: tuple[Step, ...] = ()
    raised: tuple[int, int] = (0, 0)  # earlier streets, by player
    now: tuple[bool, bool] = (False, False)  # on this street, by player

    def after(self, mover: int, step: Step, ends_street: bool) -> "_Memory":
        """The memory after a move."""
        raises = step[0] >= BETS
        now = tuple(before or (raises and player == mover) for player, before in enumerate(self.now))
        if ends_street:
            return _Memory((), tuple(n + before for n, before in zip(self.raised, now)))  # type: ignore[arg-type]
        return _Memory((*self.moves, step), self.raised, now)  # type: ignore[arg-type]

    def line_class(self, street: int, mover: int, offered: Sequence[Move]) -> LineClass:
        raised = self.raised[mover], self.raised[1 - mover]
        return LineClass(street, mover, self.moves, raised, tuple(move.kind for move in offered))


def steps_of(offered: Sequence[Move]) -> list[Step]:
    """Moves by kind and place."""
    smaller = [sum(move.kind >= BETS for move in offered[:j]) for j in range(len(offered))]
    return [(move.kind, place if move.kind >= BETS else -1) for move, place in zip(offered, smaller)]


def line_classes(tree: BettingTree) -> list[LineClass | None]:
    """The class of every node; None at ends."""
    memory = [_Memory()] * len(tree.kind)
    found: list[LineClass | None] = [None] * len(tree.kind)
    for node, mover in enumerate(tree.kind.tolist()):  # parents come before children
        if mover >= 0:
            offered, street = tree.moves(node), int(tree.street[node])
            found[node] = memory[node].line_class(street, mover, offered)
            for child, step in zip(tree.children(node), steps_of(offered)):
                memory[child] = memory[node].after(mover, step, tree.street[child] > street)
    return found


def forgetful_classes(tree: BettingTree) -> npt.NDArray[np.int64]:
    """[nodes] numbers of classes, from 0 for each player in the order in which they are met; -1 at ends."""
    numbers: tuple[dict[LineClass, int], ...] = ({}, {})
    classes = line_classes(tree)
    found = [NO_CLASS if c is None else numbers[c.mover].setdefault(c, len(numbers[c.mover])) for c in classes]
    return np.array(found, np.int64)


def all_line_classes(betting: Betting) -> set[LineClass]:
    """All classes of some rules, without a tree: betting that begins a street alike goes on alike."""
    found: set[LineClass] = set()
    root = betting.root()._replace(line="")
    known = {(root, _Memory())}
    pending = [*known]
    while pending:
        state, memory = pending.pop()
        offered = betting.moves(state)
        found.add(memory.line_class(state.street, state.mover, offered))
        for after in _next(betting, state, memory, offered):
            if after not in known:
                known.add(after)
                pending.append(after)
    return found


def _next(betting: Betting, state: State, memory: _Memory, offered: Sequence[Move]) -> Iterator[tuple[State, _Memory]]:
    """The decisions that follow."""
    for move, step in zip(offered, steps_of(offered)):
        after = betting.play(state, move)._replace(line="")
        if after.mover != OVER:
            yield after, memory.after(state.mover, step, after.street > state.street)
