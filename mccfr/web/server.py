"""The server: the page and its files, one session per socket, run folders and strategies. For this machine only."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles

import mccfr
from mccfr.web.about import about
from mccfr.web.admit import Given
from mccfr.web.connection import Connection
from mccfr.web.session import Session
from mccfr.web.visitors import KnownHosts

STATIC = Path(__file__).parent / "static"
LARGEST_MESSAGE = 64 * 1024
SLOW_THREADS = 4


def plotly_file() -> Path:
    """The charts' program, from the installed package."""
    import plotly

    return Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def make_app(given: Given = Given(), hosts: tuple[str, ...] = ("localhost",)) -> FastAPI:
    """The application. `hosts`: names, besides loopback addresses, under which it may be visited."""
    quick = ThreadPoolExecutor(os.cpu_count() or 1, "slice")
    slow = ThreadPoolExecutor(SLOW_THREADS, "slow")

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        quick.shutdown(wait=False, cancel_futures=True)
        slow.shutdown(wait=False, cancel_futures=True)

    app = FastAPI(title="mccfr watch", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.add_middleware(KnownHosts, names=hosts)

    @app.get("/")
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/plotly.js")
    def charts() -> FileResponse:
        return FileResponse(plotly_file(), media_type="text/javascript")

    @app.get("/api/about")
    def tell_about() -> dict[str, Any]:
        return about(given)

    @app.websocket("/ws")
    async def watch(socket: WebSocket) -> None:
        await socket.accept()
        await _attend(socket, Connection(socket, Session(given), quick, slow))

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


async def _attend(socket: WebSocket, connection: Connection) -> None:
    """Read until the page goes; whatever is running for it then ends."""
    loop = asyncio.create_task(connection.run())
    try:
        while not loop.done():
            event = await socket.receive()
            if event["type"] == "websocket.disconnect":
                break
            if event.get("text") is None:
                await connection.complain("messages are text: JSON in a text frame, not a binary one")
            else:
                await connection.receive(event["text"])
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        connection.stop = True
        loop.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await loop
