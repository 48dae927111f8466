"""A client of Slumbot's HTTP protocol: an agent of ours plays hands against it.

    POST login     {"username", "password"}   -> {"token"}                   only to be on its leaderboard
    POST new_hand  {"token"?}                 -> a reply (`mccfr.protocols.slumbot_reply`)
    POST act       {"token", "incr"}          -> a reply; incr is our move: k, c, f or bN

Blinds are 50 and 100, stacks 20,000 in every hand. The newest token is the right one. `act` is sent once: a second time
it would be another move. `new_hand` is sent again only if no connection came about.
"""

import http.client
import json
import random
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any, NamedTuple

from mccfr.betting.lines import NOBODY, OVER
from mccfr.errors import one_line, quoted, told
from mccfr.files.bounded import parse_json
from mccfr.playing.agent import Agent, checked_move
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.seen import Result, Seen
from mccfr.protocols.slumbot_betting import slumbot_step
from mccfr.protocols.slumbot_reply import (
    SLUMBOT_TABLE,
    Reply,
    SlumbotError,
    read_reply,
    read_token,
    record_of,
    require_next,
    require_no_error,
)

URL = "https://slumbot.com/slumbot/api"
MOST_REPLY = 64 * 1024  # bytes
TIMEOUT, PAUSE, ATTEMPTS = 60.0, 1.0, 3


class SlumbotHand(NamedTuple):
    """A hand that was played.

    Attributes:
        hand: The hand.
        seat: Our seat in it.
        winnings: What we won, in chips.
        baseline: What Slumbot would have won in our place, or None if it did not say.
    """

    hand: HandRecord
    seat: int
    winnings: int
    baseline: int | None


class Slumbot:
    """A session with the server. It keeps the newest token.

    Args:
        url: Where the server is, up to the name of the request.
        timeout: Seconds that a reply may take.
        pause: Seconds before a hand is asked for again, if there was no connection.
    """

    def __init__(self, url: str = URL, timeout: float = TIMEOUT, pause: float = PAUSE) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SlumbotError(f"{quoted(url)} is no address of a server: expected one such as {URL}")
        self.url, self.timeout, self.pause = url.rstrip("/"), timeout, pause
        self.token: str | None = None
        self._opener = urllib.request.build_opener(_NoRedirect)

    def login(self, user: str, password: str) -> None:
        """Play under a name of the server's leaderboard."""
        self._ask("login", {"username": user, "password": password}, 1)
        if self.token is None:
            raise SlumbotError("login: the reply has no token")

    def new_hand(self) -> Reply:
        """Begin a hand."""
        reply = self._checked("new_hand", {} if self.token is None else {"token": self.token}, ATTEMPTS)
        require_next(None, None, reply)
        return reply

    def act(self, before: Reply, move: Any) -> Reply:
        """Make a move, which is sent once."""
        if self.token is None:
            raise SlumbotError("act: the server has given no token")
        incr = slumbot_step(move)
        reply = self._checked("act", {"token": self.token, "incr": incr}, 1)
        try:
            require_next(before, move, reply)
        except SlumbotError as error:
            raise SlumbotError(f"act {incr}: {error}") from None
        return reply

    def _checked(self, name: str, document: dict[str, Any], attempts: int) -> Reply:
        given = self._ask(name, document, attempts)
        try:
            return read_reply(given)
        except SlumbotError as error:
            raise SlumbotError(f"{name}: {error}") from None

    def _ask(self, name: str, document: dict[str, Any], attempts: int) -> dict[str, Any]:
        """The server's answer, an object without an error; the newest token is kept."""
        for attempt in range(1, attempts + 1):
            try:
                given = self._post(name, document)
                break
            except _NotConnected as error:
                if attempt == attempts:
                    raise SlumbotError(f"{name}: {error}") from None
                time.sleep(self.pause * attempt)
        try:
            require_no_error(given)
            self.token = read_token(given) or self.token
        except SlumbotError as error:
            raise SlumbotError(f"{name}: {error}") from None
        found: dict[str, Any] = given
        return found

    def _post(self, name: str, document: dict[str, Any]) -> Any:
        """Send a request once and read what comes back, up to a bound."""
        where = f"{self.url}/{name}"
        request = urllib.request.Request(
            where, json.dumps(document).encode(), {"Content-Type": "application/json"}, method="POST"
        )
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                content = answer.read(MOST_REPLY + 1)
        except urllib.error.HTTPError as error:
            raise SlumbotError(f"{name}: {where} answers {error.code}: {_said(error)}") from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, OSError) and not isinstance(error.reason, ssl.SSLError):
                raise _NotConnected(f"no connection to {where}: {told(error.reason)}") from None
            raise SlumbotError(f"{name}: no connection to {where}: {one_line(str(error.reason))}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise SlumbotError(f"{name}: {where} did not answer: {told(error)}") from None
        if len(content) > MOST_REPLY:
            raise SlumbotError(f"{name}: a reply of more than {MOST_REPLY:,} bytes")
        try:
            return parse_json(content)
        except ValueError as error:
            raise SlumbotError(f"{name}: the reply is not JSON: {one_line(str(error))}") from None


class _NotConnected(SlumbotError):
    """No connection: the server cannot have read anything."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A server that sends us elsewhere is refused: nobody named that place."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _said(error: urllib.error.HTTPError) -> str:
    """What a server said with an error code."""
    try:
        given = parse_json(error.read(MOST_REPLY))
        return one_line(str(given.get("error_msg", given)) if isinstance(given, dict) else str(given))
    except (OSError, http.client.HTTPException, ValueError):
        return one_line(str(error.reason))


def play_slumbot(agent: Agent, server: Slumbot, hands: int, seed: int = 0) -> Iterator[SlumbotHand]:
    """Play hands, one after the other; each is yielded when it is over, so that an error later loses none.

    Args:
        agent: Who plays for us, at SLUMBOT_TABLE.
        server: The session.
        hands: How many to play.
        seed: Decides what the agent draws.

    Yields:
        Each hand with its result.

    Raises:
        SlumbotError: The server cannot be reached, or answers what cannot be right.
        AgentError: The agent made an illegal move.
    """
    for number in range(hands):
        yield _play_one(agent, server, random.Random(f"{seed}/{number}"), number)


def _play_one(agent: Agent, server: Slumbot, dice: random.Random, number: int) -> SlumbotHand:
    reply = server.new_hand()
    agent.start(_seen(reply, 0), dice)
    _show(agent, reply, 0)
    while reply.state.mover != OVER:
        move = checked_move(agent, _seen(reply, len(reply.moves)))
        before, reply = reply, server.act(reply, move)
        _show(agent, reply, len(before.moves))
    hand = record_of(reply, (agent.name, "Slumbot"), number)
    winnings = reply.winnings or 0
    hidden = reply.state.folded != NOBODY
    bot = () if hidden else reply.bot_hole
    holes = (reply.hole, bot) if reply.seat == 0 else (bot, reply.hole)
    agent.end(_seen(reply, len(reply.moves)), Result(winnings, holes, reply.board))
    return SlumbotHand(hand, reply.seat, winnings, reply.baseline)


def _seen(reply: Reply, count: int) -> Seen:
    """What we saw after so many moves of a hand."""
    table, moves = SLUMBOT_TABLE, reply.moves[:count]
    s = table.start
    for move in moves:
        s = table.play(s, move)
    size = len(reply.board) if count == len(reply.moves) else table.board_size(s.street)
    return Seen(table, reply.seat, reply.hole, reply.board[:size], s, moves)


def _show(agent: Agent, reply: Reply, known: int) -> None:
    """Tell an agent the moves that it has not seen."""
    for count in range(known + 1, len(reply.moves) + 1):
        agent.see(_seen(reply, count))
