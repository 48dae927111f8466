"""Checks of the parameters of the built-in games: one line that names the game, the parameter and what it may be."""

import math
from collections.abc import Sequence
from typing import Any

from mccfr.errors import GameError


def require_whole(game: str, parameter: str, value: Any, low: int, high: int) -> None:
    """Refuse anything but an int of low..high; True and 2.0 are not whole numbers here."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise GameError(f"{game}: {parameter} must be a whole number from {low} to {high}, got {value!r}")


def require_number(game: str, parameter: str, value: Any) -> None:
    """Refuse anything but a finite int or float."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise GameError(f"{game}: {parameter} must be a finite number, got {value!r}")


def require_flag(game: str, parameter: str, value: Any) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        raise GameError(f"{game}: {parameter} must be True or False, got {value!r}")


def require_word(game: str, parameter: str, value: Any, words: Sequence[str]) -> None:
    """Refuse anything but one of the words."""
    if not isinstance(value, str) or value not in words:
        raise GameError(f"{game}: {parameter} must be one of {', '.join(words)}, got {value!r}")
