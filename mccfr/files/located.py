"""TOML and YAML files whose values know their line, so that an error can name it."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mccfr.errors import FileError, MissingExtra, nearest, one_line
from mccfr.files.bounded import read_plain

MOST_VALUES = 100_000  # in a file

Place = tuple[str | int, ...]  # keys and positions that lead to a value


class Located(NamedTuple):
    """What a file holds and in which line each value stands."""

    path: Path
    data: dict[str, Any]
    line: Callable[[Place], int]


def read_located(path: Path) -> Located:
    """Read a file by its suffix."""
    readers = {".toml": _read_toml, ".yaml": _read_yaml, ".yml": _read_yaml}
    if path.suffix not in readers:
        raise FileError(f"{path} is neither .toml nor .yaml; {nearest(path.suffix, readers)}")
    try:
        text = read_plain(path).decode("utf-8")
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"cannot read {path}: no such file") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not text in UTF-8: {error.reason} at byte {error.start}") from None
    try:
        return readers[path.suffix](path, text)
    except RecursionError:
        raise FileError(f"{path} is nested too deeply") from None


def _read_toml(path: Path, text: str) -> Located:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, where = str(error).rpartition(" (at ")
        found = re.search(r"line (\d+)", where)
        number = int(found[1]) if found else len(text.splitlines())
        raise FileError(f"{path}, line {number}: {_lower(what)}") from None
    except ValueError as error:  # a number of thousands of digits
        raise FileError(f"{path} is not TOML: {one_line(' '.join(str(error).split()))}") from None
    return Located(path, data, lambda place: _TomlLines(text, data).line(place))


class _TomlLines:
    """Lines found again by looking for keys and quoted values, which tomllib has read without saying where."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text, self.data = text, data

    def line(self, place: Place) -> int:
        """The line of a key or of an element of a list."""
        value: Any = self.data
        at, headed = self._header(place)
        for number, (before, step) in enumerate(zip(("", *place), place)):
            if number < headed:
                pass  # a header such as [turn.oop] names it
            elif isinstance(step, str):
                at = self._find(rf"^\s*(?:\[+\s*)?[\"']?{re.escape(step)}[\"']?\s*[=\].]", at)
            elif isinstance(value[step], dict):
                at = self._find(rf"^\s*\[\[\s*{re.escape(str(before))}\s*\]\]", 0, step)
            else:
                same = [v for v in value[:step] if v == value[step]]
                at = self._find(_literal(value[step]), at, len(same))
            value = value[step]
        return self.text.count("\n", 0, at) + 1

    def _header(self, place: Place) -> tuple[int, int]:
        """Where the header ends that names most tables on the way, such as [turn.oop], and how many; or (0, 0)."""
        for count in range(len(place), 1, -1):
            steps = place[:count]
            if all(isinstance(step, str) for step in steps):
                dotted = r"\s*\.\s*".join(rf"[\"']?{re.escape(str(step))}[\"']?" for step in steps)
                if found := re.search(rf"^\s*\[\s*{dotted}\s*\]", self.text, re.MULTILINE):
                    return found.end() - 1, count
        return 0, 0

    def _find(self, pattern: str, at: int, skip: int = 0) -> int:
        """Where a pattern matches, not counting so many matches before; the place we are at if it does not."""
        found = list(re.compile(pattern, re.MULTILINE).finditer(self.text, at))
        return found[skip].end() - 1 if len(found) > skip else at


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return rf"([\"']){re.escape(value)}\1"
    return rf"(?<![\w.-]){re.escape(str(value).lower())}(?![\w.])"


def _read_yaml(path: Path, text: str) -> Located:
    try:
        import yaml
    except ImportError:
        raise MissingExtra("PyYAML", "yaml", f"reading {path}") from None
    lines: dict[Place, int] = {(): 1}
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if root is not None:
            _walk_yaml(path, root, (), lines)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        number = error.problem_mark.line + 1 if error.problem_mark else 1
        raise FileError(f"{path}, line {number}: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise FileError(f"{path} is not YAML: {one_line(' '.join(str(error).split()))}") from None
    except (TypeError, ValueError, OverflowError) as error:  # a date or a number that there is not
        raise FileError(f"{path} is not YAML: {one_line(' '.join(str(error).split()))}") from None
    if not isinstance(data, dict):
        raise FileError(f"{path}, line 1: expected keys and values, such as `games: [kuhn, leduc]`")
    return Located(path, data, lambda place: lines.get(place) or lines.get(place[:-1], 1))


def _walk_yaml(path: Path, node: Any, place: Place, lines: dict[Place, int]) -> None:
    """Note the line of everything below a node; a key given twice is an error, as it is in TOML."""
    if len(lines) > MOST_VALUES:  # aliases of aliases
        raise FileError(f"{path} has more than {MOST_VALUES:,} values, counting those of aliases every time")
    if node.id == "mapping":
        for key, value in node.value:
            if not isinstance(key.value, str):
                raise FileError(f"{path}, line {key.start_mark.line + 1}: a key must be a word")
            inside = (*place, key.value)
            if inside in lines:
                raise FileError(f"{path}, line {key.start_mark.line + 1}: {key.value} is given twice")
            lines[inside] = key.start_mark.line + 1
            _walk_yaml(path, value, inside, lines)
    elif node.id == "sequence":
        for position, value in enumerate(node.value):
            lines[*place, position] = value.start_mark.line + 1
            _walk_yaml(path, value, (*place, position), lines)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
