"""Kernels written by hand, one for each of three methods: the speed that the one walk for all methods is held to.

Same tree, same tables, same dice, and the same numbers bit for bit as `mccfr.kernel.walk` (`same_tables` checks it).
What a method does not need is not there: no verbs, no weight where it is always 1, no value that is always 0. Regret
matching, uniform average kept at the other player's nodes. [Lanctot et al. 2009; Davis, Schmid, Bowling 2019]

Letters as in `walk`: h node, i walker, o first table entry, k arity, c first child, a action, w weight, q probability
of the action drawn, y what came back, d depth of the stack. Indices are uint64.
"""

from collections.abc import Callable

import numpy as np
from numba import njit

import mccfr
from mccfr.kernel.dice import bits
from mccfr.kernel.dispatch import LEAN, inlined
from mccfr.kernel.layout import BYTE, CHANCE, FAIR, TERMINAL, U0, U1, U2, U3, U8, U32, f64, u64
from mccfr.solvers.engines import WalkEngine

STEP = 1.0 / 9007199254740992.0  # 2^-53
U11 = u64(11)


@inlined
def drawn(p, o, k, state):
    """An index drawn from p[o : o+k]."""
    u = f64(bits(state) >> U11) * STEP
    a = U0
    total = p[o]
    while u >= total and a < k - U1:
        a += U1
        total += p[o + a]
    return a


@inlined
def explored(current, o, k, epsilon, state):
    """An index drawn from epsilon / k + (1 - epsilon) current[o : o+k], and its probability."""
    u = f64(bits(state) >> U11) * STEP
    a = U0
    even = epsilon / f64(k)
    q = even + (1.0 - epsilon) * current[o]
    total = q
    while u >= total and a < k - U1:
        a += U1
        q = even + (1.0 - epsilon) * current[o + a]
        total += q
    return a, q


@inlined
def dealt(odds, kind, o, k, state):
    """An outcome of chance."""
    return ((bits(state) >> U32) * k) >> U32 if kind == FAIR else drawn(odds, o, k, state)


@inlined
def matched(current, o, k, total):
    """Regret matching: `current` holds the positive regrets, `total` their sum."""
    if total > 0.0:
        share = 1.0 / total
        for a in range(k):
            current[o + a] *= share
    else:
        for a in range(k):
            current[o + a] = 1.0 / f64(k)


@njit(**LEAN)
def external(n, nodes, reals, odds, current, regret, average, frame, real, stride, state):
    """External sampling."""
    for both in range(u64(n) << U1):
        i = both & U1
        d = h = U0
        value = 0.0
        going = True
        while going:
            m = u64(nodes[(h << U2) + U3])
            kind = m & BYTE
            if kind != TERMINAL:
                k = m >> U8
                c = u64(nodes[h << U2])
                o = u64(nodes[(h << U2) + U1])
                if kind >= CHANCE:
                    h = c + dealt(odds, kind, o, k, state)
                elif kind != i:
                    for j in range(k):
                        average[o + j] += current[o + j]
                    h = c + drawn(current, o, k, state)
                else:
                    f = d << U2
                    frame[f] = c
                    frame[f + U1] = o
                    frame[f + U2] = k
                    frame[f + U3] = U0
                    d += U1
                    h = c
                continue
            value = reals[h << U1] if i == U0 else -reals[h << U1]
            going = False
            while d > U0:
                f = (d - U1) << U2
                g = (d - U1) * stride
                o = frame[f + U1]
                k = frame[f + U2]
                a = frame[f + U3]
                real[g + a] = value
                a += U1
                if a < k:
                    frame[f + U3] = a
                    h = frame[f] + a
                    going = True
                    break
                value = total = 0.0
                for j in range(k):
                    value += current[o + j] * real[g + j]
                for j in range(k):
                    r = regret[o + j] + (real[g + j] - value)
                    regret[o + j] = r
                    current[o + j] = max(r, 0.0)
                    total += max(r, 0.0)
                matched(current, o, k, total)
                d -= U1


@njit(**LEAN)
def outcome(n, epsilon, nodes, reals, odds, current, regret, average, frame, real, state):
    """Outcome sampling."""
    for both in range(u64(n) << U1):
        i = both & U1
        d = h = U0
        w = 1.0
        m = u64(nodes[U3])
        while m & BYTE != TERMINAL:
            kind = m & BYTE
            k = m >> U8
            c = u64(nodes[h << U2])
            o = u64(nodes[(h << U2) + U1])
            if kind >= CHANCE:
                a = dealt(odds, kind, o, k, state)
            elif kind != i:
                for j in range(k):
                    average[o + j] += w * current[o + j]
                a = drawn(current, o, k, state)
            else:
                a, q = explored(current, o, k, epsilon, state)
                f = d << U2
                frame[f] = o
                frame[f + U1] = k
                frame[f + U2] = a
                real[f] = w
                real[f + U1] = q
                w /= q
                d += U1
            h = c + a
            m = u64(nodes[(h << U2) + U3])
        y = reals[h << U1] if i == U0 else -reals[h << U1]
        while d > U0:
            d -= U1
            f = d << U2
            o = frame[f]
            k = frame[f + U1]
            a = frame[f + U2]
            w = real[f]
            y /= real[f + U1]
            value = current[o + a] * y
            total = 0.0
            for j in range(k):
                r = regret[o + j] + w * ((y if j == a else 0.0) - value)
                regret[o + j] = r
                current[o + j] = max(r, 0.0)
                total += max(r, 0.0)
            matched(current, o, k, total)
            y = value


@njit(**LEAN)
def outcome_history(n, epsilon, base, visits, nodes, reals, odds, current, regret, average, frame, real, state):
    """Outcome sampling with a history baseline, the plain mean."""
    for both in range(u64(n) << U1):
        i = both & U1
        sign = 1.0 if i == U0 else -1.0
        d = h = U0
        w = 1.0
        m = u64(nodes[U3])
        while m & BYTE != TERMINAL:
            kind = m & BYTE
            k = m >> U8
            c = u64(nodes[h << U2])
            o = u64(nodes[(h << U2) + U1])
            f = d << U3
            if kind >= CHANCE:
                a = dealt(odds, kind, o, k, state)
            elif kind != i:
                for j in range(k):
                    average[o + j] += w * current[o + j]
                a = drawn(current, o, k, state)
            else:
                a, q = explored(current, o, k, epsilon, state)
                real[f] = w
                real[f + U1] = q
                w /= q
            frame[f] = c
            frame[f + U1] = o
            frame[f + U2] = m
            frame[f + U3] = a
            d += U1
            h = c + a
            m = u64(nodes[(h << U2) + U3])
        y = sign * reals[h << U1]
        while d > U0:
            d -= U1
            f = d << U3
            y = corrected(i, sign, y, f, frame, real, base, visits, odds, current, regret)


@inlined
def corrected(i, sign, y, f, frame, real, base, visits, odds, current, regret):
    """One step up, back with y: the node's value, its regrets if it is the walker's, its baseline."""
    c = frame[f]
    o = frame[f + U1]
    kind = frame[f + U2] & BYTE
    k = frame[f + U2] >> U8
    a = frame[f + U3]
    b = sign * base[c + a]
    value = 0.0
    if kind == i:
        seen = b + (y - b) / real[f + U1]
        for j in range(k):
            value += current[o + j] * (seen if j == a else sign * base[c + j])
        total = 0.0
        for j in range(k):
            r = regret[o + j] + real[f] * ((seen if j == a else sign * base[c + j]) - value)
            regret[o + j] = r
            current[o + j] = max(r, 0.0)
            total += max(r, 0.0)
        matched(current, o, k, total)
    else:
        for j in range(k):
            odd = current[o + j] if kind < CHANCE else 1.0 / f64(k) if kind == FAIR else odds[o + j]
            value += odd * (sign * base[c + j])
        value += y - b
    visits[c + a] += 1.0
    base[c + a] += 1.0 / visits[c + a] * (sign * y - base[c + a])
    return value


METHODS = ("external", "outcome(epsilon=0.6)", "outcome(epsilon=0.6)+history")


def by_hand(tree: mccfr.Tree, method: str, seed: int = 0) -> tuple[Callable[[int], None], WalkEngine]:
    """A function that runs n more iterations of a method by hand, and the engine whose arrays it fills."""
    engine = WalkEngine(tree, mccfr.Method.parse(method), seed)
    work, tables = engine.work, (*engine.tree[:3], *engine.table)  # nodes, reals, odds
    frame, real = np.zeros(8 * (tree.depth + 1), np.uint64), np.zeros(8 * (tree.depth + 1))
    state, base = work.dice.state, engine.parts.estimator
    runs: dict[str, Callable[[int], None]] = {
        METHODS[0]: lambda n: external(n, *tables, work.frame, work.real, work.stride, state),
        METHODS[1]: lambda n: outcome(n, 0.6, *tables, frame, real, state),
        METHODS[2]: lambda n: outcome_history(n, 0.6, base.table, base.visits, *tables, frame, real, state),
    }
    return runs[method], engine


def same_tables(tree: mccfr.Tree, method: str, iterations: int = 2000) -> bool:
    """Whether both kernels, from one seed, end with the same tables, baselines and dice, bit for bit."""
    composed = WalkEngine(tree, mccfr.Method.parse(method), 7)
    composed.run(iterations)
    run, other = by_hand(tree, method, 7)
    run(iterations)
    ours, theirs = composed.arrays, other.arrays
    return all(np.array_equal(ours[name], theirs[name]) for name in ours if name not in ("touched", "clock"))
