"""Sweeps level by level, as on a GPU: by one thread here, and in numba's CUDA simulator, beside `SweepEngine`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import level_examples
import numpy as np
import pytest
from hypothesis import given, settings
from level_examples import SHORT, WORDS, LevelEngine, compared
from random_games import games, random_game

import mccfr
from mccfr.errors import MethodError
from mccfr.gpu.sweeps import LAUNCH, launches
from mccfr.kernel import levels
from mccfr.kernel.dispatch import uncompiled
from mccfr.kernel.levels import LANES, LONGEST, level_side
from mccfr.solvers.method import RECIPES, FullWidth, Method

SMALL = ("kuhn", "goofspiel(n=4)")
LARGER = ("leduc", "goofspiel(n=5)", "bluff(1,1)")


def is_full_width(word):
    try:
        return isinstance(Method.parse(word).sampler, FullWidth)
    except MethodError:  # it needs parameters
        return False


def test_every_full_width_method_is_among_the_words():
    assert {word for word in RECIPES if is_full_width(word)} <= {word.partition("(")[0] for word in WORDS}


@pytest.mark.parametrize("word", WORDS)
def test_tables_are_those_of_sweep_engine_bit_for_bit(word):
    with uncompiled():
        assert compared(LevelEngine, mccfr.compile("kuhn").written, word, (7, 43)) == []
        assert compared(LevelEngine, mccfr.compile("goofspiel(n=4)").written, word, (5,)) == []


@settings(max_examples=30)
@given(games(depth=7, most=200))
def test_so_they_are_on_random_trees(game):
    with uncompiled():
        for word in ("pcfr_plus", "cfr+simultaneous"):
            assert compared(LevelEngine, mccfr.compile(game).written, word, (3,)) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", LARGER)
def test_so_they_are_after_50_iterations_of_larger_games(game):
    assert compared(LevelEngine, mccfr.compile(game).written, "cfr_plus", (0, 50)) == []


@pytest.mark.slow  # compiles everything twice
@pytest.mark.parametrize("word", WORDS)
def test_so_they_are_for_every_method(word):
    for game in (*SMALL, *LARGER, random_game(14, 9, most=900), random_game(30, 9, most=900)):
        assert compared(LevelEngine, mccfr.compile(game).written, word, (20, 30)) == []


@pytest.mark.parametrize("longest", [1, 2, SHORT, 8])
def test_long_sums_in_pieces_differ_by_rounding_alone(longest, monkeypatch):
    monkeypatch.setattr(levels, "LONGEST", longest)
    tree = level_examples.random_tree()
    with uncompiled():
        assert compared(LevelEngine, tree, "cfr", (50,), 1e-12) == []
    leduc = mccfr.compile("leduc").written
    assert max(level_side(leduc.sequence_form.first).terms) == min(longest, 8)
    assert compared(LevelEngine, leduc, "cfr_plus", (50,), 1e-12) == []


def test_goofspiel_6_has_long_sums():
    """Its plays part by rounding, and rounding grows: so a few iterations only."""
    tree = mccfr.compile("goofspiel(n=6)").written
    assert np.diff(tree.sequence_form.first.start).max() > 3 * LONGEST
    assert compared(LevelEngine, tree, "cfr_plus", (3,), 1e-12) == []


# Where things lie -----------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(games(depth=7, totals=(0.0, 2.0), most=200))
def test_infosets_come_a_level_after_the_one_before(game):
    for side in mccfr.compile(game).sequence_form:
        found, level = level_side(side), {}
        assert sorted(found.order) == list(range(len(side.parent)))
        for number in range(len(found.first) - 1):
            level |= dict.fromkeys(found.order[found.first[number] : found.first[number + 1]].tolist(), number)
        for j, before in enumerate(side.parent.tolist()):
            owner = int(np.searchsorted(side.row, before, side="right")) - 1
            assert level[j] == (level[owner] + 1 if before else 0)


@settings(max_examples=60)
@given(games(depth=7, totals=(0.0, 2.0), most=200))
def test_sequences_know_what_follows_them_the_last_first(game):
    for side in mccfr.compile(game).sequence_form:
        found = level_side(side)
        for s in range(int(side.row[-1])):
            follow = [j for j, before in enumerate(side.parent.tolist()) if before == s]
            assert found.after[found.below[s] : found.below[s + 1]].tolist() == follow[::-1]


@pytest.mark.parametrize("longest", [2, LONGEST])
@pytest.mark.parametrize("seed", [3, 9, 20, 30, 31, 32])
def test_slots_hold_every_terminal_once_and_in_order(longest, seed, monkeypatch):
    monkeypatch.setattr(levels, "LONGEST", longest)
    for side in mccfr.compile(random_game(seed, depth=9, most=900)).sequence_form:
        found = level_side(side)
        assert (np.diff(found.terms.astype(int)) <= 0).all()
        slot = np.argsort(found.piece)
        for s in range(int(side.row[-1])):
            z = [
                int(found.begin[q // LANES]) + q % LANES + LANES * term
                for q in slot[found.part[s] : found.part[s + 1]].tolist()
                for term in range(found.terms[q])
            ]
            here = slice(side.start[s], side.start[s + 1])
            assert found.worth[z].tolist() == side.worth[here].tolist()
            assert found.other[z].tolist() == side.other[here].tolist()


def test_little_is_wasted_on_bands():
    for side in mccfr.compile("goofspiel(n=6)").sequence_form:
        assert len(level_side(side).worth) < 1.01 * len(side.worth)


def test_launches_are_not_too_long():
    assert launches(0) == [0]
    assert launches(3) == [3]
    assert launches(2 * LAUNCH + 5) == [LAUNCH, LAUNCH, 5]
    assert launches(LAUNCH) == [LAUNCH]


# In the simulator -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def simulated():
    """What this file says when it is run as a program in the simulator."""
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parent.parent)])
    wanted = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, __file__], env={**os.environ, **wanted}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_kernels_leave_the_tables_of_sweep_engine(simulated):
    assert simulated["wrong"] == []


def test_a_run_may_change_device(simulated):
    assert simulated["handed over"] == []


def test_kernels_take_players_without_infosets(simulated):
    assert simulated["strange"] == []


def test_the_evaluator_measures_any_weights(simulated):
    measured, exact = simulated["evaluator"]
    assert measured == exact


def test_too_little_memory_is_said_before_anything_is_copied(simulated):
    assert simulated["refused"] == (
        "DeviceError: sweeps of kuhn would need about 0.00 GiB on the GPU, and simulator has 0.00 of 0.00 GiB free: "
        "take --device cpu"
    )


def _refused():
    from mccfr.gpu import device

    device.SIMULATED_MEMORY, before = 1000, device.SIMULATED_MEMORY
    try:
        level_examples.gpu_engine(mccfr.compile("kuhn").written, Method.parse("cfr"))
    except mccfr.MccfrError as error:
        return f"{type(error).__name__}: {error}"
    finally:
        device.SIMULATED_MEMORY = before


def _evaluator():
    from mccfr.evaluate.exact import Evaluator
    from mccfr.evaluate.gpu_values import GpuEvaluator

    tree = level_examples.random_tree()
    weights = np.random.default_rng(1).integers(0, 4, tree.infosets.entries).astype(float)  # some rows are all 0
    return GpuEvaluator(tree).nash_conv(weights), Evaluator(tree).nash_conv(weights)


def _simulate():
    make, kuhn, tree = level_examples.gpu_engine, mccfr.compile("kuhn").written, level_examples.random_tree()
    wrong = compared(make, kuhn, "cfr_plus", (0, 2, 3)) + compared(make, tree, "pcfr_plus+simultaneous", (2,))
    wrong += compared(make, kuhn, "hs_dcfr(30, 3)", (1, 4)) + compared(make, kuhn, "dcfr_restarts", (3,))
    strange = [mccfr.compile(random_game(seed, depth=9, most=900)).written for seed in (9, 20, 31, 32)]
    return {
        "wrong": wrong,
        "handed over": level_examples.handed_over(kuhn, "dcfr"),
        "strange": [found for game in strange for found in compared(make, game, "cfr", (2,))],
        "evaluator": _evaluator(),
        "refused": _refused(),
    }


if __name__ == "__main__":
    sys.setswitchinterval(1e-4)  # the simulator's threads wait for each other all the time
    print(json.dumps(_simulate()))
