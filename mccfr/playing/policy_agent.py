"""A policy as an agent: one hand at a time, with dice."""

import random

import numpy as np

from mccfr.betting.lines import Move
from mccfr.playing.agent import Agent, chosen
from mccfr.playing.many_hands import DealtHands
from mccfr.playing.policy import Policy, believe
from mccfr.playing.seen import Seen


class PolicyAgent(Agent):
    """Draws its moves from a policy's odds."""

    def __init__(self, policy: Policy) -> None:
        """Wrap a policy."""
        self.policy, self.name = policy, policy.name
        self._hands: tuple[tuple[int, ...], DealtHands] | None = None

    def start(self, seen: Seen, dice: random.Random) -> None:
        super().start(seen, dice)
        self._hands = None

    def move(self, seen: Seen) -> Move:
        return chosen(self.odds(seen), self.dice)

    def odds(self, seen: Seen) -> dict[Move, float]:
        """Probabilities of moves for the player who sees this and is to move; needs no hand to have been started."""
        hands = self._one_hand(seen)
        belief = believe(self.policy, hands, seen.moves, seen.seat)
        found = self.policy.odds(belief, seen.state, hands)
        return {move: float(p[0]) for move, p in found.items() if p[0] > 0.0}

    def _one_hand(self, seen: Seen) -> DealtHands:
        """The hand with its board; what was worked out for earlier streets is kept."""
        cards = (*seen.hole, *seen.board)
        known = self._hands
        hands = DealtHands(seen.table, np.array([cards], np.uint8))
        if known is not None and cards[: len(known[0])] == known[0]:
            hands._rows = dict(known[1]._rows)  # a copy: another board may follow the same cards
        self._hands = cards, hands
        return hands
