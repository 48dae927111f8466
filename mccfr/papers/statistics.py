"""Means, ratios and slopes with 95 % intervals.

Exploitabilities are positive and vary by factors, so their means are geometric and their intervals are Student's on the
logarithms; two methods are compared by ratios paired by seed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3g} [{self.low:.3g}, {self.high:.3g}]"


def mean(values: npt.ArrayLike) -> Interval:
    """Arithmetic mean; of a single value the interval is that value."""
    from scipy.special import stdtrit

    x = np.asarray(values, dtype=np.float64)
    half = stdtrit(len(x) - 1, 0.975) * x.std(ddof=1) / np.sqrt(len(x)) if len(x) > 1 else 0.0
    return Interval(float(x.mean()), float(x.mean() - half), float(x.mean() + half))


def geometric_mean(values: npt.ArrayLike) -> Interval:
    """Mean of positive values by their logarithms; infinite if one of them is."""
    if not np.isfinite(values).all():
        return Interval(np.inf, np.inf, np.inf)
    return Interval(*(float(x) for x in np.exp(mean(np.log(values)))))


def ratio(above: npt.ArrayLike, below: npt.ArrayLike) -> Interval:
    """Geometric mean of paired ratios."""
    return geometric_mean(np.asarray(above, dtype=np.float64) / np.asarray(below, dtype=np.float64))


def slope(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Exponent of the power law that fits best."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
