"""Who plays at our ACPC dealer's table: a client that connects, an agent of ours, or a program that is started.

alice                       a client connects to the port of alice
alice=blueprint:limit       the dealer plays this agent itself, over no connection
alice=exe:./bot.sh          the dealer starts this program with two words, host and port, as ACPC's scripts do
"""

import contextlib
import os
import subprocess
import sys
import time
from typing import Any

from mccfr.errors import FileError, quoted
from mccfr.playing.agent import Agent
from mccfr.playing.agents import make_agent
from mccfr.playing.table import Table
from mccfr.protocols.acpc_agent import RemoteAgent, TimeLimits
from mccfr.protocols.acpc_log import NAME
from mccfr.protocols.acpc_text import AcpcError
from mccfr.protocols.acpc_wire import Listener, PeerError, Wire

PROGRAM = "exe:"
POLL = 0.2  # seconds between two looks at a program that has not connected yet
FAREWELL = 5.0  # seconds that a program has to end by itself after its last hand


class ProgramAgent(RemoteAgent):
    """A program that the dealer starts, and ends if it does not end by itself."""

    def __init__(self, name: str, path: str, listener: Listener, limits: TimeLimits, hands: int) -> None:
        """Start the program; what it prints goes to stderr."""
        super().__init__(name, listener, limits, hands)
        self.path = path
        if not os.access(path, os.X_OK) or os.path.isdir(path):  # noqa: PTH112
            raise FileError(f"cannot start {path}: it is not a file that may be executed")
        words = [os.path.abspath(path), listener.host, str(listener.port)]  # noqa: PTH100
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=_stderr())
        except OSError as error:
            raise FileError(f"cannot start {path}: {error.strerror}") from None

    def accept(self, deadline: float) -> Wire:
        while True:
            try:
                return super().accept(min(deadline, time.monotonic() + POLL))
            except PeerError:
                if time.monotonic() >= deadline:
                    raise
                if self._process.poll() is not None:
                    code = self._process.returncode
                    raise PeerError(f"{self.name}: {self.path} ended with exit code {code} without playing") from None

    def close(self) -> None:
        super().close()
        for end in (lambda: None, self._process.terminate, self._process.kill):
            end()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL)
                return


def _stderr() -> Any:
    """Where a program's output goes, so that stdout stays ours."""
    try:
        return sys.stderr.fileno()
    except (OSError, ValueError, AttributeError):
        return subprocess.DEVNULL


def split_player(text: str) -> tuple[str, str]:
    """The name of a player, and who plays under it; nothing for a client that connects."""
    name, _, who = text.partition("=")
    if not NAME.fullmatch(name):
        raise AcpcError(
            f"player {quoted(text)}: expected NAME, NAME=AGENT or NAME=exe:PATH, a name without spaces : | ="
        )
    if "=" in text and not who.removeprefix(PROGRAM):
        raise AcpcError(f"player {quoted(text)}: expected an agent or exe:PATH after '='")
    return name, who


def seat_player(
    text: str, table: Table, hands: int, seed: int, host: str, port: int, limits: TimeLimits
) -> tuple[str, Agent]:
    """A player by its text, with its name. Ports are open when this returns."""
    name, who = split_player(text)
    if who and not who.startswith(PROGRAM):
        agent = make_agent(who, table, seed)
        prepare = getattr(getattr(agent, "policy", None), "prepare", None)
        if prepare is not None:
            prepare(hands)
        return name, agent
    listener = Listener(host, port)
    if who:
        return name, ProgramAgent(name, who.removeprefix(PROGRAM), listener, limits, hands)
    return name, RemoteAgent(name, listener, limits, hands)


def port_of(agent: Agent) -> int:
    """The port at which a player is waited for; 0 for an agent that the dealer plays itself."""
    return agent.listener.port if isinstance(agent, RemoteAgent) else 0
