"""A bucketing of your own: the rank of the higher hole card, and how many cards of the board match the hand.

mccfr buckets examples/own_buckets.py:HighCard
mccfr buckets 'examples/own_buckets.py:HighCard(matches=1)' --show flop:A+1
"""

import dataclasses
from typing import ClassVar

import numpy as np

from mccfr.buckets.bucketing import Bucketing, CardRules, Cards, Fit, Rows


@dataclasses.dataclass(frozen=True)
class HighCard(Bucketing):
    """Hands with the same high card, and as many matches with the board up to some number, are played alike."""

    name: ClassVar[str] = "high_card"

    matches: int = 2

    def rows(self, cards: CardRules) -> tuple[int, ...]:
        return tuple(cards.ranks * (1 + (street > 0) * self.matches) for street in range(cards.streets))

    def assign(self, fit: Fit, street: int, hands: Cards) -> Rows:
        ranks = hands.astype(np.int64) // fit.cards.suits
        matching = (ranks[:, 2:, None] == ranks[:, None, :2]).any(axis=2).sum(axis=1)
        return ranks[:, :2].max(axis=1) * (1 + (street > 0) * self.matches) + matching.clip(0, self.matches)

    def label(self, cards: CardRules, street: int, row: int) -> str:
        high, matching = divmod(row, 1 + (street > 0) * self.matches)
        return f"{'23456789TJQKA'[high]}+{matching}"


if __name__ == "__main__":
    from mccfr.buckets.store import fitted

    cards = CardRules()
    fit = fitted(HighCard(), cards)
    deal = [51, 46, 50, 3, 20, 45, 7]  # As Kh on Ah 2s 7c Kd 3s: a card is 4 * rank + suit, suits in the order cdhs
    print(f"{fit.bucketing}: As Kh on Ah 2s 7c Kd 3s")
    for street, name in enumerate(("preflop", "flop", "turn", "river")):
        row = int(fit.rows_of(street, [deal[: 2 + cards.board(street)]])[0])
        print(f"{name:7} row {row:2} of {fit.rows[street]}, called {fit.label(street, row)}")
