"""A running result: hands, chips, and big blinds per 100 hands with a 95 % interval once there are enough hands.

AIVAT takes out what luck was worth: it knows the agent's strategy, and the cards of both when the hand is over.
"""

import math
from typing import Any

from scipy.special import stdtrit

from mccfr.errors import MccfrError
from mccfr.playing.aivat import aivat
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Policy

ENOUGH = 30  # hands from which on an interval by Student's t means something


class Tally:
    """Sums of a result, one hand after the other, by Welford's update of mean and squares."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.hands, self.chips, self.mean, self._squares = 0, 0.0, 0.0, 0.0

    def add(self, chips: float) -> None:
        """One more hand."""
        self.hands += 1
        self.chips += chips
        off = chips - self.mean
        self.mean += off / self.hands
        self._squares += off * (chips - self.mean)

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval of the mean, in chips; None while there are too few hands."""
        if self.hands < ENOUGH:
            return None
        error = math.sqrt(self._squares / (self.hands - 1) / self.hands)
        return float(stdtrit(self.hands - 1, 0.975)) * error

    def told(self, big_blind: int) -> dict[str, Any]:
        """Hands, chips, bb/100 and its interval, as plain data."""
        per_hundred = 100.0 / big_blind
        half = self.half_width
        return {
            "hands": self.hands,
            "chips": self.chips,
            "bb100": self.mean * per_hundred if self.hands else None,
            "within": None if half is None else half * per_hundred,
        }


def without_luck(record: HandRecord, seat: int, policy: Policy | None) -> float | None:
    """What a seat has won by AIVAT against a policy in the other one; None where that cannot be said."""
    if policy is None:
        return None
    seats = (None, policy) if seat == 0 else (policy, None)
    try:
        big_blind_wins = float(aivat(record, seats))
    except MccfrError:
        return None
    return big_blind_wins if seat == 0 else -big_blind_wins
