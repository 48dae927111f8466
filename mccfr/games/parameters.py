"""Checks of the parameters of the built-in games: one line that names the game, the parameter and what it may be."""

import sys
from collections.abc import Sequence
from typing import Any

from mccfr.errors import QUOTED, GameError, MccfrError, nearest, quoted, shortened, told
from mccfr.grammar import Call, Named, misfit

LARGEST = sys.float_info.max  # whole numbers may be larger


class ParameterError(GameError):
    """A parameter that is wrong, with the keys that lead to it: a file that gave it can name the line."""

    def __init__(self, game: str, place: tuple[str | int, ...], problem: str) -> None:
        super().__init__(f"{game}: {problem}")
        self.place, self.problem = place, problem


def require_whole(game: str, parameter: str, value: Any, low: int, high: int) -> None:
    """Refuse anything but an int of low..high; True and 2.0 are not whole numbers here."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise GameError(f"{game}: {parameter} must be a whole number from {low} to {high}, got {quoted(value)}")


def require_number(game: str, parameter: str, value: Any) -> None:
    """Refuse anything but a finite int or float."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
        raise GameError(f"{game}: {parameter} must be a finite number, got {quoted(value)}")


def require_flag(game: str, parameter: str, value: Any) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        raise GameError(f"{game}: {parameter} must be True or False, got {quoted(value)}")


def require_word(game: str, parameter: str, value: Any, words: Sequence[str]) -> None:
    """Refuse anything but one of the words."""
    if not isinstance(value, str) or value not in words:
        raise GameError(f"{game}: {parameter} must be one of {', '.join(words)}, got {quoted(value)}")


def require_part(game: str, parameter: str, value: Any, kinds: Sequence[type[Named]]) -> Any:
    """The part that a value stands for: a word, a call such as `limit(small=1)`, or a part already."""
    if isinstance(value, tuple(kinds)):
        return value
    known = {kind.name: kind for kind in kinds}
    if not isinstance(value, str | Call):
        raise GameError(f"{game}: {parameter} must be one of {', '.join(known)}, got {quoted(value)}")
    call = Call(value) if isinstance(value, str) else value
    if call.name not in known:
        raise GameError(f"{game}: {parameter} has no {quoted(call.name)}; {nearest(call.name, known)}")
    return construct(known[call.name], call, f"{game}: {parameter}: ")


def construct(kind: type, call: Call, place: str = "") -> Any:
    """Build a game, or a part of one, with the values of a call; or say which value is wrong and what it takes."""
    if problem := misfit(call, kind):
        raise GameError(f"{place}{problem}")
    try:
        return kind(*call.args, **call.keys)
    except MccfrError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a class of the user's may raise anything
        raise GameError(f"{place}{shortened(str(call), 2 * QUOTED)} cannot be made: {told(error)}") from error
