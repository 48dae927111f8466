"""A web page on external sampling in Kuhn poker (2026): vanilla CFR wins per iteration, both fall as 1 / sqrt(T)."""

import numpy as np

from mccfr.jobs import statistics
from mccfr.jobs.statistics import Floats
from mccfr.papers import curves
from mccfr.papers.curves import EXPLOITABILITY, ITERATIONS, Runs
from mccfr.papers.figure import NOT, REPRODUCED, Claim, Done, Figure, Job, Report, Scale, seeded_jobs

SOURCE = "web page on external sampling in Kuhn poker, 2026"
VANILLA, ALTERNATING, SAMPLED = "cfr+simultaneous", "cfr", "external"
SQUARE_ROOT = (-0.6, -0.4)  # slopes that count as 1 / sqrt(T)


def _jobs(scale: Scale) -> list[Job]:
    variants = {name: {"game": "kuhn", "method": name, "iterations": scale.iterations} for name in CURVES}
    swept = seeded_jobs(curves.converge, 1, [variants[VANILLA], variants[ALTERNATING]])
    return swept + seeded_jobs(curves.converge, scale.seeds, [variants[SAMPLED]])


CURVES = (VANILLA, ALTERNATING, SAMPLED)


def _report(scale: Scale, done: list[Done]) -> Report:
    found = curves.gather(done, lambda arguments: arguments["method"])
    claims = [_gap(found, VANILLA), _gap(found, ALTERNATING), *(_slope(name, found[name]) for name in CURVES)]
    return Report(curves.COLUMNS, curves.rows(found), claims)


def _gap(found: dict[str, Runs], vanilla: str) -> Claim:
    """External over vanilla after equally many iterations, as the page counts them: one walk each."""
    end = float(curves.shared(found[vanilla])[-1])
    sampled = curves.at(found[SAMPLED], end / 2)
    ratio = statistics.ratio(sampled, np.full(len(sampled), curves.at(found[vanilla], end)[0]))
    text = f"Kuhn: exploitability of external over {vanilla} after {end:,.0f} iterations"
    return Claim("W3", text, "above 1", str(ratio), REPRODUCED if ratio.low > 1.0 else NOT)


def _slope(name: str, runs: Runs) -> Claim:
    low, high = SQUARE_ROOT
    found = statistics.mean([_last_decades(run) for run in runs])
    verdict = REPRODUCED if low <= found.mean <= high else NOT
    return Claim("W3", f"Kuhn: slope of log exploitability, {name}", "-0.5: 1 / sqrt(T)", str(found), verdict)


def _last_decades(run: Floats) -> float:
    late = run[run[:, ITERATIONS] >= run[-1, ITERATIONS] / 100]
    return statistics.slope(late[:, ITERATIONS], late[:, EXPLOITABILITY])


FIGURE = Figure(
    "kuhn-page",
    "Vanilla CFR and external sampling per iteration, Kuhn poker",
    SOURCE,
    Scale("20 seconds", 20, 1_000_000),
    Scale("1 minute", 20, 10_000_000),
    _jobs,
    _report,
    "The page updates both players at once in vanilla CFR and counts one walk of external sampling as an iteration; "
    "curves here count one walk for each player, and the claims are converted. Slopes are fitted to the last two "
    "decades. The page multiplies regrets by the opponent's reach once too often; we use the textbook method.",
    curves.draw,
)
