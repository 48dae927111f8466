"""Means, ratios and slopes with 95 % intervals, and tests of differences.

Exploitabilities are positive and vary by factors, so all but `mean` is done on logarithms: means are geometric,
intervals are Student's, differences are ratios.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ZERO = 1e-15  # what is smaller is rounding
ROUNDING = 1e-12  # a standard error of logarithms that is none

Floats = npt.NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate and its 95 % interval; of a single value, or of equal ones, it is that value."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3g} [{self.low:.3g}, {self.high:.3g}]"

    def to_dict(self) -> dict[str, float | None]:
        """For JSON: a single value has no interval."""
        return self._asdict() if self.low < self.high else {"mean": self.mean, "low": None, "high": None}


class Difference(NamedTuple):
    """How one sample compares with another. p-values are None where there is no spread or no second value."""

    ratio: Interval  # geometric mean of the one over that of the other
    welch: float | None  # p-value of Welch's t-test on logarithms
    mann_whitney: float | None  # p-value of the Mann-Whitney U test


def mean(values: npt.ArrayLike) -> Interval:
    """Arithmetic mean."""
    x = np.asarray(values, dtype=np.float64)
    return student(float(x.mean()), math.sqrt(_variance(x)), len(x) - 1)


def geometric_mean(values: npt.ArrayLike) -> Interval:
    """Mean of positive values by their logarithms; infinite if one of them is."""
    if not np.isfinite(values).all():
        return point(math.inf)
    x = logs(values)
    return _exponential(float(x.mean()), math.sqrt(_variance(x)), len(x) - 1)


def ratio(above: npt.ArrayLike, below: npt.ArrayLike) -> Interval:
    """Geometric mean of paired ratios."""
    return geometric_mean(np.asarray(above, dtype=np.float64) / np.asarray(below, dtype=np.float64))


def slope(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Exponent of the power law that fits best."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def difference(one: npt.ArrayLike, other: npt.ArrayLike) -> Difference:
    """One sample against another, independent of it. A single value is taken as known exactly."""
    a, b = logs(one), logs(other)
    parts = [_variance(x) for x in (a, b)]
    centre, error = float(a.mean() - b.mean()), math.sqrt(sum(parts))
    if error < ROUNDING:
        return Difference(point(math.exp(centre)), None, None)
    freedom = error**4 / sum(part**2 / (len(x) - 1) for part, x in zip(parts, (a, b)) if len(x) > 1)
    from scipy.special import stdtr
    from scipy.stats import mannwhitneyu

    welch = 2 * float(stdtr(freedom, -abs(centre) / error))
    ranks = float(mannwhitneyu(a, b).pvalue) if min(len(a), len(b)) > 1 else None
    return Difference(_exponential(centre, error, freedom), welch, ranks)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for their number by Holm's method; None stays None."""
    known = sorted((p, j) for j, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, j) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        corrected[j] = highest
    return corrected


def logs(values: npt.ArrayLike) -> Floats:
    """Logarithms; what is 0 but for rounding counts as ZERO."""
    return np.asarray(np.log(np.maximum(np.asarray(values, dtype=np.float64), ZERO)))


def point(value: float) -> Interval:
    """A value of whose spread nothing is known, or that has none."""
    return Interval(value, value, value)


def _variance(x: Floats) -> float:
    """Of the mean; a single value is taken as known exactly."""
    return float(x.var(ddof=1)) / len(x) if len(x) > 1 else 0.0


def student(centre: float, error: float, freedom: float) -> Interval:
    """Student's interval around an estimate with a standard error."""
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, 0.975)) * error if freedom > 0 else 0.0
    return Interval(centre, centre - half, centre + half)


def _exponential(centre: float, error: float, freedom: float) -> Interval:
    """From logarithms."""
    if error < ROUNDING:
        return point(math.exp(centre))
    return Interval(*np.exp(student(centre, error, freedom)).tolist())
