"""A best response with every card on a GPU: the texts of `response_entries`, by blocks of threads.

Imported only where a GPU is asked for. A kernel is compiled for the precision and the number of registers that are
wanted; fast memory is as much as a launch asks for.
"""

import contextlib
import functools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from mccfr.kernel import cuda_target
from mccfr.kernel.board_hands import see_board
from mccfr.kernel.bucket_rows import HELD
from mccfr.kernel.crews import Block, begin_here, wait
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.line_values import answer_after
from mccfr.kernel.reach_down import carry_down
from mccfr.kernel.response_layout import STACK, CrewRoom

cuda = cuda_target.cuda()  # a global of this name is what the simulator exchanges
USUAL_FAST = 48 * 1024  # bytes of fast memory that a block may have without asking


@wait.register(Block)
def _(crew):
    cuda.syncthreads()


if cuda_target.simulated():
    begin_here.register(Block)(lambda crew, one, other: (one, other))
else:
    from mccfr.kernel.cuda_addresses import known_address

    begin_here.register(Block)(lambda crew, one, other: (known_address(one), known_address(other)))  # type: ignore[call-arg]


def see_boards(look, deck, boards, before, streets, last):
    """A block for each board."""
    held = cuda.local.array(HELD, np.uint64)
    crew = Block(U0, u64(cuda.threadIdx.x), u64(cuda.blockDim.x))
    see_board(crew, look, deck, boards, before, u64(cuda.blockIdx.x), streets, last, held)


def carry_boards(arriving, leaving, before, boards, arrived, left):
    """A block for each board, player and group of lines."""
    which = u64(cuda.blockIdx.x)
    g, p, b = which % leaving.groups, which // leaving.groups % U2, which // leaving.groups // U2
    crew = Block(u64(cuda.threadIdx.x), u64(cuda.threadIdx.y), u64(cuda.blockDim.y))
    carry_down(crew, arriving, leaving, before, boards, arrived, left, b, p, g)


@inlined
def answer_block(block, lines, later, before, boards, reach, below, above, room):
    """A board before, a group of lines and a responder. Blocks that run together have the same lines on many boards:
    the weights of all lines would not stay in the cache."""
    crew = Block(u64(cuda.threadIdx.x), u64(cuda.threadIdx.y), u64(cuda.blockDim.y))
    every = u64(len(boards.follow)) - U1
    which = u64(lines.crews[block // every])
    t, i, g = block % every, which % U2, which // U2
    answer_after(crew, i, lines, later, before, boards, t, g, reach, below, above, room)


def answerer(precision: Any, fast: bool) -> Any:
    """A kernel with a block for each board before, group of lines and responder. fast: whether its sums are in fast
    memory; otherwise they are in `sums`, so many numbers for each block."""

    def with_fast_memory(lines, later, before, boards, reach, below, above, slow, size, sums, each):
        block = u64(cuda.blockIdx.x)
        room = CrewRoom(cuda.shared.array(0, precision), cuda.local.array(STACK, precision), slow, block * size)
        answer_block(block, lines, later, before, boards, reach, below, above, room)

    def with_sums(lines, later, before, boards, reach, below, above, slow, size, sums, each):
        block = u64(cuda.blockIdx.x)
        mine = sums[block * each : (block + U1) * each]
        room = CrewRoom(mine, cuda.local.array(STACK, precision), slow, block * size)
        answer_block(block, lines, later, before, boards, reach, below, above, room)

    return with_fast_memory if fast else with_sums


def fill_zeros(array):
    """Zeros everywhere."""
    for j in range(cuda.grid(1), len(array), cuda.gridsize(1)):
        array[j] = 0.0


@functools.cache
def compiled(name: str, precision: Any = None, fast: bool = True, registers: int | None = None) -> Any:
    """A kernel, made once."""
    text = {"see": see_boards, "carry": carry_boards, "clear": fill_zeros}.get(name) or answerer(precision, fast)
    options: dict[str, Any] = {} if cuda_target.simulated() else {"max_registers": registers, "fastmath": True}
    return cuda.jit(text, **options)


def new_array(size: int, kind: Any) -> Any:
    """An array on the GPU, whatever is in it."""
    return np.zeros(size, kind) if cuda_target.simulated() else cuda.device_array(size, kind)


def clear(array: Any) -> None:
    """Fill an array with zeros."""
    if cuda_target.simulated():
        array[:] = 0.0
    else:
        with small_grids():
            compiled("clear")[1024, 256](array)


@contextlib.contextmanager
def small_grids() -> Iterator[None]:
    """Launch few blocks on purpose, without a warning: small decks have few boards."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*under-utilization")  # numba-cuda has warnings of its own class
        yield


def launch(kernel: Any, blocks: int, threads: int | tuple[int, int], fast: int, *args: Any) -> None:
    """Launch a kernel with so many bytes of fast memory for each block. More than 48 KB must be asked for."""
    if fast > USUAL_FAST and not cuda_target.simulated():
        allow_fast_memory(compiled_for(kernel, args), fast)
    with small_grids():
        kernel[blocks, threads, 0, fast](*args)


def compiled_for(kernel: Any, args: tuple[Any, ...]) -> Any:
    """The form of a kernel for arguments of these types."""
    types = tuple(kernel.typeof_pyval(arg) for arg in args)
    return kernel.compile(types)


def allow_fast_memory(made: Any, size: int) -> None:
    """Let a compiled kernel have so many bytes of fast memory a block."""
    from numba.cuda.cudadrv.driver import binding, driver  # type: ignore[attr-defined]

    attribute = binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    function = made._codelibrary.get_cufunc()
    driver.cuKernelSetAttribute(attribute, size, function.handle, function.device.id)
