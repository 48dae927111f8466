"""Beyond Davis, Schmid, Bowling 2019: other minimisers, draws and starts for the predictive baseline."""

from typing import Any

from mccfr.papers import curves
from mccfr.papers.curves import ITERATIONS, SECONDS, Runs
from mccfr.papers.davis import SOURCE
from mccfr.papers.davis_public import public_method
from mccfr.papers.figure import NO_CLAIM, Claim, Done, Figure, Job, Report, Rows, Scale

PUBLISHED = "as published"
CURVES = {
    PUBLISHED: public_method("predictive"),
    "start=values": public_method("predictive", "public_outcome(start=values)"),
    "epsilon 0.6": public_method("predictive", "public_outcome(0.6)"),
    "epsilon 0.6, start=values": public_method("predictive", "public_outcome(0.6, start=values)"),
    "PRM+": public_method("predictive", rest="prm_plus+linear"),
    "PRM+, epsilon 0.6, start=values": public_method(
        "predictive", "public_outcome(0.6, start=values)", "prm_plus+linear"
    ),
    "quadratic average": public_method("predictive", rest="rm_plus+quadratic"),
}
UNITS = {ITERATIONS: "iterations", SECONDS: "CPU time"}


def _jobs(scale: Scale) -> list[Job]:
    return curves.jobs_of(CURVES, scale, *scale.games[::-1])


def _report(scale: Scale, done: list[Done]) -> Report:
    found = {
        game: curves.by_name(CURVES, [job for job in done if job.arguments["game"] == game]) for game in scale.games
    }
    rows = [(game, *row) for game, by in found.items() for row in curves.rows(by)]
    claims = [
        _against_published(game, by, name, column)
        for game, by in found.items()
        for column in UNITS
        for name in CURVES
        if name != PUBLISHED
    ]
    return Report(("game", *curves.COLUMNS), rows, claims)


def _draw(rows: Rows, axes: Any) -> None:
    """The largest game, which comes last."""
    curves.draw([row for row in rows if row["game"] == rows[-1]["game"]], axes)


def _against_published(game: str, found: dict[str, Runs], name: str, column: int) -> Claim:
    """Exploitability over that of the published setting where the first run ends, paired by seed."""
    ratio, end = curves.at_the_end(found, name, PUBLISHED, column)
    at = f"{end:,.0f} iterations" if column == ITERATIONS else f"{end:.2g} s"
    text = f"{game}: {name} over {PUBLISHED}, exploitability at equal {UNITS[column]}"
    return Claim("D+", text, "nothing is said", f"{ratio} at {at}", NO_CLAIM)


FIGURE = Figure(
    "davis2019-beyond",
    "Public outcome sampling with predictive baselines, beyond the paper",
    f"ours, after {SOURCE}",
    Scale("2 minutes", 5, 100_000, ("dealt:leduc", "dealt:gp(6,4,4,1)")),
    Scale("9 minutes on 16 cores", 10, 1_000_000, ("dealt:leduc", "dealt:gp(6,4,4,1)", "dealt:gp(13,4,4,1)")),
    _jobs,
    _report,
    "The published method has the predictive baseline, uniform draws, RM+, linear averaging and simultaneous "
    "updates. Every other curve changes what its name says: predictive RM+ [Farina, Kroer, Sandholm 2021] instead "
    "of RM+, public actions drawn from the mean of all hands' strategies except with probability 0.6, baselines "
    "that start with the values of the uniform strategy, or averages weighted by t^2. The plot shows the largest "
    "game.",
    _draw,
)
