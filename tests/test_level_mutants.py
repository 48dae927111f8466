"""Bugs in sweeps by levels and on the GPU, planted into copies of the package: beside `SweepEngine` each is noticed.

This file is also the program that tries the copies, in numba's CUDA simulator.
"""

import os
import sys
from pathlib import Path

import level_examples
import pytest
from planting import hunt, look_at_all

pytestmark = pytest.mark.slow  # half a minute

LEVELS, SWEEPS, CUDA, LAUNCHES, ENGINE = (
    *("levels", "level_sweeps", "cuda_sweeps"),
    *("gpu/sweeps", "solvers/gpu_sweep_engine"),
)
FIRST, SECOND = "first, table, work0, work1.plan)", "second, table, work1, work0.plan)"
RENEWAL = "        descend_levels(crowd, second, table, work1.plan)\n"
ANSWERS = "        answer_level(crowd, actor, side, table, work, levels - U1 - up)\n        wait(crowd)\n"
PLANS = "            follow_current(side, table, plan, u64(side.order[i]))\n        wait(crowd)\n"
WEIGHED = "            follow_weights(side, weights, plan, u64(side.order[i]))\n        wait(crowd)\n"

BUGS = {
    "levels are answered from the top": (SWEEPS, "levels - U1 - up)", "up)"),
    "the first level is never answered": (SWEEPS, "for up in range(levels):", "for up in range(levels - U1):"),
    "a level begins too early": (SWEEPS, "u64(side.first[level]) + crowd.first", "u64(side.first[U0]) + crowd.first"),
    "a level ends too early": (SWEEPS, "u64(side.first[level + U1])", "u64(side.first[level + U1]) - U1"),
    "infosets are taken in their own order": (SWEEPS, "j = u64(side.order[i])", "j = i"),
    "plans are renewed in their own order": (SWEEPS, "table, plan, u64(side.order[i])", "table, plan, i"),
    "infosets below another sequence": (SWEEPS, "work.value[u64(side.after[f])]", "work.value[f]"),
    "one of several infosets below": (SWEEPS, "value += work.value", "value = work.value"),
    "infosets below in another order": (
        LEVELS,
        "len(parent) - 1 - np.argsort(parent[::-1], kind=",
        "np.argsort(parent, kind=",
    ),
    "after the first sequence a level begins anew": (LEVELS, "np.where(parent > 0, 1 +", "np.where(parent > 1, 1 +"),
    "terminals are forgotten": (SWEEPS, "return value + ended", "return value"),
    "only the first piece of terminals counts": (
        SWEEPS,
        "ended += work.sums[p]",
        "ended += work.sums[p] if p == u64(side.part[x]) else 0.0",
    ),
    "sums of another sequence": (SWEEPS, "sums[u64(side.piece[q])] =", "sums[q] ="),
    "terminals of the first band": (SWEEPS, "side.begin[q >> LANE_BITS]", "side.begin[U0]"),
    "terminals of the first lane": (SWEEPS, "+ (q & LANE)", ""),
    "the last terminal of a sum is lost": (SWEEPS, "z + u64(side.terms[q]) *", "z + (u64(side.terms[q]) - U1) *"),
    "pieces overlap": (LEVELS, "at = start[sequence] + LONGEST * (", "at = start[sequence] + (LONGEST - 1) * ("),
    "terms are one short": (LEVELS, "np.searchsorted(-terms, -term)", "np.searchsorted(-terms, -term - 1)"),
    "player 0 meets its own plan": (SWEEPS, f"actor, {FIRST}", f"actor, {FIRST.replace('work1.plan', 'work0.plan')}"),
    "player 1 meets its own plan": (SWEEPS, f"actor, {SECOND}", f"actor, {SECOND.replace('work0.plan', 'work1.plan')}"),
    "best values meet the own plan": (
        SWEEPS,
        f"BestValue(), {FIRST}",
        f"BestValue(), {FIRST.replace('work1.plan', 'work0.plan')}",
    ),
    "weights of player 1 are not realised": (
        SWEEPS,
        "    descend_weights_by_levels(crowd, second, weights, work1.plan)\n",
        "",
    ),
    "player 1's plan is never renewed": (SWEEPS, RENEWAL, ""),
    "alternating players are simultaneous": (SWEEPS, "if not simultaneous:", "if False:"),
    "simultaneous players alternate": (SWEEPS, "if not simultaneous:", "if True:"),
    "averages never fade": (SWEEPS, "        fade_part(crowd, weights[at + u64(3)], table)\n", ""),
    "averages fade by their importance": (SWEEPS, "weights[at + u64(3)]", "weights[at + u64(2)]"),
    "scales are exchanged": (SWEEPS, "= scales[0], scales[1]", "= scales[1], scales[0]"),
    "iterations count from 0": (SWEEPS, "t = done + i + 1.0", "t = done + i"),
    "all iterations have the weights of the first": (SWEEPS, "at = u64(WEIGHTS) * i", "at = u64(WEIGHTS) * U0"),
    "nobody waits": (CUDA, "cuda.cg.this_grid().sync()", "pass"),
    "levels do not wait for terminals": (SWEEPS, "work.sums)\n    wait(crowd)\n", "work.sums)\n"),
    "levels do not wait for those below": (SWEEPS, ANSWERS, ANSWERS.replace("        wait(crowd)\n", "")),
    "plans do not wait for those above": (SWEEPS, PLANS, PLANS.replace("        wait(crowd)\n", "")),
    "weighed plans do not wait for those above": (SWEEPS, WEIGHED, WEIGHED.replace("        wait(crowd)\n", "")),
    "threads do the work of all": (CUDA, "u64(cuda.gridsize(1)))\n    sweep", "u64(1))\n    sweep"),
    "threads leave some work": (CUDA, "u64(cuda.gridsize(1)))\n    sweep", "u64(cuda.gridsize(1) + 1))\n    sweep"),
    "launches forget the iterations before": (LAUNCHES, "weigh_iterations(clock[0],", "weigh_iterations(0.0,"),
    "launches are counted, not iterations": (LAUNCHES, "clock[0] += size", "clock[0] += 1"),
    "measuring spoils the plans": (LAUNCHES, "table, *self.measuring,", "table, *self.works,"),
    "plans are not realised when tables are sent": (
        LAUNCHES,
        "            self._launch(self.kernels.realise, *self.sides, there, *self.works)\n",
        "",
    ),
    "tables are not fetched": (ENGINE, "self.stale |= set(Table._fields)", "pass"),
    "tables are not sent again": (
        ENGINE,
        "self.there = self.sweeps",
        "self.there = self.there if hasattr(self, 'there') else self.sweeps",
    ),
    "regrets are fetched as averages": (ENGINE, "getattr(self.there, name), array)", "self.there.average, array)"),
}


@pytest.fixture(scope="module")
def caught(tmp_path_factory):
    """What was noticed, by bug; None is the package as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_ENABLE_CUDASIM", "1")
        return hunt(__file__, {None: (), **{bug: (change,) for bug, change in BUGS.items()}}, tmp_path_factory)


def test_the_package_as_it_is_agrees_with_sweep_engine(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_sweep_engine_notices(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    assert os.environ["NUMBA_ENABLE_CUDASIM"] == "1"
    sys.setswitchinterval(1e-4)  # the simulator's threads wait for each other all the time
    look_at_all([level_examples.differences] * (1 + len(BUGS)), Path(sys.argv[1]))
