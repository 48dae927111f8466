"""Hand histories that commands read and write."""

from collections.abc import Sequence
from pathlib import Path

from mccfr.cli.sources import require_writable
from mccfr.errors import FileError
from mccfr.playing.played_hand import HandRecord
from mccfr.protocols.phh_files import read_hands, write_hands

SUFFIXES = (".phhs", ".phh")


def require_history_name(path: str) -> None:
    """Refuse a file that could not be written after a hand."""
    if Path(path).suffix != SUFFIXES[0]:
        raise FileError(f"--out {path}: hands are saved as {SUFFIXES[0]}: take --out hands{SUFFIXES[0]}")
    require_writable(path)


def write_history(path: str, records: Sequence[HandRecord]) -> None:
    """Hands as a PHHS file, written whole or not at all."""
    write_hands(path, records)


def read_history(path: str) -> list[HandRecord]:
    """The hands of a .phh or .phhs file."""
    if not Path(path).exists():
        raise FileError(f"cannot read {path}: there is no such file")
    return [found.hand for found in read_hands(path).hands]
