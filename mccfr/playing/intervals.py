"""How sure a mean is: a t-interval for a number of hands that was fixed before, and a sequence that may be watched.

Observations are what one unit of a match brought, such as the mean of the two hands of a duplicate pair; they must be
independent of one another. With n of them, mean m and standard deviation s (of n - 1 degrees of freedom)

    t-interval    m +- t(n - 1) s / sqrt(n)                                               one look, at an n fixed before
    sequence      m +- s sqrt(2 (n r^2 + 1) / (n^2 r^2) log(sqrt(n r^2 + 1) / alpha))     a look whenever one likes

The sequence is the asymptotic confidence sequence of [Waudby-Smith et al. 2024], theorem 2.2: the probability that it
ever misses the mean is at most alpha = 1 - level, so that a match may stop when it excludes 0. It assumes independent
observations of finite variance and, like a t-interval, holds in the limit of many. Therefore it says nothing before
`first` of them. r sets where it is narrowest in comparison; for n observations the paper proposes

    r = sqrt((-2 log(alpha) + log(1 - 2 log(alpha))) / n).

What differs here: the variance has n - 1 in place of n, and observations may come in batches, after which one looks.
"""

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from mccfr.errors import MccfrError, quoted

LEVEL = 0.95
FIRST = 200  # observations before which a sequence says nothing
TUNED_TO = 2_000  # observations at which a sequence is narrowest in comparison with others


class IntervalError(MccfrError, ValueError):
    """Numbers of which no interval can be made."""


class Interval(NamedTuple):
    """A mean and how sure it is.

    Attributes:
        mean: The mean of the observations.
        low: Where the interval begins.
        high: Where it ends.
        error: The standard error of the mean.
        size: How many observations there were.
        level: How sure the interval is, such as 0.95.

    Examples:
        >>> from mccfr.playing.intervals import t_interval
        >>> found = t_interval([1.0, 2.0, 3.0, 2.0])
        >>> round(found.low, 3), round(found.high, 3), found.excludes_zero
        (0.701, 3.299, True)
    """

    mean: float
    low: float
    high: float
    error: float
    size: int
    level: float

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside."""
        return self.low > 0.0 or self.high < 0.0

    @property
    def margin(self) -> float:
        """How far it reaches on either side of the mean."""
        return (self.high - self.low) / 2.0

    def times(self, factor: float) -> "Interval":
        """The same in another unit, `factor` of which are one of this."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Interval(self.mean * factor, low, high, self.error * abs(factor), self.size, self.level)


class Moments(NamedTuple):
    """What is kept of observations: their number, mean and sum of squared deviations from it."""

    size: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @property
    def variance(self) -> float:
        """The variance, with n - 1 degrees of freedom; infinite for fewer than two observations."""
        return self.squares / (self.size - 1) if self.size > 1 else math.inf

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.size) if self.size > 1 else math.inf

    def merged(self, other: "Moments") -> "Moments":
        """The moments of both together [Chan, Golub, LeVeque 1983]."""
        size = self.size + other.size
        if not other.size:
            return self
        apart = other.mean - self.mean
        squares = self.squares + other.squares + apart * apart * self.size * other.size / size
        return Moments(size, self.mean + apart * other.size / size, squares)


def moments_of(values: npt.ArrayLike) -> Moments:
    """The moments of observations, which must be finite."""
    given = _observations(values)
    if not given.size:
        return Moments()
    mean = float(given.mean())
    return Moments(given.size, mean, float(((given - mean) ** 2).sum()))


def t_interval(values: npt.ArrayLike | Moments, level: float = LEVEL) -> Interval:
    """The t-interval of a mean, for a number of observations that did not depend on them.

    Args:
        values: The observations, or their moments.
        level: How sure it is to be.

    Returns:
        The interval; without bounds for fewer than two observations.

    Raises:
        IntervalError: If an observation is not a finite number, or level is not between 0 and 1.
    """
    alpha = _alpha(level)
    found = values if isinstance(values, Moments) else moments_of(values)
    if found.size < 2:
        return _without_bounds(found, level)
    return _around(found, float(stdtrit(found.size - 1, 1.0 - alpha / 2.0)) * found.error, level)


@dataclasses.dataclass
class ConfidenceSequence:
    """An interval that may be looked at after every batch: it never misses the mean, with probability `level`.

    Attributes:
        level: How sure all intervals together are.
        first: How many observations it waits for, so that means are nearly normal.
        tuned_to: The number of observations at which it is narrowest in comparison.
        moments: What is kept of the observations so far.

    Examples:
        >>> from mccfr.playing.intervals import ConfidenceSequence
        >>> sequence = ConfidenceSequence()
        >>> sequence.add([0.5, 1.5] * 500).excludes_zero
        True
    """

    level: float = LEVEL
    first: int = FIRST
    tuned_to: int = TUNED_TO
    moments: Moments = Moments()

    def __post_init__(self) -> None:
        """Check the parameters."""
        _alpha(self.level)
        for name, least in (("first", 2), ("tuned_to", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise IntervalError(f"{name} must be a whole number of at least {least}, got {quoted(value)}")

    def add(self, values: npt.ArrayLike) -> Interval:
        """Take in more observations, and return the interval after them."""
        self.moments = self.moments.merged(moments_of(values))
        return self.interval

    @property
    def interval(self) -> Interval:
        """The interval after all observations so far; without bounds for fewer than `first`."""
        if self.moments.size < self.first:
            return _without_bounds(self.moments, self.level)
        reach = sequence_margin(self.moments.size, _alpha(self.level), self.tuned_to)
        return _around(self.moments, reach * math.sqrt(self.moments.variance), self.level)

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside of the interval now."""
        return self.interval.excludes_zero


def sequence_margin(count: int, alpha: float, tuned_to: int) -> float:
    """How far the sequence reaches after so many observations of standard deviation 1: theorem 2.2."""
    spread = count * tuned_rate(alpha, tuned_to) ** 2
    return math.sqrt(2.0 * (spread + 1.0) / (count * spread) * math.log(math.sqrt(spread + 1.0) / alpha))


def tuned_rate(alpha: float, count: int) -> float:
    """The parameter r for which the sequence is nearly narrowest after so many observations, as the paper has it."""
    return math.sqrt((-2.0 * math.log(alpha) + math.log1p(-2.0 * math.log(alpha))) / count)


def _around(found: Moments, margin: float, level: float) -> Interval:
    return Interval(found.mean, found.mean - margin, found.mean + margin, found.error, found.size, level)


def _without_bounds(found: Moments, level: float) -> Interval:
    return Interval(found.mean, -math.inf, math.inf, found.error, found.size, level)


def _alpha(level: Any) -> float:
    """The probability of a miss that a level leaves."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0.0 < level < 1.0:
        raise IntervalError(f"level must be between 0 and 1, as in 0.95, got {quoted(level)}")
    return 1.0 - float(level)


def _observations(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    try:
        given = np.atleast_1d(np.asarray(values, np.float64))
    except (TypeError, ValueError):
        raise IntervalError(f"observations must be numbers, got {quoted(values)}") from None
    if given.ndim != 1 or not np.isfinite(given).all():
        raise IntervalError("observations must be finite numbers in a row, one for each pair or hand")
    return given
