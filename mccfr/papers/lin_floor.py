"""Lin 2024, section 6.2: a floor under strategies that falls from 1 % to 0 in 40,000 games lowers the variance."""

from typing import Any

from mccfr.errors import MethodError
from mccfr.jobs import plot_style
from mccfr.jobs.statistics import Floats, Interval
from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.figure import NO_CLAIM, NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.papers.lin import SOURCE, UNTIL

WITH, WITHOUT = "with a floor", "without"
METHODS = {WITH: f"external+floor(0.01, {UNTIL})", WITHOUT: "external"}
COLUMNS = ("game", "curve", "iterations", "mean", "deviation", "runs")


def _jobs(scale: Scale) -> list[Job]:
    if scale.seeds < 2:
        raise MethodError(f"lin2024-floor compares variances: run two seeds or more, not {scale.seeds}")
    return curves.jobs_of(METHODS, scale, *scale.games)


def _found(scale: Scale, done: list[Done]) -> dict[str, dict[str, Runs]]:
    """Runs by game and curve."""
    return {
        game: curves.by_name(METHODS, [job for job in done if job.arguments["game"] == game]) for game in scale.games
    }


def _report(scale: Scale, done: list[Done]) -> Report:
    found = _found(scale, done)
    rows = [row for game, by in found.items() for name, runs in by.items() for row in _rows(game, name, runs)]
    claims = [claim for game, by in found.items() for claim in (_variance(game, by), _mean(game, by))]
    return Report(COLUMNS, rows, claims)


def _rows(game: str, name: str, runs: Runs) -> list[tuple[Any, ...]]:
    table = []
    for x in curves.shared(runs):
        values = curves.at(runs, x)
        table.append((game, name, int(x), f"{values.mean():.6g}", f"{values.std(ddof=1):.6g}", len(runs)))
    return table


def variance_ratio(one: Floats, other: Floats) -> Interval:
    """The variance of one sample over that of another, with the interval of an F-test."""
    from scipy.stats import f

    freedom = len(one) - 1, len(other) - 1
    ratio = float(one.var(ddof=1) / other.var(ddof=1))
    low, high = f.ppf([0.975, 0.025], *freedom)
    return Interval(ratio, ratio / float(low), ratio / float(high))


def _variance(game: str, found: dict[str, Runs]) -> Claim:
    """Reproduced: below 1 at the end; partly: while there is a floor, or when it has just gone."""
    end = float(curves.shared(found[WITH] + found[WITHOUT])[-1])
    xs = sorted({min(float(x), end) for x in (UNTIL // 4, UNTIL, end)})
    ratios = {x: variance_ratio(curves.at(found[WITH], x), curves.at(found[WITHOUT], x)) for x in xs}
    ours = "; ".join(f"{ratio} at {x:,.0f}" for x, ratio in ratios.items())
    earlier = any(ratios[x].high < 1.0 for x in xs[:-1])
    verdict = REPRODUCED if ratios[end].high < 1.0 else PARTLY if earlier else NOT
    text = f"{game}: variance of exploitability over seeds, {WITH} over {WITHOUT}"
    return Claim("N2", text, "below 1", ours, verdict)


def _mean(game: str, found: dict[str, Runs]) -> Claim:
    """What the floor does to exploitability itself, of which the paper says nothing."""
    end = float(curves.shared(found[WITH] + found[WITHOUT])[-1])
    ours = f"{curves.compared(found, WITH, WITHOUT, end)} at {end:,.0f}"
    return Claim("N2", f"{game}: exploitability, {WITH} over {WITHOUT}", "nothing is said", ours, NO_CLAIM)


def _draw(rows: Rows, axes: Any) -> None:
    """Standard deviations over means; a line with a floor is dashed."""
    for number, game in enumerate(dict.fromkeys(row["game"] for row in rows)):
        for name in METHODS:
            mine = [row for row in rows if (row["game"], row["curve"]) == (game, name)]
            xs, means, deviations = curves.columns_of(mine, "iterations", "mean", "deviation")
            style = {"color": plot_style.COLOURS[number], "linestyle": "--" if name == WITH else "-"}
            axes.plot(xs, deviations / means, label=f"{game}, {name}", **style)
    axes.axvline(UNTIL, color=plot_style.GREY, linewidth=0.8)
    axes.set(xscale="log", xlabel="iterations", ylabel="standard deviation of exploitability over its mean")


FIGURE = Figure(
    "lin2024-floor",
    "A floor under strategies: exploitability over seeds",
    f"{SOURCE}, section 6.2",
    Scale("4 minutes", 20, 100_000, ("kuhn", "leduc", "nlph")),
    Scale("10 minutes on 16 cores", 100, 1_000_000, ("kuhn", "leduc", "nlph")),
    _jobs,
    _report,
    "The method is external sampling; a game of the paper is an iteration, a walk for each player. No action is played "
    f"with less than 1 % at first, which falls to 0 at {UNTIL:,} iterations (grey line), in walks and in the average "
    "alike. The paper has no figure: the variance of training accuracy is taken to be that of exploitability over "
    "seeds. Intervals of variances are those of an F-test. Means of exploitability are compared paired by seed.",
    _draw,
)
