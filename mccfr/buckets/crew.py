"""Work in pieces on several threads, each with a room of its own, told to whoever watches."""

import queue
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from mccfr.buckets.bucketing import Watch
from mccfr.machine import processors

Piece = TypeVar("Piece")
Room = TypeVar("Room")


def share_out(
    what: str, pieces: Iterable[Piece], count: int, work: Callable[[Room, Piece], None], rooms: list[Room], watch: Watch
) -> None:
    """Do the work for every piece, of which there are `count`, with as many threads as there are rooms.

    Pieces are taken when a thread is free, so they may be made on the way. Kernels let other threads run.
    """
    free: queue.SimpleQueue[Room] = queue.SimpleQueue()
    for room in rooms:
        free.put(room)

    def do(piece: Piece) -> None:
        room = free.get()
        try:
            work(room, piece)
        finally:
            free.put(room)

    with ThreadPoolExecutor(len(rooms), "mccfr") as pool:
        waiting: set[Future[None]] = set()
        done = 0
        for piece in pieces:
            waiting.add(pool.submit(do, piece))
            if len(waiting) > 2 * len(rooms):
                ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                done += _checked(ended)
                watch(what, done / count)
        _checked(wait(waiting).done)
    watch(what, 1.0)


def _checked(ended: set["Future[None]"]) -> int:
    """How many pieces have ended; an error in one of them is raised here."""
    for each in ended:
        each.result()
    return len(ended)


def crew_size(workers: int) -> int:
    """How many threads: 0 stands for all processors."""
    return workers or processors()
