"""Where two strategies of one game differ."""

import dataclasses

import numpy as np
import numpy.typing as npt

from mccfr.errors import StrategyError
from mccfr.strategy.strategy import Strategy, require_names


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Where and how much two strategies of one game differ.

    The distance of an infoset is the total variation distance, half the sum of |p - q| over its actions: 0 where both
    strategies agree, 1 where they share nothing.

    Attributes:
        labels: The labels of the infosets.
        distance: The distance of each.
    """

    labels: list[str]
    distance: npt.NDArray[np.float64]

    @property
    def largest(self) -> float:
        """The largest distance of an infoset."""
        return float(self.distance.max(initial=0.0))

    @property
    def mean(self) -> float:
        """The mean distance over all infosets."""
        return float(self.distance.mean()) if len(self.distance) else 0.0

    def worst(self, count: int = 10) -> list[tuple[str, float]]:
        """List the infosets that differ most.

        Args:
            count: The most infosets to list.

        Returns:
            Their labels and distances, the largest first.
        """
        order = np.argsort(-self.distance, kind="stable")[:count]
        return [(self.labels[j], float(self.distance[j])) for j in order]

    def __str__(self) -> str:
        lines = [f"{len(self.labels):,} infosets: mean distance {self.mean:.6f}, largest {self.largest:.6f}"]
        return "\n".join(lines + [f"  {distance:.6f}  {label}" for label, distance in self.worst() if distance > 0])


def compare(one: Strategy, other: Strategy) -> Comparison:
    """Distances between two strategies whose infosets and actions are the same."""
    require_names(one, "compared")
    a = one.infosets
    if not a.fits(other.infosets):
        raise StrategyError(f"cannot compare a strategy of {one.game} with one of {other.game}: their infosets differ")
    gap = np.abs(one.probabilities - other.probabilities) / 2
    return Comparison(list(a.labels), np.add.reduceat(gap, a.row[:-1]) if len(a) else gap)
