"""Bet sizes as people write them, `33%, 75%, 2.5x, 100c, 8bb, 2e, a`, and the chips they come to.

| text | a bet of | a raise to |
|---|---|---|
| `75%` | 75 % of the pot | the bet faced + 75 % of the pot as it is after calling |
| `2.5x` | refused: there is no bet to multiply | 2.5 times the bet faced |
| `100c` | 100 chips | the bet faced + 100 chips |
| `8bb` | 8 big blinds | 8 big blinds; not offered where the bet faced is as large |
| `2e` | the same share of the pot now and on one more street, such that the last bet is all-in | likewise |
| `3e200%` | the same for three streets, at most 200 % of the pot | likewise |
| `e` | the same for as many streets as are left, this one included | likewise |
| `a` | all chips | all chips |

All amounts are what a player has put in on this street in all. `amounts` says what becomes of sizes that are too small,
too large or too close. The rules are those of the solver that made our reference trees (postflop-solver); what differs:
percentages are exact fractions here, so that half a chip is always rounded up, and not down where a float falls short.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from mccfr.errors import BettingError, quoted, terms

UNITS = "%xcbea"  # in the order of canonical text; b is written bb
BIG_BLINDS = "b"
FORMS = "75% (of the pot), 2.5x (times the bet faced), 100c (chips), 2e or 3e200% (geometric) or a (all-in)"
MOST = 10**9  # chips, percent, times
_NUMBER = r"(\d{1,10}(?:\.\d{0,9})?|\.\d{1,9})"
_SIZE = re.compile(rf"{_NUMBER}(%|x|c|bb)|(\d{{0,3}})(e)(?:{_NUMBER}%)?|(a)", re.ASCII)


class Facing(NamedTuple):
    """What a bet or raise is measured by."""

    pot: int  # as it is after calling
    level: int  # the bet faced: what the other has put in on this street
    behind: int  # what the other has left
    bets: int  # bets and raises on this street so far; the big blind is one
    streets: int  # still to be played, this one included
    blind: int = 0  # the big blind

    @property
    def most(self) -> int:
        """The amount that is all-in: nobody can be made to put in more than the other has."""
        return self.level + self.behind


class Size(NamedTuple):
    """One size: its unit, one of `%xcbea`; its number; of a geometric one the most percent. 0 streets are all left."""

    unit: str
    number: Fraction = Fraction(0)
    most: Fraction | None = None

    def __str__(self) -> str:
        if self.unit == "e":
            most = "" if self.most is None else f"{decimal(self.most)}%"
            return f"{self.number or ''}e{most}"
        if self.unit == "a":
            return "a"
        return f"{decimal(self.number)}{'bb' if self.unit == BIG_BLINDS else self.unit}"

    @property
    def place(self) -> tuple[int, Fraction, Fraction]:
        """Where the size stands in canonical text: by unit, then by number."""
        return UNITS.index(self.unit), self.number, Fraction(MOST + 1) if self.most is None else self.most

    def applies(self, facing: Facing) -> bool:
        """Whether it can be offered: big blinds are raised to, which is no raise where the bet faced is as large."""
        return self.unit != BIG_BLINDS or not facing.level or self.amount(facing) > facing.level

    def amount(self, facing: Facing) -> int:
        """The chips of this size on this street, before any rule changes them."""
        number = self.number
        match self.unit:
            case "%":
                return facing.level + half_up(facing.pot * number.numerator, 100 * number.denominator)
            case "x":
                return half_up(facing.level * number.numerator, number.denominator)
            case "c":
                return facing.level + number.numerator
            case "b":
                return half_up(facing.blind * number.numerator, number.denominator)
            case "e":
                return facing.level + self._geometric(facing)
        return facing.most

    def _geometric(self, facing: Facing) -> int:
        """pot * g, (1 + 2g)^n = 1 + 2 behind / pot: n bets of share g of the pot, each called, are all-in.

        Every raise after the first on a street lowers n by one, to no less than 1.
        """
        n = max(int(self.number or facing.streets) - max(facing.bets, 1) + 1, 1)
        share = ((1 + 2 * facing.behind / facing.pot) ** (1 / n) - 1) / 2
        if self.most is not None:
            share = min(share, float(self.most / 100))
        return half_up(*(facing.pot * share).as_integer_ratio())


class Thresholds(NamedTuple):
    """When sizes become all-in, or one another; shares of the pot, 0 for never. See `amounts`."""

    add: Fraction = Fraction(0)
    force: Fraction = Fraction(0)
    merge: Fraction = Fraction(0)


def parse_sizes(text: str, raises: bool, place: str = "sizes") -> tuple[Size, ...]:
    """Sizes between commas, in canonical order, without duplicates; an empty text has none. `place` is for errors."""
    if not isinstance(text, str):
        raise BettingError(f"{place} must be a text such as '33%,75%,a', got {quoted(text)}")
    if not text.strip():
        return ()
    found = {
        _parse_size(term, raises, f"{place}={quoted(text)}: {quoted(term, 30)} at character {at}")
        for term, at in terms(text)
    }
    return tuple(sorted(found, key=lambda size: size.place))


def sizes_text(sizes: Sequence[Size]) -> str:
    """The canonical text of sizes: `parse_sizes` makes the same of it."""
    return ",".join(map(str, sizes))


def _parse_size(term: str, raises: bool, place: str) -> Size:
    found = _SIZE.fullmatch(term.lower())
    if found is None:
        raise BettingError(f"{place} is no size: write {FORMS}")
    number, unit, streets, geometric, most, _ = found.groups()
    if geometric:
        if streets and int(streets) not in range(1, 101):
            raise BettingError(f"{place} has {int(streets)} streets, expected 1 to 100")
        return Size("e", Fraction(streets or 0), Fraction(most) if most else None)
    if not number:
        return Size("a")
    value = Fraction(number)
    if value > MOST:
        raise BettingError(f"{place} is too large: at most {MOST:,}")
    if unit == "c" and value.denominator > 1:
        raise BettingError(f"{place} is not a whole number of chips: write {round(value)}c")
    if unit == "x" and not raises:
        raise BettingError(f"{place} needs a bet to multiply: only raises can be written with x")
    if unit == "x" and value <= 1:
        raise BettingError(f"{place} is no raise: write more than 1x")
    return Size(unit[0], value)


def amounts(sizes: Sequence[Size], facing: Facing, least: int, thresholds: Thresholds) -> list[int]:
    """What can be bet or raised to on this street, rising; the last is all-in if it is `facing.most`.

    1. Every size is computed; half chips round up. What is below `least`, the legal minimum, becomes that; what exceeds
       the chips becomes all-in. Big blinds that do not exceed the bet faced are left out: they are no raise.
    2. A size becomes all-in if what is then left is not more than `force` x the pot after a call of it.
    3. All-in is added if it is not more than `add` x the pot (above the bet faced, the pot as it is after calling).
    4. Equal amounts become one. From the largest amount down, the next that stays is the first with
       (pot + larger) / (pot + smaller) > 1 + `merge`, both amounts counted above the bet faced.
    """
    pot, level, most = facing.pot, facing.level, facing.most
    found = set()
    for size in filter(lambda size: size.applies(facing), sizes):
        amount = max(size.amount(facing), least)
        after = pot + 2 * (amount - level)
        left = half_up(after * thresholds.force.numerator, thresholds.force.denominator)
        found.add(most if most <= amount + left else amount)  # an amount beyond the chips is all-in too
    if most <= level + half_up(pot * thresholds.add.numerator, thresholds.add.denominator):
        found.add(most)
    rising = sorted(found)
    return _merged(rising, pot - level, thresholds.merge) if thresholds.merge else rising


def _merged(rising: Sequence[int], base: int, merge: Fraction) -> list[int]:
    """Those of rising amounts that stay; base + amount is the pot with the bet in it."""
    kept: list[int] = []
    for amount in reversed(rising):
        if not kept or base + kept[-1] > (1 + merge) * (base + amount):
            kept.append(amount)
    return kept[::-1]


def half_up(numerator: int, denominator: int) -> int:
    """The whole number nearest to a quotient that is not negative; half is rounded up."""
    return (2 * numerator + denominator) // (2 * denominator)


def decimal(number: Fraction) -> str:
    """A number that was read from decimals, as the shortest decimals."""
    whole, rest = divmod(number, 1)
    digits = ""
    while rest:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
    return f"{whole}.{digits}" if digits else str(whole)
