"""Iterations of a sampled method: the same loop for walks over histories, vectors of hands and public lines.

A method as a kernel sees it is a NamedTuple of parts, among them `minimiser` and `averaging`; its class says by which
walk an iteration is made.
"""

from mccfr.kernel.averaging import importance
from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.layout import U0, U1, U2
from mccfr.kernel.minimisers import pace, settle


@verb
def turns(parts):
    """How many walks an iteration has: one for each player, unless one serves both."""


@verb
def take_turn(parts, i, t, weight, scales, tree, table, work):
    """Walk number i of iteration t, for player i; returns an estimate of the value of the game to player i.

    weight: of the iteration in averages; scales: what `pace` said of it.
    """


turns.otherwise(lambda parts: U2)


@inlined
def iterate(parts, t, tree, table, work, players):
    """Iteration t: a walk for each player; returns the estimate of the root's value to player 0.

    players: 2. On a CPU it is a constant, so that the compiler knows the walker, which is worth a third of the speed;
    a GPU would have to hold twice the code.
    """
    first = 0.0
    scales = pace(parts.minimiser, t)
    weight = importance(parts.averaging, t)
    for i in range(players):
        if i < turns(parts):
            value = take_turn(parts, i, t, weight, scales, tree, table, work)
            if i == U0:
                first = value
    settle(parts.minimiser, table, t, scales)
    return first


@entry
def run_walks(n, clock, parts, tree, table, work):
    """The next n iterations. clock: how many there were, and the sum of player 0's root estimates."""
    for _ in range(n):
        t = clock[U0] + 1.0
        clock[U1] += iterate(parts, t, tree, table, work, U2)
        clock[U0] = t
