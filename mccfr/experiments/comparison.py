"""Two groups of runs of one game, compared where they are equal: in walks, in nodes touched, in seconds."""

from collections.abc import Sequence
from typing import NamedTuple

import mccfr
from mccfr.errors import FileError
from mccfr.experiments.groups import AXES, Curve, shared_end
from mccfr.jobs.statistics import Difference, Interval, difference, geometric_mean, point
from mccfr.notebook import html_table


class Comparison(NamedTuple):
    """Both groups' exploitability at one point, and how they differ there.

    Attributes:
        axis: What is equal: `"walks"`, `"nodes"` or `"seconds"`.
        at: How many of them.
        one: Geometric mean of the first group's exploitability, with its confidence interval.
        other: The same of the second group.
        difference: The ratio of the two, and p-values where both groups can be tested.
    """

    axis: str
    at: float
    one: Interval
    other: Interval
    difference: Difference


class Comparisons(list[Comparison]):
    """A comparison for each axis; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        heads = ("at equal", "", "one", "other", "one / other [95 %]", "p, Welch", "p, U test")
        rows = [
            (entry.axis, entry.at, entry.one.mean, entry.other.mean, str(found.ratio), found.welch, found.mann_whitney)
            for entry in self
            for found in [entry.difference]
        ]
        return html_table("Exploitability of two groups of runs", heads, rows)


def compare(one: Sequence[Curve], other: Sequence[Curve]) -> Comparisons:
    """The comparison at the largest number of walks, nodes and seconds that every run has reached.

    Of what the runs have not in common, as seconds where one ended before another was first measured, there is none.
    """
    _require_one_game([*one, *other])
    both = {found.folder for found in one} & {found.folder for found in other}
    if both:
        raise FileError(f"{min(both)} is in both groups: a run cannot be compared with itself")
    found, missing = Comparisons(), []
    for axis in AXES:
        try:
            found.append(_compare_at(axis, one, other))
        except FileError as error:
            missing.append(error)
    if not found:
        raise missing[0]
    return found


def _require_one_game(curves: Sequence[Curve]) -> None:
    first = curves[0]
    for found in curves:
        if found.game != first.game:
            raise FileError(
                f"{found.folder} is of {found.game}, {first.folder} of {first.game}: compare takes runs of one game"
            )


def _compare_at(axis: str, one: Sequence[Curve], other: Sequence[Curve]) -> Comparison:
    x = shared_end([*one, *other], axis)
    a, b = ([float(found.at(x, axis)) for found in group] for group in (one, other))
    found = difference(a, b)
    if not (_testable(one) and _testable(other)):  # one random run says nothing about its spread
        found = Difference(point(found.ratio.mean), None, None)
    return Comparison(axis, x, geometric_mean(a), geometric_mean(b), found)


def _testable(group: Sequence[Curve]) -> bool:
    return len(group) > 1 or not is_random(group[0].method)


def is_random(method: str) -> bool:
    """Whether a method depends on its seed. What `auto` chooses never does."""
    return method != "auto" and mccfr.Method.parse(method).samples
