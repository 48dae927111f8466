"""`exact`: no abstraction. Every hand has a row of its own, up to an exchange of suits."""

import dataclasses
from typing import Any, ClassVar

from mccfr.buckets.bucketing import Bucketing, CardRules, Cards, Fit, Rows, Watch, by_street, no_watch
from mccfr.kernel.bucket_rows import IndexedRows


@dataclasses.dataclass(frozen=True)
class Exact(Bucketing):
    """Every hand by itself: 169 rows before the flop, and on later streets whatever was dealt, in its order.

    Hands that differ by an exchange of suits share a row, which loses nothing. For small decks: with 52 cards the river
    alone has 2,428,287,420 rows.
    """

    name: ClassVar[str] = "exact"
    perfect_recall: ClassVar[bool] = True
    remembers_order: ClassVar[bool] = True

    def rows(self, cards: CardRules) -> tuple[int, ...]:
        return tuple(cards.remembered(street).size for street in range(cards.streets))

    def assign(self, fit: Fit, street: int, hands: Cards) -> Rows:
        return fit.cards.remembered(street).index(hands)

    def tables(self, fit: Fit, workers: int = 1, watch: Watch = no_watch) -> Any:
        return IndexedRows(by_street(fit.cards.remembered(street).tables for street in range(fit.cards.streets)))
