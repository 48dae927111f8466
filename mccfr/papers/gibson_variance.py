"""Gibson et al. 2012, figure 2: probing lowers the variance of the root's value."""

from typing import Any

import numpy as np

import mccfr
from mccfr.jobs import plot_style, statistics
from mccfr.papers import curves
from mccfr.papers.figure import NOT, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs

SCHEME = "include(p=0.5, always=ends)"  # lowest and highest bid always, others with 1/2
ESTIMATORS = {"MCCFR": SCHEME, "probing": f"{SCHEME}+probe"}
PUBLISHED = {"MCCFR": 0.295, "probing": 0.133}
ACCEPTED = {"MCCFR": (0.25, 0.31), "probing": (0.10, 0.14)}
RATIO = (2.0, 2.6)
SHOWN = 150  # iterations that the published figure shows; its numbers are means over 1000


def variances(game: str, iterations: int, walks: int, seed: int) -> dict[str, Any]:
    """Sample variance of the root's value by every estimator, before each of so many iterations of CFR."""
    from mccfr.papers.frozen_walks import FrozenWalks

    solver = mccfr.Solver(game, "cfr+simultaneous")
    strategy = solver.state["current"]
    recorders = {name: FrozenWalks(solver.tree, method, strategy, seed) for name, method in ESTIMATORS.items()}
    found: dict[str, list[float]] = {name: [] for name in recorders}
    for _ in range(iterations):
        for name, recorder in recorders.items():
            found[name].append(float(recorder.roots(walks).var(ddof=1)))
        solver.run(1)
    return found


def _jobs(scale: Scale) -> list[Job]:
    variant = {"game": scale.games[0], "iterations": scale.iterations, "walks": scale.samples}
    return seeded_jobs(variances, scale.seeds, [variant])


def _report(scale: Scale, done: list[Done]) -> Report:
    found = {name: np.array([job.result[name] for job in done]) for name in ESTIMATORS}  # [seeds, iterations]
    rows = [
        (t + 1, *(f"{found[name][:, t].mean():.6g}" for name in ESTIMATORS)) for t in range(found["MCCFR"].shape[1])
    ]
    return Report(("iteration", *ESTIMATORS), rows, _claims(scale, found))


def _draw(rows: Rows, axes: Any) -> None:
    iterations, *values = curves.columns_of(rows[:SHOWN], "iteration", *ESTIMATORS)
    for number, (name, variances_seen) in enumerate(zip(ESTIMATORS, values)):
        axes.plot(iterations, variances_seen, label=name, **{**plot_style.line(number), "linewidth": 1})
    axes.set(xlabel=f"iteration of CFR (the first {SHOWN}, as printed)", ylabel="variance of the root's value", ylim=0)


def _claims(scale: Scale, found: dict[str, Any]) -> list[Claim]:
    claims = []
    for name, values in found.items():
        text = f"variance of the root's value by {name} in {scale.games[0]}, mean of {scale.iterations} iterations"
        claims.append(_claim(text, values.mean(axis=1), values[:, :SHOWN].mean(), PUBLISHED[name], ACCEPTED[name]))
    factors = found["MCCFR"].mean(axis=1) / found["probing"].mean(axis=1)
    early = float(np.mean(found["MCCFR"][:, :SHOWN]) / np.mean(found["probing"][:, :SHOWN]))
    published = round(PUBLISHED["MCCFR"] / PUBLISHED["probing"], 2)
    return [*claims, _claim("variance by MCCFR over variance by probing", factors, early, published, RATIO)]


def _claim(
    text: str, values: statistics.Floats, early: float, published: float, accepted: tuple[float, float]
) -> Claim:
    """Reproduced: the mean is accepted."""
    ours, (low, high) = statistics.mean(values), accepted
    verdict = REPRODUCED if low <= ours.mean <= high else NOT
    told = f"{ours}; in the first {SHOWN} iterations {early:.3g}"
    return Claim("G1", text, f"{published} (accepted: {low} to {high})", told, verdict)


FIGURE = Figure(
    "gibson2012-fig2",
    "Variance of the root's value by MCCFR and by probing, Goofspiel(6)",
    "Gibson et al. 2012, figure 2",
    Scale("2 minutes", 4, 1000, ("goofspiel(n=6)",), 250),
    Scale("2 minutes on 16 cores", 16, 1000, ("goofspiel(n=6)",), 1000),
    _jobs,
    _report,
    "Before every iteration of full-width CFR the strategy is frozen, and each estimator makes a number of walks "
    "for player 0 (1000 in the paper) under the same sampling scheme. Updates are simultaneous; alternating updates "
    "follow another path, with variances near 0.09 and 0.05. CFR draws no random numbers and its ties are exact, so "
    "there is one path; runs differ in the walks they draw. (If rounding decides ties, there are many paths: we saw "
    "means from 0.294 to 0.367.)",
    _draw,
)
