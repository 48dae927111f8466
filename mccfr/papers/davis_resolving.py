"""Davis, Schmid, Bowling 2019, figure 5: baselines in Monte Carlo continual re-solving."""

import functools
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import mccfr
from mccfr.jobs import plot_style, statistics
from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.davis import SOURCE, is_below
from mccfr.papers.davis_public import PUBLIC, public_method
from mccfr.papers.figure import NO_CLAIM, Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.resolving.budgets import Budget
from mccfr.resolving.leaves import Leaves, read_leaves
from mccfr.resolving.resolver import Resolver, dealt_tree
from mccfr.tree.dealt_tree import DealtTree

DEPTH, GADGET, LEAVES = 3, "resolve", "solve(cfr_plus, 100)"
STATES, HISTORIES = "public states", "histories"  # what is counted as one evaluation
PAIRS = 30  # of hands that can be dealt in Leduc: so many histories has a public state, or 20 after the public card
FIRST, PER_DECADE = 100, 2  # the budgets: 100, 316, 1000, and so on
CR_CFR, CR_PLUS = "CR, CFR", "CR, CFR+"
SAMPLED = {name: public_method(word) for name, word in PUBLIC.items()}
CURVES = {**SAMPLED, CR_CFR: "cfr", CR_PLUS: "cfr_plus"}
COLUMNS = ("counted", "curve", "evaluations", "in_all", "seconds", "exploitability", "low", "high", "runs")


def resolved(
    game: str, method: str, evaluations: int, seed: int, counted: str = STATES, values: str = "best"
) -> dict[str, Any]:
    """Exploitability of the strategy that re-solving every decision with so many evaluations puts together."""
    tree, leaves = _game(game)
    budget = Budget(evaluations=evaluations, by_history=counted == HISTORIES)
    began = time.process_time()
    player = Resolver(tree, method, DEPTH, GADGET, leaves, budget, values=values, seed=seed)
    strategy = player.strategy()
    spent = time.process_time() - began
    return {"exploitability": mccfr.exploitability(strategy), "seconds": spent, **player.costs}


@functools.lru_cache(maxsize=1)  # a process does jobs of one game in a row, and what is below leaves is compiled once
def _game(game: str) -> tuple[DealtTree, Leaves | None]:
    return dealt_tree(game), read_leaves(LEAVES)


def budgeted_jobs(variants: Sequence[dict[str, Any]], scale: Scale) -> list[Job]:
    """Every variant with every budget and seed; methods that draw nothing have one seed."""
    budgets = list(curves.checkpoints(FIRST, scale.iterations, PER_DECADE))
    jobs = []
    for seed in range(scale.seeds):
        for variant in variants:
            if seed == 0 or _draws(variant["method"]):
                factor = PAIRS if variant.get("counted") == HISTORIES else 1
                jobs += [Job(resolved, {**variant, "evaluations": factor * each, "seed": seed}) for each in budgets]
    return jobs


def _draws(method: str) -> bool:
    return method.startswith("public_outcome")


def runs_of(done: list[Done]) -> Runs:
    """Of the jobs of one curve a run for each seed, [budgets, 4]: the columns of `curves`, with budgets for iterations
    and all evaluations for nodes.
    """
    by_seed: dict[int, list[tuple[float, ...]]] = {}
    for arguments, result, _ in done:
        in_all = result["evaluated_pairs" if arguments.get("counted") == HISTORIES else "evaluations"]
        point = arguments["evaluations"], in_all, result["seconds"], result["exploitability"]
        by_seed.setdefault(arguments["seed"], []).append(point)
    return [np.array(sorted(by_seed[seed])) for seed in sorted(by_seed)]


def by_curve(done: list[Done], variants: Mapping[str, Mapping[str, Any]]) -> dict[str, Runs]:
    """Runs by the names that their arguments have."""
    return {
        name: runs_of([job for job in done if variant.items() <= job.arguments.items()])
        for name, variant in variants.items()
    }


def _variants(game: str, counted: str) -> dict[str, dict[str, Any]]:
    return {name: {"game": game, "method": method, "counted": counted} for name, method in CURVES.items()}


def _jobs(scale: Scale) -> list[Job]:
    return budgeted_jobs([v for way in (STATES, HISTORIES) for v in _variants(scale.games[0], way).values()], scale)


def _report(scale: Scale, done: list[Done]) -> Report:
    found = {way: by_curve(done, _variants(scale.games[0], way)) for way in (STATES, HISTORIES)}
    rows = [(way, *row) for way, by in found.items() for row in curves.rows(by)]
    return Report(COLUMNS, rows, [claim for way, by in found.items() for claim in claims(way, by)])


def claims(counted: str, found: dict[str, Runs]) -> list[Claim]:
    """What the paper says, one way of counting evaluations."""

    def below(one: str, other: str, paper: str) -> Claim:
        text = f"{counted} counted: {_told(one)} over {_told(other)}, exploitability"
        return is_below("D10", found, one, other, text)._replace(paper=paper)

    baselines = [name for name in SAMPLED if name != "none"]
    return [
        *(below(name, "none", "below 1, significantly") for name in baselines),
        *(below(exact, "none", "below 1: not competitive") for exact in (CR_CFR, CR_PLUS)),
        below("history", CR_CFR, "below 1, clearly"),
        below("history", CR_PLUS, "below 1, slightly"),
        *(below("history", name, "below 1: history is best") for name in baselines if name != "history"),
        *(_against_half(counted, found, exact) for exact in (CR_CFR, CR_PLUS)),
    ]


def _told(curve: str) -> str:
    return {"none": "no baseline", CR_CFR: CR_CFR, CR_PLUS: CR_PLUS}.get(curve, f"{curve} baseline")


def _against_half(counted: str, found: dict[str, Runs], exact: str) -> Claim:
    """As if a sweep counted an ending once for both players: it then has twice the budget."""
    end = float(curves.shared(found["history"] + found[exact])[-1])
    ratio = statistics.ratio(curves.at(found["history"], end / 2), curves.at(found[exact], end))
    text = f"{counted} counted: history baseline over {exact} with twice the budget, exploitability"
    return Claim("D10", text, "nothing is said", f"{ratio} at {end / 2:,.0f}", NO_CLAIM)


def _draw(rows: Rows, axes: Any) -> None:
    """Public states counted: wide lines with bands; histories: thin ones, further right."""
    label = "evaluations for a decision: public states (wide lines), histories (thin)"
    curves.draw([row for row in rows if row["counted"] == STATES], axes, "evaluations", label)
    others = [row for row in rows if row["counted"] == HISTORIES]
    for number, name in enumerate(dict.fromkeys(row["curve"] for row in others)):
        xs, means = curves.columns_of([row for row in others if row["curve"] == name], "evaluations", "exploitability")
        axes.plot(xs, means, **{**plot_style.line(number), "linewidth": plot_style.WIDTH / 2})


REMARKS = (
    "Every decision of both players is re-solved as if it came up in play, and the strategy that this puts together "
    "is evaluated exactly. A look-ahead has three actions, public cards not counted, behind the gadget of "
    "[Burch et al. 2014]; the first decision has none. What follows is solved anew by 100 iterations of CFR+ with "
    "the ranges of both players whenever a line or a sweep comes there, and valued by the average strategy. MCCR is "
    "public outcome sampling with uniform draws, simultaneous updates, RM+ and linear averaging, learned baselines "
    "have rate 0.5; CR sweeps the look-ahead. The gate is always passed, and what the opponent is paid for stopping "
    "is not an evaluation. A line evaluates one ending for both players. A sweep evaluates all endings once for each "
    "player, since the ranges have changed in between; the last rows of the table compare with CR as if that were one "
    "evaluation. A budget too small for one sweep still has one. An evaluation is one of a public state with all "
    "hands, or one of every pair of hands that can be held there: 30 in the first round and 20 in the second, so "
    "budgets of histories are 30 times those of public states. The paper does not say which it counts, nor where its "
    "axis ends. What the opponent's hands are worth at the next decision is the best that each can do against the "
    "average strategy of the last look-ahead, with what its leaves paid on average (`mccfr/resolving/leaf_means.py`); "
    "a leaf that no line came to is evaluated once for that, outside the budget. The paper does not say which values "
    "it takes; davis2019-fig5-beyond also has those of both average strategies. Suits are distinct. CR draws nothing "
    "and has one run; the others have one for each seed. Means are geometric."
)
FIGURE = Figure(
    "davis2019-fig5",
    "Baselines in Monte Carlo continual re-solving, Leduc",
    f"{SOURCE}, figure 5",
    Scale("2 minutes", 5, 1_000, ("leduc",)),
    Scale("11 minutes on 16 cores", 20, 31_623, ("leduc",)),
    _jobs,
    _report,
    REMARKS,
    _draw,
)
