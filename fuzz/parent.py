"""The parent: hands out pieces of work, watches over children, replaces those that die, and writes findings down."""

import hashlib
import json
import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.child import CASE_BYTES, CASE_SECONDS, LAYOUT, Progress
from fuzz.kinds import KINDS
from fuzz.shrink import Case, shrunk, size

ROOT = Path(__file__).parents[1]
FOUND = Path(__file__).parent / "found"
KEPT = Path(__file__).parent / "cases"
LOOK_EVERY = 0.05  # seconds
KILL_AFTER = CASE_SECONDS + 2.0  # of processor time: a case that does not even notice that its time is over
ASLEEP = 60.0  # seconds that a case may take on a machine that does other things
START_SECONDS = 120.0


class Piece(NamedTuple):
    """Cases of one kind, by number."""

    kind: str
    seed: int
    start: int
    stop: int


class Row:
    """A line of the table at the end."""

    def __init__(self) -> None:
        self.cases = self.accepted = self.refused = self.found = self.peak = 0
        self.slowest, self.slowest_number, self.seconds = 0.0, -1, 0.0

    def add(self, done: Progress, seconds: float) -> None:
        self.cases, self.accepted = self.cases + done.cases, self.accepted + done.accepted
        self.refused, self.seconds = self.refused + done.refused, self.seconds + seconds
        self.peak = max(self.peak, done.peak)
        if done.slowest > self.slowest:
            self.slowest, self.slowest_number = done.slowest, done.slowest_number


class Report:
    """What all children did, and what was found: one case for each signature, the smallest."""

    def __init__(self, keep_in: Path | None = FOUND) -> None:
        self.rows: dict[str, Row] = {}
        self.findings: dict[tuple[str, str], dict[str, Any]] = {}
        self.keep_in = keep_in
        self.lock = threading.Lock()

    def row(self, kind: str) -> Row:
        return self.rows.setdefault(kind, Row())

    def add(self, found: dict[str, Any]) -> bool:
        """Count a finding; whether it is the first of its signature. A smaller case takes the place of a larger."""
        with self.lock:
            key = (found["kind"], found["signature"])
            known = self.findings.get(key)
            self.row(found["kind"]).found += 1
            if known is None or found["size"] < known["size"]:
                self.findings[key] = {**found, "times": 0}
                if self.keep_in is not None:
                    write_finding(self.keep_in, found)
            self.findings[key]["times"] = 1 + (known["times"] if known else 0)
            return known is None

    def lines(self) -> Iterator[str]:
        """The table."""
        yield (
            f"{'kind':9} {'cases':>8} {'accepted':>8} {'refused':>8} {'findings':>8} {'distinct':>8} {'seconds':>8} "
            f"{'per s':>7} {'slowest':>12} {'peak MB':>8}"
        )
        for kind, row in self.rows.items():
            distinct = sum(key[0] == kind for key in self.findings)
            slowest = f"{row.slowest:.2f}s #{row.slowest_number}"
            yield (
                f"{kind:9} {row.cases:8} {row.accepted:8} {row.refused:8} {row.found:8} {distinct:8} "
                f"{row.seconds:8.1f} {row.cases / max(row.seconds, 1e-9):7.0f} {slowest:>12} {row.peak / 2**20:8.0f}"
            )


def name_of(found: dict[str, Any]) -> str:
    """The name of a finding's file: the same for the same fault."""
    return f"{found['kind']}-{hashlib.sha256(found['signature'].encode()).hexdigest()[:8]}.json"


def write_finding(folder: Path, found: dict[str, Any]) -> Path:
    """Keep a finding to be replayed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name_of(found)
    path.write_text(json.dumps(found, indent=1) + "\n")
    return path


def pieces_of(kinds: Iterable[str], n: int, seed: int) -> Iterator[Piece]:
    """All work, cut in pieces."""
    for kind in kinds:
        share, piece = KINDS[kind]
        total = max(1, round(n * share))
        yield from (Piece(kind, seed, start, min(start + piece, total)) for start in range(0, total, piece))


class Worker:
    """One child at a time, and what it is doing."""

    def __init__(self, report: Report, plants: tuple[str, ...] = ()) -> None:
        self.report, self.plants = report, plants
        self.child: subprocess.Popen[bytes] | None = None
        self.folder = Path()
        self.buffer, self.over = b"", False

    def start(self) -> None:
        home = "/dev/shm" if Path("/dev/shm").is_dir() and os.access("/dev/shm", os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="fz", dir=home))
        (self.folder / "progress").write_bytes(LAYOUT.pack(*Progress()))
        (self.folder / "stacks").touch()
        quiet = {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        paths = os.pathsep.join([str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
        environment = {
            **os.environ, **quiet, "PYTHONPATH": paths, "HOME": str(self.folder), "MCCFR_CACHE": str(self.folder / "c"),
            "COLUMNS": "100",
        }  # fmt: skip
        self.child = subprocess.Popen(
            [sys.executable, "-m", "fuzz.child", str(self.folder), *self.plants],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(self.folder / "stderr").open("wb"),
            env=environment, cwd=ROOT,
        )  # fmt: skip
        self.buffer, self.over = b"", False

    def end(self) -> None:
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            for stream in (self.child.stdin, self.child.stdout):
                if stream:
                    stream.close()
            shutil.rmtree(self.folder, ignore_errors=True)
            self.child = None

    def progress(self) -> Progress:
        return Progress(*LAYOUT.unpack((self.folder / "progress").read_bytes()))

    def ask(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Answers of the child until it is done; {"died": why} if it cannot go on."""
        if self.child is None or self.child.poll() is not None:
            self.end()
            self.start()
        assert self.child
        assert self.child.stdin
        try:
            self.child.stdin.write(json.dumps(message).encode() + b"\n")
            self.child.stdin.flush()
        except OSError:
            pass  # it has died, which is noticed below
        asked = time.monotonic()
        while True:
            for line in self._lines():
                answer = json.loads(line)
                yield answer
                if "found" not in answer:
                    return
            now = self.progress()
            if why := self._trouble(asked, now):
                yield {"died": why, "number": now.number}
                return

    def _lines(self) -> Iterator[bytes]:
        assert self.child
        assert self.child.stdout
        ready, _, _ = select.select([self.child.stdout], [], [], LOOK_EVERY)
        if ready:
            read = os.read(self.child.stdout.fileno(), 2**16)
            self.over = not read
            self.buffer += read
            *lines, self.buffer = self.buffer.split(b"\n")
            yield from lines

    def _trouble(self, asked: float, now: Progress) -> str:
        """Why the child cannot go on; it is killed if it has not died by itself."""
        assert self.child
        code = self.child.poll()
        if code is not None and self.over:
            return f"died ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})"
        if code is not None:
            return ""  # it has said more than we have heard
        under_way = now.number >= 0 and now.began > 0.0 and now.base > 0  # else read while it was written, from zeros
        if under_way:
            waited, worked = time.monotonic() - now.began, _processor_time(self.child.pid) - now.spent
            if worked > KILL_AFTER or waited > ASLEEP:
                self._stop()
                return "hung"
        if under_way and _resident(self.child.pid) > now.base + 2 * CASE_BYTES:
            self._stop()
            return "memory"
        if now.number < 0 and time.monotonic() - max(asked, now.began) > START_SECONDS:
            self._stop()
            return "does not start"
        return ""

    def _stop(self) -> None:
        """Have it write down where it is, then kill it."""
        assert self.child
        self.child.send_signal(signal.SIGUSR1)
        time.sleep(0.3)
        self.child.kill()
        self.child.wait()

    def last_words(self) -> str:
        """The innermost place in the package where it was, and the end of what it said."""
        stacks = (self.folder / "stacks").read_text(errors="replace").splitlines()
        inside = [line.strip() for line in stacks if "/mccfr/" in line and "/mccfr/web/pool" not in line]
        if inside:
            file, _, function = inside[0].partition('", line ')
            return f"mccfr/{file.rpartition('/mccfr/')[2]}:{function.rpartition(' in ')[2]}"
        return (self.folder / "stderr").read_text(errors="replace").strip()[-200:].replace("\n", " ")

    # ---- pieces

    def do(self, piece: Piece) -> None:
        """A piece of work, in as many children as it takes."""
        start = piece.start
        while start < piece.stop:
            began = time.monotonic()
            went_on, died = piece.stop, False
            known = [signature for kind, signature in list(self.report.findings) if kind == piece.kind]
            for answer in self.ask({**piece._asdict(), "start": start, "known": known}):
                if "found" in answer:
                    if self.report.add(answer["found"]):
                        say(f"  found: {headline(answer['found'])}")
                elif "leave" in answer:
                    went_on = answer["leave"] + 1
                elif "died" in answer:
                    number = answer["number"]
                    if number < 0:
                        raise RuntimeError(f"a child of kind {piece.kind} {answer['died']}: {self.last_words()}")
                    went_on, died = number + 1, True
                    self._death(piece, number, answer["died"])
            with self.report.lock:
                done = self.progress()
                if died:
                    done = done._replace(cases=done.cases + 1)  # the one under which it died
                self.report.row(piece.kind).add(done, time.monotonic() - began)
            if went_on < piece.stop:
                self.end()
            start = went_on

    def _death(self, piece: Piece, number: int, why: str) -> None:
        """Write down the case under which a child died, without the parts that it did not need."""
        place = self.last_words()
        signature = f"{why} at {place}"[:200]
        known = (piece.kind, signature) in self.report.findings
        case = json.loads((self.folder / "case").read_text())
        if not known:
            helper = Worker(self.report, self.plants)
            try:
                case = shrunk(case, lambda smaller: helper.dies(piece.kind, smaller), attempts=4, lists_only=True)
            finally:
                helper.end()
        found = {"kind": piece.kind, "seed": piece.seed, "number": number, "signature": signature, "what": place}
        if self.report.add({**found, "size": size(case), "case": case}):
            say(f"  found: {headline({**found, 'case': case})}")

    def dies(self, kind: str, case: Case) -> bool:
        """Whether a child dies of a case."""
        return "died" in next(self.ask({"kind": kind, "case": case}))


def replayed(paths: Iterable[Path], plants: tuple[str, ...] = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """What comes of cases that were kept, one after the other in one child."""
    worker = Worker(Report(None), plants)
    try:
        for path in paths:
            kept = json.loads(path.read_text())
            answer = next(worker.ask({"kind": kept["kind"], "case": kept["case"]}))
            if answer.get("verdict", {}).get("signature", "").startswith(("no end", "no answer")):
                worker.end()  # what does not end spoils whatever comes after it
            if "died" in answer:
                answer = {"verdict": {"outcome": "found", "signature": answer["died"], "what": worker.last_words()}}
                worker.end()
            yield path, answer["verdict"]
    finally:
        worker.end()


def fuzz(
    kinds: Iterable[str], n: int, seed: int, jobs: int, plants: tuple[str, ...] = (), keep_in: Path | None = FOUND
) -> Report:
    """Run everything."""
    report = Report(keep_in)
    work: queue.Queue[Piece] = queue.Queue()
    pieces = list(pieces_of(kinds, n, seed))
    for piece in pieces:
        report.row(piece.kind)
        work.put(piece)
    began, ended = time.monotonic(), []
    failed: list[BaseException] = []

    def labour() -> None:
        worker = Worker(report, plants)
        try:
            while not failed:
                piece = work.get_nowait()
                worker.do(piece)
                ended.append(piece)
                row = report.row(piece.kind)
                if len(pieces) > len(kinds_of(pieces)):
                    say(
                        f"[{time.monotonic() - began:6.0f} s] {len(ended)}/{len(pieces)} pieces; {piece.kind}: "
                        f"{row.cases:,} cases, {row.found:,} findings"
                    )
        except queue.Empty:
            pass
        except BaseException as error:
            failed.append(error)
        finally:
            worker.end()

    threads = [threading.Thread(target=labour) for _ in range(min(jobs, len(pieces)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return report


def kinds_of(pieces: Iterable[Piece]) -> set[str]:
    return {piece.kind for piece in pieces}


def headline(found: dict[str, Any]) -> str:
    """A finding in a line."""
    case = json.dumps(found["case"])
    shown = case if len(case) < 160 else case[:157] + "..."
    return f"{found['kind']} #{found['number']}: {found['signature']} | {found['what'][:120]} | {shown}"


def say(line: str) -> None:
    """A line for whoever is watching."""
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


def _processor_time(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
