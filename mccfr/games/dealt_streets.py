"""Spots and whole hold'em as dealt games: public states, and matrices over pairs of hands.

Dense in pairs of hands, so it is for small decks and ranges: a size is refused before anything is made. It is the plain
twin of trees that make boards and endings one after the other, and gives small games every method of dealt games.
"""

import functools
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, State
from mccfr.errors import TreeError
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.dealt import Ranking
from mccfr.games.street_deals import Cards, StreetDeals
from mccfr.games.streets import Floats

MOST_BYTES = 2**30  # of matrices and laws
COPIES = 3  # of an ending's matrix: as it is, turned over, negative
FOLD, SHOWDOWN = "fold", "showdown"

Taken = tuple[tuple[int, int], ...]  # locks that have been met and the moves that were played there, by number


class Public(NamedTuple):
    """What everybody knows: the cards that have come to the board, the betting, and moves of locked strategies."""

    cards: Cards
    betting: State
    taken: Taken


class DealtStreets:
    """Rules of a dealt game, made from what chance does in a game of streets."""

    def __init__(self, deals: StreetDeals, game: str) -> None:
        self.deals, self.streets, self.game = deals, deals.streets, game
        self.betting = deals.streets.betting
        self._require_small()
        self.joint = functools.lru_cache(1024)(self._joint)

    def hands(self, player: int) -> Sequence[str]:
        return [self.deals.hand_name(hand) for hand in self.deals.hands[player]]

    def deal(self) -> Floats:
        return self.deals.deal

    def size(self) -> tuple[int, int]:
        """Public nodes and table entries, at most."""
        tree = self.deals.betting_tree
        copies = np.array(self.deals.copies(0), float)
        decisions = tree.kind >= 0
        boards = copies[tree.street[decisions] - self.deals.first_street]
        hands = np.array([len(held) for held in self.deals.hands])[tree.kind[decisions]]
        return self.deals.tree_nodes(0), int((boards * hands * tree.arity[decisions]).sum())

    def root(self) -> Public:
        return Public((), self.betting.root(), ())

    def player(self, s: Public) -> int:
        if self._cards_come(s):
            return CHANCE
        if s.betting.mover == OVER:
            return TERMINAL
        return s.betting.mover if self.deals.lock_at(s.betting, s.cards) is None else CHANCE

    def actions(self, s: Public) -> Sequence[str]:
        if self._cards_come(s):
            return [self.deals.text(cards) for cards in self._card_sets(s)]
        moves = [move.text for move in self.betting.moves(s.betting)]
        return moves if self.player(s) != CHANCE else [moves[j] for j in self._locked_moves(s)]

    def step(self, s: Public, a: str) -> Public:
        if self._cards_come(s):
            return s._replace(cards=(*s.cards, *sorted(self.deals.deck.read_cards(a))))
        moves = self.betting.moves(s.betting)
        chosen = next(j for j, move in enumerate(moves) if move.text == a)
        lock = self.deals.lock_at(s.betting, s.cards)
        taken = s.taken if lock is None else (*s.taken, (lock, chosen))
        return Public(s.cards, self.betting.play(s.betting, moves[chosen]), taken)

    def law(self, s: Public) -> Floats:
        shape = self.deals.deal.shape
        if self._cards_come(s):
            found = [self._cards_law(s, cards) for cards in self._card_sets(s)]
        else:
            lock = self.deals.lock_at(s.betting, s.cards)
            found = [self._move_law(lock, move) for move in self._locked_moves(s)]
        return np.stack([np.broadcast_to(law, shape) for law in found], axis=2)

    def possible(self, s: Public, player: int) -> npt.NDArray[np.bool_] | None:
        """The hands that meet some hand of the other: no card of the board in them, and no locked move against them."""
        return np.asarray((self.joint(s.cards, s.taken) > 0).any(axis=1 - player))

    def ending(self, s: Public) -> tuple[Hashable, float]:
        """A fold pays its stake whatever the hands; a showdown by who is ahead, whatever the order of the cards."""
        stake = self.betting.stake(s.betting)
        board = tuple(sorted(s.cards))
        if s.betting.folded == NOBODY:
            return (board, s.taken, SHOWDOWN), stake
        return (board, s.taken, FOLD), -stake if s.betting.folded == 0 else stake

    def matrix(self, key: Any) -> Floats:
        cards, taken, kind = key
        joint = self.joint(cards, taken)
        if kind == FOLD:
            return joint
        strength = self.deals.strengths(cards)
        first, second = (strength[hands] for hands in self.deals.hands)
        return joint * np.sign(np.subtract.outer(first, second))

    def label(self, s: Public, player: int, hand: int) -> str:
        return self.deals.label(self.hands(player)[hand], s.betting.line, s.cards)

    def hole_cards(self) -> npt.NDArray[np.int64] | None:
        """The cards of the hands, if both players have the same, all are equally likely and nothing is locked."""
        first, second = self.deals.hands
        chances = self.deals.deal[self.deals.deal > 0]
        alike = np.array_equal(first, second) and np.ptp(chances) <= 1e-12 * chances.max()
        return np.asarray(self.deals.deck.hand_cards[first]) if alike and not self.streets.locks else None

    def ranking(self, key: Any) -> Ranking:
        cards, taken, kind = key
        hands = self.deals.hands[0]
        strength = self.deals.strengths(cards)[hands] if kind == SHOWDOWN else np.zeros(len(hands), np.int64)
        strength = np.where(self.deals.blocked(hands, cards), -1, strength)
        chance = float(self.joint(cards, taken).max())
        return Ranking(chance, 0.0, strength) if kind == FOLD else Ranking(0.0, chance, strength)

    def _joint(self, cards: Cards, taken: Taken) -> Floats:
        """[hands, hands] P(both hands, these cards and these moves of locked strategies)."""
        found = self.deals.deal
        for start, end in zip(self.deals.arrivals, self.deals.arrivals[1:]):
            if end <= len(cards):
                found = found * self.deals.chance(cards[:start])
        clear = [~self.deals.blocked(hands, cards) for hands in self.deals.hands]
        found = found * np.outer(*clear)
        for lock, move in taken:
            found = found * self._move_law(lock, move)
        return np.asarray(found)

    def _cards_come(self, s: Public) -> bool:
        return len(s.cards) < self.deals.due(s.betting)

    def _card_sets(self, s: Public) -> list[Cards]:
        joint = self.joint(s.cards, s.taken)
        return [cards for cards in self.deals.card_sets(s.cards) if (joint * self._cards_law(s, cards)).any()]

    def _cards_law(self, s: Public, cards: Cards) -> Floats:
        clear = [~self.deals.blocked(hands, cards) for hands in self.deals.hands]
        return np.outer(*clear).astype(float) * self.deals.chance(s.cards)

    def _locked_moves(self, s: Public) -> list[int]:
        """The moves, by number, that some hand plays at a locked node."""
        lock = self.deals.lock_at(s.betting, s.cards)
        joint = self.joint(s.cards, s.taken)
        count = len(self.betting.moves(s.betting))
        return [move for move in range(count) if (joint * self._move_law(lock, move)).any()]

    def _move_law(self, lock: int | None, move: int) -> Any:
        """[hands, 1] or [1, hands] how often the mover plays a move of a locked strategy."""
        assert lock is not None
        mover = self.deals.lock_movers[lock]
        law = self.streets.locks[lock].strategy[self.deals.hands[mover], move]
        return law[:, None] if mover == 0 else law[None, :]

    def _require_small(self) -> None:
        first, second = (len(hands) for hands in self.deals.hands)
        boards = sum(self.deals.copies(0))
        branches = 1 + sum(lock.strategy.shape[1] for lock in self.streets.locks)
        need = 8 * first * second * boards * branches * (2 * COPIES + 1)
        if need > MOST_BYTES:
            size = f"{first} x {second} hands and {boards:,} boards would need about {need / 2**30:,.1f} GB"
            raise TreeError(f"dealt:{self.game}: {size} of matrices, at most 1 GB are made: solve it without dealt:")
