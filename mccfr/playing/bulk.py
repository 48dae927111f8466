"""Many deals played at once by two policies: deals with the same betting stay together.

All deals begin in one group. A group asks the policy that is to move for the odds of all its hands, draws a move for
each, and is divided by these moves; so a line of betting costs the same whether one deal takes it or a thousand.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, Move, State
from mccfr.cards.evaluator import evaluate
from mccfr.playing.draw_moves import belief_of_some, move_groups
from mccfr.playing.many_hands import DealtHands
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Belief, Policy
from mccfr.playing.table import Table

Cards = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
HOLE = 2


class Ending(NamedTuple):
    """Where betting ended for some deals."""

    state: State
    moves: tuple[Move, ...]
    deals: Ints  # their numbers


class PlayedDeals(NamedTuple):
    """What became of many deals."""

    table: Table
    cards: Cards  # [n, 4 + board] the big blind's hole cards, the dealer's, the board
    payoff: Floats  # [n] what the big blind won
    endings: list[Ending]

    def street_of_end(self) -> Ints:
        """[n] the street on which betting ended."""
        found = np.zeros(len(self.cards), np.int64)
        for ending in self.endings:
            found[ending.deals] = ending.state.street
        return found

    def records(self, names: tuple[str, str], first: int = 0) -> list[HandRecord]:
        """Every deal as a record, in order."""
        found: list[HandRecord | None] = [None] * len(self.cards)
        for state, moves, deals in self.endings:
            seen = self.table.board_size(state.street if state.folded != NOBODY else self.table.streets - 1)
            for number in deals.tolist():
                cards = tuple(self.cards[number].tolist())
                holes = cards[:HOLE], cards[HOLE : 2 * HOLE]
                board = cards[2 * HOLE : 2 * HOLE + seen]
                found[number] = HandRecord(self.table, holes, board, moves, names, first + number)
        return [record for record in found if record is not None]


class _Group(NamedTuple):
    """Deals with the same betting."""

    state: State
    moves: tuple[Move, ...]
    deals: Ints
    hands: tuple[DealtHands, DealtHands]
    beliefs: tuple[Belief, Belief]


def deal_to_many(table: Table, count: int, dice: np.random.Generator) -> Cards:
    """[count, 4 + board] cards of so many hands."""
    order = dice.random((count, table.ranks * table.suits)).argpartition(range(table.cards_dealt), axis=1)
    return order[:, : table.cards_dealt].astype(np.uint8)


def play_deals(
    table: Table, policies: Sequence[Policy], cards: Cards, dice: Sequence[np.random.Generator]
) -> PlayedDeals:
    """Play every deal once, the first policy as the big blind; each throws dice of its own."""
    payoff, endings = np.zeros(len(cards)), list[Ending]()
    waiting = [_first_group(table, policies, cards)]
    while waiting:
        group = waiting.pop()
        if group.state.mover == OVER:
            endings.append(Ending(group.state, group.moves, group.deals))
            payoff[group.deals] = settled(table, group.state, cards[group.deals])
        else:
            waiting += _divided(table, policies, group, dice[group.state.mover])
    return PlayedDeals(table, cards, payoff, endings)


def seat_cards(cards: Cards, seat: int) -> Cards:
    """[n, 2 + board] the hole cards of a seat, and the board."""
    mine = cards[:, HOLE * seat : HOLE * (seat + 1)]
    return np.ascontiguousarray(np.concatenate((mine, cards[:, 2 * HOLE :]), axis=1))


def settled(table: Table, s: State, cards: Cards) -> Floats:
    """[n] what the big blind wins at an end of betting."""
    if s.folded != NOBODY:
        return np.full(len(cards), table.betting.payoffs(s)[0])
    return table.betting.stake(s) * showdown_signs(table, cards)


def showdown_signs(table: Table, cards: Cards) -> Floats:
    """[n] 1 where the big blind has the better cards, -1 where the dealer has, 0 at ties."""
    whole = (4 * (cards // table.suits) + cards % table.suits).astype(np.uint8)
    mine, theirs = (evaluate(seat_cards(whole, seat)) for seat in (0, 1))
    return np.sign(mine - theirs).astype(np.float64)


def _first_group(table: Table, policies: Sequence[Policy], cards: Cards) -> _Group:
    one, other = (DealtHands(table, seat_cards(cards, seat)) for seat in (0, 1))
    beliefs = policies[0].begin(len(cards)), policies[1].begin(len(cards))
    return _Group(table.start, (), np.arange(len(cards)), (one, other), beliefs)


def _divided(table: Table, policies: Sequence[Policy], group: _Group, dice: np.random.Generator) -> list[_Group]:
    """A group after its next move, as one group for each move that was made."""
    s, mover = group.state, group.state.mover
    odds = policies[mover].odds(group.beliefs[mover], s, group.hands[mover])
    return [_after(table, policies, group, move, here) for move, here in move_groups(odds, dice)]


def _after(table: Table, policies: Sequence[Policy], group: _Group, move: Move, here: Ints) -> _Group:
    """The part of a group that makes a move."""
    s = group.state
    after = table.betting.play(s, move)
    hands = group.hands[0].some(here), group.hands[1].some(here)
    if after.mover == OVER:
        return _Group(after, (*group.moves, move), group.deals[here], hands, ([], []))
    one, other = (
        policy.after(belief_of_some(belief, here), s, move, hands[seat], s.mover == seat)
        for seat, (policy, belief) in enumerate(zip(policies, group.beliefs))
    )
    return _Group(after, (*group.moves, move), group.deals[here], hands, (one, other))
