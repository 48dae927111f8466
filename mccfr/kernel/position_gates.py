"""Gates: what the opponent may do before a position of hold'em with every card that is solved again.

A position is a root of betting on a board, with a range for each player. The opponent's range below is what its gate
lets through, and the gate learns by the minimiser of the method, for all hands at once. What each gate means is in
`mccfr.resolving.gadgets`.

Letters: x the place of a position's first hand in its arrays, n hands of the opponent, at and to places in `reach` and
`value`, p a player, i the walker.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1
from mccfr.kernel.minimisers import renew
from mccfr.kernel.street_layout import OTHER_SCALE, ROUNDING, SCALE


class Ranges(NamedTuple):
    """The ranges of all positions of a street, and what positions are worth; [board][root][hand] for each player."""

    reach: tuple[Any, Any]  # float, of player 0 and of player 1
    value: tuple[Any, Any]  # float, written by gates that learn nothing


class Open(NamedTuple):
    """No gate: both ranges are dealt as they are. What positions are worth is noted."""


class StopOrFollow(NamedTuple):
    """Each hand of the opponent stops, for what it is paid then, or follows. [Burch et al. 2014]"""

    opponent: Any  # uint64
    paid: Any  # float[places] what a hand gets that stops, in the units of values
    regret: Any  # float[2 places] of stopping, then of following
    follow: Any  # float[places] how often each hand follows


class ChooseHand(NamedTuple):
    """The opponent chooses its hand, which costs what that was worth. [Moravcik et al. 2016]

    Below, hand j is met as often as it is chosen, divided by w(j), the weight of the hands it can meet, since the
    player's hand is dealt by that weight; `scale` is 1 / w(j) up to a common factor, and 0 for a hand that cannot be.
    """

    opponent: Any  # uint64
    paid: Any  # float[places] what the hand was worth, in the units of values
    scale: Any  # float[places]
    regret: Any  # float[places]
    chosen: Any  # float[places] how often each hand is chosen


@verb
def admit(gate, ranges, p, x, n, at, work):
    """reach[at:]: the range with which player p comes to a position."""


@verb
def take_back(gate, actor, ranges, i, x, n, to, work):
    """The position has come up for the walker, whose hands are worth value[to:]."""


@inlined
def copy_range(ranges, p, x, n, at, work):
    """A range as it is given."""
    for h in range(n):
        work.reach[at + h] = ranges.reach[p][x + h]


admit.register(Open)(lambda gate, ranges, p, x, n, at, work: copy_range(ranges, p, x, n, at, work))


@admit.register(StopOrFollow)
def _(gate, ranges, p, x, n, at, work):
    if p != gate.opponent:
        copy_range(ranges, p, x, n, at, work)
        return
    for h in range(n):
        work.reach[at + h] = gate.follow[x + h]


@admit.register(ChooseHand)
def _(gate, ranges, p, x, n, at, work):
    if p != gate.opponent:
        copy_range(ranges, p, x, n, at, work)
        return
    for h in range(n):
        work.reach[at + h] = gate.chosen[x + h] * gate.scale[x + h]


@take_back.register(Open)
def _(gate, actor, ranges, i, x, n, to, work):
    for h in range(n):
        ranges.value[i][x + h] = work.value[to + h]


@take_back.register(StopOrFollow)
def _(gate, actor, ranges, i, x, n, to, work):
    if i != gate.opponent:
        return
    scales = work.scalar[SCALE], work.scalar[OTHER_SCALE]
    size = len(gate.follow)
    for h in range(n):
        stop, follow = gate.paid[x + h], work.value[to + h]
        mean = stop + gate.follow[x + h] * (follow - stop)
        kept, stopping = renew(actor.minimiser, gate.regret[x + h], stop - mean, scales)
        gate.regret[x + h] = kept
        kept, following = renew(actor.minimiser, gate.regret[size + x + h], follow - mean, scales)
        gate.regret[size + x + h] = kept
        total = stopping + following
        gate.follow[x + h] = following / total if total > work.scalar[ROUNDING] else 0.5


@take_back.register(ChooseHand)
def _(gate, actor, ranges, i, x, n, to, work):
    if i != gate.opponent:
        return
    scales = work.scalar[SCALE], work.scalar[OTHER_SCALE]
    mean, total, possible = 0.0, 0.0, 0
    for h in range(n):
        mean += gate.chosen[x + h] * gate.scale[x + h] * (work.value[to + h] - gate.paid[x + h])
    for h in range(n):
        if gate.scale[x + h] > 0.0:
            margin = gate.scale[x + h] * (work.value[to + h] - gate.paid[x + h])
            kept, weight = renew(actor.minimiser, gate.regret[x + h], margin - mean, scales)
            gate.regret[x + h] = kept
            gate.chosen[x + h] = weight
            total += weight
            possible += 1
    for h in range(n):
        if gate.scale[x + h] > 0.0:
            gate.chosen[x + h] = gate.chosen[x + h] / total if total > work.scalar[ROUNDING] else 1.0 / possible
