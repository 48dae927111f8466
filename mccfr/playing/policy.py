"""A strategy at a table, for many hands at once: what each of them does, whatever has been bet.

A policy answers three questions about hands that all saw the same betting. Its belief says at which nodes of its own
tree the betting may stand, for each hand with which weight: an off-tree bet may be taken for two sizes
(`mccfr.playing.translation`), and what the player did afterwards tells which it was. So

    odds(belief, s, hands)            P(move | hand, all betting so far), exactly
    after(belief, s, move, hands, own)    the belief after a move of its own, or of the other player

and sampling a move from the odds has the same law as keeping one node in mind for the whole hand.
"""

import abc
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import FOLDS, Move, State
from mccfr.betting.structures import Limit
from mccfr.playing.agent import AgentError
from mccfr.playing.many_hands import NO_ROW, BoardHands, ManyHands
from mccfr.playing.table import Table, table_of
from mccfr.playing.translation import LOST, follow, real_move
from mccfr.strategy.strategy import Strategy

Floats = npt.NDArray[np.float64]


class Thought(NamedTuple):
    """A node at which betting may stand in a policy's own tree, and for each hand how likely it came there."""

    node: int
    weight: Floats  # [n] P(own moves so far, and what off-tree bets were taken for | hand)


Belief = list[Thought]
Odds = dict[Move, Floats]  # [n] probability of each move for each hand


class Policy(abc.ABC):
    """What hands do at a table, as probabilities. Any policy is an agent, and is known to AIVAT and LBR."""

    name: str
    table: Table
    at_own_table = False  # whether it plays at one table only, that of a strategy
    quick = True  # whether thousands of hands take seconds

    def begin(self, count: int) -> Belief:
        """The belief before the first move, for so many hands."""
        return [Thought(0, np.ones(count))]

    @abc.abstractmethod
    def odds(self, belief: Belief, s: State, hands: ManyHands) -> Odds:
        """For each legal move that is ever made here, [n] its probability for each hand."""

    def after(self, belief: Belief, s: State, move: Move, hands: ManyHands, own: bool) -> Belief:
        """The belief after a move made in state s."""
        if not own:
            return belief
        made = self.odds(belief, s, hands).get(move)
        weight = belief[0].weight * (0.0 if made is None else made)
        return [Thought(0, weight)]

    def reach(self, belief: Belief) -> Floats:
        """[n] P(own moves so far | hand)."""
        return np.sum([thought.weight for thought in belief], axis=0)

    def prepare(self, hands: int) -> None:  # noqa: B027  most have nothing to prepare
        """Make ready for so many hands: large tables are worth their time if many are to be played."""


class StrategyPolicy(Policy):
    """A strategy of hold'em through buckets, played at a table of the same blinds and stacks in any unit of chips."""

    at_own_table = True

    def __init__(self, strategy: Strategy, table: Table | None = None, name: str = "") -> None:
        """Fit a strategy to a table, by default its own."""
        tree = strategy.tree.buckets
        if tree is None:
            raise AgentError(
                f"a strategy of {strategy.game} cannot sit at a table: expected one of hold'em through buckets, "
                "such as blueprint:nolimit"
            )
        self.strategy, self.tree = strategy, tree
        own = table_of(tree.given)
        self.table = own if table is None else table
        self.scale = chips_per_chip(own, self.table, name or strategy.game)
        self.name = name or strategy.game
        self.probabilities = strategy.probabilities

    def odds(self, belief: Belief, s: State, hands: ManyHands) -> Odds:
        total = self.reach(belief)
        found: Odds = {}
        for node, weight in belief:
            share = np.where(total > 0.0, weight / np.where(total > 0.0, total, 1.0), 1.0 / len(belief))
            for _, move, p in self._moves(node, s, hands):
                found[move] = found[move] + share * p if move in found else share * p
        return found

    def after(self, belief: Belief, s: State, move: Move, hands: ManyHands, own: bool) -> Belief:
        found = self._after_own(belief, s, move, hands) if own else self._after_other(belief, s, move)
        if own and not found:  # the strategy never does this: take it for the nearest it could have done
            found = self._after_other(belief, s, move)
        return found

    def _after_own(self, belief: Belief, s: State, move: Move, hands: ManyHands) -> Belief:
        made = [
            Thought(child, weight * p)
            for node, weight in belief
            for child, each, p in self._moves(node, s, hands)
            if each == move
        ]
        return _merged([thought for thought in made if thought.weight.any()])

    def _after_other(self, belief: Belief, s: State, move: Move) -> Belief:
        taken = [
            Thought(child, weight * p)
            for node, weight in belief
            for child, p in follow(self.tree.betting, node, s, move)
        ]
        return _merged(taken)

    def _moves(self, node: int, s: State, hands: ManyHands) -> list[tuple[int, Move, Floats]]:
        """For each move of a node the next node, the move at the table, and [n] its probabilities."""
        betting = self.tree.betting
        if node == LOST or betting.kind[node] != s.mover:
            return [(LOST, move, p) for move, p in beyond_the_tree(self.table, s, hands).items()]
        rows = hands.rows(self.tree, s.street)
        table = self.tree.infosets.at_node(self.probabilities, node)
        p = table[np.where(rows == NO_ROW, 0, rows)].astype(np.float64)
        children = betting.children(node)
        return [
            (child, real_move(betting, node, child, s, self.table, self.scale), p[:, j])
            for j, child in enumerate(children)
        ]

    def prepare(self, hands: int) -> None:
        if hands >= MANY_HANDS:
            _ = self.tree.look


MANY_HANDS = 2000  # from which on large tables are loaded, or made once and kept in the cache folder


def beyond_the_tree(table: Table, s: State, hands: ManyHands) -> Odds:
    """Where a tree has no node: check if that is free, otherwise call with hands that beat enough others now.

    Enough is halfway between the price of the call and certainty, since whoever bets there is strong. The rule is ours.
    """
    legal = table.legal(s)
    if legal.moves[0].kind != FOLDS:
        return {legal.moves[0]: np.ones(hands.count)}
    theirs, mine = s.stakes[1 - s.mover], s.stakes[s.mover]
    price = (theirs - mine) / (2 * theirs)
    calls = (hands.strength(s.street) >= (1.0 + price) / 2.0).astype(np.float64)
    return {legal.moves[0]: 1.0 - calls, legal.moves[1]: calls}


def chips_per_chip(own: Table, table: Table, name: str) -> Fraction:
    """How many chips of a table one chip of a strategy's own table is; refuses a table with other rules."""
    scale = Fraction(table.big_blind, own.big_blind)
    if not same_rules(own, table, scale):
        raise AgentError(f"{name} is for {own!r}, which is not {table!r}")
    return scale


def same_rules(own: Table, table: Table, scale: Fraction) -> bool:
    """Whether two tables differ in the unit of chips only."""

    def chips(each: Table, times: Fraction) -> tuple[object, ...]:
        rules = each.betting
        posted = tuple(blind * times for blind in (*rules.posted, rules.ante))
        if isinstance(rules, Limit):
            return (*posted, *((size * times, cap) for size, cap in rules.by_street))
        return (*posted, rules.stack * times)

    cards = (own.ranks, own.suits, own.deals) == (table.ranks, table.suits, table.deals)
    kinds = type(own.betting) is type(table.betting) and own.betting.dealer == table.betting.dealer
    return cards and kinds and chips(own, scale) == chips(table, Fraction(1))


def _merged(belief: Belief) -> Belief:
    """Thoughts about one node added up."""
    found: dict[int, Floats] = {}
    for node, weight in belief:
        found[node] = found[node] + weight if node in found else weight
    return [Thought(node, weight) for node, weight in found.items()]


def believe(policy: Policy, hands: ManyHands, moves: Sequence[Move], seat: int) -> Belief:
    """What a policy in a seat believes after these moves, from the start of a hand."""
    belief, s = policy.begin(hands.count), policy.table.start
    for move in moves:
        belief = policy.after(belief, s, move, hands, s.mover == seat)
        s = policy.table.play(s, move)
    return belief


def range_after(policy: Policy, board: Sequence[int], moves: Sequence[Move], seat: int) -> Floats:
    """[hands of the deck] P(moves of this seat | hand); 0 for hands that share a card with the board."""
    hands = BoardHands(policy.table, board)
    weight = policy.reach(believe(policy, hands, moves, seat))
    free = ~np.isin(policy.table.deck.hand_cards, board).any(axis=1)
    return np.where(free, weight, 0.0)
