"""What commands take and give: strategies by file or name, and files that must be writable before work starts."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import mccfr
from mccfr.errors import FileError

if TYPE_CHECKING:
    from mccfr import Strategy

UNIFORM = "uniform:"


def read_strategy(text: str, game: str | None = None) -> "Strategy":
    """A strategy from a .mccfr file (of `game`, if given), or the uniform strategy of a game: `uniform:leduc`."""
    if text.startswith(UNIFORM):
        return mccfr.uniform(text.removeprefix(UNIFORM))
    if not Path(text).exists():
        raise FileError(f"cannot read {text}: no such file; a strategy is a .mccfr file or {UNIFORM}GAME")
    return mccfr.load(text, game)


def require_writable(path: str) -> None:
    """Refuse a file that could not be written later, when the work is done."""
    target = Path(path)
    folder = target.parent
    if target.is_dir():
        raise FileError(
            f"cannot write {target}: it is a folder; give a file in it, such as {target / 'strategy.mccfr'}"
        )
    if not folder.is_dir():
        raise FileError(f"cannot write {target}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FileError(f"cannot write {target}: no permission to write in the folder {folder}; choose another")
