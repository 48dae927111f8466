"""One pass over a written-out tree, parents first: what each player did last before every node."""

import numpy as np

from mccfr.kernel.dispatch import entry
from mccfr.kernel.layout import BYTE, CHANCE, FAIR, TERMINAL, U0, U1, U2, U3, U8, f64, u64


@entry
def trace_recall(digest):
    def kernel(nodes, players, last, parent):
        """Fill last[h * players + i] = 1 + the entry player i played last before h (0: none) and parent[I] likewise.

        Returns the first node whose mover remembers another past than at an earlier node of its infoset, or 0 if none.
        `parent` comes filled with the largest uint32.
        """
        digest  # noqa: B018
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

    return kernel


@entry
def trace_chance(digest):
    def kernel(nodes, odds, reach):
        """Fill reach[h] with the probability that chance lets h happen."""
        digest  # noqa: B018
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

    return kernel
