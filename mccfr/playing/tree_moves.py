"""What a policy would do in a situation: its moves for one hand, those that it never makes too."""

import numpy as np

from mccfr.betting.lines import Move
from mccfr.playing.many_hands import DealtHands
from mccfr.playing.policy import Policy, believe
from mccfr.playing.seen import Seen


def tree_moves(policy: Policy, seen: Seen) -> dict[Move, float]:
    """Probability of each move of a policy for the player who sees this and is to move; 0 for those not made."""
    hands = DealtHands(seen.table, np.array([(*seen.hole, *seen.board)], np.uint8))
    found = policy.odds(believe(policy, hands, seen.moves, seen.seat), seen.state, hands)
    return {move: float(p[0]) for move, p in sorted(found.items())}
