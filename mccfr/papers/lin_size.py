"""Lin 2024, section 10: the bot generated 1 gigabit of data."""

import functools
from typing import Any

import numpy as np

from mccfr.betting.flat_tree import tree_size
from mccfr.betting.line_classes import LineClass, all_line_classes
from mccfr.buckets.bucketing import CardRules, Fit
from mccfr.buckets.hand_classes import HandClasses
from mccfr.jobs import plot_style
from mccfr.papers.figure import NO_CLAIM, NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.papers.lin import SOURCE
from mccfr.papers.lin_betting import LinBetting

PUBLISHED = 1e9  # bits
NUMBER = 64  # bits of a number
STREETS = ("preflop", "flop", "turn", "river")
CHUNK = 1_000_000  # hands
COLUMNS = ("street", "betting_nodes", "line_classes", "moves", "rows", "rows_that_occur")


def street_sizes(ranks: int, street: int) -> dict[str, Any]:
    """Of a street: nodes of the betting tree, classes of lines and their moves, rows, and rows that some hand has."""
    cards, classes = CardRules(ranks), HandClasses()
    lines = [line for line in _lines() if line.street == street]
    return {
        "betting_nodes": tree_size(LinBetting()).decisions[street],
        "line_classes": len(lines),
        "moves": sum(len(line.menu) for line in lines),
        "rows": classes.rows(cards)[street],
        "rows_that_occur": rows_that_occur(Fit(classes, cards, {}), street),
    }


@functools.cache
def _lines() -> set[LineClass]:
    return all_line_classes(LinBetting())


def rows_that_occur(fit: Fit, street: int) -> int:
    """How many rows some hand has, by looking at every hand and board up to an exchange of suits."""
    index, found = fit.cards.seen(street), np.zeros(fit.rows[street], bool)
    for first in range(0, index.size, CHUNK):
        hands = index.unindex(np.arange(first, min(first + CHUNK, index.size)))
        found[fit.rows_of(street, hands)] = True
    return int(found.sum())


def _jobs(scale: Scale) -> list[Job]:
    ranks = int(scale.games[0].split()[0])
    return [Job(street_sizes, {"ranks": ranks, "street": street}) for street in reversed(range(len(STREETS)))]


def _report(scale: Scale, done: list[Done]) -> Report:
    rows = [(STREETS[job.arguments["street"]], *job.result.values()) for job in reversed(done)]
    results = [job.result for job in done]
    entries = sum(r["moves"] * r["rows"] for r in results)
    infosets = sum(r["line_classes"] * r["rows"] for r in results)
    occurring = sum(r["moves"] * r["rows_that_occur"] for r in results)
    claims = [
        _size("a strategy of all rows", entries),
        _size("regrets, strategy and sum of strategies of all rows", 3 * entries),
        _size("regrets, strategy and sum of strategies of rows that occur", 3 * occurring),
        Claim(
            "N6", "infosets and their actions, all rows", "nothing is said", f"{infosets:,} and {entries:,}", NO_CLAIM
        ),
    ]
    return Report(COLUMNS, rows, claims)


def _size(what: str, numbers: int) -> Claim:
    """Reproduced: within a factor of two; partly: of ten."""
    bits = NUMBER * numbers
    factor = max(bits / PUBLISHED, PUBLISHED / max(bits, 1))
    verdict = REPRODUCED if factor <= 2 else PARTLY if factor <= 10 else NOT
    ours = f"{bits / 1e9:.3g} gigabit ({bits / 8e6:,.0f} MB)"
    return Claim("N6", f"{what}, {NUMBER} bits for a number", "1 gigabit", ours, verdict)


def _draw(rows: Rows, axes: Any) -> None:
    streets = [row["street"] for row in rows]
    for number, name in enumerate(("rows", "rows_that_occur")):
        places = [j + 0.4 * number - 0.2 for j in range(len(streets))]
        entries = [float(row["moves"]) * float(row[name]) for row in rows]
        label = name.replace("_", " ")
        axes.bar(places, entries, 0.38, label=label, color=plot_style.COLOURS[number])
    axes.set_xticks(range(len(streets)), streets)
    axes.set(yscale="log", ylabel="table entries")


FIGURE = Figure(
    "lin2024-size",
    "Table sizes of the bot's game",
    f"{SOURCE}, section 10",
    Scale("2 minutes", 1, games=("13 ranks",)),
    Scale("2 minutes", 1, games=("13 ranks",)),
    _jobs,
    _report,
    "The diagram of the paper's buckets has not survived. Nor does it say which numbers were counted, how they were "
    "kept, or how much of a betting line is part of a bucket. Hand classes, the meaning of raising history and details "
    "of betting are ours (`mccfr/buckets/hand_classes.py`, `mccfr/betting/line_classes.py`, "
    "`mccfr/papers/lin_betting.py`), so agreement says that the order of magnitude is right, and no more. A program "
    "that keeps infosets in a dictionary has only those it met. Reproduced: within a factor of two; partly: of ten.",
    _draw,
)
