"""What a case may do: nothing, or be refused in a line. Everything else is a finding, with a signature of its own."""

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from mccfr.errors import MccfrError

LONGEST = 300  # characters of an error's line
PACKAGE = "/mccfr/"


class Found(BaseException):
    """Something that must not happen; not an Exception, so that nobody on the way takes it for one of theirs."""

    def __init__(self, signature: str, what: str = "") -> None:
        super().__init__(f"{signature}: {what}" if what else signature)
        self.signature, self.what = signature, what


class TooLong(BaseException):
    """Raised in a case that takes longer than it may."""


class Verdict(NamedTuple):
    """How a case ended: "accepted", "refused" or "found"."""

    outcome: str
    signature: str = ""  # of a finding: equal ones are the same fault
    what: str = ""


def judged(run: Callable[[], Any]) -> Verdict:
    """Run a case and say how it ended."""
    watched.forget()
    try:
        with watched.guarded():
            run()
    except MccfrError as error:
        return _forbidden() or _refusal(str(error), error.__traceback__)
    except Found as found:
        return _forbidden() or Verdict("found", found.signature, found.what)
    except TooLong as error:
        place = place_of(error.__traceback__)
        return Verdict("found", f"too long at {place}", "takes more than it may")
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        place = place_of(error.__traceback__)
        lines = traceback.format_exception_only(error)
        return _forbidden() or Verdict("found", f"{type(error).__name__} at {place}", lines[-1].strip()[:500])
    return _forbidden() or Verdict("accepted")


def _refusal(text: str, trace: TracebackType | None) -> Verdict:
    problem = line_problem(text)
    if problem:
        return Verdict("found", f"{problem} at {place_of(trace)}", text[:500])
    return Verdict("refused")


def line_problem(text: str) -> str:
    """Why a text is not fit to be an error's line."""
    if len(text) > LONGEST:
        return "long line"
    if len(text.splitlines()) > 1:
        return "several lines"
    if not text.strip():
        return "empty line"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "unprintable line"
    return ""


def refuse_lines(text: str) -> None:
    """Check an error that may have a line for each problem."""
    for line in text.splitlines():
        if problem := line_problem(line):
            raise Found(problem, line[:500])


def place_of(trace: TracebackType | None) -> str:
    """The innermost function of the package in a traceback: file:function."""
    place = "the fuzzer"
    for frame, _ in traceback.walk_tb(trace):
        name = frame.f_code.co_filename
        if PACKAGE in name:
            place = f"mccfr/{name.rpartition(PACKAGE)[2]}:{frame.f_code.co_name}"
    return place


# ---- files and programs that a case must not touch


class Watch:
    """An audit hook: opening a forbidden file, starting a program or unpickling is a finding, and does not happen."""

    def __init__(self) -> None:
        self.on = False
        self.seen = ""
        self.allowed: tuple[str, ...] = ()
        self.traps: tuple[str, ...] = ()

    def install(self, folder: Path, traps: tuple[str, ...]) -> None:
        """From now on. `traps`: files in the folder that no case may open."""
        self.allowed = (str(folder), sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), "/proc/", "/sys/")
        self.allowed += (
            "/usr/",
            "/etc/",
            "/dev/null",
            "/dev/urandom",
            *(place for place in sys.path if len(place) > 1),
        )
        self.traps = traps
        sys.addaudithook(self._hear)

    def forget(self) -> None:
        self.seen = ""

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        self.on = True
        try:
            yield
        finally:
            self.on = False

    @contextlib.contextmanager
    def free(self) -> Iterator[None]:
        """Files may be opened: the user has named them."""
        was, self.on = self.on, False
        try:
            yield
        finally:
            self.on = was

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "open" and isinstance(args[0], str | bytes):
            path = os.path.abspath(os.fsdecode(args[0]))  # noqa: PTH100  once per opened file: quick
            if path.rpartition("/")[2] in self.traps or not path.startswith(self.allowed):
                self._refuse(f"opened {path.rpartition('/')[2]}")
        elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "pickle.find_class"):
            self._refuse(f"{event} {args[0]!r}"[:80])

    def _refuse(self, what: str) -> None:
        self.seen = what
        raise Found(what)


watched = Watch()


def _forbidden() -> Verdict | None:
    return Verdict("found", watched.seen, "a received input may not lead there") if watched.seen else None
