"""The words of an .efg file: quoted texts, numbers, braces and commas, and the line where each one stands."""

import functools
import re
from fractions import Fraction

from mccfr.errors import FileError

TEXT, MARK, WORD, UNCLOSED, END = "text", "mark", "word", "unclosed", "end"
_TOKEN = re.compile(
    rf"""\s*(?: "(?P<{TEXT}>(?:[^"\\]++|\\.)*+)" | (?P<{MARK}>[{{}},]) | (?P<{WORD}>[^\s{{}},"]+)
           | (?P<{UNCLOSED}>") | (?P<{END}>\Z) )""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)")
_LARGEST = 1e300  # sums along a path stay finite
_DIGITS = 1000


class Tokens:
    """A cursor over the tokens of a text: `kind`, `value` and `start` are those of the token that comes next."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self._matches = _TOKEN.finditer(text)
        self.value = ""
        self._advance()

    def _advance(self) -> str:
        """Moves on and returns the value passed over."""
        passed, match = self.value, next(self._matches)
        self.kind = str(match.lastgroup)
        self.value = match.group(self.kind)
        self.start = match.start(self.kind)
        if self.kind == UNCLOSED:
            raise FileError(f'{self.place()}: a text starts here and never ends; expected a closing "')
        return passed

    def place(self, start: int | None = None) -> str:
        """`name, line n` of the next token, or of an earlier one by its start."""
        return f"{self._name}, line {self.line(start)}"

    def line(self, start: int | None = None) -> int:
        return self._text.count("\n", 0, self.start if start is None else start) + 1

    def fail(self, expected: str) -> FileError:
        """The error to raise when the next token is not what it should be."""
        start = self.value[:60]
        found = {END: "the end of the file", TEXT: f'"{start}"'}.get(self.kind, start)
        return FileError(one_line(f"{self.place()}: expected {expected}, found {found}"))

    def text(self, expected: str) -> str:
        if self.kind != TEXT:
            raise self.fail(expected)
        text = self._advance()
        return re.sub(r'\\(["\\])', r"\1", text) if "\\" in text else text

    def word(self, expected: str) -> str:
        if self.kind != WORD:
            raise self.fail(expected)
        return self._advance()

    def whole(self, expected: str) -> int:
        if self.kind != WORD or not re.fullmatch(r"[0-9]{1,18}", self.value):
            raise self.fail(expected)
        return int(self._advance())

    def number(self, expected: str) -> Fraction:
        value = _exact(self.value) if self.kind == WORD else None
        if value is None:
            raise self.fail(expected)
        self._advance()
        return value

    def mark(self, mark: str, expected: str) -> None:
        if not self.skip(mark):
            raise self.fail(expected)

    def skip(self, mark: str) -> bool:
        """Moves past the mark if it comes next."""
        if self.kind != MARK or self.value != mark:
            return False
        self._advance()
        return True


def one_line(message: str) -> str:
    """Labels may have line ends, messages may not."""
    return " ".join(message.split())


@functools.lru_cache(maxsize=100_000)
def _exact(word: str) -> Fraction | None:
    """The number a word stands for (2, -1/3, 0.25, 1e-3), or None."""
    if len(word) > _DIGITS or not _NUMBER.fullmatch(word):
        return None
    try:
        value = Fraction(word)
    except (ValueError, ZeroDivisionError):  # thousands of digits; 1/0
        return None
    return value if abs(value) <= _LARGEST else None
