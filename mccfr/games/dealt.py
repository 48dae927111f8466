"""Games whose private information is dealt by chance at the start and whose actions everybody sees: poker and dice.

Such a game is a public tree, which knows no hands, and for each player a list of hands. What a history adds to that is
only in how it ends: a matrix over both players' hands.
"""

import dataclasses
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError
from mccfr.games.base import CHANCE, Game, game_text

DEALT = "dealt:"  # before the name of a game
TERMINAL_KIND = 255  # last word of a terminal in `PublicArrays`

Floats = npt.NDArray[np.float64]


class PublicArrays(NamedTuple):
    """A public tree as `mccfr.tree.dealt_tree` lays it out, but for where table entries begin."""

    words: npt.NDArray[np.uint32]  # [nodes, 4]
    endings: Sequence[Hashable]  # keys, by number
    stakes: Sequence[float]  # by number
    depth: int


class DealtRules(Protocol):
    """The rules of a dealt game, by public states: any hashable values.

    Rules of a large game may also have `size()`, its numbers of public nodes and table entries, by which it is refused
    before anything is built (a game in parts has `dealt_size()`, asked before its parts are solved);
    `public_tree()`, its PublicArrays, all hands being possible everywhere; and `locate(label, player)`, a list of at
    most one pair: the actions that lead to an infoset, and the hand.
    """

    def hands(self, player: int) -> Sequence[str]:
        """Names of the hands a player may be dealt."""

    def deal(self) -> Floats:
        """[hands of player 0, hands of player 1] Probability of every pair of hands."""

    def root(self) -> Hashable:
        """The public state after the deal."""

    def player(self, s: Any) -> int:
        """Who moves: 0, 1, CHANCE (a public event) or TERMINAL."""

    def actions(self, s: Any) -> Sequence[str]:
        """What may happen."""

    def step(self, s: Any, a: str) -> Hashable:
        """The public state after it."""

    def law(self, s: Any) -> Floats:
        """[hands, hands, events] Probability of every public event, given both hands: asked where chance moves."""

    def possible(self, s: Any, player: int) -> npt.NDArray[np.bool_] | None:
        """[hands] Which hands the player may still hold given the public events; None: all."""

    def ending(self, s: Any) -> tuple[Hashable, float]:
        """A terminal pays player 0 stake * matrix(key): the key and the stake."""

    def matrix(self, key: Any) -> Floats:
        """[hands, hands] Probability of the pair of hands, and of public events given it, times what it pays."""

    def label(self, s: Any, player: int, hand: int) -> str:
        """Name of the infoset."""


class Ranking(NamedTuple):
    """An ending pays player 0 level + edge sign(strength h - strength g) for hands h, g that share no card."""

    level: float  # both with the probability of the pair, and of public events given it, in them
    edge: float
    strength: npt.NDArray[np.int64]  # [hands] negative if public events exclude the hand


class RankedRules(DealtRules, Protocol):
    """Rules of a game of cards whose endings need no matrices; both players have the same hands."""

    def hole_cards(self) -> npt.NDArray[np.int64] | None:
        """[hands, 1 or 2] The cards of every hand; None if hands are not cards after all."""

    def ranking(self, key: Any) -> Ranking:
        """What matrix(key) says, by strength."""


@dataclasses.dataclass(frozen=True)
class DealtForm:
    """A game, to be solved by public states and hands: `dealt:leduc`."""

    players: ClassVar[int] = 2
    dealt_only: ClassVar[bool] = True

    game: Any

    @property
    def title(self) -> str:
        """What it is."""
        return f"The dealt form of {game_text(self.game)}: public states, and a vector of hands for each player."

    def __str__(self) -> str:
        return f"{DEALT}{game_text(self.game)}"

    def dealt(self) -> DealtRules:
        """The dealt form of the game."""
        return dealt_rules(self.game)


def dealt_rules(game: Any) -> DealtRules:
    """The dealt form of a game: its own, or one found from its `public(s)` and `private(s, i)`."""
    if hasattr(game, "dealt"):
        rules: DealtRules = game.dealt()
        return rules
    if hasattr(game, "public") and hasattr(game, "private"):
        return Gathered(game)
    raise GameError(
        f"{game_text(game)} has no dealt form: it needs public(s), what everybody has seen, and private(s, i), "
        "the hand of player i"
    )


class Gathered:
    """The dealt form of any game with `public` and `private`, found by going through all its histories."""

    def __init__(self, game: Game) -> None:
        self.game: Any = game
        self._names: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        self._groups: dict[Hashable, list[tuple[int, int, Any, float]]] = {}
        self._deal: dict[tuple[int, int], float] = {}
        start = [(game.root(), 1.0)]
        while any(self._private_chance(s) for s, _ in start):
            start = [pair for s, p in start for pair in self._outcomes(s, p)]
        for s, p in start:
            pair = self._hand(0, s), self._hand(1, s)
            self._deal[pair] = self._deal.get(pair, 0.0) + p
            self._groups.setdefault(game.public(s), []).append((*pair, s, p))  # type: ignore[attr-defined]
        if len(self._groups) != 1:
            raise GameError(f"{game_text(game)}: hands must be dealt before any public event")
        self._root = next(iter(self._groups))
        self._members: dict[Hashable, list[tuple[int, int, Any, float]]] = {self._root: self._groups[self._root]}

    def _private_chance(self, s: Any) -> bool:
        return (
            self.game.player(s) == CHANCE
            and len({self.game.public(self.game.step(s, a)) for a, _ in self.game.chances(s)}) == 1
        )

    def _outcomes(self, s: Any, p: float) -> list[tuple[Any, float]]:
        if not self._private_chance(s):
            return [(s, p)]
        return [(self.game.step(s, a), p * q) for a, q in self.game.chances(s)]

    def _hand(self, player: int, s: Any) -> int:
        return self._names[player].setdefault(self.game.private(s, player), len(self._names[player]))

    def hands(self, player: int) -> Sequence[str]:
        return [str(name) for name in self._names[player]]

    def deal(self) -> Floats:
        found = np.zeros((len(self._names[0]), len(self._names[1])))
        for pair, p in self._deal.items():
            found[pair] = p
        return found

    def root(self) -> Hashable:
        return self._root

    def player(self, s: Any) -> int:
        return int(self.game.player(self._members[s][0][2]))

    def actions(self, s: Any) -> Sequence[str]:
        if self.player(s) != CHANCE:
            return list(self.game.actions(self._members[s][0][2]))
        found: dict[str, None] = {}
        for _, _, state, _ in self._members[s]:
            found.update((str(a), None) for a, _ in self.game.chances(state))
        return list(found)

    def step(self, s: Any, a: str) -> Hashable:
        """The histories that take this action; all of them must look alike to everybody."""
        chance = self.player(s) == CHANCE
        members: dict[Hashable, list[tuple[int, int, Any, float]]] = {}
        for first, second, state, p in self._members[s]:
            odds = {str(b): (b, q) for b, q in self.game.chances(state)} if chance else {a: (a, 1.0)}
            if a in odds:
                after = self.game.step(state, odds[a][0])
                members.setdefault(self.game.public(after), []).append((first, second, after, p * odds[a][1]))
        if len(members) != 1:
            raise GameError(
                f"{game_text(self.game)}: public() tells histories apart after {a!r}, which everybody saw alike"
            )
        key = next(iter(members))
        self._members[key] = members[key]
        return key

    def law(self, s: Any) -> Floats:
        events = {a: j for j, a in enumerate(self.actions(s))}
        found = np.zeros((len(self._names[0]), len(self._names[1]), len(events)))
        weight = np.zeros(found.shape[:2])  # several histories may look alike to both players: the law is their mean
        for first, second, state, p in self._members[s]:
            weight[first, second] += p
            for a, q in self.game.chances(state):
                found[first, second, events[str(a)]] += p * q
        return found / np.where(weight > 0.0, weight, 1.0)[:, :, None]

    def possible(self, s: Any, player: int) -> npt.NDArray[np.bool_] | None:
        found = np.zeros(len(self._names[player]), bool)
        for first, second, _, _ in self._members[s]:
            found[(first, second)[player]] = True
        return found

    def ending(self, s: Any) -> tuple[Hashable, float]:
        return s, 1.0

    def matrix(self, key: Any) -> Floats:
        found = np.zeros((len(self._names[0]), len(self._names[1])))
        for first, second, state, p in self._members[key]:
            found[first, second] += p * self.game.payoff(state)[0]
        return found

    def label(self, s: Any, player: int, hand: int) -> str:
        state = next(member[2] for member in self._members[s] if member[player] == hand)
        return str(self.game.infoset(state))
