"""Ctrl-C and SIGTERM, and who answers them when. Nothing else in the package touches Python's `signal`."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def deferred_signals() -> Iterator[None]:
    """Signals that arrive inside the block are answered at its end, by whoever answered them before."""
    if threading.current_thread() is not threading.main_thread():  # only there do signals arrive
        yield
        return
    caught: list[tuple[int, FrameType | None]] = []
    before = {number: signal.getsignal(number) for number in SIGNALS}
    deferred = [number for number in SIGNALS if callable(before[number])]
    for number in deferred:
        signal.signal(number, lambda *seen: caught.append(seen))
    try:
        yield
    finally:
        for number in deferred:
            signal.signal(number, before[number])
        for seen, frame in caught:
            before[signal.Signals(seen)](seen, frame)  # type: ignore[operator,misc]


class Stop:
    """Inside the block the first signal is remembered in `asked`; a second one interrupts at once."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> "Stop":
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                before = signal.getsignal(number)
                if before not in (signal.SIG_IGN, None):  # who started us may want some to be ignored, as nohup does
                    self._before[number] = signal.signal(number, self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextlib.contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """Inside the block SIGTERM raises KeyboardInterrupt, as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def leave_ctrl_c_to_the_parent() -> None:
    """For a process that does jobs: a terminal sends Ctrl-C to it too, but its parent decides and sends SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _interrupt)


def stop_this_process() -> None:
    """Send SIGTERM to this very process, from any of its threads."""
    os.kill(os.getpid(), signal.SIGTERM)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
