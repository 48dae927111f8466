"""Dice that try every outcome: the production walk, interpreted, meets each sequence of random choices exactly once.

A random number is not drawn; it is an interval that every comparison narrows. So all laws are enumerated exactly, also
those of samplers that are yet to be written.
"""

from typing import Any

import numpy as np

from mccfr.kernel.dice import below, uniform

SLIVER = 1e-12  # a branch less likely than this owes its existence to rounding


class EveryOutcome:
    """An odometer of choices. After a walk, `probability` is that of the outcome met and `turn` prepares the next."""

    def __init__(self) -> None:
        self._taken: list[int] = []
        self._odds: list[tuple[float, ...]] = []
        self._at = 0
        self.probability = 1.0

    def branch(self, odds: tuple[float, ...]) -> int:
        """One of the branches with these probabilities: the same as last time, except where the odometer turned."""
        if self._at == len(self._taken):
            self._taken.append(0)
            self._odds.append(odds)
        choice = self._taken[self._at]
        self._at += 1
        self.probability *= odds[choice]
        return choice

    def turn(self) -> bool:
        """Go on to the next outcome; whether there is one."""
        while self._taken and self._taken[-1] == len(self._odds[-1]) - 1:
            self._taken.pop()
            self._odds.pop()
        self._at, self.probability = 0, 1.0
        if self._taken:
            self._taken[-1] += 1
        return bool(self._taken)


class Uncertain:
    """A number from [0, 1), known only as far as it has been compared, times a positive constant."""

    def __init__(self, dice: EveryOutcome, interval: list[float], scale: float = 1.0) -> None:
        self._dice, self._interval, self._scale = dice, interval, scale

    def __mul__(self, constant: float) -> "Uncertain":
        return Uncertain(self._dice, self._interval, self._scale * float(constant))

    __rmul__ = __mul__

    def __lt__(self, limit: float) -> bool:
        low, high = self._interval
        cut = float(limit) / self._scale
        share = (cut - low) / (high - low)
        if share < SLIVER or share > 1.0 - SLIVER:
            return share > 0.5
        less = self._dice.branch((share, 1.0 - share)) == 0
        self._interval[:] = (low, cut) if less else (cut, high)
        return less

    def __ge__(self, limit: float) -> bool:
        return not self < limit


@uniform.register(EveryOutcome)
def _(dice: EveryOutcome) -> Uncertain:
    return Uncertain(dice, [0.0, 1.0])


@below.register(EveryOutcome)
def _(dice: EveryOutcome, k: Any) -> np.uint64:
    return np.uint64(dice.branch((1.0 / int(k),) * int(k)))
