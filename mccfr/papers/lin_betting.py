"""The betting of Lin 2024, section 10: listed sizes, of which a raise must take a later one than the bet it answers.

Stacks of 100 big blinds. Before the flop raises are to 2, 4, 8 or 16 big blinds; that the first number of the paper's
list, 1, stands for calling the big blind is our reading. Later, 0.3, 0.5, 0.7, 1, 1.5 and 2 times the pot. No all-in is
listed, though the text speaks of it: here a size beyond the stack is all-in.
"""

import dataclasses

from mccfr.betting.lines import State
from mccfr.betting.sizes import Facing, amounts, half_up
from mccfr.betting.structures import NoLimit

RAISES_TO = (2, 4, 8, 16)  # big blinds
SIZES = "30%,50%,70%,100%,150%,200%"


@dataclasses.dataclass(frozen=True, kw_only=True)
class LinBetting(NoLimit):
    """No-limit with sizes that only rise on a street."""

    stack: int = 2000
    blinds: str = "10 20"
    bet: str = SIZES
    raise_: str = SIZES

    def amounts(self, s: State) -> list[int]:
        if s.stakes[1 - s.mover] >= self.stack:
            return []
        return self._before_flop(s) if s.street == 0 else self._later(s)

    def _before_flop(self, s: State) -> list[int]:
        """Later numbers of the list than the bet faced, which may be the big blind."""
        faced = s.stakes[1 - s.mover] - s.opened
        return [min(to * self.smallest, self.stack) for to in RAISES_TO if to * self.smallest > faced]

    def _later(self, s: State) -> list[int]:
        """Larger shares of the pot than the bet faced was: raised from `mine`, that pot was twice as much."""
        mine, theirs = s.stakes[s.mover], s.stakes[1 - s.mover]
        sizes = self.menu.at(s.street, 0).bet
        larger = [size for size in sizes if half_up(2 * mine * size.number.numerator, 100) > theirs - mine]
        facing = Facing(2 * theirs, theirs - s.opened, self.stack - theirs, s.bets, self.streets - s.street)
        return amounts(larger, facing, theirs - s.opened + s.step, self.thresholds)
