"""Bounds on average regret: Zinkevich et al. 2007, Lanctot et al. 2009, Gibson et al. 2012; and their constants.

All have the form C / sqrt(T). In those of vanilla CFR and of MCCFR the number of infosets |I_i| may be replaced by the
smaller M_i of [Lanctot et al. 2009]. For other estimators, such as probing, that takes a condition which is only in a
technical report, so |I_i| stays there.
"""

import collections
import math
from typing import NamedTuple

import numpy as np

from mccfr.auditing.regret_variance import Law, own_law, probing_of
from mccfr.errors import MethodError
from mccfr.kernel.layout import KIND, TERMINAL
from mccfr.solvers.method import Method
from mccfr.tree.infosets import Infosets
from mccfr.tree.tree import Tree


class Constants(NamedTuple):
    """What the bounds of one player need to know of a game."""

    infosets: int  # |I_i|
    m: float  # M_i, from sqrt(|I_i|) to |I_i|
    actions: int  # |A_i|, the most at one infoset
    delta: float  # Delta_i = max u_i(z) - min u_i(z)


def game_constants(tree: Tree, player: int) -> Constants:
    """Infosets with a single action are in no tree of ours and are not counted: there is nothing to regret."""
    infosets = tree.infosets
    mine = infosets.of(player)
    payoffs = tree.written.reals[::2][tree.nodes[KIND::4] == int(TERMINAL)]
    arity = infosets.arity[mine.start : mine.stop]
    return Constants(len(mine), m_value(infosets, player), int(arity.max()), float(np.ptp(payoffs)))


def m_value(infosets: Infosets, player: int) -> float:
    """M_i = sum over sequences of own actions of sqrt(number of infosets that come after it). [Lanctot et al. 2009, 3]

    A sequence consists of actions as they are called, whatever else happened in between.
    """
    after: dict[int, tuple[str, ...]] = {-1: ()}  # by the entry played last
    count: collections.Counter[tuple[str, ...]] = collections.Counter()
    for j in infosets.of(player):
        sequence = after[int(infosets.parent[j])]
        count[sequence] += 1
        for a, action in enumerate(infosets.actions(j)):
            after[int(infosets.row[j]) + a] = (*sequence, action)
    return sum(math.sqrt(n) for n in count.values())


def estimate_range(tree: Tree, player: int, method: Method) -> float:
    """A bound on the difference between two estimates at an infoset: Delta~ of theorem 1, Delta^ of theorem 2.

    It is Delta / delta. Importance sampling divides by the probability that own draws lead to an ending, and delta is
    the least of these, whatever the strategy. Probing divides only by that of coming to the infoset, and by that of an
    action's having a value there. Draws of chance and of the other player cancel, since they are followed on policy;
    the weights of probes off policy do not, so these have no range here.
    """
    probing = probing_of(method)
    if probing.epsilon > 0.0:
        raise MethodError(f"the range of estimates: probes must be on policy, got {method}")
    least = _least_reach(tree.infosets, player, own_law(method.sampler), probing.share)
    return game_constants(tree, player).delta / least


def _least_reach(infosets: Infosets, player: int, law: Law, share: float) -> float:
    """min q_i(I) r_a, r_a that action a has a value there: q_i(z) if none is probed, q_i(I) if all are.

    An action is least likely to be drawn if it is not played.
    """
    reach, least = {-1: 1.0}, 1.0
    for j in infosets.of(player):
        here, k = reach[int(infosets.parent[j])], int(infosets.arity[j])
        drawn = min(law([0.0] * k))
        reach.update((int(infosets.row[j]) + a, here * drawn) for a in range(k))
        least = min(least, here * (1.0 - (1.0 - drawn) * (1.0 - share)))
    return least


def vanilla(constants: Constants, iterations: float, with_m: bool = False) -> float:
    """Delta |I| sqrt|A| / sqrt(T), or with M: C_v / sqrt(T). [Zinkevich et al. 2007, 4; Lanctot et al. 2009]"""
    size = constants.m if with_m else constants.infosets
    return constants.delta * size * math.sqrt(constants.actions / iterations)


def theorem_1(constants: Constants, spread: float, p: float, iterations: float, with_m: bool = False) -> float:
    """(Delta~ + sqrt(2) Delta~ / sqrt(p)) |I| sqrt|A| / sqrt(T), with probability 1 - p. [Gibson et al. 2012, (2)]

    With M and Delta~ = Delta it is C_es / sqrt(T), the bound of external sampling. [Lanctot et al. 2009]
    """
    size = constants.m if with_m else constants.infosets
    return (spread + math.sqrt(2.0) * spread / math.sqrt(p)) * size * math.sqrt(constants.actions / iterations)


def lemma_1(
    constants: Constants,
    spread: float,
    variance: float,
    bias: float,
    p: float,
    iterations: float,
    covariance: float = 0.0,
) -> float:
    """|I| sqrt|A| (Delta^ / sqrt(T) + sqrt(Var / (p T) + Cov / p + E^2 / p)). [Gibson et al. 2012]

    Cov is between iterations, and 0 if every estimate is unbiased whatever came before.
    """
    noise = math.sqrt(variance / (p * iterations) + covariance / p + bias**2 / p)
    return constants.infosets * math.sqrt(constants.actions) * (spread / math.sqrt(iterations) + noise)


def theorem_2(constants: Constants, spread: float, variance: float, p: float, iterations: float) -> float:
    """(Delta^ + sqrt(Var) / sqrt(p)) |I| sqrt|A| / sqrt(T), if estimates are unbiased. [Gibson et al. 2012, (3)]"""
    factor = spread + math.sqrt(variance) / math.sqrt(p)
    return factor * constants.infosets * math.sqrt(constants.actions) / math.sqrt(iterations)
