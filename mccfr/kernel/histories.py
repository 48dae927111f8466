"""One pass over a written-out tree, parents first: what each player did last before every node."""

import numpy as np

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import BYTE, CHANCE, FAIR, TERMINAL, U0, U1, U2, U3, U8, f64, u64


@entry
def trace_recall(nodes, players, last, parent):
    """Fill last[h * players + i] = 1 + the entry player i played last before h (0: none) and parent[I] likewise.

    Returns the first node whose mover remembers another past than at an earlier node of its infoset, or 0 if none.
    `parent` comes filled with the largest uint32.
    """
    unknown = u64(0xFFFFFFFF)
    for h in range(u64(len(nodes)) >> U2):
        meta = u64(nodes[(h << U2) + U3])
        kind = meta & BYTE
        if kind == TERMINAL:
            continue
        own = kind < CHANCE
        if own:
            infoset = u64(nodes[(h << U2) + U2])
            past = u64(last[h * players + kind])
            if u64(parent[infoset]) == unknown:
                parent[infoset] = np.uint32(past)
            elif u64(parent[infoset]) != past:
                return h
        child = u64(nodes[h << U2])
        for a in range(meta >> U8):
            for i in range(players):
                last[(child + a) * players + i] = last[h * players + i]
            if own:
                last[(child + a) * players + kind] = np.uint32(u64(nodes[(h << U2) + U1]) + a + U1)
    return U0


@entry
def trace_chance(nodes, odds, reach):
    """Fill reach[h] with the probability that chance lets h happen."""
    reach[U0] = 1.0
    for h in range(u64(len(nodes)) >> U2):
        meta = u64(nodes[(h << U2) + U3])
        kind = meta & BYTE
        if kind == TERMINAL:
            continue
        child = u64(nodes[h << U2])
        law = u64(nodes[(h << U2) + U1])
        arity = meta >> U8
        for a in range(arity):
            p = 1.0
            if kind == FAIR:
                p = 1.0 / f64(arity)
            elif kind == CHANCE:
                p = odds[law + a]
            reach[child + a] = reach[h] * p


@entry
def trace_depth(nodes, least, depth):
    """Fill depth[h] with the number of moves before h at nodes of kind `least` or above; returns the largest."""
    deepest = U0
    for h in range(u64(len(nodes)) >> U2):
        meta = u64(nodes[(h << U2) + U3])
        if meta & BYTE == TERMINAL:
            continue
        child = u64(nodes[h << U2])
        for a in range(meta >> U8):
            depth[child + a] = depth[h] + np.uint32(meta & BYTE >= least)
            deepest = max(deepest, u64(depth[child + a]))
    return deepest


@entry
def trace_values(nodes, odds, current, value):
    """Fill value[h] with what player 0 gets on average from h on when both follow `current`."""
    for back in range(u64(len(nodes)) >> U2):
        h = (u64(len(nodes)) >> U2) - U1 - back
        meta = u64(nodes[(h << U2) + U3])
        kind = meta & BYTE
        if kind == TERMINAL:
            continue  # comes filled in
        child = u64(nodes[h << U2])
        row = u64(nodes[(h << U2) + U1])
        arity = meta >> U8
        total = 0.0
        for a in range(arity):
            p = 1.0 / f64(arity)
            if kind == CHANCE:
                p = odds[row + a]
            elif kind != FAIR:
                p = current[row + a]
            total += p * value[child + a]
        value[h] = total


@inlined
def find(master, x):
    """The representative of x, shortening the way there."""
    while u64(master[x]) != x:
        master[x] = master[u64(master[x])]
        x = u64(master[x])
    return x


@entry
def trace_views(nodes, i, infosets, parent, stage, group, master):
    """Group the nodes that player i cannot tell apart by what it will know at its next move.

    Two nodes of one stage (moves since i's own last one) belong together if the same infoset of i may come next.
    parent[h]: the node before h. stage[h], group[h]: filled in. master: union-find over groups, stages x infosets
    long and filled with its own indices.
    """
    size = u64(len(nodes)) >> U2
    for h in range(size):
        meta = u64(nodes[(h << U2) + U3])
        if meta & BYTE == TERMINAL:
            continue
        child = u64(nodes[h << U2])
        for a in range(meta >> U8):
            parent[child + a] = np.uint32(h)
            stage[child + a] = np.uint32(0) if meta & BYTE == i else stage[h] + np.uint32(1)
    for h in range(size):
        if u64(nodes[(h << U2) + U3]) & BYTE != i:
            continue
        infoset = u64(nodes[(h << U2) + U2])
        g = h
        while g != U0:
            g = u64(parent[g])
            if u64(nodes[(g << U2) + U3]) & BYTE == i:
                break
            mine = find(master, u64(stage[g]) * infosets + infoset)
            if group[g] == np.uint32(0xFFFFFFFF):
                group[g] = np.uint32(mine)
            else:
                master[find(master, u64(group[g]))] = np.uint32(mine)
