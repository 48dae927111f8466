"""Tables of hold'em with every card: as they are, packed into 16 bits, or rows of buckets. Opened and closed by node.

A lane of regrets or averages, one action of a node for all hands, is packed in units of its largest number: regrets
from -32767 to 32767, averages from 0 to 65535. Probabilities are in units of 1 / 65535. That halves the memory of
float32; what it costs in accuracy is in docs/spots.md.

A strategy seen through buckets has a row for many hands. It is never written out for single hands: their probabilities
are gathered when a node is opened, or while reaches go down.

Letters: m node, o its first entry in tables of lanes, k actions, n hands, of which the first has the number `mine`
among the hands of all boards.
"""

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, U2, f64, u64
from mccfr.kernel.street_layout import STRIDE, UNIT, PackedTable, RowTable, StreetTable

LARGEST_REGRET, LARGEST_AVERAGE = 32767.0, 65535.0


@verb
def opened(table, m, o, n, k, lane, mine, played, work):
    """A table whose lanes can be changed, and where those of a node begin in it. played: whether anybody reads them."""


@verb
def close(table, o, n, k, lane, work):
    """Put changed lanes back."""


@verb
def play_down(table, m, o, n, k, mine, at, to, work):
    """reach[to + a stride:] = reach[at:] times the probabilities of action a, for all actions of a node."""


opened.register(StreetTable)(lambda table, m, o, n, k, lane, mine, played, work: (table, o))
close.register(StreetTable)(lambda table, o, n, k, lane, work: None)
close.register(RowTable)(lambda table, o, n, k, lane, work: None)


@play_down.register(StreetTable)
def _(table, m, o, n, k, mine, at, to, work):
    stride = work.place[STRIDE]
    for a in range(k):
        x, y = o + a * n, to + a * stride
        for h in range(n):
            work.reach[y + h] = work.reach[at + h] * table.current[x + h]


@play_down.register(PackedTable)
def _(table, m, o, n, k, mine, at, to, work):
    unit, stride = f64(work.scalar[UNIT]), work.place[STRIDE]
    for a in range(k):
        x, y = o + a * n, to + a * stride
        for h in range(n):
            work.reach[y + h] = work.reach[at + h] * (unit * table.current[x + h])


@play_down.register(RowTable)
def _(table, m, o, n, k, mine, at, to, work):
    first, step, stride = table.place[U2 * m], table.place[U2 * m + U1], work.place[STRIDE]
    for h in range(n):
        x = first + u64(table.row[mine + h]) * step
        for a in range(k):
            work.reach[to + a * stride + h] = work.reach[at + h] * table.current[x + a]


@opened.register(RowTable)
def _(table, m, o, n, k, lane, mine, played, work):
    if played:
        gather_lanes(table, m, n, k, mine, work.lanes.current, U0)
    return work.lanes, U0


@inlined
def gather_lanes(table, m, n, k, mine, lanes, o):
    """Lanes of node m, from lanes[o] on: what its hands play by the rows of a RowTable."""
    first, step = table.place[U2 * m], table.place[U2 * m + U1]
    for h in range(n):
        x = first + u64(table.row[mine + h]) * step
        for a in range(k):
            lanes[o + a * n + h] = table.current[x + a]


@opened.register(PackedTable)
def _(table, m, o, n, k, lane, mine, played, work):
    for a in range(k):
        unit, weight = table.regret_unit[lane + a], table.average_unit[lane + a]
        for h in range(n):
            x, y = o + a * n + h, a * n + h
            work.lanes.current[y] = table.current[x] * work.scalar[UNIT]
            work.lanes.regret[y] = table.regret[x] * unit
            work.lanes.average[y] = table.average[x] * weight
    return work.lanes, U0


@inlined
def largest(values, y, n):
    """The largest absolute value of n numbers."""
    found = abs(values[y])
    for h in range(n):
        found = max(found, abs(values[y + h]))
    return found


@close.register(PackedTable)
def _(table, o, n, k, lane, work):
    for a in range(k):
        regret, weight = f64(largest(work.lanes.regret, a * n, n)), f64(largest(work.lanes.average, a * n, n))
        table.regret_unit[lane + a] = regret / LARGEST_REGRET
        table.average_unit[lane + a] = weight / LARGEST_AVERAGE
        regret_steps = LARGEST_REGRET / regret if regret > 0.0 else 0.0
        average_steps = LARGEST_AVERAGE / weight if weight > 0.0 else 0.0
        for h in range(n):
            x, y = o + a * n + h, a * n + h
            table.current[x] = f64(work.lanes.current[y]) * LARGEST_AVERAGE + 0.5
            table.regret[x] = round(f64(work.lanes.regret[y]) * regret_steps)
            table.average[x] = f64(work.lanes.average[y]) * average_steps + 0.5
