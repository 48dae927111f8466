"""Means, ratios and tests of exploitabilities.

They are positive and vary by factors, so all of it is done on logarithms: means are geometric, intervals are Student's,
differences are ratios.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ZERO = 1e-15  # what is smaller is rounding
ROUNDING = 1e-24  # a variance of logarithms that is none

Floats = npt.NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate and its 95 % interval; of a single value there is none."""

    mean: float
    low: float | None = None
    high: float | None = None


class Difference(NamedTuple):
    """How one sample compares with another. p-values are None where there is no spread or no second value."""

    ratio: Interval  # geometric mean of the one over that of the other
    welch: float | None  # p-value of Welch's t-test on logarithms
    mann_whitney: float | None  # p-value of the Mann-Whitney U test


def logs(values: npt.ArrayLike) -> Floats:
    """Logarithms; what is 0 but for rounding counts as ZERO."""
    return np.asarray(np.log(np.maximum(np.asarray(values, dtype=np.float64), ZERO)))


def geometric_mean(values: npt.ArrayLike) -> Interval:
    """Mean with its interval by Student's distribution."""
    x = logs(values)
    return _interval(float(x.mean()), float(x.var(ddof=1) / len(x)) if len(x) > 1 else 0.0, len(x) - 1)


def _interval(centre: float, variance: float, freedom: float) -> Interval:
    if freedom <= 0 or variance < ROUNDING:
        return Interval(math.exp(centre))
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, 0.975)) * math.sqrt(variance)
    return Interval(math.exp(centre), math.exp(centre - half), math.exp(centre + half))


def difference(one: npt.ArrayLike, other: npt.ArrayLike) -> Difference:
    """One sample against another, independent of it. A single value is taken as known exactly."""
    a, b = logs(one), logs(other)
    parts = [x.var(ddof=1) / len(x) if len(x) > 1 else 0.0 for x in (a, b)]
    variance = float(sum(parts))
    centre = float(a.mean() - b.mean())
    if variance < ROUNDING:
        return Difference(Interval(math.exp(centre)), None, None)
    freedom = variance**2 / sum(part**2 / (len(x) - 1) for part, x in zip(parts, (a, b)) if len(x) > 1)
    from scipy.special import stdtr
    from scipy.stats import mannwhitneyu

    welch = 2 * float(stdtr(freedom, -abs(centre) / math.sqrt(variance)))
    ranks = float(mannwhitneyu(a, b).pvalue) if min(len(a), len(b)) > 1 else None
    return Difference(_interval(centre, variance, freedom), welch, ranks)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for their number by Holm's method; None stays None."""
    known = sorted((p, j) for j, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, j) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        corrected[j] = highest
    return corrected
