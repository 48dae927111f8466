"""Ctrl-C and SIGTERM wait while arrays are being changed, so that a solver is always between two iterations."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def held_signals() -> Iterator[None]:
    """Signals that arrive inside the block are answered at its end, by whoever answered them before."""
    if threading.current_thread() is not threading.main_thread():  # only there do signals arrive
        yield
        return
    caught: list[tuple[int, FrameType | None]] = []
    before = {number: signal.getsignal(number) for number in SIGNALS}
    held = [number for number in SIGNALS if callable(before[number])]
    for number in held:
        signal.signal(number, lambda *seen: caught.append(seen))
    try:
        yield
    finally:
        for number in held:
            signal.signal(number, before[number])
        for seen, frame in caught:
            before[signal.Signals(seen)](seen, frame)  # type: ignore[operator,misc]
