"""What can go wrong because of an input: each error is one line that says what, where, and what would be right.

The command line prints these with exit code 2 and no traceback; anything else is a bug of ours and shows one.
"""

import difflib
import reprlib
from collections.abc import Iterable


class MccfrError(Exception):
    """Base of every error a user can cause."""


class GameError(MccfrError, ValueError):
    """A game that breaks the contract: the message names the method and the node or infoset at fault."""


class TreeError(MccfrError, ValueError):
    """A tree that cannot be built or used: too large, imperfect recall, more players than the algorithm takes."""


class MethodError(MccfrError, ValueError):
    """A method string or a combination of parts that makes no sense."""


class RangeError(MccfrError, ArithmeticError):
    """Tables whose numbers have left the range of floats."""


class StrategyError(MccfrError, ValueError):
    """A strategy that does not fit its game, or an infoset that it does not have."""


class FileError(MccfrError, OSError):
    """A file that cannot be read or written, or is not what its name says."""


class JobError(MccfrError, RuntimeError):
    """A job that failed in another process, or whose process was killed."""


class MissingExtra(MccfrError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}, which is not installed: pip install 'mccfr[{extra}]'")


def nearest(word: str, known: Iterable[str]) -> str:
    """'did you mean ...?' for a word that is not among the known ones, or the whole list when nothing is near."""
    known = sorted(known)
    spellings: dict[str, list[str]] = {}
    for name in known:
        spellings.setdefault(name.lower(), []).append(name)
    found = difflib.get_close_matches(word.lower(), spellings, n=3, cutoff=0.6)
    close = [name for lower in found for name in spellings[lower]]
    return f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(known)}"


_BRIEF = reprlib.Repr()
_BRIEF.maxlevel, _BRIEF.maxstring, _BRIEF.maxother, _BRIEF.maxlong = 2, 80, 80, 40
_BRIEF.maxlist = _BRIEF.maxtuple = _BRIEF.maxdict = _BRIEF.maxset = 3


def brief(value: object) -> str:
    """Any value in one short line, however long or deep it is: what a file held where something else was expected."""
    text = _BRIEF.repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def one_line(text: str, most: int = 150) -> str:
    """A text from a file as part of a line: cut where it is long, and without letters that move a terminal's cursor."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text[: most + 1])
    return plain if len(plain) <= most else f"{plain[:most]}..."
