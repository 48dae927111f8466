"""One walk for every sampled algorithm in value form.

At node h the walk visits a random set of actions with inclusion probabilities q(a) > 0; with any control variate b(a):

    v(a)  = b(a) + 1[a visited] (y(a) - b(a)) / q(a)         y(a): what came back from below
    value = sum_a sigma(a) v(a)                               goes to the parent
    w(child a) = w (1 if own else sigma(a)) / q(a)            w(root) = 1
    own node:       regret(I, a)  += w (v(a) - value)
    others' node:   average(I, a) += w sigma(a)

[Lanctot et al. 2009; Gibson et al. 2012; Davis, Schmid, Bowling 2019, eq. 4]. Parts answer questions with constants, so
the compiler drops every branch that a method does not need: each method gets a kernel of its own from this one text.
No recursion: frames in preallocated arrays, one loop down and one up. Letters: h node, i walker, w weight, o first
table entry, k arity, p[s:] strategy, q inclusion probability, v value, y what came back, b baseline, c first child.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dealing import come_back, deal, forget, shares, worth
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.iterations import take_turn
from mccfr.kernel.layout import BYTE, TERMINAL, U0, U1, U2, U3, U8, u64
from mccfr.kernel.rewards import felt
from mccfr.kernel.samplers import at_iteration
from mccfr.kernel.walk_steps import (
    EVENTS,
    KIND,
    Back,
    Errand,
    Going,
    back_at_others,
    choose_own,
    keeps_others,
    left_at,
    next_own,
    through,
    update,
)
from mccfr.kernel.witness import ends


class Parts(NamedTuple):
    """A method as the kernel sees it."""

    sampler: Any
    estimator: Any
    minimiser: Any
    averaging: Any
    play: Any
    reward: Any


@inlined
def in_iteration(method, t):
    """The method with its sampler as it is in iteration t."""
    sampler, estimator, minimiser, averaging, play, reward = method
    return Parts(at_iteration(sampler, t), estimator, minimiser, averaging, play, reward)


@take_turn.register(Parts)
def walk(method, i, t, weight, scales, tree, table, work):
    """Walk once for player i at iteration t; returns an unbiased estimate of the root's value to i."""
    errand = Errand(i, t, weight, scales, in_iteration(method, t), tree, table, work)
    d = touched = U0
    at = Going(U0, 1.0, 1.0, U0)
    back = Back(0.0, 0.0)
    deal(tree, i, work.held, work.dice)
    forget(work.luck)
    while True:
        while True:  # ---- down
            touched += U1
            m = u64(tree.nodes[(at.h << U2) + U3])
            kind, k = m & BYTE, m >> U8
            if kind == TERMINAL:
                value = worth(tree, at.h, work.held)
                if i != U0:
                    value = -value
                value = felt(method.reward, value)
                ends(work.witness, i, at.h, at.w, value)
                back = Back(value, value)
                break
            if kind != i:
                d, at = through(errand, kind, k, d, at)
            else:
                drawn, at = choose_own(errand, kind, k, d, at)
                d += U1
                if not drawn:
                    break
        going = False
        while d > U0 and not going:  # ---- up
            d -= U1
            kind = u64(work.frame[(d << U3) + KIND]) if keeps_others(method) else i
            if shares(work.luck):
                at = Going(at.h, at.w, at.reach, u64(work.frame[(d << U3) + EVENTS]))
                come_back(work.luck, at.n)
            left = left_at(d, work)
            if kind != i:
                back, going, at = back_at_others(errand, kind, left, back, at)
            else:
                going, at = next_own(errand, left, back, at)
                if not going:
                    back = update(errand, left, at, back)
            if going:
                d += U1
        if not going:
            break
    work.touched[U0] += touched
    return back.y
