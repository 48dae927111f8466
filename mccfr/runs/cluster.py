"""Batches done on a Ray cluster.

A block depends on nothing but the game, the method, the seed and the frozen strategy, so it may be done anywhere, and
again elsewhere when a machine dies: the result is that of `batch` on one machine, bit for bit.
"""

import contextlib
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from mccfr.errors import MethodError
from mccfr.jobs.ray_pool import connected
from mccfr.kernel.layout import LeanTable, Table
from mccfr.solvers.parallel import BatchEngine, Block, BlockWalker, Notes

LOCAL = "local"


class Kit(NamedTuple):
    """What a worker needs once: everything about a block but the strategy."""

    name: str
    parts: Any
    tree: Any  # as walks see it
    infoset_count: int
    entries: int
    work: Any
    seed: int


class RayCrew:
    """Does blocks as Ray tasks, each on one processor, again if its worker or node dies."""

    def __init__(self, ray: Any, engine: BatchEngine) -> None:
        if isinstance(engine.table, LeanTable):
            raise MethodError(
                "Ray batches send current strategies, and hold'em through buckets keeps none: use threads"
            )
        self.ray = ray
        self.task = ray.remote(max_retries=-1, num_cpus=1)(walk_block)
        walker = engine.walker()
        kit = Kit(
            uuid.uuid4().hex, walker.parts, engine.tree,
            engine.infoset_count, len(engine.table.current), walker.work, engine.seed,
        )  # fmt: skip
        self.kit = ray.put(kit)

    def notes(self, blocks: list[Block], table: Table) -> Iterator[Notes]:
        """What the blocks yield, in their order."""
        frozen = self.ray.put((table.current, table.average))
        waiting = [self.task.remote(self.kit, frozen, block) for block in blocks]
        for reference in waiting:
            yield writable(self.ray.get(reference))


_walkers: dict[str, BlockWalker] = {}  # of this worker process, by kit


def walk_block(kit: Kit, frozen: tuple[Any, Any], block: Block) -> Notes:
    """One block, done by a worker process somewhere."""
    if kit.name not in _walkers:
        _walkers.clear()
        _walkers[kit.name] = _walker(kit)
    walker = _walkers[kit.name]
    current, average = writable(frozen)
    walker.draft = walker.draft._replace(current=current, average=average)
    return walker.walk(block)


def _walker(kit: Kit) -> BlockWalker:
    work = kit.work._replace(**{name: a.copy() for name, a in kit.work._asdict().items() if isinstance(a, np.ndarray)})
    blank = Table(*(np.zeros(kit.entries) for _ in Table._fields))
    return BlockWalker(writable(kit.parts), writable(kit.tree), blank, kit.infoset_count, work, kit.seed)


class _Writable:
    """An array that says it may be written to."""

    def __init__(self, array: Any) -> None:
        self.array = array  # kept alive
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


def writable(value: Any) -> Any:
    """The arrays in a value, as kernels know them: compiled for arrays that may be written to.

    Ray shares memory that must not be changed; kernels only read it, but would have to be compiled a second time.
    """
    if isinstance(value, np.ndarray):
        return value if value.flags.writeable else np.asarray(_Writable(value))
    if isinstance(value, tuple):
        inside = [writable(item) for item in value]
        return type(value)(*inside) if hasattr(value, "_fields") else tuple(inside)
    return value


@contextlib.contextmanager
def ray_crew(address: str) -> Iterator[Callable[[BatchEngine], RayCrew]]:
    """Somebody to do the batches of a solver: the cluster at an address, or a "local" one."""
    with connected(None if address == LOCAL else address) as ray:
        yield lambda engine: RayCrew(ray, engine)
