"""`mccfr serve`: the agent service over HTTP, on this machine unless told otherwise."""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from mccfr.errors import MccfrError, one_line
from mccfr.files.bounded import parse_json
from mccfr.protocols.service import AgentService, ServiceError
from mccfr.web.serving import names_for, run_app
from mccfr.web.sockets import ImpatientHTTP
from mccfr.web.visitors import LOCALHOST, KnownHosts

LARGEST_QUESTION = 512 * 1024  # bytes: a batch of a thousand states with room to spare
NO_SUCH_PATH, NO_SUCH_METHOD = 404, 405
THINKING = 75  # seconds for which a connection without questions stays open
THREADS = 4  # that answer at a time; more would only wait for each other
FORBIDDEN = b'{"error": "mccfr serve answers programs, and pages of its own address, not other web sites"}'


def make_service(service: AgentService, hosts: tuple[str, ...] = (LOCALHOST,)) -> FastAPI:
    """The application. `hosts`: names, besides loopback addresses, under which it may be asked."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        yield

    app = FastAPI(title="mccfr serve", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.add_middleware(KnownHosts, names=hosts, refusal=FORBIDDEN)
    app.add_exception_handler(MccfrError, _refuse)
    for status in (NO_SUCH_PATH, NO_SUCH_METHOD):
        app.add_exception_handler(status, _refuse_path)

    @app.get("/")
    async def about() -> JSONResponse:
        return JSONResponse(service.about())

    @app.post("/move")
    async def move(request: Request) -> JSONResponse:
        return await _answered(request, service.answer)

    @app.post("/moves")
    async def moves(request: Request) -> JSONResponse:
        return await _answered(request, service.answer_all)

    return app


async def _answered(request: Request, answer: Callable[[Any], dict[str, Any]]) -> JSONResponse:
    """Read a question, answer it in a thread."""
    question = _json(await _body(request))
    return JSONResponse(await anyio.to_thread.run_sync(partial(answer, question)))


async def _body(request: Request) -> bytes:
    """What was sent, up to a bound."""
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > LARGEST_QUESTION:
            raise _TooLarge(f"a question of more than {LARGEST_QUESTION:,} bytes: ask in smaller batches")
    return bytes(found)


def _json(content: bytes) -> Any:
    try:
        return parse_json(content)
    except ValueError as error:
        raise ServiceError(f"the question is not JSON: {one_line(str(error))}") from None


class _TooLarge(ServiceError):
    """A question that nobody reads to its end."""


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    """What a client can cause, in a line."""
    status = 413 if isinstance(error, _TooLarge) else 422
    return JSONResponse({"error": " ".join(str(error).split())}, status)


async def _refuse_path(request: Request, error: Exception) -> JSONResponse:
    status = int(getattr(error, "status_code", NO_SUCH_PATH))
    said = "expected GET /, POST /move or POST /moves"
    return JSONResponse({"error": f"{request.method} {one_line(request.url.path, 40)}: {said}"}, status)


def serve_agent(
    service: AgentService, listener: socket.socket, host: str, ready: Callable[[], None] | None = None
) -> None:
    """Answer until Ctrl-C. `ready` is called when questions can be asked."""
    run_app(make_service(service, names_for(host)), listener, ready, PatientHTTP, THINKING)


class PatientHTTP(ImpatientHTTP):
    """HTTP for programs that play: between two moves somebody else may think."""

    silence = float(THINKING)
