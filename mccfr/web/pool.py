"""Threads that all pages share: who has used them least of late comes first, and the last thread is for the modest."""

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

from mccfr.errors import MccfrError

FADES = 2.0  # seconds in which half of what a page has used is forgotten
MODEST = 0.25  # seconds: a page that has used no more of late may have the last thread


class Busy(MccfrError, RuntimeError):
    """More is waiting than can be done soon."""


class Share:
    """What one page has used of the threads lately, in seconds."""

    def __init__(self) -> None:
        self._used, self._at = 0.0, time.monotonic()

    def used(self) -> float:
        """Seconds, the older the less."""
        return self._used * 0.5 ** ((time.monotonic() - self._at) / FADES)

    def charge(self, seconds: float) -> None:
        """More was used."""
        self._used, self._at = self.used() + seconds, time.monotonic()


class Pool:
    """Some threads and one queue. Compiled work does not hold Python's lock, so all cores can be busy.

    `spare`: threads that pages which have used much of late leave free, so that the others need not wait for them.
    `most`: jobs that may be waiting.
    """

    def __init__(self, threads: int, spare: int = 0, most: int = 10_000) -> None:
        self.most = most
        self._waiting: list[tuple[float, int, Share, Any]] = []
        self._number = itertools.count()
        self._changed = threading.Condition()
        self._most_greedy, self._greedy = threads - spare, 0
        self._ended = False
        for _ in range(threads):
            threading.Thread(target=self._work, daemon=True).start()

    def submit(self, share: Share, work: Callable[..., Any], *args: Any, later: float = 0.0) -> Future[Any]:
        """Have something done on a page's account; `later`: as if it had used so many seconds more."""
        done: Future[Any] = Future()
        with self._changed:
            if len(self._waiting) >= self.most:
                self._waiting = [job for job in self._waiting if not job[3][0].cancelled()]  # whose page has gone
                heapq.heapify(self._waiting)
            if len(self._waiting) >= self.most:
                raise Busy(f"{self.most} pages are already waiting for long work: try again in a minute")
            heapq.heappush(self._waiting, (share.used() + later, next(self._number), share, (done, work, args)))
            self._changed.notify()
        return done

    def end(self) -> None:
        """Finish what is waiting, then stop."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _next(self) -> tuple[float, int, Share, Any] | None:
        """The job to be done next, once there is one that may be; none at the end."""
        with self._changed:
            while True:
                if self._waiting:  # the first has used least: if it must wait, so must all
                    if self._waiting[0][0] <= MODEST:
                        return heapq.heappop(self._waiting)
                    if self._greedy < self._most_greedy:
                        self._greedy += 1
                        return heapq.heappop(self._waiting)
                elif self._ended:
                    return None
                self._changed.wait()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            used, _, share, (done, work, args) = job
            if done.set_running_or_notify_cancel():  # else the page has gone
                began = time.perf_counter()
                try:
                    found = work(*args)
                except BaseException as error:
                    share.charge(time.perf_counter() - began)
                    done.set_exception(error)
                else:
                    share.charge(time.perf_counter() - began)
                    done.set_result(found)
            if used > MODEST:
                with self._changed:
                    self._greedy -= 1
                    self._changed.notify()


class Pools(NamedTuple):
    """Threads by how long they are kept busy, so that short work never waits for long."""

    slices: Pool  # a hundredth of a second of iterations, or one iteration
    questions: Pool  # up to some seconds
    building: Pool  # writing games out and compiling: one after the other, for it is all Python
    races: Pool  # minutes


def make_pools(cores: int) -> Pools:
    """The threads of a server."""
    return Pools(Pool(cores + 1, 1), Pool(4, 1), Pool(1, most=32), Pool(1, most=4))
