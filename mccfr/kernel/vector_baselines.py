"""Baselines of vector walks: control variates for all hands at once. [Schmid et al. 2019; Davis, Schmid, Bowling 2019]

A walk for player i that comes to a node with reach[g], the weights of the other player's hands, gets back y[x] for each
own hand x. What it expects of the edge into node e is B(e)[x] = sum_g reach'[g] b(e, x, g), with chance in it, reach'
being the weights behind the edge. Of actions followed with probability q(a), reach' divided by it at others' nodes:

    own node:       v(x, a) = B(a)[x] + 1[a followed] (y[x] - B(a)[x]) / q(a)
    others' nodes:  value[x] = sum_a B(a)[x] + sum over followed a of (y[x] - B(a)[x] / q(a))

Both have the mean of what is sampled, whatever b is, as long as it is not learned from this walk. `Static` has b of
pairs of hands; `HandBaseline`, which `infoset` is here, one number for all g: the mean of y for a unit of reach'.
"""

from mccfr.kernel.dispatch import inlined, outlined, verb
from mccfr.kernel.estimators import Static, corrects, seen
from mccfr.kernel.layout import BYTE, CHANCE, U0, U1, U2, U3, U8, u64
from mccfr.kernel.pair_baselines import HandBaseline, share
from mccfr.kernel.public_laws import fill
from mccfr.kernel.public_samplers import Sampling, inclusion, straight
from mccfr.kernel.samplers import ALL, draws


@verb
def leaves_out(sampling, kind, i):
    """Whether actions may be left out at nodes of this kind in walks for player i."""


@verb
def expect(estimator, i, e, reach, s, tree, work):
    """work.expected: B(e), with the other player's hands weighed by reach[s:]."""


@verb
def learn_hands(estimator, i, e, tree, work):
    """The edge into e came back as work.out, after `expect` was asked with the reach behind it."""


@verb
def suppose(estimator, sampling, tree, table, i, h, d, work):
    """At node h: what baselines expect of its actions, one by one of own ones, in one sum of others'."""


@verb
def correct(estimator, sampling, tree, i, h, a, d, work):
    """Action a at node h has come back, and a baseline says what was expected of it."""


suppose.otherwise(lambda estimator, sampling, tree, table, i, h, d, work: None)
correct.otherwise(lambda estimator, sampling, tree, i, h, a, d, work: None)
leaves_out.otherwise(lambda sampling, kind, i: False)
expect.otherwise(lambda estimator, i, e, reach, s, tree, work: None)
learn_hands.otherwise(lambda estimator, i, e, tree, work: None)


@leaves_out.register(Sampling)
def _(sampling, kind, i):
    if kind == CHANCE:
        return draws(sampling.chance) != ALL
    return draws(sampling.own) != ALL if kind == i else draws(sampling.other) != ALL


@inlined
def corrected(estimator, sampling, kind, i):
    """Whether baselines correct what comes back at nodes of this kind."""
    return corrects(estimator) and leaves_out(sampling, kind, i)


@inlined
def adds_up(estimator, sampling, kind, i):
    """Whether the value of a node of this kind, not the walker's own, is a sum."""
    return not straight(sampling, kind) or corrected(estimator, sampling, kind, i)


@outlined
def meet(numbers, at, i, reach, s, tree, out):
    """out[x]: the sum over the other player's hands g of reach[g] times the number of the pair, from `at` on."""
    first, second = u64(tree.deal[0].shape[1]), u64(tree.deal[0].shape[0])
    fill(out, U0, u64(len(out)), 0.0)
    for g in range(second if i == U0 else first):
        weight = reach[s + g]
        if weight != 0.0:
            for x in range(first if i == U0 else second):
                pair = x * second + g if i == U0 else g * second + x
                out[x] += weight * numbers[at + pair]


@expect.register(Static)
def _(estimator, i, e, reach, s, tree, work):
    meet(estimator.table, e * u64(tree.deal[0].size), i, reach, s, tree, work.expected)
    if i != U0:
        for x in range(work.hands):
            work.expected[x] = -work.expected[x]


@expect.register(HandBaseline)
def _(estimator, i, e, reach, s, tree, work):
    meet(estimator.law, u64(estimator.key[e]) * u64(tree.deal[0].size), i, reach, s, tree, work.met)
    for x in range(work.hands):
        work.expected[x] = work.met[x] * estimator.table[((e << U1) + i) * work.hands + x]


@learn_hands.register(HandBaseline)
def _(estimator, i, e, tree, work):
    at, rate = ((e << U1) + i) * work.hands, share(estimator, (e << U1) + i)
    for x in range(work.hands):
        if work.met[x] > 0.0:
            estimator.table[at + x] += rate * (work.out[x] / work.met[x] - estimator.table[at + x])


@correct.register(Static, HandBaseline)
def _(estimator, sampling, tree, i, h, a, d, work):
    e, m = u64(tree.nodes[h << U2]) + a, u64(tree.nodes[(h << U2) + U3])
    own, here, k = m & BYTE == i, d * work.hands, m >> U8
    q = inclusion(sampling, a, d, work)
    expect(estimator, i, e, work.reach, here if own else here + work.hands, tree, work)
    for x in range(work.hands):
        if own:
            at = here * work.arity + x * k + a
            work.values[at] = seen(estimator, work.out[x], q, work.values[at])
        else:
            work.sums[here + x] += work.out[x] - work.expected[x]
    learn_hands(estimator, i, e, tree, work)
