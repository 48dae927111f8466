"""How long a page waits for its answers while others misbehave: `mccfr watch` under attack.

    python benchmarks/page_under_attack.py                          20 pages, a minute
    python benchmarks/page_under_attack.py --pages 5 --seconds 10   less of both

A server of its own is started, and a second process whose pages each do one thing that no page should, over and over,
seeded. One more page, alone in this process, steps ten iterations of external sampling on Kuhn poker, opens it anew,
and fetches a file, twenty times a second. Prints what the others did and how long the lonely page waited.
"""

import argparse
import contextlib
import json
import logging
import multiprocessing
import random
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0  # seconds
PAUSE = 0.05  # seconds between two questions of the lonely page
ALONE = 3.0  # seconds that it is measured without the others
GONE = (OSError, WebSocketException, TimeoutError, EOFError)
BIG_GAMES = (
    "goofspiel(5)",
    "bluff(1,1)",
    "gp(6,2,2,2)",
    "bluff(2,1,faces=3)",
    "gp(13,4,4,4)",
    "dealt:gp(13,4,4,1)",
    "bluff(2,2)",
)
PARTS = (
    "",
    "+rm_plus",
    "+weighted",
    "+linear",
    "+own_average",
    "+floor",
    "+batch(7)",
    "+history",
    "+infoset",
    "+probe",
)
SAMPLERS = ("external", "outcome", "robust(2)", "chance", "uniform", "average_strategy", "everything", "cfr", "lcfr")


class Stage:
    """Where pages misbehave: the server's port, a clock, a seed, and what came back."""

    def __init__(self, port: int, seconds: float, seed: int, kind: str) -> None:
        self.port, self.end, self.draw = port, time.monotonic() + seconds, random.Random(f"{seed} {kind}")
        self.answers = 0
        self.sockets: list[socket.socket] = []

    @property
    def over(self) -> bool:
        """Whether time is up."""
        return time.monotonic() > self.end

    @contextlib.contextmanager
    def page(self) -> Iterator[ClientConnection]:
        """A web socket."""
        plain = self.raw()
        with connect(f"ws://127.0.0.1:{self.port}/ws", sock=plain, max_size=None, close_timeout=0.2) as page:
            yield page

    def raw(self) -> socket.socket:
        """A socket."""
        self.sockets = [one for one in self.sockets if one.fileno() >= 0]
        self.sockets.append(socket.create_connection(("127.0.0.1", self.port), timeout=5))
        return self.sockets[-1]

    def leave(self) -> None:
        """Cut whatever is still connected: senders that wait to be read would wait for ever."""
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def hear(self, page: ClientConnection, timeout: float = 0.0) -> None:
        """Read whatever has come."""
        try:
            while not self.over:
                page.recv(timeout=timeout)
                self.answers += 1
        except TimeoutError:
            pass


def say(page: ClientConnection, kind: str, **facts: Any) -> None:
    """A message."""
    page.send(json.dumps({"type": kind, "id": 1, **facts}))


@contextlib.contextmanager
def opened(stage: Stage, game: str = "kuhn", method: str = "external") -> Iterator[ClientConnection]:
    """A page with a game."""
    with stage.page() as page:
        say(page, "open", game=game, method=method)
        page.recv(timeout=PATIENCE)
        yield page


# ---- what pages should not do


def small_messages(stage: Stage) -> None:
    """As many messages as the network takes"""
    with opened(stage) as page:
        while not stage.over:
            for _ in range(200):
                page.send(stage.draw.choice(('{"type":"pause"}', "{", "[]", '{"type":"ack","frame":1}', "null", "NaN")))
            stage.hear(page)


def large_messages(stage: Stage) -> None:
    """Messages of 15 KB, deeply nested or with long numbers"""
    with stage.page() as page:
        while not stage.over:
            deep = "[" * 7000 + "]" * 7000
            page.send(
                stage.draw.choice((deep, f'{{"type":"step","count":{"9" * 15_000}}}', f'{{"type":"{"x" * 15_000}"}}'))
            )
            stage.hear(page)


def pings(stage: Stage) -> None:
    """Pings, and no answer is read"""
    with opened(stage) as page:
        frames = b"".join(b"\x89\x80" + struct.pack(">I", stage.draw.getrandbits(32)) for _ in range(1000))
        page.socket.settimeout(1.0)
        while not stage.over:
            try:
                page.socket.sendall(frames)
            except TimeoutError:
                pass


def endless_ways(stage: Stage) -> None:
    """A step of 10^12 iterations, and gone"""
    while not stage.over:
        with opened(stage) as page:
            say(page, "step", count=10**12)
            time.sleep(0.2)
            stage.hear(page)


def long_iterations(stage: Stage) -> None:
    """The most rollouts that are admitted, stepped, and gone"""
    while not stage.over:
        with stage.page() as page:
            say(page, "open", method="outcome+probe(1000000000000)")
            refused = json.loads(page.recv(timeout=PATIENCE)).get("message", "")
            most = refused.partition("up to ")[2].partition(" ")[0].replace(",", "") or 10**12  # if it was admitted
            say(page, "open", method=f"outcome+probe({most})")
            page.recv(timeout=PATIENCE)
            say(page, "play")
            time.sleep(0.3)
            stage.hear(page)


def never_reads(stage: Stage) -> None:
    """Asks for frames and reads none of them"""
    with opened(stage, "leduc", "chance") as page:
        page.socket.settimeout(0.5)
        while not stage.over:
            try:
                say(page, "step")
                say(page, "view", limit=200)
            except TimeoutError:
                pass
            time.sleep(0.05)


def many_games(stage: Stage) -> None:
    """Opens one game after the other, large ones too"""
    while not stage.over:
        with stage.page() as page:
            for _ in range(5):
                small = f"gp({stage.draw.randint(2, 5)},{stage.draw.randint(2, 3)},{stage.draw.randint(1, 2)},1)"
                say(page, "open", game=stage.draw.choice((small, *BIG_GAMES)))
                stage.hear(page, 2.0)


def many_methods(stage: Stage) -> None:
    """Opens one method after the other, which must all be compiled"""
    while not stage.over:
        with stage.page() as page:
            say(page, "open", method=stage.draw.choice(SAMPLERS) + "".join(stage.draw.sample(PARTS, 2)))
            stage.hear(page, 5.0)


def questions(stage: Stage) -> None:
    """Asks what takes longest to answer"""
    with opened(stage, "leduc", "outcome") as page:
        while not stage.over:
            say(page, "step", count=stage.draw.randint(1, 100))
            say(page, "noise", walks=20_000)
            say(page, "clairvoyant")
            say(page, "infoset", player=0, label="K:")
            stage.hear(page, 0.5)


def races(stage: Stage) -> None:
    """Has races measured, and begins again"""
    while not stage.over:
        with stage.page() as page:
            say(page, "measure")
            stage.hear(page, 3.0)


def back_and_forth(stage: Stage) -> None:
    """Jumps to and fro, as far as it may"""
    with opened(stage, "leduc", "chance") as page:
        while not stage.over:
            say(page, "jump", iteration=stage.draw.choice((0, 1, 50, 10**6, 10**12, 10**18)))
            stage.hear(page, 0.3)


def half_open(stage: Stage) -> None:
    """Fifty connections that say nothing, or a letter a second"""
    while not stage.over:
        silent = [stage.raw() for _ in range(50)]
        for _ in range(5):
            for one in silent[:25]:
                try:
                    one.send(b"G")
                except OSError:
                    pass
            time.sleep(1.0)
        for one in silent:
            one.close()


def files(stage: Stage) -> None:
    """Fetches files and lists without a pause"""
    while not stage.over:
        where = stage.draw.choice(("/", "/api/about", "/api/runs", "/plotly.js", "/nosuch", "/static/main.js"))
        with stage.raw() as plain:
            plain.sendall(f"GET {where} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            while plain.recv(2**20):
                stage.answers += 1


def bad_frames(stage: Stage) -> None:
    """Binary frames, invalid UTF-8, frames of a gigabyte, bad hosts"""
    while not stage.over:
        with stage.page() as page:
            mask = b"\0\0\0\0"
            frames = (b"\x81\x82" + mask + b"\xff\xfe", b"\x81\xff" + struct.pack(">Q", 2**30) + mask, b"\xff\xff" * 99)
            page.send(b"\0" * 1000)
            page.socket.sendall(stage.draw.choice(frames))
            try:
                stage.hear(page, 1.0)
            except GONE:
                pass
        with stage.raw() as plain:
            plain.sendall(f"GET / HTTP/1.1\r\nHost: {stage.draw.choice(('[', '[::', 'a@b', ''))}\r\n\r\n".encode())
            plain.recv(4096)
        time.sleep(0.01)


KINDS: tuple[Callable[[Stage], None], ...] = (
    small_messages, large_messages, pings, endless_ways, long_iterations, never_reads, many_games, many_methods,
    questions, races, back_and_forth, half_open, files, bad_frames,
)  # fmt: skip


def misbehave(port: int, pages: int, seconds: float, seed: int) -> list[tuple[str, int]]:
    """So many pages at once; what each did, and how many answers it got."""
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # of this side: it too stumbles over broken frames
    stages = [Stage(port, seconds, seed, str(number)) for number in range(pages)]
    kinds = [KINDS[number % len(KINDS)] for number in range(pages)]

    def keep_on(kind: Callable[[Stage], None], stage: Stage) -> None:
        while not stage.over:
            try:
                kind(stage)
            except GONE:
                time.sleep(0.05)

    threads = [threading.Thread(target=keep_on, args=pair, daemon=True) for pair in zip(kinds, stages)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    for thread, stage in zip(threads, stages):
        stage.leave()
        thread.join(1.0)
    return [(str(kind.__doc__), stage.answers) for kind, stage in zip(kinds, stages)]


# ---- the lonely page


class Lonely:
    """A page that behaves, and how long it waited for each kind of answer."""

    def __init__(self, port: int) -> None:
        self.port, self.waits = port, {"a step": [], "opening": [], "a file": []}  # type: dict[str, list[float]]
        self.page = connect(f"ws://127.0.0.1:{port}/ws", max_size=None).__enter__()

    def ask(self, kind: str, **facts: Any) -> None:
        """A question, until it is answered; an error is none."""
        say(self.page, kind, **facts)
        while True:
            answer = json.loads(self.page.recv(timeout=PATIENCE))
            if answer["type"] == "error":
                raise AssertionError(answer["message"])
            if answer["type"] == "frame":
                self.page.send(json.dumps({"type": "ack", "frame": answer["frame"]}))
            if answer.get("id") == 1 and answer["type"] != "progress":
                return

    def go_on(self, seconds: float) -> None:
        """Ask now and then, for so long."""
        end, turn = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            turn += 1
            if turn % 10 == 5:
                self._time("opening", lambda: self.ask("open", game="kuhn", method="external", seed=1))
            elif turn % 10 == 0:
                self._time(
                    "a file", lambda: urlopen(f"http://127.0.0.1:{self.port}/api/about", timeout=PATIENCE).read()
                )
            else:
                self._time("a step", lambda: self.ask("step", count=10))
            time.sleep(PAUSE)

    def _time(self, what: str, act: Callable[[], Any]) -> None:
        began = time.monotonic()
        try:
            act()
        except GONE:  # no answer: as if it had come at last
            self.page = connect(f"ws://127.0.0.1:{self.port}/ws", max_size=None).__enter__()
            say(self.page, "open", game="kuhn", method="external", seed=1)
        self.waits[what].append(time.monotonic() - began)

    def table(self) -> list[str]:
        """What it waited for: how often, median and worst, in milliseconds."""
        lines = []
        everything = [wait for waits in self.waits.values() for wait in waits]
        for what, waits in (*self.waits.items(), ("anything", everything)):
            if waits:
                middle, worst = 1000 * statistics.median(waits), 1000 * max(waits)
                lines.append(f"  {what:10} {len(waits):6,} answers, median {middle:7.1f} ms, worst {worst:8.1f} ms")
        return lines

    def forget(self) -> None:
        """Measure anew."""
        for waits in self.waits.values():
            waits.clear()


def memory(process: int) -> tuple[float, float]:
    """What a process takes now and took at most, in MB."""
    sizes = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return tuple(int(sizes[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))  # type: ignore[return-value]


def main() -> None:
    """Start a server, attack it, and print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pages", type=int, default=20)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--seed", type=int, default=1)
    wish = arguments.parse_args()
    command = [sys.executable, "-m", "mccfr", "watch", "kuhn", "--no-browser", "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    complaints: list[str] = []
    assert server.stdout is not None
    assert server.stderr is not None
    listener = threading.Thread(target=lambda: complaints.extend(server.stderr or ()), daemon=True)
    listener.start()
    try:
        told = ""
        while "address" not in told:
            told += server.stdout.readline()
        port = int(told.partition("http://localhost:")[2].partition("/")[0])
        lonely = Lonely(port)
        lonely.ask("open", game="kuhn", method="external", seed=1)
        lonely.go_on(ALONE)
        print(f"the lonely page, alone; the server takes {memory(server.pid)[0]:,.0f} MB", *lonely.table(), sep="\n")
        lonely.forget()
        with multiprocessing.get_context("spawn").Pool(1) as others:
            done = others.apply_async(misbehave, (port, wish.pages, wish.seconds, wish.seed))
            lonely.go_on(wish.seconds)
            did = done.get(wish.seconds + 30)
        print(f"\n{wish.pages} others, for {wish.seconds:g} s, seed {wish.seed}")
        for kind in dict(did):
            count, answers = sum(k == kind for k, _ in did), sum(a for k, a in did if k == kind)
            print(f"  {count} x {kind}: {answers:,} answers")
        now, most = memory(server.pid)
        print(
            f"\nthe lonely page, meanwhile; the server takes {now:,.0f} MB, at most {most:,.0f} MB",
            *lonely.table(),
            sep="\n",
        )
        lonely.forget()
        time.sleep(2.0)
        lonely.go_on(ALONE)
        print(
            f"\nthe lonely page, afterwards; the server takes {memory(server.pid)[0]:,.0f} MB",
            *lonely.table(),
            sep="\n",
        )
    finally:
        server.terminate()
        server.wait()
        listener.join(1.0)
        if complaints:
            print(
                f"\nthe server's terminal: {len(complaints)} lines, such as", *sorted(set(complaints))[:5], sep="\n  "
            )


if __name__ == "__main__":
    main()
