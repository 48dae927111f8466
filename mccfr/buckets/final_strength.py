"""`hs` and `hs_recall`: every hand by itself until the last street, where only its strength counts.

The strength of a hand on a whole board is its score, 2 wins + ties against all hands that it can meet
(`mccfr.buckets.hand_squares`). With `hs` the last street forgets everything else, the board and the cards before it;
`hs_recall` splits each hand of the street before, so that nothing is forgotten. The card abstractions nhs3 and nxhs3 of
slumbot2019 (github.com/ericgjackson/slumbot2019, notes/ms3f1t1r1h5_results) have a bucket for every different strength:
`hs` is the first of them and `hs_recall` the second if they have as many buckets as there are strengths.

For small decks: since earlier streets are seen exactly, 52 cards have far too many rows.
"""

import dataclasses
from typing import ClassVar

import numpy as np

from mccfr.buckets.bucketing import Arrays, Bucketing, CardRules, Cards, Fit, Rows, Watch, no_watch
from mccfr.buckets.cuts import cut_points, digits_of, wrong_shapes
from mccfr.buckets.hand_squares import check_rules, most_value, values_of
from mccfr.errors import BucketError, quoted

MOST = 10_000  # buckets
MOST_HANDS = 2**22  # on the last street: all are gone through, with a histogram for each row before
CUTS = "cut"


@dataclasses.dataclass(frozen=True)
class FinalStrength(Bucketing):
    """Every hand by itself until the last street; there so many percentiles of hand strength, and nothing else.

    Hands of equal strength stay together, so with more buckets than strengths each strength has its own.
    """

    name: ClassVar[str] = "hs"
    remembers_order: ClassVar[bool] = True

    buckets: int = 100

    def __post_init__(self) -> None:
        if type(self.buckets) is not int or not 1 <= self.buckets <= MOST:
            raise BucketError(
                f"{self.name}: buckets must be a whole number from 1 to {MOST:,}, got {quoted(self.buckets)}"
            )

    def rows(self, cards: CardRules) -> tuple[int, ...]:
        check_rules(cards)
        hands = cards.remembered(cards.streets - 1).size
        if hands > MOST_HANDS:
            raise BucketError(
                f"{self} sees every hand before the last street, and {cards} has {hands:,} hands in the end: "
                f"at most {MOST_HANDS:,} are possible, so choose a smaller deck, or ehs2"
            )
        before = [cards.remembered(street).size for street in range(cards.streets - 1)]
        return (*before, self.parts(cards) * self.buckets)

    def parts(self, cards: CardRules) -> int:
        """How many groups of hands the last street splits by strength."""
        return 1

    def part(self, cards: CardRules, hands: Cards) -> Rows:
        """[n] the group of each hand of the last street."""
        return np.zeros(len(hands), np.int64)

    def fit(self, cards: CardRules, workers: int = 1, watch: Watch = no_watch) -> Arrays:
        self.rows(cards)
        index = cards.remembered(cards.streets - 1)
        hands = index.unindex(np.arange(index.size))
        score = values_of(cards, cards.streets - 1, hands).astype(np.int64)
        most = most_value(cards, cards.streets - 1) + 1
        cells = self.part(cards, hands) * most + score
        counts = np.bincount(cells, index.copies(hands), self.parts(cards) * most).astype(np.int64).reshape(-1, most)
        return {CUTS: cut_points(counts, np.arange(most, dtype=np.uint64), self.buckets)}

    def assign(self, fit: Fit, street: int, hands: Cards) -> Rows:
        cards = fit.cards
        if street < cards.streets - 1:
            return cards.remembered(street).index(hands)
        return digits_of(fit.arrays[CUTS], self.part(cards, hands), values_of(cards, street, hands))

    def problem(self, cards: CardRules, arrays: Arrays) -> str:
        if problem := wrong_shapes(arrays, {CUTS: (self.parts(cards), self.buckets - 1)}, np.uint64):
            return problem
        return "the cuts do not rise" if (arrays[CUTS][:, 1:] < arrays[CUTS][:, :-1]).any() else ""


@dataclasses.dataclass(frozen=True)
class RecalledStrength(FinalStrength):
    """Every hand by itself until the last street; there each is split into so many percentiles of hand strength."""

    name: ClassVar[str] = "hs_recall"
    perfect_recall: ClassVar[bool] = True

    buckets: int = 10

    def parts(self, cards: CardRules) -> int:
        return cards.remembered(cards.streets - 2).size

    def part(self, cards: CardRules, hands: Cards) -> Rows:
        before = cards.streets - 2
        return cards.remembered(before).index(hands[:, : 2 + cards.board(before)])

    def label(self, cards: CardRules, street: int, row: int) -> str:
        return str(row) if street < cards.streets - 1 else "{}.{}".format(*divmod(row, self.buckets))
