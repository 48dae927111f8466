"""Fits on disk, and the tables that are made from them: found in the cache folder, or made and kept there.

A fit's file is small and may be passed on: it is data, read without running anything, and whatever is wrong with it is
told in one line. Tables are large, stay in the cache folder, and are made again if they are damaged.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mccfr.buckets.bucketing import Arrays, Bucketing, CardRules, Fit, Watch, no_watch
from mccfr.buckets.hand_squares import check_rules
from mccfr.buckets.hand_tables import as_hand_rows, hands_seen, row_type
from mccfr.buckets.kept import kept_arrays, kept_file
from mccfr.buckets.registry import make_bucketing
from mccfr.errors import BucketError, FileError, MccfrError, quoted
from mccfr.files.bounded import is_count
from mccfr.files.container import NUMBERS, opened, save
from mccfr.kernel.bucket_rows import HandRows
from mccfr.machine import processors

BUCKETS = "mccfr-buckets"
FITS = Path(__file__).parent / "fits"
EDITION = 1  # raise this when a fit of the same string becomes another one


def fitted(bucketing: Bucketing | str, cards: CardRules, workers: int = 0, watch: Watch = no_watch) -> Fit:
    """A bucketing fitted to a deck: found in the cache folder, or made, which may take minutes, and kept there."""
    wanted, workers = make_bucketing(bucketing, own=True), workers or processors()
    check_rules(cards)
    if (shipped := _shipped(wanted, cards)) is not None:
        return shipped
    path = _place("fit", wanted, f"{wanted}\n{cards}")
    if path is not None:
        with contextlib.suppress(FileError):  # none yet, or damaged: it is made again
            return load_fit(path, wanted, cards)
    fit = Fit(wanted, cards, wanted.fit(cards, workers, watch))
    if path is not None and fit.arrays:
        with contextlib.suppress(FileError, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            save_fit(path, fit)
    return fit


def _shipped(bucketing: Bucketing, cards: CardRules) -> Fit | None:
    """A fit that comes with the package, if this is one."""
    path = shipped_file(bucketing)
    if cards != CardRules() or not path.is_file():
        return None
    with contextlib.suppress(FileError):  # somebody damaged the installation: it is made again
        return load_fit(path, bucketing, cards)
    return None


def shipped_file(bucketing: Bucketing) -> Path:
    """Where the fit of a bucketing to 52 cards would be that comes with the package: `emd-500.mccfr`."""
    return FITS / f"{re.sub('[^a-z0-9]+', '-', str(bucketing)).strip('-')}.mccfr"


def look_up(fit: Fit, workers: int = 0, watch: Watch = no_watch) -> Any:
    """The tables for walks. Rows by hand are kept under the checksum of the fit, other forms as they see fit."""
    path, workers = _place("rows", fit.bucketing, fit.checksum), workers or processors()
    if path is not None and path.exists():
        made = functools.partial(fit.bucketing.tables, fit, workers, watch)
        return as_hand_rows(fit, _kept_rows(path, fit, lambda: _rows_of(fit, made())))
    found = fit.bucketing.tables(fit, workers, watch)
    if path is not None and isinstance(found, HandRows):
        _kept_rows(path, fit, lambda: _rows_of(fit, found))
    return found


def _kept_rows(path: Path, fit: Fit, make: Callable[[], Arrays]) -> list[Any]:
    """Rows of all streets, from a file or made and kept there; each is less than the number of rows of its street."""
    streets = range(fit.cards.streets)
    kinds = {f"row{s}": (row_type(fit.rows[s]), (hands_seen(fit, s).size,)) for s in streets}

    def wrong(arrays: Arrays) -> str:
        beyond = [s for s in streets if int(arrays[f"row{s}"].max(initial=0)) >= fit.rows[s]]
        return f"a row of street {beyond[0] + 1} does not exist" if beyond else ""

    arrays = kept_arrays(path, fit.checksum, kinds, make, wrong)
    return [arrays[f"row{s}"] for s in streets]


def _rows_of(fit: Fit, found: HandRows) -> Arrays:
    return {f"row{s}": found.row[s].astype(row_type(fit.rows[s]), copy=False) for s in range(fit.cards.streets)}


def save_fit(path: str | os.PathLike[str], fit: Fit) -> None:
    """Write a fit to a file that can be passed on."""
    deck = {"ranks": fit.cards.ranks, "suits": fit.cards.suits, "deals": list(fit.cards.deals)}
    header = {"buckets": str(fit.bucketing), **deck, "checksum": fit.checksum}
    save(path, BUCKETS, header, fit.arrays)


def load_fit(path: str | os.PathLike[str], bucketing: Bucketing | None = None, cards: CardRules | None = None) -> Fit:
    """Read a fit. The bucketing is one that comes with the package, unless the caller gives his own.

    Refused with the name of the file if it is damaged, of another bucketing or deck, or its arrays are wrong.
    """
    with opened(path, BUCKETS, "a file of buckets") as found:
        dealt = _read_cards(path, found.header)
        made = _read_bucketing(path, found.header, bucketing)
        if cards is not None and dealt != cards:
            raise FileError(f"{path} has buckets for {dealt}, expected {cards}")
        names = [name.removesuffix(".npy") for name in found.names]
        arrays = found.arrays(dict.fromkeys(names, (NUMBERS, None)), {})
        fit = Fit(made, dealt, arrays)
        if problem := _problem(fit):
            raise FileError(f"{path}: {problem}")
        if fit.checksum != found.header.get("checksum"):
            raise FileError(f"{path} does not have the content that its checksum says: it was changed or is damaged")
        return fit


def _read_cards(path: str | os.PathLike[str], header: dict[str, Any]) -> CardRules:
    ranks, suits, deals = header.get("ranks"), header.get("suits"), header.get("deals")
    numbers = isinstance(deals, list) and 1 <= len(deals) <= 3 and all(is_count(n, 1, 5) for n in deals)
    if not numbers or not is_count(ranks, 1, 13) or not is_count(suits, 1, 4):
        raise FileError(f"{path}: ranks {quoted(ranks)}, suits {quoted(suits)}, deals {quoted(deals)} are no deck")
    cards = CardRules(int(ranks), int(suits), tuple(deals))  # type: ignore[arg-type]
    try:
        check_rules(cards)
    except MccfrError as error:
        raise FileError(f"{path}: {error}") from None
    return cards


def _read_bucketing(path: str | os.PathLike[str], header: dict[str, Any], given: Bucketing | None) -> Bucketing:
    said = header.get("buckets")
    if given is not None:
        if said != str(given):
            raise FileError(f"{path} has buckets {quoted(said)}, expected {given}")
        return given
    try:
        return make_bucketing(said)
    except MccfrError as error:
        raise FileError(f"{path}: {error}") from None


def _problem(fit: Fit) -> str:
    """What is wrong with the arrays of a fit that was read, if anything."""
    try:
        return fit.bucketing.problem(fit.cards, fit.arrays)
    except BucketError as error:
        return str(error)


def _place(what: str, bucketing: Bucketing, identity: str) -> Path | None:
    """Where something of a bucketing is kept; None if it is not.

    Of a user's own class its file is part of the name, so that nothing is found that an earlier version of it made.
    """
    source = _source(type(bucketing))
    if source is None:
        return None
    name = hashlib.sha256(f"{EDITION}\n{identity}\n{source}".encode()).hexdigest()[:32]
    return kept_file(f"{what}-{name}.mccfr")


@functools.cache
def _source(kind: type) -> str | None:
    """A hash of a user's own file; nothing for our classes, None for one that has no file."""
    if kind.__module__.startswith("mccfr."):
        return ""
    try:
        return hashlib.sha256(Path(inspect.getfile(kind)).read_bytes()).hexdigest()
    except (OSError, TypeError):  # typed at a prompt
        return None


def tables_kept(fit: Fit) -> bool:
    """Whether the tables for walks, or what they are quickly made from, lie in the cache folder."""
    path = _place("rows", fit.bucketing, fit.checksum)
    return fit.bucketing.quick_tables(fit.cards) or (path is not None and path.exists())
