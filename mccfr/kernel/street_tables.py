"""Tables of hold'em with every card, as they are or packed into 16 bits: opened for a node, and closed again.

A lane of regrets or averages, one action of a node for all hands, is packed in units of its largest number: regrets
from -32767 to 32767, averages from 0 to 65535. Probabilities are in units of 1 / 65535. That halves the memory of
float32; what it costs in accuracy is in docs/spots.md.
"""

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, f64
from mccfr.kernel.street_layout import UNIT, PackedTable, StreetTable

LARGEST_REGRET, LARGEST_AVERAGE = 32767.0, 65535.0


@verb
def opened(table, o, n, k, lane, work):
    """A table whose lanes can be changed, and where those of a node with k actions and n hands begin in it."""


@verb
def close(table, o, n, k, lane, work):
    """Put changed lanes back."""


@verb
def play_down(table, x, n, at, to, work):
    """reach[to:] = reach[at:] times the probabilities in the lane that begins at x."""


opened.register(StreetTable)(lambda table, o, n, k, lane, work: (table, o))
close.register(StreetTable)(lambda table, o, n, k, lane, work: None)


@play_down.register(StreetTable)
def _(table, x, n, at, to, work):
    for h in range(n):
        work.reach[to + h] = work.reach[at + h] * table.current[x + h]


@play_down.register(PackedTable)
def _(table, x, n, at, to, work):
    unit = f64(work.scalar[UNIT])
    for h in range(n):
        work.reach[to + h] = work.reach[at + h] * (unit * table.current[x + h])


@opened.register(PackedTable)
def _(table, o, n, k, lane, work):
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
