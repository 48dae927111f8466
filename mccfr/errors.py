"""What can go wrong because of an input: each error is one line that says what, where, and what would be right.

The command line prints these with exit code 2 and no traceback; anything else is a bug of ours and shows one.
Whatever is quoted from an input goes through `quoted`, `told` or `printable`: it may be long, or no text at all.
"""

import difflib
import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LINE, QUOTED, TOLD = 300, 80, 150  # characters at most: of a line, of a value in it, of another program's error in it


class MccfrError(Exception):
    """The base of every error that a wrong input can cause: catch it to catch them all.

    The message says what was wrong, where, and what would be right, in lines that a terminal can show. Some kinds have
    one line for each fault. The command line prints the message with exit code 2; any other exception is a bug of ours.

    Examples:
        >>> import mccfr
        >>> try:
        ...     mccfr.solve("kuhn", "cfr_pluss")
        ... except mccfr.MccfrError as error:
        ...     print(error)
        unknown method 'cfr_pluss'; did you mean cfr_plus or pcfr_plus or dcfr_plus?
    """

    def __str__(self) -> str:
        return "\n".join(shortened(printable(line)) for line in super().__str__().split("\n"))


class GameError(MccfrError, ValueError):
    """A game, or a game string, that is wrong. The message names the method and the node or infoset at fault.

    Examples:
        >>> import mccfr
        >>> mccfr.game("goofspiel(n=0)")
        Traceback (most recent call last):
        ...
        mccfr.errors.GameError: goofspiel: ...
    """


class BettingError(MccfrError, ValueError):
    """Bet sizes, betting rules or a line of betting that make no sense: the message names the place.

    Examples:
        >>> from mccfr.betting.sizes import parse_sizes
        >>> parse_sizes("33%, 2.5y", raises=True)
        Traceback (most recent call last):
        ...
        mccfr.errors.BettingError: ...
    """


class BucketError(MccfrError, ValueError):
    """A bucketing, or a string of one, that is wrong or does not fit its cards: the message says what would be right.

    Examples:
        >>> from mccfr.buckets.percentiles import Percentiles
        >>> Percentiles(0)
        Traceback (most recent call last):
        ...
        mccfr.errors.BucketError: ehs2: buckets must be a whole number from 1 to 10,000, ... got 0
    """


class TreeError(MccfrError, ValueError):
    """A tree that cannot be built or used: it is too large, lacks perfect recall, or has too many players.

    Examples:
        >>> import mccfr
        >>> mccfr.compile("goofspiel(n=7)", memory_limit="1MB")
        Traceback (most recent call last):
        ...
        mccfr.errors.TreeError: goofspiel(n=7) has 47,506,635 nodes and would need about 3.4 GB to write out; ...
    """


class MethodError(MccfrError, ValueError):
    """A method string that is wrong, parts that do not fit together, or an argument of a solver that makes no sense.

    Examples:
        >>> import mccfr
        >>> mccfr.solve("kuhn", "external", iterations=-1)
        Traceback (most recent call last):
        ...
        mccfr.errors.MethodError: iterations must be a whole number from 0, got -1
    """


class TargetNotReached(UserWarning):
    """A solver or a run ended above the exploitability it was asked for, because another limit came first.

    Examples:
        >>> import warnings
        >>> import mccfr
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     solver = mccfr.solve("kuhn", "cfr_plus", iterations=10, target=1e-6)
        >>> print(solver.reached, caught[0].message)
        False kuhn by cfr_plus: target 1e-06 not reached, exploitability is ... after 10 iterations
    """


class RangeError(MccfrError, ArithmeticError):
    """Tables whose numbers have left the range of floats, because payoffs or weights are too large."""


class StrategyError(MccfrError, ValueError):
    """A strategy that does not fit its game, or an infoset or player that it does not have.

    Examples:
        >>> import mccfr
        >>> mccfr.uniform("kuhn")["K:bb"]
        Traceback (most recent call last):
        ...
        mccfr.errors.StrategyError: no infoset 'K:bb'; did you mean K:b or K:cb or K:?
    """


class FileError(MccfrError, OSError):
    """A file that cannot be read or written, or is not what its name says.

    Examples:
        >>> import mccfr
        >>> mccfr.load("missing.mccfr")
        Traceback (most recent call last):
        ...
        mccfr.errors.FileError: cannot read missing.mccfr: ...
    """


class DeviceError(MccfrError, RuntimeError):
    """A GPU that is not there, has too little memory, or has failed. The message says what can be done instead.

    Examples:
        >>> import mccfr
        >>> from mccfr.gpu.device import Gpu, require_room
        >>> require_room(Gpu("a GPU", 16, 2**30, 2**30), 2**33, "the tables")
        Traceback (most recent call last):
        ...
        mccfr.errors.DeviceError: the tables would need about 8.00 GiB on the GPU, and a GPU has 0.50 of ...
    """


class JobError(MccfrError, RuntimeError):
    """A job that failed in another process, or whose process was killed."""


class MissingExtra(MccfrError, ImportError):
    """An optional dependency that is not installed. The message says how to install it.

    Args:
        package: The package that is missing.
        extra: The extra of mccfr that installs it.
        purpose: What it is needed for.

    Examples:
        >>> from mccfr.errors import MissingExtra
        >>> print(MissingExtra("pandas", "pandas", "to_frame()"))
        to_frame() needs pandas, which is not installed: ...pip install 'mccfr[pandas]'
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}, which is not installed: {own_pip()} install 'mccfr[{extra}]'")


def own_pip() -> str:
    """How the pip of this environment is called in the user's shell."""
    found = shutil.which("pip")
    beside = found is not None and Path(found).absolute().parent == Path(sys.executable).absolute().parent
    return "pip" if beside else f"{shlex.quote(sys.executable)} -m pip"


def as_path(given: Any, what: str) -> Path:
    """A path given as text or as a Path. what: how an error calls it, as 'a run folder'."""
    if isinstance(given, os.PathLike) or (isinstance(given, str) and given):
        found = os.fspath(given)
        if isinstance(found, str):
            return Path(found)
    raise FileError(f"{what} is given by its path, as text or a Path, got {quoted(given)}")


def shortened(text: str, most: int = LINE) -> str:
    """A text of at most so many characters: its beginning and its end."""
    end = most // 3
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


def printable(text: str) -> str:
    """A text as one line that any terminal and file takes: line ends, escapes and lone surrogates are spelt out."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def terms(text: str) -> list[tuple[str, int]]:
    """What stands between commas, without spaces around it, and at which character it begins; the last may be empty."""
    parts, found, start = text.split(","), [], 1
    for part in parts:
        found.append((part.strip(), start + len(part) - len(part.lstrip())))
        start += len(part) + 1
    return found[:-1] if len(found) > 1 and not found[-1][0] else found


def one_line(text: str, most: int = 150) -> str:
    """A text from elsewhere as part of a line."""
    return shortened(printable(text), most)


def quoted(value: Any, most: int = QUOTED) -> str:
    """What a value's `repr` says, in short; whatever that `repr` does."""
    try:
        text = repr(f"{value[:most]}…{value[-most:]}" if type(value) is str and len(value) > 3 * most else value)
        return shortened(printable(" ".join(text.split())), most)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # it may raise anything, or return no text
        size = f" of {value.bit_length():,} bits" if type(value) is int else ""
        return f"<{type(value).__name__}{size}, which cannot be shown: {type(error).__name__}>"


def told(error: BaseException, most: int = TOLD) -> str:
    """What another program raised, in short and on one line."""
    try:
        text = printable(" ".join(str(error).split()))
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = ""
    return shortened(f"{type(error).__name__}: {text}" if text else type(error).__name__, most)


def nearest(word: str, known: Iterable[str]) -> str:
    """'did you mean ...?' for a word that is not among the known ones, or the whole list when nothing is near."""
    known = sorted(known)
    spellings: dict[str, list[str]] = {}
    for name in known:
        spellings.setdefault(name.lower(), []).append(name)
    found = difflib.get_close_matches(word.lower(), spellings, n=3, cutoff=0.6)
    close = [name for lower in found for name in spellings[lower]]
    close = close or [name for name in known if len(word) > 2 and word.lower() in name.lower()][:4]
    return f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(known)}"
