"""What local best response wins: by all deals on a small deck, or by hands that are drawn.

Both go through a hand in the same way and differ in what they look at where the other player moves or cards come:
everything, or a part that is drawn. Payoffs are means over the whole range of the other player, whose hand is never
dealt: at the end of a hand, and for every move of the other player that ends it (`imaginary observations`
[Bowling et al. 2008], here exact since the strategy is known). When both are all-in they are means over the boards that
can follow, too. None of this changes the mean.
"""

import math
import random
from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, Move
from mccfr.games.holdem import HOLE_CARDS
from mccfr.playing.lbr import LocalBestResponse, Spot
from mccfr.playing.showdown_chances import remaining, ways_to_choose

Floats = npt.NDArray[np.float64]


class Answer(NamedTuple):
    """A move of the other player: how likely the range makes it, and what follows."""

    share: float
    move: Move
    spot: Spot


class Looks(Protocol):
    """What is looked at where the other player moves or cards come, each with its share of the value."""

    def answers(self, answers: list[Answer]) -> Iterator[tuple[float, Spot]]:
        """Moves of the other player."""
        ...

    def boards(self, lbr: LocalBestResponse, spot: Spot) -> Iterator[tuple[float, tuple[int, ...]]]:
        """Boards after the next cards."""
        ...


class Everything:
    """All moves and all cards, each by its probability."""

    def answers(self, answers: list[Answer]) -> Iterator[tuple[float, Spot]]:
        for answer in answers:
            yield answer.share, answer.spot

    def boards(self, lbr: LocalBestResponse, spot: Spot) -> Iterator[tuple[float, tuple[int, ...]]]:
        weight = lbr.range_at(spot)
        rest = remaining(lbr.table, (*spot.own, *spot.board))
        count = lbr.table.board_size(spot.state.street) - len(spot.board)
        ways = math.comb(len(rest) - HOLE_CARDS, count)
        for chosen in rest[ways_to_choose(len(rest), count)].tolist():
            met = np.isin(lbr.table.deck.hand_cards, chosen).any(axis=1)
            share = float(weight[~met].sum()) / (ways * float(weight.sum()))
            if share > 0.0:
                yield share, (*spot.board, *chosen)


class OneDrawn:
    """All moves that end the hand, one of the others, and one board; drawn by their probabilities."""

    def __init__(self, dice: random.Random) -> None:
        """Remember the dice."""
        self.dice = dice

    def answers(self, answers: list[Answer]) -> Iterator[tuple[float, Spot]]:
        going_on = []
        for answer in answers:
            if answer.spot.state.mover == OVER:
                yield answer.share, answer.spot
            else:
                going_on.append(answer)
        if going_on:
            shares = [answer.share for answer in going_on]
            yield sum(shares), self.dice.choices(going_on, shares)[0].spot

    def boards(self, lbr: LocalBestResponse, spot: Spot) -> Iterator[tuple[float, tuple[int, ...]]]:
        weight = lbr.range_at(spot)
        held = np.flatnonzero(weight)
        theirs = lbr.table.deck.hand_cards[self.dice.choices(held, weight[held].tolist())[0]].tolist()
        rest = remaining(lbr.table, (*spot.own, *spot.board, *theirs)).tolist()
        count = lbr.table.board_size(spot.state.street) - len(spot.board)
        yield 1.0, (*spot.board, *self.dice.sample(rest, count))


def value_at(lbr: LocalBestResponse, spot: Spot, looks: Looks) -> Floats:
    """[streets] what local best response wins from a spot on, in chips since the start, by the street of the end."""
    s = spot.state
    if s.mover == OVER:
        found = np.zeros(lbr.table.streets)
        found[s.street] = payoff(lbr, spot)
        return found
    parts: Iterator[tuple[float, Spot]]
    if spot.waits_for_cards:
        parts = ((share, lbr.with_board(spot, board)) for share, board in looks.boards(lbr, spot))
    elif s.mover == spot.seat:
        return value_at(lbr, lbr.after(spot, lbr.best(spot).move), looks)
    else:
        parts = looks.answers(answers_of(lbr, spot))
    return np.sum([share * value_at(lbr, each, looks) for share, each in parts], axis=0)


def answers_of(lbr: LocalBestResponse, spot: Spot) -> list[Answer]:
    """The moves that the range of the other player makes, by how much of it makes each."""
    weight = lbr.range_at(spot)
    odds = lbr.policy.odds(spot.belief, spot.state, spot.hands)
    shares = {move: float(weight @ p) / float(weight.sum()) for move, p in odds.items()}
    return [Answer(share, move, lbr.after(spot, move)) for move, share in shares.items() if share > 0.0]


def payoff(lbr: LocalBestResponse, spot: Spot) -> float:
    """What local best response wins at an end, on average over the range of the other player, in chips."""
    s, stake = spot.state, lbr.table.betting.stake(spot.state)
    if s.folded != NOBODY:
        return -stake if s.folded == spot.seat else stake
    return stake * (2.0 * lbr.wins(spot, lbr.range_at(spot)) - 1.0)


def exact_value(lbr: LocalBestResponse, seat: int) -> Floats:
    """[streets] what local best response wins in a seat, over all deals of a small deck."""
    hands = [(low, high) for low, high in lbr.table.deck.hand_cards.tolist()]
    return np.mean([value_at(lbr, lbr.begin(seat, own), Everything()) for own in hands], axis=0)


def drawn_value(lbr: LocalBestResponse, seat: int, own: tuple[int, int], dice: random.Random) -> Floats:
    """[streets] an unbiased estimate of what local best response wins in a seat with these cards."""
    return value_at(lbr, lbr.begin(seat, own), OneDrawn(dice))
