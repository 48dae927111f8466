"""The Kuhn page's race on large games: GP(13,4,4,1), no-limit preflop hold'em, limit hold'em through ten buckets."""

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

import mccfr
from mccfr.errors import TreeError
from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Floats
from mccfr.machine import processors
from mccfr.papers import curves
from mccfr.papers.curves import ITERATIONS, NODES, SECONDS, Runs
from mccfr.papers.figure import NO_CLAIM, NOT, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs
from mccfr.papers.kuhn_page import SOURCE
from mccfr.papers.kuhn_page_race import COLUMNS, PLUS, SAMPLED, cheaper, race, race_row

VANILLA = "cfr"  # sweeps of dealt games update one player after the other
SHARE = 0.05  # of the ante or the big blind: the exploitability to come down to
UNIT = {"nlph": 100.0, "holdem": 2.0}  # a big blind in chips; everywhere else the ante is 1
PASS = "pass over the abstraction"
PACE = "external on one processor"
FIRST = {"holdem(limit, ehs2(10))": 10**8}  # iterations before the first measurement, which takes minutes of CPU
DESCENTS = 3  # runs through buckets to the target: they take all of the machine, one after the other
PACE_SECONDS, PACES = 60.0, 3  # CPU time and number of the runs that tell the rate on one processor
THOUSANDS = 1000.0  # iterations a second: "External Sampling does thousands of iterations per second"
BELOW = "below 1: sampling wins on large games"


def target_of(game: str) -> float:
    """The exploitability to come down to, in the game's payoffs."""
    return SHARE * next((unit for word, unit in UNIT.items() if word in game), 1.0)


def contest(
    game: str, method: str, seed: int, seconds: float, target: float, start: int, per_decade: int
) -> dict[str, Any]:
    """A run to the target. A sweep counts as a walk over every history for each player."""
    found = curves.converge(game, method, seed, 10**9, seconds, target, start, per_decade)
    if method != SAMPLED:
        for point in found["points"]:
            point[NODES] = 2 * histories(game) * point[ITERATIONS]
    return found


def pass_over(game: str, seed: int) -> dict[str, Any]:
    """Both best responses to uniform play inside an abstraction, which go through all that a sweep would go through."""
    if why := missing(game):
        return {"left_out": why}
    solver = mccfr.Solver(curves.tree_of(game), SAMPLED, seed)
    solver.exploitability()  # the table of deals is drawn before the clock starts
    began = time.process_time()
    solver.exploitability()
    return {"points": [[1, 2 * histories(game), time.process_time() - began, 0.0]]}


def pace(game: str, seed: int, seconds: float) -> dict[str, Any]:
    """How far external sampling comes on one processor, in about so many CPU seconds; nothing is measured there."""
    if why := missing(game):
        return {"left_out": why}
    tree = curves.tree_of(game)
    mccfr.Solver(tree, SAMPLED, seed).run(1)  # kernels are compiled before the clock starts
    solver = mccfr.Solver(tree, SAMPLED, seed)
    began = time.process_time()
    solver.run(seconds=seconds)
    return {"points": [[solver.iterations, solver.touched, time.process_time() - began, np.inf]]}


def descend(game: str, seed: int, seconds: float, target: float, start: int, per_decade: int) -> dict[str, Any]:
    """External sampling to the target inside an abstraction, as fast as this machine can.

    That is on a GPU, or else by all processors on one table; seconds are those of the clock on the wall.
    """
    if why := missing(game):
        return {"left_out": why}
    tree, place = curves.tree_of(game), fastest_place(game)
    mccfr.Solver(tree, SAMPLED, seed, **place).run(1)
    solver, points = mccfr.Solver(tree, SAMPLED, seed, **place), list[list[float]]()
    for stop in curves.checkpoints(start, 10**11, per_decade):
        solver.run(stop - solver.iterations)
        points.append([solver.iterations, solver.touched, solver.seconds, solver.exploitability()])
        if solver.seconds >= seconds or points[-1][curves.EXPLOITABILITY] <= target:
            break
    return {"points": points, "where": "on a GPU" if solver.device == "gpu" else f"{solver.workers} processors"}


def fastest_place(game: str) -> dict[str, Any]:
    """Where a solver makes iterations of this game fastest."""
    if mccfr.Solver(curves.tree_of(game), SAMPLED, device="auto").device == "gpu":
        return {"device": "gpu"}
    return {"workers": processors(), "parallel": "shared"}


def missing(game: str) -> str:
    """Why a game through buckets cannot be run here: tables nobody made, or too little memory; nothing if it can."""
    from mccfr.buckets.store import tables_kept

    try:
        tree = curves.tree_of(game).buckets
        if tree is not None and tree.whole_deck and not tables_kept(tree.fit):
            return f"the tables of its buckets have not been made: mccfr buckets '{tree.fit.bucketing}' makes them"
        mccfr.Solver(game, SAMPLED)
    except TreeError as error:
        return str(error)
    return ""


def histories(game: str) -> int:
    """How many nodes a walk over all of a game has: public nodes times possible pairs of hands, or of buckets."""
    tree = curves.tree_of(game)
    if tree.buckets is not None:
        rows = np.array(tree.buckets.fit.rows, np.int64)
        return int((rows[tree.buckets.betting.street] ** 2).sum())
    if tree.public is None:
        return len(tree)
    key, chances = tree.public.chance_reach
    possible = np.count_nonzero(chances.reshape(len(chances), -1), axis=1)
    return int(possible[key].sum())


def _jobs(scale: Scale) -> list[Job]:
    abstract = [game for game in scale.games if "holdem" in game]
    dealt = [game for game in scale.games if game not in abstract]
    timed = {game: {"game": game, "seconds": scale.seconds, "target": target_of(game)} for game in scale.games}
    runs = {game: {**timed[game], "start": 1, "per_decade": 16} for game in dealt}
    descents = [{**timed[game], "start": FIRST.get(game, 10_000), "per_decade": 6} for game in abstract]
    return [
        *seeded_jobs(pass_over, 1, [{"game": game} for game in abstract]),
        *seeded_jobs(pace, PACES, [{"game": game, "seconds": PACE_SECONDS} for game in abstract]),
        *seeded_jobs(contest, 1, [{"method": method, **run} for run in runs.values() for method in (VANILLA, PLUS)]),
        *seeded_jobs(contest, scale.seeds, [{"method": SAMPLED, **run} for run in runs.values()]),
        *seeded_jobs(descend, min(scale.seeds, DESCENTS), descents),
    ]


def _report(scale: Scale, done: list[Done]) -> Report:
    rows, claims = list[tuple[Any, ...]](), list[Claim]()
    for game in scale.games:
        mine = [job for job in done if job.arguments["game"] == game]
        if why := next((job.result["left_out"] for job in mine if "left_out" in job.result), ""):
            claims.append(Claim("W4", f"{game}: the race", BELOW, f"left out: {why}", NO_CLAIM))
            continue
        level = target_of(game)
        if "holdem" in game:
            mine_rows, mine_claims = _abstract(game, mine, level)
        else:
            found = curves.gather(mine, lambda arguments: arguments["method"])
            mine_rows = [race_row(game, method, runs, level) for method, runs in found.items()]
            mine_claims = _dealt(game, found, level)
        rows += [(*row, level) for row in mine_rows]
        claims += mine_claims
    return Report((*COLUMNS, "target"), rows, claims)


def _dealt(game: str, found: dict[str, Runs], level: float) -> list[Claim]:
    return [
        cheaper(game, found, VANILLA),
        _quicker(game, found),
        *(race(game, found, column, BELOW, True, VANILLA, level) for column in (NODES, SECONDS)),
        race(game, found, SECONDS, "nothing is said", None, PLUS, level),
    ]


def _abstract(game: str, done: list[Done], level: float) -> tuple[list[tuple[Any, ...]], list[Claim]]:
    """No sweep is made: a pass stands for its time, and sampling is compared with the nodes of a single one."""
    found = curves.gather(done, _kind)
    once, paces, descents = found[PASS], found[PACE], found[SAMPLED]
    where = next(job.result["where"] for job in done if "where" in job.result)
    per_iteration = float(np.mean([run[-1, SECONDS] / run[-1, ITERATIONS] for run in paces]))
    alone = [run.copy() for run in descents]
    for run in alone:
        run[:, SECONDS] = run[:, ITERATIONS] * per_iteration
    rows = [
        race_row(game, PASS, once, 0.0), race_row(game, PACE, paces, level),
        race_row(game, SAMPLED, alone, level), race_row(game, f"{SAMPLED}, {where}", descents, level),
    ]  # fmt: skip
    sweep = once[0][0]
    claims = [
        cheaper(game, {SAMPLED: descents, VANILLA: once}, VANILLA),
        _thousands(game, paces),
        _fewer_nodes(game, descents, level, float(sweep[NODES])),
        Claim("W4", f"{game}: CPU time of one {PASS}", "nothing is said", f"{sweep[SECONDS]:.3g} s", NO_CLAIM),
        _unclaimed(game, "seconds to", f", {where}", descents, level, 1.0),
        _unclaimed(game, "CPU seconds to", ", one processor, extrapolated from its rate", alone, level, 1.0),
        _unclaimed(game, "the same CPU time to", ", in passes", alone, level, float(sweep[SECONDS])),
    ]
    return rows, claims


def _kind(arguments: Mapping[str, Any]) -> str:
    """What a job on an abstraction was, by its arguments."""
    return SAMPLED if "target" in arguments else PACE if "seconds" in arguments else PASS


def _spent(runs: Runs, level: float, column: int) -> tuple[str, Floats]:
    """What every run took to the level; with words to put before it if a run never came there, and then all it took."""
    times = curves.reached(runs, level, column)
    if np.isfinite(times).all():
        return "", times
    return "not reached in ", np.array([run[-1, column] for run in runs])


def _fewer_nodes(game: str, runs: Runs, level: float, sweep: float) -> Claim:
    """Nodes to the target over those of one sweep: vanilla CFR has not even finished its first iteration."""
    missed, nodes = _spent(runs, level, NODES)
    share = statistics.geometric_mean(nodes / sweep)
    verdict = REPRODUCED if not missed and share.high < 1.0 else NOT
    text = f"{game}: nodes to exploitability {level}, external over a single sweep"
    return Claim("W4", text, BELOW, f"{missed}{share}", verdict)


def _unclaimed(game: str, what: str, how: str, runs: Runs, level: float, unit: float) -> Claim:
    missed, times = _spent(runs, level, SECONDS)
    text = f"{game}: {what} exploitability {level}{how}"
    return Claim("W4", text, "nothing is said", f"{missed}{statistics.geometric_mean(times / unit)}", NO_CLAIM)


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
    return Claim("W4", f"{game}: iterations of external a second, one processor", "thousands", str(rate), verdict)


def _draw(rows: Rows, axes: Any) -> None:
    games = list(dict.fromkeys(row["game"] for row in rows))
    for j, name in enumerate((VANILLA, SAMPLED, PLUS)):
        mine = {row["game"]: float(row["seconds"]) for row in rows if row["method"] == name}
        heights = [mine.get(game, np.inf) for game in games]
        shown = np.where(np.isfinite(heights), heights, np.nan)  # no bar where the target was not reached
        axes.bar([k + 0.27 * (j - 1) for k in range(len(games))], shown, 0.25, label=name, color=plot_style.COLOURS[j])
    sweeps = {row["game"]: float(row["ns_per_iteration"]) / 1e9 for row in rows if row["method"] in (VANILLA, PASS)}
    axes.plot([sweeps[game] for game in games], "kD", label="one sweep, or a pass over buckets", markersize=5)
    axes.set_xticks(range(len(games)), games)
    axes.set(yscale="log", ylabel=f"CPU seconds to {SHARE:.0%} of the ante or big blind")


DEALT = ("nlph", "dealt:gp(13,4,4,1)")
FIGURE = Figure(
    "kuhn-page-race-large",
    "Vanilla CFR, CFR+ and external sampling to a target in larger games",
    SOURCE,
    Scale("3 minutes", 10, games=DEALT, seconds=60),
    Scale(
        "15 minutes with a GPU, 90 on two processors; --workers 1",
        10,
        games=(*DEALT, "holdem(limit, ehs2(10))"),
        seconds=7200,
    ),
    _jobs,
    _report,
    "The target is an exploitability of 5 % of the ante (1 in GP) or of the big blind (100 chips in nlph, 2 in limit "
    "hold'em), chosen before the race was run. Times are CPU time of one thread without compilation and evaluation. "
    "Sweeps of dealt games carry all hands at once and update one player after the other; that takes far less time "
    "than a walk over every history, which is what nodes count: public nodes times possible pairs of hands (of "
    "classes in nlph), for each player. So the race in CPU time is harder for sampling than on the page. Limit "
    "hold'em through buckets has no sweeps here: nodes of external sampling are compared with those of a single one, "
    "betting nodes times pairs of buckets for each player, and its time is that of both best responses inside the "
    "abstraction, which go through all that a sweep of all buckets at once would go through. External sampling goes "
    "to the target on a GPU, or by all processors on one table, and is measured from a hundred million iterations on; "
    "its rate on one processor is measured for a minute in three runs, from which the time on one processor is "
    "extrapolated. Hold'em is left out where the tables of its buckets have not been made or memory is too small.",
    _draw,
)
