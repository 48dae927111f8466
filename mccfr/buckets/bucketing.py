"""What a bucketing is: a way to see cards coarsely, so that a whole game of hold'em fits into tables.

On every street a bucketing maps a player's two cards and the board, as they were dealt, to a row: hands in one row are
played alike. It is used in three steps:

    Bucketing          a value such as `ehs2(10)`, whose string rebuilds it
    Fit                that value fitted to a deck: a few small arrays (cut points, centres) which decide everything
    fit.look_up()      tables for walks, one row number per hand: large, made from the fit, kept in the cache folder

Reading and playing need the fit alone: `fit.rows_of` works a row out from the cards. A bucketing of your own is a class
with `rows` and `assign`; see docs/buckets.md.
"""

import abc
import dataclasses
import functools
import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.grammar import Named

if TYPE_CHECKING:
    from mccfr.cards.isomorphism import HandIndex  # with it comes Numba, which naming a game does not need

Cards = npt.NDArray[np.uint8]  # [n, 2 + cards of the board]: hole cards, then the board in the order it was dealt
Rows = npt.NDArray[np.int64]
Arrays = dict[str, npt.NDArray[Any]]
Watch = Callable[[str, float], None]  # told what is being done, and which share of it is done

HOLE_CARDS = 2


class CardRules(NamedTuple):
    """A deck, and how many cards come to the board before each later street."""

    ranks: int = 13
    suits: int = 4
    deals: tuple[int, ...] = (3, 1, 1)

    @property
    def streets(self) -> int:
        """Streets, the first included."""
        return 1 + len(self.deals)

    def board(self, street: int) -> int:
        """How many cards the board has on a street."""
        return sum(self.deals[:street])

    def seen(self, street: int) -> "HandIndex":
        """Numbers what a player sees on a street, up to an exchange of suits; the board as a set, without its order."""
        return hand_index((HOLE_CARDS, self.board(street)) if street else (HOLE_CARDS,), self.ranks, self.suits)

    def remembered(self, street: int) -> "HandIndex":
        """The same with the order of streets: what a player knows who forgets nothing."""
        return hand_index((HOLE_CARDS, *self.deals[:street]), self.ranks, self.suits)

    def __str__(self) -> str:
        return f"{self.ranks} x {self.suits} cards, board {' + '.join(map(str, self.deals))}"


@functools.cache
def hand_index(rounds: tuple[int, ...], ranks: int, suits: int) -> "HandIndex":
    """An index, made once."""
    from mccfr.cards.isomorphism import HandIndex

    return HandIndex(rounds, ranks, suits)


def by_street(values: Iterable[Any]) -> tuple[Any, Any, Any, Any]:
    """Values of streets as kernels take them: four, the last one repeated where there are fewer streets."""
    from mccfr.kernel.bucket_rows import STREETS

    found = tuple(values)
    return (*found, *[found[-1]] * (STREETS - len(found)))


def no_watch(what: str, share: float) -> None:
    """Nobody is told."""


@dataclasses.dataclass(frozen=True)
class Bucketing(Named, abc.ABC):
    """A way to see cards coarsely. Immutable; parameters are dataclass fields; `str` gives the string that rebuilds it.

    A new one defines `rows` and `assign`, and `fit` if something has to be worked out first. `perfect_recall` says
    whether a row tells the rows of all earlier streets; then it must: rows of a street are ordered by the rows before.
    """

    name: ClassVar[str]
    perfect_recall: ClassVar[bool] = False
    remembers_order: ClassVar[bool] = False  # whether a row depends on which card of the board came when
    shares_lines: ClassVar[bool] = False  # whether lines that differ on earlier streets only share their rows

    @abc.abstractmethod
    def rows(self, cards: CardRules) -> tuple[int, ...]:
        """How many rows each street has."""

    def fit(self, cards: CardRules, workers: int = 1, watch: Watch = no_watch) -> Arrays:
        """Small arrays that decide which cards have which row. The same on every machine, for any number of workers."""
        return {}

    @abc.abstractmethod
    def assign(self, fit: "Fit", street: int, hands: Cards) -> Rows:
        """The rows of hands on a street, worked out from the cards and the fit alone."""

    def tables(self, fit: "Fit", workers: int = 1, watch: Watch = no_watch) -> Any:
        """What walks look rows up in, a NamedTuple of `mccfr.kernel.bucket_rows`. Usually rows by number of hand."""
        from mccfr.buckets.hand_tables import rows_by_hand

        return rows_by_hand(fit, workers, watch)

    def quick_tables(self, cards: CardRules) -> bool:
        """Whether `tables` takes seconds, since what it makes them from lies in the cache folder."""
        return False

    def problem(self, cards: CardRules, arrays: Arrays) -> str:
        """What is wrong with arrays that claim to be its fit, or nothing: they may be those of a received file."""
        return ""

    def label(self, cards: CardRules, street: int, row: int) -> str:
        """What people call a row of a street: a word without `:` and `/`."""
        return str(row)


@dataclasses.dataclass(frozen=True, eq=False)
class Fit:
    """A bucketing fitted to a deck. `checksum` identifies it: every strategy and run with these rows records it."""

    bucketing: Bucketing
    cards: CardRules
    arrays: Arrays

    @functools.cached_property
    def checksum(self) -> str:
        """A hash of the string of the bucketing, the deck and all arrays."""
        content = hashlib.sha256(f"{self.bucketing}\n{self.cards}\n".encode())
        for name, array in sorted(self.arrays.items()):
            content.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            content.update(np.ascontiguousarray(array).tobytes())
        return content.hexdigest()

    @functools.cached_property
    def rows(self) -> tuple[int, ...]:
        """How many rows each street has."""
        return self.bucketing.rows(self.cards)

    def rows_of(self, street: int, hands: npt.ArrayLike) -> Rows:
        """[n] the rows of hands [n, 2 + cards of the board] on a street."""
        given = np.ascontiguousarray(np.atleast_2d(np.asarray(hands, np.uint8)))
        return self.bucketing.assign(self, street, given)

    def label(self, street: int, row: int) -> str:
        """What people call a row."""
        return self.bucketing.label(self.cards, street, row)
