"""Where a game stands, as everybody sees it: a public node of a dealt tree, found by what has happened."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import nearest, quoted
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.kernel import layout
from mccfr.resolving.gadgets import ResolvingError
from mccfr.tree.dealt_tree import DealtTree

Floats = npt.NDArray[np.float64]
SEPARATORS = " ,/"


class Place(NamedTuple):
    """A public state of a game, and how it came about.

    Attributes:
        node: The number of the public node.
        state: The public state, as the rules have it.
        line: The labels of all that has happened.
        chance: [hands 0, hands 1] The probability of each pair of hands and of the public events so far.
    """

    node: int
    state: Any
    line: tuple[str, ...]
    chance: Floats


def start_of(tree: DealtTree) -> Place:
    """The place after the deal."""
    return Place(0, tree.infosets.rules.root(), (), tree.deal)


def step(tree: DealtTree, at: Place, action: str) -> Place:
    """The place after an action or a public event; refuses one that cannot happen."""
    rules = tree.infosets.rules
    mover = rules.player(at.state)
    if mover == TERMINAL:
        raise ResolvingError(f"{tree.game}: {told(at.line)} is over: nothing can follow it, so not {quoted(action)}")
    actions = list(rules.actions(at.state))
    if action not in actions:
        hint = nearest(action, actions)
        raise ResolvingError(f"{tree.game}: {quoted(action)} cannot happen after {told(at.line)}; {hint}")
    a = actions.index(action)
    chance = at.chance * rules.law(at.state)[:, :, a] if mover == CHANCE else at.chance
    child = int(tree.nodes[4 * at.node]) + a
    return Place(child, rules.step(at.state, action), (*at.line, action), chance)


def place_of(tree: DealtTree, line: str | Sequence[str]) -> Place:
    """The place that a line leads to: labels with spaces, commas or slashes between them."""
    at = start_of(tree)
    for action in read_line(line):
        at = step(tree, at, action)
    return at


def read_line(line: str | Sequence[str]) -> tuple[str, ...]:
    """The labels of a line."""
    if not isinstance(line, str):
        if not isinstance(line, Sequence) or not all(isinstance(label, str) for label in line):
            raise ResolvingError(f"{quoted(line)} is no line: write labels, as in 'check bet'")
        return tuple(line)
    for mark in SEPARATORS:
        line = line.replace(mark, " ")
    return tuple(line.split())


def told(line: Sequence[str]) -> str:
    """A line in words."""
    return quoted(" ".join(line)) if line else "the start"


def mover_at(tree: DealtTree, at: Place) -> int:
    """Who moves at a place: 0, 1, CHANCE or TERMINAL."""
    return int(tree.infosets.rules.player(at.state))


def actions_at(tree: DealtTree, at: Place) -> tuple[str, ...]:
    """What can happen at a place."""
    return tuple(tree.infosets.rules.actions(at.state))


class Decision(NamedTuple):
    """The table entries of a public decision: hand members[j] has those from entry + j arity on."""

    entry: int
    arity: int
    members: npt.NDArray[np.uint32]

    def rows(self, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """[members, arity] Its part of a table, as a view."""
        return table[self.entry : self.entry + len(self.members) * self.arity].reshape(-1, self.arity)


def decision_at(tree: DealtTree, node: int) -> Decision:
    """The decision of a public node at which a player moves."""
    _, entry, which, kind = tree.nodes[4 * node : 4 * node + 4].tolist()
    return Decision(entry, kind >> 8, tree.members[int(tree.start[which]) : int(tree.start[which + 1])])


def kind_of(tree: DealtTree, node: int) -> int:
    """Who moves at a public node: 0, 1, or the kernel's marks for chance and endings."""
    return int(tree.nodes[4 * node + layout.KIND]) & 255
