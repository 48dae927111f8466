"""Estimators: what an action is taken to be worth, seen or unseen.

A baseline b(h, a) is a control variate: v(a) = b(a) + 1[a visited] (y(a) - b(a)) / q(a) has the mean of y whatever b
is. Baselines of histories are kept for player 0, one per edge, at the node the edge leads to. Fields that default to
None are tables, made when a solver is.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, u64


class Plain(NamedTuple):
    """Importance sampling: v(a) = y / q where visited, else 0. [Lanctot et al. 2009]

    This is the default; the word is `plain`.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("external").estimator
        Plain()
    """


class Probe(NamedTuple):
    """Probing: v(a) = y where visited (not divided), else the mean of some rollouts.

    [Gibson et al. 2012, algorithm 1], where it is one rollout. The word is `probe(rollouts=1)`. Every own action that
    is not visited costs its rollouts; with `external` there are none.

    Attributes:
        rollouts: How many random games to play on from an action that is not visited.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Robust(1), estimator=mccfr.estimators.Probe(2)))
        robust(k=1)+probe(rollouts=2)
    """

    rollouts: int = 1


class GeneralProbe(NamedTuple):
    """Probing of some actions, off policy, or to several terminals: r = 1 - (1 - q)(1 - share) divides every value.

    Gibson et al. 2012 remark in "A New CFR Sampling Algorithm" that "one can perform multiple probes per non-sampled
    action, probe only a subset of the non-sampled actions, probe off-policy, or factor in multiple terminal histories
    per probe"; the formulas are ours. An action has a value if it is visited (with probability q) or else probed (with
    probability `share`), so v(a) = x / r, where x is what came back or what the probe found, and 0 if there is neither.
    The word is `probe(rollouts=1, share=1, epsilon=0, terminals=1)`.

    Attributes:
        rollouts: How many probes to take the mean of.
        share: The probability with which an action that is not visited is probed, each by its own coin.
        epsilon: Rollouts draw every player's action from (1 - epsilon) sigma + epsilon / k and are weighted by the
            product of sigma(a) over that.
        terminals: How many rollouts one probe branches into at its first decision: number j draws there from the j-th
            of so many equal parts of the law.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Robust(1), estimator=mccfr.estimators.GeneralProbe(share=0.5)))
        robust(k=1)+probe(rollouts=1, share=0.5)
        >>> mccfr.audit("kuhn", "robust(1)+probe(share=0.5, epsilon=0.3, terminals=2)").rows[0].unbiased
        True
    """

    rollouts: int = 1
    share: float = 1.0
    epsilon: float = 0.0
    terminals: int = 1


class PageRule(NamedTuple):
    """**Biased**, an exhibit: as `Plain`, but a drawn opponent's probability is multiplied in once more.

    A web page about external sampling weighs sampled regrets by the opponent's reach, although the opponent was drawn
    by it: the mean then has the square of that reach, and play does not converge. The word is `page_rule`.

    Examples:
        >>> import mccfr
        >>> mccfr.audit("kuhn", "external+page_rule").rows[0].unbiased
        False
    """


class Static(NamedTuple):
    """A fixed baseline: b(h, a) = u(ha | some strategy). [Davis, Schmid, Bowling 2019, 5]

    The word is `static(strategy=call)`.

    Attributes:
        strategy: Whose values are the baseline: `"call"` (always check or call), `"uniform"`, a strategy file, or a
            `Strategy`.
        table: float64[nodes] The values; a table that the solver makes.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Outcome(), estimator=mccfr.estimators.Static("uniform")))
        outcome(epsilon=0.6)+static(strategy=uniform)
    """

    strategy: Any = "call"  # whose values: a word or a strategy, for `bind`
    table: Any = None  # float64[nodes]


class History(NamedTuple):
    """A learned baseline for every history: b += rate (y - b), or the mean of all y so far if rate is 0.

    [Davis, Schmid, Bowling 2019, 5.1]. The word is `history(rate=0)`.

    Attributes:
        rate: The learning rate, from 0 to 1; 0 takes the plain mean.
        table: float64[nodes] The baselines; a table that the solver makes.
        visits: float64[nodes] How often each was met; a table that the solver makes.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Outcome(), estimator=mccfr.estimators.History(0.1)))
        outcome(epsilon=0.6)+history(rate=0.1)
    """

    rate: float = 0.0
    table: Any = None  # float64[nodes]
    visits: Any = None  # float64[nodes]


class Infoset(NamedTuple):
    """A learned baseline for every edge as the walker sees it, VR-MCCFR. [Schmid et al. 2019]

    Histories that the walker cannot tell apart share a baseline, so few visits suffice, but it never becomes exact
    where these histories differ. The word is `infoset(rate=0)`.

    Attributes:
        rate: The learning rate, from 0 to 1; 0 takes the plain mean.
        key: uint32[2 nodes] Where player i keeps the edge into node c: key[2 c + i]. The solver makes it.
        table: float64[keys] The baselines; a table that the solver makes.
        visits: float64[keys] How often each was met; a table that the solver makes.

    Examples:
        >>> import mccfr
        >>> print(mccfr.Method(mccfr.samplers.Outcome(), estimator=mccfr.estimators.Infoset()))
        outcome(epsilon=0.6)+infoset(rate=0)
    """

    rate: float = 0.0
    key: Any = None  # uint32[2 nodes] where player i keeps the edge into node c: key[2 c + i]
    table: Any = None  # float64[keys]
    visits: Any = None  # float64[keys]


class DealtInfoset(NamedTuple):
    """`Infoset` in a dealt game: an edge and the walker's hand are what it sees.

    A solver makes it from `Infoset` where it is needed.

    Attributes:
        rate: The learning rate, from 0 to 1; 0 takes the plain mean.
        hands: The number of hands of the player who has more.
        second: The number of hands of player 1.
        pairs: The number of pairs of hands.
        table: float64[2 * nodes * hands] The baselines.
        visits: How often each was met; of a single entry unless the rate is 0.
    """

    rate: float
    hands: Any  # uint64 of the player who has more
    second: Any  # uint64 of player 1
    pairs: Any  # uint64
    table: Any  # float64[2 * nodes * hands]
    visits: Any


class BucketInfoset(NamedTuple):
    """`Infoset` of a betting tree with buckets: an edge and the walker's row on its street are what it sees.

    A solver makes it from `Infoset` where it is needed.

    Attributes:
        rate: The learning rate, from 0 to 1; 0 takes the plain mean.
        first: uint64[nodes] Where the rows of a node begin.
        table: float64[2 * rows of all nodes] The baselines.
        visits: How often each was met; of a single entry unless the rate is 0.
    """

    rate: float
    first: Any  # uint64[nodes]
    table: Any  # float64[2 * rows of all nodes]
    visits: Any


class Predictive(NamedTuple):
    """The predictive baseline: b(h, a) = u_b(ha | sigma^{t+1}), set bottom up after the regrets.

    [Davis, Schmid, Bowling 2019, eq. 7]. With it the variance can fall to 0. The strategy must change within a walk, so
    it does not go with batches, nor with samplers that follow all actions of the opponent. The word is `predictive`.

    Attributes:
        table: float64[nodes] The baselines; a table that the solver makes.

    Examples:
        >>> import mccfr
        >>> mccfr.Method.parse("outcome+predictive+rm_plus+linear").estimator
        Predictive(table=None)
    """

    table: Any = None  # float64[nodes]


@verb
def corrects(estimator):
    """Does it correct values at other players' and chance nodes too?"""


@verb
def divides_unseen(estimator):
    """Whether values of own actions that were not visited are divided too: `seen` is told how likely a visit was."""


@verb
def weighs_opponent_again(estimator):
    """Does it make the mistake of the page: the drawn opponent's probability in the weight?"""


@verb
def foresees(estimator):
    """Does it want values under the updated strategy?"""


@verb
def edge(estimator, i, c):
    """Where the baseline of the edge into node c is kept."""


@verb
def guess(estimator, i, e):
    """Baseline as player i sees it."""


@verb
def learn(estimator, i, e, y, ahead):
    """The edge was walked and came back as y; under the new strategy, as `ahead`."""


@verb
def seen(estimator, y, q, b):
    """Value of an own action visited with probability q, back with y, baseline b."""


@verb
def unseen(estimator, b, h, i, t, method, tree, table, work):
    """Value of an own action not visited, leading to h, baseline b."""


divides_unseen.otherwise(lambda estimator: False)
divides_unseen.register(GeneralProbe)(lambda estimator: True)
weighs_opponent_again.register(PageRule)(lambda estimator: True)
weighs_opponent_again.otherwise(lambda estimator: False)
corrects.register(Plain, PageRule, Probe, GeneralProbe)(lambda estimator: False)
corrects.register(Static, History, Infoset, DealtInfoset, BucketInfoset, Predictive)(lambda estimator: True)
foresees.otherwise(lambda estimator: False)
foresees.register(Predictive)(lambda estimator: True)
edge.register(Plain, PageRule, Probe, GeneralProbe, Static, History, Predictive)(lambda estimator, i, c: c)
edge.register(Infoset)(lambda estimator, i, c: u64(estimator.key[c + c + i]))
guess.register(Plain, PageRule, Probe, GeneralProbe)(lambda estimator, i, e: 0.0)
guess.register(Static, History, Predictive)(
    lambda estimator, i, e: estimator.table[e] if i == U0 else -estimator.table[e]
)
guess.register(Infoset, DealtInfoset, BucketInfoset)(lambda estimator, i, e: estimator.table[e])
learn.register(Plain, PageRule, Probe, GeneralProbe, Static)(lambda estimator, i, e, y, ahead: None)
seen.register(Plain, PageRule)(lambda estimator, y, q, b: y / q)
seen.register(Probe)(lambda estimator, y, q, b: y)
seen.register(GeneralProbe)(lambda estimator, y, q, b: y / (1.0 - (1.0 - q) * (1.0 - estimator.share)))
seen.register(Static, History, Infoset, DealtInfoset, BucketInfoset, Predictive)(
    lambda estimator, y, q, b: b + (y - b) / q
)
unseen.register(Plain, PageRule)(lambda estimator, b, h, i, t, method, tree, table, work: 0.0)
unseen.register(Static, History, Infoset, DealtInfoset, BucketInfoset, Predictive)(
    lambda estimator, b, h, i, t, method, tree, table, work: b
)


@edge.register(DealtInfoset)
def _(estimator, i, c):
    pair = c % estimator.pairs
    hand = pair // estimator.second if i == U0 else pair % estimator.second
    return ((c // estimator.pairs * estimator.hands + hand) << U1) + i


@inlined
def approach(estimator, e, y):
    """Move a learned baseline towards y: by a constant rate, or so that it is the mean."""
    rate = estimator.rate
    if rate == 0.0:
        estimator.visits[e] += 1.0
        rate = 1.0 / estimator.visits[e]
    estimator.table[e] += rate * (y - estimator.table[e])


@learn.register(History)
def _(estimator, i, e, y, ahead):
    approach(estimator, e, y if i == U0 else -y)


@learn.register(Infoset, DealtInfoset, BucketInfoset)
def _(estimator, i, e, y, ahead):
    approach(estimator, e, y)


@learn.register(Predictive)
def _(estimator, i, e, y, ahead):
    estimator.table[e] = ahead if i == U0 else -ahead
