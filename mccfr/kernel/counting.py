"""Exploring what was rarely drawn: q = (1 - alpha) q_s + alpha q_e, q_e(a) ~ 1 + beta / C(a)^gamma. [Li et al. 2020]

Equations 8 and 9. C(a): how often action a was drawn here. For public laws `here` is a public node and counts are kept
by child; for walks with one pair of hands it is an infoset and they are kept by table entry. A policy that explores so
has the fields gamma, new_first, alpha, beta and counts; `public_laws.Explored` says what they mean.
"""

import math

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import f64


@verb
def tally(policy, x):
    """The action whose count is kept at x has been drawn."""


tally.otherwise(lambda policy, x: None)


@inlined
def exploration_rate(t):
    """alpha_t, unless it is given."""
    return 1.0 / math.log(t + 10.0)


@inlined
def explored_share(policy, t):
    """alpha in iteration t."""
    return policy.alpha if policy.alpha > 0.0 else exploration_rate(t)


@inlined
def bonus(policy, t):
    """beta in iteration t."""
    return policy.beta if policy.beta >= 0.0 else math.log(t + 10.0)


@inlined
def rarity(policy, beta, x):
    """1 + beta / C^gamma."""
    seen = policy.counts[x] if policy.new_first else policy.counts[x] + 1.0
    return 1.0 + beta / max(seen, 1.0) ** policy.gamma


@inlined
def sum_of_rarities(policy, beta, first, k):
    """By what q_e is normalised; minus the number of actions never drawn, while there are any and these come first."""
    new = total = 0.0
    for x in range(first, first + k):
        new += f64(policy.counts[x] == 0.0)
        total += rarity(policy, beta, x)
    return -new if policy.new_first and new > 0.0 else total


@inlined
def rare_probability(policy, beta, total, x):
    """q_e of the action counted at x, given what `sum_of_rarities` says."""
    return f64(policy.counts[x] == 0.0) / -total if total < 0.0 else rarity(policy, beta, x) / total
