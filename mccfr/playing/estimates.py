"""What hands say about the strength of two agents: chips, chips with all-ins at their equity, AIVAT."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.playing.aivat import Aivat
from mccfr.playing.all_in import all_in_equity
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Policy
from mccfr.playing.table import Table

Floats = npt.NDArray[np.float64]
CHIPS, EQUITY, AIVAT = "chips", "equity", "aivat"
ESTIMATES = {
    CHIPS: "what was won",
    EQUITY: "all-ins at what they were worth before the last cards",
    AIVAT: "less luck, of cards and of moves whose probabilities are known",
}


class Seating(NamedTuple):
    """Deals as they went with one agent as the big blind."""

    records: list[HandRecord]
    payoff: Floats  # [deals] of the big blind
    street: npt.NDArray[np.int64]  # [deals] on which betting ended
    policies: Sequence[Policy | None]  # of the big blind and the dealer, as far as they are known


def estimated(name: str, table: Table, seatings: Sequence[Seating]) -> list[Floats]:
    """For each seating [deals] what the big blind won, by an estimate."""
    if name == CHIPS:
        return [seating.payoff for seating in seatings]
    if name == EQUITY:
        return [np.array([all_in_equity(record) for record in seating.records]) for seating in seatings]
    found, estimator = [np.zeros(len(seating.payoff)) for seating in seatings], Aivat(table)
    for deal in range(len(found[0])):  # both hands of a deal one after the other, since they share the board
        for values, seating in zip(found, seatings):
            values[deal] = estimator.estimate(seating.records[deal], seating.policies)
    return found
