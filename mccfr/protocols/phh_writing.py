"""Hands as PHH, the text that `mccfr.protocols.phh` reads; many of them as PHHS, each in a table of its own number.

Limit has no stacks with us but must have some in PHH: we write 100 big blinds, or more where more could be put in. The
most raises of a street, where it is not four bets, stands in a field of our own, `_cap`.
"""

from collections.abc import Iterable, Iterator

from mccfr.betting.lines import BETS, FOLDS, NOBODY, OVER, Move, State
from mccfr.betting.structures import Limit
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import Table
from mccfr.protocols.phh import CAP, HEADS_UP_CAP, HistoryError
from mccfr.protocols.shown_cards import card_text

DEEP = 100  # big blinds of a stack that is never used up
UNKNOWN = "????"


def phh_text(hand: HandRecord) -> str:
    """A hand that is over, as PHH."""
    table = hand.table
    _require_written(table)
    stack = stack_of(table)
    lines = [*_rules(table, stack), ("actions", _list(map(toml_text, actions_of(hand))))]
    lines += [("players", _list(map(toml_text, hand.names))), ("hand", str(hand.number))]
    if hand.state.folded != NOBODY or all(hand.holes):
        lines.append(("finishing_stacks", _list(str(stack + round(chips)) for chips in hand.chips)))
    return "".join(f"{name} = {value}\n" for name, value in lines)


def phhs_text(hands: Iterable[HandRecord]) -> Iterator[str]:
    """Hands as PHHS, a piece of text for each."""
    for number, hand in enumerate(hands, 1):
        yield f"[{number}]\n{phh_text(hand)}\n"


def actions_of(hand: HandRecord) -> list[str]:
    """The actions of a hand: deals, moves and what was shown. All-in, hands are shown before the rest of the board."""
    table, s = hand.table, hand.table.start
    found = [f"d dh p{seat + 1} {card_text(table, hole) or UNKNOWN}" for seat, hole in enumerate(hand.holes)]
    laid = 0
    for move in hand.moves:
        found += _laid(table, hand.board, laid, table.board_size(s.street))
        laid = table.board_size(s.street)
        found.append(action_of(s, move))
        s = table.play(s, move)
    if s.mover != OVER:
        raise HistoryError(f"hand {hand.number} is not over: only whole hands are written")
    shown = [f"p{seat + 1} sm {card_text(table, hole)}" for seat, hole in enumerate(hand.holes) if hole]
    found += shown if s.folded == NOBODY else []
    for street in range(table.streets):
        if laid < table.board_size(street) <= len(hand.board):
            found += _laid(table, hand.board, laid, table.board_size(street))
            laid = table.board_size(street)
    return found


def action_of(s: State, move: Move) -> str:
    """A move as PHH has it."""
    word = f"cbr {move.amount}" if move.kind >= BETS else "f" if move.kind == FOLDS else "cc"
    return f"p{s.mover + 1} {word}"


def stack_of(table: Table) -> int:
    """The stacks of a table; of limit, more than can be put in."""
    rules = table.betting
    if not isinstance(rules, Limit):
        return rules.stack
    most = rules.ante + rules.smallest + sum(size * cap for size, cap in rules.by_street)
    return max(DEEP * rules.smallest, most + 1)


def toml_text(text: str) -> str:
    """A text as a TOML string; what cannot be written in UTF-8 becomes a question mark."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _rules(table: Table, stack: int) -> list[tuple[str, str]]:
    rules = table.betting
    small, big = rules.posted
    forced = [("antes", _list(map(str, (rules.ante, rules.ante)))), ("blinds_or_straddles", f"[{small}, {big}]")]
    stacks = ("starting_stacks", f"[{stack}, {stack}]")
    cap = [] if str(rules.cap) in (HEADS_UP_CAP, "None") else [(CAP, toml_text(str(rules.cap)))]
    if isinstance(rules, Limit):
        (one, _), (_, _), (other, _), _ = rules.by_street
        return [("variant", '"FT"'), *forced, ("small_bet", str(one)), ("big_bet", str(other)), stacks, *cap]
    return [("variant", '"NT"'), *forced, ("min_bet", str(big)), stacks, *cap]


def _require_written(table: Table) -> None:
    """Refuse rules that PHH has no words for."""
    rules = table.betting
    whole = (table.ranks, table.suits, table.deals, rules.streets, rules.dealer) == (13, 4, (3, 1, 1), 4, 1)
    if not whole:
        raise HistoryError(f"PHH has no word for {table!r}: expected whole hold'em with 52 cards; JSON lines have")
    if isinstance(rules, Limit):
        sizes = [size for size, _ in rules.by_street]
        if sizes != [sizes[0], sizes[0], sizes[2], sizes[2]]:
            raise HistoryError(f"PHH has a small and a big bet, not {rules.bets}: expected two sizes, as in '2 2 4'")


def _laid(table: Table, board: tuple[int, ...], before: int, now: int) -> list[str]:
    return [f"d db {card_text(table, board[before:now])}"] if now > before else []


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"
