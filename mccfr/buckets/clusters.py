"""`emd(k)`: hands in clusters, by the strengths they may come to and, on the last street, by whom they beat.

Before the last street hands are alike if the histograms of their hand strength at the showdown are: clusters are of
the earth mover's distance between them. On the last street hands are alike if their equities against eight groups of
hole hands are (opponent cluster hand strength, OCHS). [Johanson et al. 2013: Evaluating State-Space Abstractions in
Extensive-Form Games] What differs from [Ganzfried and Sandholm 2014] is that histograms are of strengths at the
showdown, not of clusters of the next street.

Clusters are found on a sample of deals, then every hand has the row of the centre that is nearest to it. All of that is
done in whole numbers, so rows are the same on every machine.
"""

import dataclasses
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import Arrays, Bucketing, CardRules, Cards, Fit, Rows, Watch, no_watch
from mccfr.buckets.hand_features import Describer, Points, Told, hole_numbers, share_out
from mccfr.buckets.kmeans import Metric, cluster, kernel_centres, nearest_centres
from mccfr.cards.boards import board_kinds
from mccfr.cards.deck import RANKS
from mccfr.cards.strengths import SIZES
from mccfr.errors import GameError, quoted
from mccfr.kernel.bucket_rows import STREETS, HandRows
from mccfr.kernel.clustering import UNKNOWN, EarthMovers, SquaredLength, deal_hands, place_rows
from mccfr.kernel.dice import seeded
from mccfr.kernel.hand_features import GROUPS, WIDTH

MOST_ROWS = 65_536
SEED = 16
POINTS_PER_ROW = 50
WORDS = ("before the flop", "flop", "turn", "river")


@dataclasses.dataclass(frozen=True)
class EarthMover(Bucketing):
    """Clusters of hands, with imperfect recall: what a hand was on earlier streets is forgotten.

    `k` is the number of rows of every street after the first, where each class of hole hands has a row of its own; or a
    number for each street, the first included, as text: '169 1000 1000 500', where the last holds for all later ones. A
    street with no more hands than that, up to an exchange of suits, has a row for each of them. Rows of clusters are in
    order of their mean strength. Clusters are found on `sample` random deals, or 50 for each row if that is more.
    """

    name: ClassVar[str] = "emd"
    k: int | str = 200
    sample: int = 200_000

    def __post_init__(self) -> None:
        words = str(self.k).split() if isinstance(self.k, int | str) and not isinstance(self.k, bool) else []
        right = all(word.isdecimal() and word.isascii() and len(word) < 9 for word in words)
        if not 1 <= len(words) <= STREETS or not right or not all(1 <= int(word) <= MOST_ROWS for word in words):
            expected = f"a whole number from 1 to {MOST_ROWS:,}, or one for each street as in '169 1000 1000 500'"
            raise GameError(f"emd: k must be {expected}, got {quoted(self.k)}")
        if isinstance(self.sample, bool) or not isinstance(self.sample, int) or not 1 <= self.sample <= 10**8:
            raise GameError(f"emd: sample must be a whole number from 1 to 100,000,000, got {quoted(self.sample)}")
        object.__setattr__(self, "k", int(words[0]) if len(words) == 1 else " ".join(str(int(word)) for word in words))

    def rows(self, cards: CardRules) -> tuple[int, ...]:
        _check_deck(cards)
        asked = [MOST_ROWS, self.k] if isinstance(self.k, int) else [int(word) for word in self.k.split()]
        return tuple(
            min(asked[min(street, len(asked) - 1)], cards.seen(street).size) for street in range(cards.streets)
        )

    def fit(self, cards: CardRules, workers: int = 1, watch: Watch = no_watch) -> Arrays:
        """`centres1` and so on: [rows, numbers] of each street with clusters; `groups`: [hole hands] for the last.

        `rows0`: [classes of hole hands] their rows, if there are fewer rows than classes.
        """
        rows = enumerate(self.rows(cards))
        clustered = {street: count for street, count in rows if count < cards.seen(street).size}
        arrays: Arrays = {}
        if 0 in clustered:
            arrays["rows0"] = rows_of_classes(cards, clustered.pop(0))
        if cards.streets - 1 in clustered:
            arrays["groups"] = group_hole_hands(cards, int(GROUPS))
        describer = Describer(cards, arrays.get("groups"))
        for street, count in clustered.items():
            told = _of_street(watch, "clusters", street)
            points = self._sample(describer, street, workers, lambda share: told(share / 2))  # noqa: B023
            metric, dice = metric_of(cards, street), seeded(SEED, street, 1)
            found = cluster(metric, points, count, dice, workers, lambda share: told((1 + share) / 2))  # noqa: B023
            arrays[f"centres{street}"] = found.centres
        return arrays

    def assign(self, fit: Fit, street: int, hands: Cards) -> Rows:
        numbers = fit.cards.seen(street).index(hands)  # refuses what are no cards
        if street == 0 and "rows0" in fit.arrays:
            return fit.arrays["rows0"][numbers].astype(np.int64)
        if (centres := fit.arrays.get(f"centres{street}")) is None:
            return numbers
        points = Describer(fit.cards, fit.arrays.get("groups")).given(street, hands)
        return nearest_centres(metric_of(fit.cards, street), centres, points)[0]

    def tables(self, fit: Fit, workers: int = 1, watch: Watch = no_watch) -> HandRows:
        """Rows of every hand: with 52 cards 277 MB."""
        describer = Describer(fit.cards, fit.arrays.get("groups"))
        streets = range(fit.cards.streets)
        rows = [_rows_of_street(fit, describer, s, workers, _of_street(watch, "rows", s)) for s in streets]
        index = [fit.cards.seen(street).tables for street in streets]
        return HandRows(_four(index), _four(rows))

    def label(self, cards: CardRules, street: int, row: int) -> str:
        if street == 0 and self.rows(cards)[0] == cards.seen(0).size:
            return _class_name(cards, row)
        return str(row)

    def _sample(self, describer: Describer, street: int, workers: int, told: Told) -> Points:
        """Points of random deals."""
        cards = describer.cards
        count = max(self.sample, POINTS_PER_ROW * self.rows(cards)[street])
        deals = np.empty((count, 2 + cards.board(street)), np.uint8)
        deal_hands(np.uint64(cards.ranks * cards.suits), seeded(SEED, street, 0), deals)
        return describer.given(street, deals, workers, told)


def group_hole_hands(cards: CardRules, count: int) -> npt.NDArray[np.uint8]:
    """[hole hands] in clusters by the earth mover's distance, where every hole hand counts the same.

    For the last street there are eight groups, as in [Johanson et al. 2013].
    """
    points = Describer(cards).hole_hands()
    return cluster(EarthMovers(WIDTH), points, min(count, cards.seen(0).size), seeded(SEED, 0)).labels.astype(np.uint8)


def rows_of_classes(cards: CardRules, count: int) -> npt.NDArray[np.uint8]:
    """[classes of hole hands] their clusters: fewer than there are classes."""
    classes = cards.seen(0)
    return group_hole_hands(cards, count)[hole_numbers(classes.unindex(np.arange(classes.size)))]


def metric_of(cards: CardRules, street: int) -> Metric:
    """How far hands of a street are apart."""
    return SquaredLength(GROUPS) if street == cards.streets - 1 else EarthMovers(WIDTH)


def _rows_of_street(fit: Fit, describer: Describer, street: int, workers: int, told: Told) -> npt.NDArray[np.uint16]:
    """[hands] the row of every hand of a street, board by board."""
    index, centres = fit.cards.seen(street), fit.arrays.get(f"centres{street}")
    if centres is None:
        return fit.rows_of(street, index.unindex(np.arange(index.size))).astype(np.uint16)
    rows = np.full(index.size, UNKNOWN, np.uint16)
    metric, given = metric_of(fit.cards, street), kernel_centres(centres)
    boards = board_kinds((fit.cards.board(street),), fit.cards.ranks, fit.cards.suits).cards

    def place(board: npt.NDArray[np.uint8]) -> None:
        points = describer.board(street, board).reshape(-1)
        work = np.empty(index.cards, np.uint8), *index.room()
        place_rows(metric, given, describer.hands, points, board, index.tables, work, rows)

    share_out(place, list(boards), workers, told)
    return rows


def _check_deck(cards: CardRules) -> None:
    """Clusters are made of showdowns."""
    board = cards.board(cards.streets - 1)
    if board + 2 not in SIZES or cards.ranks * cards.suits < board + 4 or cards.streets > STREETS:
        raise GameError(
            f"emd: expected up to four streets, a last board of three to five cards and a deck with four cards more, "
            f"not {cards}"
        )


def _class_name(cards: CardRules, row: int) -> str:
    """AKs, AKo or AA."""
    one, other = sorted(cards.seen(0).unindex([row])[0].tolist())
    high, low = RANKS[other // cards.suits], RANKS[one // cards.suits]
    return high + low + ("" if high == low else "s" if one % cards.suits == other % cards.suits else "o")


def _of_street(watch: Watch, what: str, street: int) -> Told:
    return lambda share: watch(f"{what}, {WORDS[street]}", share)


def _four(values: list[Any]) -> tuple[Any, ...]:
    """A value for each of four streets: games with fewer repeat the last."""
    return tuple(values[min(street, len(values) - 1)] for street in range(STREETS))
