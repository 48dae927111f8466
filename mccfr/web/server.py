"""The server: the page and its files, one session per socket, run folders and strategies. For this machine only."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

import anyio.to_thread  # in whose threads FastAPI answers requests
from fastapi import FastAPI, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from mccfr.errors import MccfrError
from mccfr.web.about import about
from mccfr.web.admit import NOTHING, Given
from mccfr.web.connection import Connection
from mccfr.web.method_pages import method_pages
from mccfr.web.opponents import Opponents
from mccfr.web.pool import make_pools
from mccfr.web.range_routes import add_ranges
from mccfr.web.runs_view import NONE, Sources, list_sources, run_view, strategy_view
from mccfr.web.seats import Games, Seat
from mccfr.web.session import Session
from mccfr.web.stock import Stock
from mccfr.web.visitors import LOCALHOST, KnownHosts

STATIC = Path(__file__).parent / "static"
LARGEST_MESSAGE = 16 * 1024  # bytes
MOST_PAGES = 200
REQUESTS = 4  # that are answered at a time; they are short
TRY_AGAIN_LATER = 1013
MOST_LINES = 500  # of a strategy at a time


def plotly_file() -> Path:
    """The charts' program, from the installed package."""
    import plotly

    return Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def make_app(given: Given = NOTHING, sources: Sources = NONE, hosts: tuple[str, ...] = (LOCALHOST,)) -> FastAPI:
    """The application. `hosts`: names, besides loopback addresses, under which it may be visited."""
    pools, stock, pages = make_pools(os.cpu_count() or 1), Stock(), 0
    opponents, games = Opponents(given.agents), Games()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = REQUESTS
        yield
        for pool in pools:
            pool.end()

    app = FastAPI(title="mccfr watch", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.add_middleware(KnownHosts, names=hosts)
    app.add_exception_handler(MccfrError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_type)
    _add_views(app, given, sources)

    @app.websocket("/ws")
    async def watch(socket: WebSocket) -> None:
        nonlocal pages
        await socket.accept()
        if pages >= MOST_PAGES:
            await socket.close(TRY_AGAIN_LATER, f"{MOST_PAGES} pages are open: close some of them")
            return
        pages += 1
        session, seat = Session(given, stock), Seat(opponents, games)
        try:
            await _attend(socket, Connection(_Voice(socket), session, pools, seat))
        finally:
            pages -= 1
            seat.leave()
            stock.release(session)

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _add_views(app: FastAPI, given: Given, sources: Sources) -> None:
    """The page itself, and what can be looked at without a session."""

    @app.get("/")
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/plotly.js")
    def charts() -> FileResponse:
        return FileResponse(plotly_file(), media_type="text/javascript")

    menus = about(given)

    @app.get("/api/about")
    def tell_about() -> dict[str, Any]:
        return menus

    @app.get("/api/methods")
    def tell_methods() -> dict[str, Any]:
        return method_pages()

    @app.get("/api/runs")
    def all_sources() -> dict[str, Any]:
        return list_sources(sources)

    @app.get("/api/runs/{number}")
    def one_run(number: int) -> dict[str, Any]:
        return run_view(sources, number)

    @app.get("/api/strategies/{number}")
    def one_strategy(
        number: int,
        filter: Annotated[str, Query(max_length=300)] = "",
        player: Annotated[int | None, Query(ge=0, le=1)] = None,
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=0, le=MOST_LINES)] = 100,
    ) -> dict[str, Any]:
        return strategy_view(sources, number, filter, player, offset, limit)

    add_ranges(app, sources)


class _Voice:
    """Speaks to a page; one that has gone is an OSError."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket

    async def send_text(self, data: str) -> None:
        try:
            await self.socket.send_text(data)
        except (WebSocketDisconnect, RuntimeError) as error:
            raise ConnectionError("the page has gone") from error


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    """What a user can cause, in a line."""
    return JSONResponse({"message": " ".join(str(error).split())}, 422)


async def _refuse_type(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return JSONResponse({"message": f"{first['loc'][-1]}: {first['msg']}"}, 422)


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
            await asyncio.sleep(0)  # it is everybody else's turn: receiving what has come already does not wait
    except (RuntimeError, OSError):  # it has gone while being answered
        pass
    finally:
        connection.stop = True
        loop.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await loop
