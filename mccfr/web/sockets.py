"""Connections as the network sees them: what one may send in a second, and how long it may stay silent.

A message costs its sender nothing and the server a little, and one loop serves everybody. So bytes are let in by small
pieces, in turn with everybody else's, and a connection that sends more than any page would is read more slowly.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

PIECE = 512  # bytes that are looked at before it is somebody else's turn
AT_ONCE = 64 * 1024  # bytes that a page may send at any speed
EACH_SECOND = 8 * 1024  # bytes: twenty frames drawn a second are told in a fifth of it
MOST_UNSENT = 1024 * 1024  # bytes of answers that wait for a reader before questions are read on
MOST_CONNECTIONS = 500
SILENCE = 10.0  # seconds after which a connection must have asked for something


class Gate:
    """A transport that reads on only while nothing of what was read is waiting."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self.shut = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def resume_reading(self) -> None:
        """Read on, unless there is more than enough."""
        if not self.shut:
            self._transport.resume_reading()


class MeteredSocket(AutoWebSocketsProtocol):  # type: ignore[misc, valid-type]
    """A web socket whose bytes are let in little by little."""

    def connection_made(self, transport: Any) -> None:
        """Begin with everything allowed."""
        self._gate, self._held, self._allowed = Gate(transport), bytearray(), float(AT_ONCE)
        self._clock = asyncio.get_running_loop()
        self._at, self._feeding = self._clock.time(), False
        super().connection_made(self._gate)

    def data_received(self, data: bytes) -> None:
        """Keep what came; it is looked at in turn."""
        self._held += data
        if len(self._held) > PIECE and not self._gate.shut:
            self._gate.shut = True
            self._gate.pause_reading()
        if not self._feeding:
            self._feed()

    def _feed(self) -> None:
        """Let a piece in, and come back for the next one."""
        self._feeding = False
        if self._gate.is_closing():
            self._held.clear()
            return
        now = self._clock.time()
        self._allowed, self._at = min(AT_ONCE, self._allowed + (now - self._at) * EACH_SECOND), now
        unread = self._gate.get_write_buffer_size() > MOST_UNSENT  # pongs to one who reads nothing
        if self._allowed >= PIECE and not unread:
            piece = bytes(self._held[:PIECE])
            del self._held[:PIECE]
            self._allowed -= len(piece)
            try:
                super().data_received(piece)
            except Exception:  # the library's account of a broken frame may break in turn: nothing is left to be said
                self._gate.abort()
        if self._held:
            self._feeding = True
            wait = 1.0 if unread else max(0.0, PIECE - self._allowed) / EACH_SECOND
            if wait:
                self._clock.call_later(wait, self._feed)
            else:
                self._clock.call_soon(self._feed)
        elif self._gate.shut:
            self._gate.shut = False
            if not getattr(self, "read_paused", False):  # the reader has not got through what it was given
                self._gate.resume_reading()


class ImpatientHTTP(H11Protocol):
    """HTTP for connections that ask for something; one that does not is closed."""

    silence: float | None = None  # seconds, SILENCE unless told

    def connection_made(self, transport: Any) -> None:
        """Look after it in a while; one too many is cut off."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        self._seen: Any = None
        self.loop.call_later(self.silence or SILENCE, self._look)

    def _look(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # gone, or a web socket by now
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.cycle is self._seen:
            self.transport.close()
            return
        self._seen = self.cycle
        self.loop.call_later(self.silence or SILENCE, self._look)
