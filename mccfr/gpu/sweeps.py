"""Full-width iterations and exploitability of a written-out tree on the GPU: its arrays there, and the launches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from mccfr.gpu.device import bytes_of, find_gpu, guarded, on_device, require_room
from mccfr.kernel.cuda_target import cuda, simulated
from mccfr.kernel.layout import Side, Table
from mccfr.kernel.level_sweeps import WEIGHTS, weigh_iterations
from mccfr.kernel.levels import level_side, level_work

if TYPE_CHECKING:
    from mccfr.kernel.cuda_sweeps import SweepKernels

THREADS = 256  # of a block
REGISTERS = 64  # of a thread: four such blocks on a multiprocessor
SIMULATED_THREADS = 4
LAUNCH = 256  # the most iterations of one launch, so that none takes seconds

Floats = npt.NDArray[np.float64]


class DeviceSweeps:
    """Both players' halves of a sequence form on the GPU, with what sweeps fill there.

    What is handed over or asked for is in arrays of the GPU: `table` of `new_table`, weights of `upload`.

    Args:
        sides: Both players' halves of the sequence form.
        entries: How many entries the tables have.
        game: What errors call the game.
        kernels: Kernels to use instead of the usual ones.
        threads: Threads of a block.

    Raises:
        MissingExtra: If numba-cuda is not installed.
        DeviceError: If there is no GPU, or too little memory on it.
    """

    def __init__(
        self,
        sides: Sequence[Side],
        entries: int,
        game: str,
        kernels: "SweepKernels | None" = None,
        threads: int = THREADS,
    ) -> None:
        self.game = game
        self.gpu = find_gpu("--device gpu")
        halves = tuple(level_side(side) for side in sides)
        works = tuple(level_work(half) for half in halves)
        plans = tuple(work.plan for work in works)
        tables = 8 * (3 + 3 + 1) * entries  # a method's, those sent in their place, and weights to be measured
        require_room(self.gpu, bytes_of((halves, works, plans)) + tables, f"sweeps of {game}")
        from mccfr.kernel.cuda_sweeps import sweep_kernels

        self.kernels = kernels or sweep_kernels(**({} if simulated() else {"max_registers": REGISTERS}))
        self.threads = SIMULATED_THREADS if simulated() else threads
        self.widest = max(max(len(half.piece), len(half.parent)) for half in halves)
        with guarded(f"sweeps of {game}"):
            self.sides, self.works = on_device(halves), on_device(works)
            self.measuring = tuple(work._replace(plan=self.upload(plan)) for work, plan in zip(self.works, plans))
            self.values = self.upload(np.zeros(2))

    def upload(self, array: Floats) -> Any:
        """A copy on the GPU."""
        with guarded(f"sweeps of {self.game}"):
            return cuda().to_device(np.ascontiguousarray(array))

    def download(self, there: Any, array: Floats) -> None:
        """What is on the GPU, into an array here."""
        with guarded(f"sweeps of {self.game}"):
            there.copy_to_host(array)

    def upload_table(self, table: Table) -> Table:
        """The tables of a method on the GPU, with both players' plans of the current strategy worked out."""
        with guarded(f"sweeps of {self.game}"):
            there = cast(Table, on_device(table))
            self._launch(self.kernels.realise, *self.sides, there, *self.works)
            cuda().synchronize()
        return there

    def run(self, n: int, clock: Floats, minimiser: Any, averaging: Any, simultaneous: bool, table: Table) -> None:
        """The next n iterations; clock[0] counts them, and follows the tables after each launch. 0: compile only."""
        with guarded(f"iterations of {self.game}"):
            for size in launches(n):
                weights = np.zeros(WEIGHTS * max(size, 1))
                weigh_iterations(clock[0], minimiser, averaging, weights)
                given = size, cuda().to_device(weights), minimiser, simultaneous
                self._launch(self.kernels.sweep, *given, *self.sides, table, *self.works)
                cuda().synchronize()
                clock[0] += size

    def nash_conv(self, weights: Any) -> float:
        """The most each player can get against the other's normalised weights, summed. Leaves the plans of `run`."""
        with guarded(f"measuring {self.game}"):
            table = Table(weights, weights, weights)  # best values leave it alone
            self._launch(self.kernels.best_values, *self.sides, weights, table, *self.measuring, self.values)
            first, second = self.values.copy_to_host()
        return float(first + second)

    def _launch(self, kernel: Any, *given: Any) -> None:
        """Blocks wait for each other: no more are launched than the GPU holds at once, nor more than have work."""
        if simulated():
            kernel[1, self.threads](*given)
            return
        ready = kernel.specialize(*given)
        most = next(iter(ready.overloads.values())).max_cooperative_grid_blocks(self.threads)
        ready[max(1, min(most, -(-self.widest // self.threads))), self.threads](*given)


def launches(n: int) -> list[int]:
    """Numbers of iterations, none above LAUNCH, that sum to n; one launch of none for 0."""
    whole, rest = divmod(n, LAUNCH)
    return [LAUNCH] * whole + [rest] * (rest > 0 or n == 0)
