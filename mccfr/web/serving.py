"""Starting the server: a port of this machine, and an address to open."""

import contextlib
import logging
import socket
import sys
from collections.abc import Callable
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI

from mccfr.errors import FileError
from mccfr.web.admit import Given
from mccfr.web.runs_view import Sources
from mccfr.web.server import LARGEST_MESSAGE, make_app
from mccfr.web.sockets import ImpatientHTTP, MeteredSocket
from mccfr.web.visitors import ANY_ADDRESS, LOCALHOST

GOODBYE = 1  # seconds that open pages are given when the server ends
SWITCHING = 0.001  # seconds that Python lets a thread go on: the one that answers should not wait long for others
KEEP_ALIVE = 5  # seconds between two requests of a page on one connection
QUEUE = 128  # connections that wait to be accepted


def listening(host: str, port: int) -> socket.socket:
    """A socket at this address, or one line that suggests another."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(QUEUE)
    except (OSError, OverflowError) as error:
        listener.close()
        why = error.strerror if isinstance(error, OSError) else str(error)
        hint = f"; port {free} is free" if (free := _free_port(host, family)) else ""
        raise FileError(f"cannot serve at {host}:{port}: {(why or str(error)).lower()}{hint}") from None
    return listener


def _free_port(host: str, family: int) -> int | None:
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.bind((host, 0))
        return int(trial.getsockname()[1])
    return None


def address(host: str, port: int, state: dict[str, str | int | None]) -> str:
    """What to open in a browser; the page reads its state from the part after #."""
    shown = LOCALHOST if host in ("127.0.0.1", "0.0.0.0", "::1", "::") else f"[{host}]" if ":" in host else host
    words = "&".join(f"{name}={quote(str(value), safe='(),:+')}" for name, value in state.items() if value is not None)
    return f"http://{shown}:{port}/#{words.replace('+', '%2B')}"


def names_for(host: str) -> tuple[str, ...]:
    """Under which names pages may visit a server at this address."""
    return (LOCALHOST, ANY_ADDRESS, socket.gethostname()) if host in (ANY_ADDRESS, "::") else (LOCALHOST, host)


def serve(
    listener: socket.socket, host: str, given: Given, sources: Sources, ready: Callable[[], None] | None = None
) -> None:
    """Serve pages until Ctrl-C. `ready` is called when they can be opened."""
    run_app(make_app(given, sources, names_for(host)), listener, ready)


def run_app(
    app: FastAPI, listener: socket.socket, ready: Callable[[], None] | None = None,
    http: type[ImpatientHTTP] = ImpatientHTTP, keep_alive: int = KEEP_ALIVE,
) -> None:  # fmt: skip
    """Serve an application until Ctrl-C. `keep_alive`: seconds after which a connection without questions is closed."""
    settings = uvicorn.Config(
        app, http=http, ws=MeteredSocket, ws_max_size=LARGEST_MESSAGE, ws_per_message_deflate=False,
        timeout_keep_alive=keep_alive, log_level="error", timeout_graceful_shutdown=GOODBYE, access_log=False,
    )  # fmt: skip
    server = _Announced(settings, ready)
    sys.setswitchinterval(SWITCHING)
    logging.getLogger("uvicorn.error").addFilter(_of_ours)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _of_ours(record: logging.LogRecord) -> bool:
    """Whether the terminal should be told: not of text that is no text, which anybody can send."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeError))


class _Announced(uvicorn.Server):
    """Tells when it is up."""

    def __init__(self, settings: uvicorn.Config, ready: Callable[[], None] | None) -> None:
        super().__init__(settings)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.ready is not None and not self.should_exit:
            self.ready()
