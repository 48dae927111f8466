"""Davis, Schmid, Bowling 2019, figure 1: baselines for outcome sampling in Leduc and in shifted Leduc."""

from collections.abc import Callable
from typing import Any

import numpy as np

import mccfr
from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.davis import BASELINES, LEARNED, ON_POLICY, SOURCE, UNIFORM, is_below, method
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Scale, seeded_jobs

LEDUC, SHIFTED = "leduc", "leduc(shift=100)"
CALL = "always call"
UNSHIFTED = "always call, unshifted"
ROUNDING = 1e-9  # of regrets, which are of the order of 1000: 100 over the probability of sampling a path
QUICK = Scale("1 minute", 20, 1_000_000)
FULL = Scale("2 minutes on 16 cores", 20, 10_000_000)
SETTING = (
    "All curves use RM+ and linear averaging, alternating walks and learned baselines as plain means. An iteration "
    "is one walk for each player. Means are geometric."
)


Claims = Callable[[dict[str, Runs], list[Done]], list[Claim]]


def _variants(sampler: str, game: str) -> dict[str, dict[str, str]]:
    return {name: {"game": game, "method": method(sampler, word)} for name, word in BASELINES.items()}


def _variants_1c() -> dict[str, dict[str, str]]:
    return {**_variants(ON_POLICY, SHIFTED), UNSHIFTED: {"game": LEDUC, "method": method(ON_POLICY, "static")}}


def shift_in_regrets(walks: int, seed: int) -> dict[str, Any]:
    """The largest difference that the shift makes to a regret of one walk, strategies and dice being the same.

    The strategies are those of a run without the shift.
    """
    from mccfr.papers.frozen_walks import FrozenWalks

    solver = mccfr.Solver(LEDUC, method(ON_POLICY, "static"), seed)
    trees = solver.tree, mccfr.compile(SHIFTED)
    recorders = [FrozenWalks(tree, method(ON_POLICY, "static"), solver.state["current"], seed) for tree in trees]
    largest = 0.0
    for j in range(walks):
        one, other = (recorder.regrets(1, j % 2)[0] for recorder in recorders)
        largest = max(largest, float(np.abs(one - other).max()))
        solver.run(1)
    return {"largest": largest}


def _figure(
    letter: str, title: str, variants: dict[str, dict[str, str]], claims: Claims, remarks: str, *more: Job
) -> Figure:
    names = {(v["game"], v["method"]): name for name, v in variants.items()}

    def jobs(scale: Scale) -> list[Job]:
        settings = [{**variant, "iterations": scale.iterations, "start": 100} for variant in variants.values()]
        return [*seeded_jobs(curves.converge, scale.seeds, settings), *more]

    def report(scale: Scale, done: list[Done]) -> Report:
        runs = [job for job in done if "method" in job.arguments]
        found = curves.gather(runs, lambda a: names[a["game"], a["method"]])
        others = [job for job in done if "method" not in job.arguments]
        return Report(curves.COLUMNS, curves.rows(found), claims(found, others))

    source = f"{SOURCE}, figure 1{letter}"
    return Figure(
        f"davis2019-fig1{letter}", title, source, QUICK, FULL, jobs, report, f"{SETTING} {remarks}", curves.draw
    )


def _d2(found: dict[str, Runs], others: list[Done]) -> list[Claim]:
    better = [is_below("D2", found, "infoset", "none", "infoset baseline over no baseline, exploitability")]
    return better + [
        is_below("D2", found, name, "infoset", f"{name} baseline over infoset baseline, exploitability")
        for name in (CALL, "history", "predictive")
    ]


def _d3(found: dict[str, Runs], others: list[Done]) -> list[Claim]:
    nonzero = [name for name in BASELINES if name != "none"]
    return [
        *(is_below("D3", found, name, "none", f"shifted: {name} baseline over no baseline") for name in nonzero),
        *(is_below("D3", found, CALL, name, f"shifted: always call over {name} baseline") for name in LEARNED),
        _identity(found, others[0].result["largest"]),
        *(_early(found, name) for name in ("history", "predictive")),
    ]


def _identity(found: dict[str, Runs], largest: float) -> Claim:
    """Walk by walk the shift makes no difference but rounding; whole runs are the same in the mean."""
    end = float(curves.shared(found[CALL])[-1])
    ratio = curves.compared(found, CALL, UNSHIFTED, end)
    same, alike = largest < ROUNDING, ratio.low <= 1.0 <= ratio.high
    ours = f"regrets of a walk differ by at most {largest:.1g}; exploitabilities: {ratio} at {end:,.0f}"
    verdict = REPRODUCED if same and alike else PARTLY if same or alike else NOT
    return Claim("D3", "always call: shifted over unshifted Leduc", "identical", ours, verdict)


def _early(found: dict[str, Runs], other: str) -> Claim:
    """Whether the infoset baseline is ahead of another learned one at first, and until when."""
    xs = curves.shared(found["infoset"] + found[other])
    stretch = curves.below_between(found, "infoset", other)
    best = min(curves.compared(found, "infoset", other, x) for x in xs)
    ours = f"{best} at best" + (f"; below 1 from {stretch[0]:,.0f} to {stretch[1]:,.0f}" if stretch else "")
    verdict = NOT if stretch is None else REPRODUCED if stretch[1] < xs[-1] else PARTLY
    return Claim("D3", f"shifted: infoset over {other} baseline", "below 1 early on", ours, verdict)


FIGURE_1A = _figure(
    "a", "Baselines for outcome sampling in Leduc, uniform sampling", _variants(UNIFORM, LEDUC), _d2,
    "The paper does not say which of 1a and 1b is which sampler; uniform is described first.",
)  # fmt: skip
FIGURE_1B = _figure(
    "b", "Baselines for outcome sampling in Leduc, opponent on policy", _variants(ON_POLICY, LEDUC), _d2,
    "The paper does not say which of 1a and 1b is which sampler; opponent on policy is described second.",
)  # fmt: skip
FIGURE_1C = _figure(
    "c", "Baselines in Leduc with payoffs shifted by 100, opponent on policy", _variants_1c(), _d3,
    "With the always-call baseline, payoffs and baseline are shifted together, so a walk from the same strategies "
    "gives the same regrets except for rounding. Whole runs diverge nevertheless: regrets that cancel to 0 without "
    "the shift become 1e-14 with it, and RM+ plays an action of regret 1e-14 where it would otherwise have mixed "
    "evenly. After that, the shifted run is another sample from the same distribution.",
    Job(shift_in_regrets, {"walks": 1000, "seed": 0}),
)  # fmt: skip
