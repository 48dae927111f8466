"""Probes with options from their definitions, history by history: what one may bring, and how likely that is."""

import itertools
import math

import naive

from mccfr.games.base import CHANCE, TERMINAL


def within(law, part, parts):
    """The law of an index, given that a number from [0, 1) that draws it lies in the given one of equal parts."""
    ends = list(itertools.accumulate(law, initial=0.0))
    low, high = part / parts, (part + 1) / parts
    return [max(0.0, min(end, high) - max(begin, low)) * parts for begin, end in itertools.pairwise(ends)]


def rollouts(game, strategy, player, h, epsilon=0.0, part=0, parts=1):
    """[(probability, u(z) times sigma over law of all decisions)] of a rollout from h; the first one is in a part."""
    who = game.player(h.state)
    if who == TERMINAL:
        return [(1.0, game.payoff(h.state)[player])]
    if who == CHANCE:
        law = [odds for _, odds in game.chances(h.state)]
        weights = [1.0] * len(law)
    else:
        sigma = strategy[who, game.infoset(h.state)]
        mixed = [(1.0 - epsilon) * p + epsilon / len(sigma) for p in sigma]
        weights = [p / q if q > 0 else 0.0 for p, q in zip(sigma, mixed)]
        law, part, parts = within(mixed, part, parts), 0, 1
    found = []
    for child, q, weight in zip(naive.children(game, h), law, weights):
        below = rollouts(game, strategy, player, child, epsilon, part, parts) if q > 0 else []
        found += [(q * p, weight * x) for p, x in below]
    return found


def probes(game, strategy, player, h, number=1, share=1.0, epsilon=0.0, terminals=1):
    """{value: probability} of a probe from h: the mean of all its rollouts if a coin wants it, else 0."""
    found = {0.0: 1.0}
    for _, part in itertools.product(range(number), range(terminals)):
        one, further = rollouts(game, strategy, player, h, epsilon, part, terminals), {}
        for (total, p), (q, x) in itertools.product(found.items(), one):
            key = round(total + x / (number * terminals), 12)
            further[key] = further.get(key, 0.0) + p * q
        found = further
    coin = {value: share * p for value, p in found.items()}
    return coin | {0.0: coin.get(0.0, 0.0) + 1.0 - share} if share < 1.0 else coin


def mean(law):
    """Of a {value: probability}."""
    return math.fsum(x * p for x, p in law.items())


def variance(law):
    """Of a {value: probability}."""
    return math.fsum((x - mean(law)) ** 2 * p for x, p in law.items())
