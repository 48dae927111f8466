"""Whole hands of hold'em with two players, on any deck: limit and no-limit."""

import dataclasses
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mccfr.betting.lines import Betting
from mccfr.betting.structures import HAND, Limit, NoLimit
from mccfr.buckets.bucketing import CardRules
from mccfr.buckets.registry import make_bucketing
from mccfr.cards.ranges import deck_of
from mccfr.errors import BettingError, quoted
from mccfr.games.parameters import ParameterError, require_part, require_whole
from mccfr.games.street_rules import StreetRules
from mccfr.games.streets import Streets

HOLE_CARDS = 2
LEAST_CARDS, MOST_CARDS = 5, 7  # of a hand and the whole board together


@dataclasses.dataclass(frozen=True)
class Holdem(StreetRules):
    """Hold'em from the blinds on: two hole cards each, a board that grows street by street, and showdowns.

    `betting` is limit(...) or nolimit(stack=..., bet=..., raise_=...). `buckets` says how players see their cards:
    ehs2(10), emd(200), exact, lin or a class of your own, 'PATH.py:Class'; without it every card is seen, which is for
    small decks. `board` says how many cards come before each later street; with the hole cards they are five to seven.
    The deck has the lowest ranks and the first suits of cdhs. Player 0 is the big blind: player 1 deals, moves first
    before the flop and last after it. Payoffs are in chips. An infoset is hand:line, with the board in it,
    `AsKh:r6c/2hJhQs:k`; with buckets it is row:line, `3.7:r4c/k`.
    """

    name: ClassVar[str] = "holdem"

    betting: Any
    buckets: Any = None
    ranks: int = 13
    suits: int = 4
    board: str = "3 1 1"

    def __post_init__(self) -> None:
        require_whole(self.name, "ranks", self.ranks, 1, 13)
        require_whole(self.name, "suits", self.suits, 1, 4)
        object.__setattr__(self, "board", " ".join(map(str, self._board_deals)))
        object.__setattr__(self, "betting", self._as_betting())
        if self.buckets is not None:
            object.__setattr__(self, "buckets", make_bucketing(self.buckets))

    @property
    def card_rules(self) -> CardRules:
        """The deck and the board, for bucketings."""
        return CardRules(self.ranks, self.suits, self._board_deals)

    def streets(self) -> Streets:
        """The cards and the betting, for trees."""
        every = np.ones(deck_of(self.ranks, self.suits).hands)
        return Streets(self.ranks, self.suits, (), self._board_deals, (every, every), self.betting)

    @cached_property
    def _board_deals(self) -> tuple[int, ...]:
        given = str(self.board) if isinstance(self.board, int) and not isinstance(self.board, bool) else self.board
        words = given.split() if isinstance(given, str) else []
        deals = tuple(int(word) for word in words if word in ("1", "2", "3", "4", "5"))
        total = HOLE_CARDS + sum(deals)
        if len(deals) != len(words) or not 1 <= len(deals) < HAND or not LEAST_CARDS <= total <= MOST_CARDS:
            what = "how many cards come before each later street, three to five in all, as in '3 1 1'"
            raise ParameterError(self.name, ("board",), f"board must say {what}, got {quoted(self.board)}")
        if self.ranks * self.suits < HOLE_CARDS + total:
            cards = f"ranks x suits are {self.ranks * self.suits} cards"
            problem = f"{cards}, but two hands and a board of {sum(deals)} need {HOLE_CARDS + total}"
            raise ParameterError(self.name, ("ranks",), problem)
        return deals

    def _as_betting(self) -> Betting:
        """The betting, with as many streets as the board has."""
        try:
            found: Limit | NoLimit = require_part(self.name, "betting", self.betting, (Limit, NoLimit))
            streets = 1 + len(self._board_deals)
            if found.streets not in (streets, HAND):
                problem = f"betting has {found.streets} streets, but board {quoted(self.board)} makes {streets}"
                raise ParameterError(self.name, ("betting",), problem)
            return dataclasses.replace(found, streets=streets)
        except BettingError as error:
            raise ParameterError(self.name, ("betting",), f"betting: {error}") from None
