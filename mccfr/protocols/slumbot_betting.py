"""Betting as Slumbot writes it: `b250c/kb333c/kk/b917f` is what ACPC writes `r250c/cr583c/cc/r1500f`.

Slumbot counts the chips of this street, as we do and ACPC does not (`mccfr.protocols.acpc_text`), and tells checks from
calls but not raises from bets. `/` stands between streets, and streets that are not played because somebody is all-in
are empty: `b20000c///`.
"""

import re
from collections.abc import Sequence

from mccfr.betting.lines import BETS, CALL, CHECK, FOLD, LETTERS, NOBODY, OVER, Move
from mccfr.errors import quoted
from mccfr.playing.table import Table, TableError

LONGEST = 600  # characters of betting: four bets a street are a tenth of it
STEP = re.compile(r"([fkc])|b([0-9]{1,9})")
PLAIN = {"f": FOLD, "k": CHECK, "c": CALL}


def slumbot_text(table: Table, moves: Sequence[Move]) -> str:
    """Betting as Slumbot writes it."""
    s, found = table.start, ""
    for move in moves:
        after = table.play(s, move)
        found += slumbot_step(move) + "/" * (after.street - s.street)
        s = after
    unplayed = table.streets - 1 - s.street if s.mover == OVER and s.folded == NOBODY else 0
    return found + "/" * unplayed


def slumbot_step(move: Move) -> str:
    """One move as Slumbot writes it: `k`, `c`, `f` or `bN`."""
    return f"b{move.amount}" if move.kind >= BETS else LETTERS[move.kind]


def read_slumbot(table: Table, text: str) -> tuple[Move, ...]:
    """The moves of Slumbot's betting; every one must be legal, and every `/` where a street ends."""
    if len(text) > LONGEST:
        raise TableError(f"betting of {len(text):,} characters: expected at most {LONGEST}")
    s, moves, place = table.start, list[Move](), 0
    while place < len(text):
        if text[place] == "/":
            place += 1
            continue
        found = STEP.match(text, place)
        if found is None or s.mover == OVER:
            expected = "nothing: the hand is over" if s.mover == OVER else "f, k, c or bN"
            raise TableError(f"betting {quoted(text)}, character {place + 1}: expected {expected}")
        move = PLAIN[found[1]] if found[1] else table.raise_to(s, int(found[2]))
        problem = table.problem(s, move)
        if problem:
            raise TableError(f"betting {quoted(text)}, character {place + 1}: {problem}")
        s, place = table.play(s, move), found.end()
        moves.append(move)
    written = slumbot_text(table, moves)
    if text.rstrip("/") != written.rstrip("/") or len(text) > len(written):
        raise TableError(f"betting {quoted(text)}: expected {quoted(written)}, with '/' where a street ends")
    return tuple(moves)
