"""All equilibria of Kuhn poker: a line with one parameter, alpha from 0 to 1/3. [Kuhn 1950]

Player 0 bets a jack with alpha and a king with 3 alpha, and calls with a queen with alpha + 1/3; everything else, and
all of player 1, is the same in every equilibrium.
"""

from typing import Any, NamedTuple

from mccfr.tree.infosets import Infosets

THIRD = 1.0 / 3.0
BETS: dict[str, tuple[float, float]] = {  # how often to bet or call: start + slope * alpha
    "J:": (0.0, 1.0),
    "Q:": (0.0, 0.0),
    "K:": (0.0, 3.0),
    "J:cb": (0.0, 0.0),
    "Q:cb": (THIRD, 1.0),
    "K:cb": (1.0, 0.0),
    "J:c": (THIRD, 0.0),
    "Q:c": (0.0, 0.0),
    "K:c": (1.0, 0.0),
    "J:b": (0.0, 0.0),
    "Q:b": (THIRD, 0.0),
    "K:b": (1.0, 0.0),
}


class Nearest(NamedTuple):
    """The equilibrium closest to a strategy: least squares over the three numbers that alpha moves."""

    alpha: float
    distance: float  # the largest difference of a probability
    points: dict[str, dict[str, tuple[float, float, float]]]  # label: action: lowest, highest, at this alpha


def kuhn_family() -> dict[str, Any]:
    """The family for the page: lowest and highest probability of each action, and how it depends on alpha."""
    points = {label: {action: [*_range(start, slope)] for action, start, slope in _both(label)} for label in BETS}
    lines = {label: {action: [start, slope] for action, start, slope in _both(label)} for label in BETS}
    return {"parameter": "alpha", "low": 0.0, "high": THIRD, "points": points, "lines": lines, "value": -1.0 / 18.0}


def nearest(infosets: Infosets, probabilities: Any) -> Nearest:
    """The closest equilibrium of Kuhn poker to a strategy."""
    played = {label: float(probabilities[infosets.row[infosets.find(label)] + 1]) for label in BETS}
    moving = {label: line for label, line in BETS.items() if line[1]}
    squares = sum(slope**2 for _, slope in moving.values())
    alpha = sum(slope * (played[label] - start) for label, (start, slope) in moving.items()) / squares
    alpha = min(max(alpha, 0.0), THIRD)
    points = {
        label: {action: (*_range(start, slope), start + slope * alpha) for action, start, slope in _both(label)}
        for label in BETS
    }
    distance = max(abs(played[label] - (start + slope * alpha)) for label, (start, slope) in BETS.items())
    return Nearest(alpha, distance, points)


def _both(label: str) -> list[tuple[str, float, float]]:
    """Both actions of an infoset, with start and slope of their probability."""
    passive, active = ("fold", "call") if label.endswith("b") else ("check", "bet")
    start, slope = BETS[label]
    return [(passive, 1.0 - start, -slope), (active, start, slope)]


def _range(start: float, slope: float) -> tuple[float, float]:
    """Lowest and highest value for alpha from 0 to 1/3."""
    end = start + slope * THIRD
    return min(start, end), max(start, end)
