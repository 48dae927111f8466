"""Engines for several workers: threads, since compiled walks do not hold Python's lock.

replicas  private tables, averages summed: no worker disturbs another, and none learns from another
batch     one frozen strategy, private notes, merged in a fixed order: the same result with any number of workers
shared    one table, no locks: every walk learns from all others at once; not reproducible
locked    the same with a lock for every row, for comparison [Lin 2024]
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.kernel.dice import seeded
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import LeanTable, Table, Work
from mccfr.kernel.minimisers import Deferred
from mccfr.kernel.play import AsLearned
from mccfr.kernel.sharing import (
    PAGE,
    Draft,
    GuardedLeanTable,
    GuardedTable,
    LeanDraft,
    Noted,
    Snapshot,
    close_batch,
    collect,
    merge,
)
from mccfr.kernel.walk import Parts
from mccfr.solvers.engines import Engine, WalkEngine
from mccfr.solvers.method import Method
from mccfr.tree.tree import Tree

BLOCKS, SMALLEST_BLOCK = 16, 8  # a batch has at most so many pieces of at least so many iterations, whoever does them
PIECES = 8  # of a shared run for each worker: so that fast ones take more


class Threads:
    """Workers of this process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, "mccfr")

    def each(self, work: Callable[[int], None]) -> None:
        """work(0), work(1), ... at once, until all are done."""
        if self.count == 1:
            work(0)
        else:
            for future in [self._pool.submit(work, j) for j in range(self.count)]:
                future.result()


class ReplicaEngine:
    """Independent walks on private tables. So many iterations in all, shared out evenly.

    one: makes an engine; told which, if it is not the first.
    """

    full_width = False
    note = ""

    def __init__(self, one: Callable[..., Engine], workers: int) -> None:
        self.replicas = [one(*([j] if j else [])) for j in range(workers)]
        self.threads = Threads(workers)
        self.clock = np.zeros(1)

    def run(self, n: int) -> None:
        total, workers = int(self.clock[0]) + n, len(self.replicas)

        def go(j: int) -> None:
            mine = total // workers + (j < total % workers)
            self.replicas[j].run(mine - int(self.replicas[j].clock[0]))

        self.threads.each(go)
        self.clock[0] = total

    def weights(self) -> npt.NDArray[np.float64]:
        """The replicas' averages summed: one average over everybody's iterations."""
        total = self.replicas[0].weights().copy()
        for replica in self.replicas[1:]:
            total += replica.weights()
        return total

    def current(self) -> npt.NDArray[np.float64]:
        """The first replica's."""
        return self.replicas[0].current()

    def regrets(self) -> npt.NDArray[np.float64]:
        """The first replica's."""
        return self.replicas[0].regrets()

    @property
    def changes_at_end(self) -> bool:
        return self.replicas[0].changes_at_end

    def attend(self, witness: Any) -> bool:
        """Not by one witness: replicas walk at the same time."""
        return False

    def run_told(self, listen: Callable[[Any, Any], Any]) -> None:
        """Nobody hears anything."""
        self.run(1)

    @property
    def arrays(self) -> dict[str, Any]:
        found = {f"replica{j}.{name}": a for j, one in enumerate(self.replicas) for name, a in one.arrays.items()}
        return {**found, "clock": self.clock}

    def refresh(self) -> None:
        """Walks read nothing but the tables."""

    @property
    def touched(self) -> int:
        return sum(replica.touched for replica in self.replicas)


class SharedEngine(WalkEngine):
    """One table for all workers. Each iteration is done by whoever is free."""

    def __init__(self, tree: Tree, method: Method, seed: int, workers: int, locked: bool = False) -> None:
        super().__init__(tree, method, seed)
        if locked:
            guarded = GuardedLeanTable if isinstance(self.table, LeanTable) else GuardedTable
            self.table = guarded(**self.table._asdict(), locks=np.zeros(len(self.table.regret), np.uint8))
        if isinstance(self.parts.play, AsLearned) and (locked or not isinstance(self.table, LeanTable)):
            self.parts = self.parts._replace(play=Snapshot())
        others = (tree.walk_work(seeded(seed, j), method.common) for j in range(1, workers))
        self.works = [self.work, *others]
        self.threads = Threads(workers)

    def run(self, n: int) -> None:
        start = int(self.clock[0])
        self._reach_ahead(start + n)
        size = max(1, n // (PIECES * len(self.works)))
        pieces = deque((at, min(size, n - at)) for at in range(0, n, size)) if n else deque([(0, 0)])
        sums = np.zeros(len(self.works))
        sums[0] = self.clock[1]  # so that one worker adds up in the order of the plain walk, in however many runs

        def go(j: int) -> None:
            while pieces:
                try:
                    at, count = pieces.popleft()
                except IndexError:  # another worker was quicker
                    return
                clock = np.array([start + at, sums[j]])
                run_walks(count, clock, self.parts, self.tree, self.table, self.works[j])
                sums[j] = clock[1]

        self.threads.each(go)
        self.clock[:] = start + n, sums.sum()

    @property
    def arrays(self) -> dict[str, Any]:
        dice = {f"dice{j}": work.dice.state for j, work in enumerate(self.works) if j}
        touched = {f"touched{j}": work.touched for j, work in enumerate(self.works) if j}
        return {name: a for name, a in super().arrays.items() if name != "locks"} | dice | touched

    @property
    def touched(self) -> int:
        return sum(int(work.touched[0]) for work in self.works)


class Notes(NamedTuple):
    """What one block of a batch would add: see `mccfr.kernel.sharing.collect`."""

    rows: npt.NDArray[np.uint64]
    values: npt.NDArray[np.float64]
    touched: int
    value: float  # the sum of player 0's root estimates


class Block(NamedTuple):
    """Some iterations of a batch: from first + 1 on, with dice from these keys."""

    first: int
    iterations: int
    batch: int
    number: int


class BlockWalker:
    """Does blocks: a draft over a frozen table, and frames. What a block yields depends on nothing else."""

    def __init__(self, parts: Parts, tree: Any, table: Table, infosets: int, work: Work, seed: int) -> None:
        entries = len(table.regret)
        self.parts, self.tree, self.work, self.seed = parts._replace(minimiser=Noted()), tree, work, seed
        draft = LeanDraft if isinstance(table, LeanTable) else Draft
        self.draft = draft(
            *table, np.zeros(entries), np.zeros(entries),
            np.zeros(infosets, np.uint64), np.zeros(2, np.uint64), np.zeros(entries, np.uint8),
        )  # fmt: skip

    def walk(self, block: Block) -> Notes:
        work = self.work._replace(dice=seeded(self.seed, block.batch, block.number))
        before = int(work.touched[0])
        clock = np.array([float(block.first), 0.0])
        run_walks(block.iterations, clock, self.parts, self.tree, self.draft, work)
        rows = np.empty(int(self.draft.count[0]), np.uint64)
        values = np.empty(2 * int(self.draft.count[1]))
        collect(self.draft, rows, values)
        return Notes(rows, values, int(work.touched[0]) - before, float(clock[1]))


class Crew(Protocol):
    """Who does the blocks of a batch: threads here, or other machines."""

    def notes(self, blocks: list[Block], table: Table) -> Iterable[Notes]:
        """What the blocks yield, in their order; the table does not change meanwhile."""


class ThreadCrew:
    """Blocks done by threads of this process."""

    def __init__(self, threads: Threads, walkers: list[BlockWalker]) -> None:
        self.threads, self.walkers = threads, walkers

    def notes(self, blocks: list[Block], table: Table) -> list[Notes]:
        found: list[Notes | None] = [None] * len(blocks)
        waiting = deque(enumerate(blocks))

        def go(j: int) -> None:
            while waiting:
                try:
                    at, block = waiting.popleft()
                except IndexError:  # another worker was quicker
                    return
                found[at] = self.walkers[j].walk(block)

        self.threads.each(go)
        return [notes for notes in found if notes is not None]


class BatchEngine(WalkEngine):
    """Batches of iterations from one frozen strategy; what they add is merged in the blocks' order, whoever did them.

    Iterations come in whole batches: a run of n does as many as hold n.
    """

    def __init__(
        self, tree: Tree, method: Method, seed: int, workers: int, crew: Callable[["BatchEngine"], Crew] | None = None
    ) -> None:
        super().__init__(tree, method, seed)
        self.seed, self.infoset_count = seed, len(tree.infosets)
        self.threads = Threads(workers)
        pages = tree.infosets.row[:-1].astype(np.uint64) >> PAGE
        self.waiting = [np.zeros(2 * np.count_nonzero(pages % workers == j) + 2, np.uint64) for j in range(workers)]
        self.counts = [np.zeros(1, np.uint64) for _ in range(workers)]
        self._new_work = lambda: tree.walk_work(seeded(seed), method.common)
        self.crew = crew(self) if crew else ThreadCrew(self.threads, [self.walker() for _ in range(workers)])

    def walker(self) -> BlockWalker:
        """Somebody to do blocks of this engine."""
        return BlockWalker(self.parts, self.tree, self.table, self.infoset_count, self._new_work(), self.seed)

    def run(self, n: int) -> None:
        size = self.parts.minimiser.batch
        self._reach_ahead(int(self.clock[0]) + n + size)
        for _ in range(-(-n // size)):
            self._batch(list(blocks_of(int(self.clock[0]), size)))
        if not n:
            self._batch([Block(0, 0, 0, 0)])

    def _batch(self, blocks: list[Block]) -> None:
        notes = list(self.crew.notes(blocks, self.table))
        t = float(sum(block.iterations for block in blocks)) + self.clock[0]

        def go(j: int) -> None:
            minimiser = self.parts.minimiser._replace(waiting=self.waiting[j], count=self.counts[j])
            part, parts = np.uint64(j), np.uint64(self.threads.count)
            for one in notes:
                merge(one.rows, one.values, part, parts, minimiser, self.table)
            close_batch(t, minimiser, self.table)

        self.threads.each(go)
        self.work.touched[0] += np.uint64(sum(one.touched for one in notes))
        self.clock[:] = t, self.clock[1] + sum(one.value for one in notes)

    @property
    def arrays(self) -> dict[str, Any]:
        """Between two batches nothing waits, and dice are made anew for each block."""
        outside = {f"minimiser.{name}" for name in Deferred._fields} | {"dice"}
        return {name: array for name, array in super().arrays.items() if name not in outside}


def blocks_of(start: int, size: int) -> Iterator[Block]:
    """The batch that begins after iteration `start`, in pieces."""
    count = min(BLOCKS, max(1, size // SMALLEST_BLOCK))
    edges = [size * j // count for j in range(count + 1)]
    for number, (a, b) in enumerate(pairwise(edges)):
        yield Block(start + a, b - a, start // size, number)
