"""What the atlas says: which method is ahead, by how much, at equal time and at equal nodes; and what surprises."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mccfr.jobs.statistics import Floats, Interval, geometric_mean, ratio
from mccfr.papers.atlas_data import AGAIN, LONG, SHORT, Atlas, Curves
from mccfr.papers.atlas_games import DEALT, EXACT, PUBLIC, WALKS, WRITTEN, Entry
from mccfr.papers.atlas_runs import SOLVED
from mccfr.papers.curves import NODES, SECONDS, Runs, at

AUTO_WITHIN = 3.0  # the most that what `auto` takes may be behind the best method at equal time
LP_PATIENCE = 5.0  # CPU seconds
DECADE = 2  # points of the grid of times and of nodes


class Standing(NamedTuple):
    """A method's place: geometric mean of its exploitability, and that over the best one's, paired by seed."""

    entry: Entry
    exploitability: Interval
    behind: Interval


class Overall(NamedTuple):
    """A method over several games: how far behind the best of its family, on the mean and at worst."""

    method: str
    games: int
    mean: float
    worst: float
    worst_game: str


class Surprise(NamedTuple):
    """A result that one would not have guessed: on this game, the one is ahead of the other. Each with its form."""

    text: str
    game: str
    axis: int
    one: tuple[str, str]
    other: tuple[str, str]

    def entries(self) -> tuple[Entry, Entry]:
        """Both methods."""
        return Entry(self.game, *self.one), Entry(self.game, *self.other)


def of_game(curves: Curves, game: str, *families: str) -> Curves:
    """The curves of a game, of all families or of some."""
    return {e: r for e, r in curves.items() if e.game == game and (not families or e.family in families)}


def in_unit(curves: Curves, unit: str) -> Curves:
    """The curves that count nodes alike."""
    return {entry: runs for entry, runs in curves.items() if entry.unit == unit}


def standings(curves: Curves, axis: int, x: float) -> list[Standing]:
    """Methods at so many seconds or nodes, the best first; those that have nothing to show there are left out.

    Ratios are of what is left above SOLVED: methods that have solved the game are level.
    """
    values = {entry: at(runs, x, axis) for entry, runs in curves.items() if _there(entry, runs, axis, x)}
    means = {entry: geometric_mean(found) for entry, found in values.items()}
    order = sorted(values, key=lambda entry: means[entry].mean)
    left = {entry: np.maximum(found, SOLVED) for entry, found in values.items()}
    return [Standing(entry, means[entry], paired(left[entry], left[order[0]])) for entry in order]


def _there(entry: Entry, runs: Runs, axis: int, x: float) -> bool:
    """Whether every run was measured by then, and went on until then unless it was finished."""
    return all(run[0, axis] <= x and (entry.family == EXACT or run[-1, axis] >= x) for run in runs)


def paired(one: Floats, other: Floats) -> Interval:
    """Ratio by seed; what takes no chances has one run, which is compared with each of the other's."""
    if 1 in (len(one), len(other)) or len(one) == len(other):
        return ratio(one, other)
    raise ValueError(f"{len(one)} runs cannot be paired with {len(other)}")


def grid(least: float, most: float) -> list[float]:
    """Powers of 10 and those between them, as many as DECADE says to a decade, that lie between both."""
    first, last = math.ceil(DECADE * math.log10(least) - 1e-6), math.floor(DECADE * math.log10(most) + 1e-6)
    return [10 ** (j / DECADE) for j in range(first, last + 1)]


def common_nodes(curves: Curves) -> float:
    """The largest number of nodes on the grid that half of the methods have touched; a linear programme has no say."""
    ends = sorted(min(run[-1, NODES] for run in runs) for entry, runs in curves.items() if entry.family != EXACT)
    return grid(1.0, float(ends[(len(ends) - 1) // 2]))[-1]


def best_by_time(curves: Curves, times: list[float]) -> list[tuple[float, Standing]]:
    """Who is ahead at each of these times."""
    tables = [(x, standings(curves, SECONDS, x)) for x in times]
    return [(x, table[0]) for x, table in tables if table]


def sampled_until(curves: Curves, times: list[float]) -> float:
    """The last of these times at which a sampled method is ahead of all sweeps; 0 if none is."""
    iterative = {entry: runs for entry, runs in curves.items() if entry.family != EXACT}
    ahead = [x for x, best in best_by_time(iterative, times) if best.entry.family in (WALKS, PUBLIC)]
    return max(ahead, default=0.0)


def overall(atlas: Atlas, family: str, axis: int, forms: Mapping[str, str]) -> list[Overall]:
    """Methods of a family over the games named, each on one form, at the end of the short runs; best mean first."""
    short, seconds = atlas.curves[SHORT], atlas.stages[SHORT].seconds
    factors: dict[str, dict[str, float]] = {}
    for game, form in forms.items():
        rivals = {e: r for e, r in of_game(short, game, family).items() if e.form == form}
        if rivals:
            x = seconds if axis == SECONDS else common_nodes(rivals)
            for place in standings(rivals, axis, x):
                factors.setdefault(place.entry.method, {})[game] = place.behind.mean
    most = max(map(len, factors.values()), default=0)
    found = [_overall(method, by) for method, by in factors.items() if len(by) == most]
    return sorted(found, key=lambda entry: entry.mean)


def _overall(method: str, by: Mapping[str, float]) -> Overall:
    worst = max(by, key=lambda game: by[game])
    return Overall(method, len(by), geometric_mean([*by.values()]).mean, by[worst], worst)


def surprise_at(atlas: Atlas, surprise: Surprise) -> float:
    """Where a surprise is measured: at the end of the long runs, or at the most nodes that both have."""
    if surprise.axis == SECONDS:
        return atlas.long_seconds()
    return common_nodes({entry: atlas.curves[LONG][entry] for entry in surprise.entries()})


def checked(atlas: Atlas, surprise: Surprise) -> tuple[Interval, Interval | None]:
    """One over the other, with the first seeds and with the second; below 1 the surprise is there."""
    x, found = surprise_at(atlas, surprise), list[Interval]()
    for stage in (LONG, AGAIN):
        some = atlas.curves.get(stage, {})
        runs = [some.get(entry) for entry in surprise.entries()]
        if runs[0] is not None and runs[1] is not None:
            found.append(paired(*(at(r, x, surprise.axis) for r in runs if r is not None)))
    return found[0], found[1] if len(found) > 1 else None


def confirmed(atlas: Atlas, surprise: Surprise) -> bool:
    """Whether both sets of seeds show it beyond their intervals."""
    first, second = checked(atlas, surprise)
    return first.high < 1.0 and second is not None and second.high < 1.0


def auto_behind(atlas: Atlas, entry: Entry) -> float:
    """How far a method is behind the best on its form, after the long runs; infinitely far if it was not measured.

    A linear programme is exact; what it may take is LP_PATIENCE.
    """
    rivals = {e: runs for e, runs in of_game(atlas.curves[LONG], entry.game).items() if e.form == entry.form}
    if entry.family == EXACT:
        return 1.0 if entry in rivals and rivals[entry][0][-1, SECONDS] <= LP_PATIENCE else math.inf
    table = standings(rivals, SECONDS, atlas.long_seconds())
    iterative = {place.entry: place.behind.mean for place in table if place.entry.family != EXACT}
    return iterative[entry] / min(iterative.values()) if entry in iterative else math.inf


SURPRISES = (
    Surprise(
        "`nlph`: a baseline harms external sampling: `external+weighted+linear` against the same with `predictive`",
        "nlph",
        SECONDS,
        (DEALT, "external+weighted+linear"),
        (DEALT, "external+predictive+weighted+linear"),
    ),
    Surprise(
        "`gp(6,4,4,1)`: one hand of the other player is better than all of them: `semi_vector(all)` against "
        "`vector(external)`",
        "gp(6,4,4,1)",
        SECONDS,
        (DEALT, "semi_vector(all)"),
        (DEALT, "vector(external)"),
    ),
    Surprise(
        "`leduc`: one line of public events is better than external sampling: "
        "`public_outcome(0.6)+predictive+rm_plus+linear` against `external+history`",
        "leduc",
        SECONDS,
        (DEALT, "public_outcome(0.6)+predictive+rm_plus+linear"),
        (WRITTEN, "external+history"),
    ),
)
