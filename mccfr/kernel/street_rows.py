"""Tables of hold'em in lanes and in rows: [action][hand] while sweeping, [hand][action] for everybody else.

Both take the same entries for a node on a board, so one becomes the other block by block.
"""

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import U0, U1, U2, f64, u64
from mccfr.kernel.street_layout import (
    ARITY,
    BOARD_WORDS,
    ENTRY,
    FIRST,
    HAND_WORDS,
    KIND,
    LEADER,
    NODE_WORDS,
    SEGMENT_WORDS,
    STREET,
)
from mccfr.kernel.street_tables import gather_lanes


@inlined
def place_of(lines, boards, b, m):
    """First entry, hands and actions of a decision on a board."""
    p = u64(lines.nodes[m * NODE_WORDS + KIND])
    n = u64(boards.start[U2 * b + p + U1]) - u64(boards.start[U2 * b + p])
    o = boards.base[U2 * (U2 * b + p)] + u64(lines.nodes[m * NODE_WORDS + ENTRY]) * n
    return o, n, u64(lines.nodes[m * NODE_WORDS + ARITY])


@inlined
def first_node(lines, s):
    """The first node of a street."""
    return u64(lines.segments[u64(lines.street[s]) * SEGMENT_WORDS + FIRST])


@entry
def to_rows(lines, boards, lanes, rows):
    """Lanes as rows."""
    for b in range(u64(len(boards.base)) >> U2):
        s = u64(boards.boards[b * BOARD_WORDS + STREET])
        for m in range(first_node(lines, s), first_node(lines, s + U1)):
            if u64(lines.nodes[m * NODE_WORDS + KIND]) < U2:
                o, n, k = place_of(lines, boards, b, m)
                for a in range(k):
                    for h in range(n):
                        rows[o + h * k + a] = lanes[o + a * n + h]


@entry
def unpack_rows(lines, boards, lanes, unit, rows):
    """Packed lanes as rows: see `street_tables`."""
    for b in range(u64(len(boards.base)) >> U2):
        s = u64(boards.boards[b * BOARD_WORDS + STREET])
        for m in range(first_node(lines, s), first_node(lines, s + U1)):
            p = u64(lines.nodes[m * NODE_WORDS + KIND])
            if p < U2:
                o, n, k = place_of(lines, boards, b, m)
                lane = boards.base[U2 * (U2 * b + p) + U1] + u64(lines.nodes[m * NODE_WORDS + ENTRY])
                for a in range(k):
                    for h in range(n):
                        rows[o + h * k + a] = lanes[o + a * n + h] * unit[lane + a]


@entry
def to_lanes(lines, boards, rows, lanes):
    """Rows as lanes."""
    for b in range(u64(len(boards.base)) >> U2):
        s = u64(boards.boards[b * BOARD_WORDS + STREET])
        for m in range(first_node(lines, s), first_node(lines, s + U1)):
            if u64(lines.nodes[m * NODE_WORDS + KIND]) < U2:
                o, n, k = place_of(lines, boards, b, m)
                for a in range(k):
                    for h in range(n):
                        lanes[o + a * n + h] = rows[o + h * k + a]


@entry
def strategy_lanes(lines, boards, rows, lanes):
    """Weights in rows as a strategy in lanes, even where all are 0. Hands that share a strategy have the first's."""
    for b in range(u64(len(boards.base)) >> U2):
        s = u64(boards.boards[b * BOARD_WORDS + STREET])
        for m in range(first_node(lines, s), first_node(lines, s + U1)):
            if u64(lines.nodes[m * NODE_WORDS + KIND]) < U2:
                o, n, k = place_of(lines, boards, b, m)
                first = u64(boards.start[U2 * b + u64(lines.nodes[m * NODE_WORDS + KIND])])
                for h in range(n):
                    at = o + u64(boards.hands[(first + h) * HAND_WORDS + LEADER]) * k
                    total = 0.0
                    for a in range(k):
                        total += rows[at + a]
                    for a in range(k):
                        lanes[o + a * n + h] = rows[at + a] / total if total > 0.0 else 1.0 / f64(k)


@entry
def bucket_lanes(lines, boards, table, lanes):
    """What single hands play by a strategy seen through buckets (a RowTable), in lanes."""
    for b in range(u64(len(boards.base)) >> U2):
        s = u64(boards.boards[b * BOARD_WORDS + STREET])
        for m in range(first_node(lines, s), first_node(lines, s + U1)):
            p = u64(lines.nodes[m * NODE_WORDS + KIND])
            if p < U2:
                o, n, k = place_of(lines, boards, b, m)
                gather_lanes(table, m, n, k, u64(boards.start[U2 * b + p]), lanes, o)


@entry
def normalise_street_rows(lines, boards, weights, probabilities, visited, number):
    """Weights as probabilities, row by row, as in `public_rows`. number: [2] each player's first infoset."""
    for b in range(u64(len(boards.base)) >> U2):
        s = u64(boards.boards[b * BOARD_WORDS + STREET])
        for m in range(first_node(lines, s), first_node(lines, s + U1)):
            p = u64(lines.nodes[m * NODE_WORDS + KIND])
            if p < U2:
                o, n, k = place_of(lines, boards, b, m)
                for h in range(n):
                    total = 0.0
                    for x in range(o + h * k, o + (h + U1) * k):
                        total += weights[x]
                    for x in range(o + h * k, o + (h + U1) * k):
                        probabilities[x] = weights[x] / total if total > 0.0 else 1.0 / f64(k)
                    if u64(len(visited)) > U0:
                        visited[number[p]] = total > 0.0
                    number[p] += U1
