"""Checks of the parameters of method words: each error names the word, the parameter and what it may be."""

import math
from typing import Any

from mccfr.errors import MethodError

MOST = 2**53  # up to here the float64 of counters tells whole numbers apart
LARGEST = 1e300  # so that sums and products of a few stay finite


def number(word: str, name: str, value: Any, low: float = -LARGEST, high: float = LARGEST) -> float:
    """A float within bounds, which are finite unless told otherwise, or a MethodError that says which."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        bounds = "" if low == -LARGEST else f" from {low:g}" if high == math.inf else f" from {low:g} to {high:g}"
        raise MethodError(f"{word}: {name} must be a number{bounds}, got {value!r}")
    return float(value)


def whole(word: str, name: str, value: Any, low: int) -> int:
    """An int from `low` on that counters can hold, or a MethodError."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise MethodError(f"{word}: {name} must be a whole number from {low}, got {value!r}")
    if value > MOST:
        digits = len(str(value))
        raise MethodError(f"{word}: {name} must be a whole number from {low} to {MOST}, got one of {digits} digits")
    return value


def exponent(word: str, name: str, value: float) -> float:
    """A number, or inf (keep everything) or -inf (forget everything). dcfr(inf, -inf, 2) is CFR+ by another name."""
    return value if value in (math.inf, -math.inf) else number(word, name, value)


def power_of_t(word: str, name: str, power: float) -> float:
    """A power of t whose sums stay finite."""
    return number(word, name, power, 0.0, 20.0)


def truth(word: str, name: str, value: Any) -> bool:
    """A parameter that is true or false."""
    if not isinstance(value, bool):
        raise MethodError(f"{word}: {name} must be true or false, got {value!r}")
    return value
