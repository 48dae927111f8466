"""Players that need no training: always fold, always call, random moves, and one that goes by pot odds."""

import numpy as np

from mccfr.betting.lines import FOLDS, Move, State
from mccfr.betting.structures import Limit
from mccfr.playing.many_hands import ManyHands
from mccfr.playing.policy import Belief, Odds, Policy
from mccfr.playing.table import Table

STRONG = 0.75  # share of hands beaten from which on the pot-odds player bets


class SimplePolicy(Policy):
    """A policy that forgets all but the state of betting."""

    def __init__(self, table: Table) -> None:
        """Sit down at a table."""
        self.table = table


class AlwaysFold(SimplePolicy):
    """Folds to every bet, and checks where that is free."""

    name = "always_fold"

    def odds(self, belief: Belief, s: State, hands: ManyHands) -> Odds:
        return {self.table.legal(s).moves[0]: np.ones(hands.count)}


class AlwaysCall(SimplePolicy):
    """Checks and calls."""

    name = "always_call"

    def odds(self, belief: Belief, s: State, hands: ManyHands) -> Odds:
        return {self.table.legal(s).moves[-1]: np.ones(hands.count)}


class RandomMoves(SimplePolicy):
    """Fold, check or call, and raise are equally likely where they are legal; in no-limit, the pot and all-in."""

    name = "random"

    def odds(self, belief: Belief, s: State, hands: ManyHands) -> Odds:
        legal = self.table.legal(s)
        moves = list(legal.moves)
        if legal.bounds is not None:
            moves.append(pot_raise(self.table, s))
            all_in = self.table.raise_to(s, legal.bounds[1])
            moves += [] if all_in in moves else [all_in]
        return {move: np.full(hands.count, 1.0 / len(moves)) for move in moves}


class PotOdds(SimplePolicy):
    """Calls if its hand beats enough others for the price, and raises (the pot, or by the limit) with strong hands."""

    name = "pot_odds"

    def odds(self, belief: Belief, s: State, hands: ManyHands) -> Odds:
        legal = self.table.legal(s)
        strength = hands.strength(s.street)
        strong = ((strength >= STRONG) & (legal.bounds is not None)).astype(np.float64)
        found = {pot_raise(self.table, s): strong} if legal.bounds is not None else {}
        if legal.moves[0].kind != FOLDS:
            return {**found, legal.moves[0]: 1.0 - strong}
        asked, theirs = s.stakes[1 - s.mover] - s.stakes[s.mover], s.stakes[1 - s.mover]
        calls = (strength >= asked / (2 * theirs)) * (1.0 - strong)
        return {**found, legal.moves[1]: calls, legal.moves[0]: 1.0 - strong - calls}


def pot_raise(table: Table, s: State) -> Move:
    """A bet or raise of the pot as it is after calling, or the nearest that is legal."""
    theirs = s.stakes[1 - s.mover]
    pot = 0 if isinstance(table.betting, Limit) else 2 * theirs
    return table.nearest(s, theirs - s.opened + pot)


SIMPLE = {policy.name: policy for policy in (AlwaysFold, AlwaysCall, RandomMoves, PotOdds)}
