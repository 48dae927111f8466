"""What a hand says about the strength of two agents: chips, chips with all-ins at their equity, AIVAT."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.playing.played_hand import HandRecord

Floats = npt.NDArray[np.float64]
CHIPS, EQUITY, AIVAT = "chips", "equity", "aivat"
ESTIMATES = {
    CHIPS: "what was won",
    EQUITY: "what was won, with all-ins at what they were worth before the last cards",
    AIVAT: "what was won, less luck: of cards, and of moves whose probabilities are known",
}


def estimate_values(
    names: Sequence[str], payoff: Floats, records: Sequence[HandRecord], policies: Sequence[Any]
) -> dict[str, Floats]:
    """[deals] for each estimate what the big blind won; it has the first of the policies."""
    found = {}
    for name in names:
        if name == CHIPS:
            found[name] = payoff
        elif name == EQUITY:
            from mccfr.playing.aivat import all_in_equity

            found[name] = np.array([all_in_equity(record) for record in records])
        else:
            from mccfr.playing.aivat import aivat

            found[name] = np.array([aivat(record, (policies[0], policies[1])) for record in records])
    return found
