"""Gates: what the opponent may do before a position of hold'em with every card that is solved again.

A position is a root of betting on a board, with a range for each player. The opponent's range below is what its gate
lets through, and the gate learns by the minimiser of the method, for all hands at once. What each gate means is in
`mccfr.resolving.gadgets`. There is one class for all, so that one kernel serves every gadget.

Letters: x the place of a position's first hand in its arrays, n hands, at and to places in `reach` and `value`, p a
player, i the walker.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import u64
from mccfr.kernel.minimisers import renew
from mccfr.kernel.street_actors import Judging, Learning
from mccfr.kernel.street_layout import OTHER_SCALE, ROUNDING, SCALE

OPEN, STOP_OR_FOLLOW, CHOOSE_HAND = u64(0), u64(1), u64(2)


class Ranges(NamedTuple):
    """The ranges of all positions of a street, and what positions are worth; [board][root][hand] for each player."""

    reach: tuple[Any, Any]  # float, of player 0 and of player 1
    value: tuple[Any, Any]  # float, written by sweeps that learn nothing


class Gate(NamedTuple):
    """What the opponent may do before each position.

    OPEN: nothing; both ranges are dealt as they are.
    STOP_OR_FOLLOW: each hand stops, for what it is paid then, or follows. [Burch et al. 2014]
    CHOOSE_HAND: the opponent chooses its hand, which costs what that was worth. [Moravcik et al. 2016] Below, hand j is
    met as often as it is chosen, divided by w(j), the weight of the hands it can meet, since the player's hand is dealt
    by that weight; `scale` is 1 / w(j) up to a factor that all hands share, and 0 for a hand that cannot be held.
    """

    kind: Any  # uint64
    opponent: Any  # uint64
    paid: Any  # float[places] what a hand gets that stops, or what a chosen hand costs; in the units of values
    scale: Any  # float[places] of CHOOSE_HAND
    regret: Any  # float[2 places] of following or of choosing a hand; then of stopping
    taken: Any  # float[places] how often a hand follows, or is chosen


@inlined
def admit(gate, ranges, p, x, n, at, work):
    """reach[at:]: the range with which player p comes to a position."""
    if gate.kind == OPEN or p != gate.opponent:
        for h in range(n):
            work.reach[at + h] = ranges.reach[p][x + h]
    elif gate.kind == STOP_OR_FOLLOW:
        for h in range(n):
            work.reach[at + h] = gate.taken[x + h]
    else:
        for h in range(n):
            work.reach[at + h] = gate.taken[x + h] * gate.scale[x + h]


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
            stop_or_follow(gate, actor.minimiser, x, n, to, work)
        elif gate.kind == CHOOSE_HAND:
            choose_hand(gate, actor.minimiser, x, n, to, work)


@inlined
def stop_or_follow(gate, minimiser, x, n, to, work):
    """Each hand weighs what it is paid for stopping against what the position is worth to it."""
    scales, size = (work.scalar[SCALE], work.scalar[OTHER_SCALE]), u64(len(gate.taken))
    for h in range(n):
        stop, follow = gate.paid[x + h], work.value[to + h]
        mean = stop + gate.taken[x + h] * (follow - stop)
        kept, following = renew(minimiser, gate.regret[x + h], follow - mean, scales)
        gate.regret[x + h] = kept
        kept, stopping = renew(minimiser, gate.regret[size + x + h], stop - mean, scales)
        gate.regret[size + x + h] = kept
        total = following + stopping
        gate.taken[x + h] = following / total if total > work.scalar[ROUNDING] else 0.5


@inlined
def choose_hand(gate, minimiser, x, n, to, work):
    """All hands are weighed against each other, by what each gets above what it was worth."""
    scales = work.scalar[SCALE], work.scalar[OTHER_SCALE]
    mean, total, possible = 0.0, 0.0, 0
    for h in range(n):
        mean += gate.taken[x + h] * gate.scale[x + h] * (work.value[to + h] - gate.paid[x + h])
    for h in range(n):
        if gate.scale[x + h] > 0.0:
            margin = gate.scale[x + h] * (work.value[to + h] - gate.paid[x + h])
            kept, weight = renew(minimiser, gate.regret[x + h], margin - mean, scales)
            gate.regret[x + h] = kept
            gate.taken[x + h] = weight
            total += weight
            possible += 1
    for h in range(n):
        if gate.scale[x + h] > 0.0:
            gate.taken[x + h] = gate.taken[x + h] / total if total > work.scalar[ROUNDING] else 1.0 / possible
