"""Where best responses with every card are computed: on one processor, or on a GPU. The kernels have the same texts.

On a GPU a block of threads has `lanes` lines side by side and `workers` threads for each of them. The sums of a block
should be in fast memory, and several blocks should fit on a multiprocessor at once: that decides how many lanes there
are.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.line_groups import in_pairs
from mccfr.gpu.device import find_gpu, guarded, on_device, require_room
from mccfr.kernel import response_entries
from mccfr.kernel.bucket_rows import HELD
from mccfr.kernel.cuda_target import simulated
from mccfr.kernel.response_layout import CHUNK, STACK, BoardList, CrewRoom, HandDeck, LineGroups

LANES = (32, 16, 8)
SHARE = 75 * 1024  # bytes of fast memory that leave room for three blocks on a multiprocessor
MOST_FAST = 220 * 1024  # bytes of fast memory of one block
THREADS = 256  # of a block that sees a board, or carries reaches down


class Sizes(NamedTuple):
    """What one crew needs on a street: how many sequences are met at showdowns and at folds, at most; and how many
    crews there are for each board before."""

    shows: int
    folds: int
    free: int  # cards not on the board
    hands: int
    crews: int = 0

    def fast(self, lanes: int) -> int:
        """Numbers in fast memory."""
        shows = in_pairs(self.shows)
        return ((shows + self.folds) * self.free + shows + 2 * shows * CHUNK) * lanes

    def slow(self, lanes: int) -> int:
        """Numbers in slow memory."""
        return self.hands * lanes


class Launch(NamedTuple):
    """The shape of launches: what may be tuned."""

    lanes: int = 0  # 0: chosen by what fits
    workers: int = 10
    registers: int | None = 128
    flops: int = 8  # at a time


class Machine(Protocol):
    """What computes."""

    launch: Launch
    precision: np.dtype[Any]

    def lanes(self, sizes: list[Sizes]) -> int:
        """How many lines are side by side."""

    def admit(self, need: int, what: str) -> None:
        """Refuse what does not fit into its memory."""

    def put(self, value: Any) -> Any:
        """The same NamedTuples with arrays where they are computed with."""

    def get(self, array: Any) -> npt.NDArray[Any]:
        """An array as NumPy has it."""

    def scratch(self, name: str, size: int, kind: npt.DTypeLike) -> Any:
        """An array of at least so many numbers, whatever is in it; the one of this name, if that is long enough."""

    def zeros(self, name: str, size: int) -> Any:
        """The same with float64 zeros."""

    def see(self, look: Any, deck: HandDeck, boards: BoardList, before: BoardList, street: int, last: bool) -> None:
        """Work out the hands of all boards."""

    def carry(
        self, arriving: LineGroups, leaving: LineGroups, before: BoardList, boards: BoardList, arrived: Any, left: Any
    ) -> None:
        """Compute the reaches of the lines that leave these boards."""

    def answer(
        self, lines: LineGroups, later: LineGroups, before: BoardList, boards: BoardList, reach: Any, below: Any,
        above: Any, sizes: Sizes,
    ) -> None:  # fmt: skip
        """Add what both best responses get to `above`."""

    def finish(self) -> None:
        """Wait until everything is computed."""


class Processor:
    """One processor, in float64."""

    def __init__(self, lanes: int = 4, precision: npt.DTypeLike = np.float64, flops: int = 2) -> None:
        self.launch, self.precision = Launch(lanes, flops=flops), np.dtype(precision)

    def lanes(self, sizes: list[Sizes]) -> int:
        return self.launch.lanes

    def admit(self, need: int, what: str) -> None:
        pass

    def put(self, value: Any) -> Any:
        return value

    def get(self, array: Any) -> npt.NDArray[Any]:
        return np.asarray(array)

    def scratch(self, name: str, size: int, kind: npt.DTypeLike) -> Any:
        return np.zeros(max(1, size), kind)

    def zeros(self, name: str, size: int) -> Any:
        return np.zeros(max(1, size))

    def see(self, look: Any, deck: HandDeck, boards: BoardList, before: BoardList, street: int, last: bool) -> None:
        held = np.zeros(HELD, np.uint64)
        response_entries.see_boards(look, deck, boards, before, np.uint64(street + 1), last, held)

    def carry(
        self, arriving: LineGroups, leaving: LineGroups, before: BoardList, boards: BoardList, arrived: Any, left: Any
    ) -> None:
        response_entries.carry_boards(arriving, leaving, before, boards, arrived, left)

    def answer(
        self, lines: LineGroups, later: LineGroups, before: BoardList, boards: BoardList, reach: Any, below: Any,
        above: Any, sizes: Sizes,
    ) -> None:  # fmt: skip
        lanes = int(lines.lanes)
        fast, slow = (np.zeros(max(1, size), self.precision) for size in (sizes.fast(lanes), sizes.slow(lanes)))
        stack = np.zeros(STACK, self.precision)
        room = CrewRoom(fast, stack, slow, np.uint64(0))
        response_entries.answer_boards(lines, later, before, boards, reach, below, above, room)

    def finish(self) -> None:
        pass


class Graphics:
    """A GPU, in float32; values of boards are added up in float64. Drivers' errors become one line."""

    def __init__(self, launch: Launch | None = None, precision: npt.DTypeLike = np.float32) -> None:
        self.gpu = find_gpu("--device gpu")
        usual = Launch(lanes=2, workers=2, flops=2) if simulated() else Launch()
        self.launch, self.precision = launch or usual, np.dtype(precision)
        self._kept: dict[str, Any] = {}
        from mccfr.kernel import cuda_response

        self.kernels = cuda_response

    def lanes(self, sizes: list[Sizes]) -> int:
        if self.launch.lanes:
            return self.launch.lanes
        need = {lanes: max(each.fast(lanes) for each in sizes) * self.precision.itemsize for lanes in LANES}
        return next((lanes for most in (SHARE, MOST_FAST) for lanes in LANES if need[lanes] <= most), LANES[0])

    def admit(self, need: int, what: str) -> None:
        require_room(self.gpu, need, what)

    def put(self, value: Any) -> Any:
        if simulated():  # which computes with NumPy's own arrays
            return value
        with guarded("copying to the GPU"):
            return on_device(value)

    def get(self, array: Any) -> npt.NDArray[Any]:
        if simulated():
            return np.asarray(array)
        with guarded("best responses"):
            return np.asarray(array.copy_to_host())

    def scratch(self, name: str, size: int, kind: npt.DTypeLike) -> Any:
        found = self._kept.pop(name, None)
        if found is None or len(found) < size:
            found = None  # given back before the longer one is asked for
            with guarded("making room on the GPU"):
                found = self.kernels.new_array(max(1, size), kind)
        self._kept[name] = found
        return found

    def zeros(self, name: str, size: int) -> Any:
        made = self.scratch(name, size, np.float64)
        with guarded("best responses"):
            self.kernels.clear(made)
        return made

    def see(self, look: Any, deck: HandDeck, boards: BoardList, before: BoardList, street: int, last: bool) -> None:
        threads = 2 if simulated() else THREADS
        with guarded("ordering hands"):
            kernel, given = self.kernels.compiled("see"), (look, deck, boards, before, np.uint64(street + 1), last)
            self.kernels.launch(kernel, len(boards.parent), threads, 0, *given)

    def carry(
        self, arriving: LineGroups, leaving: LineGroups, before: BoardList, boards: BoardList, arrived: Any, left: Any
    ) -> None:
        lanes = int(leaving.lanes)
        workers, blocks = 2 if simulated() else THREADS // lanes, len(boards.parent) * 2 * int(leaving.groups)
        with guarded("best responses"):
            kernel = self.kernels.compiled("carry")
            self.kernels.launch(kernel, blocks, (lanes, workers), 0, arriving, leaving, before, boards, arrived, left)

    def answer(
        self, lines: LineGroups, later: LineGroups, before: BoardList, boards: BoardList, reach: Any, below: Any,
        above: Any, sizes: Sizes,
    ) -> None:  # fmt: skip
        lanes, blocks = int(lines.lanes), (len(boards.follow) - 1) * sizes.crews
        if blocks == 0:
            return
        fast, bytes_each = sizes.fast(lanes), sizes.fast(lanes) * self.precision.itemsize
        slow = self.scratch("slow", sizes.slow(lanes) * blocks, self.precision)
        sums = self.scratch("sums", fast * blocks if bytes_each > MOST_FAST else 1, self.precision)
        given = lines, later, before, boards, reach, below, above
        rest = slow, np.uint64(sizes.slow(lanes)), sums, np.uint64(fast)
        kernel = self.kernels.compiled("answer", self.precision, bytes_each <= MOST_FAST, self.launch.registers)
        with guarded("best responses"):
            self.kernels.launch(
                kernel,
                blocks,
                (lanes, self.launch.workers),
                bytes_each if bytes_each <= MOST_FAST else 0,
                *given,
                *rest,
            )

    def finish(self) -> None:
        if not simulated():
            with guarded("best responses"):
                self.kernels.cuda.synchronize()
