"""A position as a dealt game: the gate, what follows the public state, and leaves where the depth ends."""

import dataclasses
import functools
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.dealt import DealtRules
from mccfr.resolving.gadgets import Unsafe
from mccfr.resolving.position import Position

if TYPE_CHECKING:
    from mccfr.resolving.leaves import Leaf

Floats = npt.NDArray[np.float64]
GATE, STOPPED = "gate", "stopped"
STOP, FOLLOW = "stop", "follow"


class Inside(NamedTuple):
    """A public state of the game below the position."""

    state: Any
    line: tuple[str, ...]  # from the position on
    actions: int  # of players, since then
    chance: Any  # a ChancePath: the probability of pairs of hands and public events, worked out when asked for

    def __hash__(self) -> int:
        return hash(self.line)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inside) and self.line == other.line


class Chosen(NamedTuple):
    """A leaf at which the opponent has chosen how the game goes on."""

    leaf: Inside
    choice: str


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class DealtPosition(Position):
    """A position whose hands are dealt: behind `unsafe` or `resolve`."""

    dealt_only: ClassVar[bool] = True

    def dealt(self) -> "PositionRules":
        """The rules by public states."""
        return PositionRules(self)


class PositionRules:
    """The rules of a position, by public states; see `mccfr.games.dealt`.

    Endings are those of the game, times how likely the hands of a pair come to the position: W(h, g) = range_0(h)
    range_1(g) / K. Stopping pays the opponent alt(j).
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rules: DealtRules = position.tree.infosets.rules
        self.share = np.outer(*position.ranges) / position.weight  # W
        self.gated = not isinstance(position.gadget, Unsafe)

    def hands(self, player: int) -> Sequence[str]:
        return self.rules.hands(player)

    def deal(self) -> Floats:
        return np.asarray(self.position.place.chance * self.share)

    def root(self) -> Hashable:
        return GATE if self.gated and not self.position.gadget.chooses_hand else self.first()

    def first(self) -> Inside:
        """The position itself."""
        place = self.position.place
        return Inside(place.state, (), 0, place.chance)

    def is_leaf(self, s: Inside) -> bool:
        """Whether the depth ends here; a card that is to come next belongs to the leaf."""
        depth = self.position.depth
        return depth is not None and s.actions >= depth and self.rules.player(s.state) != TERMINAL

    def leaf(self, s: Inside) -> "Leaf":
        """What is known about a leaf."""
        from mccfr.resolving.leaves import Leaf

        return Leaf(self.position, (*self.position.place.line, *s.line), s.state, s.chance)

    @functools.cached_property
    def choices(self) -> tuple[str, ...]:
        """What the opponent may choose at a leaf; nothing if leaves have one value."""
        leaves = self.position.leaves
        return () if leaves is None else tuple(leaves.choices)

    def player(self, s: Any) -> int:
        if s == GATE:
            return self.position.opponent
        if s == STOPPED or isinstance(s, Chosen):
            return TERMINAL
        if self.is_leaf(s):
            return self.position.opponent if self.choices else TERMINAL
        return self.rules.player(s.state)

    def actions(self, s: Any) -> Sequence[str]:
        if s == GATE:
            return (STOP, FOLLOW)
        return self.choices if self.is_leaf(s) else self.rules.actions(s.state)

    def step(self, s: Any, a: str) -> Hashable:
        if s == GATE:
            return STOPPED if a == STOP else self.first()
        if self.is_leaf(s):
            return Chosen(s, a)
        chance, actions = s.chance, s.actions + 1
        if self.rules.player(s.state) == CHANCE:
            chance, actions = chance * self.law(s)[:, :, list(self.rules.actions(s.state)).index(a)], s.actions
        return Inside(self.rules.step(s.state, a), (*s.line, a), actions, chance)

    def law(self, s: Any) -> Floats:
        return self.rules.law(s.state)

    def possible(self, s: Any, player: int) -> npt.NDArray[np.bool_] | None:
        return self.rules.possible(self.position.place.state if s == GATE else s.state, player)

    def ending(self, s: Any) -> tuple[Hashable, float]:
        if s == STOPPED or isinstance(s, Chosen) or self.is_leaf(s):
            return s, 1.0
        key, stake = self.rules.ending(s.state)
        return ("end", key), stake

    def matrix(self, key: Any) -> Floats:
        if key == STOPPED:
            return self.deal() * self._stops()
        if isinstance(key, Inside | Chosen):
            return np.asarray(self._leaf_matrix(key) * self.share)
        return np.asarray(self.rules.matrix(key[1]) * self.share)

    def _stops(self) -> Floats:
        """What player 0 gets when the opponent stops with each of its hands."""
        paid = self.position.alternatives
        return paid[:, None] if self.position.opponent == 0 else -paid[None, :]

    def _leaf_matrix(self, key: Inside | Chosen) -> Floats:
        """What leaves pay, times chance; leaves that depend on ranges are filled in while the position is solved."""
        leaves = self.position.leaves
        assert leaves is not None
        s, choice = (key.leaf, key.choice) if isinstance(key, Chosen) else (key, "")
        if leaves.by_ranges:
            return np.zeros(self.position.place.chance.shape)
        return np.asarray(s.chance * leaves.worth(self.leaf(s), None, choice))

    def label(self, s: Any, player: int, hand: int) -> str:
        name = self.rules.hands(player)[hand]
        if s == GATE:
            return f"{name}:gate"
        if self.is_leaf(s):
            return f"{name}:{'/'.join((*self.position.place.line, *s.line))}:leaf"
        return self.rules.label(s.state, player, hand)
