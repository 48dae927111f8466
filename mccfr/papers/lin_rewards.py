"""Lin 2024, section 6.3 and figure 5: bots trained with four rewards play each other."""

import itertools
from typing import Any

import numpy as np

import mccfr
from mccfr.errors import MethodError
from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Floats, Interval
from mccfr.papers.duplicate_play import crossed_mean, pair_profits
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.papers.lin import SOURCE
from mccfr.papers.lin_bots import APART, LIN_GAME, REWARDS, lin_bot, method_of, trainings
from mccfr.papers.trained_bots import Bot, load_bot

PUBLISHED = {
    ("y2", "y1"): 0.3, ("y2", "y3"): 0.10, ("y2", "y4"): 0.06,
    ("y3", "y1"): 0.18, ("y4", "y1"): 0.22, ("y4", "y3"): 0.05,
}  # fmt: skip
PUBLISHED_ORDER = ("y2", "y4", "y3", "y1")  # by the worst profit in the table
UNITS = {"kuhn": 1, "leduc": 1, "nlph": 100}  # chips of a big blind, or of an ante where there are no blinds
SHORT = 100  # long training over short
COLUMNS = ("game", "reward", "against", "published", "mean", "low", "high", "matches")

Matrix = dict[tuple[str, str], Interval]  # big blinds a hand that the first wins from the second


def all_matches(one: list[Any], others: list[list[Any]], pairs: int) -> dict[str, Any]:
    """What one bot wins from every one of others, in big blinds a hand."""
    bot = Bot(*one)
    profits = [pair_profits(load_bot(bot), load_bot(Bot(*other)), pairs, bot.seed + number).mean()
               for number, other in enumerate(others)]  # fmt: skip
    return {"profits": [float(profit) for profit in profits]}


def felt_exactly(game: str, seed: int, iterations: int) -> dict[str, Any]:
    """All rewards in a game that is small enough: exploitabilities, and what each wins from each, both exact."""
    tree, unit = mccfr.compile(game), UNITS[game]
    solvers = [mccfr.Solver(tree, method_of(reward, unit, prior=False), APART * j + seed).run(iterations)
               for j, reward in enumerate(REWARDS)]  # fmt: skip
    strategies = [solver.strategy() for solver in solvers]
    profits = [
        [0.5 * (mccfr.expected_value(one, other) - mccfr.expected_value(other, one)) / unit for other in strategies]
        for one in strategies
    ]
    return {"exploitability": [solver.exploitability() / unit for solver in solvers], "profits": profits}


def _stages(scale: Scale) -> list[list[Job]]:
    if scale.seeds < 2:
        raise MethodError(f"lin2024-rewards compares trained bots: run two seeds or more, not {scale.seeds}")
    return trainings([lin_bot(scale, reward, j) for j in range(scale.seeds) for reward in REWARDS])


def _jobs(scale: Scale) -> list[Job]:
    """Every bot of a reward against all bots of another; and the small games."""
    bots = {reward: [list(lin_bot(scale, reward, j)) for j in range(scale.seeds)] for reward in REWARDS}
    played = [
        Job(all_matches, {"one": bot, "others": bots[other], "pairs": scale.samples // 2})
        for one, other in PUBLISHED
        for bot in bots[one]
    ]
    exact = [
        Job(felt_exactly, {"game": game, "seed": seed, "iterations": length})
        for game, length in _small_games(scale)
        for seed in range(scale.seeds)
    ]
    return played + exact


def _small_games(scale: Scale) -> list[tuple[str, int]]:
    """The games with exact values, each after short and after long training."""
    return [(game, length) for game in scale.games[1:] for length in (scale.iterations // SHORT, scale.iterations)]


def _report(scale: Scale, done: list[Done]) -> Report:
    played = _played(done)
    rows = [_row("hold'em", pair, found, scale.seeds**2) for pair, found in played.items()]
    claims = [*(_profit(pair, played[pair]) for pair in PUBLISHED), _last(played), _order(played)]
    for game, length in _small_games(scale):
        results = [job.result for job in done if _is_small(job, game, length)]
        exact, name = _exact(results), f"{game}, {length:,} iterations"
        rows += [_row(name, pair, found, len(results)) for pair, found in exact.items()]
        claims += [_small(name, exact), *(_exploitability(name, number, results) for number in (1, 2, 3))]
    return Report(COLUMNS, rows, claims)


def _played(done: list[Done]) -> Matrix:
    """All twelve cells from the six that were played."""
    found: Matrix = {}
    for one, other in PUBLISHED:
        matches = [job.result["profits"] for job in done if _rewards_of(job) == (one, other)]
        found[one, other] = crossed_mean(np.array(matches))
        found[other, one] = turned(found[one, other])
    return found


def _is_small(job: Done, game: str, length: int) -> bool:
    return (job.arguments.get("game"), job.arguments.get("iterations")) == (game, length)


def _rewards_of(job: Done) -> tuple[str, str] | None:
    """Which rewards a match is about, by the seeds of its bots."""
    if "one" not in job.arguments:
        return None
    one, other = Bot(*job.arguments["one"]), Bot(*job.arguments["others"][0])
    return REWARDS[one.seed // APART], REWARDS[other.seed // APART]


def turned(found: Interval) -> Interval:
    """The same match as the other side sees it."""
    return Interval(-found.mean, -found.high, -found.low)


def _exact(results: list[dict[str, Any]]) -> Matrix:
    """Means over seeds, paired: every seed has trained all rewards."""
    profits: Floats = np.array([result["profits"] for result in results])
    pairs = itertools.permutations(range(len(REWARDS)), 2)
    return {(REWARDS[i], REWARDS[j]): statistics.mean(profits[:, i, j]) for i, j in pairs}


def _row(game: str, pair: tuple[str, str], found: Interval, matches: int) -> tuple[Any, ...]:
    one, other = pair
    published = PUBLISHED.get((one, other), -PUBLISHED.get((other, one), 0.0)) if game == "hold'em" else ""
    return game, one, other, published, *(f"{x:.5g}" for x in found), matches


def _profit(pair: tuple[str, str], found: Interval) -> Claim:
    """Reproduced: a profit, and of the published size within a factor of two; partly: a profit."""
    near = PUBLISHED[pair] / 2 <= found.mean <= 2 * PUBLISHED[pair]
    verdict = NOT if found.low <= 0.0 else REPRODUCED if near else PARTLY
    text = f"{pair[0]} against {pair[1]}, big blinds a hand"
    return Claim("N3", text, f"{PUBLISHED[pair]:.2f}", str(found), verdict)


def _last(played: Matrix) -> Claim:
    """Reproduced: y1 loses to all; partly: on average, but not beyond doubt."""
    found = [played["y1", other] for other in REWARDS[1:]]
    sure, likely = all(each.high < 0.0 for each in found), all(each.mean < 0.0 for each in found)
    verdict = REPRODUCED if sure else PARTLY if likely else NOT
    return Claim("N3", "y1 (no reward) loses to y2, y3 and y4", "yes", "; ".join(map(str, found)), verdict)


def worst_profits(played: Matrix) -> dict[str, float]:
    """What each reward wins from the one that suits it least, the last column of the figure."""
    return {one: min(played[one, other].mean for other in REWARDS if other != one) for one in REWARDS}


def _order(played: Matrix) -> Claim:
    """By the worst profit. Reproduced: the order of the paper's table; partly: its first and last."""
    worst = worst_profits(played)
    order = tuple(sorted(REWARDS, key=lambda reward: -worst[reward]))
    ends = (order[0], order[-1]) == (PUBLISHED_ORDER[0], PUBLISHED_ORDER[-1])
    verdict = REPRODUCED if order == PUBLISHED_ORDER else PARTLY if ends else NOT
    paper = "y2 0.06, y4 -0.06, y3 -0.10, y1 -0.30 (the text has y3 before y4)"
    ours = ", ".join(f"{reward} {worst[reward]:.3g}" for reward in order)
    return Claim("N3", "order by the worst profit", paper, ours, verdict)


def _small(game: str, exact: Matrix) -> Claim:
    """The same match in a game whose values are exact."""
    found = exact["y2", "y1"]
    verdict = REPRODUCED if found.low > 0.0 else NOT
    return Claim("N3", f"{game}: y2 against y1, units a hand, exact", "above 0", str(found), verdict)


def _exploitability(game: str, number: int, results: list[dict[str, Any]]) -> Claim:
    """A reward that is beneficial would lower exploitability."""
    found = np.array([result["exploitability"] for result in results])
    ratio = statistics.difference(found[:, number], found[:, 0]).ratio
    level = statistics.geometric_mean(found[:, number]).mean
    text = f"{game}: exploitability with {REWARDS[number]} over that with y1, exact"
    ours = f"{ratio}, at {level:.3g} units"
    return Claim("N3", text, "below 1 (it is beneficial)", ours, REPRODUCED if ratio.high < 1.0 else NOT)


def _draw(rows: Rows, axes: Any) -> None:
    """The six matches of the table: published, and ours with intervals."""
    mine = {(row["reward"], row["against"]): row for row in rows if row["game"] == "hold'em"}
    found = np.array([[float(mine[pair][name]) for name in ("mean", "low", "high")] for pair in PUBLISHED])
    places = np.arange(len(PUBLISHED))
    bars = np.abs(found[:, 1:] - found[:, :1]).T
    axes.bar(places - 0.2, list(PUBLISHED.values()), 0.38, label="published", color=plot_style.GREY)
    axes.bar(places + 0.2, found[:, 0], 0.38, yerr=bars, capsize=3, label="ours", color=plot_style.COLOURS[0])
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set_xticks(places, [f"{one} against {other}" for one, other in PUBLISHED], fontsize=plot_style.SMALL)
    axes.set(ylabel="big blinds a hand")


FIGURE = Figure(
    "lin2024-rewards",
    "Bots trained with four rewards, against each other",
    f"{SOURCE}, figure 5",
    Scale("8 minutes", 5, 300_000, (LIN_GAME, "leduc", "nlph"), 200_000, 20.0),
    Scale("9 minutes on 16 cores", 8, 3_000_000, (LIN_GAME, "leduc", "nlph"), 500_000, 180.0),
    _jobs,
    _report,
    "Every bot is trained by one thread for equal CPU time, with a seed of its own; every bot of one reward plays "
    "every bot of another, `samples` hands each, every deal in both seats. The unit of the intervals is the trained "
    "bot, not the hand: the variances of row means and of column means of the square of matches add up "
    "(`mccfr/papers/duplicate_play.py`), Student's t with one degree of freedom less than there are seeds. The paper "
    "had one bot of each kind and 2,000,000 hands a match. A match is *reproduced* if the interval is above 0 and the "
    "mean within a factor of two, *partly* if it is above 0. In Leduc (a unit is an ante) and no-limit preflop hold'em "
    "(a big blind) the same rewards, with the floor and without initial weights, are compared by exact values after "
    "short and after long training; rewards play seed against seed there. Buckets, details of betting and the table of "
    "initial weights are ours, since the paper does not give them.",
    _draw,
    _stages,
    lambda scale: [Bot(**job.arguments).path for job in _stages(scale)[1]],
)
