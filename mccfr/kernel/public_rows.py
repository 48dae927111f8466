"""Rows of a dealt game's tables, found by going through its public decisions: no list of rows is needed."""

from mccfr.kernel.dispatch import entry
from mccfr.kernel.layout import LAST_BITS, U0, U1, U2, U3, U6, U8, f64, u64


@entry
def mark_rows(nodes, decisions, start, members, numbers, certain, bits):
    """Set the bit of every entry whose action is certain: by the number of its menu, its hand, its place."""
    for d in range(u64(len(decisions))):
        h = u64(decisions[d])
        at = h << U2
        o, which, k = u64(nodes[at + U1]), u64(nodes[at + U2]), u64(nodes[at + U3]) >> U8
        for j in range(u64(start[which]), u64(start[which + U1])):
            for a in range(k):
                if certain[numbers[h], members[j], a]:
                    bits[(o + a) >> U6] |= U1 << ((o + a) & LAST_BITS)
            o += k


@entry
def normalise_rows(nodes, decisions, start, weights, probabilities, visited, number):
    """Weights as probabilities, row by row; uniform where they are all 0. `visited`, unless empty: where not.

    `number`: of the first infoset of these decisions.
    """
    for d in range(u64(len(decisions))):
        at = u64(decisions[d]) << U2
        o, which, k = u64(nodes[at + U1]), u64(nodes[at + U2]), u64(nodes[at + U3]) >> U8
        for _ in range(u64(start[which + U1]) - u64(start[which])):
            total = 0.0
            for x in range(o, o + k):
                total += weights[x]
            for x in range(o, o + k):
                probabilities[x] = weights[x] / total if total > 0.0 else 1.0 / f64(k)
            if u64(len(visited)) > U0:
                visited[number] = total > 0.0
            number += U1
            o += k
