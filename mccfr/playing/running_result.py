"""What a player has won so far: in chips, in big blinds per hundred hands with an interval, and by AIVAT."""

import dataclasses

from mccfr.jobs.statistics import Interval, mean
from mccfr.playing.aivat import aivat
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Policy

HUNDRED = 100
FAIR = "By AIVAT"  # what the second result is called


@dataclasses.dataclass
class RunningResult:
    """Winnings of one player, hand by hand.

    Attributes:
        big_blind: Chips of a big blind.
        chips: What was won in each hand.
        fair: The same with as much luck removed as is known how, in each hand.
    """

    big_blind: int
    chips: list[float] = dataclasses.field(default_factory=list)
    fair: list[float] = dataclasses.field(default_factory=list)

    def add(self, record: HandRecord, seat: int, policies: tuple[Policy | None, Policy | None]) -> None:
        """Count a hand that the player played in this seat."""
        self.chips.append(record.chips[seat])
        fair = fair_chips(record, policies)
        self.fair.append(fair if seat == 0 else -fair)

    def per_hundred(self, values: list[float]) -> Interval:
        """Big blinds per hundred hands."""
        found = mean(values)
        return Interval(*(HUNDRED * x / self.big_blind for x in found))


def fair_chips(record: HandRecord, policies: tuple[Policy | None, Policy | None]) -> float:
    """What seat 0 has won by AIVAT; plain chips where no policy is known."""
    return record.chips[0] if policies == (None, None) else aivat(record, policies)
