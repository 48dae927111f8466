"""Deals counted by what both players see of them, from which the table of an abstract game is made.

All deals of a small deck are listed. Of a large one a number of deals is drawn, in blocks that have dice of their own,
so that the counts are the same for any number of workers; they are kept in the cache folder.
"""

import contextlib
import dataclasses
import hashlib
import itertools
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import FileError, MccfrError, TreeError
from mccfr.files import container
from mccfr.files.cache import cache_folder
from mccfr.kernel.card_dealing import deal_many
from mccfr.kernel.deal_counts import UNKNOWN, count_deals
from mccfr.kernel.dice import seeded
from mccfr.tree.bucket_tree import WORDS, BucketTree

FORMAT, VERSION = "mccfr-deals", 1
BLOCK = 2**16  # deals with the same dice
MOST_DRAWN = 2**31 - 1  # counts have 32 bits
LISTED = -1  # instead of a seed
COUNTS = (np.int8, np.int16, np.int32)

Watch = Callable[[str, float], None]  # told what is being done, and which share of it is done


def unwatched(what: str, share: float) -> None:
    """Tells nobody."""


@dataclasses.dataclass(frozen=True)
class DealCounts:
    """How often pairs of last rows were dealt.

    counts: int32[cells, 2], for every pair of rows low <= high how often it was dealt, and how often the lower row won
    less how often it lost. before: uint32[rows, streets - 1], which rows a last row had on the streets before; UNKNOWN
    where it was never dealt.
    """

    deals: int
    seed: int
    counts: npt.NDArray[Any]
    before: npt.NDArray[np.uint32]

    @property
    def listed(self) -> bool:
        """Whether these are all deals there are."""
        return self.seed == LISTED

    @property
    def checksum(self) -> str:
        """A hash of all numbers."""
        content = hashlib.sha256(f"{self.deals} {self.seed} {self.counts.dtype.str}\n".encode())
        for array in (self.counts, self.before):
            content.update(np.ascontiguousarray(array).data)
        return content.hexdigest()


def cells(rows: int) -> int:
    """Pairs of rows, whichever player has which."""
    return rows * (rows + 1) // 2


def count_all(tree: BucketTree) -> DealCounts:
    """Every deal of a small deck."""
    found = tree.joint_deals
    made = _nothing(tree, tree.deal_count, LISTED)
    _add(tree, made, np.array([words for words, _ in found], np.uint64), np.array([n for _, n in found], np.int64))
    return made


def draw(tree: BucketTree, deals: int, seed: int, workers: int, watch: Watch = unwatched) -> DealCounts:
    """So many deals, drawn. Integers are added in any order, so the number of workers does not matter."""
    made, done = _nothing(tree, deals, seed), itertools.count(1)
    blocks, turn, stop = iter(range(-(-deals // BLOCK))), threading.Lock(), threading.Event()
    total, cards, once = -(-deals // BLOCK), tree.cards, np.ones(BLOCK, np.int64)

    def work_off(_: int) -> None:
        held, out = np.zeros(tree.held, np.uint64), np.zeros((BLOCK, WORDS), np.uint64)
        for block in blocks:  # taking the next one is atomic
            if stop.is_set():
                return
            some = out[: min(BLOCK, deals - block * BLOCK)]
            deal_many(cards, held, seeded(seed, block), some)
            with turn:
                _add(tree, made, some, once[: len(some)])
                watch("dealing", next(done) / total)

    with ThreadPoolExecutor(workers) as pool:
        try:
            list(pool.map(work_off, range(workers)))
        finally:
            stop.set()
    return made


def _nothing(tree: BucketTree, deals: int, seed: int) -> DealCounts:
    """Counts of no deal."""
    rows, streets = tree.fit.rows[-1], tree.fit.cards.streets
    counts = np.zeros((cells(rows), 2), np.int32)
    return DealCounts(deals, seed, counts, np.full((rows, streets - 1), UNKNOWN, np.uint32))


def _add(tree: BucketTree, made: DealCounts, deals: npt.NDArray[np.uint64], times: npt.NDArray[np.int64]) -> None:
    streets, rows = np.uint64(tree.fit.cards.streets), np.uint64(tree.fit.rows[-1])
    if count_deals(deals, times, streets, rows, made.counts, made.before):
        raise TreeError(
            f"{tree.fit.bucketing} says that it has perfect recall, but hands with the same row on the last street had "
            "different rows before: set perfect_recall = False, or let rows tell the rows before"
        )


# ---- kept in the cache folder


def drawn(tree: BucketTree, deals: int, seed: int, workers: int, watch: Watch = unwatched) -> DealCounts:
    """The same from the cache folder if they are there, else drawn now and put there.

    A file that is damaged is drawn again, with a warning. A folder that cannot be written does not matter.
    """
    path = _kept_as(tree, deals, seed)
    if path is not None and path.exists():
        try:
            return load(path, tree, deals, seed)
        except (MccfrError, OSError) as error:
            warnings.warn(f"{error}: the deals are drawn again", RuntimeWarning, stacklevel=2)
    made = draw(tree, deals, seed, workers, watch)
    if path is not None:
        with contextlib.suppress(MccfrError, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            save(path, tree, made)
    return made


def _kept_as(tree: BucketTree, deals: int, seed: int) -> Path | None:
    folder = cache_folder()
    name = hashlib.sha256(f"{FORMAT} {VERSION} {tree.fit.checksum} {deals} {seed}".encode()).hexdigest()[:32]
    return None if folder is None else folder / f"{name}.deals"


def save(path: Path, tree: BucketTree, made: DealCounts) -> None:
    """Write counts to a file, in as few bytes as hold them."""
    small = next(kind for kind in COUNTS if _holds(kind, made.counts))
    packed = dataclasses.replace(made, counts=made.counts.astype(small))
    header = {
        **{"format_version": VERSION, "bucketing": str(tree.fit.bucketing), "cards": str(tree.fit.cards)},
        **{"fit": tree.fit.checksum, "deals": made.deals, "seed": made.seed, "sha256": packed.checksum},
    }
    container.save(path, FORMAT, header, {"counts": packed.counts, "before": packed.before})


def _holds(kind: Any, counts: npt.NDArray[Any]) -> bool:
    most = np.iinfo(kind).max
    return bool(counts.max(initial=0) <= most and counts.min(initial=0) >= -most)


def load(path: Path, tree: BucketTree, deals: int, seed: int) -> DealCounts:
    """Read counts from a file, which must be those of this bucketing, number and seed."""
    rows, streets = tree.fit.rows[-1], tree.fit.cards.streets
    with container.opened(path, FORMAT, "counts of deals") as file:
        wanted = {"format_version": VERSION, "fit": tree.fit.checksum, "deals": deals, "seed": seed}
        for name, value in wanted.items():
            if file.header.get(name) != value:
                raise FileError(f"{path} holds counts of other deals: its {name} is not {value}")
        counts = file.array("counts", COUNTS, (cells(rows), 2))
        before = file.array("before", (np.uint32,), (rows, streets - 1))
        found = DealCounts(deals, seed, counts, before)
        if found.checksum != file.header.get("sha256"):
            raise FileError(f"{path} does not match its checksum")
        return found
