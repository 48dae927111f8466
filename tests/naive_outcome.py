"""Outcome sampling that explores by counts, slow and obvious: the twin of `outcome(explore=counts)`. [Li et al. 2020]

    q(a) = (1 - alpha) sigma(a) + alpha q_e(a),   q_e(a) ~ 1 + beta / C(a)^gamma              [eq. 8 and 9]

C(a): how often a was drawn at its infoset before, counted from 1. With `new_first`, q_e is uniform over the actions
never drawn while there are any, and C counts from 0 afterwards. A walk is one line; nothing is kept but dictionaries.
"""

import math
from typing import NamedTuple

import naive

from mccfr.games.base import CHANCE, TERMINAL


class Exploration(NamedTuple):
    """The parameters as they are written; None stands for what changes with t."""

    gamma: float = 0.5
    new_first: bool = False
    alpha: float | None = None
    beta: float | None = None
    others: bool = False


def explored(strategy, drawn, t, by):
    """The law of one infoset: its strategy, and how often each of its actions was drawn before."""
    alpha = 1 / math.log(t + 10) if by.alpha is None else by.alpha
    beta = math.log(t + 10) if by.beta is None else by.beta
    if by.new_first and 0 in drawn:
        rare = [1 if c == 0 else 0 for c in drawn]
    elif by.new_first:
        rare = [1 + beta / c**by.gamma for c in drawn]
    else:
        rare = [1 + beta / (c + 1) ** by.gamma for c in drawn]
    return [(1 - alpha) * p + alpha * r / sum(rare) for p, r in zip(strategy, rare)]


class Walker:
    """Iterations of outcome sampling with regret matching.

    draw(law): the index of an action; deal(odds): that of an outcome of chance.
    """

    def __init__(self, game, by, draw, deal):
        self.game, self.by, self.draw, self.deal = game, by, draw, deal
        self.regrets, self.sums, self.drawn = naive.zeros(game), naive.zeros(game), naive.zeros(game)

    def iterate(self, t):
        for i in (0, 1):
            self.walk(i, t, naive.History(self.game.root()), 1.0)

    def walk(self, i, t, h, w):
        """The value of h to player i, estimated from one line below it; w: what regrets below count."""
        who, below = self.game.player(h.state), list(naive.children(self.game, h))
        if who == TERMINAL:
            return self.game.payoff(h.state)[i]
        if who == CHANCE:
            return self.walk(i, t, below[self.deal([child.moves[-1].odds for child in below])], w)
        key = (who, self.game.infoset(h.state))
        sigma = naive.regret_matching(self.regrets[key])
        if who != i:
            self.sums[key] = [s + w * p for s, p in zip(self.sums[key], sigma)]
        law = explored(sigma, self.drawn[key], t, self.by) if who == i or self.by.others else sigma
        a = self.draw(law)
        if who == i or self.by.others:
            self.drawn[key] = [c + (j == a) for j, c in enumerate(self.drawn[key])]
        if who != i:
            ratio = sigma[a] / law[a]
            return ratio * self.walk(i, t, below[a], w * ratio)
        seen = self.walk(i, t, below[a], w / law[a]) / law[a]
        value = sigma[a] * seen
        self.regrets[key] = [r + w * ((seen if j == a else 0.0) - value) for j, r in enumerate(self.regrets[key])]
        return value
