"""What each move is worth in a situation, if two policies play on from there.

A player holds a hand; the other's hands are weighted by the probability that its policy makes the moves it has made.
With w the weights of pairs (board b, hand h of the other) and u the chips that the player wins from here on,

    EV(move) = sum_bh w(b, h) u(b, h) / sum_bh w(b, h)

Where few boards can follow, all boards and all later moves are gone through, and the value is exact: on the river, on
the turn, and in small decks. Otherwise boards are drawn, on each of them hands by their weight, and later moves by
their probability; errors are those of a ratio of means over boards. All moves meet the same boards and hands, so that
differences between them are known better than the values.
"""

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, Move, State
from mccfr.cards.deck import hand_of
from mccfr.cards.evaluator import rank_deck
from mccfr.jobs.statistics import Interval
from mccfr.playing.draw_moves import belief_of_some, move_groups
from mccfr.playing.hands_on_boards import Boards, HandsOnBoards
from mccfr.playing.many_hands import Floats, Ints
from mccfr.playing.policy import Belief, Odds, Policy, believe
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table

BOARDS = 60  # so many are drawn where more could follow
HANDS_A_BOARD = 60  # hands of the other player that are drawn on each board


class MoveValues(NamedTuple):
    """What moves are worth: sums over the hands on each board.

    Attributes:
        sums: For each move [boards] the weighted chips won from here on; folding at once wins 0.
        weights: [boards] the weights of the other's hands on each board.
        exact: Whether every board and every later move was gone through.
        believed: Whether the other's policy makes its moves with any hand; if not, all hands count alike.
    """

    sums: dict[Move, Floats]
    weights: Floats
    exact: bool
    believed: bool

    def value(self, move: Move) -> Interval:
        """What a move is worth in chips."""
        return self._ratio(self.sums[move])

    def mix(self, odds: Mapping[Move, float]) -> Interval:
        """What moves drawn with these probabilities are worth."""
        return self._ratio(self._mixed(odds))

    def loss(self, odds: Mapping[Move, float], done: Move) -> Interval:
        """By how much moves drawn with these probabilities are worth more than the move that was made."""
        return self._ratio(self._mixed(odds) - self.sums[done])

    def _mixed(self, odds: Mapping[Move, float]) -> Floats:
        return np.sum([p * self.sums[move] for move, p in odds.items()], axis=0) / sum(odds.values())

    def _ratio(self, sums: Floats) -> Interval:
        return ratio_of_means(sums, self.weights, self.exact)


def ratio_of_means(sums: Floats, weights: Floats, exact: bool) -> Interval:
    """sum(sums) / sum(weights) over boards, with the 95 % interval of a ratio of means by Student's law."""
    from scipy.special import stdtrit

    ratio = float(sums.sum() / weights.sum())
    count = len(weights)
    if exact or count < 2:
        return Interval(ratio, ratio, ratio)
    rest = (sums - ratio * weights) / weights.mean()
    half = float(stdtrit(count - 1, 0.975)) * math.sqrt(float((rest**2).sum()) / (count * (count - 1)))
    return Interval(ratio, ratio - half, ratio + half)


def move_values(
    seen: Seen, moves: Sequence[Move], own: Policy, other: Policy, dice: random.Random, boards: int = BOARDS
) -> MoveValues:
    """What each of these moves is worth to the player who sees this and is to move.

    Args:
        seen: The situation, with the player's cards.
        moves: Legal moves.
        own: What the player does afterwards.
        other: What the other player does, and has done.
        dice: What boards, hands and moves are drawn with.
        boards: Up to how many boards are looked at; those that follow are drawn where there are more.

    Returns:
        The values of all moves on the same boards.
    """
    following, exact = boards_to_come(seen, boards, dice)
    policies = (own, other) if seen.seat == 0 else (other, own)
    room = _Pairs(seen, following, policies, None if exact else np.random.default_rng(dice.getrandbits(64)))
    sums = {move: room.value_after(move) for move in moves}
    return MoveValues(sums, room.weights, exact, room.believed)


def boards_to_come(seen: Seen, most: int, dice: random.Random) -> tuple[list[tuple[int, ...]], bool]:
    """All whole boards that can follow, if there are at most so many; otherwise so many of them, drawn; and which."""
    table = seen.table
    rest = [card for card in range(table.ranks * table.suits) if card not in (*seen.hole, *seen.board)]
    deals = _deals_to_come(table, seen.state.street)
    ways, left = 1, len(rest)
    for cards in deals:
        ways, left = ways * math.comb(left, cards), left - cards
    if ways <= most:
        return [(*seen.board, *came) for came in _every_deal(rest, deals)], True
    return [(*seen.board, *dice.sample(rest, sum(deals))) for _ in range(most)], False


def _deals_to_come(table: Table, street: int) -> tuple[int, ...]:
    return table.deals[street:]


def _every_deal(rest: Sequence[int], deals: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not deals:
        yield ()
        return
    for first in itertools.combinations(rest, deals[0]):
        for later in _every_deal([card for card in rest if card not in first], deals[1:]):
            yield (*first, *later)


class _Group(NamedTuple):
    """Pairs that have seen the same betting, with their weights and what both policies believe."""

    pairs: Ints
    weight: Floats
    beliefs: tuple[Belief, Belief]

    def some(self, chosen: Ints) -> "_Group":
        one, other = (belief_of_some(belief, chosen) for belief in self.beliefs)
        return _Group(self.pairs[chosen], self.weight[chosen], (one, other))


class _Pairs:
    """Pairs of a board and a hand of the other player, which meet the hand of the player."""

    def __init__(
        self,
        seen: Seen,
        boards: Sequence[Sequence[int]],
        policies: tuple[Policy, Policy],
        dice: np.random.Generator | None,
    ) -> None:
        """Find the weights of all pairs; with dice, draw some of them."""
        self.seen, self.policies, self.dice = seen, policies, dice
        self.boards = Boards(seen.table, boards)
        self.ranks = np.array([rank_deck(board, seen.table.ranks, seen.table.suits) for board in boards])
        board, hand = np.nonzero(possible(seen, self.boards.cards))
        weight = self._reach(board, hand)
        self.believed = bool(weight.any())
        weight = weight if self.believed else np.ones(len(hand))
        kept = weight > 0.0
        board, hand, weight = board[kept], hand[kept], weight[kept]
        self.weights: Floats = np.bincount(board, weight, len(boards)).astype(np.float64)
        if dice is not None:
            board, hand, weight = drawn_by_weight(board, hand, weight, self.weights, dice)
        self.board, self.hand, self.weight = board, hand, weight
        mine = np.full(len(hand), hand_of(*seen.hole))
        hands = HandsOnBoards(self.boards, board, mine), HandsOnBoards(self.boards, board, hand)
        self.hands = hands if seen.seat == 0 else hands[::-1]

    def _reach(self, board: Ints, hand: Ints) -> Floats:
        """[pairs] P(moves of the other player | its hand)."""
        theirs = self.policies[1 - self.seen.seat]
        hands = HandsOnBoards(self.boards, board, hand)
        return theirs.reach(believe(theirs, hands, self.seen.moves, 1 - self.seen.seat))

    def value_after(self, move: Move) -> Floats:
        """[boards] weighted chips won from here on, after a move."""
        s = self.seen.state
        one, other = (believe(self.policies[p], self.hands[p], self.seen.moves, p) for p in (0, 1))
        group = _Group(np.arange(len(self.hand)), self.weight, (one, other))
        totals = np.zeros(len(self.boards.cards))
        self._play_on(self.seen.table.play(s, move), self._after(s, move, group), totals)
        return totals

    def _after(self, s: State, move: Move, group: _Group) -> _Group:
        one, other = (
            self.policies[p].after(group.beliefs[p], s, move, self.hands[p].some(group.pairs), s.mover == p)
            for p in (0, 1)
        )
        return group._replace(beliefs=(one, other))

    def _play_on(self, s: State, group: _Group, totals: Floats) -> None:
        """Add what the pairs of a group come to."""
        if s.mover == OVER:
            totals += np.bincount(self.board[group.pairs], group.weight * self._won(s, group.pairs), len(totals))
            return
        hands = self.hands[s.mover].some(group.pairs)
        odds = self.policies[s.mover].odds(group.beliefs[s.mover], s, hands)
        for move, part in self._divided(odds, group):
            self._play_on(self.seen.table.play(s, move), self._after(s, move, part), totals)

    def _divided(self, odds: Odds, group: _Group) -> Iterator[tuple[Move, _Group]]:
        """The group by moves: every pair at each of its moves by its probability, or at one that is drawn."""
        if self.dice is None:
            for move, p in odds.items():
                part = group.some(np.flatnonzero(p > 0.0))
                if len(part.pairs):
                    yield move, part._replace(weight=part.weight * p[p > 0.0])
            return
        for move, chosen in move_groups(odds, self.dice):
            yield move, group.some(chosen)

    def _won(self, s: State, pairs: Ints) -> Floats:
        """[pairs] chips that the player wins from here on, at an end."""
        seat, betting = self.seen.seat, self.seen.table.betting
        staked = self.seen.state.stakes[seat]
        if s.folded != NOBODY:
            return np.full(len(pairs), betting.payoffs(s)[seat] + staked)
        board = self.board[pairs]
        mine, theirs = self.ranks[board, hand_of(*self.seen.hole)], self.ranks[board, self.hand[pairs]]
        return np.sign(mine.astype(np.int64) - theirs) * betting.stake(s) + staked


def possible(seen: Seen, boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """[boards, hands] whether the other player can have a hand: it shares no card with the board or the player."""
    taken = np.zeros((len(boards), seen.table.ranks * seen.table.suits), bool)
    np.put_along_axis(taken, boards.astype(np.int64), True, axis=1)
    taken[:, list(seen.hole)] = True
    return np.asarray(~taken[:, seen.table.deck.hand_cards].any(axis=2))


def drawn_by_weight(
    board: Ints, hand: Ints, weight: Floats, totals: Floats, dice: np.random.Generator
) -> tuple[Ints, Ints, Floats]:
    """On each board hands drawn by their weight at equal distances, each with an equal share of the board's weight.

    One random number places all draws of a board: a hand is drawn as often as its weight says, up to one time.
    """
    boards, hands = [], []
    for number in np.flatnonzero(totals).tolist():
        here = np.flatnonzero(board == number)
        ends = np.cumsum(weight[here])
        places = (np.arange(HANDS_A_BOARD) + dice.random()) / HANDS_A_BOARD * ends[-1]
        boards.append(np.full(HANDS_A_BOARD, number))
        hands.append(hand[here[np.minimum(np.searchsorted(ends, places, "right"), len(here) - 1)]])
    chosen = np.concatenate(boards)
    return chosen, np.concatenate(hands), totals[chosen] / HANDS_A_BOARD
