"""What a match came to: means and intervals over pairs, by seat and by street."""

import dataclasses
import math
import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.playing.intervals import ConfidenceSequence, Interval, t_interval
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import Table

Floats = npt.NDArray[np.float64]
STREETS = ("preflop", "flop", "turn", "river")


class Tally(NamedTuple):
    """What a block of deals came to, for the first agent."""

    pairs: dict[str, Floats]  # [deals] for each estimate the mean of both seatings
    seats: tuple[Floats, Floats]  # [deals] as big blind and as dealer, by the best estimate
    chips: Floats  # [hands] what was won
    streets: npt.NDArray[np.int64]  # [hands] on which betting ended
    records: list[HandRecord]
    seconds: float


@dataclasses.dataclass(frozen=True)
class MatchReport:
    """The result of a match, for the first agent, in chips a hand unless said otherwise."""

    names: tuple[str, str]
    table: Table
    seed: int
    estimates: tuple[str, ...]
    tallies: tuple[Tally, ...] = ()
    began: float = 0.0

    @classmethod
    def begin(cls, names: tuple[str, ...], table: Table, seed: int, estimates: tuple[str, ...]) -> "MatchReport":
        """Before the first hand."""
        return cls((names[0], names[1]), table, seed, estimates, began=time.perf_counter())

    def plus(self, tally: Tally) -> "MatchReport":
        """With one block more."""
        return dataclasses.replace(self, tallies=(*self.tallies, tally))

    @property
    def hands(self) -> int:
        """Hands played, two for each deal."""
        return sum(len(tally.chips) for tally in self.tallies)

    @property
    def best(self) -> str:
        """The estimate with the least noise of those asked for: the last."""
        return self.estimates[-1]

    @property
    def seconds(self) -> float:
        """How long playing took, all workers together."""
        return sum(tally.seconds for tally in self.tallies)

    def pairs(self, estimate: str = "") -> Floats:
        """[pairs] the mean of both seatings of each deal."""
        return np.concatenate([tally.pairs[estimate or self.best] for tally in self.tallies])

    def won(self, estimate: str = "") -> Interval:
        """What the first agent wins a hand, with its 95 % interval (Student's, over pairs)."""
        return t_interval(self.pairs(estimate))

    @property
    def always(self) -> Interval:
        """The same with an interval that may be looked at after every block."""
        return ConfidenceSequence().add(self.pairs())

    @property
    def decided(self) -> bool:
        """Whether that interval excludes 0."""
        return self.always.excludes_zero

    def seat(self, seat: int) -> Interval:
        """What the first agent wins as big blind (0) or dealer (1)."""
        return t_interval(np.concatenate([tally.seats[seat] for tally in self.tallies]))

    def by_street(self) -> dict[str, tuple[int, float]]:
        """For each street how many hands ended there, and what the first agent won in them, in chips."""
        chips = np.concatenate([tally.chips for tally in self.tallies])
        streets = np.concatenate([tally.streets for tally in self.tallies])
        counts = np.bincount(streets, minlength=self.table.streets)
        sums = np.bincount(streets, chips, minlength=self.table.streets)
        return {name: (int(counts[j]), float(sums[j])) for j, name in enumerate(STREETS[: self.table.streets])}

    def saved(self, estimate: str) -> float:
        """By how many times fewer hands an estimate needs than single hands in chips, for the same interval."""
        plain = np.concatenate([tally.chips for tally in self.tallies])
        spread = 2.0 * float(self.pairs(estimate).var())  # a pair is two hands
        return float(plain.var()) / spread if spread > 0.0 else float("inf")

    def mbb(self, won: Interval) -> Interval:
        """An interval in thousandths of a big blind a hand."""
        return won.times(1000.0 / self.table.big_blind)

    @property
    def records(self) -> list[HandRecord]:
        """The hands that were kept."""
        return [record for tally in self.tallies for record in tally.records]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "agents": list(self.names),
            "table": repr(self.table),
            "seed": self.seed,
            "hands": self.hands,
            "big_blind": self.table.big_blind,
            "estimates": {
                name: {
                    "chips": _bounds(self.won(name)),
                    "mbb": _bounds(self.mbb(self.won(name))),
                    "hands_saved": self.saved(name) if math.isfinite(self.saved(name)) else None,
                }
                for name in self.estimates
            },
            "anytime": {"estimate": self.best, "mbb": _bounds(self.mbb(self.always)), "decided": self.decided},
            "seats": {name: _bounds(self.mbb(self.seat(j))) for j, name in enumerate(("big_blind", "dealer"))},
            "streets": {name: {"hands": n, "chips": chips} for name, (n, chips) in self.by_street().items()},
            "seconds": self.seconds,
        }


def _bounds(found: Interval) -> dict[str, float | None]:
    """For JSON, which has no infinity."""
    return {name: each if math.isfinite(each) else None for name, each in zip(("mean", "low", "high"), found[:3])}
