"""The figures of Li et al. 2020 under each reading of its text, with all claims side by side.

In each iteration one player is the traverser, "whose cumulative regret and strategy will be updated". Our figures add
strategies to the average at the other player's nodes; the traverser's own are the plainer reading. Nor does the paper
say whether a law of averages leaves out the iterations that the result skips.

At own nodes there is a third reading. The paper divides what is won by the probability of the traverser's own draws
(below equation 3), and a program that does the same with strategies counts an iteration as often as the other player
lets it come by. Averages are biased then, so these figures stand by themselves.

Laws weighted by the other player's range have two readings as well. The formula is how likely that player comes here,
given the hand that is weighed, which is nearly the same for all hands. A program that keeps a range as a vector of
hands for each player, and multiplies hand by hand, weighs by how likely the other player comes here with that hand.
"""

import functools
import re
from collections.abc import Callable
from typing import Any

from mccfr.jobs import plot_style
from mccfr.papers import curves, li_exploration, li_hybrid, li_ranges
from mccfr.papers.curves import Runs
from mccfr.papers.figure import Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.papers.li import SETTING, Plan, add_mbb, draw_means, jobs_of

Reader = Callable[[str], str]  # a method of ours as another reading has it
SEEDS = 20
TIMED = 20  # CPU seconds of runs that end by the clock: a fifth of the figure's, with five times as many seeds
OTHERS, OWN = "at the other player's nodes", "at own nodes"
VISITED = "at own nodes, as they are visited"
KEPT = "the law skips nothing"
SAME = "ranges of the same hand"
ABOUT_SKIPPING = "L6"  # the claim
REMARKS = (
    "Every claim is judged under each reading, which is given in brackets: whether strategies are averaged at the "
    "other player's nodes, as in the figure of the same name without `-readings`, or at the walker's own "
    "(`own_average`)"
)
AS_VISITED = (
    "Strategies are averaged at the walker's own nodes, divided by the probability of the walker's draws but not by "
    "that of the other player's (`own_average(others=False)`). This is biased: an iteration counts the more, the "
    "likelier the other player was to come here"
)
LAWS = ". Where it says so, a law of averages has the iterations that the reported average skips (`skip(n, law=False)`)"
SAME_HANDS = (
    "Here the other player's range weighs a hand by how likely that player comes here with the same hand "
    "(`same_hand=True`), not with any hand that it may hold given this one"
)
EVERY_AVERAGE = (
    ". Claims are judged for averages at the other player's nodes, at own ones (`own_average`), and at own ones as "
    "they are visited (`own_average(others=False)`), which is biased"
)
SKIPPING = "; and whether a law of averages has the iterations that the reported average skips (`skip(n, law=False)`)"


def as_it_is(method: str) -> str:
    """Averages at the other player's nodes."""
    return method


def at_own_nodes(method: str) -> str:
    """Averages at the walker's own nodes."""
    return f"{method}+own_average"


def as_visited(method: str) -> str:
    """Averages at the walker's own nodes, as often as the other player lets it come there."""
    return f"{method}+own_average(others=False)"


def of_same_hands(method: str) -> str:
    """Laws that ask how likely the other player comes here with the very hand that they weigh."""
    return re.sub(r"\b(w[ac]s)\((other|both)\)", r"\1(\2, same_hand=True)", method)


def law_kept(method: str) -> str:
    """A law of averages that skips nothing; other laws know no averages, and stay as they are."""
    return re.sub(r"skip\((\d+)\)", r"skip(\1, law=False)", method) if re.search(r"\b[mw]as\b", method) else method


READINGS: dict[str, Reader] = {OTHERS: as_it_is, OWN: at_own_nodes}
WITH_LAWS: dict[str, Reader] = {
    **READINGS,
    f"{OTHERS}, {KEPT}": law_kept,
    f"{OWN}, {KEPT}": lambda method: at_own_nodes(law_kept(method)),
}
THIRD: dict[str, Reader] = {VISITED: as_visited}
THIRD_WITH_LAWS: dict[str, Reader] = {**THIRD, f"{VISITED}, {KEPT}": lambda method: as_visited(law_kept(method))}
TITLES = {
    "readings": "under each reading",
    "visits": "averages as visited",
    "hands": SAME,
}


def with_same_hands(readings: dict[str, Reader]) -> dict[str, Reader]:
    """Readings once more, with ranges of the same hand."""
    return {f"{name}, {SAME}": _after(of_same_hands, read) for name, read in readings.items()}


def _after(first: Reader, second: Reader) -> Reader:
    return lambda method: second(first(method))


def under(plan: Plan, kind: str, readings: dict[str, Reader], remarks: str, quick: str, full: str) -> Figure:
    """A plan under some readings. quick, full: how long it takes."""

    def jobs(scale: Scale) -> list[Job]:
        methods, again = (_all(some, readings) for some in (plan.methods, plan.again))
        return jobs_of(scale, methods, again)

    def report(scale: Scale, done: list[Done]) -> Report:
        runs = curves.gather(done, lambda a: f"{a['game']} {a['method']}")
        found = {name: _under(plan, read, scale, runs) for name, read in readings.items()}
        return Report(curves.COLUMNS, curves.rows(_told_apart(found)), _judged(plan, found))

    return Figure(
        f"li2020-{plan.name}-{kind}", f"{plan.title}, {TITLES[kind]}", plan.source,
        plan.quick._replace(time=quick), _scale(plan.full, full), jobs, report,
        f"{SETTING} {plan.remarks} {remarks}.", functools.partial(_draw, plan),
    )  # fmt: skip


def _scale(full: Scale, time: str) -> Scale:
    """More seeds than the figure itself has, and shorter runs where the clock ends them."""
    return full._replace(time=time, seeds=SEEDS, seconds=min(full.seconds, TIMED))


def _all(methods: dict[str, str], readings: dict[str, Reader]) -> list[str]:
    """Every method under every reading, once where readings agree."""
    return [*dict.fromkeys(read(method) for read in readings.values() for method in methods.values())]


def _under(plan: Plan, read: Reader, scale: Scale, runs: dict[str, Runs]) -> dict[str, Runs]:
    """Curves by the names that the plan gives them, under one reading."""
    found = {curve: runs[f"{scale.games[0]} {read(method)}"] for curve, method in plan.methods.items()}
    again = ((curve, f"{game} {read(m)}") for game in scale.games[1:] for curve, m in plan.again.items())
    return found | {curve: runs[key] for curve, key in again}


def _judged(plan: Plan, found: dict[str, dict[str, Runs]]) -> list[Claim]:
    """Every claim under one reading after the other; what a law skips matters only to those about skipping."""
    each = [[(reading, claim) for claim in plan.claims(runs)] for reading, runs in found.items()]
    return [
        claim._replace(claim=f"{claim.claim} [{reading}]")
        for same in zip(*each, strict=True)
        for reading, claim in same
        if KEPT not in reading or claim.id == ABOUT_SKIPPING
    ]


def _told_apart(found: dict[str, dict[str, Runs]]) -> dict[str, Runs]:
    """All curves with their readings; where two readings have the same runs, the first."""
    told, seen = dict[str, Runs](), set[int]()
    for reading, runs_of in found.items():
        for curve, runs in runs_of.items():
            if id(runs) not in seen:
                seen.add(id(runs))
                told[f"{curve} [{reading}]"] = runs
    return told


def _draw(plan: Plan, rows: Rows, axes: Any) -> None:
    """A panel for averages at each player's nodes; lines of laws that skip nothing are thin, in the same colour."""
    kinds = list(dict.fromkeys(_nodes(row["curve"]) for row in rows))
    panels = plot_style.panels(axes, [f"averages {nodes}" for nodes in kinds]) if len(kinds) > 1 else [axes]
    for nodes, panel in zip(kinds, panels):
        draw_means(functools.partial(_style, plan), [row for row in rows if _nodes(row["curve"]) == nodes], panel)
        panel.sharey(axes)
    axes.set(ylabel="exploitability, chips per game")
    add_mbb(panels[-1])


def _nodes(name: str) -> str:
    """Where the strategies of a curve are averaged."""
    return name.partition(" [")[2].removesuffix("]").removesuffix(f", {SAME}").removesuffix(f", {KEPT}")


def _style(plan: Plan, name: str) -> dict[str, Any]:
    curve, _, reading = name.removesuffix("]").partition(" [")
    usual = plot_style.line([*plan.methods, *plan.again].index(curve))
    kept = {"label": f"{curve}, {KEPT}", "linestyle": ":", "linewidth": 0.9} if KEPT in reading else {}
    return {"label": curve, **usual, "linewidth": 1.3, **plan.style(curve), **kept}


FIGURES = (
    under(li_exploration.PLAN, "readings", READINGS, REMARKS, "6 minutes", "about 8 minutes on 16 cores"),
    under(li_ranges.PLAN, "readings", READINGS, REMARKS, "2 minutes", "about 12 minutes on 16 cores"),
    under(li_hybrid.PLAN, "readings", WITH_LAWS, REMARKS + SKIPPING, "5 minutes", "about 15 minutes on 16 cores"),
    under(li_exploration.PLAN, "visits", THIRD, AS_VISITED, "3 minutes", "25 minutes on two processors"),
    under(li_ranges.PLAN, "visits", THIRD, AS_VISITED, "1 minute", "40 minutes on two processors"),
    under(li_hybrid.PLAN, "visits", THIRD_WITH_LAWS, AS_VISITED + LAWS, "2 minutes", "40 minutes on two processors"),
    under(
        li_ranges.PLAN, "hands", with_same_hands({**READINGS, **THIRD}), SAME_HANDS + EVERY_AVERAGE,
        "3 minutes", "an hour on two processors",
    ),
    under(
        li_hybrid.PLAN, "hands", with_same_hands({**WITH_LAWS, **THIRD_WITH_LAWS}), SAME_HANDS + EVERY_AVERAGE + LAWS,
        "7 minutes", "90 minutes on two processors",
    ),
)  # fmt: skip
