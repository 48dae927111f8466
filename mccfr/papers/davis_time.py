"""Davis, Schmid, Bowling 2019, section 5: the choice of baseline does not change the time of an iteration."""

import time
from typing import Any

import mccfr
from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Interval
from mccfr.papers.davis import BASELINES, ON_POLICY, SOURCE, UNIFORM, method
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs

NOTICEABLE, MODEST = 1.1, 1.5  # ratios of times


def timings(sampler: str, iterations: int, seed: int) -> dict[str, Any]:
    """CPU nanoseconds of a walk in Leduc with each baseline, all of them side by side in one process."""
    solvers = {name: mccfr.Solver("leduc", method(sampler, word), seed).run(1) for name, word in BASELINES.items()}
    spent = dict.fromkeys(solvers, 0)
    for _ in range(10):  # in turns, so that a busy machine is unfair to none
        for name, solver in solvers.items():
            began = time.process_time_ns()
            solver.run(iterations // 10)
            spent[name] += time.process_time_ns() - began
    return {name: ns / (iterations // 10 * 10) / 2 for name, ns in spent.items()}


def _jobs(scale: Scale) -> list[Job]:
    variants = [{"sampler": sampler, "iterations": scale.iterations} for sampler in (UNIFORM, ON_POLICY)]
    return seeded_jobs(timings, scale.seeds, variants)


def _report(scale: Scale, done: list[Done]) -> Report:
    rows = [
        (job.arguments["sampler"], job.arguments["seed"], name, f"{ns:.1f}")
        for job in done
        for name, ns in job.result.items()
    ]
    ratios = {
        (sampler, name): statistics.ratio(*_paired(done, sampler, name))
        for sampler in (UNIFORM, ON_POLICY)
        for name in BASELINES
        if name != "none"
    }
    claims = [
        Claim("D4", f"time of a walk, {name} baseline over none, {sampler} sampling", "no noticeable impact",
              str(ratio), _verdict(ratio))
        for (sampler, name), ratio in ratios.items()
    ]  # fmt: skip
    return Report(("sampler", "repeat", "baseline", "ns_per_walk"), rows, claims)


def _draw(rows: Rows, axes: Any) -> None:
    for number, sampler in enumerate((UNIFORM, ON_POLICY)):
        times = [[float(row["ns_per_walk"]) for row in rows if (row["sampler"], row["baseline"]) == (sampler, name)]
                 for name in BASELINES]  # fmt: skip
        places = [j + 0.4 * number - 0.2 for j in range(len(BASELINES))]
        means = [statistics.mean(some).mean for some in times]
        axes.bar(places, means, 0.38, label=sampler, color=plot_style.COLOURS[number])
    axes.set_xticks(range(len(BASELINES)), list(BASELINES))
    axes.set(ylabel="CPU nanoseconds of a walk")


def _paired(done: list[Done], sampler: str, name: str) -> tuple[list[float], list[float]]:
    """Times with this baseline and without, repeat by repeat."""
    results = [job.result for job in done if job.arguments["sampler"] == sampler]
    return [result[name] for result in results], [result["none"] for result in results]


def _verdict(ratio: Interval) -> str:
    return REPRODUCED if ratio.mean <= NOTICEABLE else PARTLY if ratio.mean <= MODEST else NOT


FIGURE = Figure(
    "davis2019-d4",
    "Time of a walk with each baseline",
    f"{SOURCE}, section 5",
    Scale("1 minute", 5, 300_000),
    Scale("1 minute", 20, 1_000_000),
    _jobs,
    _report,
    f"Reproduced: at most {NOTICEABLE} times the time without a baseline; partly: at most {MODEST} times. A walk "
    "takes about a hundred nanoseconds here, so the time to read and write a baseline is noticeable. In an "
    "implementation with slower walks it would not be.",
    _draw,
)
