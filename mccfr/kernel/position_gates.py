"""Gates before all positions of a street of hold'em with every card that are solved again.

A position is a root of betting on a board, with a range for each player. The opponent's range below is what its gate
lets through. What gates offer is in `gates`, and they learn as any decision does (`street_actors`). What differs is
where things lie: there is a gate before every position of the street, in arrays of their own; nobody asks for their
average strategies; and hands that meet nothing at a position cannot be chosen there. There is one class for all kinds,
so that one kernel serves every gadget.

Letters: x the place of a position's first hand in its arrays, n hands, k hands that can be chosen, at and to places in
`reach` and `value`, p a player, i the walker.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.gates import offer_stopping, reach_if_chosen, worth_if_chosen
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.street_actors import Judging, Learning, learn_lanes, mix
from mccfr.kernel.street_layout import GATE_VALUE, STRIDE

OPEN, STOP_OR_FOLLOW, CHOOSE_HAND = u64(0), u64(1), u64(2)


class Ranges(NamedTuple):
    """The ranges of all positions of a street, and what positions are worth; [board][root][hand] for each player."""

    reach: tuple[Any, Any]  # float, of player 0 and of player 1
    value: tuple[Any, Any]  # float, written by sweeps that learn nothing


class Gate(NamedTuple):
    """What the opponent may do before each position; a position has STRIDE places in an array.

    OPEN: nothing; both ranges are dealt as they are.
    STOP_OR_FOLLOW: each hand stops, for what it is paid then, or follows. Tables have twice the places: lanes of n
    hands, first of stopping, then of following.
    CHOOSE_HAND: the opponent chooses among the hands that meet any other, which come first in a position's places.
    `against` is w(j) up to a factor that all hands share.
    """

    kind: Any  # uint64
    opponent: Any  # uint64
    pays: Any  # float[places] what a hand gets that stops, or what a chosen hand costs; in the units of values
    against: Any  # float[places] of CHOOSE_HAND
    hand: Any  # uint16[places] of CHOOSE_HAND: which hand it is
    count: Any  # uint16[positions] of CHOOSE_HAND: how many can be chosen
    regret: Any  # float[places, or twice as many]
    current: Any  # float[the same]


@inlined
def admit(gate, ranges, p, x, n, at, work):
    """reach[at:]: the range with which player p comes to a position."""
    if gate.kind == OPEN or p != gate.opponent:
        for h in range(n):
            work.reach[at + h] = ranges.reach[p][x + h]
    elif gate.kind == STOP_OR_FOLLOW:
        for h in range(n):
            work.reach[at + h] = gate.current[U2 * x + n + h]
    else:
        for h in range(n):
            work.reach[at + h] = 0.0
        for j in range(x, x + choices(gate, x, work)):
            work.reach[at + u64(gate.hand[j])] = reach_if_chosen(gate.current[j], gate.against[j])


@inlined
def choices(gate, x, work):
    """How many hands can be chosen at a position."""
    return u64(gate.count[x // work.place[STRIDE]])


@verb
def take_back(actor, gate, ranges, i, x, n, to, work):
    """The position has come up for the walker, whose hands are worth value[to:]: note that, or let the gate learn."""


@take_back.register(Judging)
def _(actor, gate, ranges, i, x, n, to, work):
    for h in range(n):
        ranges.value[i][x + h] = work.value[to + h]


@take_back.register(Learning)
def _(actor, gate, ranges, i, x, n, to, work):
    if i == gate.opponent:
        if gate.kind == STOP_OR_FOLLOW:
            offer_stopping(gate.pays, x, n, to, work.place[STRIDE], work)
            learn_at_gate(actor, gate, U2 * x, n, U2, work.place[STRIDE], work)
        elif gate.kind == CHOOSE_HAND:
            offer_hands(gate, x, to, work)
            learn_at_gate(actor, gate, x, U1, choices(gate, x, work), U1, work)


@inlined
def offer_hands(gate, x, to, work):
    """From GATE_VALUE on what the hands that can be chosen get, of what the position is worth to them: value[to:]."""
    for j in range(choices(gate, x, work)):
        worth = work.value[to + u64(gate.hand[x + j])]
        work.value[work.place[GATE_VALUE] + j] = worth_if_chosen(worth, gate.pays[x + j], gate.against[x + j])


@inlined
def learn_at_gate(actor, gate, o, n, k, stride, work):
    """The decision at a gate, whose lanes begin at o and whose k actions are worth value[GATE_VALUE:].

    Up to which sum regrets are rounding is as for the decisions of this player on the street, which have just come up.
    """
    if k > U0:
        c = work.place[GATE_VALUE]
        mix(gate, o, n, k, c, c + k * stride, stride, work)
        learn_lanes(actor, gate, o, n, k, c, c + k * stride, stride, work)
