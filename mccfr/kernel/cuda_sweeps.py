"""`level_sweeps` as CUDA kernels. Importing this file imports numba-cuda.

One launch does many iterations: a launch costs about 0.1 ms, and an iteration has a step for each level of each player,
up and down. The threads therefore wait for each other inside the kernel, which takes a cooperative launch: all blocks
must be on the GPU at once.
"""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel import cuda_target
from mccfr.kernel.layout import u64
from mccfr.kernel.level_sweeps import best_values_by_levels, realise_by_levels, sweep_levels, wait

cuda = cuda_target.cuda()  # the simulator looks for a global of this name


class Grid(NamedTuple):
    """All threads of a launch, as one of them sees it."""

    first: np.uint64
    step: np.uint64


@wait.register(Grid)
def _(crowd):
    cuda.cg.this_grid().sync()


def sweep_on_grid(n, weights, minimiser, simultaneous, first, second, table, work0, work1):
    """`sweep_levels` by all threads."""
    cuda.cg.this_grid()  # in the kernel itself: that marks the launch as cooperative
    crowd = Grid(u64(cuda.grid(1)), u64(cuda.gridsize(1)))
    sweep_levels(crowd, n, weights, minimiser, simultaneous, first, second, table, work0, work1)


def best_values_on_grid(first, second, weights, table, work0, work1, values):
    """`best_values_by_levels` by all threads."""
    cuda.cg.this_grid()
    crowd = Grid(u64(cuda.grid(1)), u64(cuda.gridsize(1)))
    best_values_by_levels(crowd, first, second, weights, table, work0, work1, values)


def realise_on_grid(first, second, table, work0, work1):
    """`realise_by_levels` by all threads."""
    cuda.cg.this_grid()
    crowd = Grid(u64(cuda.grid(1)), u64(cuda.gridsize(1)))
    realise_by_levels(crowd, first, second, table, work0, work1)


class SweepKernels(NamedTuple):
    """The kernels, compiled for whatever they are given first."""

    sweep: Any
    best_values: Any
    realise: Any


FUNCTIONS = SweepKernels(sweep_on_grid, best_values_on_grid, realise_on_grid)


@functools.cache
def sweep_kernels(**options: Any) -> SweepKernels:
    """The kernels with these options of the compiler, such as `max_registers`; compiled once in a process."""
    return SweepKernels(*(cuda.jit(function, **options) for function in FUNCTIONS))


@contextlib.contextmanager
def without_fusing() -> Iterator[SweepKernels]:
    """Kernels that multiply and add in two steps, as CPUs do here, if they are first launched inside the block.

    The compiler has no option for that. It would fuse again while linking, so there must be nothing left to link.
    """
    from numba.cuda.cudadrv import nvvm

    compiled = nvvm.compile_ir
    nvvm.compile_ir = lambda ir, **options: compiled(ir, **{**options, "fma": False})
    try:
        yield sweep_kernels.__wrapped__(lto=False)
    finally:
        nvvm.compile_ir = compiled
