"""A program that speaks ACPC, as an agent: it connects to a port of ours and plays at any table.

What it sends is treated as the ACPC dealer treats it: lines that do not answer the state it was sent are ignored, an
action that cannot be read or is not legal becomes a call, and a raise of a wrong size the nearest legal one. All of
that is counted and noted. Time is limited for an answer, for a hand, and on average for all hands.
"""

import dataclasses
import random
import re
import time
from collections.abc import Callable

from mccfr.betting.lines import CALL, FOLD, OVER, Move, State
from mccfr.errors import quoted
from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.seen import Result, Seen
from mccfr.playing.table import Table
from mccfr.protocols.acpc_text import (
    VERSION,
    AcpcError,
    action_text,
    added_text,
    cards_text,
    is_comment,
    is_limit,
    state_text,
)
from mccfr.protocols.acpc_wire import LOOPBACK, Listener, PeerError, Wire

MOST_ACTIONS = 64  # of a round, as in the server's game.h: a raise for whose call there would be no room is not legal
_VERSION = re.compile(r"VERSION:([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})")
_ACTION = re.compile(r"[fc]|r([0-9]*)")
_LETTER = re.compile(r"[fcr]")


@dataclasses.dataclass(frozen=True)
class TimeLimits:
    """Seconds that a client may take, as the ACPC dealer has them by default.

    Attributes:
        response: For an answer.
        hand: For all answers of a hand.
        average: For all answers, times the number of hands of the match.
        start: To connect and to send its version.
    """

    response: float = 600.0
    hand: float = 600.0
    average: float = 7.0
    start: float = 600.0


@dataclasses.dataclass
class Faults:
    """What a client did wrong without ending the match.

    Attributes:
        invalid: Actions that could not be read or were not legal, and became calls.
        resized: Raises of a wrong size, which became the nearest legal one.
        ignored: Lines that answered no question.
    """

    invalid: int = 0
    resized: int = 0
    ignored: int = 0


class RemoteAgent(Agent):
    """A client that connects to a port of ours."""

    def __init__(
        self, name: str, listener: Listener, limits: TimeLimits | None = None, hands: int | None = None
    ) -> None:
        """Wait for nothing yet: the client may connect until the first hand begins.

        `hands` is the length of the match, for the limit on average; without it there is none.
        """
        self.name, self.listener = name, listener
        self.limits = limits or TimeLimits()
        self.faults = Faults()
        self.note: Callable[[str], None] = lambda text: None  # is told what was wrong with an answer
        self.used = 0.0  # seconds for answers in the whole match
        self._left = float("inf") if hands is None else self.limits.average * hands
        self._used_in_hand = 0.0
        self._wire: Wire | None = None
        self._number = -1
        self._state: State | None = None
        self._betting, self._told, self._sent_at = "", "", 0.0

    @property
    def wire(self) -> Wire:
        """The connection."""
        if self._wire is None:
            raise AcpcError(f"{self.name} has not connected yet")
        return self._wire

    def connect(self, deadline: float | None = None) -> None:
        """Wait until the client has connected and said which version it speaks."""
        if self._wire is not None:
            return
        deadline = time.monotonic() + self.limits.start if deadline is None else deadline
        self._wire = self.accept(deadline)
        line = self._wire.read(deadline)
        while is_comment(line):
            line = self._wire.read(deadline)
        found = _VERSION.match(line)
        if found is None or int(found[1]) != 2 or int(found[2]) > 0:
            raise AcpcError(f"{self.name} begins with {quoted(line)}: expected {VERSION}")

    def accept(self, deadline: float) -> Wire:
        """The connection, once there is one."""
        return self.listener.accept(self.name, deadline)

    def start(self, seen: Seen, dice: random.Random) -> None:
        self.connect()
        self._number += 1
        self._used_in_hand = 0.0
        self._betting, self._state = "", seen.table.start
        self._tell(seen, ())

    def see(self, seen: Seen) -> None:
        before = self._state
        if before is None or not seen.moves:
            raise AgentError(f"{self.name}: a hand must be started before it is seen")
        self._betting += added_text(seen.table, before, seen.moves[-1], seen.state)
        self._state = seen.state
        if seen.state.mover != OVER:  # the last state is told by `end`, with the cards that are shown
            self._tell(seen, ())

    def move(self, seen: Seen) -> Move:
        limit, what = self._time_left()
        deadline = self._sent_at + limit
        try:
            answer = self._answer(deadline)
        except PeerError as error:
            late = f", the limit {what}" if time.monotonic() >= deadline else ""
            raise PeerError(f"{error}{late} (hand {self._number})") from None
        took = time.monotonic() - self._sent_at
        self._used_in_hand += took
        self.used += took
        return self._understood(seen, answer)

    def end(self, seen: Seen, result: Result) -> None:
        self._tell(seen, result.holes[1 - seen.seat])
        self._state = None

    def close(self) -> None:
        self.listener.close()
        if self._wire is not None:
            self._wire.close()

    def _tell(self, seen: Seen, other: tuple[int, ...]) -> None:
        """Send the state, with the other player's cards where they are shown."""
        holes = (seen.hole, other) if seen.seat == 0 else (other, seen.hole)
        cards = cards_text(seen.table, holes, seen.board)
        self._told = state_text(seen.seat, self._number, self._betting, cards)
        self.wire.send(self._told, time.monotonic() + self.limits.response)
        self._sent_at = time.monotonic()

    def _time_left(self) -> tuple[float, str]:
        limits = self.limits
        return min(
            (limits.response, f"for an answer, {limits.response:g} s"),
            (limits.hand - self._used_in_hand, f"for all answers of a hand, {limits.hand:g} s"),
            (self._left - self.used, f"for the whole match, {limits.average:g} s a hand"),
        )

    def _answer(self, deadline: float) -> str:
        """What the client answers to the state it was told; other lines are ignored."""
        while True:
            line = self.wire.read(deadline)
            if line.startswith(f"{self._told}:"):
                return line[len(self._told) + 1 :]
            if not is_comment(line):
                self.faults.ignored += 1

    def _understood(self, seen: Seen, answer: str) -> Move:
        """The move that an answer is, or becomes."""
        table, s = seen.table, seen.state
        found = _ACTION.match(answer)
        move = None if found is None else self._legal_move(table, s, found)
        if move is None:
            self.faults.invalid += 1
            self._note(answer, "is not legal, changed to c")
            return table.legal(s).moves[-1]
        return move

    def _legal_move(self, table: Table, s: State, found: re.Match[str]) -> Move | None:
        legal = table.legal(s)
        if found[0] == "c":
            return legal.moves[-1]
        if found[0] == "f":
            return FOLD if CALL in legal.moves else None
        if legal.bounds is None or self._round_is_full():
            return None
        if is_limit(table):  # the dealer does not look at a number
            return table.raise_to(s, legal.bounds[0])
        return self._sized_raise(table, s, found[1]) if found[1] else None

    def _sized_raise(self, table: Table, s: State, digits: str) -> Move:
        size = int(digits[:18])
        move = table.nearest(s, size - s.opened)
        if s.opened + move.amount != size:
            self.faults.resized += 1
            self._note(f"r{digits}", f"is not legal, changed to {action_text(table, s, move)}")
        return move

    def _round_is_full(self) -> bool:
        this_round = self._betting.rpartition("/")[2]
        return len(this_round) > MOST_ACTIONS // 2 and len(_LETTER.findall(this_round)) + 2 > MOST_ACTIONS

    def _note(self, answer: str, what: str) -> None:
        self.note(f"hand {self._number}: {quoted(answer)} of {self.name} {what}")


def acpc_agent(table: Table | None, seed: int, port: int, host: str = LOOPBACK) -> Agent:
    """The agent `acpc(PORT)`: a client that connects to this port before the first hand."""
    if table is None:
        raise AgentError("acpc(PORT) plays at any table: say at which, as in --game 'holdem(limit)'")
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise AgentError(f"acpc({quoted(port)}): expected the number of a port, from 0 (any) to 65535")
    if not isinstance(host, str):
        raise AgentError(f"acpc({port}, host={quoted(host)}): expected a text such as '127.0.0.1'")
    listener = Listener(host, port)
    return RemoteAgent(f"acpc({listener.port})", listener)
