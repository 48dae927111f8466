"""Li et al. 2020, figure 2: exploration in three vector samplings, against the semi-vector and the value form."""

from typing import Any

import numpy as np

from mccfr.jobs import plot_style, statistics
from mccfr.jobs.statistics import Interval
from mccfr.papers import curves
from mccfr.papers.curves import ITERATIONS, NODES, SECONDS, Runs
from mccfr.papers.davis import is_below
from mccfr.papers.figure import NO_CLAIM, NOT, PARTLY, REPRODUCED, Claim, Scale
from mccfr.papers.li import Plan, explored, figure, in_chips, vector

LEVELS = 50  # of exploitability at which speeds are compared
EARLY = 5000  # iterations; until then exploring is said to cost
HOW = ("none", "epsilon", "epsilon 0.1", "counts")
UNITS = {ITERATIONS: "iterations", NODES: "nodes", SECONDS: "CPU time"}
VECTOR_OVER_SEMI = (
    ("average, counts", "semi-vector: robust"),
    ("external, none", "semi-vector: external"),
    ("external, by range", "semi-vector: external"),
)
ALL_HANDS = ", 1326 hands"
COLOURS = dict(zip(("average", "robust", "outcome", "external"), plot_style.COLOURS))
DASHES = {"none": ":", "epsilon": "--", "epsilon 0.1": "-.", "counts": "-", "by range": "-"}


def _methods() -> dict[str, str]:
    found = {}
    for how in HOW:
        found[f"average, {how}"] = vector("robust", explored("mas", how), exhibit=how == "none")
        found[f"robust, {how}"] = vector("robust", explored("mcs", how))
        found[f"outcome, {how}"] = vector(explored("mcs", how), explored("mcs", how), exhibit=how == "none")
    found["external, none"] = vector("all", "mcs")
    found["external, by range"] = vector("all", "wcs(own)")
    for form, words in (("semi-vector", "semi_vector(own={})"), ("value", "{}")):
        found[f"{form}: robust"] = words.format("robust")
        found[f"{form}: external"] = words.format("all" if form == "semi-vector" else "external")
    return found


def _again() -> dict[str, str]:
    """The forms that the paper compares, on the 1326 hands that it has."""
    names = ("average, counts", "external, by range", "semi-vector: robust", "semi-vector: external")
    return {f"{name}{ALL_HANDS}": method for name, method in _methods().items() if name in names}


def _style(name: str) -> dict[str, Any]:
    if name.endswith(ALL_HANDS):
        return {**_style(name.removesuffix(ALL_HANDS)), "marker": ".", "linewidth": 0.6}
    if ":" in name:
        form, sampling = name.split(": ")
        return {
            "color": "black" if form == "value" else plot_style.GREY,
            "linestyle": ":" if sampling == "robust" else "-",
        }
    sampling, how = name.split(", ")
    return {"color": COLOURS[sampling], "linestyle": DASHES[how]}


def _claims(found: dict[str, Runs]) -> list[Claim]:
    faster = [
        *(
            ("L2", one + hands, other + hands, "100 to 1000")
            for hands in ("", ALL_HANDS)
            for one, other in VECTOR_OVER_SEMI
            if one + hands in found
        ),
        ("L8", "semi-vector: robust", "value: robust", "above 1"),
        ("L8", "semi-vector: external", "value: external", "above 1"),
    ]
    explorers = [(sampling, how) for sampling in ("average", "robust") for how in HOW[1:]]
    return [
        *(speed_up(*claim, found, column) for claim in faster for column in UNITS),
        *(at_best(*claim, found) for claim in faster if claim[0] == "L2"),
        *(_costs_early(found, *curve) for curve in explorers),
        *(_pays_late(found, *curve) for curve in explorers),
        *(
            is_below("L4", found, f"{one}, counts", f"{other}, counts", f"{one} over {other} sampling, exploitability")
            for one, other in (("average", "robust"), ("robust", "outcome"))
        ),
        _against_external(found),
    ]


def speed_up(id: str, one: str, other: str, paper: str, found: dict[str, Runs], column: int) -> Claim:
    """What `other` takes over what `one` takes to the level that all runs of both come down to."""
    level = _last_level(found[one] + found[other])
    gain = _gain(found, one, other, level, column)
    said = column == ITERATIONS or id == "L8"  # the paper counts iterations only; "faster" may be either
    text = f"{UNITS[column]} to {in_chips(level)}: {other} over {one}"
    return Claim(id, text, paper if said else "nothing is said", str(gain), _faster(gain, paper) if said else NO_CLAIM)


def at_best(id: str, one: str, other: str, paper: str, found: dict[str, Runs]) -> Claim:
    """The speed-up in iterations at the level where it is largest, from half the first level on: for want of axes."""
    runs = found[one] + found[other]
    first, last = min(float(run[0, curves.EXPLOITABILITY]) for run in runs), _last_level(runs)
    levels = np.geomspace(max(first / 2, last), last, LEVELS)
    gain, level = max((_gain(found, one, other, level, ITERATIONS), level) for level in levels)
    text = f"iterations to the best level for it, {in_chips(level)}: {other} over {one}"
    return Claim(id, text, paper, str(gain), _faster(gain, paper))


def _last_level(runs: Runs) -> float:
    return max(float(run[-1, curves.EXPLOITABILITY]) for run in runs)


def _gain(found: dict[str, Runs], one: str, other: str, level: float, column: int) -> Interval:
    needs = [np.maximum(curves.reached(found[name], level, column), 1e-9) for name in (other, one)]
    return statistics.ratio(*needs)


def _faster(gain: Interval, paper: str) -> str:
    least = 100.0 if paper.startswith("100") else 1.0
    return REPRODUCED if gain.low > least else PARTLY if gain.low > 1.0 else NOT


def _costs_early(found: dict[str, Runs], sampling: str, how: str) -> Claim:
    """Exploring is behind at some checkpoint from 100 to 5000 iterations, and never ahead there."""
    one, other = f"{sampling}, {how}", f"{sampling}, none"
    xs = [x for x in curves.shared(found[one] + found[other]) if 100 <= x <= EARLY]
    ratios = [curves.compared(found, one, other, x) for x in xs]
    behind, ahead = any(r.low > 1.0 for r in ratios), any(r.high < 1.0 for r in ratios)
    worst, x = max(zip(ratios, xs), key=lambda pair: pair[0].low) if behind else (ratios[-1], xs[-1]) if xs else ("", 0)
    ours = f"{worst} at {x:,.0f}" if xs else "too few iterations"
    text = f"{sampling} sampling, {how} over none: exploitability up to {EARLY:,} iterations"
    return Claim("L3", text, "above 1", ours, REPRODUCED if behind and not ahead else PARTLY if behind else NOT)


def _pays_late(found: dict[str, Runs], sampling: str, how: str) -> Claim:
    text = f"{sampling} sampling, {how} over none: exploitability at the end"
    return is_below("L3", found, f"{sampling}, {how}", f"{sampling}, none", text)


def _against_external(found: dict[str, Runs]) -> Claim:
    """All own actions instead of one: not in the paper's figure."""
    end = float(curves.shared(found["external, none"] + found["average, counts"])[-1])
    ratio = curves.compared(found, "external, none", "average, counts", end)
    text = "external over average sampling, exploitability"
    return Claim("L4", text, "nothing is said", f"{ratio} at {end:,.0f}", NO_CLAIM)


PLAN = Plan(
    "fig2",
    "Exploration and forms of sampling in no-limit preflop hold'em",
    _methods(),
    _claims,
    _style,
    "The paper's axes are not known. `epsilon` is epsilon-greedy with the paper's alpha_t = 1 / ln(t + 10), which "
    "the paper does not state; `epsilon 0.1` uses 0.1. Without exploration, average and outcome sampling are "
    "biased: a law of average strategies misses actions that have only just begun to be played. Counts start at 1, "
    "since the paper's formula is infinite at 0. Its curve `MCCFR` is the semi-vector form. Classes help that form, "
    "because a walk updates a whole class of hands instead of one hand. So we also compare on all 1326 hands.",
    Scale("3 minutes", 3, 30_000, ("nlph", "nlph(classes=False)"), seconds=4),
    Scale("4 minutes on 16 cores", 8, 300_000, ("nlph", "nlph(classes=False)"), seconds=100),
    _again(),
)
FIGURE = figure(PLAN)
