"""What Slumbot's server answers, checked completely: cards, betting, and that it follows from what was before.

A reply of the server is JSON. `action` is all betting of the hand (`mccfr.protocols.slumbot_betting`), `client_pos` our
seat (0 is the big blind), `hole_cards` and `board` are lists of cards. `winnings` is there exactly when the hand is
over, then often with `bot_hole_cards` and `baseline_winnings`: what Slumbot itself would have won with our cards.
`token` names the session and may change with every reply. An error is an `error_msg`.
"""

from typing import Any, NamedTuple

from mccfr.betting.lines import NOBODY, OVER, Move, State
from mccfr.betting.structures import NoLimit
from mccfr.errors import MccfrError, one_line, quoted
from mccfr.files.bounded import is_count
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import Table
from mccfr.protocols.shown_cards import read_cards, require_count, require_different
from mccfr.protocols.slumbot_betting import read_slumbot, slumbot_text

SLUMBOT_TABLE = Table(NoLimit(stack=20_000, blinds="50 100", bet="a"))
LONGEST_TOKEN = 4096


class SlumbotError(MccfrError, RuntimeError):
    """A server that cannot be reached, refuses a request, or answers what cannot be right."""


class Reply(NamedTuple):
    """A reply of the server.

    Attributes:
        seat: Our seat: 0 is the big blind.
        hole: Our cards.
        board: The cards on the table.
        moves: All moves of the hand.
        state: Where betting stands.
        bot_hole: The bot's cards, empty where they are not told.
        winnings: What we have won, in chips; None while the hand goes on.
        baseline: What Slumbot would have won in our place; None if that is not told.
    """

    seat: int
    hole: tuple[int, ...]
    board: tuple[int, ...]
    moves: tuple[Move, ...]
    state: State
    bot_hole: tuple[int, ...]
    winnings: int | None
    baseline: int | None


def read_reply(given: Any, table: Table = SLUMBOT_TABLE) -> Reply:
    """A reply from its JSON."""
    require_no_error(given)
    seat = given.get("client_pos")
    if not is_count(seat, 0, 1):
        raise SlumbotError(f"client_pos must be 0 or 1, got {quoted(seat)}")
    action = given.get("action")
    if not isinstance(action, str):
        raise SlumbotError(f"action must be text, got {quoted(action)}")
    try:
        moves = read_slumbot(table, action)
        hole, board, bot_hole = (
            read_cards(table, given.get(name) or [], name) for name in ("hole_cards", "board", "bot_hole_cards")
        )
        require_different(table, (*hole, *bot_hole, *board), "hole_cards, bot_hole_cards and board")
        require_count(table, hole, 2, "hole_cards")
    except MccfrError as error:
        raise SlumbotError(str(error)) from None
    state = HandRecord(table, ((), ()), (), moves).state
    found = Reply(
        seat, hole, board, moves, state, bot_hole, *(_whole(given, n) for n in ("winnings", "baseline_winnings"))
    )
    _require_whole_reply(table, found)
    return found


def require_no_error(given: Any) -> None:
    """Refuse what is no object, and tell the error that the server told."""
    if not isinstance(given, dict):
        raise SlumbotError(f"expected a JSON object, got {quoted(given)}")
    if given.get("error_msg"):
        raise SlumbotError(f"the server says: {one_line(str(given['error_msg']))}")


def read_token(given: dict[str, Any]) -> str | None:
    """The token of a reply, if it has a new one."""
    token = given.get("token")
    if token is not None and not (isinstance(token, str) and 0 < len(token) <= LONGEST_TOKEN):
        raise SlumbotError(f"token must be text of 1 to {LONGEST_TOKEN:,} characters, got {quoted(token)}")
    return token


def _whole(given: dict[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is not None and not is_count(value, -20_000, 20_000):
        raise SlumbotError(f"{name} must be a whole number of chips, got {quoted(value)}")
    return value


def _require_whole_reply(table: Table, reply: Reply) -> None:
    """Refuse a board that does not fit the betting, and winnings that are not what the hand comes to."""
    s = reply.state
    over, showdown = s.mover == OVER, s.mover == OVER and s.folded == NOBODY
    sizes = {table.board_size(table.streets - 1 if showdown else s.street)}
    if len(reply.board) not in sizes:
        action = slumbot_text(table, reply.moves)
        raise SlumbotError(f"{len(reply.board)} cards on the board after {action!r}, expected {min(sizes)}")
    if len(reply.bot_hole) not in (0, 2):
        raise SlumbotError(f"bot_hole_cards has {len(reply.bot_hole)} cards, expected 2")
    if over != (reply.winnings is not None):
        problem = "there are no winnings, but the hand is over" if over else "there are winnings, but nobody has won"
        raise SlumbotError(f"{problem} after {slumbot_text(table, reply.moves)!r}")
    if over:
        _require_winnings(table, reply)


def _require_winnings(table: Table, reply: Reply) -> None:
    known = reply.state.folded != NOBODY or bool(reply.bot_hole)
    winners = [NOBODY, 0, 1]
    possible = {table.betting.payoffs(reply.state, winner)[reply.seat] for winner in winners}
    expected = {record_of(reply).chips[reply.seat]} if known else possible
    if reply.winnings not in expected:
        listed = " or ".join(f"{chips:+g}" for chips in sorted(expected))
        raise SlumbotError(f"winnings are {reply.winnings:+}, but betting and cards come to {listed}")


def require_next(before: Reply | None, sent: Move | None, now: Reply) -> None:
    """Refuse a reply that does not follow from the one before and what we sent, or in which it is not our turn."""
    if before is not None:
        if (now.seat, now.hole) != (before.seat, before.hole):
            raise SlumbotError("our seat or cards have changed in the middle of a hand")
        so_far = (*before.moves, *(() if sent is None else (sent,)))
        if now.moves[: len(so_far)] != so_far or now.board[: len(before.board)] != before.board:
            raise SlumbotError("betting or board do not go on where they were: the reply is of another hand")
    if now.state.mover not in (OVER, now.seat):
        raise SlumbotError(f"after {slumbot_text(SLUMBOT_TABLE, now.moves)!r} it is the bot's own turn")


def record_of(reply: Reply, names: tuple[str, str] = ("client", "Slumbot"), number: int = 0) -> HandRecord:
    """A hand that is over, as a record; `names` are ours and the bot's."""
    table = SLUMBOT_TABLE
    if reply.seat == 0:
        return HandRecord(table, (reply.hole, reply.bot_hole), reply.board, reply.moves, names, number)
    return HandRecord(table, (reply.bot_hole, reply.hole), reply.board, reply.moves, (names[1], names[0]), number)
