"""Betting as ACPC and Slumbot write it: `r250c/cr583c/cc/r1500f` and `b250c/kb333c/kk/b917f` are the same hand.

ACPC counts what a player has put in over the whole hand and has one letter for checks and calls, and in limit no
amounts. Slumbot counts the chips of this street, as we do, and tells checks from calls but not raises from bets. In
both, `/` stands between streets, and streets that are not played because somebody is all-in are empty: `b20000c///`.
"""

import re
from collections.abc import Callable, Sequence

from mccfr.betting.lines import BETS, CALL, CHECK, FOLD, LETTERS, NOBODY, OVER, Move, State
from mccfr.betting.structures import Limit
from mccfr.errors import quoted
from mccfr.playing.table import Table, TableError

LONGEST = 600  # characters of betting: four bets a street are a tenth of it
SLUMBOT_STEP = re.compile(r"([fkc])|b([0-9]{1,9})")
ACPC_STEP = re.compile(r"([fc])|r([0-9]{0,9})")
Letters = Callable[[Table, State, Move], str]
Reader = Callable[[Table, State, re.Match[str]], Move]


def slumbot_text(table: Table, moves: Sequence[Move]) -> str:
    """Betting as Slumbot writes it."""
    return _text(table, moves, slumbot_step)


def acpc_text(table: Table, moves: Sequence[Move]) -> str:
    """Betting as ACPC writes it."""
    return _text(table, moves, acpc_step)


def slumbot_step(table: Table, s: State, move: Move) -> str:
    """One move as Slumbot writes it: `k`, `c`, `f` or `bN`."""
    return f"b{move.amount}" if move.kind >= BETS else LETTERS[move.kind]


def acpc_step(table: Table, s: State, move: Move) -> str:
    """One move as ACPC writes it: `c`, `f`, and `r` with what has been put in since the start of the hand."""
    if move.kind >= BETS:
        return "r" if isinstance(table.betting, Limit) else f"r{s.opened + move.amount}"
    return "f" if move == FOLD else "c"


def _text(table: Table, moves: Sequence[Move], letters: Letters) -> str:
    s, found = table.start, ""
    for move in moves:
        after = table.play(s, move)
        found += letters(table, s, move) + "/" * (after.street - s.street)
        s = after
    unplayed = table.streets - 1 - s.street if s.mover == OVER and s.folded == NOBODY else 0
    return found + "/" * unplayed


def read_slumbot(table: Table, text: str) -> tuple[Move, ...]:
    """The moves of Slumbot's betting; every one must be legal, and every `/` where a street ends."""
    return _read(table, text, SLUMBOT_STEP, _slumbot_move, slumbot_text, "f, k, c or bN")


def read_acpc(table: Table, text: str) -> tuple[Move, ...]:
    """The moves of ACPC's betting; every one must be legal, and every `/` where a street ends."""
    letters = "f, c or r" if isinstance(table.betting, Limit) else "f, c or rN"
    return _read(table, text, ACPC_STEP, _acpc_move, acpc_text, letters)


def _slumbot_move(table: Table, s: State, found: re.Match[str]) -> Move:
    return {"f": FOLD, "k": CHECK, "c": CALL}[found[1]] if found[1] else table.raise_to(s, int(found[2]))


def _acpc_move(table: Table, s: State, found: re.Match[str]) -> Move:
    if found[1] == "f":
        return FOLD
    if found[1] == "c":
        return table.legal(s).moves[-1]
    bounds = table.legal(s).bounds
    if isinstance(table.betting, Limit):
        return table.raise_to(s, bounds[0] if bounds else 0)
    return table.raise_to(s, int(found[2] or 0) - s.opened)


def _read(
    table: Table, text: str, step: re.Pattern[str], move_of: Reader, write: Callable[..., str], letters: str
) -> tuple[Move, ...]:
    """Moves by a pattern. What is written of them must be the text again, but for slashes at its end."""
    if len(text) > LONGEST:
        raise TableError(f"betting of {len(text):,} characters: expected at most {LONGEST}")
    s, moves, place = table.start, list[Move](), 0
    while place < len(text):
        if text[place] == "/":
            place += 1
            continue
        found = step.match(text, place)
        if found is None or s.mover == OVER:
            expected = "nothing: the hand is over" if s.mover == OVER else letters
            raise TableError(f"betting {quoted(text)}, character {place + 1}: expected {expected}")
        move = move_of(table, s, found)
        problem = table.problem(s, move)
        if problem:
            raise TableError(f"betting {quoted(text)}, character {place + 1}: {problem}")
        s, place = table.play(s, move), found.end()
        moves.append(move)
    written = write(table, moves)
    if text.rstrip("/") != written.rstrip("/") or len(text) > len(written):
        raise TableError(f"betting {quoted(text)}: expected {quoted(written)}, with '/' where a street ends")
    return tuple(moves)
