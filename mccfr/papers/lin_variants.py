"""Lin 2024, sections 8 and 9, figures 1, 6 and 7: bots against variants of themselves; and ours beside them."""

from typing import Any

import numpy as np

from mccfr.errors import MethodError
from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Floats, Interval
from mccfr.papers import curves
from mccfr.papers.duplicate_play import at_table, crossed_mean, pair_profits
from mccfr.papers.figure import NO_CLAIM, NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.papers.lin import SOURCE
from mccfr.papers.lin_bots import LIN_GAME, LINS, OUR_GAME, OURS, bots_of, trainings
from mccfr.papers.trained_bots import Bot, load_bot
from mccfr.playing.transforms import VARIANTS, variant

PUBLISHED = {"random": 4.0, "calling": 1.788, "aggressive": 1.749, "tight": 0.609, "tight_aggressive": 0.125}
POINTS = 20  # of a curve
MEAN = "mean"
STRAIGHT = 10_000  # big blinds up to which the axis of the plot is linear
COLUMNS = ("bot", "number", "variant", "hands", "profit", "rate", "low", "high")

Curve = Floats  # [points, 4] hands, big blinds a hand until there, and its interval
Curves = dict[tuple[str, str], list[Curve]]  # of all bots, by kind of bot and variant


def against_variant(bot: list[Any], name: str, pairs: int) -> dict[str, Any]:
    """What a bot wins from a variant of itself: big blinds a hand with intervals, after so many hands."""
    strategy = load_bot(Bot(*bot))
    profits = pair_profits(strategy, variant(name, strategy), pairs, [*VARIANTS].index(name))
    return {"curve": [[2 * n, *statistics.mean(profits[:n])] for n in points_of(pairs)]}


def points_of(pairs: int) -> list[int]:
    """Up to POINTS numbers of pairs at equal distances; the last is all."""
    return sorted({max(pairs * j // POINTS, 2) for j in range(1, POINTS + 1)})


def bots_at_a_table(one: list[Any], others: list[list[Any]], pairs: int) -> dict[str, Any]:
    """What a bot wins from bots of other trees, in big blinds a hand; bets are translated as at any table."""
    found = [at_table(load_bot(Bot(*one)), load_bot(Bot(*other)), pairs, number) for number, other in enumerate(others)]
    return {"profits": [float(profits.mean()) for profits in found]}


def _stages(scale: Scale) -> list[list[Job]]:
    if scale.seeds < 2:
        raise MethodError(f"lin2024-variants has intervals over bots: run two seeds or more, not {scale.seeds}")
    return trainings([bot for bots in bots_of(scale).values() for bot in bots])


def _jobs(scale: Scale) -> list[Job]:
    """Every bot against every variant of itself; and every bot of Lin's against all of ours."""
    bots, pairs = bots_of(scale), scale.samples // 2
    mirrored = [
        Job(against_variant, {"bot": list(bot), "name": name, "pairs": pairs})
        for some in bots.values()
        for bot in some
        for name in VARIANTS
    ]
    others = [list(bot) for bot in bots[OURS]]
    tables = [
        Job(bots_at_a_table, {"one": list(bot), "others": others, "pairs": pairs // scale.seeds}) for bot in bots[LINS]
    ]
    return mirrored + tables


def _report(scale: Scale, done: list[Done]) -> Report:
    found = _curves(scale, done)
    rows = [row for (kind, name), some in found.items() for row in _rows(kind, name, some)]
    names = [*PUBLISHED, *(name for name in VARIANTS if name not in PUBLISHED)]
    claims = [
        *(_rate(name, found[LINS, name]) for name in names),
        _order(found),
        _every_bot(found),
        *(_ours(name, found[OURS, name]) for name in names),
        _head_to_head([job.result["profits"] for job in done if "others" in job.arguments]),
    ]
    return Report(COLUMNS, rows, claims)


def _curves(scale: Scale, done: list[Done]) -> Curves:
    kinds = {bot: kind for kind, bots in bots_of(scale).items() for bot in bots}
    found: Curves = {}
    for job in done:
        if "name" in job.arguments:
            kind = kinds[Bot(*job.arguments["bot"])]
            found.setdefault((kind, job.arguments["name"]), []).append(np.array(job.result["curve"]))
    return found


def last_rates(some: list[Curve]) -> Interval:
    """Big blinds a hand in the end; the unit is the bot."""
    return statistics.mean([curve[-1, 1] for curve in some])


def _rows(kind: str, name: str, some: list[Curve]) -> list[tuple[Any, ...]]:
    means = np.array([[at[0, 0], *statistics.mean(at[:, 1])] for at in np.stack(some, axis=1)])
    table = []
    for number, curve in [*enumerate(some), (MEAN, means)]:
        for hands, *found in curve.tolist():
            numbers = (f"{x:.5g}" for x in (hands * found[0], *found))
            table.append((kind, number, name, int(hands), *numbers))
    return table


def _rate(name: str, some: list[Curve]) -> Claim:
    """Reproduced: the bots win, as trained bots vary; partly: most of them win, each beyond the luck of its hands."""
    found, sure = last_rates(some), sum(curve[-1, 2] > 0.0 for curve in some)
    verdict = REPRODUCED if found.low > 0.0 else PARTLY if 2 * sure > len(some) else NOT
    paper = f"{PUBLISHED[name]:.3f}" if name in PUBLISHED else "above 0"
    return Claim("N4", f"{LINS} against {called(name)}, big blinds a hand", paper, str(found), verdict)


def called(name: str) -> str:
    """A variant as words."""
    return f"its {name.replace('_', ' ')} variant"


def _order(found: Curves) -> Claim:
    """Reproduced: the published order; partly: its first and last."""
    rates = {name: last_rates(found[LINS, name]).mean for name in PUBLISHED}
    order = sorted(rates, key=lambda name: -rates[name])
    published = [*PUBLISHED]
    ends = (order[0], order[-1]) == (published[0], published[-1])
    verdict = REPRODUCED if order == published else PARTLY if ends else NOT
    words = [", ".join(name.replace("_", " ") for name in some) for some in (published, order)]
    return Claim("N4", "order of variants, the easiest first", words[0], words[1], verdict)


def _every_bot(found: Curves) -> Claim:
    """Reproduced: no bot loses to a variant of itself; partly: one in ten at most."""
    ends = np.array([curve[-1] for (kind, _), some in found.items() if kind == LINS for curve in some])
    wins, loses = int((ends[:, 2] > 0.0).sum()), int((ends[:, 3] < 0.0).sum())
    verdict = REPRODUCED if loses == 0 and wins else PARTLY if wins and loses <= len(ends) // 10 else NOT
    ours = f"{wins} of {len(ends)} matches are won and {loses} lost, by intervals over hands"
    return Claim("N4", "all bots are profitable against virtually all variants", "yes", ours, verdict)


def _ours(name: str, some: list[Curve]) -> Claim:
    text = f"our blueprint of equal CPU time against {called(name)}"
    return Claim("N4", text, "nothing is said", str(last_rates(some)), NO_CLAIM)


def _head_to_head(profits: list[list[float]]) -> Claim:
    found = crossed_mean(np.array(profits))
    text = f"{LINS} against our blueprint of equal CPU time, big blinds a hand"
    return Claim("N4", text, "nothing is said", str(found), NO_CLAIM)


def _draw(rows: Rows, axes: Any) -> None:
    """Profits by number of hands: means of Lin's bots as lines, each bot as a thin one; ours are dashed."""
    for number, name in enumerate(VARIANTS):
        colour = plot_style.COLOURS[number]
        for kind, style in ((LINS, "-"), (OURS, "--")):
            mine = [row for row in rows if (row["bot"], row["variant"]) == (kind, name)]
            for bot in dict.fromkeys(row["number"] for row in mine):
                hands, profit = curves.columns_of([row for row in mine if row["number"] == bot], "hands", "profit")
                label = {"label": f"{name.replace('_', ' ')}, {kind}"} if bot == MEAN else {}
                width = plot_style.WIDTH if bot == MEAN else 0.4
                axes.plot(hands, profit, linestyle=style, color=colour, linewidth=width, **label)
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set_yscale("symlog", linthresh=STRAIGHT)
    axes.set(xlabel="hands", ylabel="profit of the original, big blinds")


FIGURE = Figure(
    "lin2024-variants",
    "Bots against variants of themselves",
    f"{SOURCE}, figures 1, 6 and 7",
    Scale("5 minutes", 4, games=(LIN_GAME, OUR_GAME), samples=100_000, seconds=20.0),
    Scale("6 minutes on 16 cores", 4, games=(LIN_GAME, OUR_GAME), samples=100_000, seconds=180.0),
    _jobs,
    _report,
    "Four bots, trained with their own seeds and the reward y2 (those of lin2024-rewards, where that has been run), "
    "play 100,000 hands each against every variant of themselves, every deal in both seats. The paper describes its "
    "variants in words; the numbers are ours (`mccfr/playing/transforms.py`), so that signs and order are claims and "
    "sizes are not. It publishes five of seven rates. Intervals of means are Student's over bots; those of single "
    "bots, in data.csv, over pairs of hands. Our blueprint is trained for the same CPU time with one thread and plays "
    "variants of itself; Lin's bots also play all of ours at one table, where bets that a tree lacks are translated. A "
    "bot that beats its variants may still be exploitable: see lin2024-lbr.",
    _draw,
    _stages,
    lambda scale: [Bot(**job.arguments).path for job in _stages(scale)[1]],
)
