"""What chance does in a game of streets, written out plainly: hands, cards of the board, and who wins.

P(h0, h1) is proportional to w0(h0) w1(h1) for hands that share no card, w being the ranges; every set of cards that
nobody has seen comes to the board with the same probability. Hands that can never be dealt are not carried.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import SHOWDOWN, BettingTree, build_tree
from mccfr.betting.lines import NOBODY, OVER, State
from mccfr.cards.ranges import Deck, deck_of
from mccfr.games.streets import Floats, Streets

Cards = tuple[int, ...]
Ints = npt.NDArray[np.int64]


@functools.lru_cache(maxsize=4096)  # asked for the same few boards again and again
def hands_without(ranks: int, suits: int, cards: Cards) -> npt.NDArray[np.bool_]:
    """[hands of the deck] which hands hold none of these cards."""
    found = np.asarray(~np.isin(deck_of(ranks, suits).hand_cards, list(cards)).any(axis=1))
    found.flags.writeable = False
    return found


class StreetDeals:
    """Hands and cards of one game of streets. Cards that have come to its board are given street after street."""

    def __init__(self, streets: Streets) -> None:
        self.streets = streets
        self.deck: Deck = deck_of(streets.ranks, streets.suits)
        self.first_street = streets.betting.root().street
        self.arrivals = list(itertools.accumulate(streets.deals, initial=0))  # cards there on each street

    # ---- hands

    @cached_property
    def hands(self) -> tuple[Ints, Ints]:
        """The hands that each player can be dealt, by their numbers in the deck."""
        weights = [np.where(self._clear(self.streets.board), w, 0.0) for w in self.streets.ranges]
        held = [np.flatnonzero(w) for w in weights]
        meets = self._apart(held[0], held[1])
        return held[0][meets.any(axis=1)], held[1][meets.any(axis=0)]

    @cached_property
    def deal(self) -> Floats:
        """[hands 0, hands 1] the probability of each pair."""
        first, second = (w[hands] for w, hands in zip(self.streets.ranges, self.hands))
        chances = np.outer(first, second) * self._apart(*self.hands)
        return np.asarray(chances / chances.sum())

    def hand_name(self, hand: int) -> str:
        """A hand of the deck as text."""
        return self.deck.hand_name(hand)

    def blocked(self, hands: Ints, cards: Sequence[int]) -> npt.NDArray[np.bool_]:
        """[hands] which hands hold one of these cards."""
        return ~self._clear(cards)[hands]

    def _clear(self, cards: Sequence[int]) -> npt.NDArray[np.bool_]:
        """[hands of the deck] which hands hold none of these cards."""
        return hands_without(self.streets.ranks, self.streets.suits, tuple(cards))

    def _apart(self, first: Ints, second: Ints) -> npt.NDArray[np.bool_]:
        """[first, second] which hands share no card."""
        holds = np.zeros((self.deck.hands, self.deck.cards), np.int32)
        holds[np.arange(self.deck.hands)[:, None], self.deck.hand_cards] = 1
        return np.asarray(holds[first] @ holds[second].T == 0)

    # ---- cards of the board

    def due(self, s: State) -> int:
        """How many cards should have come to the board by now; before a showdown all of them."""
        if s.mover == OVER and s.folded == NOBODY:
            return self.arrivals[-1]
        return self.arrivals[s.street - self.first_street]

    def next_cards(self, cards: Cards) -> int:
        """How many cards come next."""
        return self.streets.deals[self.arrivals.index(len(cards))]

    def unseen(self, cards: Cards) -> int:
        """How many cards neither the players hold nor the board has."""
        return self.deck.cards - 4 - len(self.streets.board) - len(cards)

    def card_sets(self, cards: Cards, held: Sequence[int] = ()) -> Iterator[Cards]:
        """The sets of cards that may come next when these hands are held."""
        seen = {*self.streets.board, *cards, *(card for hand in held for card in self.deck.hand_cards[hand].tolist())}
        left = [card for card in range(self.deck.cards) if card not in seen]
        return itertools.combinations(left, self.next_cards(cards))

    def chance(self, cards: Cards) -> float:
        """How likely each set of cards is that may come next, given both hands."""
        return 1 / math.comb(self.unseen(cards), self.next_cards(cards))

    def text(self, cards: Sequence[int]) -> str:
        """Cards that come together, as text: the lowest first."""
        return "".join(self.deck.card_name(card) for card in sorted(cards))

    def label(self, hand: str, line: str, cards: Cards) -> str:
        """An infoset: the hand, and the line with the cards that came where a street begins, `AsKh:kk/7d:b59`."""
        first, *later = line.split("/")
        ends = zip(later, itertools.pairwise(self.arrivals))
        return f"{hand}:{first}" + "".join(f"/{self.text(cards[a:b])}:{moves}" for moves, (a, b) in ends)

    # ---- who wins

    def strengths(self, cards: Cards) -> Ints:
        """[hands of the deck] how strong each hand is with the whole board; -1 if it shares a card with it."""
        return deck_strengths(tuple(sorted((*self.streets.board, *cards))), self.streets.ranks, self.streets.suits)

    def winner(self, hands: Sequence[int], cards: Cards) -> int:
        """Who wins a showdown, or NOBODY."""
        mine, theirs = self.strengths(cards)[list(hands)]
        return NOBODY if mine == theirs else int(theirs > mine)

    # ---- locks

    def lock_at(self, s: State, cards: Cards) -> int | None:
        """Which lock holds at a state, by number."""
        found = [j for j in self._locks_of.get(s.line, ()) if self.streets.locks[j].cards in (None, cards)]
        return found[-1] if found else None

    @cached_property
    def lock_movers(self) -> list[int]:
        """Whose strategy each lock fixes."""
        return [self.streets.betting.at(lock.line).mover for lock in self.streets.locks]

    @cached_property
    def _locks_of(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for j, lock in enumerate(self.streets.locks):
            found.setdefault(lock.line, []).append(j)
        return found

    # ---- sizes

    @cached_property
    def betting_tree(self) -> BettingTree:
        """The lines of betting."""
        return build_tree(self.streets.betting)

    def copies(self, private: int) -> list[int]:
        """How many sequences of boards there are on each street; `private` cards cannot come."""
        left = self.deck.cards - len(self.streets.board) - private
        ways = [math.comb(left - a, b - a) for a, b in itertools.pairwise(self.arrivals)]
        return list(itertools.accumulate(ways, lambda x, y: x * y, initial=1))

    def tree_nodes(self, private: int) -> int:
        """Nodes of the betting, with every card dealt that is not private: after an all-in too."""
        tree, copies = self.betting_tree, self.copies(private)
        street = tree.street - self.first_street
        above = street[np.maximum(tree.parent, 0)]
        last = len(copies) - 1
        count = 0
        for t, ways in enumerate(copies):
            here = street == t
            showdowns = int((here & (tree.kind == SHOWDOWN)).sum())
            count += ways * (int(here.sum()) - showdowns) + showdowns * (sum(copies[t:last]) + copies[last])
            count += ways * int(((above == t) & (street > t)).sum())  # where cards come
        return count


@functools.lru_cache(4096)
def deck_strengths(board: Cards, ranks: int, suits: int) -> Ints:
    """[hands of a deck] how strong each hand is with this board of three to five cards; -1 if it shares a card."""
    from mccfr.cards.evaluator import rank_deck  # and with it the compiler

    return rank_deck(board, ranks, suits).astype(np.int64)
