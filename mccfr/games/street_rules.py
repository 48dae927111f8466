"""What spots and whole hold'em share: their rules, state by state, as `streets()` describes them.

The deals are chance, one hand after the other; cards come to the board when a street begins, and after an all-in one
street after the other until the board is complete. Where a strategy is locked, chance moves by it. Everything is
written out, which is for small decks and small ranges; trees for others use `streets()` only.
"""

import abc
import dataclasses
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from mccfr.betting.lines import OVER, Betting, State
from mccfr.errors import GameError
from mccfr.games.base import CHANCE, TERMINAL, Level, RuleBook
from mccfr.games.dealt_streets import DealtStreets
from mccfr.games.street_deals import Cards, StreetDeals
from mccfr.games.streets import Streets

HOLE_CARDS_OF_BOTH = 4


class Dealt(NamedTuple):
    """A state: hands that have been dealt and cards that have come to the board, by number, and the betting."""

    hands: tuple[int, ...]
    cards: Cards
    betting: State


@dataclasses.dataclass(frozen=True)
class StreetRules(RuleBook, abc.ABC):
    """A game that is made of cards and betting."""

    @abc.abstractmethod
    def streets(self) -> Streets:
        """The cards and the betting."""

    def root(self) -> Dealt:
        return Dealt((), (), self._betting.root())

    def player(self, s: Dealt) -> int:
        if len(s.hands) < self.players or self._cards_come(s):
            return CHANCE
        if s.betting.mover == OVER:
            return TERMINAL
        return s.betting.mover if self._deals.lock_at(s.betting, s.cards) is None else CHANCE

    def actions(self, s: Dealt) -> tuple[str, ...]:
        return tuple(self._following(s.betting))

    def chances(self, s: Dealt) -> Sequence[tuple[str, float]]:
        if len(s.hands) < self.players:
            return self._hands(s.hands)
        if self._cards_come(s):
            chance = self._deals.chance(s.cards)
            return [(self._deals.text(cards), chance) for cards in self._deals.card_sets(s.cards, s.hands)]
        return self._locked(s)

    def step(self, s: Dealt, a: str) -> Dealt:
        if len(s.hands) < self.players:
            return s._replace(hands=(*s.hands, self._hand_numbers[a]))
        if self._cards_come(s):
            return s._replace(cards=(*s.cards, *sorted(self._deals.deck.read_cards(a))))
        return s._replace(betting=self._following(s.betting)[a])

    def infoset(self, s: Dealt) -> str:
        hand = self._deals.hand_name(s.hands[s.betting.mover])
        return self._deals.label(hand, s.betting.line, s.cards)

    def payoff(self, s: Dealt) -> tuple[float, float]:
        showdown = len(s.cards) == sum(self._streets.deals)
        winner = self._deals.winner(s.hands, s.cards) if showdown else 0  # folds do not ask
        return self._betting.payoffs(s.betting, winner)

    def dealt(self) -> DealtStreets:
        """The game by public states and hands."""
        return DealtStreets(self._deals, str(self))

    def nodes(self) -> int:
        """How many nodes there are when everything is written out; where strategies are locked, at most."""
        deal = self._deals.deal > 0
        return 1 + len(deal) + int(deal.sum()) * self._deals.tree_nodes(HOLE_CARDS_OF_BOTH)

    def levels(self) -> Iterator[Level] | None:
        """None: the rules are walked, state by state."""
        return None

    def describe(self, player: int, code: int) -> tuple[str, tuple[str, ...]]:
        """Never asked, since there are no levels."""
        raise GameError(f"{self.name}: infosets have no codes")

    def _cards_come(self, s: Dealt) -> bool:
        return len(s.cards) < self._deals.due(s.betting)

    def _hands(self, dealt: tuple[int, ...]) -> list[tuple[str, float]]:
        """The hands of the next player, given that of the first."""
        deals = self._deals
        if not dealt:
            law = deals.deal.sum(axis=1)
        else:
            law = deals.deal[int((deals.hands[0] == dealt[0]).argmax())]
        hands = deals.hands[len(dealt)]
        return [(deals.hand_name(hand), float(p / law.sum())) for hand, p in zip(hands, law) if p > 0]

    def _locked(self, s: Dealt) -> list[tuple[str, float]]:
        lock = self._deals.lock_at(s.betting, s.cards)
        assert lock is not None
        law = self._streets.locks[lock].strategy[s.hands[s.betting.mover]]
        return [(move, float(p)) for move, p in zip(self.actions(s), law) if p > 0]

    def _following(self, s: State) -> dict[str, State]:
        """The states after each move. Found once: sizes take long to compute."""
        if s not in self._known:
            self._known[s] = {move.text: self._betting.play(s, move) for move in self._betting.moves(s)}
        return self._known[s]

    @cached_property
    def _known(self) -> dict[State, dict[str, State]]:
        return {}

    @cached_property
    def _streets(self) -> Streets:
        return self.streets()

    @cached_property
    def _deals(self) -> StreetDeals:
        return StreetDeals(self._streets)

    @cached_property
    def _betting(self) -> Betting:
        return self._streets.betting

    @cached_property
    def _hand_numbers(self) -> dict[str, int]:
        return {self._deals.hand_name(hand): int(hand) for hands in self._deals.hands for hand in hands}
