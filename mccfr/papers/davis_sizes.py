"""Davis, Schmid, Bowling 2019, table 1: the sizes of three poker games."""

from typing import Any, cast

import numpy as np

import mccfr
from mccfr.jobs import plot_style
from mccfr.papers.davis import SOURCE
from mccfr.papers.figure import NOT, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale

PUBLISHED = {  # histories, infosets, histories of the largest infoset; the larger games are given to one digit
    "leduc": ("9450", "936", "5"),
    "gp(6,4,4,1)": ("3e6", "5e4", "23"),
    "gp(13,4,4,1)": ("3e7", "2e5", "51"),
}
SIZES = ("histories", "infosets", "largest infoset")


def sizes(game: str) -> dict[str, Any]:
    """Counted on the compiled dealt form; a history is a public node with a pair of hands that may come there.

    So every history counts from when both private cards are dealt on, endings and public chance included.
    """
    tree = cast(Any, mccfr.compile(f"dealt:{game}"))
    key, chances = tree.chance_reach
    pairs = np.count_nonzero(chances, axis=(1, 2))
    return {
        "histories": int(pairs[key].sum()),
        "infosets": len(tree.infosets),
        "largest infoset": tree.counts["largest_infoset"],
    }


def _jobs(scale: Scale) -> list[Job]:
    return [Job(sizes, {"game": game}) for game in scale.games]


def _report(scale: Scale, done: list[Done]) -> Report:
    rows = [(job.arguments["game"], *job.result.values()) for job in done]
    claims = [_claim(game, size, count, paper) for game, *counts in rows
              for size, count, paper in zip(SIZES, counts, PUBLISHED[game])]  # fmt: skip
    return Report(("game", *SIZES), rows, claims)


def _draw(rows: Rows, axes: Any) -> None:
    games = [row["game"] for row in rows]
    for number, size in enumerate(SIZES):
        colour = plot_style.COLOURS[number]
        axes.plot(games, [float(row[size]) for row in rows], "o", color=colour, label=size)
        published = [float(PUBLISHED[game][number]) for game in games]
        axes.plot(games, published, "x", color=colour, markersize=11)
    axes.set(yscale="log", ylabel="count (circles), published (crosses)")


def _claim(game: str, size: str, count: int, paper: str) -> Claim:
    """Reproduced: equal, or equal to the one digit that is printed."""
    same = float(f"{count:.0e}" if "e" in paper else count) == float(paper)
    return Claim("D1", f"{size} of {game}", paper, f"{count:,}", REPRODUCED if same else NOT)


FIGURE = Figure(
    "davis2019-table1",
    "Sizes of the poker games",
    f"{SOURCE}, table 1",
    Scale("seconds", 1, games=tuple(PUBLISHED)),
    Scale("seconds", 1, games=tuple(PUBLISHED)),
    _jobs,
    _report,
    "Cards are individual (suits distinct). Histories count once both private cards are dealt, including endings "
    "and the public card's chance nodes. This convention gives all nine numbers.",
    _draw,
)
