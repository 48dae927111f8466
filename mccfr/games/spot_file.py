"""Spots in TOML files: the keys of `mccfr.spot`, tables such as `[turn.oop]`, and a `[[lock]]` for each lock."""

import dataclasses
from pathlib import Path

from mccfr.errors import FileError, nearest
from mccfr.files.located import Located, Place, read_located
from mccfr.games.parameters import ParameterError
from mccfr.games.spot import Spot

SUFFIX = ".toml"
KEYS = tuple(field.name for field in dataclasses.fields(Spot))
REQUIRED = tuple(field.name for field in dataclasses.fields(Spot) if field.default is dataclasses.MISSING)


def read_spot(path: Path) -> Spot:
    """The spot that a file describes; what is wrong in it is told with its line."""
    file = read_located(path)
    for key in file.data:
        if key not in KEYS:
            raise _wrong(file, (key,), f"a spot has no key {key!r}; {nearest(key, KEYS)}")
    if missing := [key for key in REQUIRED if key not in file.data]:
        raise FileError(f"{path}: {' and '.join(missing)} must be given; a spot needs {', '.join(REQUIRED)}")
    try:
        return Spot(**file.data)
    except ParameterError as error:
        raise _wrong(file, error.place, error.problem) from None


def _wrong(file: Located, place: Place, problem: str) -> FileError:
    """An error with the line of the key, or of the table around it if the key is not in the file."""
    value, found = file.data, list[str | int]()
    for step in place:
        inside = step in value if isinstance(value, dict) else isinstance(value, list) and isinstance(step, int)
        if not inside:
            break
        found.append(step)
        value = value[step]  # type: ignore[index]
    at = f"{file.path}, line {file.line(tuple(found))}" if found else f"{file.path}"
    return FileError(f"{at}: {problem}")
