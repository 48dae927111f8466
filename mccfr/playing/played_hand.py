"""A hand that was played, as a record; and how agents play one."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from mccfr.betting.lines import NOBODY, OVER, Move, State
from mccfr.cards.evaluator import strength
from mccfr.playing.agent import Agent, checked_move
from mccfr.playing.seen import Result, Seen
from mccfr.playing.table import Table, TableError


class HandRecord(NamedTuple):
    """A hand from the deal to its end. What is not known of the cards is left out.

    Attributes:
        table: The rules.
        holes: The cards of both seats, the big blind's first; empty where they were not shown.
        board: The cards that came, in order.
        moves: All moves.
        names: Who sat in each seat.
        number: Number of the hand in its match.
    """

    table: Table
    holes: tuple[tuple[int, ...], tuple[int, ...]]
    board: tuple[int, ...]
    moves: tuple[Move, ...]
    names: tuple[str, str] = ("big blind", "dealer")
    number: int = 0

    @property
    def state(self) -> State:
        """Where betting ended."""
        s = self.table.start
        for move in self.moves:
            s = self.table.play(s, move)
        return s

    @property
    def line(self) -> str:
        """All betting as text."""
        return self.state.line

    @property
    def chips(self) -> tuple[float, float]:
        """What each seat has won, in chips."""
        s = self.state
        if s.mover != OVER:
            raise TableError(f"hand {self.number} is not over: player {s.mover} is to move after {s.line!r}")
        return self.table.betting.payoffs(s, NOBODY if s.folded != NOBODY else self.winner)

    @property
    def winner(self) -> int:
        """Who has the better cards, or NOBODY if they are worth the same."""
        return better_hand(self.table, self.holes, self.board)


def better_hand(table: Table, holes: Sequence[Sequence[int]], board: Sequence[int]) -> int:
    """The seat with the better cards at the showdown, or NOBODY."""
    if not all(holes) or len(board) < sum(table.deals):
        raise TableError("a showdown needs both hands and the whole board")
    one, other = (strength([whole_deck_card(table, card) for card in (*hole, *board)]) for hole in holes)
    return NOBODY if one == other else int(other > one)


def whole_deck_card(table: Table, card: int) -> int:
    """The number of a card of a smaller deck in the deck of 52."""
    return 4 * (card // table.suits) + card % table.suits


def deal_cards(table: Table, dice: random.Random) -> tuple[int, ...]:
    """The cards of a hand: two for each seat, the big blind's first, then the board."""
    return tuple(dice.sample(range(table.ranks * table.suits), table.cards_dealt))


def play_hand(
    table: Table, agents: Sequence[Agent], cards: Sequence[int], dice: Sequence[random.Random], number: int = 0
) -> HandRecord:
    """One hand between two agents, the first as the big blind, with these cards and a stream of dice for each."""
    holes = tuple(cards[:2]), tuple(cards[2:4])
    board = tuple(cards[4:])
    s, street = table.start, 0
    moves: tuple[Move, ...] = ()

    def seen_by(seat: int) -> Seen:
        return Seen(table, seat, holes[seat], board[: table.board_size(street)], s, moves)

    for seat in (0, 1):
        agents[seat].start(seen_by(seat), dice[seat])
    while s.mover != OVER:
        move = checked_move(agents[s.mover], seen_by(s.mover))
        s, moves = table.play(s, move), (*moves, move)
        street = s.street if s.mover != OVER or s.folded != NOBODY else table.streets - 1
        for seat in (0, 1):
            agents[seat].see(seen_by(seat))
    record = HandRecord(
        table, holes, board[: table.board_size(street)], moves, (agents[0].name, agents[1].name), number
    )
    chips = record.chips
    for seat in (0, 1):
        shown = record.holes if s.folded == NOBODY else (holes[0], ()) if seat == 0 else ((), holes[1])
        agents[seat].end(seen_by(seat), Result(chips[seat], shown, record.board))
    return record
