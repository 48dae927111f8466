"""Three ways to bet, each a value whose string rebuilds it: `limit`, `nolimit`, and `spot_betting` from a given pot.

Two players with equal stacks. With unequal ones give the smaller: chips beyond it can be neither won nor lost. Player 0
is out of position, which in a whole hand is the big blind. Player 1 deals, has the small blind, moves first before the
flop and last after it. `dealer=0` exchanges them.

`raise_` may be left out of `nolimit`: raises then have the sizes of bets, of which 50% is half of the pot as it is
after calling.

`cap` is the most bets and raises a street, blinds not counted (ACPC's maxRaises): one number, or one for each street as
in '3 4 4 4', in a spot from its own street on. The last number holds for all later streets.
"""

import dataclasses
import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from mccfr.betting.lines import BETS, NOBODY, OVER, Betting, Move, State
from mccfr.betting.menus import KINDS, POSITIONS, STREETS, Menu, Table, canonical_sizes, canonical_table, make_menu
from mccfr.betting.sizes import BIG_BLINDS, MOST, Facing, Size, Thresholds, amounts
from mccfr.errors import BettingError, nearest, quoted
from mccfr.grammar import Named

HAND, RIVER = len(STREETS), len(STREETS) - 1
THRESHOLDS = ("add_allin", "force_allin", "merge")


class _WholeHand(Betting):
    """Antes and blinds, and the streets from the first on."""

    blinds: str
    ante: int

    @functools.cached_property
    def posted(self) -> list[int]:
        """The small and the big blind."""
        return _numbers(self.blinds)

    @property
    def smallest(self) -> int:
        return self.posted[1]

    def root(self) -> State:
        small, big = (self.ante + blind for blind in self.posted)
        stakes = (big, small) if self.dealer == 1 else (small, big)
        return State(0, self.dealer, stakes, self.ante, self.smallest, 0, False, NOBODY, "")

    def _check_hand(self, name: str) -> None:
        _require_whole(name, "streets", self.streets, 1, HAND)
        _require_whole(name, "dealer", self.dealer, 0, 1)
        _require_whole(name, "ante", self.ante, 0, MOST)
        _set(self, "blinds", _text_of(name, "blinds", self.blinds, 1, 2))
        if len(self.posted) != 2 or self.posted[0] > self.posted[1]:
            raise BettingError(f"{name}: blinds must be the small and the big one, as in '1 2', got {self.blinds!r}")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limit(Named, _WholeHand):
    """Limit: all bets and raises of a street have one size. Stacks are never used up.

    The defaults are heads-up limit hold'em: blinds 1 and 2, bets of 2, from the turn on of 4, and at most four bets a
    street, of which the big blind is one.
    """

    name: ClassVar[str] = "limit"

    bets: str | int = "2 2 4"  # by street; the last holds for all later ones
    blinds: str = "1 2"
    ante: int = 0
    cap: str | int = "3 4"  # always a number: without stacks nothing else ends the raises
    streets: int = HAND
    dealer: int = 1

    def __post_init__(self) -> None:
        self._check_hand(self.name)
        _set(self, "bets", _by_street(self.name, "bets", self.bets, 1))
        _set(self, "cap", _by_street(self.name, "cap", self.cap, 0))

    @property
    def most(self) -> None:
        return None

    @functools.cached_property
    def by_street(self) -> list[tuple[int, int]]:
        """The size of bets and the cap of every street."""
        sizes, caps = _numbers(self.bets), _numbers(self.cap)
        return [(_of(sizes, street), _of(caps, street)) for street in range(self.streets)]

    def amounts(self, s: State) -> list[int]:
        size, cap = self.by_street[s.street]
        return [s.stakes[1 - s.mover] - s.opened + size] if s.bets < cap else []

    def bounds(self, s: State) -> tuple[int, int] | None:
        offered = [] if s.mover == OVER else self.amounts(s)
        return (offered[0], offered[0]) if offered else None


class _Sized(Betting):
    """Bets and raises from a menu of sizes."""

    stack: int
    cap: str | int | None

    @property
    def most(self) -> int:
        return self.stack

    @functools.cached_property
    def menu(self) -> Menu:
        """The sizes of every street and position."""
        tables = {name: getattr(self, name, None) for name in (*STREETS, *POSITIONS)}
        return make_menu({kind: getattr(self, kind) for kind in KINDS}, tables)

    @functools.cached_property
    def thresholds(self) -> Thresholds:
        """The shares of the pot by which sizes become all-in, or one another. Exact: 0.15 is 3/20."""
        return Thresholds(*(Fraction(repr(getattr(self, name))) for name in THRESHOLDS))

    @functools.cached_property
    def caps(self) -> list[int] | None:
        """The most bets and raises of each street, from the first that is played."""
        return None if self.cap is None else _numbers(self.cap)

    @functools.cached_property
    def played_first(self) -> int:
        """The street at which betting begins."""
        return self.root().street

    def amounts(self, s: State) -> list[int]:
        capped = self.caps is not None and s.bets >= _of(self.caps, s.street - self.played_first)
        if capped or s.stakes[1 - s.mover] >= self.stack:
            return []
        facing = self.facing(s)
        return amounts(self.sizes(s, facing), facing, facing.level + s.step, self.thresholds)

    def facing(self, s: State) -> Facing:
        """What a bet or raise of the mover is measured by."""
        theirs = s.stakes[1 - s.mover]
        level = theirs - s.opened
        bets = s.bets + int(level > 0 and s.street == 0)  # the big blind is a bet
        return Facing(self.dead + 2 * theirs, level, self.stack - theirs, bets, self.streets - s.street, self.smallest)

    def sizes(self, s: State, facing: Facing) -> Sequence[Size]:
        """The sizes that the mover may use."""
        offer = self.menu.at(s.street, int(s.mover == self.dealer))
        return offer.raise_ if facing.level else offer.donk_ if s.donk else offer.bet

    def merged(self, s: State) -> State:
        """Without what the menu does not ask for: donk bets, and how many bets there were."""
        donk, bets = s.donk and self._asks_for_donk, s.bets if self._counts_bets else min(s.bets, 1)
        return State(s.street, s.mover, s.stakes, s.opened, s.step, bets, donk, s.folded, "", s.sized)  # fast

    @functools.cached_property
    def _asks_for_donk(self) -> bool:
        return any(offer.donk_ != offer.bet for offers in self.menu.offers for offer in offers)

    @functools.cached_property
    def _counts_bets(self) -> bool:
        sizes = (size for offers in self.menu.offers for offer in offers for kind in offer for size in kind)
        return self.caps is not None or any(size.unit == "e" for size in sizes)

    def _check_sizes(self, name: str) -> None:
        for kind in KINDS:
            if kind == "bet" or getattr(self, kind) is not None:
                _set(self, kind, canonical_sizes(kind, getattr(self, kind)))
        for table in (*STREETS, *POSITIONS):
            if hasattr(self, table):
                _set(self, table, canonical_table(table, getattr(self, table)))
        for threshold in THRESHOLDS:
            value = getattr(self, threshold)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST:
                raise BettingError(f"{name}: {threshold} must be a share of the pot, 0 or more, got {quoted(value)}")
            _set(self, threshold, float(value) if isinstance(value, float) else value)
        if self.cap is not None:
            _set(self, "cap", _by_street(name, "cap", self.cap, 0))


@dataclasses.dataclass(frozen=True, kw_only=True)
class NoLimit(Named, _WholeHand, _Sized):
    """No-limit from the blinds on, with a menu of sizes.

    A bet is at least the big blind; a raise is by at least as much as the last bet or raise; all-in for less is legal.
    Before the flop every bet is a raise, since there is a big blind. See `sizes.amounts` for `add_allin`, `force_allin`
    and `merge`, and `menus` for the tables that override sizes by street and position.

    `increasing` is a rule of [Lin 2024]: a raise must use a later size of the list than the bet or raise of this street
    that it answers, or go all-in where any size of the list would exceed the stack. A bet between two sizes counts as
    the smaller one.
    """

    name: ClassVar[str] = "nolimit"

    stack: int  # of each player before antes and blinds
    blinds: str = "1 2"
    ante: int = 0
    bet: str
    raise_: str | None = None  # as bet
    donk_: str | None = None
    add_allin: float = 0
    force_allin: float = 0
    merge: float = 0
    increasing: bool = False
    cap: str | int | None = None
    preflop: Table | None = dataclasses.field(default=None, hash=False)
    flop: Table | None = dataclasses.field(default=None, hash=False)
    turn: Table | None = dataclasses.field(default=None, hash=False)
    river: Table | None = dataclasses.field(default=None, hash=False)
    oop: Table | None = dataclasses.field(default=None, hash=False)
    ip: Table | None = dataclasses.field(default=None, hash=False)
    streets: int = HAND
    dealer: int = 1

    def __post_init__(self) -> None:
        self._check_hand(self.name)
        _require_whole(self.name, "stack", self.stack, 1, MOST)
        if self.stack < self.ante + self.smallest:
            needed = f"{self.ante + self.smallest} for ante and big blind"
            raise BettingError(f"{self.name}: stack must be at least {needed}, got {self.stack}")
        self._check_sizes(self.name)
        if not isinstance(self.increasing, bool):
            raise BettingError(f"{self.name}: increasing must be True or False, got {quoted(self.increasing)}")
        if self.increasing:
            for street in range(self.streets):
                self._check_order(street)

    def _check_order(self, street: int) -> None:
        """Refuse sizes of which nobody can say which is later."""
        kinds = [(o.raise_,) if street == 0 else o for o in self.menu.offers[street]]
        units = {size.unit for offer in kinds for sizes in offer for size in sizes} - {"a"}
        if len(units) > 1 or "e" in units:
            what = "sizes of one unit a street, one of % x c bb, and a"
            raise BettingError(f"{self.name}: increasing needs {what}, but those of the {STREETS[street]} differ")

    def sizes(self, s: State, facing: Facing) -> Sequence[Size]:
        listed = super().sizes(s, facing)
        if s.sized is None:
            return listed
        least = s.sized.place
        return [size for size in listed if size.place > least or size.amount(facing) >= facing.most]

    def play(self, s: State, move: Move) -> State:
        after = super().play(s, move)
        return after._replace(sized=self._size_of(s, move.amount)) if self.increasing and move.kind >= BETS else after

    def _size_of(self, s: State, amount: int) -> Size | None:
        """The largest size that a bet or raise reaches, of equal ones the last; if it reaches none, the one before."""
        facing = self.facing(s)
        least = min(facing.level + s.step, facing.most)
        found = [(max(size.amount(facing), least), size) for size in self.sizes(s, facing) if size.applies(facing)]
        reached = [(chips, size.place, size) for chips, size in found if chips <= amount]
        return max(reached)[2] if reached else s.sized


@dataclasses.dataclass(frozen=True, kw_only=True)
class SpotBetting(Named, _Sized):
    """No-limit from a street on, with a pot that is there already: player 0 moves first on every street.

    Stakes count from here, so the pot is nobody's stake; whoever wins it gains half of it. The blinds of a spot are not
    known: a bet is at least `min_bet`.
    """

    name: ClassVar[str] = "spot_betting"
    dealer: int = dataclasses.field(default=1, init=False, repr=False)
    streets: int = dataclasses.field(default=HAND, init=False, repr=False)

    street: str  # flop, turn or river
    pot: int
    stack: int  # of each player, the pot not counted
    min_bet: int = 1
    bet: str
    raise_: str
    donk_: str | None = None
    add_allin: float = 0
    force_allin: float = 0
    merge: float = 0
    cap: str | int | None = None
    flop: Table | None = dataclasses.field(default=None, hash=False)
    turn: Table | None = dataclasses.field(default=None, hash=False)
    river: Table | None = dataclasses.field(default=None, hash=False)
    oop: Table | None = dataclasses.field(default=None, hash=False)
    ip: Table | None = dataclasses.field(default=None, hash=False)

    def __post_init__(self) -> None:
        if self.street not in STREETS[1:]:
            raise BettingError(
                f"{self.name}: street is {quoted(self.street)}; {nearest(str(self.street), STREETS[1:])}"
            )
        _require_whole(self.name, "pot", self.pot, 1, MOST)
        _require_whole(self.name, "min_bet", self.min_bet, 1, MOST)
        _require_whole(self.name, "stack", self.stack, 1, MOST)
        if self.stack < self.min_bet:
            least = f"the smallest bet of {self.min_bet} (min_bet)"
            raise BettingError(f"{self.name}: stack {self.stack} is below {least}: nothing can be bet")
        self._check_sizes(self.name)
        sizes = [size for offers in self.menu.offers for offer in offers for kind in offer for size in kind]
        if BIG_BLINDS in {size.unit for size in sizes}:
            raise BettingError(f"{self.name}: the blinds of a spot are not known: write chips (20c) instead of bb")

    @property
    def smallest(self) -> int:
        return self.min_bet

    @property
    def dead(self) -> int:
        return self.pot

    def root(self) -> State:
        return self.opening(STREETS.index(self.street), (0, 0))


def _set(value: Any, name: str, to: Any) -> None:
    """Give a frozen value the canonical form of what it was given."""
    object.__setattr__(value, name, to)


def _require_whole(name: str, parameter: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BettingError(f"{name}: {parameter} must be a whole number from {low} to {high:,}, got {quoted(value)}")


def _text_of(name: str, parameter: str, value: Any, low: int, most: int) -> str:
    """Up to so many whole numbers, as text with single spaces."""
    words = str(value).split() if isinstance(value, str | int) and not isinstance(value, bool) else []
    right = 1 <= len(words) <= most and all(word.isdecimal() and word.isascii() and len(word) < 10 for word in words)
    if not right or min(map(int, words)) < low:
        count = f"{most} whole numbers" if most == 2 else f"one to {most} whole numbers"
        raise BettingError(f"{name}: {parameter} must be {count} of {low} or more, as in '1 2', got {quoted(value)}")
    return " ".join(str(int(word)) for word in words)


def _by_street(name: str, parameter: str, value: Any, low: int) -> str | int:
    """A number for each street as one number, or as text without repetitions at its end."""
    numbers = _numbers(_text_of(name, parameter, value, low, HAND))
    while len(numbers) > 1 and numbers[-1] == numbers[-2]:
        numbers.pop()
    return numbers[0] if len(numbers) == 1 else " ".join(map(str, numbers))


def _numbers(text: str | int) -> list[int]:
    return [int(word) for word in str(text).split()]


def _of(values: list[int], number: int) -> int:
    """The value of a street: the last one holds for all later streets."""
    return values[min(number, len(values) - 1)]
