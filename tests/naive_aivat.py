"""AIVAT once more, slowly and obviously: the formula of [Burch 2018] over all histories of a game.

K are the players whose strategies are known, chance among them. U(h) are the histories that differ from h only in cards
that were dealt to the players in `hidden`, who must be known. pi_K(h) is the probability of the moves of K on the way.

    estimate(z) = sum_{z' in U(z)} pi_K(z') u(z') / sum_{U(z)} pi_K(z')
                + sum over ha on the way to z with h a move of K of
                    sum_{h' in U(h)} sum_a' pi_K(h'a') v(h'a') / sum_{h' in U(h)} pi_K(h')
                  - sum_{h' in U(ha)} pi_K(h') v(h') / sum_{h' in U(ha)} pi_K(h')

A law says what is done: from a state to {label: probability}. The first two moves of a game deal the players' cards.
"""

from collections import defaultdict
from typing import Any, NamedTuple

from mccfr.games.base import CHANCE, TERMINAL


class History(NamedTuple):
    state: Any
    labels: tuple = ()
    reach: tuple = (1.0, 1.0, 1.0)  # of player 0, of player 1, of chance


def law_at(game, law, state):
    return dict(game.chances(state)) if game.player(state) == CHANCE else law(state)


def children(game, law, h):
    who = game.player(h.state)
    if who == TERMINAL:
        return
    for label, p in law_at(game, law, h.state).items():
        reach = tuple(each * p if seat == who % 3 else each for seat, each in enumerate(h.reach))  # chance is -1
        yield History(game.step(h.state, label), (*h.labels, label), reach)


def histories(game, law):
    waiting = [History(game.root())]
    while waiting:
        h = waiting.pop()
        yield h
        waiting += children(game, law, h)


def masked(labels, hidden):
    return tuple("?" if place in hidden else label for place, label in enumerate(labels))


class Aivat:
    """All sums over U, for one choice of known and hidden players."""

    def __init__(self, game, law, known, hidden, value):
        assert set(hidden) <= set(known)
        self.game, self.law, self.hidden = game, law, hidden
        self.actors = {CHANCE, *known}
        self.reach, self.values, self.payoffs, self.expected = (defaultdict(float) for _ in range(4))
        for h in histories(game, law):
            key, weight = masked(h.labels, hidden), self.known_reach(h)
            self.reach[key] += weight
            self.values[key] += weight * value(h)
            if game.player(h.state) == TERMINAL:
                self.payoffs[key] += weight * game.payoff(h.state)[0]
            elif game.player(h.state) in self.actors:
                for child in children(game, law, h):
                    self.expected[key] += self.known_reach(child) * value(child)

    def known_reach(self, h):
        found = h.reach[2]
        for seat in (0, 1):
            found *= h.reach[seat] if seat in self.actors else 1.0
        return found

    def estimate(self, z):
        key = masked(z.labels, self.hidden)
        total, state = self.payoffs[key] / self.reach[key], self.game.root()
        for place, label in enumerate(z.labels):
            if self.game.player(state) in self.actors:
                before, after = key[:place], key[: place + 1]
                total += self.expected[before] / self.reach[before] - self.values[after] / self.reach[after]
            state = self.game.step(state, label)
        return total


def terminals(game, law):
    return [h for h in histories(game, law) if game.player(h.state) == TERMINAL]


def probability(h):
    return h.reach[0] * h.reach[1] * h.reach[2]


def expectation(game, law, h):
    """What player 0 gets on average from a history on."""
    if game.player(h.state) == TERMINAL:
        return game.payoff(h.state)[0]
    laws = law_at(game, law, h.state)
    return sum(p * expectation(game, law, History(game.step(h.state, label))) for label, p in laws.items())
