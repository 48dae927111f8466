"""From strings to bucketings: `ehs2(10)`, `emd(200)`, `exact`, `hs(100)`, `lin`, or your own, `PATH.py:Class(args)`.

A received file may name those that come with the package; a user's own file is run only if the user names it.
"""

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from mccfr.buckets.bucketing import Bucketing
from mccfr.errors import (
    QUOTED,
    BucketError,
    MccfrError,
    nearest,
    one_line,
    quoted,
    shortened,
    told,
)
from mccfr.grammar import Call, GrammarError, misfit, parse_call
from mccfr.user_file import classes_in

HOMES = {
    "ehs2": ("mccfr.buckets.percentiles", "Percentiles"),
    "emd": ("mccfr.buckets.clusters", "EarthMover"),
    "exact": ("mccfr.buckets.canonical", "Exact"),
    "hs": ("mccfr.buckets.final_strength", "FinalStrength"),
    "hs_recall": ("mccfr.buckets.final_strength", "RecalledStrength"),
    "lin": ("mccfr.buckets.hand_classes", "HandClasses"),
}


def make_bucketing(given: Any, own: bool = False) -> Bucketing:
    """The bucketing that a string, a call or a class stands for; a bucketing as it is.

    own: whether the user himself gives this string, so that it may name a Python file, which is run.

    Example:
        >>> from mccfr.buckets.bucketing import CardRules
        >>> make_bucketing("ehs2(5)").rows(CardRules())
        (5, 25, 125, 625)
    """
    if isinstance(given, Bucketing):
        return given
    if isinstance(given, type) and issubclass(given, Bucketing):
        return _construct(given, Call(given.__qualname__))
    if isinstance(given, str) and ".py" in given:
        if own:
            return bucketing_from_file(given)
        raise BucketError(f"buckets {one_line(given)} are a program of yours: it is run only if you name it yourself")
    if not isinstance(given, str | Call):
        raise BucketError(f"buckets are a string such as 'ehs2(10)' or a Bucketing, got {quoted(given)}")
    return _named(given)


def known_bucketing(name: str) -> type[Bucketing]:
    """The class of a bucketing that comes with the package, imported when it is first asked for."""
    if name not in HOMES:
        raise BucketError(f"unknown buckets {quoted(name)}; {nearest(name, HOMES)} (or PATH.py:Class)")
    module, kind = HOMES[name]
    return getattr(importlib.import_module(module), kind)


def _named(given: str | Call) -> Bucketing:
    try:
        call = parse_call(given) if isinstance(given, str) else given
    except GrammarError as error:
        raise BucketError(f"buckets: {error}") from None
    return _construct(known_bucketing(call.name), call)


def _construct(kind: type[Bucketing], call: Call) -> Bucketing:
    """Build a bucketing with the values of a call; or say which value is wrong and what it takes."""
    if problem := misfit(call, kind):
        raise BucketError(problem)
    try:
        return kind(*call.args, **call.keys)
    except (MccfrError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a class of the user's may raise anything
        raise BucketError(f"{shortened(str(call), 2 * QUOTED)} cannot be made: {told(error)}") from error


def bucketing_from_file(text: str) -> Bucketing:
    """A class from a Python file: `PATH.py` with one bucketing in it, or `PATH.py:Class(args)`. Runs that file."""
    path, _, wanted = text.partition(".py")
    file = Path(f"{path}.py")
    classes = bucketing_classes(file)
    if not wanted and len(classes) != 1:
        found = f"found {', '.join(classes)}: choose one, as {file}:{next(iter(classes))}" if classes else "found none"
        raise BucketError(f"{file}: expected one class derived from mccfr.buckets.bucketing.Bucketing; {found}")
    try:
        call = parse_call(wanted.removeprefix(":")) if wanted else Call(next(iter(classes)))
    except GrammarError as error:
        raise BucketError(f"{file}: {error}") from None
    if call.name not in classes:
        raise BucketError(f"{file} has no class of buckets {quoted(call.name)}; {nearest(call.name, classes)}")
    return _construct(classes[call.name], call)


def bucketing_classes(file: Path) -> dict[str, type[Bucketing]]:
    """The bucketings that a Python file defines. Runs the file. Their strings name it, so that they rebuild them."""
    own = {n: c for n, c in classes_in(file, BucketError).items() if issubclass(c, Bucketing)}
    for each in own:
        own[each].name = f"{file}:{each}"
    return own
