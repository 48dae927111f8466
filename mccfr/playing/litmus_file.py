"""Litmus checks read from a TOML or YAML file, checked completely: a mistake is one line that says where it is."""

import dataclasses
from pathlib import Path
from typing import Any

from mccfr.errors import FileError, nearest, quoted
from mccfr.files.located import Located, read_located
from mccfr.playing.litmus import ACTIONS, BETTINGS, KINDS_OF_CHECK, LONGEST_LINE, STEP, Check

SHIPPED = Path(__file__).parent / "litmus.toml"
MOST_CHECKS, MOST_HANDS, LONGEST_TEXT = 1000, 50, 500
KEYS = {field.name: field for field in dataclasses.fields(Check)}
NEEDED = [name for name, field in KEYS.items() if field.default is dataclasses.MISSING]
WORDS = {"kind": KINDS_OF_CHECK, "action": tuple(ACTIONS), "betting": BETTINGS}
HANDS_OF_KIND = {"single": (1, 1), "pair": (2, 2), "monotonic": (2, MOST_HANDS)}


def read_checks(path: str | Path = SHIPPED) -> list[Check]:
    """The checks of a file; those of the package if none is given."""
    found = read_located(Path(path))
    listed = found.data.get("check")
    unknown = next((key for key in found.data if key != "check"), None)
    if unknown is not None:
        raise FileError(f"{path}, line {found.line((unknown,))}: unknown key {quoted(unknown)}: expected [[check]]")
    if not isinstance(listed, list) or not listed or not all(isinstance(each, dict) for each in listed):
        raise FileError(f"{path} has no checks: expected tables [[check]] with name, kind, hands, line and action")
    if len(listed) > MOST_CHECKS:
        raise FileError(f"{path} has {len(listed):,} checks, expected at most {MOST_CHECKS:,}")
    return [_Reader(found, number, each).check() for number, each in enumerate(listed)]


class _Reader:
    """Reads one check."""

    def __init__(self, file: Located, number: int, given: dict[str, Any]) -> None:
        self.file, self.number, self.given = file, number, given

    def check(self) -> Check:
        """The check, if everything about it is right."""
        for key in self.given:
            if key not in KEYS:
                self.refuse(key, f"unknown key {quoted(key)}; {nearest(key, KEYS)}")
        for key in NEEDED:
            if key not in self.given:
                self.refuse(None, f"check {self.number + 1} has no {key}")
        values = {key: self.value(key, value) for key, value in self.given.items()}
        least, most = HANDS_OF_KIND[values["kind"]]
        if not least <= len(values["hands"]) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            self.refuse("hands", f"a {values['kind']} check has {wanted} ranges of hands, not {len(values['hands'])}")
        return Check(**values)

    def value(self, key: str, value: Any) -> Any:
        """A value of the right kind."""
        if key == "hands":
            if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
                self.refuse(key, f"hands must be a list of texts such as ['AA', '72o'], got {quoted(value)}")
            return tuple(each[:LONGEST_TEXT] for each in value)
        if key in ("at_least", "at_most", "tolerance"):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                self.refuse(key, f"{key} must be a probability from 0 to 1, got {quoted(value)}")
            return float(value)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.refuse(key, f"{key} must be a text of at most {LONGEST_TEXT} characters, got {quoted(value)}")
        if key in WORDS and value not in WORDS[key]:
            self.refuse(key, f"{key} is {quoted(value)}; {nearest(value, WORDS[key])}")
        if key == "line" and (len(value) > LONGEST_LINE or STEP.sub("", value)):
            self.refuse(key, f"line {quoted(value)} must be at most {LONGEST_LINE} of the letters f, k, c, r, a and /")
        return value

    def refuse(self, key: str | None, problem: str) -> None:
        """Raise an error that says in which line."""
        place = ("check", self.number) if key is None else ("check", self.number, key)
        raise FileError(f"{self.file.path}, line {self.file.line(place)}: {problem}")
