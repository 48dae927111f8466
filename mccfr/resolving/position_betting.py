"""The betting of a position at a table: from where betting really stands, with the bets that were really made in it.

Sizes come from a menu, as in a spot. What was really bet or raised to after the start of the position is offered beside
them, so that no bet has to be taken for another one: nested re-solving [Brown and Sandholm 2017]. Stakes count from the
start of the hand, and there is no dead pot, so payoffs are the chips of the table.
"""

from collections.abc import Sequence

from mccfr.betting.lines import BETS, Betting, Move, State
from mccfr.betting.sizes import Size, Thresholds, amounts
from mccfr.betting.structures import Limit
from mccfr.playing.table import Table

AS_THEY_ARE = Thresholds()
Made = tuple[tuple[State, int], ...]  # bets beside the menu: the state, without its line, and the amount


class PositionBetting(Betting):
    """Betting from a state of a table on."""

    def __init__(self, table: Table, start: State, sizes: tuple[Size, ...], made: Made = ()) -> None:
        """`made`: what was really bet or raised to, and where. Limit has its own sizes and needs none."""
        self.table, self.rules, self.sizes, self.made = table, table.betting, sizes, made
        self.dealer, self.streets = table.betting.dealer, table.streets
        self.start = start._replace(line="")

    @property
    def most(self) -> int | None:
        return self.rules.most

    @property
    def smallest(self) -> int:
        return self.rules.smallest

    def merged(self, s: State) -> State:
        return self.rules.merged(s)

    def root(self) -> State:
        return self.start

    def amounts(self, s: State) -> list[int]:
        """The sizes of the menu as chips, and what was really made in this state."""
        if isinstance(self.rules, Limit):
            return self.rules.amounts(s)
        if self.table.legal(s).bounds is None:
            return []
        facing = self.rules.facing(s)
        offered = amounts(self.sizes, facing, facing.level + s.step, AS_THEY_ARE)
        beside = [amount for where, amount in self.made if where == self.merged(s)]
        return sorted({*offered, *beside}) if beside else offered

    def beside_menu(self, moves: Sequence[Move]) -> Made:
        """Those of some moves from the start on that the menu does not offer."""
        s, found = self.start, list[tuple[State, int]]()
        for move in moves:
            if move.kind >= BETS and move.amount not in self.amounts(s):
                found.append((self.merged(s), move.amount))
            s = self.play(s, move)
        return tuple(found)
