"""Threads that all pages share: answers come before playing, and within each, first come, first served."""

import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

ANSWER, PLAY, END = range(3)  # the smaller, the sooner


class Pool:
    """Some threads and one queue. Compiled work does not hold Python's lock, so all cores can be busy."""

    def __init__(self, threads: int) -> None:
        self._waiting: queue.PriorityQueue[tuple[int, int, Any]] = queue.PriorityQueue()
        self._number = itertools.count()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, rank: int, work: Callable[..., Any], *args: Any) -> Future[Any]:
        """Have something done."""
        done: Future[Any] = Future()
        self._waiting.put((rank, next(self._number), (done, work, args)))
        return done

    def end(self) -> None:
        """Finish what is waiting, then stop."""
        for _ in self._threads:
            self._waiting.put((END, next(self._number), None))

    def _work(self) -> None:
        while (job := self._waiting.get()[2]) is not None:
            done, work, args = job
            if not done.set_running_or_notify_cancel():
                continue  # the page has gone
            try:
                done.set_result(work(*args))
            except BaseException as error:
                done.set_exception(error)
