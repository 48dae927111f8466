"""Local best response as an agent: it plays against somebody whose strategy it knows."""

from mccfr.betting.lines import Move
from mccfr.playing.agent import Agent
from mccfr.playing.lbr import LocalBestResponse, Spot
from mccfr.playing.many_hands import BoardHands
from mccfr.playing.policy import believe
from mccfr.playing.seen import Seen


class LbrAgent(Agent):
    """Makes the moves of local best response to a policy, which it takes the other player to follow."""

    def __init__(self, lbr: LocalBestResponse) -> None:
        """Wrap local best response."""
        self.lbr = lbr
        self.name = f"lbr({lbr.setting.name}, {lbr.policy.name!r})"
        self._hands = BoardHands(lbr.table, ())

    def move(self, seen: Seen) -> Move:
        return self.lbr.best(self.spot(seen)).move

    def spot(self, seen: Seen) -> Spot:
        """What local best response knows of a hand that is being played."""
        if self._hands.board != seen.board:
            self._hands = BoardHands(self.lbr.table, seen.board)
        belief = believe(self.lbr.policy, self._hands, seen.moves, 1 - seen.seat)
        low, high = sorted(seen.hole)
        return Spot(seen.seat, (low, high), seen.board, seen.state, belief, self._hands)
