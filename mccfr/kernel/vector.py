"""One walk over a public tree with a vector of hands: the vector form. [Johanson et al. 2012; Li et al. 2020]

For player i, down: reach[g], with which probability the other player holds hand g and has played to here; up: for every
own hand what the node is worth, chance and the other player's reach counted in. Endings are matrices over both players'
hands, with the probabilities of the deal and of public events in them, so public chance nodes only add up.

    own node:       value[h] = sum_a sigma(h, a) v(h, a);  what is done with v is up to the actor
    others' node:   reach'[g] = reach[g] sigma(g, a);  value = sum_a v(a)
    ending:         value[h] = stake sum_g M[h, g] reach[g]

No recursion: a frame for every depth. Letters as in `walk`: h node, i walker, o first entry, k arity, c first child.
"""

from typing import Any, NamedTuple

from mccfr.kernel.averaging import importance
from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import BYTE, CHANCE, TERMINAL, U0, U1, U2, U3, U8, f64, u64
from mccfr.kernel.minimisers import pace
from mccfr.kernel.sequence_form import Learn, answer

NODE, AT = U0, U1  # words of a frame


class PublicTree(NamedTuple):
    """A dealt game for a walk: see `mccfr.tree.dealt`."""

    nodes: Any  # uint32[4 nodes]
    pays: Any  # a pair of float64[matrices, hands of the other, hands of i] for i = 0, 1: what i gets
    stakes: Any
    members: Any  # uint32, the possible hands, list after list
    start: Any  # uint32[lists + 1]


class VectorWork(NamedTuple):
    """Memory of a walk. A vector has room for the longer list of hands; those of all depths lie side by side."""

    frame: Any  # uint64[2 depth]
    reach: Any  # float64[depth * hands] of the other player
    own: Any  # float64[depth * hands] of the walker
    values: Any  # float64[depth * hands * arity] at own nodes
    sums: Any  # float64[depth * hands] at other nodes
    out: Any  # float64[hands] what came back
    touched: Any  # uint64[1] public nodes
    hands: Any  # uint64
    arity: Any  # uint64


@inlined
def copy(source, s, target, t, n):
    """n numbers from source[s:] to target[t:]."""
    for x in range(n):
        target[t + x] = source[s + x]


@inlined
def fill(target, t, n, value):
    """The same number n times from target[t] on."""
    for x in range(n):
        target[t + x] = value


@inlined
def ending(tree, i, h, reach, r, out):
    """What every own hand gets at a terminal, the other player holding hand g with reach[r + g]."""
    pays = tree.pays[0] if i == U0 else tree.pays[1]
    number = u64(tree.nodes[h << U2])
    stake = tree.stakes[u64(tree.nodes[(h << U2) + U1])]
    fill(out, U0, u64(len(out)), 0.0)
    for g in range(u64(pays.shape[1])):
        weight = stake * reach[r + g]
        if weight != 0.0:
            for x in range(u64(pays.shape[2])):
                out[x] += pays[number, g, x] * weight


@inlined
def enter(tree, table, i, h, a, d, work):
    """Both players' reaches after action a at node h, at depth d + 1."""
    m = u64(tree.nodes[(h << U2) + U3])
    kind, k = m & BYTE, m >> U8
    here, below = d * work.hands, (d + U1) * work.hands
    if kind == CHANCE or kind != i:
        copy(work.own, here, work.own, below, work.hands)
    if kind in (CHANCE, i):
        copy(work.reach, here, work.reach, below, work.hands)
    if kind == CHANCE:
        return
    o = u64(tree.nodes[(h << U2) + U1])
    which = u64(tree.nodes[(h << U2) + U2])
    first = u64(tree.start[which])
    mover = work.own if kind == i else work.reach
    fill(mover, below, work.hands, 0.0)
    for j in range(u64(tree.start[which + U1]) - first):
        hand = u64(tree.members[first + j])
        mover[below + hand] = mover[here + hand] * table.current[o + j * k + a]


@inlined
def leave(actor, tree, table, h, d, work):
    """All actions of an own node have come back: let the actor have each hand's row; out: their values."""
    o = u64(tree.nodes[(h << U2) + U1])
    which = u64(tree.nodes[(h << U2) + U2])
    k = u64(tree.nodes[(h << U2) + U3]) >> U8
    first = u64(tree.start[which])
    here = d * work.hands
    fill(work.out, U0, work.hands, 0.0)
    for j in range(u64(tree.start[which + U1]) - first):
        hand = u64(tree.members[first + j])
        at = here * work.arity + hand * k
        work.out[hand] = answer(actor, table, o + j * k, k, work.values, at, work.own[here + hand])


@inlined
def gather(tree, i, h, a, d, work):
    """Action a at node h has come back."""
    m = u64(tree.nodes[(h << U2) + U3])
    here, k = d * work.hands, m >> U8
    if m & BYTE == i:
        for x in range(work.hands):
            work.values[here * work.arity + x * k + a] = work.out[x]
    else:
        for x in range(work.hands):
            work.sums[here + x] += work.out[x]


@inlined
def vector_walk(actor, i, tree, table, work):
    """Walk the whole public tree for player i; returns the value of the game to i."""
    d = h = touched = U0
    fill(work.reach, U0, work.hands, 1.0)
    fill(work.own, U0, work.hands, 1.0)
    while True:
        while True:  # ---- down
            touched += U1
            if u64(tree.nodes[(h << U2) + U3]) & BYTE == TERMINAL:
                ending(tree, i, h, work.reach, d * work.hands, work.out)
                break
            work.frame[(d << U1) + NODE] = h
            work.frame[(d << U1) + AT] = U0
            fill(work.sums, d * work.hands, work.hands, 0.0)
            enter(tree, table, i, h, U0, d, work)
            h = u64(tree.nodes[h << U2])
            d += U1
        going = False
        while d > U0:  # ---- up
            d -= U1
            h = work.frame[(d << U1) + NODE]
            a = work.frame[(d << U1) + AT]
            m = u64(tree.nodes[(h << U2) + U3])
            gather(tree, i, h, a, d, work)
            if a + U1 < m >> U8:
                work.frame[(d << U1) + AT] = a + U1
                enter(tree, table, i, h, a + U1, d, work)
                h = u64(tree.nodes[h << U2]) + a + U1
                d += U1
                going = True
                break
            if m & BYTE == i:
                leave(actor, tree, table, h, d, work)
            else:
                copy(work.sums, d * work.hands, work.out, U0, work.hands)
        if not going:
            break
    work.touched[U0] += touched
    total = 0.0
    for x in range(work.hands):
        total += work.out[x]
    return total


@entry
def vector_sweep(digest):
    def kernel(n, clock, minimiser, averaging, tree, table, work):
        """The next n iterations, player 1 answering player 0's renewed strategy. clock[0] counts them."""
        digest  # noqa: B018  part of the disk cache's key
        for _ in range(n):
            t = clock[U0] + 1.0
            actor = Learn(minimiser, pace(minimiser, t), importance(averaging, t))
            for i in range(U2):
                vector_walk(actor, i, tree, table, work)
            clock[U0] = t

    return kernel


@entry
def vector_respond(digest):
    def kernel(actor, i, tree, table, work):
        """One walk for `actor`; returns the value of the game to player i."""
        digest  # noqa: B018
        return vector_walk(actor, i, tree, table, work)

    return kernel


@entry
def normalise_rows(digest):
    def kernel(row, weights, probabilities):
        """Weights as probabilities, row by row; uniform where they are all 0."""
        digest  # noqa: B018
        for j in range(u64(len(row)) - U1):
            s, end = u64(row[j]), u64(row[j + U1])
            total = 0.0
            for x in range(s, end):
                total += weights[x]
            for x in range(s, end):
                probabilities[x] = weights[x] / total if total > 0.0 else 1.0 / f64(end - s)

    return kernel
