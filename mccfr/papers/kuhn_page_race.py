"""The Kuhn page's race: an iteration of external sampling is cheaper, and on large games that wins."""

from typing import Any

import numpy as np

from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Interval
from mccfr.papers import curves
from mccfr.papers.curves import ITERATIONS, NODES, SECONDS, Runs
from mccfr.papers.figure import NO_CLAIM, NOT, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs
from mccfr.papers.kuhn_page import SOURCE

TARGET = 0.01  # exploitability, in the game's payoffs
VANILLA, SAMPLED, PLUS = "cfr+simultaneous", "external", "cfr_plus"
METHODS = (VANILLA, SAMPLED, PLUS)
COLUMNS = ("game", "method", "runs", "iterations", "nodes", "seconds", "nodes_per_iteration", "ns_per_iteration")
UNITS = {NODES: "nodes", SECONDS: "CPU time"}


def _jobs(scale: Scale) -> list[Job]:
    limits = {"iterations": 10**9, "seconds": scale.seconds, "target": TARGET, "per_decade": 16}
    swept = [{"game": game, "method": method, **limits} for game in scale.games for method in (VANILLA, PLUS)]
    sampled = [{"game": game, "method": SAMPLED, **limits} for game in scale.games]
    return seeded_jobs(curves.converge, 1, swept[::-1]) + seeded_jobs(curves.converge, scale.seeds, sampled[::-1])


def _report(scale: Scale, done: list[Done]) -> Report:
    found = {
        game: curves.gather([job for job in done if job.arguments["game"] == game], lambda a: a["method"])
        for game in scale.games
    }
    rows = [race_row(game, method, runs) for game, by in found.items() for method, runs in by.items()]
    smallest, *between, largest = scale.games
    claims = [cheaper(game, found[game]) for game in scale.games]
    for column in UNITS:
        claims.append(race(smallest, found[smallest], column, "above 1: vanilla wins on Kuhn", wins=False))
        claims += [race(game, found[game], column, "nothing is said", wins=None) for game in between]
        claims.append(race(largest, found[largest], column, "below 1: sampling wins on large games", wins=True))
    claims += [race(game, found[game], SECONDS, "nothing is said", wins=None, rival=PLUS) for game in scale.games]
    return Report(COLUMNS, rows, claims)


def race_row(game: str, method: str, runs: Runs, target: float | None = None) -> tuple[Any, ...]:
    """What a method took to the target, infinite if a run missed it, and what its iterations cost."""
    level = TARGET if target is None else target
    times = [statistics.geometric_mean(curves.reached(runs, level, c)).mean for c in (ITERATIONS, NODES, SECONDS)]
    ends = np.array([run[-1] for run in runs]).sum(axis=0)
    costs = ends[NODES] / ends[ITERATIONS], ends[SECONDS] / ends[ITERATIONS] * 1e9
    return (game, method, len(runs), *(f"{x:.4g}" for x in (*times, *costs)))


def cheaper(game: str, found: dict[str, Runs], vanilla: str = VANILLA) -> Claim:
    """Nodes touched by an iteration of external sampling over those of a sweep."""
    nodes = {name: found[name][0][-1] for name in (vanilla, SAMPLED)}
    per = {name: float(end[NODES] / end[ITERATIONS]) for name, end in nodes.items()}
    share = per[SAMPLED] / per[vanilla]
    ours = f"{share:.2g} ({per[SAMPLED]:,.0f} and {per[vanilla]:,.0f})"
    verdict = REPRODUCED if share < 1.0 else NOT
    return Claim("W4", f"{game}: nodes of an iteration, external over vanilla", "below 1", ours, verdict)


def race(
    game: str, found: dict[str, Runs], column: int, paper: str, wins: bool | None,
    rival: str = VANILLA, target: float | None = None,
) -> Claim:  # fmt: skip
    """What external sampling takes to the target over what its rival takes; either may miss it."""
    level = TARGET if target is None else target
    times = [curves.reached(found[name], level, column) for name in (SAMPLED, rival)]
    spent = [np.array([run[-1, column] for run in found[name]]) for name in (SAMPLED, rival)]
    missed = [not np.isfinite(x).all() for x in times]  # then the ratio is a bound, from what was spent in vain
    ours = statistics.ratio(*(np.where(np.isfinite(x), x, most) for x, most in zip(times, spent)))
    text = f"{game}: {UNITS[column]} to exploitability {level}, external over {rival}"
    bound = "unknown, since neither reached it: " if all(missed) else "at least " * missed[0] + "at most " * missed[1]
    wrong_side = wins is not None and missed[0 if wins else 1]
    return Claim("W4", text, paper, f"{bound}{ours}", NOT if wrong_side else _verdict(ours, wins))


def _verdict(ratio: Interval, wins: bool | None) -> str:
    if wins is None:
        return NO_CLAIM
    return REPRODUCED if (ratio.high < 1.0 if wins else ratio.low > 1.0) else NOT


def _draw(rows: Rows, axes: Any) -> None:
    games = list(dict.fromkeys(row["game"] for row in rows))
    for j, name in enumerate(METHODS):
        (times,) = curves.columns_of([row for row in rows if row["method"] == name], "seconds")
        heights = np.where(np.isfinite(times), times, np.nan)  # no bar where the target was not reached
        axes.bar(
            [k + 0.27 * (j - 1) for k in range(len(games))], heights, 0.25, label=name, color=plot_style.COLOURS[j]
        )
    axes.set_xticks(range(len(games)), games)
    axes.set(yscale="log", ylabel=f"CPU seconds to exploitability {TARGET}")


FIGURE = Figure(
    "kuhn-page-race",
    "Vanilla CFR, CFR+ and external sampling to a target, from Kuhn to Goofspiel",
    SOURCE,
    Scale("2 minutes", 8, games=("kuhn", "leduc", "goofspiel(n=5)", "goofspiel(n=6)"), seconds=40),
    Scale("2 minutes on 16 cores", 10, games=("kuhn", "leduc", "goofspiel(n=5)", "goofspiel(n=6)"), seconds=200),
    _jobs,
    _report,
    "Times are CPU time of one thread without compilation. A sweep counts as touching every node once for each "
    "player, as a walk over the whole tree would. It runs on the sequence form, which is much faster than such a "
    "walk, so the race in CPU time is harder for sampling than on the page.",
    _draw,
)
