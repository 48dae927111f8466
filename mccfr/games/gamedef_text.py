"""The text of ACPC game definitions: which keys there are, what stands on which line, and what is wrong there.

The format is that of the Annual Computer Poker Competition's server (`game.c` and `game.h` of project_acpc_server): a
key and its numbers on each line between GAMEDEF and END GAMEDEF, in any case, `=` or no `=`, lines in any order. Text
after `#` is a comment. Stricter than the server: unknown keys, keys given twice, too many numbers and a missing END are
refused.
"""

import re
from pathlib import Path
from typing import NamedTuple, NoReturn

from mccfr.errors import FileError, GameError, nearest, printable, quoted
from mccfr.files.bounded import read_plain

BEGIN, END = "gamedef", "end gamedef"
KINDS = ("limit", "nolimit")
MOST_BYTES, LONGEST_LINE = 2**16, 4096  # of a file; of a line (MAX_LINE_LEN)
MOST_CHIPS = 2**31 - 1  # an int32
MOST_ROUNDS, MOST_PLAYERS, MOST_BOARD, MOST_HOLE, MOST_SUITS, MOST_RANKS, MOST_RAISES = 4, 10, 7, 3, 4, 13, 255
PER_GAME, PER_PLAYER, PER_ROUND = "game", "player", "round"


class Key(NamedTuple):
    """A key as it is written, what it has a number for each of, and the least and the most of these numbers."""

    name: str
    per: str
    least: int
    most: int


KEYS = {  # by name in lower case
    name.lower(): Key(name, per, least, most)
    for name, per, least, most in (
        ("numPlayers", PER_GAME, 2, MOST_PLAYERS),
        ("numRounds", PER_GAME, 1, MOST_ROUNDS),
        ("stack", PER_PLAYER, 1, MOST_CHIPS),
        ("blind", PER_PLAYER, 0, MOST_CHIPS),
        ("raiseSize", PER_ROUND, 1, MOST_CHIPS),
        ("firstPlayer", PER_ROUND, 1, MOST_PLAYERS),
        ("maxRaises", PER_ROUND, 0, MOST_RAISES),
        ("numSuits", PER_GAME, 1, MOST_SUITS),
        ("numRanks", PER_GAME, 1, MOST_RANKS),
        ("numHoleCards", PER_GAME, 1, MOST_HOLE),
        ("numBoardCards", PER_ROUND, 0, MOST_BOARD),
    )
}
REQUIRED = {  # of limit and of no-limit
    True: KEYS.keys() - {"stack", "maxraises"},
    False: KEYS.keys() - {"raisesize", "maxraises"},
}
_ENTRY = re.compile(r"([a-z]\w*)\s*=?\s*(.*)", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"\d{1,10}", re.ASCII)


class Definition(NamedTuple):
    """The numbers of a definition by key in lower case, and the line that each stands on."""

    name: str  # of the file
    limit: bool
    numbers: dict[str, list[int]]
    lines: dict[str, int]  # by key

    def one(self, key: str) -> int:
        """The number of a key that has one."""
        return self.numbers[key.lower()][0]

    def count(self, key: str) -> int:
        """How many players or rounds there are, while keys are not all known to have their numbers."""
        if key not in self:
            self.refuse(END, f"{key} is missing")
        found = self.all(key)
        if len(found) != 1:
            self.refuse(key, f"{key} has {len(found)} numbers, expected 1")
        return found[0]

    def all(self, key: str) -> list[int]:
        """The numbers of a key."""
        return self.numbers[key.lower()]

    def __contains__(self, key: object) -> bool:
        return str(key).lower() in self.numbers

    def refuse(self, key: str, problem: str) -> NoReturn:
        """Say what is wrong with the numbers of a key, and on which line."""
        line = self.lines.get(key.lower(), self.lines[END])
        raise GameError(f"{self.name}, line {line}: {problem}")


def read_text(path: Path) -> str:
    """The text of a definition's file, which is small."""
    try:
        content = read_plain(path, MOST_BYTES)
    except FileError:
        raise
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {printable(str(path))}: {getattr(error, 'strerror', None) or error}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(f"{printable(str(path))}, line {line}: a byte that is no text; a definition is text") from None


def parse(name: str, text: str) -> Definition:
    """The numbers of a definition, each checked by itself; see `check_counts` for how many there must be."""
    reader = _Reader(name)
    rows = text.splitlines()
    for row, line in enumerate(rows, 1):
        reader.row = row
        if reader.take(line):
            break
    else:
        begun = "END GAMEDEF is missing: the file may be cut short"
        reader.refuse(begun if BEGIN in reader.lines else "a definition begins with GAMEDEF, got nothing")
    return Definition(name, "nolimit" not in reader.lines, reader.numbers, reader.lines)


class _Reader:
    """What has been read so far, and on which lines."""

    def __init__(self, name: str) -> None:
        self.name, self.row = name, 1
        self.numbers: dict[str, list[int]] = {}
        self.lines: dict[str, int] = {}

    def refuse(self, problem: str) -> NoReturn:
        raise GameError(f"{self.name}, line {self.row}: {problem}")

    def take(self, line: str) -> bool:
        """Read a line; whether it is the last."""
        if len(line) > LONGEST_LINE:
            self.refuse(f"longer than the {LONGEST_LINE} characters that a line may have")
        words = " ".join(line.partition("#")[0].split())
        if not words:
            return False
        key = words.lower()
        if BEGIN not in self.lines and key != BEGIN:
            self.refuse(f"a definition begins with GAMEDEF, got {quoted(words, 40)}")
        if key in (BEGIN, END, *KINDS):
            other = KINDS[1 - KINDS.index(key)] if key in KINDS else key
            self.place(key, other, words)
        else:
            self.entry(words)
        return key == END

    def place(self, key: str, other: str, word: str) -> None:
        """Keep the line of a key, which must not have been given, nor what it excludes."""
        for known in (key, other):
            if known in self.lines:
                self.refuse(f"{word}, but line {self.lines[known]} says {known} already")
        self.lines[key] = self.row

    def entry(self, words: str) -> None:
        """Read a key and its numbers."""
        found = _ENTRY.fullmatch(words)
        word = found[1] if found else words
        if not found or word.lower() not in KEYS:
            known = [key.name for key in KEYS.values()] + [*KINDS, END.upper()]
            self.refuse(f"a definition has no {quoted(word, 40)}; {nearest(word[:40], known)}")
        key = KEYS[word.lower()]
        self.place(word.lower(), word.lower(), key.name)
        self.numbers[word.lower()] = [self.number(key, text) for text in found[2].split()]

    def number(self, key: Key, text: str) -> int:
        if not _NUMBER.fullmatch(text) or not key.least <= int(text) <= key.most:
            right = f"whole numbers from {key.least} to {key.most:,}"
            self.refuse(f"{key.name} must have {right}, got {quoted(text, 40)}")
        return int(text)


def check_counts(definition: Definition) -> None:
    """Refuse a definition that lacks a key, or has not as many numbers of one as there are players or rounds."""
    needed = {PER_GAME: 1, PER_PLAYER: definition.count("numPlayers"), PER_ROUND: definition.count("numRounds")}
    for key, (name, per, *_) in KEYS.items():
        if key not in definition:
            if key in REQUIRED[definition.limit]:
                definition.refuse(END, f"{name} is missing")
        elif (found := len(definition.all(key))) != needed[per]:
            definition.refuse(key, f"{name} has {found} numbers, expected {needed[per]}: one for each {per}")
