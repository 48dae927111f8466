"""Sweeps on a real GPU beside `SweepEngine`. Run with `pytest -m gpu`; skipped where there is no GPU."""

import numpy as np
import pytest
from level_examples import WORDS, LevelEngine, apart, compared, handed_over
from random_games import random_game

import mccfr
from mccfr.errors import MccfrError
from mccfr.evaluate.exact import Evaluator
from mccfr.evaluate.gpu_values import GpuEvaluator
from mccfr.gpu.device import find_gpu
from mccfr.gpu.sweeps import DeviceSweeps
from mccfr.kernel.cuda_target import simulated
from mccfr.solvers.gpu_sweep_engine import GpuSweepEngine
from mccfr.solvers.method import Method

pytestmark = pytest.mark.gpu

GAMES = ("kuhn", "leduc", "goofspiel(n=4)", "goofspiel(n=5)", "bluff(1,1)", *(14, 30, 9, 20, 31, 32))


@pytest.fixture(autouse=True, scope="module")
def _device():
    try:
        find_gpu("this test")
    except MccfrError as error:
        pytest.skip(str(error))
    if simulated():
        pytest.skip("the simulator has its own tests, in test_level_sweeps.py")


@pytest.fixture(scope="module")
def unfused():
    """Kernels that round products before they add them, as the CPU does."""
    from mccfr.kernel.cuda_sweeps import without_fusing

    with without_fusing() as kernels:
        yield kernels


def tree_of(game):
    return mccfr.compile(random_game(game, depth=9, most=900) if isinstance(game, int) else game).written


@pytest.mark.parametrize("word", WORDS)
def test_tables_are_those_of_sweep_engine_bit_for_bit(word, unfused):
    for game in GAMES:
        tree = tree_of(game)
        sweeps = DeviceSweeps(tree.sequence_form, tree.infosets.entries, str(game), unfused)
        found = compared(lambda tree, method: GpuSweepEngine(tree, method, sweeps), tree, word, (0, 20, 30))  # noqa: B023
        assert found == [], game


def test_many_blocks_leave_the_tables_of_one_thread(unfused):
    """Goofspiel(6) fills many blocks; its long sums are in pieces, as in LevelEngine."""
    tree, method = tree_of("goofspiel(n=6)"), Method.parse("cfr_plus")
    sweeps = DeviceSweeps(tree.sequence_form, tree.infosets.entries, "goofspiel(6)", unfused, threads=64)
    engine, twin = GpuSweepEngine(tree, method, sweeps), LevelEngine(tree, method)
    engine.run(50)
    twin.run(50)
    assert apart(engine, twin) == []
    assert engine.nash_conv() == twin.nash_conv()


@pytest.mark.parametrize("word", WORDS)
def test_fused_sums_differ_by_rounding_alone(word):
    for game in GAMES:
        assert compared(GpuSweepEngine, tree_of(game), word, (3,), 1e-12) == [], game


def test_runs_are_reproducible():
    tree, method = tree_of("goofspiel(n=6)"), Method.parse("dcfr")
    first, second = GpuSweepEngine(tree, method), GpuSweepEngine(tree, method)
    first.run(300)  # in two launches
    for n in (100, 0, 200):
        second.run(n)
        second.nash_conv()
    assert apart(first, second) == []


def test_cfr_plus_on_goofspiel_is_that_of_exact_arithmetic():
    """As in test_ties.py: where regrets are 0, rounding does not decide."""
    engine = GpuSweepEngine(tree_of("goofspiel(n=5)"), Method.parse("cfr_plus"))
    for iterations, exploitability in {3: 0.705569, 5: 0.592640, 15: 0.137204, 20: 0.087190}.items():
        engine.run(iterations - int(engine.clock[0]))
        assert engine.nash_conv() / 2 == pytest.approx(exploitability, abs=1e-6)


def test_exploitability_is_that_of_the_cpu():
    tree = tree_of("goofspiel(n=6)")
    evaluators = Evaluator(tree), GpuEvaluator(tree)
    for seed in range(3):
        weights = np.random.default_rng(seed).integers(0, 4, tree.infosets.entries).astype(float)
        exact, measured = (evaluator.nash_conv(weights) for evaluator in evaluators)
        assert measured == pytest.approx(exact, rel=1e-13)


def test_a_run_may_change_device():
    assert handed_over(tree_of("leduc"), "dcfr", 1e-12) == []
