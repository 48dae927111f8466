"""Logs of matches as the ACPC dealer writes them: a header, a line for each hand, and the score.

    # name/game/hands/seed NAME GAME 1000 0
    STATE:0:cr200c/cc/cc/r500f:Kd6s|2c7d/8hAd5d/9h/Ts:-200|200:alice|bob
    SCORE:-200|200:alice|bob

A hand's values and names are by position, the big blind first; those of the score are in the order of the players.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mccfr.betting.lines import OVER
from mccfr.errors import FileError, quoted
from mccfr.files.bounded import open_plain
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import Table
from mccfr.protocols.acpc_text import (
    LONGEST,
    AcpcError,
    betting_text,
    cards_text,
    is_comment,
    read_betting,
    read_cards,
    street_shown,
)

NAME = re.compile(r"[^\s:|#;=\x00-\x1f][^\s:|\x00-\x1f]{0,99}")
_NUMBER = r"-?[0-9]{1,15}(?:\.[0-9]{1,6})?"
_HAND = re.compile(rf"STATE:([0-9]{{1,10}}):([^:]*):([^:]*):({_NUMBER})\|({_NUMBER}):([^:|]+)\|([^:|]+)")
_SCORE = re.compile(rf"SCORE:({_NUMBER})\|({_NUMBER}):([^:|]+)\|([^:|]+)")
ROUNDING = 1e-6  # of the six decimals that a dealer prints


class Score(NamedTuple):
    """The last line of a log: what each player has won in all."""

    chips: tuple[float, float]
    names: tuple[str, str]


class Log(NamedTuple):
    """A log that was read.

    Attributes:
        hands: Its hands.
        score: What each player won, or None if the match did not end.
        comments: Its comment lines.
    """

    hands: tuple[HandRecord, ...]
    score: Score | None
    comments: tuple[str, ...]


def chips_text(chips: float) -> str:
    """Chips as the dealer prints them: six decimals, without zeros at the end."""
    text = f"{chips:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def hand_line(record: HandRecord) -> str:
    """A hand that is over as a line of a log."""
    cards = cards_text(record.table, record.holes, record.board)
    chips = "|".join(map(chips_text, record.chips))
    return f"STATE:{record.number}:{betting_text(record.table, record.moves)}:{cards}:{chips}:{'|'.join(record.names)}"


def score_line(chips: Sequence[float], names: Sequence[str]) -> str:
    """The last line of a log."""
    return f"SCORE:{'|'.join(map(chips_text, chips))}:{'|'.join(names)}"


def read_hand(table: Table, line: str) -> HandRecord:
    """A line of a log as a hand: legal betting to its end, all cards, and the values that follow from them."""
    found = _HAND.fullmatch(line)
    if found is None:
        raise AcpcError(f"expected STATE:hand:betting:cards:value|value:name|name, got {quoted(line)}")
    betting = read_betting(table, found[2])
    if betting.state.mover != OVER:
        raise AcpcError(f"hand {found[1]}: betting {quoted(found[2])} does not end the hand")
    holes, board = read_cards(table, found[3], street_shown(table, betting.state))
    if not all(holes):
        raise AcpcError(f"hand {found[1]}: a log has the cards of both players, got {quoted(found[3])}")
    record = HandRecord(table, holes, board, betting.moves, (found[6], found[7]), int(found[1]))
    said = float(found[4]), float(found[5])
    if any(abs(one - other) > ROUNDING for one, other in zip(said, record.chips)):
        right = "|".join(map(chips_text, record.chips))
        raise AcpcError(f"hand {found[1]}: values {found[4]}|{found[5]} are wrong, cards and betting give {right}")
    return record


def read_score(line: str) -> Score:
    """The last line of a log."""
    found = _SCORE.fullmatch(line)
    if found is None:
        raise AcpcError(f"expected SCORE:chips|chips:name|name, got {quoted(line)}")
    return Score((float(found[1]), float(found[2])), (found[3], found[4]))


def read_log(table: Table, path: str | Path) -> Log:
    """A whole log, checked line by line: hands, and a score that is their sum."""
    hands, comments, score = list[HandRecord](), list[str](), None
    for number, line in _lines(path):
        if is_comment(line):
            comments += [line] if line else []
            continue
        try:
            if score is not None:
                raise AcpcError(f"expected nothing after the score, got {quoted(line)}")
            if line.startswith("SCORE"):
                score = _checked_score(read_score(line), hands)
            else:
                hands.append(read_hand(table, line))
        except AcpcError as error:
            raise AcpcError(f"{path}, line {number}: {error}") from None
    return Log(tuple(hands), score, tuple(comments))


def totals(hands: Sequence[HandRecord], names: Sequence[str]) -> tuple[float, float]:
    """What each of two players has won in these hands."""
    won = dict.fromkeys(names, 0.0)
    for record in hands:
        for name, chips in zip(record.names, record.chips):
            if name not in won:
                raise AcpcError(f"hand {record.number}: no player {quoted(name)}, expected {' or '.join(names)}")
            won[name] += chips
    return won[names[0]], won[names[1]]


def _checked_score(score: Score, hands: Sequence[HandRecord]) -> Score:
    won = totals(hands, score.names)
    if any(abs(one - other) > ROUNDING * (len(hands) + 1) for one, other in zip(won, score.chips)):
        raise AcpcError(f"the score is wrong: the hands before it give {'|'.join(map(chips_text, won))}")
    return score


def _lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines of a file and their numbers; none is longer than a protocol's line may be."""
    try:
        with open_plain(path) as file:
            for number in itertools.count(1):
                line = file.readline(LONGEST + 1)
                if not line:
                    return
                if len(line) > LONGEST:
                    raise AcpcError(f"{path}, line {number}: longer than {LONGEST:,} bytes")
                try:
                    yield number, line.decode("utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise AcpcError(f"{path}, line {number}: it is not text") from None
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
