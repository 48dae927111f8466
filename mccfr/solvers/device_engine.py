"""Iterations on a GPU: which methods have such a form and when it pays, and the engine that makes walks there.

The tables live on the GPU while iterations are made. Asked for, they come to host arrays of the names, shapes and types
that the CPU's engine has, so a checkpoint of one is read by the other; derived arrays are worked out again.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import DeviceError, MethodError, MissingExtra
from mccfr.gpu.device import Gpu, bytes_of, find_gpu, guarded, on_device, require_room
from mccfr.kernel.averaging import OPTIMISTIC, where
from mccfr.kernel.card_dealing import DealtAhead
from mccfr.kernel.dice import bits
from mccfr.kernel.estimators import foresees
from mccfr.kernel.layout import LeanTable, Near
from mccfr.kernel.minimisers import RM, RMPlus, Weighted
from mccfr.kernel.play import recommend_all
from mccfr.kernel.samplers import CountedOutcome, follows_all_others
from mccfr.solvers.engines import WalkEngine
from mccfr.solvers.method import FullWidth, Method, PublicChance
from mccfr.tree.tree import Tree

BLOCK = 128  # threads
FULL = 4  # blocks of a multiprocessor that are at work; more are slower [measured on an H200]
WARP = 32
VISITS = 32  # nodes that walks in flight visit for each table entry, at most [measured on Goofspiel(5), (6) and Leduc]
TRIED = 64  # iterations that show how many nodes a walk visits
NARROW_ACTIONS, NARROW_ENTRIES = 32, 2**32  # what frames of 32-bit words can say
DEALT_AHEAD, DEAL_WORDS = 2**22, 9  # deals at once, and what is kept of each: rows of both players, and who wins
DEAL_BYTES = 4 * DEAL_WORDS
PAYS = 1_000_000  # table entries of walks, or nodes of sweeps; below that a GPU has too little to do at once
ADDING = (RM, RMPlus, Weighted)  # minimisers that add to a regret
Floats = npt.NDArray[np.float64]


class Placed(NamedTuple):
    """Where iterations are made, and why there."""

    device: str  # cpu or gpu
    reason: str


def without_gpu_form(tree: Tree, method: Method) -> str:
    """Why these iterations cannot be made on a GPU; empty if they can."""
    if sweeps_whole_tree(tree, method):
        return ""
    if not method.samples or method.public or isinstance(method.sampler, PublicChance):
        return f"{method} on {tree.game}: a GPU makes walks with one pair of hands, and sweeps of trees written out"
    if tree.players != 2:
        return f"{tree.game} has {tree.players} players"
    if method.batch > 1 or follows_all_others(method.sampler):
        return f"{method} freezes its strategy, and walks on a GPU change it all the time"
    if not isinstance(method.minimiser, ADDING):
        word = type(method.minimiser).__name__
        return f"{method}: {word} does more than add to regrets, as rm, rm_plus and weighted do"
    if foresees(method.estimator):
        return f"{method}: predictive baselines want strategies that nobody else changes"
    if isinstance(method.sampler, CountedOutcome):
        return f"{method}: counts of draws want nobody else to draw at the same time"
    if where(method.averaging) == OPTIMISTIC:
        return f"{method}: optimistic averages want to know when a row was last visited"
    return f"{method}: common random numbers need room of their own" if method.common else ""


def sweeps_whole_tree(tree: Tree, method: Method) -> bool:
    """Whether iterations are full sweeps of a tree that is written out."""
    return isinstance(method.sampler, FullWidth) and tree.public is None and tree.streets is None


def place_iterations(tree: Tree, method: Method, device: str) -> Placed:
    """Where iterations are made that may be made on a GPU: as asked, or where they are made sooner."""
    why_not = without_gpu_form(tree, method)
    if device == "gpu":
        if why_not:
            raise MethodError(f"{why_not}: take --device cpu")
        return Placed("gpu", "")
    if why_not:
        return Placed("cpu", why_not)
    try:
        find_gpu("--device gpu")
    except (DeviceError, MissingExtra):
        return Placed("cpu", "no GPU can be used here")
    size, of_what = (
        (len(tree), "nodes") if sweeps_whole_tree(tree, method) else (tree.infosets.entries, "table entries")
    )
    if size < PAYS:
        return Placed("cpu", f"a GPU pays from about {PAYS:,} {of_what}, here there are {size:,}")
    return Placed("gpu", "")


def full_of_walks(gpu: Gpu) -> int:
    """How many walks at once fill a GPU."""
    return gpu.multiprocessors * FULL * BLOCK


def walks_in_flight(gpu: Gpu, entries: int, nodes: float) -> int:
    """How many walks are made at once: what fills the GPU, as long as each table entry is visited a few times only.

    A walk does not see what those beside it learn. Where walks in flight meet at the same entries hundreds of times,
    most of them say the same thing about a strategy that has long changed. nodes: that a walk visits.
    """
    return min(full_of_walks(gpu), max(WARP, int(VISITS * entries / nodes) // WARP * WARP))


class DeviceWalkEngine(WalkEngine):
    """One walk for each player and iteration, a thread for each iteration in flight."""

    def __init__(self, tree: Tree, method: Method, seed: int, threads: int = 0) -> None:
        super().__init__(tree, method, seed)
        self.game, self.gpu = tree.game, find_gpu("--device gpu")
        entries = tree.infosets.entries
        self._asked, self._most_nodes = threads, len(tree)
        self.wide = method.tables == "float64" or entries >= NARROW_ENTRIES or tree.infosets.widest > NARROW_ACTIONS
        precision = np.dtype(np.float64 if method.tables == "float64" else np.float32)
        view = self.tree._replace(memory=Near())
        self._ahead = threads != 1 and hasattr(view, "cards")  # one thread deals as the CPU does, draw by draw
        need = bytes_of(view) + bytes_of(self.parts) + entries * (precision.itemsize + 8)
        need += DEALT_AHEAD * DEAL_BYTES if self._ahead else 0
        require_room(self.gpu, need, f"{tree.game} by {method}: tables of {entries:,} entries and all that walks read")
        from mccfr.kernel.device_walks import Concurrent, DeviceTable, dealing_kernel, walks_kernel

        widest = max(tree.infosets.widest, 1)
        self._kernel = walks_kernel(tree.depth + 1, widest, len(self.work.held), self.wide, self._ahead)
        self._deal, self._precision, self._changed = dealing_kernel(), precision, False
        with guarded(f"the start of {tree.game}"):
            if self._ahead:
                self._cards = on_device(view.cards)
                view = view._replace(cards=DealtAhead(np.zeros((DEALT_AHEAD, DEAL_WORDS), np.uint32)))
            self._tree = on_device(view)
            self._parts = on_device(self.parts._replace(minimiser=Concurrent(self.parts.minimiser)))
            self._table = on_device(DeviceTable(self._narrowed(), self.table.average))
            self._dice, self._totals = on_device(self.work.dice.state), on_device(np.zeros(1))
            self._count = on_device(np.zeros(1, np.uint64))

    @functools.cached_property
    def threads(self) -> int:
        """Walks in flight: as many as asked for, or as suits the table and what walks visit."""
        full, entries = full_of_walks(self.gpu), len(self.table.regret)
        if self._asked or full * self._most_nodes <= VISITS * entries:  # then no walk can visit too many
            return self._asked or full
        return walks_in_flight(self.gpu, entries, self._nodes_of_a_walk())

    def _nodes_of_a_walk(self) -> float:
        """How many nodes a walk visits by the tables as they are, which stay so."""
        self._bring_back()
        with guarded(f"the first walks of {self.game}"):
            self._walk((1, WARP), TRIED)
            touched = int(self._count.copy_to_host()[0]) - int(self.work.touched[0])
        self.refresh()
        return touched / (2 * TRIED)

    def _narrowed(self) -> npt.NDArray[Any]:
        return np.ascontiguousarray(self.table.regret, self._precision)

    def run(self, n: int) -> None:
        with guarded(f"iterations of {self.game}"):
            for begin in range(0, max(n, 1), DEALT_AHEAD):
                self._launch(min(DEALT_AHEAD, n - begin))
            self.clock[1] = self._totals.copy_to_host()[0]
            self.work.touched[:] = self._count.copy_to_host()

    def _launch(self, n: int) -> None:
        """The next n iterations, with cards dealt before where the tree has cards."""
        block = min(BLOCK, self.threads)
        self._walk((-(-self.threads // block), block), n)
        if n:
            self._go_on_with_dice()
            self._changed = True
        self.clock[0] += n

    def _walk(self, shape: tuple[int, int], n: int) -> None:
        """Launch so many blocks of so many threads, which share n iterations."""
        count = np.uint64(n)
        if self._ahead:
            self._deal[shape](count, self._cards, self._dice, self._tree.cards.words)
        self._kernel[shape](
            count, float(self.clock[0]), self._parts, self._tree, self._table, self._dice, self._totals, self._count,
            np.uint64(2),
        )  # fmt: skip

    def _go_on_with_dice(self) -> None:
        """The dice from which those of the next launch are made; a single thread has thrown them itself."""
        if self.threads == 1:
            self._dice.copy_to_host(self.work.dice.state)
            return
        with np.errstate(over="ignore"):  # dice multiply modulo 2^64
            bits(self.work.dice.state)
        self._dice.copy_to_device(self.work.dice.state)

    def _bring_back(self) -> None:
        """Bring the tables to the host, if they have changed since."""
        if not self._changed:
            return
        with guarded(f"reading the tables of {self.game}"):
            self.table.regret[:] = self._table.regret.copy_to_host()
            self._table.average.copy_to_host(self.table.average)
            for role, part in self.parts._asdict().items():
                for mine, there in _pairs(part, getattr(self._parts, role)):
                    there.copy_to_host(mine)
        if not isinstance(self.table, LeanTable):
            recommend_all(LeanTable(self.table.regret, self.table.average), self.infosets.row, self.table.current)
        self._changed = False

    def refresh(self) -> None:
        """Send the tables to the GPU."""
        with guarded(f"writing the tables of {self.game}"):
            self._table.regret.copy_to_device(self._narrowed())
            self._table.average.copy_to_device(self.table.average)
            for role, part in self.parts._asdict().items():
                for mine, there in _pairs(part, getattr(self._parts, role)):
                    there.copy_to_device(mine)
            self._dice.copy_to_device(self.work.dice.state)
            self._totals.copy_to_device(self.clock[1:2])
            self._count.copy_to_device(self.work.touched)
        self._changed = False

    @property
    def arrays(self) -> dict[str, Any]:
        self._bring_back()
        return super().arrays

    def weights(self) -> Floats:
        self._bring_back()
        return super().weights()

    def current(self) -> Floats:
        self._bring_back()
        return super().current()

    def regrets(self) -> Floats:
        self._bring_back()
        return super().regrets()

    @property
    def told(self) -> str:
        """What is said about it beside the result."""
        entries = len(self.table.regret)
        return f"{self.threads:,} walks in flight on {self.gpu.name} over {entries:,} table entries"

    def attend(self, witness: Any) -> bool:
        """Nobody can follow thousands of walks."""
        return False

    def run_told(self, listen: Any) -> None:
        """Nobody hears anything."""
        self.run(1)


def _pairs(mine: Any, there: Any) -> list[tuple[Any, Any]]:
    """The arrays of a policy on the host and on the GPU, inner policies included."""
    if isinstance(mine, np.ndarray):
        return [(mine, there)] if mine.size else []
    inside = getattr(there, "inside", there) if not hasattr(mine, "inside") else there
    if isinstance(mine, tuple) and isinstance(inside, tuple):
        return [pair for one, other in zip(mine, inside) for pair in _pairs(one, other)]
    return []
