"""The Kuhn page's race on large games: GP(13,4,4,1), no-limit preflop hold'em, limit hold'em through ten buckets."""

import time
from typing import Any

import numpy as np

import mccfr
from mccfr.errors import TreeError
from mccfr.jobs import plot_style, statistics
from mccfr.papers import curves
from mccfr.papers.curves import ITERATIONS, NODES, SECONDS, Runs
from mccfr.papers.figure import NO_CLAIM, NOT, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs
from mccfr.papers.kuhn_page import SOURCE
from mccfr.papers.kuhn_page_race import COLUMNS, PLUS, SAMPLED, cheaper, race, race_row

VANILLA = "cfr"  # sweeps of dealt games update one player after the other
SHARE = 0.05  # of the ante or the big blind: the exploitability to come down to
UNIT = {"nlph": 100.0, "holdem": 2.0}  # a big blind in chips; everywhere else the ante is 1
PASS = "pass over the abstraction"
THOUSANDS = 1000.0  # iterations a second: "External Sampling does thousands of iterations per second"
BELOW = "below 1: sampling wins on large games"


def target_of(game: str) -> float:
    """The exploitability to come down to, in the game's payoffs."""
    return SHARE * next((unit for word, unit in UNIT.items() if word in game), 1.0)


def contest(
    game: str, method: str, seed: int, seconds: float, target: float, start: int, per_decade: int
) -> dict[str, Any]:
    """A run to the target, or why it was left out. A sweep counts as a walk over every history for each player."""
    if why := missing(game):
        return {"left_out": why}
    found = curves.converge(game, method, seed, 10**9, seconds, target, start, per_decade)
    if method != SAMPLED:
        for point in found["points"]:
            point[NODES] = 2 * histories(game) * point[ITERATIONS]
    return found


def pass_over(game: str, seed: int) -> dict[str, Any]:
    """Both best responses to uniform play inside an abstraction, which go through all that a sweep would go through."""
    if why := missing(game):
        return {"left_out": why}
    solver = mccfr.Solver(mccfr.compile(game), SAMPLED, seed)
    solver.exploitability()  # the table of deals is drawn before the clock starts
    began = time.process_time()
    solver.exploitability()
    return {"points": [[1, 2 * histories(game), time.process_time() - began, 0.0]]}


def missing(game: str) -> str:
    """Why a game through buckets cannot be run here: tables nobody made, or too little memory; nothing if it can."""
    if "holdem" not in game:
        return ""
    from mccfr.buckets.store import tables_kept

    try:
        tree = mccfr.compile(game).buckets
        if tree is not None and tree.whole_deck and not tables_kept(tree.fit):
            return f"the tables of its buckets have not been made: mccfr buckets '{tree.fit.bucketing}' makes them"
        mccfr.Solver(game, SAMPLED)
    except TreeError as error:
        return str(error)
    return ""


def histories(game: str) -> int:
    """How many nodes a walk over all of a game has: public nodes times possible pairs of hands, or of buckets."""
    tree = mccfr.compile(game)
    if tree.buckets is not None:
        rows = np.array(tree.buckets.fit.rows, np.int64)
        return int((rows[tree.buckets.betting.street] ** 2).sum())
    if tree.public is None:
        return len(tree)
    key, chances = tree.public.chance_reach
    possible = np.count_nonzero(chances.reshape(len(chances), -1), axis=1)
    return int(possible[key].sum())


def _jobs(scale: Scale) -> list[Job]:
    swept, sampled, passes = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for game in scale.games:
        abstract = "holdem" in game
        points = {"start": 10_000, "per_decade": 2} if abstract else {"start": 1, "per_decade": 16}
        limits = {"game": game, "seconds": scale.seconds, "target": target_of(game), **points}
        sampled.append({"method": SAMPLED, **limits})
        passes += [{"game": game}] * abstract
        swept += [] if abstract else [{"method": method, **limits} for method in (VANILLA, PLUS)]
    return [
        *seeded_jobs(pass_over, 1, passes), *seeded_jobs(contest, 1, swept),
        *seeded_jobs(contest, scale.seeds, sampled),
    ]  # fmt: skip


def _report(scale: Scale, done: list[Done]) -> Report:
    rows, claims = list[tuple[Any, ...]](), list[Claim]()
    for game in scale.games:
        mine = [job for job in done if job.arguments["game"] == game]
        if why := next((job.result["left_out"] for job in mine if "left_out" in job.result), ""):
            claims.append(Claim("W4", f"{game}: the race", BELOW, f"left out: {why}", NO_CLAIM))
            continue
        found = curves.gather(mine, lambda arguments: arguments.get("method", PASS))
        level = target_of(game)
        rows += [
            (*race_row(game, method, runs, 0.0 if method == PASS else level), level) for method, runs in found.items()
        ]
        claims += _abstract(game, found, level) if PASS in found else _dealt(game, found, level)
    return Report((*COLUMNS, "target"), rows, claims)


def _dealt(game: str, found: dict[str, Runs], level: float) -> list[Claim]:
    return [
        cheaper(game, found, VANILLA),
        _quicker(game, found),
        *(race(game, found, column, BELOW, True, VANILLA, level) for column in (NODES, SECONDS)),
        race(game, found, SECONDS, "nothing is said", None, PLUS, level),
    ]


def _abstract(game: str, found: dict[str, Runs], level: float) -> list[Claim]:
    """No sweep is made: a pass stands for it, and says how many there could have been until the target."""
    once = float(found[PASS][0][0, SECONDS])
    times = curves.reached(found[SAMPLED], level, SECONDS)
    spent = np.array([run[-1, SECONDS] for run in found[SAMPLED]])
    reached = bool(np.isfinite(times).all())
    ours = statistics.geometric_mean((times if reached else spent) / once)
    told = f"{'' if reached else 'not reached in '}{ours}"
    return [
        cheaper(game, {**found, VANILLA: found[PASS]}, VANILLA),
        _thousands(game, found[SAMPLED]),
        Claim("W4", f"{game}: CPU time of one {PASS}", "nothing is said", f"{once:.3g} s", NO_CLAIM),
        Claim("W4", f"{game}: external to exploitability {level}, in passes", "nothing is said", told, NO_CLAIM),
    ]


def _quicker(game: str, found: dict[str, Runs]) -> Claim:
    """CPU time of an iteration of external sampling over that of a sweep."""
    ends = {name: np.array([run[-1] for run in found[name]]) for name in (SAMPLED, VANILLA)}
    per = {name: end[:, SECONDS] / end[:, ITERATIONS] for name, end in ends.items()}
    share = statistics.ratio(per[SAMPLED], np.full(len(per[SAMPLED]), per[VANILLA].mean()))
    sweep, rate = per[VANILLA].mean() * 1e3, 1.0 / per[SAMPLED].mean()
    node = ends[SAMPLED][:, SECONDS].sum() / ends[SAMPLED][:, NODES].sum()
    walk = node * ends[VANILLA][0, NODES] / ends[VANILLA][0, ITERATIONS]
    ours = (
        f"{share} (a sweep takes {sweep:.3g} ms; history by history it would take {walk:.3g} s, extrapolated from "
        f"external's {node * 1e9:.0f} ns a node; {rate:,.0f} iterations of external a second)"
    )
    text = f"{game}: CPU time of an iteration, external over vanilla"
    return Claim("W4", text, "below 1", ours, REPRODUCED if share.high < 1.0 else NOT)


def _thousands(game: str, runs: Runs) -> Claim:
    rate = statistics.geometric_mean([run[-1, ITERATIONS] / run[-1, SECONDS] for run in runs])
    verdict = REPRODUCED if rate.low >= THOUSANDS else NOT
    return Claim("W4", f"{game}: iterations of external a second", "thousands", str(rate), verdict)


def _draw(rows: Rows, axes: Any) -> None:
    games = list(dict.fromkeys(row["game"] for row in rows))
    for j, name in enumerate((VANILLA, SAMPLED, PLUS)):
        mine = {row["game"]: float(row["seconds"]) for row in rows if row["method"] == name}
        heights = [mine.get(game, np.inf) for game in games]
        shown = np.where(np.isfinite(heights), heights, np.nan)  # no bar where the target was not reached
        axes.bar([k + 0.27 * (j - 1) for k in range(len(games))], shown, 0.25, label=name, color=plot_style.COLOURS[j])
    axes.set_xticks(range(len(games)), games)
    axes.set(yscale="log", ylabel=f"CPU seconds to {SHARE:.0%} of the ante or big blind")


DEALT = ("nlph", "dealt:gp(13,4,4,1)")
FIGURE = Figure(
    "kuhn-page-race-large",
    "Vanilla CFR, CFR+ and external sampling to a target in larger games",
    SOURCE,
    Scale("3 minutes", 10, games=DEALT, seconds=60),
    Scale("estimated: 1 hour on 12 cores with 50 GB", 10, games=(*DEALT, "holdem(limit, ehs2(10))"), seconds=600),
    _jobs,
    _report,
    "The target is an exploitability of 5 % of the ante (1 in GP) or of the big blind (100 chips in nlph, 2 in limit "
    "hold'em), chosen before the race was run. Times are CPU time of one thread without compilation and evaluation. "
    "Sweeps of dealt games carry all hands at once and update one player after the other; that takes far less time "
    "than a walk over every history, which is what nodes count: public nodes times possible pairs of hands (of "
    "classes in nlph), for each player. So the race in CPU time is harder for sampling than on the page. Limit "
    "hold'em through buckets has no sweeps here. The time of both best responses inside the abstraction stands for "
    "one, since they go through all that a sweep would go through; its nodes are betting nodes times pairs of "
    "buckets, for each player. Hold'em is left out where the tables of its buckets have not been made or memory is "
    "too small.",
    _draw,
)
