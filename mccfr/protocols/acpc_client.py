"""An agent plays over ACPC: it connects to a dealer and answers until the dealer closes the connection."""

import dataclasses
import random
import time
from collections.abc import Callable

from mccfr.betting.lines import NOBODY
from mccfr.errors import MccfrError
from mccfr.playing.agent import Agent, checked_move
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.seen import Result
from mccfr.playing.table import Table
from mccfr.protocols.acpc_text import VERSION, AcpcError, MatchState, action_text, is_comment, read_state
from mccfr.protocols.acpc_wire import PeerError, PeerGone, Wire, connect

PATIENCE = 3600.0  # seconds without a word from the dealer: the other player may think for 600 in every hand


@dataclasses.dataclass
class Sat:
    """What came of sitting at a dealer's table.

    Attributes:
        hands: Hands that were played to their end.
        chips: What was won in them.
        seconds: How long it took.
        ended: Why it ended too early, or nothing.
    """

    hands: int = 0
    chips: float = 0.0
    seconds: float = 0.0
    ended: str = ""


class AcpcClient:
    """One agent on one connection."""

    def __init__(self, agent: Agent, table: Table, wire: Wire, seed: int = 0) -> None:
        """Nothing is sent yet."""
        self.agent, self.table, self.wire, self.seed = agent, table, wire, seed
        self.result = Sat()
        self.begun = 0  # hands that were begun
        self._last: MatchState | None = None
        self._answered = "", ""

    def hear(self, line: str) -> None:
        """Take a line of the dealer, and answer where it is our turn."""
        if is_comment(line):
            return
        last = self._last
        state = read_state(self.table, line, None if last is None else last.betting)
        if last is None or last.over or not _goes_on(last, state):
            self._begin(state)
        elif state.betting.text != last.betting.text:
            self.agent.see(state.seen(self.table))
        self._last = state
        if state.over:
            self._end(state)
        elif state.betting.state.mover == state.position:
            self._answer(line, state)

    def at_rest(self) -> bool:
        """Whether no hand is under way."""
        return self._last is None or self._last.over

    def _begin(self, state: MatchState) -> None:
        dice = random.Random(f"{self.seed} {self.begun}")
        self.begun += 1
        self.agent.start(state.seen(self.table), dice)

    def _answer(self, line: str, state: MatchState) -> None:
        """Answer a state; the same state again gets the same answer."""
        if self._answered[0] != line:
            seen = state.seen(self.table)
            move = checked_move(self.agent, seen)
            self._answered = line, action_text(self.table, seen.state, move)
        self.wire.send(f"{line}:{self._answered[1]}", time.monotonic() + PATIENCE)

    def _end(self, state: MatchState) -> None:
        record = HandRecord(self.table, state.holes, state.board, state.betting.moves)
        chips = record.chips[state.position]
        holes = state.holes
        if state.betting.state.folded != NOBODY:  # whatever else was shown
            holes = (holes[0], ()) if state.position == 0 else ((), holes[1])
        self.agent.end(state.seen(self.table), Result(chips, holes, state.board))
        self._answered = "", ""
        self.result.hands += 1
        self.result.chips += chips


def _goes_on(last: MatchState, state: MatchState) -> bool:
    """Whether a state belongs to the hand of the one before."""
    mine = last.holes[last.position]
    same = (last.number, last.position, mine) == (state.number, state.position, state.holes[state.position])
    return same and state.betting.text.startswith(last.betting.text)


def play_over_acpc(
    agent: Agent,
    table: Table,
    host: str,
    port: int,
    seed: int = 0,
    patience: float = PATIENCE,
    tell: Callable[[Sat], None] = lambda sat: None,
) -> Sat:
    """Play with a dealer until it closes the connection.

    Whatever ends it otherwise (another protocol, half a line, silence, Ctrl-C) is said in `ended`, beside what was
    played until then. `tell` is called after every hand.
    """
    wire = connect(host, port)
    client = AcpcClient(agent, table, wire, seed)
    began = time.monotonic()
    try:
        wire.send(VERSION)
        _listen(client, wire, patience, tell)
    except MccfrError as error:  # of the dealer, or of the agent
        client.result.ended = str(error)
    except KeyboardInterrupt:
        client.result.ended = "stopped"
    finally:
        wire.close()
    client.result.seconds = time.monotonic() - began
    return client.result


def _listen(client: AcpcClient, wire: Wire, patience: float, tell: Callable[[Sat], None]) -> None:
    heard = 0
    while True:
        try:
            line = wire.read(time.monotonic() + patience)
            heard += 1
            hands = client.result.hands
            client.hear(line)
        except PeerGone as error:
            if client.begun and client.at_rest():
                return
            when = f"in the middle of a hand, after {client.result.hands} others" if client.begun else "before any hand"
            raise PeerError(f"{error} {when}") from None
        except PeerError:
            raise
        except AcpcError as error:
            raise AcpcError(f"{wire.peer}, line {heard}: {error}") from None
        if client.result.hands > hands:
            tell(client.result)
