"""What a player sees of a hand: its seat and cards, the board, and all betting so far."""

from typing import NamedTuple

from mccfr.betting.lines import Move, State
from mccfr.playing.table import Legal, Table


class Seen(NamedTuple):
    """A hand as one player sees it.

    Attributes:
        table: The rules.
        seat: The player: 0 is the big blind, 1 the dealer.
        hole: Its two cards, by number.
        board: The cards on the table, in the order in which they came.
        state: Where betting stands: whose turn it is, what each has put in, the line.
        moves: All moves so far, in order.
    """

    table: Table
    seat: int
    hole: tuple[int, ...]
    board: tuple[int, ...]
    state: State
    moves: tuple[Move, ...] = ()

    @property
    def legal(self) -> Legal:
        """What may be done now by whoever's turn it is."""
        return self.table.legal(self.state)

    @property
    def pot(self) -> int:
        """All chips that have been put in."""
        return sum(self.state.stakes)

    @property
    def asked(self) -> int:
        """What this player would have to put in to call; 0 if nothing."""
        return max(self.state.stakes[1 - self.seat] - self.state.stakes[self.seat], 0)

    @property
    def my_turn(self) -> bool:
        """Whether this player moves now."""
        return self.state.mover == self.seat


class Result(NamedTuple):
    """How a hand ended, as one player sees it.

    Attributes:
        chips: What this player has won; negative if it lost.
        holes: The cards of both players, those of the other empty where it did not have to show them.
        board: The whole board; at a fold what of it had come.
    """

    chips: float
    holes: tuple[tuple[int, ...], tuple[int, ...]]
    board: tuple[int, ...]
