"""Cards up to an exchange of suits: a perfect index of hands and boards, in rounds as they are dealt.

Suits have no order, so hands that differ by an exchange of suits are the same hand. `HandIndex((2, 3))` numbers what a
player can see on the flop, two cards of his own and three of the board, from 0 to 1,286,791, without holes, and finds
cards for each number. Cards of one round have no order among them; rounds do. [Waugh 2013: A fast and optimal hand
isomorphism algorithm] What differs here: the numbers are laid out by tables over all suits at once instead of round
after round, so an index of all streets is made of one index for each.

A deck is ranks x suits, and a card is suits * rank + suit, as in `mccfr.cards.deck`.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import CardError
from mccfr.kernel import hand_index as kernel
from mccfr.kernel.hand_index import MOST_RANKS, SUITS, IndexTables

Cards = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int64]


class HandIndex:
    """Numbers hands that are dealt in rounds of so many cards each, such that an exchange of suits changes nothing.

    Example:
        >>> HandIndex((2,)).size, HandIndex((2, 3)).size
        (169, 1286792)
    """

    def __init__(self, rounds: Sequence[int], ranks: int = 13, suits: int = 4) -> None:
        self.rounds, self.ranks, self.suits = tuple(rounds), ranks, suits
        self.cards = sum(self.rounds)
        if not 1 <= ranks <= MOST_RANKS or not 1 <= suits <= SUITS:
            raise CardError(f"a deck has 1 to {MOST_RANKS} ranks and 1 to {SUITS} suits, not {ranks} and {suits}")
        if not self.rounds or min(self.rounds) < 1 or self.cards > ranks * suits:
            raise CardError(f"expected rounds of at least one card and at most {ranks * suits} in all, not {rounds}")
        self.tables = make_tables(self.rounds, ranks, suits)
        self.size = int(self.tables.offset[-1])

    def __repr__(self) -> str:
        deck = "" if (self.ranks, self.suits) == (13, 4) else f", ranks={self.ranks}, suits={self.suits}"
        return f"HandIndex({self.rounds}{deck})"

    def index(self, cards: npt.ArrayLike) -> Indices:
        """The numbers of many hands: [n, cards], or one hand as a list; rounds follow one another."""
        given = self._checked(cards)
        out = np.empty(len(given), np.int64)
        kernel.index_hands(self.tables, given.reshape(-1), *self.room(), out)
        return out

    def unindex(self, indices: npt.ArrayLike) -> Cards:
        """[n, cards] a hand for each number."""
        wanted = np.atleast_1d(np.asarray(indices, np.int64))
        if wanted.size and not 0 <= wanted.min() <= wanted.max() < self.size:
            raise CardError(f"expected numbers from 0 to {self.size - 1:,}, not {wanted.min():,} to {wanted.max():,}")
        out = np.empty((len(wanted), self.cards), np.uint8)
        keys, filled = np.empty(SUITS, np.uint64), np.empty(len(self.rounds), np.uint64)
        kernel.unindex_hands(self.tables, wanted, keys, filled, out)
        return out

    def copies(self, cards: npt.ArrayLike) -> Indices:
        """How many deals have the same number as each of these."""
        given = self._checked(cards)
        out = np.empty(len(given), np.int64)
        kernel.count_copies(self.tables, given.reshape(-1), *self.room(), out)
        return out

    def room(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        return np.empty(SUITS * len(self.rounds), np.uint64), np.empty(SUITS, np.uint64)

    def _checked(self, cards: npt.ArrayLike) -> Cards:
        given = np.atleast_2d(np.asarray(cards))
        if given.ndim != 2 or given.shape[1] != self.cards:
            raise CardError(f"expected {self.cards} cards a row, not an array of shape {given.shape}")
        if given.size and not 0 <= given.min() <= given.max() < self.ranks * self.suits:
            raise CardError(f"expected cards from 0 to {self.ranks * self.suits - 1}")
        ordered = np.sort(given, axis=1)
        if (ordered[:, 1:] == ordered[:, :-1]).any():
            raise CardError("a card is twice among the cards of one hand")
        return given.astype(np.uint8)


@functools.cache
def make_tables(rounds: tuple[int, ...], ranks: int, suits: int) -> IndexTables:
    """Everything that depends on the deck and the rounds alone."""
    base = [math.prod(count + 1 for count in rounds[r + 1 :]) for r in range(len(rounds))]
    kinds = math.prod(count + 1 for count in rounds)
    size = [_suit_sets(code, base, ranks) for code in range(kinds)]
    configs = sorted(set(_configurations(rounds, base, ranks, suits)), reverse=True)
    config_of = np.full(kinds**3, -1, np.int32)
    for number, (a, b, c, _) in enumerate(configs):
        config_of[(a * kinds + b) * kinds + c] = number
    offset = np.cumsum([0, *(_hands(config, size) for config in configs)])
    masks = np.arange(1 << MOST_RANKS)
    bits = masks[:, None] >> np.arange(MOST_RANKS) & 1
    choose = np.array([[math.comb(n, k) for k in range(MOST_RANKS + 1)] for n in range(MOST_RANKS + 1)], np.uint64)
    nth = np.cumsum(bits, axis=1)  # the j-th smallest rank of a set adds (rank choose j) to its number
    colex = (bits * choose[np.arange(MOST_RANKS)[None, :], nth].astype(np.int64)).sum(axis=1)
    cards = np.arange(ranks * suits)
    return IndexTables(
        np.cumsum([0, *rounds]), (cards % suits).astype(np.uint8), (cards // suits).astype(np.uint8),
        np.array(base, np.uint64), colex.astype(np.uint32), choose, bits.sum(axis=1).astype(np.uint8), config_of,
        offset.astype(np.uint64), np.array(configs, np.uint64), np.array(size, np.uint64), np.uint64(ranks),
        np.uint64(suits),
    )  # fmt: skip


def _suit_sets(code: int, base: list[int], ranks: int) -> int:
    """How many ways a suit with this code can have its cards."""
    ways, left = 1, ranks
    for one in base:
        count, code = divmod(code, one)
        ways *= math.comb(left, count)
        left -= min(count, left)
    return ways


def _configurations(rounds: Sequence[int], base: list[int], ranks: int, suits: int) -> Iterator[tuple[int, ...]]:
    """The codes of four suits, falling, for every way in which rounds can be spread over suits."""
    for choice in itertools.product(*(_spread(count, suits) for count in rounds)):
        if all(sum(of_suit) <= ranks for of_suit in zip(*choice)):
            codes = [sum(count * one for count, one in zip(of_suit, base)) for of_suit in zip(*choice)]
            yield (*sorted(codes, reverse=True), *[0] * (SUITS - suits))


def _spread(count: int, suits: int) -> list[tuple[int, ...]]:
    """All ways to write a number as an ordered sum over suits."""
    if suits == 1:
        return [(count,)]
    return [(first, *rest) for first in range(count + 1) for rest in _spread(count - first, suits - 1)]


def _hands(config: tuple[int, ...], size: list[int]) -> int:
    """How many hands have these codes: suits with the same code are a multiset."""
    return math.prod(
        math.comb(size[code] + config.count(code) - 1, config.count(code)) for code in dict.fromkeys(config)
    )
