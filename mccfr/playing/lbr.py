"""Local best response: a player that knows the strategy of the other one, and looks one move ahead.

It keeps the exact range of the other player: P(moves so far | hand) for every hand that shares no card with its own
hand and the board. At its own decision, with `pot` chips in the middle and `asked` to call, a move is worth, in chips
from here on,

    fold                  0
    check or call         wp pot - (1 - wp) asked
    raise, a beyond that  fp pot + (1 - fp) (wp' (pot + a) - (1 - wp') (asked + a))

where wp is the probability of winning, ties half, against the range if both check and call to the end, fp the
probability that the range folds to the raise, and wp' is wp against the part of the range that does not fold. It makes
the best move, and folds if none is worth more than nothing. [Lisy and Bowling 2017]

What this player wins is a lower bound on what a best response wins. Nothing follows from a small or negative value.

Differences from the paper: a raise that the other player's tree does not have is mapped as that player maps it
(`mccfr.playing.translation`), moves whose values differ by rounding only count as equal and the first of them is made,
and if the other player does what its strategy never does, its range is every hand again.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import FOLD, FOLDS, OVER, Move, State
from mccfr.playing.lbr_settings import LbrSetting, StreetRule
from mccfr.playing.many_hands import BoardHands
from mccfr.playing.policy import Belief, Policy
from mccfr.playing.showdown_chances import showdown_chances

Floats = npt.NDArray[np.float64]
EQUAL = 1e-9  # chips by which a later move must be better to be made


class Spot(NamedTuple):
    """What local best response knows in the middle of a hand. The cards of the other player are not there."""

    seat: int  # its own
    own: tuple[int, int]  # its own cards
    board: tuple[int, ...]  # as far as it has come
    state: State
    belief: Belief  # of the other player
    hands: BoardHands  # every hand on this board

    @property
    def waits_for_cards(self) -> bool:
        """Whether a street has begun whose cards have not come."""
        size = self.hands.table.board_size(self.state.street)
        return self.state.mover != OVER and len(self.board) < size


class Weighed(NamedTuple):
    """A move and what it is worth in chips from here on."""

    move: Move
    value: float


class LocalBestResponse:
    """Local best response to a policy, in one setting."""

    def __init__(self, policy: Policy, setting: LbrSetting) -> None:
        """Remember who is played against, and what is weighed."""
        self.policy, self.setting, self.table = policy, setting, policy.table

    def begin(self, seat: int, own: tuple[int, int]) -> Spot:
        """The start of a hand with these cards."""
        hands = BoardHands(self.table, ())
        return Spot(seat, own, (), self.table.start, self.policy.begin(hands.count), hands)

    def after(self, spot: Spot, move: Move) -> Spot:
        """The spot after a move of whoever's turn it was."""
        s = spot.state
        belief = self.policy.after(spot.belief, s, move, spot.hands, own=s.mover != spot.seat)
        return spot._replace(state=self.table.play(s, move), belief=belief)

    def with_board(self, spot: Spot, board: tuple[int, ...]) -> Spot:
        """The spot when cards have come."""
        return spot._replace(board=board, hands=BoardHands(self.table, board))

    def range_at(self, spot: Spot) -> Floats:
        """[hands] how likely the other player holds each, not normalised."""
        blocked = np.isin(self.table.deck.hand_cards, (*spot.own, *spot.board)).any(axis=1)
        weight: Floats = np.where(blocked, 0.0, self.policy.reach(spot.belief))
        return weight if weight.any() else np.where(blocked, 0.0, 1.0)

    def wins(self, spot: Spot, weight: Floats) -> float:
        """P(win) + P(tie) / 2 against a weighted range if nobody folds any more."""
        total = float(weight.sum())
        return float(weight @ showdown_chances(self.table, spot.own, spot.board)) / total if total > 0.0 else 0.0

    def best(self, spot: Spot) -> Weighed:
        """The move that local best response makes, and what it is worth to it."""
        rule = self.setting.rule(spot.state.street)
        if not rule.chooses:
            return Weighed(self.table.legal(spot.state).moves[-1], float("nan"))
        first, *others = self.weigh(spot, rule)
        found = first
        for each in others:
            found = each if each.value > found.value + EQUAL else found
        return found

    def weigh(self, spot: Spot, rule: StreetRule) -> list[Weighed]:
        """All moves that a setting weighs, with their values: fold first, raises last."""
        s, weight = spot.state, self.range_at(spot)
        pot, asked = sum(s.stakes), s.stakes[1 - spot.seat] - s.stakes[spot.seat]
        passive = self.table.legal(s).moves
        wp = self.wins(spot, weight)
        call = Weighed(passive[-1], value_of_call(wp, pot, asked))
        fold = [Weighed(FOLD, 0.0)] if passive[0].kind == FOLDS else []
        return [*fold, call, *(self.weigh_raise(spot, weight, move) for move in rule.raises(self.table, s))]

    def weigh_raise(self, spot: Spot, weight: Floats, move: Move) -> Weighed:
        """A raise and its value, by what the other player's range would do."""
        s, after = spot.state, self.after(spot, move)
        folds = self.policy.odds(after.belief, after.state, spot.hands).get(FOLD)
        stays = weight if folds is None else weight * (1.0 - folds)
        fp = 1.0 - float(stays.sum()) / float(weight.sum())
        pot, asked = sum(s.stakes), s.stakes[1 - spot.seat] - s.stakes[spot.seat]
        beyond = s.opened + move.amount - s.stakes[1 - spot.seat]
        return Weighed(move, value_of_raise(fp, self.wins(spot, stays), pot, asked, beyond))


def value_of_call(wp: float, pot: float, asked: float) -> float:
    """What a check or call is worth if nobody folds or bets any more."""
    return wp * pot - (1.0 - wp) * asked


def value_of_raise(fp: float, wp: float, pot: float, asked: float, beyond: float) -> float:
    """What a raise is worth if it is answered by folding or calling, and nobody bets any more."""
    return fp * pot + (1.0 - fp) * (wp * (pot + beyond) - (1.0 - wp) * (asked + beyond))
