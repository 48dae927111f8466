"""Probing: an action that was not visited is worth what rollouts from there bring. [Gibson et al. 2012]"""

from mccfr.kernel.dealing import event, events_before, row, worth
from mccfr.kernel.dice import choose, uniform
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.estimators import GeneralProbe, Probe, unseen
from mccfr.kernel.layout import BYTE, CHANCE, TERMINAL, U0, U1, U2, U3, U8, f64, u64
from mccfr.kernel.play import strategy
from mccfr.kernel.rewards import felt
from mccfr.kernel.witness import strolls


@verb
def strolls_to(estimator, part, parts, p, s, k, dice):
    """The action that a rollout goes on with, drawn from the given part of so many equal parts of its law."""


@verb
def ratio_of(estimator, sigma, k):
    """Probability of an action under the strategy over that under the law of a rollout."""


strolls_to.register(Probe)(lambda estimator, part, parts, p, s, k, dice: choose(p, s, k, dice))
ratio_of.register(Probe)(lambda estimator, sigma, k: 1.0)


@inlined
def mixed(epsilon, sigma, k):
    """(1 - epsilon) sigma + epsilon / k"""
    return epsilon / f64(k) + (1.0 - epsilon) * sigma


@strolls_to.register(GeneralProbe)
def _(estimator, part, parts, p, s, k, dice):
    u = uniform(dice)
    a = U0
    total = mixed(estimator.epsilon, p[s], k)
    while u >= total * parts - part and a < k - U1:  # (part + u) / parts is a number from that part of [0, 1)
        a += U1
        total += mixed(estimator.epsilon, p[s + a], k)
    return a


@ratio_of.register(GeneralProbe)
def _(estimator, sigma, k):
    return sigma / mixed(estimator.epsilon, sigma, k) if estimator.epsilon > 0.0 else 1.0


@inlined
def rollout(estimator, part, parts, h, i, t, method, tree, table, work):
    """Play on from h, everybody by the current strategy or near it; no table is touched. [Gibson et al. 2012, Probe]

    The first decision is drawn from the given part of its law, all later ones from the whole of theirs. It ends early
    where it does what nobody plays: that counts 0, whatever follows.
    """
    touched = U1
    weight = 1.0
    n = events_before(work.luck)
    m = u64(tree.nodes[(h << U2) + U3])
    strolls(work.witness, h)
    while m & BYTE != TERMINAL and weight > 0.0:
        k = m >> U8
        c = u64(tree.nodes[h << U2])
        o = row(tree, h, m, work.held)
        if m & BYTE >= CHANCE:
            h = c + event(work.luck, n, m & BYTE, o, k, tree.odds, work.dice)
            n += U1
        else:
            p, s = strategy(method.play, table, o, k, work.spare, U0, t)
            a = strolls_to(estimator, part, parts, p, s, k, work.dice)
            part, parts = 0.0, 1.0
            weight *= ratio_of(estimator, f64(p[s + a]), k)
            h = c + a
        m = u64(tree.nodes[(h << U2) + U3])
        strolls(work.witness, h)
        touched += U1
    work.touched[U0] += touched
    if weight == 0.0:
        return 0.0
    y = worth(tree, h, work.held)
    return weight * felt(method.reward, y if i == U0 else -y)


@unseen.register(Probe)
def _(estimator, b, h, i, t, method, tree, table, work):
    total = 0.0
    for _ in range(estimator.rollouts):
        total += rollout(estimator, 0.0, 1.0, h, i, t, method, tree, table, work)
    return total / f64(estimator.rollouts)


@unseen.register(GeneralProbe)
def _(estimator, b, h, i, t, method, tree, table, work):
    if estimator.share < 1.0 and uniform(work.dice) >= estimator.share:
        return 0.0
    total = 0.0
    parts = f64(estimator.terminals)
    for _ in range(estimator.rollouts):
        for part in range(estimator.terminals):
            total += rollout(estimator, f64(part), parts, h, i, t, method, tree, table, work)
    return total / (f64(estimator.rollouts) * parts)
