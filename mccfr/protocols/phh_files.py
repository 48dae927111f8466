"""Files of hands: .phh with one, .phhs with many, read with bounds and written whole or not at all.

A hand is read by itself: .phhs is cut where a line is a table's name, so that a file with many hands takes no more time
for each than one with a few. Amounts with decimals become whole chips, of the same size throughout a file.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

from mccfr.errors import FileError, MccfrError, as_path, one_line
from mccfr.files.bounded import read_plain
from mccfr.files.container import atomic
from mccfr.playing.played_hand import HandRecord
from mccfr.protocols.phh import FIELDS, HistoryError, ReadHand, read_hand
from mccfr.protocols.phh_writing import phh_text, phhs_text

MOST_BYTES = 64 * 2**20  # of a file: some 130,000 hands
MOST_HAND = 64 * 2**10  # characters of a hand
MOST_DECIMALS = 4
HEADER = re.compile(r"^[ \t]*\[[ \t]*([\w-]{1,40}|\"[\w -]{1,40}\"|'[\w -]{1,40}')[ \t]*\][ \t]*(?:#.*)?\r?$", re.M)
SUFFIXES = (".phh", ".phhs")


class History(NamedTuple):
    """The hands of a file.

    Attributes:
        hands: Each hand with what was won in it.
        refused: Lines that say which hands were left out and why, where that was asked for.
        chip: What a chip of these hands is in the unit of the file: 1, or 0.01 where amounts have two decimals.
    """

    hands: list[ReadHand]
    refused: list[str]
    chip: Decimal = Decimal(1)


def read_hands(path: Any, skip: bool = False) -> History:
    """The hands of a .phh or .phhs file.

    Args:
        path: The file.
        skip: Leave out hands that are wrong and list them; otherwise the first is an error.

    Returns:
        The hands, in the order of the file.

    Raises:
        FileError: The file cannot be read, or is too large.
        HistoryError: A hand is wrong; the message names the file, the hand and the action.
    """
    path = as_path(path, "a hand history")
    text = read_text(path)
    return read_parsed(str(path), _parsed(str(path), text, skip), skip)


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a file, bounded."""
    try:
        return read_plain(path, most).decode("utf-8-sig")
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not text in UTF-8: {error.reason} at byte {error.start}") from None


def read_parsed(where: str, parsed: Iterable[tuple[str, Any]], skip: bool) -> History:
    """Hands from fields that were read, each with its name in the file; an error instead of fields is told."""
    kept, refused = list[tuple[str, dict[str, Any]]](), list[str]()
    for name, fields in parsed:
        if isinstance(fields, MccfrError):
            _tell(refused, where, name, fields, skip)
        else:
            kept.append((name, fields))
    scale = 10 ** max((_decimals(fields) for _, fields in kept), default=0)
    hands = list[ReadHand]()
    for number, (name, fields) in enumerate(kept):
        try:
            hands.append(read_hand(fields, scale, number))
        except MccfrError as error:
            _tell(refused, where, name, error, skip)
    return History(hands, refused, Decimal(1) / scale)


def _tell(refused: list[str], where: str, name: str, error: MccfrError, skip: bool) -> None:
    line = f"{where}, hand {name}: {error}" if name else f"{where}: {error}"
    if not skip:
        raise HistoryError(line) from None
    refused.append(str(HistoryError(line)))


def _parsed(where: str, text: str, skip: bool) -> Iterator[tuple[str, Any]]:
    """The name and fields of each hand of a file, or what is wrong with them."""
    headers = list(HEADER.finditer(text))
    if not headers:
        yield "", _fields(text)
        return
    if (lost := text[: headers[0].start()].strip()) and not all(line.startswith("#") for line in lost.splitlines()):
        raise HistoryError(f"{where}: fields before [{headers[0][1]}]: a .phhs file has every field in a hand's table")
    names = set[str]()
    ends = [*(header.start() for header in headers[1:]), len(text)]
    for header, end in zip(headers, ends):
        name = header[1].strip("\"'")
        twice = HistoryError("there is another hand of this name") if name in names else None
        names.add(name)
        yield name, twice or _fields(text[header.end() : end])


def _fields(text: str) -> Any:
    """The fields of a hand that we know, or an error."""
    if len(text) > MOST_HAND:
        return HistoryError(f"a hand of {len(text):,} characters, expected at most {MOST_HAND:,}")
    try:
        found = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        return HistoryError(f"it is not TOML: {one_line(str(error))}")
    except (RecursionError, InvalidOperation):
        return HistoryError("it is not TOML: it is nested too deeply, or has a number that is none")
    except ValueError as error:  # a number of thousands of digits
        return HistoryError(f"it is not TOML: {one_line(' '.join(str(error).split()))}")
    return {name: found[name] for name in FIELDS if name in found}


def _decimals(fields: dict[str, Any]) -> int:
    """How many decimals the amounts of a hand have at most."""
    given = [fields.get(name) for name in ("min_bet", "small_bet", "big_bet")]
    for name in ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks"):
        given += fields[name] if isinstance(fields.get(name), list) else []
    bets = [text for text in _bets(fields.get("actions")) if len(text) < 30]
    found = [*(each for each in given if type(each) is Decimal and each.is_finite()), *map(Decimal, bets)]
    return max((min(_places(each), MOST_DECIMALS) for each in found), default=0)


def _places(amount: Decimal) -> int:
    """Decimals of an amount, without zeros at its end."""
    exponent = amount.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _bets(actions: Any) -> list[str]:
    if not isinstance(actions, list):
        return []
    found = (re.match(r"p[12] cbr ([0-9]{1,12}\.[0-9]{1,9})(?:\s|$)", str(action)[:60]) for action in actions)
    return [match[1] for match in found if match]


def write_hands(path: Any, hands: Sequence[HandRecord]) -> None:
    """Write hands as PHH or PHHS, by the suffix of the file.

    Args:
        path: The file to write: .phh for one hand, .phhs for any number.
        hands: The hands, which must be over.

    Raises:
        FileError: The file cannot be written, or has another suffix.
        HistoryError: PHH has no words for a hand.
    """
    path = as_path(path, "a hand history")
    if path.suffix not in SUFFIXES:
        raise FileError(f"{path}: expected a name that ends in .phh, for one hand, or .phhs")
    if path.suffix == ".phh" and len(hands) != 1:
        raise FileError(f"{path}: .phh holds one hand, not {len(hands):,}: expected a name that ends in .phhs")
    with atomic(path) as file:
        for piece in [phh_text(hands[0])] if path.suffix == ".phh" else phhs_text(hands):
            file.write(piece.encode())
