"""Counts, times and targets as people write them: `10k`, `4e6`, `1,000`; `90s`, `1h30m`; `0.01`, `0.5%`."""

import math
import operator
import re
from decimal import Decimal
from typing import Any

from mccfr.errors import MccfrError, MethodError, quoted

COUNT_FORMS = "1000, 1_000, 1,000, 10k, 2.5M, 1G or 4e6"
TIME_FORMS = "90, 90s, 2min, 1.5h or 1h30m"
MOST = 2**63 - 1  # what counters hold
LONGEST = 1e300  # seconds: so that sums of a few stay finite

_SIZES = {"": 0, "k": 3, "m": 6, "g": 9, "b": 9, "t": 12}  # powers of ten; a billion is written G or B
_DIGITS = r"\d+(?:_\d+)*"
_PLAIN = re.compile(rf"{_DIGITS}|\d{{1,3}}(?:,\d{{3}})+", re.ASCII)
_SCALED = re.compile(
    rf"(?P<number>{_DIGITS}(?:\.\d+)?|\.\d+)(?:(?P<size>[kmgbt])|e\+?(?P<power>\d{{1,3}}))", re.I | re.ASCII
)
_SECONDS = {
    **dict.fromkeys(("ms",), 1e-3),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}
_TIME_PIECE = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]+)\s*", re.I | re.ASCII)
_PERCENTAGE = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)\s*%", re.I | re.ASCII)


class AmountError(MccfrError, ValueError):
    """A text that is no count or no time; says which forms are."""


def read_count(text: str) -> int:
    """The whole number that a text stands for.

    A decimal point needs k, M, G or an exponent after it: 1.000 is a thousand to some readers and one to others.
    """
    plain = text.strip()
    if len(plain) > 100:
        raise AmountError(f"{quoted(text)} is too long for a count: write {COUNT_FORMS}")
    if _PLAIN.fullmatch(plain):
        value = Decimal(plain.replace("_", "").replace(",", ""))
    elif found := _SCALED.fullmatch(plain):
        power = _SIZES[(found["size"] or "").lower()] if found["size"] else int(found["power"])
        value = Decimal(found["number"].replace("_", "")).scaleb(power)
    else:
        raise AmountError(f"{quoted(text)} is not a whole number: write {COUNT_FORMS}")
    if value > MOST:
        raise AmountError(f"{quoted(text)} is too large: a count goes up to 2^63 - 1, about 9.2e18")
    if value != int(value):
        raise AmountError(f"{quoted(text)} is not a whole number: write {COUNT_FORMS}")
    return int(value)


def read_seconds(text: str) -> float:
    """The seconds that a text stands for: a number of them, or numbers with units."""
    plain = text.strip().lower()
    try:
        seconds = float(plain)
    except ValueError:
        seconds = _with_units(plain) if len(plain) <= 100 else math.nan
    if not 0 <= seconds < LONGEST:
        raise AmountError(f"{quoted(text)} is not a time: write {TIME_FORMS}")
    return seconds


def _with_units(text: str) -> float:
    """The sum of pieces like `1h` and `30m`; nan if it is no such sum."""
    total, at = 0.0, 0
    while at < len(text):
        found = _TIME_PIECE.match(text, at)
        if found is None or found[2] not in _SECONDS:
            return math.nan
        total += float(found[1]) * _SECONDS[found[2]]
        at = found.end()
    return total if text else math.nan


def whole_count(
    name: str, value: Any, least: int = 0, most: int | None = None, error: type[MccfrError] = MethodError
) -> int:
    """A count given in Python as an int: 1e4 and NumPy's whole numbers are counts too; 1.5 and True are not."""
    found: int | None = None
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        found = int(value)
    elif not isinstance(value, bool) and hasattr(type(value), "__index__"):
        found = operator.index(value)
    if found is None or not least <= found <= (MOST if most is None else most):
        upper = "" if most is None else " to 2^63 - 1" if most == MOST else f" to {most:,}"
        raise error(f"{name} must be a whole number from {least}{upper}, got {quoted(value)}")
    return found


def amount(name: str, value: Any, what: str = "a number") -> float:
    """A number from 0 given in Python, such as a time in seconds; inf is one, nan is not."""
    if isinstance(value, bool | complex) or not hasattr(type(value), "__float__") or not float(value) >= 0:
        raise MethodError(f"{name} must be {what} from 0, got {quoted(value)}")
    return float(value)


def read_target(given: Any) -> float | str:
    """An exploitability to reach: a number from 0, or a percentage of the pot, which becomes text such as `0.5%`."""
    if isinstance(given, str) and len(given) <= 100 and (found := _PERCENTAGE.fullmatch(given.strip())):
        return f"{float(found[1]):.12g}%"
    number = hasattr(type(given), "__float__") and not isinstance(given, bool | complex)
    if not number or not 0 <= float(given) < LONGEST:
        raise AmountError(
            f"target must be an exploitability from 0, got {quoted(given)}; or a percentage of the pot, as in 0.5%"
        )
    return float(given)


def target_in_payoffs(target: float | str, pot: float | None, game: str) -> float:
    """A target in the game's payoffs; a percentage is one of the pot, which not every game has."""
    if not isinstance(target, str):
        return float(target)
    if pot is None:
        raise MethodError(f"target {target} is a percentage of the pot, and {game} has none: give it in payoffs")
    return float(target.removesuffix("%")) / 100 * pot


def target_text(target: float | str) -> str:
    """A target for people."""
    return target if isinstance(target, str) else f"{target:g}"
