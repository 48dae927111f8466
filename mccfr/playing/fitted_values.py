"""Value functions for AIVAT from hands that two policies play against each other, many at once.

For every line of betting that comes up, what the big blind won is fitted by a + b edge, by least squares. In units of
the larger stake m, y / m = alpha + beta edge, and a few pseudo-observations pull (alpha, beta) towards those of a wider
class of states, and these towards (0, 1), which is calling down. Lines that never came up have the values of their
class. The hands are drawn here, from a seed, before anything is evaluated: a value function that has seen the hands
that it judges can give any result [Kim and Sandholm 2026].
"""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, Move, State
from mccfr.errors import quoted
from mccfr.playing.agent import AgentError
from mccfr.playing.aivat import Worth, normalised
from mccfr.playing.all_in import all_in_edges
from mccfr.playing.many_hands import DealtHands
from mccfr.playing.policy import Belief, Floats, Policy, Thought
from mccfr.playing.table import Table

Ints = npt.NDArray[np.int64]
Class = tuple[int, int, int, int]
PULL = 20.0  # pseudo-observations
CALLING_DOWN = 0.0, 1.0  # alpha and beta
HANDS = 20_000


class Sums(NamedTuple):
    """What a least-squares fit needs: sums over observations of an edge e and a payoff y, in units of the stake."""

    size: float = 0.0
    e: float = 0.0
    ee: float = 0.0
    y: float = 0.0
    ey: float = 0.0

    def more(self, e: Floats, y: Floats) -> "Sums":
        """With more observations."""
        added = (len(e), e.sum(), e @ e, y.sum(), e @ y)
        return Sums(*(float(old + new) for old, new in zip(self, added)))

    def fit(self, towards: tuple[float, float]) -> tuple[float, float]:
        """alpha and beta, pulled towards given ones: normal equations with PULL added to their diagonal."""
        left = np.array([[self.size + PULL, self.e], [self.e, self.ee + PULL]])
        right = np.array([self.y + PULL * towards[0], self.ey + PULL * towards[1]])
        alpha, beta = np.linalg.solve(left, right)
        return float(alpha), float(beta)


@dataclasses.dataclass(frozen=True)
class FittedValues:
    """A value function by line of betting.

    Attributes:
        lines: alpha and beta of lines.
        classes: alpha and beta of classes of states, for lines that are not there.
        hands: How many hands they were fitted on.
    """

    lines: dict[str, tuple[float, float]]
    classes: dict[Class, tuple[float, float]]
    hands: int = 0

    def worth(self, table: Table, s: State) -> Worth:
        """a and b of a state at which the hand goes on."""
        alpha, beta = self.lines.get(s.line) or self.classes.get(class_of(table, s), CALLING_DOWN)
        stake = float(max(s.stakes))
        return Worth(alpha * stake, beta * stake)


def class_of(table: Table, s: State) -> Class:
    """States that are much alike: the street, the mover, whether there is a bet to call, and how large the pot is."""
    asked = s.stakes[1 - s.mover] > s.stakes[s.mover]
    return s.street, s.mover, int(asked), int(np.log2(max(s.stakes) / table.big_blind) + 0.5)


def fit_values(policies: Sequence[Policy], hands: int = HANDS, seed: int = 0) -> FittedValues:
    """Fit a value function to hands that two policies play, the first as the big blind.

    Args:
        policies: The policies of both seats; the same twice for self-play.
        hands: How many hands they play.
        seed: Of the cards and of the moves. Evaluated hands must come from another.

    Returns:
        A value function for `aivat`.

    Raises:
        AgentError: If the policies are for different tables, or `hands` is not a number of hands.
    """
    if policies[0].table != policies[1].table:
        raise AgentError(f"{policies[0].name} plays at {policies[0].table!r}, {policies[1].name} does not")
    if isinstance(hands, bool) or not isinstance(hands, int) or hands < 1:
        raise AgentError(f"hands must be a whole number of at least 1, got {quoted(hands)}")
    play = Play(policies, np.random.default_rng([seed, 0xA17A7]), hands)
    play.run()
    classes = {key: sums.fit(CALLING_DOWN) for key, sums in play.classes.items()}
    lines = {line: sums.fit(classes[key]) for line, (key, sums) in play.lines.items()}
    return FittedValues(lines, classes, hands)


class Group(NamedTuple):
    """Deals whose betting has been the same so far."""

    numbers: Ints  # [n] of the deals
    hands: tuple[DealtHands, DealtHands]  # of either seat
    beliefs: tuple[Belief, Belief]
    edge: Floats  # [n] the big blind's, with the board as it is

    def some(self, which: npt.NDArray[np.bool_]) -> "Group":
        """Only some of the deals."""
        one, other = (each.some(np.flatnonzero(which)) for each in self.hands)
        first, second = ([Thought(node, weight[which]) for node, weight in belief] for belief in self.beliefs)
        return Group(self.numbers[which], (one, other), (first, second), self.edge[which])


class Play:
    """Many hands played side by side, with sums of edges and payoffs by line."""

    def __init__(self, policies: Sequence[Policy], dice: np.random.Generator, hands: int) -> None:
        """Deal the cards."""
        self.policies, self.dice, self.table = policies, dice, policies[0].table
        order = dice.random((hands, self.table.deck.cards)).argsort(axis=1)
        self.cards = order[:, : self.table.cards_dealt].astype(np.uint8)
        self.lines: dict[str, tuple[Class, Sums]] = {}
        self.classes: dict[Class, Sums] = {}

    def run(self) -> Floats:
        """Play all hands; [hands] what the big blind won, all-ins by their expectation."""
        numbers, board = np.arange(len(self.cards)), self.cards[:, 4:]
        one, other = (
            DealtHands(self.table, np.concatenate((self.cards[:, 2 * seat : 2 * seat + 2], board), axis=1))
            for seat in (0, 1)
        )
        first, second = (policy.begin(len(numbers)) for policy in self.policies)
        return self._from(self.table.start, Group(numbers, (one, other), (first, second), self._edges(numbers, 0)))

    def _edges(self, numbers: Ints, street: int) -> Floats:
        """[n] the big blind's edge in these deals on a street."""
        cards = self.cards[numbers]
        return all_in_edges(self.table, cards[:, :4], cards[:, 4 : 4 + self.table.board_size(street)])

    def _from(self, s: State, group: Group) -> Floats:
        """[n] what the big blind won in these deals from a state on."""
        if s.mover == OVER:
            stake = self.table.betting.stake(s)
            folded = np.full(len(group.numbers), self.table.betting.payoffs(s)[0])
            return stake * group.edge if s.folded == NOBODY else folded
        odds = normalised(self.policies[s.mover].odds(group.beliefs[s.mover], s, group.hands[s.mover]))
        drawn, upto = self.dice.random(len(group.numbers)), np.zeros(len(group.numbers))
        won, left = np.zeros(len(group.numbers)), np.ones(len(group.numbers), np.bool_)
        for number, (move, p) in enumerate(odds.items()):
            upto = upto + p
            chosen = left & ((drawn < upto) | (number == len(odds) - 1))
            left &= ~chosen
            if chosen.any():
                won[chosen] = self._after(s, move, group.some(chosen))
        self._note(s, group.edge, won)
        return won

    def _after(self, s: State, move: Move, group: Group) -> Floats:
        """The same from a move on."""
        after = self.table.play(s, move)
        if after.mover == OVER:
            return self._from(after, group)
        first, second = (
            policy.after(belief, s, move, hands, s.mover == seat)
            for seat, (policy, belief, hands) in enumerate(zip(self.policies, group.beliefs, group.hands))
        )
        edge = group.edge if after.street == s.street else self._edges(group.numbers, after.street)
        return self._from(after, group._replace(beliefs=(first, second), edge=edge))

    def _note(self, s: State, edge: Floats, won: Floats) -> None:
        """Add what was won from a state on to the sums of its line and of its class."""
        key, share = class_of(self.table, s), won / max(s.stakes)
        self.lines[s.line] = key, Sums().more(edge, share)  # a line is come to once
        self.classes[key] = self.classes.get(key, Sums()).more(edge, share)
