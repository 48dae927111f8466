"""Lines of the ACPC protocol over TCP: bounded in length and in time, with one-line errors.

Plain blocking sockets: a match is a sequence of questions and answers, and every answer has its own time limit.
"""

import contextlib
import socket
import time

from mccfr.errors import quoted
from mccfr.protocols.acpc_text import LONGEST, AcpcError

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 30.0
FOREVER = float("inf")


class PeerError(AcpcError):
    """A peer that was too slow, has gone, or sends what is no line of text."""


class PeerGone(PeerError):
    """A peer that closed its connection between two lines."""


class Wire:
    """A connection over which lines are sent and received. `peer` is how errors call the other side."""

    def __init__(self, connection: socket.socket, peer: str) -> None:
        """Take over a connected socket."""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # an answer must not wait for more
        self.peer = peer
        self._socket = connection
        self._received = b""

    def send(self, line: str, deadline: float = FOREVER) -> None:
        """Send a line; a peer that does not read until `deadline`, on the monotonic clock, is an error."""
        try:
            self._wait_until(deadline)
            self._socket.sendall(line.encode() + b"\r\n")
        except TimeoutError:
            raise PeerError(f"{self.peer} does not read what it is sent") from None
        except OSError as error:
            raise PeerGone(f"{self.peer} has closed the connection ({error.strerror})") from None

    def read(self, deadline: float = FOREVER) -> str:
        """The next line without its end. Whatever is not a whole line of ASCII in time is an error."""
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) >= LONGEST:
                raise PeerError(f"{self.peer} sent more than {LONGEST:,} bytes without an end of line")
            self._received += self._more(deadline)
        line, self._received = self._received[:end], self._received[end + 1 :]
        if len(line) >= LONGEST:
            raise PeerError(f"{self.peer} sent a line of more than {LONGEST:,} bytes")
        try:
            return line.removesuffix(b"\r").decode("ascii")
        except UnicodeDecodeError:
            raise PeerError(f"{self.peer} sent what is not text: {quoted(line)}") from None

    def close(self) -> None:
        """Close the connection."""
        with contextlib.suppress(OSError):
            self._socket.close()

    def _more(self, deadline: float) -> bytes:
        began = time.monotonic()
        try:
            self._wait_until(deadline)
            more = self._socket.recv(LONGEST)
        except TimeoutError:
            half = f" but half a line, {quoted(self._received)}" if self._received else ""
            raise PeerError(f"{self.peer} sent nothing{half} for {max(time.monotonic() - began, 0.0):.3g} s") from None
        except OSError as error:
            raise PeerGone(f"{self.peer} has closed the connection ({error.strerror})") from None
        if not more and self._received:
            raise PeerError(f"{self.peer} closed the connection in the middle of a line, {quoted(self._received)}")
        if not more:
            raise PeerGone(f"{self.peer} has closed the connection")
        return more

    def _wait_until(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0.0:
            raise TimeoutError
        self._socket.settimeout(None if left == FOREVER else left)


def connect(host: str, port: int) -> Wire:
    """A connection to a server."""
    where = f"{host}, port {port}"
    try:
        return Wire(socket.create_connection((host, port), CONNECT_SECONDS), where)
    except OSError as error:
        raise PeerError(f"cannot connect to {where}: {error.strerror or error}") from None


class Listener:
    """A port at which one client is waited for. Port 0 stands for any that is free."""

    def __init__(self, host: str = LOOPBACK, port: int = 0) -> None:
        """Open the port."""
        self.host = host
        try:
            self._socket = socket.create_server((host, port), backlog=1)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise AcpcError(f"cannot wait for a client at {host}, port {port}: {reason}") from None
        self.port: int = self._socket.getsockname()[1]

    def accept(self, name: str, deadline: float = FOREVER) -> Wire:
        """The first client that connects; later ones are refused."""
        left = deadline - time.monotonic()
        try:
            self._socket.settimeout(None if left == FOREVER else max(left, 1e-3))
            connection, _ = self._socket.accept()
        except TimeoutError:
            raise PeerError(f"{name} did not connect to {self.host}, port {self.port} in time") from None
        self.close()
        return Wire(connection, name)

    def close(self) -> None:
        """Close the port."""
        self._socket.close()
