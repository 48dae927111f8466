"""AIVAT: what a hand was worth without most of its luck, unbiased for any value function [Burch 2018].

Let H be what is public of a hand together with the cards of one player, j; the other, p, may have held any hand i. If
p's policy is known, P(i | H) = w(i) is proportional to P(p's moves | i) for hands that share no card with j and the
board, since neither the other player's moves nor the board's cards depend on i in any other way. For a value function
v(line, i, j, board) let V(H) = sum_i w(i) v. The estimate is

    sum_i w(i) u(i, j) at the end  +  sum over events of (E[V(H') | H] - V(H'))

over all events H -> H' whose law is known: the deal, cards of the board, and moves of known policies. Every term has
mean 0, so the mean is that of the chips won, whatever v is; a good v makes terms cancel the luck. Averages over i are
the paper's imaginary observations.

Our value functions are v = a(line) + b(line) edge(i, j | board), where the edge is exact and a martingale under the
cards that come (`mccfr.playing.all_in`). Hence E[V(H') | H] = V(H) when cards come, and after the deal it is a(start),
since the edges of all deals add up to 0. At a fold v is the payoff, at a showdown b is the stake, so that an all-in
counts by its equity.

With two known policies this is done for the hands of either seat, the moves of the other being those of its real hand,
and the mean of both is taken. What differs from the paper: it would sum over all pairs of hands at once.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, Move, State
from mccfr.playing.agent import AgentError
from mccfr.playing.all_in import apart, checked_cards, edges_on, hands_of
from mccfr.playing.many_hands import BoardHands
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Floats, Odds, Policy
from mccfr.playing.table import Table, TableError

Policies = Sequence[Policy | None]  # of both seats; None for one that is not known


class Worth(NamedTuple):
    """What a betting state is worth to the big blind: a + b edge."""

    a: float
    b: float


class Values(Protocol):
    """A value function: it must not know anything of the hands that it is used on."""

    def worth(self, table: Table, s: State) -> Worth:
        """a and b of a state at which the hand goes on."""
        ...


class CallDown:
    """The value function of players who check and call from here on: the edge times the larger stake."""

    def worth(self, table: Table, s: State) -> Worth:
        """a = 0, and b is what both would have put in."""
        return Worth(0.0, float(max(s.stakes)))


CALL_DOWN = CallDown()


class Choice(NamedTuple):
    """A move that might have been made."""

    move: Move
    odds: Floats  # [hands of the deck] its probability
    worth: Worth  # of the state after it


class Event(NamedTuple):
    """A move, and what is known of how it was chosen."""

    before: State
    move: Move
    after: State
    choices: tuple[Choice, ...]  # none if the mover's policy is not known


def aivat(record: HandRecord, policies: Policies, values: Values = CALL_DOWN) -> float:
    """What a hand was worth to the big blind, with most of the luck taken out.

    Args:
        record: A hand whose cards are all known.
        policies: The policies of both seats, None for one that is not known, such as a person's.
        values: The value function; it must have been fixed before the hand was played.

    Returns:
        Chips for seat 0. The mean over hands is that of the chips won.

    Raises:
        TableError: If the hand is not over, or cards are missing, twice there or not of this deck.
        AgentError: If a policy is for another table, or never makes a move that was made.

    Examples:
        >>> from mccfr.playing.aivat import aivat
        >>> from mccfr.playing.agents import make_agent
        >>> from mccfr.playing.played_hand import HandRecord
        >>> from mccfr.playing.table import table_of
        >>> table = table_of("holdem(limit(cap=1, bets=2), ranks=4, suits=2, board=3)")
        >>> policy = make_agent("random", table).policy
        >>> record = HandRecord(table, ((0, 1), (2, 3)), (4, 5, 6), table.at("ck/kb2f")[1])
        >>> record.chips[0], round(aivat(record, (policy, policy)), 3)
        (-2.0, -0.867)
    """
    return Aivat(record.table, values).estimate(record, policies)


class Aivat:
    """AIVAT for many hands at one table: what was worked out for a board is kept for the next hand on it."""

    def __init__(self, table: Table, values: Values = CALL_DOWN) -> None:
        """Remember the rules and the value function."""
        self.table, self.values = table, values
        self._hands: BoardHands | None = None
        self._edges: dict[tuple[tuple[int, ...], tuple[int, int]], Floats] = {}

    def estimate(self, record: HandRecord, policies: Policies) -> float:
        """Chips for seat 0 of a hand that was played by these policies, None where one is not known; see `aivat`."""
        self._check(record, policies)
        events = self._events(record, policies)
        known = [seat for seat in (0, 1) if policies[seat] is not None]
        sides = [self._side(record, events, seat, imaginary=True) for seat in known]
        return float(np.mean(sides)) if sides else self._side(record, events, 0, imaginary=False)

    def _check(self, record: HandRecord, policies: Policies) -> None:
        if record.table != self.table:
            raise TableError(f"hand {record.number} was played at {record.table!r}, expected {self.table!r}")
        checked_cards(record)
        for policy in policies:
            if policy is not None and policy.table != self.table:
                raise AgentError(f"{policy.name} plays at {policy.table!r}, not at {self.table!r}")

    # ---- what is known of the moves

    def _events(self, record: HandRecord, policies: Policies) -> list[Event]:
        """All moves, each with the odds of every hand where the policy of the mover is known."""
        hands = self._board_hands(record.board)
        beliefs = [None if policy is None else policy.begin(hands.count) for policy in policies]
        s, events = self.table.start, list[Event]()
        for move in record.moves:
            odds = None
            for seat, policy in enumerate(policies):
                belief = beliefs[seat]
                if policy is None or belief is None:
                    continue
                if s.mover == seat:
                    odds = normalised(policy.odds(belief, s, hands))
                beliefs[seat] = policy.after(belief, s, move, hands, s.mover == seat)
            choices = () if odds is None else self._choices(s, odds)
            events.append(Event(s, move, self.table.play(s, move), choices))
            s = events[-1].after
        return events

    def _choices(self, s: State, odds: Odds) -> tuple[Choice, ...]:
        """All moves that a policy makes in a state, with what they lead to."""
        return tuple(Choice(move, p, self.worth(self.table.play(s, move))) for move, p in odds.items())

    def _board_hands(self, board: tuple[int, ...]) -> BoardHands:
        """All hands on a board; the last board is kept, since duplicate hands share it."""
        if self._hands is None or self._hands.board[: len(board)] != board:
            self._hands = BoardHands(self.table, board)
        return self._hands

    # ---- one player's hands

    def _side(self, record: HandRecord, events: Sequence[Event], seat: int, imaginary: bool) -> float:
        """The estimate over all hands of a seat, or over its real one only, given the real hand of the other seat."""
        view = View(self, record, seat)
        weight = view.possible(0) if imaginary else view.real
        start = self.worth(self.table.start)
        total, last, street = start.a - view.mean(weight, start, 0), start, 0
        for event in events:
            last = self.worth(event.after)
            if event.choices:
                total += view.expected(event, weight)
                weight = view.after(event, weight)
                total -= view.mean(weight, last, street)
            if event.after.street > street:
                total += view.mean(weight, last, street)
                street = event.after.street
                weight = weight * view.possible(street)
                total -= view.mean(weight, last, street)
        return total + view.mean(weight, last, street)

    def worth(self, s: State) -> Worth:
        """a and b of any state; at an end they are the payoff."""
        if s.mover != OVER:
            return self.values.worth(self.table, s)
        if s.folded != NOBODY:
            return Worth(self.table.betting.payoffs(s)[0], 0.0)
        return Worth(0.0, self.table.betting.stake(s))

    def edges(self, board: tuple[int, ...], hands: tuple[int, int]) -> Floats:
        """[2, hands of the deck] the edge of every hand over either of two."""
        key = board, hands
        if key not in self._edges:
            if len(self._edges) >= KEPT:
                self._edges.clear()
            self._edges[key] = edges_on(self.table, board, hands)
        return self._edges[key]


KEPT = 64  # boards whose edges are kept: hands of a duplicate pair follow one another


class View:
    """What the holder of one seat's cards, and everybody else, knows; the hands of the other seat are open."""

    def __init__(self, aivat: Aivat, record: HandRecord, seat: int) -> None:
        """`seat` is the player whose hands are averaged over."""
        self.aivat, self.record, self.seat = aivat, record, seat
        self.hands = hands_of(record)
        self.other = self.hands[1 - seat]
        self.real = np.zeros(record.table.deck.hands)
        self.real[self.hands[seat]] = 1.0
        self._possible: dict[int, Floats] = {}

    def board(self, street: int) -> tuple[int, ...]:
        """The board as it is on a street."""
        return self.record.board[: self.record.table.board_size(street)]

    def possible(self, street: int) -> Floats:
        """[hands] 1 for hands that share no card with the other player's and the board of a street."""
        if street not in self._possible:
            found = apart(self.record.table, self.board(street), [self.other])[0]
            self._possible[street] = found.astype(np.float64)
        return self._possible[street]

    def edge(self, street: int) -> Floats:
        """[hands] the big blind's edge for each hand of the seat."""
        over_other = self.aivat.edges(self.board(street), self.hands)[1 - self.seat]
        return over_other if self.seat == 0 else -over_other

    def mean(self, weight: Floats, worth: Worth, street: int) -> float:
        """V: the mean of a + b edge over the hands of the seat, by weight."""
        return worth.a + (worth.b * float(weight @ self.edge(street)) / float(weight.sum()) if worth.b else 0.0)

    def expected(self, event: Event, weight: Floats) -> float:
        """The mean of V after a move, over the moves that might have been made; the other seat has its real hand."""
        if event.before.mover != self.seat:
            return sum(
                float(choice.odds[self.other]) * self.mean(weight, choice.worth, event.before.street)
                for choice in event.choices
                if choice.odds[self.other] > 0.0
            )
        a = np.sum([choice.worth.a * choice.odds for choice in event.choices], axis=0)
        b = np.sum([choice.worth.b * choice.odds for choice in event.choices], axis=0)
        return float(weight @ (a + b * self.edge(event.before.street))) / float(weight.sum())

    def after(self, event: Event, weight: Floats) -> Floats:
        """[hands] weights after the move that was made; only the seat's own moves change them."""
        made = [choice.odds for choice in event.choices if choice.move == event.move]
        if not made or not made[0][self.hands[event.before.mover]] > 0.0:
            raise self._never_played()
        return weight * made[0] if event.before.mover == self.seat else weight

    def _never_played(self) -> AgentError:
        record = self.record
        return AgentError(
            f"hand {record.number}, {record.line!r}: the policies given never play this; expected those of "
            f"{record.names[0]} and {record.names[1]}, in this order"
        )


def normalised(odds: Odds) -> Odds:
    """Probabilities that add up to 1 for each hand, as agents draw from them."""
    total: npt.NDArray[np.float64] = np.sum(list(odds.values()), axis=0)
    return {move: p / np.where(total > 0.0, total, 1.0) for move, p in odds.items()}
