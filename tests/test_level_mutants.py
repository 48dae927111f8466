"""Bugs in sweeps by levels and on the GPU, planted into the package: beside `SweepEngine` each is noticed.

This file is also the program that tries them, in numba's CUDA simulator.
"""

import contextlib
import os
import sys

import level_examples
import pytest
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow  # half a minute

SWEEPS = "level_sweeps"
FIRST, SECOND = "first, table, work0, work1.plan)", "second, table, work1, work0.plan)"
RENEWAL = "        descend_levels(crowd, second, table, work1.plan)\n"
ANSWERS = "        answer_level(crowd, actor, side, table, work, levels - U1 - up)\n        wait(crowd)\n"
PLANS = "            follow_current(side, table, plan, u64(side.order[i]))\n        wait(crowd)\n"
WEIGHED = "            follow_weights(side, weights, plan, u64(side.order[i]))\n        wait(crowd)\n"

BUGS = {
    "levels are answered from the top": ("level_sweeps:ascend_levels", "levels - U1 - up)", "up)"),
    "the first level is never answered": (
        "level_sweeps:ascend_levels",
        "for up in range(levels):",
        "for up in range(levels - U1):",
    ),
    "a level begins too early": (
        "level_sweeps:answer_level",
        "u64(side.first[level]) + crowd.first",
        "u64(side.first[U0]) + crowd.first",
    ),
    "a level ends too early": (
        "level_sweeps:answer_level",
        "u64(side.first[level + U1])",
        "u64(side.first[level + U1]) - U1",
    ),
    "infosets are taken in their own order": ("level_sweeps:answer_level", "j = u64(side.order[i])", "j = i"),
    "plans are renewed in their own order": (
        "level_sweeps:descend_levels",
        "table, plan, u64(side.order[i])",
        "table, plan, i",
    ),
    "infosets below another sequence": ("level_sweeps:gathered", "work.value[u64(side.after[f])]", "work.value[f]"),
    "one of several infosets below": ("level_sweeps:gathered", "value += work.value", "value = work.value"),
    "infosets below in another order": (
        "levels:_followers",
        "len(parent) - 1 - np.argsort(parent[::-1], kind=",
        "np.argsort(parent, kind=",
    ),
    "after the first sequence a level begins anew": (
        "levels:depths",
        "np.where(parent > 0, 1 +",
        "np.where(parent > 1, 1 +",
    ),
    "terminals are forgotten": ("level_sweeps:gathered", "return value + ended", "return value"),
    "only the first piece of terminals counts": (
        "level_sweeps:gathered",
        "ended += work.sums[p]",
        "ended += work.sums[p] if p == u64(side.part[x]) else 0.0",
    ),
    "sums of another sequence": ("level_sweeps:add_endings", "sums[u64(side.piece[q])] =", "sums[q] ="),
    "terminals of the first band": ("level_sweeps:add_endings", "side.begin[q >> LANE_BITS]", "side.begin[U0]"),
    "terminals of the first lane": ("level_sweeps:add_endings", "+ (q & LANE)", ""),
    "the last terminal of a sum is lost": (
        "level_sweeps:add_endings",
        "z + u64(side.terms[q]) *",
        "z + (u64(side.terms[q]) - U1) *",
    ),
    "pieces overlap": (
        "levels:_pieces",
        "at = start[sequence] + LONGEST * (",
        "at = start[sequence] + (LONGEST - 1) * (",
    ),
    "terms are one short": ("levels:_pieces", "np.searchsorted(-terms, -term)", "np.searchsorted(-terms, -term - 1)"),
    "player 0 meets its own plan": (
        "level_sweeps:sweep_levels",
        f"actor, {FIRST}",
        f"actor, {FIRST.replace('work1.plan', 'work0.plan')}",
    ),
    "player 1 meets its own plan": (
        "level_sweeps:sweep_levels",
        f"actor, {SECOND}",
        f"actor, {SECOND.replace('work0.plan', 'work1.plan')}",
    ),
    "best values meet the own plan": (
        "level_sweeps:best_values_by_levels",
        f"BestValue(), {FIRST}",
        f"BestValue(), {FIRST.replace('work1.plan', 'work0.plan')}",
    ),
    "weights of player 1 are not realised": (
        "level_sweeps:best_values_by_levels",
        "    descend_weights_by_levels(crowd, second, weights, work1.plan)\n",
        "",
    ),
    "player 1's plan is never renewed": ("level_sweeps:sweep_levels", RENEWAL, ""),
    "alternating players are simultaneous": ("level_sweeps:sweep_levels", "if not simultaneous:", "if False:"),
    "simultaneous players alternate": ("level_sweeps:sweep_levels", "if not simultaneous:", "if True:"),
    "averages never fade": ("level_sweeps:sweep_levels", "        fade_part(crowd, weights[at + u64(3)], table)\n", ""),
    "averages fade by their importance": ("level_sweeps:sweep_levels", "weights[at + u64(3)]", "weights[at + u64(2)]"),
    "scales are exchanged": ("level_sweeps:weigh_iterations", "= scales[0], scales[1]", "= scales[1], scales[0]"),
    "iterations count from 0": ("level_sweeps:weigh_iterations", "t = done + i + 1.0", "t = done + i"),
    "all iterations have the weights of the first": (
        "level_sweeps:sweep_levels",
        "at = u64(WEIGHTS) * i",
        "at = u64(WEIGHTS) * U0",
    ),
    "nobody waits": ("cuda_sweeps:wait(Grid)", "cuda.cg.this_grid().sync()", "pass"),
    "levels do not wait for terminals": ("level_sweeps:ascend_levels", "work.sums)\n    wait(crowd)\n", "work.sums)\n"),
    "levels do not wait for those below": (SWEEPS, ANSWERS, ANSWERS.replace("        wait(crowd)\n", "")),
    "plans do not wait for those above": (SWEEPS, PLANS, PLANS.replace("        wait(crowd)\n", "")),
    "weighed plans do not wait for those above": (SWEEPS, WEIGHED, WEIGHED.replace("        wait(crowd)\n", "")),
    "threads do the work of all": (
        "cuda_sweeps:sweep_on_grid",
        "u64(cuda.gridsize(1)))\n    sweep",
        "u64(1))\n    sweep",
    ),
    "threads leave some work": (
        "cuda_sweeps:sweep_on_grid",
        "u64(cuda.gridsize(1)))\n    sweep",
        "u64(cuda.gridsize(1) + 1))\n    sweep",
    ),
    "launches forget the iterations before": (
        "gpu/sweeps:DeviceSweeps.run",
        "weigh_iterations(clock[0],",
        "weigh_iterations(0.0,",
    ),
    "launches are counted, not iterations": ("gpu/sweeps:DeviceSweeps.run", "clock[0] += size", "clock[0] += 1"),
    "measuring spoils the plans": (
        "gpu/sweeps:DeviceSweeps.nash_conv",
        "table, *self.measuring,",
        "table, *self.works,",
    ),
    "plans are not realised when tables are sent": (
        "gpu/sweeps:DeviceSweeps.upload_table",
        "            self._launch(self.kernels.realise, *self.sides, there, *self.works)\n",
        "",
    ),
    "tables are not fetched": (
        "solvers/gpu_sweep_engine:GpuSweepEngine.run",
        "self.stale |= set(Table._fields)",
        "pass",
    ),
    "tables are not sent again": (
        "solvers/gpu_sweep_engine:GpuSweepEngine.refresh",
        "self.there = self.sweeps",
        "self.there = self.there if hasattr(self, 'there') else self.sweeps",
    ),
    "regrets are fetched as averages": (
        "solvers/gpu_sweep_engine:GpuSweepEngine._fetched",
        "getattr(self.there, name), array)",
        "self.there.average, array)",
    ),
}


@contextlib.contextmanager
def simulated(tmp_path_factory):
    """A block in which Numba simulates a GPU."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_ENABLE_CUDASIM", "1")
        yield


caught = catching(__file__, one_each(BUGS), simulated)


def test_the_package_as_it_is_agrees_with_sweep_engine(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_sweep_engine_notices(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    assert os.environ["NUMBA_ENABLE_CUDASIM"] == "1"
    sys.setswitchinterval(1e-4)  # the simulator's threads wait for each other all the time
    try_bugs(level_examples.differences)
