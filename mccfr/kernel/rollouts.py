"""Probing: an action that was not visited is worth what a rollout from there brings. [Gibson et al. 2012]"""

from mccfr.kernel.dealing import event, events_before, row, worth
from mccfr.kernel.dice import choose
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.estimators import Probe, unseen
from mccfr.kernel.layout import BYTE, CHANCE, TERMINAL, U0, U1, U2, U3, U8, f64, u64
from mccfr.kernel.play import strategy
from mccfr.kernel.rewards import felt
from mccfr.kernel.witness import strolls


@inlined
def rollout(h, i, t, method, tree, table, work):
    """Play on from h, everybody by the current strategy; no table is touched. [Gibson et al. 2012, Probe]"""
    touched = U1
    n = events_before(work.luck)
    m = u64(tree.nodes[(h << U2) + U3])
    strolls(work.witness, h)
    while m & BYTE != TERMINAL:
        k = m >> U8
        c = u64(tree.nodes[h << U2])
        o = row(tree, h, m, work.held)
        if m & BYTE >= CHANCE:
            h = c + event(work.luck, n, m & BYTE, o, k, tree.odds, work.dice)
            n += U1
        else:
            p, s = strategy(method.play, table, o, k, work.spare, U0, t)
            h = c + choose(p, s, k, work.dice)
        m = u64(tree.nodes[(h << U2) + U3])
        strolls(work.witness, h)
        touched += U1
    work.touched[U0] += touched
    y = worth(tree, h, work.held)
    return felt(method.reward, y if i == U0 else -y)


@unseen.register(Probe)
def _(estimator, b, h, i, t, method, tree, table, work):
    total = 0.0
    for _ in range(estimator.rollouts):
        total += rollout(h, i, t, method, tree, table, work)
    return total / f64(estimator.rollouts)
