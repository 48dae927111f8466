"""Pages that misbehave: messages over a socket and requests, to a real server in this process.

After each page has gone, whatever was running for it must end, and a well-behaved page must get its answers.
"""

import contextlib
import json
import logging
import random
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import mccfr
from fuzz.judge import Found, TooLong, line_problem, place_of
from fuzz.kinds import strings
from fuzz.shrink import Case
from fuzz.values import GAMES, LABELS, expanded, json_text, pick
from mccfr.web import admit, measure, messages, serving
from mccfr.web.admit import NOTHING
from mccfr.web.runs_view import find_sources
from mccfr.web.server import LARGEST_MESSAGE

PATIENCE = 10.0  # seconds for an answer, on a machine that does other things
SETTLE = "@settle"  # among messages: wait until what was said before has been done
MOMENT = 0.005  # seconds
LARGE = re.compile(r'"(count|iteration)": ?"?([0-9.]{3,}|.*e)')
IDLE = ("threading.py", "queue.py", "selectors.py", "thread.py", "socket.py", "connection.py")
SMALL = (
    "kuhn",
    "kuhn",
    "kuhn",
    "rps",
    "dealt:kuhn",
    "matrix([[1,2],[3,4]])",
    "leduc",
    "goofspiel(13)",
    "nosuch",
    "kuhn(",
)
ANY_GAMES = tuple(game for game in GAMES if game != "nlph")  # which takes long to deal out, interpreted
METHODS = ("external", "cfr", "cfr_plus", "outcome", "robust(1)", "outcome+history", "chance", "dcfr", "lp", "vector")
PATHS = (
    *(
        "/",
        "/plotly.js",
        "/api/about",
        "/api/runs",
        "/api/runs/0",
        "/api/strategies/0",
        "/api/strategies/0/grid",
        "/ws",
    ),
    *(
        "/static/",
        "/static/app.js",
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "//",
        "/api/runs/99999999999999999999",
    ),
    *(
        "/api/runs/-1",
        "/api/runs/x",
        "/api/strategies/0?limit=-1",
        "/api/strategies/0?filter=" + "x" * 400,
        "/api/strategies/0?player=7",
    ),
    *(
        "/api/strategies/0?offset=99999999999999999999999",
        "/api/strategies/0?filter=%ff",
        "/%00",
        "/é",
        "*",
        "http://x/",
        "",
    ),
    *(
        "/api/strategies/0/grid?line=%00",
        "/api/strategies/0?limit=500&offset=1e3",
        "/docs",
        "/openapi.json",
        "/" + "x" * 9000,
    ),
)
HEADERS = (
    *(
        "Host: localhost",
        "Host: localhost",
        "Host: localhost",
        "Host: 127.0.0.1:1",
        "Host: [",
        "Host: ]",
        "Host: [::1]",
        "Host:",
    ),
    *("Host: evil.com", "Host: localhost:99999999", "Host: \xff", "Host: [::1", "Host: a@localhost", "Host: [v1.x]"),
)
MORE = (
    *(
        "Origin: null",
        "Origin: http://localhost",
        "Origin: http://evil",
        "Content-Length: -1",
        "Content-Length: 9" * 3,
        "x",
    ),
    *(
        "Transfer-Encoding: chunked",
        "Range: bytes=0-1",
        "Range: bytes=9999999-",
        "Range: bytes=a",
        "Upgrade: websocket",
    ),
    *(
        "Connection: close",
        "Range: bytes=" + "0-1," * 500,
        "If-None-Match: *",
        "Accept: \x00",
        "A" * 9000 + ": x",
        "Cookie: " + "c" * 5000,
    ),
    *("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x", "If-Modified-Since: x", "Expect: 100-continue"),
)


class Kind:
    """Messages and requests."""

    def set_up(self, folder: Path) -> None:
        """Start the server. Kernels are interpreted here, so games and races are kept small."""
        self.spoiled = False
        self.strings = strings.Kind()
        self.strings.set_up(folder)
        admit.MOST_NODES = 500
        measure.RACES = (("kuhn", 0.5),)
        mccfr.uniform("kuhn").save(folder / "page.mccfr")
        self.models = messages.Any_.__args__
        self.complaints = _Complaints()
        listener = serving.listening("127.0.0.1", 0)
        ready = threading.Event()
        sources = find_sources((str(folder / "page.mccfr"),))
        arguments = (listener, "127.0.0.1", NOTHING, sources, ready.set)
        self.server = threading.Thread(target=serving.serve, args=arguments, daemon=True)
        self.server.start()
        if not ready.wait(60):
            raise RuntimeError("the server does not start")
        for name in ("mccfr.web", "uvicorn", "asyncio"):  # what it logs is heard, and not printed
            logging.getLogger(name).handlers = [self.complaints]
            logging.getLogger(name).propagate = False
        self.port = listener.getsockname()[1]
        self.well_behaved()

    def weight(self, case: Case) -> int:
        return max(1, len(case["messages"]) - case["messages"].count(SETTLE) + len(case["requests"]))

    def about(self, case: Case) -> str:
        return "a page"

    # ---- drawing

    def draw(self, dice: random.Random) -> Case:
        """What a page says: mostly after opening something."""
        if dice.random() < 0.15:
            return {"messages": [], "requests": [self._request(dice) for _ in range(5)]}
        said = [self._open(dice)] if dice.random() < 0.85 else []
        for _ in range(dice.randrange(10, 45)):
            said += [self._message(dice)] + ([SETTLE] if dice.random() < 0.2 else [])
        case: Case = {"messages": said, "requests": []}
        if dice.random() < 0.1:
            case["check"] = True
        return case

    def _open(self, dice: random.Random) -> str:
        wish = {
            "type": "open",
            "game": pick(dice, SMALL[:6]),
            "method": self._good(dice, "method"),
            "seed": dice.randrange(99),
        }
        if dice.random() < 0.1:
            wish["other"] = pick(dice, METHODS)
        return json.dumps(wish)

    def _message(self, dice: random.Random) -> str:
        luck = dice.random()
        if luck < 0.05:
            return pick(
                dice,
                (
                    "",
                    "{",
                    "[]",
                    "null",
                    "1",
                    '"x"',
                    "@nest 100",
                    "@nest 20000",
                    "@long 70000",
                    "@binary",
                    "\x00",
                    "{}",
                    '{"type":',
                ),
            )
        model = pick(dice, self.models)
        heavy = model.__name__ in ("Open", "Measure", "Clairvoyant", "Noise", "Infoset")
        if heavy and dice.random() < 0.85:
            model = messages.View
        fields = {name: self._value(dice, name, field) for name, field in model.model_fields.items()}
        said = {name: value for name, value in fields.items() if value is not None}
        text = json.dumps({name: "@" + name if isinstance(value, _Raw) else value for name, value in said.items()})
        for name, value in said.items():
            if isinstance(value, _Raw):
                text = text.replace(json.dumps("@" + name), expanded(value.text))
        if luck < 0.1:
            at = dice.randrange(len(text))
            text = text[:at] + pick(dice, ("", '"', "}", ",", "\\", "\x00", "é")) + text[at + 1 :]
        return text

    def _value(self, dice: random.Random, name: str, field: FieldInfo) -> Any:
        luck = dice.random()
        if name == "type":
            return field.annotation.__args__[0] if luck < 0.99 else _Raw(json_text(dice))  # type: ignore[union-attr]
        if name == "walks":
            return pick(dice, (2, 3, 10, 20, 30000, 1, -1))
        if luck < 0.3 and not field.is_required():
            return None
        if luck < 0.4:
            return _Raw(json_text(dice))
        return self._good(dice, name)

    def _good(self, dice: random.Random, name: str) -> Any:
        if name == "game":
            return pick(dice, SMALL) if dice.random() < 0.8 else pick(dice, ANY_GAMES)
        if name in ("method", "other"):
            return pick(dice, METHODS) if dice.random() < 0.7 else self.strings._method(dice)[:320]
        if name in ("label", "filter"):
            return pick(dice, ("K:", "Q:cb", "J:b", "row", "k", *LABELS))
        if name in ("lane", "player"):
            return pick(dice, (0, 0, 0, 1, 2, -1))
        if name in ("count", "iteration", "rate"):
            return pick(dice, (1, 2, 3, 5, 20, 10**12, 10**13, 0, 0.5, 1e9))
        if name == "id":
            return pick(dice, (1, "a", -1, 10**30, 1.5, "x" * 500, "\ud800", True))
        return pick(dice, (0, 1, 2, 60, 200, 10**9, 10**18, 2**63))

    def _request(self, dice: random.Random) -> str:
        verb = pick(dice, ("GET", "GET", "GET", "GET", "POST", "HEAD", "OPTIONS", "DELETE", "get", "X" * 100, ""))
        lines = [
            f"{verb} {pick(dice, PATHS)} {pick(dice, ('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9', ''))}",
            pick(dice, HEADERS),
        ]
        lines += [pick(dice, MORE) for _ in range(dice.randrange(3))]
        text = "\r\n".join([*lines, "", ""])
        if dice.random() < 0.2:
            at = dice.randrange(len(text))
            text = text[:at] + chr(dice.randrange(256)) + text[at + 1 :]
        return text

    # ---- running

    def run(self, case: Case) -> None:
        """Say everything, leave, and see that nothing remains."""
        try:
            self._run(case)
        except TooLong:
            raise self._endless(f"no end of {self._busy() or 'nothing'}", "takes more than it may") from None

    def _endless(self, signature: str, what: str) -> Found:
        """Threads cannot be ended from outside: this process is not fit for another case."""
        self.spoiled = True
        return Found(signature, what)

    def _run(self, case: Case) -> None:
        self.complaints.forget()
        for request in case["requests"]:
            self._ask(request)
        if case["messages"]:
            self._talk(case["messages"])
        self._quiet()
        if case.get("check"):
            self.well_behaved()
        self.complaints.require_none()

    def _talk(self, said: list[str]) -> None:
        """Say everything; a message beyond the limit ends a connection, and what follows is said over a new one."""
        before: list[str] = []
        for text in said:
            if len(expanded(text).encode("utf-8", "replace")) > LARGEST_MESSAGE:
                self._converse(before, text)
                before = []
            else:
                before.append(text)
        self._converse(before)

    def _converse(self, said: list[str], too_long: str = "") -> None:
        with self._page() as page:
            try:
                since: list[str] = []
                for text in [*said, SETTLE]:
                    if text == SETTLE:
                        self._settle(page, since)
                        since = []
                    else:
                        page.send(b"\x00\xff" if text == "@binary" else _sendable(text))
                        since.append(text)
            except ConnectionClosed as error:
                raise Found("the server closed the connection", str(error)) from None
            if too_long:
                with contextlib.suppress(ConnectionClosed):  # before all of it was sent
                    page.send(_sendable(too_long))
                self._expect_closed(page)

    def _expect_closed(self, page: Any) -> None:
        until = time.monotonic() + PATIENCE
        try:
            while True:
                page.recv(timeout=max(0.01, until - time.monotonic()))
        except ConnectionClosed:
            return
        except TimeoutError:
            raise Found("a message beyond the limit was taken", f"more than {LARGEST_MESSAGE} bytes") from None

    def _settle(self, page: Any, since: list[str]) -> None:
        """Wait until everything said has been done; what would take for ever is cut short after a moment."""
        if any(LARGE.search(text) for text in since):
            time.sleep(MOMENT)
            page.send(json.dumps({"type": "pause", "id": SETTLE}))
        else:
            page.send(json.dumps({"type": "view", "limit": 1, "id": SETTLE}))
        try:
            self._hear(page, SETTLE)
        except Found as found:
            opened = [text for text in since if "open" in text]
            raise Found(found.signature, f"{found.what}; {(opened or since or [''])[-1][:200]}") from None

    def _hear(self, page: Any, wanted: Any) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = json.loads(page.recv(timeout=max(0.01, until - time.monotonic())))
            except TimeoutError:
                self.complaints.require_none()
                raise self._endless(f"no answer while at {self._busy() or 'nothing'}", f"in {PATIENCE} s") from None
            if answer["type"] == "error":
                self._check_line(answer["message"])
            if answer.get("id") == wanted and answer["type"] != "progress":
                return answer

    def _check_line(self, line: str) -> None:
        if "a bug of ours" in line:
            self.complaints.require_none()
            raise Found("a bug of ours", line)
        if problem := line_problem(line):
            raise Found(f"{problem} to a page: {line[:30]}", line[:500])

    def well_behaved(self) -> None:
        """A page as it should be gets what it asks for."""
        with self._page() as page:
            page.send(json.dumps({"type": "open", "game": "kuhn", "method": "external", "id": 1}))
            page.send(json.dumps({"type": "step", "count": 2, "id": 2}))
            frame = self._hear(page, 2)
            if frame["type"] != "frame" or frame["lanes"][0]["iteration"] != 2:
                raise Found("a well-behaved page gets something else", str(frame)[:300])

    @contextlib.contextmanager
    def _page(self) -> Iterator[Any]:
        try:
            page = connect(f"ws://127.0.0.1:{self.port}/ws", max_size=None, compression=None, open_timeout=PATIENCE)
        except (OSError, TimeoutError) as error:
            raise Found(f"no answer while at {self._busy() or 'nothing'}", f"a page cannot connect: {error}") from None
        try:
            yield page
        finally:
            with contextlib.suppress(Exception):
                page.close_timeout = 0.5
                page.close()

    def _ask(self, request: str) -> None:
        """A request as bytes; any answer but an error of the server's will do."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as wire:
            try:
                wire.sendall(request.encode("latin-1", "replace"))
                wire.shutdown(socket.SHUT_WR)
                answer = wire.recv(4096)
                while wire.recv(2**18):
                    pass
            except TimeoutError:
                raise Found("no answer to a request", request[:200]) from None
            except OSError:
                return
        status = answer.split(b" ")[1:2]
        if status and status[0].startswith(b"5"):
            self.complaints.require_none()
            raise Found(f"status {status[0].decode()}", request[:200])

    def _quiet(self) -> None:
        """What was running for a page that has gone must end."""
        until, pause = time.monotonic() + PATIENCE, 0.001
        while busy := self._busy():
            if time.monotonic() > until:
                raise self._endless(f"no end of {busy}", "although its page has gone")
            time.sleep(pause)
            pause = min(0.05, 2 * pause)

    def _busy(self) -> str:
        """Where in the package another thread than the server's is at work, if anywhere."""
        ours = (threading.get_ident(), self.server.ident)
        for number, frame in sys._current_frames().items():
            if number in ours or frame.f_code.co_filename.endswith(IDLE):
                continue
            places = []
            inner: Any = frame
            while inner is not None:
                name = inner.f_code.co_filename
                if "/mccfr/" in name and not name.endswith(("web/pool.py", "web/serving.py")):
                    places.append(f"mccfr/{name.rpartition('/mccfr/')[2]}:{inner.f_code.co_name}")
                inner = inner.f_back
            if places:
                return next((place for place in reversed(places) if "kernel" in place), places[-1])
        return ""


class _Raw:
    """A JSON text in place of a value."""

    def __init__(self, text: str) -> None:
        self.text = text


def _sendable(text: str) -> str:
    return expanded(text).encode("utf-8", "replace").decode()


class _Complaints(logging.Handler):
    """What the server logs as errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def forget(self) -> None:
        self.records = []

    def require_none(self) -> None:
        """An error that the server logged is a finding, by where it was raised."""
        for record in self.records:
            error = record.exc_info[1] if record.exc_info else None
            if error is None:
                raise Found("the server logs an error", record.getMessage()[:300])
            raise Found(
                f"{type(error).__name__} at {place_of(error.__traceback__)}", f"{error}: {record.getMessage()}"[:300]
            )
