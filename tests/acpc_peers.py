"""What tests of ACPC share: tables, recorded hands, scripted agents, and peers that behave as told, in threads."""

import ast
import socket
import threading
from pathlib import Path

from mccfr.playing.agent import Agent
from mccfr.playing.table import table_of

DATA = Path(__file__).parent / "data" / "acpc"
TABLES = {
    "limit": table_of("holdem(limit(bets='10 10 20', blinds='5 10'))"),
    "nolimit": table_of("holdem(nolimit(stack=20000, blinds='50 100', bet='a'))"),
}


def transcript(kind):
    """(who, bytes) of a recorded match: '->' from the client, '<-' to it."""
    lines = (DATA / f"{kind}.txt").read_text().splitlines()
    return [(line[:2], ast.literal_eval(line[3:])) for line in lines if line and not line.startswith("#")]


class Scripted(Agent):
    """Makes the moves of a list."""

    name = "scripted"

    def __init__(self, moves):
        self.moves = list(moves)

    def move(self, seen):
        return self.moves.pop(0)


class InThread(threading.Thread):
    """A function in a thread; `result()` is what it returned, or raises what it raised."""

    def __init__(self, function, *given):
        super().__init__(daemon=True)
        self.function, self.given = function, given
        self.found, self.error = None, None
        self.start()

    def run(self):
        try:
            self.found = self.function(*self.given)
        except BaseException as error:
            self.error = error

    def result(self):
        self.join(30)
        assert not self.is_alive(), "the peer still waits"
        if self.error is not None:
            raise self.error
        return self.found


def server():
    """A listening socket and its port."""
    found = socket.create_server(("127.0.0.1", 0))
    found.settimeout(20)
    return found, found.getsockname()[1]


def accepted(listening):
    connection, _ = listening.accept()
    connection.settimeout(20)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def receive(connection, count):
    """Exactly so many bytes, or what came before the end."""
    found = b""
    while len(found) < count:
        more = connection.recv(count - len(found))
        if not more:
            break
        found += more
    return found
