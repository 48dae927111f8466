"""One hand between a page and an agent, a move at a time: nobody waits in a thread while the page makes up its mind.

The agent is told the same in the same order as by `mccfr.playing.played_hand.play_hand`, and throws the same dice.
"""

import random
from collections.abc import Sequence

from mccfr.betting.lines import NOBODY, OVER, Move, State
from mccfr.playing.agent import Agent, checked_move
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.seen import Result, Seen
from mccfr.playing.table import Table

YOU = "you"  # the page's player, in records


class PageHand:
    """A hand in progress: all its cards, of which each side sees its own."""

    def __init__(
        self, table: Table, agent: Agent, seat: int, cards: Sequence[int], dice: random.Random, number: int
    ) -> None:
        """Deal; the page sits in `seat` and the agent, which throws `dice`, in the other."""
        self.table, self.agent, self.seat, self.number = table, agent, seat, number
        self.holes = tuple(cards[:2]), tuple(cards[2:4])
        self._whole_board = tuple(cards[4:])
        self.state: State = table.start
        self.moves: tuple[Move, ...] = ()
        agent.start(self.seen_by(1 - seat), dice)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.state.mover == OVER

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the table: those of the street, and all of them at a showdown."""
        showdown = self.over and self.state.folded == NOBODY
        street = self.table.streets - 1 if showdown else self.state.street
        return self._whole_board[: self.table.board_size(street)]

    def seen_by(self, seat: int) -> Seen:
        """The hand as one side sees it."""
        return Seen(self.table, seat, self.holes[seat], self.board, self.state, self.moves)

    def play(self, move: Move) -> None:
        """The page's move, which must be legal."""
        self._go_on(move)

    def let_agent_move(self) -> None:
        """The agent's moves, until it is the page's turn or the hand is over."""
        while self.state.mover == 1 - self.seat:
            self._go_on(checked_move(self.agent, self.seen_by(1 - self.seat)))

    def _go_on(self, move: Move) -> None:
        self.state, self.moves = self.table.play(self.state, move), (*self.moves, move)
        self.agent.see(self.seen_by(1 - self.seat))
        if self.over:
            self._tell_the_end()

    def _tell_the_end(self) -> None:
        """The agent sees the page's cards at a showdown only, as it would at any table."""
        agents = 1 - self.seat
        hidden = tuple(hole if seat == agents else () for seat, hole in enumerate(self.holes))
        shown = self.holes if self.state.folded == NOBODY else (hidden[0], hidden[1])
        self.agent.end(self.seen_by(agents), Result(self.record.chips[agents], shown, self.board))

    @property
    def record(self) -> HandRecord:
        """The hand as a record, once it is over."""
        names = (YOU, self.agent.name) if self.seat == 0 else (self.agent.name, YOU)
        return HandRecord(self.table, self.holes, self.board, self.moves, names, self.number)

    @property
    def won(self) -> float:
        """What the page's player has won, in chips, once the hand is over."""
        return self.record.chips[self.seat]
