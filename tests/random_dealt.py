"""Random games with hands: a public tree, public cards whose law depends on the hands, any payoffs. By plain rules."""

import random

import numpy as np

from mccfr.games.base import CHANCE, TERMINAL


class RandomDealt:
    """The rules of a random dealt game, as `mccfr.games.dealt.DealtRules` has them; a public state is its path."""

    def __init__(self, seed, hands=(3, 4), depth=4):
        self.seed, self.sizes, self.depth = seed, hands, depth
        dice = np.random.default_rng(seed)
        deal = dice.random(hands) * (dice.random(hands) > 0.2)
        deal[0, 0] += 0.1  # somebody can be dealt something
        self.chances = deal / deal.sum()

    def _dice(self, s, what):
        return random.Random(f"{self.seed} {s} {what}")

    def hands(self, player):
        return [f"{'ab'[player]}{h}" for h in range(self.sizes[player])]

    def deal(self):
        return self.chances

    def root(self):
        return ()

    def player(self, s):
        if len(s) == self.depth:
            return TERMINAL
        kinds = (0, 1, 0, 1, CHANCE, TERMINAL) if s else (0, 1)
        return self._dice(s, "player").choice(kinds)

    def actions(self, s):
        return [f"{'cx'[self.player(s) != CHANCE]}{j}" for j in range(self._dice(s, "actions").choice((2, 2, 3)))]

    def step(self, s, a):
        return (*s, a)

    def law(self, s):
        dice = np.random.default_rng(self._dice(s, "law").randrange(2**32))
        law = dice.random((*self.sizes, len(self.actions(s)))) + 0.05
        return law / law.sum(axis=2, keepdims=True)

    def possible(self, s, player):
        return None

    def ending(self, s):
        return s, 1.0

    def payoff(self, s):
        """[hands, hands] What the ending pays player 0."""
        dice = np.random.default_rng(self._dice(s, "pays").randrange(2**32))
        return dice.integers(-5, 6, self.sizes).astype(float)

    def chance_to(self, s):
        """[hands, hands] The probability of hands and public events."""
        found, at = self.chances.copy(), ()
        for a in s:
            if self.player(at) == CHANCE:
                found = found * self.law(at)[:, :, self.actions(at).index(a)]
            at = (*at, a)
        return found

    def matrix(self, key):
        return self.chance_to(key) * self.payoff(key)

    def label(self, s, player, hand):
        return f"{self.hands(player)[hand]}:{'/'.join(s)}"


class RandomDealtGame:
    """The game of such rules."""

    dealt_only = True
    players = 2

    def __init__(self, seed, **sizes):
        self.rules = RandomDealt(seed, **sizes)

    def __str__(self):
        return f"random_dealt({self.rules.seed})"

    def dealt(self):
        return self.rules
