"""A position whose opponent chooses its hand: the gadgets `maxmargin` and `reach`, as a game of histories.

First the opponent chooses a hand j, which nobody sees; then chance deals the player's hand given j, by w; then the game
goes on from the position, and at its end the opponent is paid alt(j) less. What the game is worth to the player is the
margin, the least over all hands. [Moravcik et al. 2016, section 4]
"""

import dataclasses
import functools
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mccfr.games.base import CHANCE
from mccfr.resolving.position import Position
from mccfr.resolving.position_rules import PositionRules

GATE = "gate"


class Held(NamedTuple):
    """A history: both hands, the public state, and how likely chance was to bring it about."""

    hands: tuple[int, int]
    state: Any
    chance: float


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ChosenHandPosition(Position):
    """A position before which the opponent chooses its hand; see `mccfr.games.base.Game` for the methods."""

    @functools.cached_property
    def rules(self) -> PositionRules:
        """The position by public states."""
        return PositionRules(self)

    @functools.cached_property
    def _deal(self) -> Any:
        """[hands of the player, hands of the opponent] Probability of a pair when both are dealt."""
        deal = self.rules.deal()
        return deal if self.seat == 0 else deal.T

    def root(self) -> Hashable:
        """Nothing has been chosen."""
        return GATE

    def player(self, s: Any) -> int:
        """Who moves."""
        if s == GATE:
            return self.opponent
        return CHANCE if isinstance(s, int) else self.rules.player(s.state)

    def actions(self, s: Any) -> Sequence[str]:
        """Hands that can be held, then what the game has."""
        if s != GATE:
            return self.rules.actions(s.state)
        names = self.tree.hands[self.opponent]
        return [names[j] for j in np.flatnonzero(self._deal.sum(axis=0) > 0.0)]

    def chances(self, s: Any) -> Sequence[tuple[Any, float]]:
        """The player's hand given the opponent's; then public cards given both."""
        if isinstance(s, int):
            given = self._deal[:, s] / self._deal[:, s].sum()
            return [(self.tree.hands[self.seat][h], float(given[h])) for h in np.flatnonzero(given)]
        law = self.rules.law(s.state)[s.hands]
        return [(a, float(p)) for a, p in zip(self.rules.actions(s.state), law) if p > 0.0]

    def step(self, s: Any, a: Any) -> Hashable:
        """What follows."""
        if s == GATE:
            return self.tree.hands[self.opponent].index(a)
        if isinstance(s, int):
            mine = self.tree.hands[self.seat].index(a)
            pair = (mine, s) if self.seat == 0 else (s, mine)
            return Held(pair, self.rules.first(), float(self.rules.deal()[pair]))
        chance = s.chance
        if self.rules.player(s.state) == CHANCE:
            chance *= float(self.rules.law(s.state)[s.hands][list(self.rules.actions(s.state)).index(a)])
        return Held(s.hands, self.rules.step(s.state, a), chance)

    def infoset(self, s: Any) -> Hashable:
        """As the game has it; all hands are chosen from one."""
        mover = self.player(s)
        return ":gate" if s == GATE else self.rules.label(s.state, mover, s.hands[mover])

    def payoff(self, s: Held) -> Sequence[float]:
        """What the game pays, less the opponent's alternative."""
        key, stake = self.rules.ending(s.state)
        paid = self._matrices(key)[s.hands] * stake / s.chance
        paid += self.alternatives[s.hands[1]] if self.opponent == 1 else -self.alternatives[s.hands[0]]
        return float(paid), -float(paid)

    @functools.cached_property
    def _kept(self) -> dict[Hashable, Any]:
        return {}

    def _matrices(self, key: Hashable) -> Any:
        """The matrix of an ending, worked out once."""
        if key not in self._kept:
            self._kept[key] = self.rules.matrix(key)
        return self._kept[key]
