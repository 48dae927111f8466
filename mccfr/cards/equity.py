"""What hole hands are worth before the flop: exact wins and ties of every match-up, by hand and by class.

The table of the 1326 hands is counted once (seconds) and kept in the cache folder. The table of the 169 classes comes
with the package; this made it, and makes it again:

    python -m mccfr.cards.equity --write

Both are integers, so there is one right table of each: its checksum is written here, and any other is refused.
"""

import argparse
import contextlib
import functools
import hashlib
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import CLASS_OF_HAND, CLASSES, disjoint
from mccfr.errors import FileError, MccfrError, quoted
from mccfr.files import container
from mccfr.files.cache import cache_folder

BOARDS = 1_712_304  # of five cards, when four are dealt
FORMAT, VERSION = "mccfr-equity", 1
SHIPPED = Path(__file__).parent / "data" / "preflop169.equity"
CACHED = "preflop1326.equity"
CHECKSUMS = {
    1326: "e868db144d8d8830339c8d0732a2d4a74b6efe33a90f21ec2dd7126b4042116c",
    169: "4e4b7f8927e724c51bcbe3235903a1fa8b82580c2b4ff5b3564d68a219b1a0d2",
}

Floats = npt.NDArray[np.float64]


class Equities(NamedTuple):
    """Every match-up of n kinds of hands, n = 1326 or 169. A match-up of classes is all of its pairs of hands."""

    wins: npt.NDArray[np.int64]  # [n, n] pairs and boards with which the row's hand beats the column's
    pairs: npt.NDArray[np.int64]  # [n, n] pairs of hands, one of the row and one of the column, that share no card

    @property
    def games(self) -> npt.NDArray[np.int64]:
        """[n, n] pairs and boards in all."""
        return self.pairs * BOARDS

    @property
    def ties(self) -> npt.NDArray[np.int64]:
        """[n, n] pairs and boards with which nobody wins."""
        return self.games - self.wins - self.wins.T

    @property
    def win(self) -> Floats:
        """[n, n] P(the row's hand wins); 0 for hands that cannot meet."""
        return self.wins / np.maximum(self.games, 1)

    @property
    def tie(self) -> Floats:
        """[n, n] P(nobody wins)."""
        return self.ties / np.maximum(self.games, 1)

    @property
    def edge(self) -> Floats:
        """[n, n] P(win) - P(lose): what the row's hand gains of each chip that both put in."""
        return (self.wins - self.wins.T) / np.maximum(self.games, 1)

    @property
    def deal(self) -> Floats:
        """[n, n] P(these two are dealt)."""
        return self.pairs / self.pairs.sum()

    @property
    def against_all(self) -> Floats:
        """[n] P(win) + P(tie) / 2 against an unknown hand."""
        return (self.wins + self.ties / 2).sum(axis=1) / self.games.sum(axis=1)


def hand_equities(progress: Callable[[float], None] = lambda share: None) -> Equities:
    """The match-ups of all hole hands: from the cache folder, or counted now and put there.

    As with trees, a cache that cannot be read or written never stands in the way.
    """
    folder = cache_folder()
    if folder is not None and (folder / CACHED).exists():
        with contextlib.suppress(MccfrError, OSError):
            return load(folder / CACHED, 1326)
    made = count_equities(progress)
    if folder is not None:
        with contextlib.suppress(MccfrError, OSError):
            folder.mkdir(parents=True, exist_ok=True)
            save(folder / CACHED, made)
    return made


@functools.cache
def class_equities() -> Equities:
    """The match-ups of the 169 classes, from the package's own data."""
    found = load(SHIPPED, CLASSES)
    for array in found:
        array.flags.writeable = False  # shared by all who ask
    return found


def count_equities(progress: Callable[[float], None] = lambda share: None) -> Equities:
    """The match-ups of all hole hands, counted."""
    from mccfr.cards.showdowns import count_wins

    made = Equities(count_wins(progress).astype(np.int64), disjoint().astype(np.int64))
    if checksum(made) != CHECKSUMS[len(made.wins)]:
        raise AssertionError(f"counted a table with checksum {checksum(made)}: this is a bug")
    return made


def by_class(hands: Equities) -> Equities:
    """The match-ups of classes, from those of hands. Nothing is lost: hands of a class differ only in suits."""
    order = np.argsort(CLASS_OF_HAND, kind="stable")
    first = np.searchsorted(CLASS_OF_HAND[order], np.arange(CLASSES))

    def summed(array: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.add.reduceat(np.add.reduceat(array[np.ix_(order, order)], first, axis=0), first, axis=1)

    return Equities(summed(hands.wins), summed(hands.pairs))


def checksum(equities: Equities) -> str:
    """SHA-256 of the numbers, as 32-bit little-endian integers in reading order."""
    content = hashlib.sha256()
    for array in equities:
        content.update(np.ascontiguousarray(array, "<i4").data)
    return content.hexdigest()


def save(path: str | os.PathLike[str], equities: Equities) -> None:
    """Write a table to a file."""
    header = {"format_version": VERSION, "hands": len(equities.wins), "boards": BOARDS, "sha256": checksum(equities)}
    container.save(path, FORMAT, header, {name: array.astype("<i4") for name, array in equities._asdict().items()})


def load(path: str | os.PathLike[str], hands: int) -> Equities:
    """Read a table of so many kinds of hands; refuses any but the right one."""
    with container.opened(path, FORMAT, "a table of equities") as file:
        header = file.header
        if header.get("format_version") != VERSION or header.get("hands") != hands:
            found = f"version {quoted(header.get('format_version'))} for {quoted(header.get('hands'))} hands"
            raise FileError(f"{path} is a table of equities of {found}, expected version {VERSION} for {hands} hands")
        try:
            wins, pairs = (file.array(name, (np.dtype("<i4"),), (hands, hands)) for name in Equities._fields)
        except (TypeError, ValueError) as error:
            raise FileError(f"{path} is not a table of equities: {error}") from None
        except KeyError as error:
            raise FileError(f"{path} is not a table of equities: {error} is missing") from None
    found_table = Equities(wins.astype(np.int64), pairs.astype(np.int64))
    if checksum(found_table) != CHECKSUMS[hands]:
        raise FileError(f"{path} is damaged: its numbers do not have the checksum {CHECKSUMS[hands][:16]}...")
    return found_table


def main() -> None:
    """Count all match-ups and compare with what is shipped, or write that."""
    options = argparse.ArgumentParser(prog="python -m mccfr.cards.equity", description=main.__doc__)
    options.add_argument("--write", action="store_true", help=f"write {SHIPPED.name} into the package")
    write = options.parse_args().write
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    made = by_class(count_equities())
    if write:
        save(SHIPPED, made)
    same = checksum(made) == checksum(class_equities())
    logging.info("%s: %s, %d bytes", SHIPPED, "as counted" if same else "NOT AS COUNTED", SHIPPED.stat().st_size)
    raise SystemExit(0 if same else 1)


if __name__ == "__main__":
    main()
