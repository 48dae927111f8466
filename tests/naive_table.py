"""What happens at a table of a tiny deck, written out plainly: ranges and values hand by hand, and exact results.

Payoffs are chips since the start of the hand. The package is imported where it is used, so that copies of it with bugs
can be looked at.
"""

import functools
import itertools
import math

import numpy as np
from naive_abstract import strength

OVER, NOBODY = -1, -1


class Twin:
    """A policy asked one hand at a time."""

    def __init__(self, policy):
        self.policy, self.table = policy, policy.table
        self.hands = [tuple(cards) for cards in policy.table.deck.hand_cards.tolist()]
        self.law = functools.cache(self._law)

    def _law(self, hole, board, line):
        """The moves of a hand after a line, with probabilities."""
        from mccfr.playing.many_hands import DealtHands
        from mccfr.playing.policy import believe

        s, moves = self.table.at(line)
        came = board[: self.table.board_size(s.street)]
        hands = DealtHands(self.table, np.array([(*hole, *came)], np.uint8))
        found = self.policy.odds(believe(self.policy, hands, moves, s.mover), s, hands)
        return {move: float(p[0]) for move, p in found.items()}

    def range(self, board, line, seat):
        """P(moves of a seat | hand) for each hand, 0 where cards are shared."""
        found = []
        for hole in self.hands:
            p, s = 0.0 if set(hole) & set(board) else 1.0, self.table.start
            for move in self.table.at(line)[1]:
                if s.mover == seat and p > 0.0:
                    p *= self.law(hole, board, s.line).get(move, 0.0)
                s = self.table.play(s, move)
            found.append(p)
        return np.array(found)

    def value(self, holes, board, s):
        """What seat 0 gets with these hands if both follow the policy from a state on."""
        cards = cards_to_come(self.table, s, board)
        if cards:
            every = later_boards(self.table, holes, board, cards)
            return sum(self.value(holes, each, s) for each in every) / len(every)
        if s.mover == OVER:
            return payoff(self.table, s, holes, board)
        law = self.law(holes[s.mover], board, s.line)
        return sum(p * self.value(holes, board, self.table.play(s, move)) for move, p in law.items() if p > 0.0)

    def alternatives(self, board, line, player):
        """alt(j) for each hand of the opponent of `player`, by pairs of hands."""
        s, weights = self.table.at(line)[0], self.range(board, line, player)
        sign = 1.0 if player == 1 else -1.0
        found = np.zeros(len(self.hands))
        for j, theirs in enumerate(self.hands):
            if set(theirs) & set(board):
                continue
            pairs = [(w, mine) for w, mine in zip(weights, self.hands) if w > 0.0 and not set(mine) & set(theirs)]
            worth = [w * self.value((mine, theirs) if player == 0 else (theirs, mine), board, s) for w, mine in pairs]
            found[j] = sign * sum(worth) / sum(w for w, _ in pairs)
        return found


def cards_to_come(table, s, board):
    """How many cards of the next street are missing; at a showdown, of the whole board."""
    size = sum(table.deals) if s.mover == OVER and s.folded == NOBODY else table.board_size(s.street)
    if s.mover == OVER and s.folded != NOBODY:
        return 0
    streets = list(itertools.accumulate(table.deals))
    return 0 if len(board) >= size else next(end for end in streets if end > len(board)) - len(board)


def later_boards(table, holes, board, count):
    """The board with all cards that may come next."""
    seen = {*board, *holes[0], *holes[1]}
    left = [card for card in range(table.deck.cards) if card not in seen]
    return [(*board, *new) for new in itertools.combinations(left, count)]


def payoff(table, s, holes, board):
    """What seat 0 gets at an end."""
    stake = min(s.stakes)
    if s.folded != NOBODY:
        return -stake if s.folded == 0 else stake
    mine, theirs = (strength((*hole, *board), table.suits) for hole in holes)
    return stake * ((mine > theirs) - (mine < theirs))


# Whole matches --------------------------------------------------------------------------------------------------------


class Exact:
    """What a seat gets against a policy in the other one, over all deals: by another policy, or at best."""

    def __init__(self, policy, seat, own=None):
        self.policy, self.seat, self.own, self.table = policy, seat, own, policy.table
        self.hands = self.table.deck.hand_cards
        shares = [np.isin(self.hands, cards).any(axis=1) for cards in self.hands.tolist()]
        self.apart = ~np.array(shares)

    def value(self):
        """Chips on average."""
        count = len(self.hands)
        begin = self.policy.begin(count), self.own and self.own.begin(count)
        return float(self.below(self.table.start, (), *begin).sum() / self.apart.sum())

    def below(self, s, board, theirs, mine):
        """[hands] what each own hand gets from here on, chance and the other's reach counted in."""
        from mccfr.playing.many_hands import BoardHands

        count = cards_to_come(self.table, s, board)
        if count:
            return self.dealt(s, board, count, theirs, mine)
        reach = self.policy.reach(theirs) * self.free(board)
        if s.mover == OVER:
            return self.end(s, board, reach)
        hands = BoardHands(self.table, board)
        if s.mover != self.seat:
            odds = self.policy.odds(theirs, s, hands)
            return sum(
                self.below(self.table.play(s, move), board, self.policy.after(theirs, s, move, hands, True),
                           self.own and self.own.after(mine, s, move, hands, False))
                for move, p in odds.items() if (p * reach).any()
            )  # fmt: skip
        if self.own is None:
            return np.max([self.answer(s, board, theirs, mine, move, hands) for move in self.every(s)], axis=0)
        odds = self.own.odds(mine, s, hands)
        return sum(p * self.answer(s, board, theirs, mine, move, hands) for move, p in odds.items() if p.any())

    def answer(self, s, board, theirs, mine, move, hands):
        after = self.policy.after(theirs, s, move, hands, False)
        own = self.own and self.own.after(mine, s, move, hands, True)
        return self.below(self.table.play(s, move), board, after, own)

    def every(self, s):
        """All legal moves of limit."""
        legal = self.table.legal(s)
        return [*legal.moves, *([self.table.raise_to(s, legal.bounds[0])] if legal.bounds else [])]

    def dealt(self, s, board, count, theirs, mine):
        left = [card for card in range(self.table.deck.cards) if card not in board]
        ways = math.comb(len(left) - 4, count)
        found = np.zeros(len(self.hands))
        for new in itertools.combinations(left, count):
            later = (*board, *new)
            found += self.free(later) * self.below(s, later, theirs, mine) / ways
        return found

    def end(self, s, board, reach):
        stake = min(s.stakes)
        if s.folded != NOBODY:
            return (-stake if s.folded == self.seat else stake) * (self.apart @ reach)
        place = places_on(self.table, board)
        return stake * ((np.sign(place[:, None] - place[None, :]) * self.apart) @ reach)

    def free(self, board):
        return ~np.isin(self.hands, board).any(axis=1)


@functools.cache
def places_on(table, board):
    """[hands] their place in the order of strength on a board; those that share a card with it are last."""
    hands = [tuple(hole) for hole in table.deck.hand_cards.tolist()]
    found = [(-1, []) if set(hole) & set(board) else strength((*hole, *board), table.suits) for hole in hands]
    order = sorted(found)
    return np.array([order.index(each) for each in found])


def exploitability(policy):
    """What a best response wins on average over both seats."""
    return 0.5 * (Exact(policy, 0).value() + Exact(policy, 1).value())


def match(one, other):
    """What one policy wins against another on average over both seats."""
    return 0.5 * (Exact(other, 0, one).value() + Exact(other, 1, one).value())
