"""A running result: hands, chips, and big blinds per 100 hands with a 95 % interval once there are enough hands.

AIVAT takes out what luck was worth: it knows the agent's strategy, and the cards of both when the hand is over.
"""

from typing import Any

from mccfr.errors import MccfrError
from mccfr.playing.aivat import aivat
from mccfr.playing.intervals import Moments, t_interval
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Policy

ENOUGH = 30  # hands from which on an interval by Student's t means something


class Tally:
    """A result that grows hand by hand."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.chips, self.moments = 0.0, Moments()

    @property
    def hands(self) -> int:
        """How many hands there were."""
        return self.moments.size

    def add(self, chips: float) -> None:
        """One more hand."""
        self.chips += chips
        self.moments = self.moments.merged(Moments(1, chips))

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval of the mean, in chips; None while there are too few hands."""
        return None if self.hands < ENOUGH else t_interval(self.moments).margin

    def told(self, big_blind: int) -> dict[str, Any]:
        """Hands, chips, bb/100 and its interval, as plain data."""
        per_hundred = 100.0 / big_blind
        half = self.half_width
        return {
            "hands": self.hands,
            "chips": self.chips,
            "bb100": self.moments.mean * per_hundred if self.hands else None,
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
