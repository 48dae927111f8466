"""`ehs2`: nested percentiles of E[HS^2] with perfect recall, the bucketing of limit hold'em since the first CFR.

Hands before the flop are split into n buckets of equal probability by their value (`mccfr.buckets.hand_squares`), and
on every later street the hands of each bucket sequence so far are split again by their new value. [Zinkevich et al.
2007] A row is the whole sequence, so with ten buckets the river has 10,000 rows.

What differs here: all cut points come from all deals, counted exactly, and not from a sample. One board of each kind in
the order it is dealt stands for its copies, so the turn has 63,193 boards and the river 63,193 x 48 (52 cards).
"""

import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from mccfr.buckets.bucketing import Arrays, Bucketing, CardRules, Cards, Fit, Rows, Watch, no_watch
from mccfr.buckets.counting import count_first, count_street
from mccfr.buckets.cuts import cut_points, digits_of, wrong_shapes
from mccfr.buckets.hand_squares import STREET_NAMES, check_rules, value_type, values_of
from mccfr.buckets.kept_values import value_table, values_kept
from mccfr.errors import BucketError, quoted
from mccfr.kernel.bucket_rows import STREETS, NestedRows

MOST = 10_000  # buckets of a sequence
MOST_ROWS = 2**24  # on the last street
MOST_BEFORE = 2**15  # on the street before: each has a histogram
FIRST = "value0"


@dataclasses.dataclass(frozen=True)
class Percentiles(Bucketing):
    """Percentiles of E[HS^2] within the percentiles of earlier streets: `ehs2(10)`, or a count per street, '10 5 5 3'.

    The last count holds for all later streets. Hands of equal value stay together, so where values are few, as on small
    decks, buckets are not equally likely, and if a sequence has fewer values than buckets its highest rows are empty.
    """

    name: ClassVar[str] = "ehs2"
    perfect_recall: ClassVar[bool] = True
    remembers_order: ClassVar[bool] = True

    buckets: str | int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "buckets", canonical_counts(self.name, self.buckets))

    def counts(self, cards: CardRules) -> tuple[int, ...]:
        """Into how many buckets each street splits every sequence."""
        given = [int(word) for word in str(self.buckets).split()]
        if len(given) > cards.streets:
            raise BucketError(f"{self}: {len(given)} counts for {cards.streets} streets ({cards})")
        return tuple(given[min(street, len(given) - 1)] for street in range(cards.streets))

    def rows(self, cards: CardRules) -> tuple[int, ...]:
        check_rules(cards)
        counts = self.counts(cards)
        found = tuple(math.prod(counts[: street + 1]) for street in range(cards.streets))
        for street, most in ((-1, MOST_ROWS), (-2, MOST_BEFORE)):
            if found[street] > most:
                name = STREET_NAMES[cards.streets + street]
                raise BucketError(f"{self} has {found[street]:,} rows on the {name}, at most {most:,} are possible")
        return found

    def fit(self, cards: CardRules, workers: int = 1, watch: Watch = no_watch) -> Arrays:
        rows, counts = self.rows(cards), self.counts(cards)
        values = [value_table(cards, street, workers, watch) for street in range(cards.streets - 1)]
        first = count_first(cards, values[0])
        arrays: Arrays = {FIRST: values[0], "cut0": cut_points(first.counts, first.values, counts[0])}
        for street in range(1, cards.streets):
            look = self.nested(cards, arrays, values)
            found = count_street(cards, look, street, rows[street - 1], workers, watch)
            arrays[f"cut{street}"] = cut_points(found.counts, found.values, counts[street])
        return arrays

    def assign(self, fit: Fit, street: int, hands: Cards) -> Rows:
        cards, arrays = fit.cards, fit.arrays
        row = digits_of(
            arrays["cut0"], np.zeros(len(hands), np.int64), arrays[FIRST][cards.seen(0).index(hands[:, :2])]
        )
        for later in range(1, street + 1):
            values = values_of(cards, later, hands[:, : 2 + cards.board(later)])
            row = digits_of(arrays[f"cut{later}"], row, values)
        return row

    def tables(self, fit: Fit, workers: int = 1, watch: Watch = no_watch) -> Any:
        values = [value_table(fit.cards, street, workers, watch) for street in range(fit.cards.streets)]
        return self.nested(fit.cards, fit.arrays, values)

    def quick_tables(self, cards: CardRules) -> bool:
        """Whether the values that rows are found from are kept."""
        return values_kept(cards)

    def nested(self, cards: CardRules, arrays: Arrays, values: list[Any]) -> NestedRows:
        """What walks look rows up in; streets that are not known yet have nothing."""
        streets = [min(street, cards.streets - 1) for street in range(STREETS)]
        index = tuple(cards.seen(street).tables for street in streets)
        value = tuple(
            values[street] if street < len(values) else np.empty(0, value_type(cards, street)) for street in streets
        )
        nothing = np.empty(0, np.uint64)
        cut = tuple(arrays.get(f"cut{street}", nothing).reshape(-1) for street in streets)
        counts = self.counts(cards)
        return NestedRows(index, value, cut, np.array([counts[street] - 1 for street in streets], np.uint64))

    def problem(self, cards: CardRules, arrays: Arrays) -> str:
        rows, counts = (1, *self.rows(cards)), self.counts(cards)
        shapes: dict[str, tuple[int, ...]] = {f"cut{s}": (rows[s], counts[s] - 1) for s in range(cards.streets)}
        shapes[FIRST] = (cards.seen(0).size,)
        if problem := wrong_shapes(arrays, shapes, np.uint64):
            return problem
        for street in range(cards.streets):
            cut = arrays[f"cut{street}"]
            if (cut[:, 1:] < cut[:, :-1]).any():
                return f"the cuts of the {STREET_NAMES[street]} do not rise"
        return ""

    def label(self, cards: CardRules, street: int, row: int) -> str:
        digits = []
        for count in reversed(self.counts(cards)[: street + 1]):
            row, digit = divmod(row, count)
            digits.append(str(digit))
        return ".".join(reversed(digits))


def canonical_counts(name: str, given: Any) -> str | int:
    """One count, or those of streets as text, without repetitions at its end."""
    words = given.split() if isinstance(given, str) else [given]
    numbers = [int(word) if isinstance(word, str) and word.isascii() and word.isdecimal() else word for word in words]
    plain = all(type(number) is int and 1 <= number <= MOST for number in numbers)
    if not plain or not 1 <= len(numbers) <= STREETS:
        raise BucketError(
            f"{name}: buckets must be a whole number from 1 to {MOST:,}, or one for each street as in '10 5 5 3', "
            f"got {quoted(given)}"
        )
    while len(numbers) > 1 and numbers[-1] == numbers[-2]:
        numbers.pop()
    return numbers[0] if len(numbers) == 1 else " ".join(map(str, numbers))
