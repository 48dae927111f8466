"""Walks on a real GPU: `make test-gpu`. Without one these tests are skipped."""

import contextlib
from collections.abc import Iterator

import numpy as np
import pytest
import walk_checks
from walk_checks import ALONE, HOLDEM, TOGETHER, alone, changes_device, learns, means

import mccfr
from mccfr.kernel.cuda_target import cuda, simulated

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def _needs_a_gpu():
    if simulated() or not cuda().is_available():
        pytest.skip("there is no GPU here")


@contextlib.contextmanager
def separate_multiplications() -> Iterator[None]:
    """Compile without fused multiply-add: it leaves 1e-17 where the CPU has 0, and a row may turn from even to pure."""
    from numba.cuda.cudadrv import nvvm

    from mccfr.kernel import device_walks

    compile_ir, make = nvvm.compile_ir, device_walks.walks_kernel
    nvvm.compile_ir = lambda text, **options: compile_ir(text, **{**options, "fma": False})
    device_walks.walks_kernel = lambda *given: make.__wrapped__(*given, lto=False)  # the linker would fuse them again
    try:
        yield
    finally:
        nvvm.compile_ir, device_walks.walks_kernel = compile_ir, make


@pytest.mark.parametrize("name", ALONE)
def test_one_thread_leaves_the_tables_of_the_cpu(name):
    game, method, iterations = ALONE[name]
    with separate_multiplications():
        alone(game, method, 50 * iterations)


@pytest.mark.parametrize("name", TOGETHER)
def test_many_threads_are_right_on_average(name):
    means(*TOGETHER[name], 100, 2**18, threads=2**13)


@pytest.mark.parametrize("method", ["external", "outcome", "average_strategy", "outcome+infoset", "robust(1)+probe"])
@pytest.mark.parametrize("game", ["leduc", "dealt:leduc"])
def test_they_are_on_leduc(game, method):
    means(game, method, 100, 2**18, threads=2**13)


def test_tables_that_change_all_the_time_come_to_an_equilibrium():
    learns("leduc", "external", 2**22, 2**12, 0.05)
    learns("dealt:leduc", "outcome+rm_plus", 2**22, 2**12, 0.15)  # one core: 0.118 and 0.123 with two seeds
    learns(HOLDEM, "external", 2**20, 2**12, 0.05)


def test_a_state_changes_device():
    changes_device()
    walk_checks.arrays_that_share_memory()
    walk_checks.counting_nodes_leaves_no_trace()


def test_averages_do_not_saturate():
    """2^25 times 1 is more than float32 can count to."""
    solver = mccfr.Solver("kuhn", "external", device="gpu")
    solver.run(2**25)
    roots = solver.engine.weights()[:6].reshape(3, 2).sum(axis=1)
    np.testing.assert_allclose(roots, 2**25 / 3, rtol=1e-2)
