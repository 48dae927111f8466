"""Lin 2024, sections 8 and 9: the bot is said not to be exploitable. What local best response wins from it."""

from typing import Any

import numpy as np

from mccfr.errors import MethodError
from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Interval
from mccfr.papers.figure import NO_CLAIM, NOT, Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.papers.lin import SOURCE
from mccfr.papers.lin_bots import LIN_GAME, LINS, OUR_GAME, OURS, bots_of, trainings
from mccfr.papers.trained_bots import Bot, load_bot
from mccfr.playing.lbr_report import local_best_response
from mccfr.playing.lbr_settings import PUBLISHED as SETTINGS
from mccfr.playing.policy import StrategyPolicy

SLUMBOT = dict(zip(SETTINGS, (522.0, 4020.0, 3763.0, 1227.0)))  # of 2016 [Lisy and Bowling 2017], mbb/g
COLUMNS = ("bot", "number", "setting", "hands", "mbb", "low", "high")
MEAN = "mean"

Bounds = dict[tuple[str, str], list[Interval]]  # of all bots, by kind of bot and setting: mbb/g


def lbr_of(bot: list[Any], setting: str, hands: int) -> dict[str, Any]:
    """What local best response wins from a bot, in thousandths of a big blind a hand, with its interval."""
    found = local_best_response(StrategyPolicy(load_bot(Bot(*bot))), setting, hands, seed=Bot(*bot).seed)
    return {"mbb": list(found.mbb), "hands": found.hands}


def _stages(scale: Scale) -> list[list[Job]]:
    if scale.seeds < 2:
        raise MethodError(f"lin2024-lbr has intervals over bots: run two seeds or more, not {scale.seeds}")
    return trainings([bot for bots in bots_of(scale).values() for bot in bots])


def _jobs(scale: Scale) -> list[Job]:
    """Every bot in every setting."""
    bots = [list(bot) for some in bots_of(scale).values() for bot in some]
    return [Job(lbr_of, {"bot": bot, "setting": name, "hands": scale.samples}) for bot in bots for name in SETTINGS]


def _report(scale: Scale, done: list[Done]) -> Report:
    found = _bounds(scale, done)
    rows = [row for (kind, name), some in found.items() for row in _rows(kind, name, some, scale.samples)]
    return Report(COLUMNS, rows, [_claim(kind, name, some) for (kind, name), some in found.items()])


def _bounds(scale: Scale, done: list[Done]) -> Bounds:
    kinds = {bot: kind for kind, bots in bots_of(scale).items() for bot in bots}
    found: Bounds = {(kind, name): [] for kind in (LINS, OURS) for name in SETTINGS}
    for job in done:
        if "setting" in job.arguments:
            kind = kinds[Bot(*job.arguments["bot"])]
            found[kind, job.arguments["setting"]].append(Interval(*job.result["mbb"]))
    return found


def over_bots(some: list[Interval]) -> Interval:
    """The mean bound; the unit is the bot, and the luck of its hands is part of how bots differ."""
    return statistics.mean([each.mean for each in some])


def _rows(kind: str, name: str, some: list[Interval], hands: int) -> list[tuple[Any, ...]]:
    table = [*enumerate(some), (MEAN, over_bots(some))]
    return [(kind, number, name, hands, *(f"{x:.5g}" for x in found)) for number, found in table]


def _claim(kind: str, name: str, some: list[Interval]) -> Claim:
    """Not reproduced: more is won than nothing. A bound that is not above 0 says nothing."""
    found = over_bots(some)
    text = f"{kind}: local best response ({name}) wins at least, mbb a hand"
    ours = f"{found.mean:,.0f} [{found.low:,.0f}, {found.high:,.0f}]; Slumbot 2016: {SLUMBOT[name]:,.0f}"
    if kind == OURS:
        return Claim("N5", text, "nothing is said", ours, NO_CLAIM)
    return Claim("N5", text, "nothing: not exploitable", ours, NOT if found.low > 0.0 else NO_CLAIM)


def _draw(rows: Rows, axes: Any) -> None:
    """Means of bots with their intervals beside the published bounds of Slumbot."""
    places = np.arange(len(SETTINGS))
    axes.bar(places - 0.27, list(SLUMBOT.values()), 0.25, label="Slumbot 2016, published", color=plot_style.GREY)
    for number, kind in enumerate((LINS, OURS)):
        mine = {row["setting"]: row for row in rows if (row["bot"], row["number"]) == (kind, MEAN)}
        found = np.array([[float(mine[name][column]) for column in ("mbb", "low", "high")] for name in SETTINGS])
        bars = np.abs(found[:, 1:] - found[:, :1]).T
        style = {"label": kind, "color": plot_style.COLOURS[number], "capsize": 3}
        axes.bar(places + 0.27 * number, found[:, 0], 0.25, yerr=bars, **style)
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set_xticks(places, [name.replace("_", " and ") for name in SETTINGS])
    axes.set(ylabel="lower bound on exploitability, mbb a hand")


FIGURE = Figure(
    "lin2024-lbr",
    "What local best response wins from the bot",
    f"{SOURCE}, sections 8 and 9",
    Scale("6 minutes", 4, games=(LIN_GAME, OUR_GAME), samples=1000, seconds=20.0),
    Scale("4 minutes on 16 cores, after lin2024-variants", 4, games=(LIN_GAME, OUR_GAME), samples=4000, seconds=180.0),
    _jobs,
    _report,
    "The paper calls its bot not exploitable because it beats variants of itself. Local best response knows the bot's "
    "strategy and looks one move ahead [Lisy and Bowling 2017]; what it wins is a lower bound on exploitability, and a "
    "bound that is not above 0 would say nothing. Bots are those of lin2024-variants, with our blueprint of equal CPU "
    "time beside them. The four settings are those of the published table. Intervals are Student's over bots; those of "
    "single bots, in data.csv, over pairs of hands.",
    _draw,
    _stages,
    lambda scale: [Bot(**job.arguments).path for job in _stages(scale)[1]],
)
