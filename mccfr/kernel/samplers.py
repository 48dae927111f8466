"""Samplers: which actions a walk visits. A sampler states its law; the dice are thrown here and nowhere else.

At the walker's nodes each action has an inclusion probability rho(a) > 0, and the walk divides by the very number that
was drawn from. Other players and chance are followed one action at a time from their own strategies, unless the sampler
draws uniformly or follows all their actions.
"""

from typing import Any, NamedTuple

from mccfr.kernel.counting import bonus, explored_share, rare_probability, sum_of_rarities, tally
from mccfr.kernel.dice import below, uniform
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import LAST_BITS, U0, U1, U6, f64, u64

ALL, ONE, EACH, SOME = 0, 1, 2, 3  # every action; one; each by its own coin; a fixed number of them


class External(NamedTuple):
    """External sampling: all own actions, one of everybody else's. rho = 1. [Lanctot et al. 2009]

    The word is `external`. It is the one to begin with; its cost grows with the number of own actions.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.External()))
        external
    """


class Outcome(NamedTuple):
    """Outcome sampling: one own action, drawn from epsilon / |A| + (1 - epsilon) sigma. [Lanctot et al. 2009]

    The word is `outcome(epsilon=0.6)`. Walks are the cheapest there are, and their variance is high: add a baseline.

    Attributes:
        epsilon: How much to explore, from 0 to 1. At 0 an action that is not played is never tried, and the method is
            biased.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Outcome(0.6), estimator=mccfr.estimators.Predictive()))
        outcome(epsilon=0.6)+predictive
    """

    epsilon: float = 0.6


class CountedOutcome(NamedTuple):
    """Outcome sampling that explores rare actions: (1 - alpha) sigma + alpha q_e. [Li et al. 2020, eq. 8 and 9]

    q_e(a) ~ 1 + beta / C(a)^gamma

    C(a) is how often a was drawn at its infoset, counted from 1. The word is `outcome(explore=counts)`, or
    `outcome(explore=counts(alpha=0.1, beta=2))`. It is `vector(own=counts(mcs), other=mcs)` with vectors of one hand:
    the paper counts draws of public nodes, walks with one pair of hands those of infosets.

    Attributes:
        gamma: The power of the count.
        new_first: Whether q_e is uniform over the actions never drawn while there are any. Others are left to sigma
            until then, which may miss them: a bias of the first few visits.
        alpha: How much to explore, up to 1; 0 stands for 1 / ln(t + 10).
        beta: How much rare actions are favoured; below 0 stands for ln(t + 10). With 0, exploration is uniform.
        others: Whether the other player's actions are drawn by the same law at its own infosets, and weighed for it.
        counts: float64[entries] How often each action was drawn; a table that the solver makes.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.CountedOutcome(alpha=0.1), estimator=mccfr.estimators.History()))
        outcome(explore=counts(alpha=0.1))+history(rate=0)
    """

    gamma: float = 0.5
    new_first: bool = False
    alpha: float = 0.0
    beta: float = -1.0
    others: bool = False
    counts: Any = None  # float64[entries]


class Robust(NamedTuple):
    """Robust sampling: k distinct own actions, uniformly. rho = min(k, |A|) / |A|. [Li et al. 2020]

    The word is `robust(k=1)`. It takes at most 64 actions at an infoset.

    Attributes:
        k: How many own actions to visit, from 1.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Robust(2)))
        robust(k=2)
    """

    k: int = 1


class AverageStrategy(NamedTuple):
    """Average strategy sampling: each own action by its own coin. [Gibson et al. 2012, NIPS]

    rho(a) = min(1, max(epsilon, (beta + tau s(a)) / (beta + sum s)))

    Here s(a) is the cumulative average strategy. The word is `average_strategy(epsilon=0.05, beta=1e6, tau=1e3)`. A
    walk may visit no action at all.

    Attributes:
        epsilon: The least probability that an action is visited.
        beta: A bonus that makes early walks visit nearly everything, until the sums s reach it.
        tau: How strongly actions that are played often are favoured.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("average_strategy(0.05, 1000, 10)").sampler
        AverageStrategy(epsilon=0.05, beta=1000.0, tau=10.0)
    """

    epsilon: float = 0.05
    beta: float = 1e6
    tau: float = 1e3


class Listed(NamedTuple):
    """Each own action by its own coin, from a list: the custom schemes of [Gibson et al. 2012, 7].

    The word is `include(p=0.5, always=ends)`.

    Attributes:
        p: The probability of an action that is not certain.
        always: Which actions are certain: `"ends"` for the first and the last, `"bluff"` for the scheme for Bluff, or
            action labels separated by spaces.
        rho: [entries] The inclusion probabilities; a table that the solver makes.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Listed(0.5, "fold raise")))
        include(p=0.5, always='fold raise')
    """

    p: float = 0.5
    always: str = "ends"  # which actions are certain: a word for `bind`
    rho: Any = None  # [entries]


class PackedList(NamedTuple):
    """`Listed` for a table too large to keep a number for each entry: p, or 1 where a bit is set.

    A solver makes it from `Listed` where it is needed.

    Attributes:
        p: The probability of an action that is not certain.
        certain: uint64[entries / 64] A bit for every entry: whether its action is certain.
    """

    p: float
    certain: Any  # uint64[entries / 64]


class Chance(NamedTuple):
    """Chance sampling: all actions of both players, one of chance. [Zinkevich et al. 2007]

    The word is `chance`. It suits games with much chance and little else.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Chance()))
        chance
    """


class Uniform(NamedTuple):
    """One action everywhere, uniformly: own, other players' and chance's. [Davis, Schmid, Bowling 2019, 5]

    The word is `uniform`. Its variance is the highest of all samplers.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Uniform()))
        uniform
    """


class OnPolicyOpponent(NamedTuple):
    """One own action uniformly; everybody else on policy. [Davis, Schmid, Bowling 2019, 5]

    The word is `opponent_on_policy`. It draws as `Outcome(1.0)` does.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.OnPolicyOpponent()))
        opponent_on_policy
    """


class Everything(NamedTuple):
    """All actions of players and chance: no sampling at all. Every estimate is exact.

    The word is `everything`. It is there for checks and pictures; the full-width method `cfr` is much faster.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Everything()))
        everything
    """


@verb
def draws(sampler):
    """How the walker's own actions are drawn: ALL, ONE, EACH or SOME."""


@verb
def follows_all_others(sampler):
    """Whether all actions of other players are followed."""


@verb
def follows_all_chance(sampler):
    """Whether all outcomes of chance are followed."""


@verb
def draws_others_uniformly(sampler):
    """Whether other players' and chance's actions are drawn uniformly instead of by their own law."""


@verb
def explores_others(sampler):
    """Whether the other player's actions are drawn by `law` too, as if they were the walker's."""


@verb
def draw_off_policy(sampler, table, p, s, o, k, dice):
    """One action of a node that is not the walker's, by a law that is not its own; and 1 / its probability."""


@verb
def at_iteration(sampler, t):
    """The sampler with what its law has of iteration t worked out."""


@verb
def skips(sampler):
    """Whether own actions that are not visited keep their regrets as they are: see `mccfr.kernel.pruning`."""


@verb
def divisor(sampler, q):
    """By what the value of an own action is divided that is visited with probability q."""


@verb
def scale(sampler, table, o, k):
    """A number worked out once per visit and handed to `law`."""


@verb
def law(sampler, n, table, sigma, x):
    """Inclusion probability of the walker's action with entry x and current probability sigma."""


draws.register(External, Chance, Everything)(lambda sampler: ALL)
draws.register(Outcome, CountedOutcome, Uniform, OnPolicyOpponent)(lambda sampler: ONE)
draws.register(AverageStrategy, Listed, PackedList)(lambda sampler: EACH)
draws.register(Robust)(lambda sampler: SOME)

follows_all_others.register(Chance, Everything)(lambda sampler: True)
follows_all_others.otherwise(lambda sampler: False)
follows_all_chance.register(Everything)(lambda sampler: True)
follows_all_chance.otherwise(lambda sampler: False)
draws_others_uniformly.register(Uniform)(lambda sampler: True)
draws_others_uniformly.otherwise(lambda sampler: False)
explores_others.otherwise(lambda sampler: False)
explores_others.register(CountedOutcome)(lambda sampler: sampler.others)
draw_off_policy.otherwise(lambda sampler, table, p, s, o, k, dice: (below(dice, k), f64(k)))
at_iteration.otherwise(lambda sampler, t: sampler)
skips.otherwise(lambda sampler: False)
divisor.otherwise(lambda sampler, q: q)

scale.otherwise(lambda sampler, table, o, k: 1.0)
scale.register(Uniform, OnPolicyOpponent)(lambda sampler, table, o, k: 1.0 / f64(k))
scale.register(Outcome)(lambda sampler, table, o, k: sampler.epsilon / f64(k))
scale.register(Robust)(lambda sampler, table, o, k: min(f64(sampler.k), f64(k)) / f64(k))
scale.register(CountedOutcome)(lambda sampler, table, o, k: sum_of_rarities(sampler, sampler.beta, o, k))


@at_iteration.register(CountedOutcome)
def _(sampler, t):
    alpha, beta = explored_share(sampler, t), bonus(sampler, t)
    return CountedOutcome(sampler.gamma, sampler.new_first, alpha, beta, sampler.others, sampler.counts)


@tally.register(CountedOutcome)
def _(sampler, x):
    sampler.counts[x] += 1.0


@scale.register(AverageStrategy)
def _(sampler, table, o, k):
    total = sampler.beta
    for a in range(k):
        total += table.average[o + a]
    return total


law.register(External, Chance, Everything)(lambda sampler, n, table, sigma, x: 1.0)
law.register(Uniform, OnPolicyOpponent, Robust)(lambda sampler, n, table, sigma, x: n)
law.register(Outcome)(lambda sampler, n, table, sigma, x: n + (1.0 - sampler.epsilon) * sigma)
law.register(Listed)(lambda sampler, n, table, sigma, x: sampler.rho[x])
law.register(PackedList)(
    lambda sampler, n, table, sigma, x: 1.0 if (sampler.certain[x >> U6] >> (x & LAST_BITS)) & U1 else sampler.p
)


@law.register(AverageStrategy)
def _(sampler, n, table, sigma, x):
    return min(1.0, max(sampler.epsilon, (sampler.beta + sampler.tau * table.average[x]) / n))


@law.register(CountedOutcome)
def _(sampler, n, table, sigma, x):
    return (1.0 - sampler.alpha) * sigma + sampler.alpha * rare_probability(sampler, sampler.beta, n, x)


@inlined
def single(sampler, n, table, p, s, o, k, dice):
    """One action by the stated law, and its probability."""
    u = uniform(dice)
    a = U0
    q = law(sampler, n, table, p[s], o)
    total = q
    while u >= total and a < k - U1:
        a += U1
        q = law(sampler, n, table, p[s + a], o + a)
        total += q
    return a, q


@draw_off_policy.register(CountedOutcome)
def _(sampler, table, p, s, o, k, dice):
    a, q = single(sampler, scale(sampler, table, o, k), table, p, s, o, k, dice)
    return a, 1.0 / q


@inlined
def note_laws(sampler, n, table, p, s, o, k, real, g):
    """The law by which one action is drawn goes to real[g : g+k] as it is now: it may change before it is needed."""
    for a in range(k):
        real[g + a] = law(sampler, n, table, p[s + a], o + a)


@inlined
def subset(sampler, n, table, p, s, o, k, dice, real, g):
    """Bit mask of the actions to visit; their inclusion probabilities go to real[g : g+k]."""
    mask = U0
    left = f64(u64(f64(k) * n + 0.5))  # SOME: how many are still to be taken
    for a in range(k):
        q = law(sampler, n, table, p[s + a], o + a)
        real[g + a] = divisor(sampler, q)
        if draws(sampler) == EACH:
            take = (skips(sampler) and q == 1.0) or uniform(dice) < q  # most actions are certain where few are skipped
        else:
            take = uniform(dice) * (f64(k) - f64(a)) < left
            left -= f64(take)
        mask |= u64(take) << u64(a)
    return mask


@inlined
def following(mask, a, k):
    """The next action of the mask from a on, or k."""
    while a < k and (mask >> a) & U1 == U0:
        a += U1
    return a
