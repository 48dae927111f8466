"""What one player may do before the game: nothing, stop or follow, or choose its hand.

A position that is solved again is put behind such a gate. w(j) is the reach of everybody but the gate's owner when it
holds hand j, divided by the sum over all pairs of hands, as everything that endings are worth is.

    StopOrFollow    the owner is dealt hand j. It stops and is paid alt(j), or follows [Burch et al. 2014]. Stopping is
                    worth w(j) alt(j), following what the first board is worth to the hand.
    ChooseHand      the owner chooses hand j with probability p(j), for which it pays alt(j), and the other player's
                    hand is dealt by w given j [Moravcik et al. 2016]. Below, the hand has the reach p(j) / w(j). A hand
                    is worth what the first board is worth to it less w(j) alt(j), divided by w(j).

The gate is a decision like any other: lanes of two actions for all hands, or one row with an action for each hand. Its
minimiser and averaging are those of the tables. What the other player is paid where the owner stops, or for a hand that
is chosen, is the same whatever that player does; it counts in the value of the game only.

Hands that an exchange of suits maps to each other are worth the same. At StopOrFollow they play as the first of them;
at ChooseHand the probability of all of them is shared out evenly, however it is spread in the table.
"""

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, U2, u64
from mccfr.kernel.street_actors import follow_leaders, judge, learns, plays
from mccfr.kernel.street_layout import (
    GATE_REACH,
    GATE_VALUE,
    HAND_WORDS,
    LEADER,
    REACH_AT,
    ROUNDING,
    STRIDE,
    UNEVEN,
    VALUE_AT,
    ChooseHand,
    Open,
    StopOrFollow,
)
from mccfr.kernel.street_tables import close, opened, play_down


@verb
def enter(gate, skipped, boards, table, work):
    """The reach with which the owner comes through the gate; not where it is `skipped`."""


@verb
def leave(gate, actor, boards, table, i, weight, work):
    """The first board has come up: the gate's decision if it is player i's; returns the value of the game to i."""


enter.register(Open)(lambda gate, skipped, boards, table, work: None)


@leave.register(Open)
def _(gate, actor, boards, table, i, weight, work):
    return root_value(boards, i, weight, work)


@inlined
def root_value(boards, i, weight, work):
    """What the first board is worth to player i, whose hands are dealt with these weights."""
    total = 0.0
    start, here = u64(boards.start[i]), work.place[VALUE_AT]
    for h in range(u64(boards.start[i + U1]) - start):
        total += weight[start + h] * work.value[here + h]
    return total


@inlined
def owner_hands(gate, boards):
    """How many hands the owner of a gate may hold."""
    return u64(boards.start[gate.owner + U1]) - u64(boards.start[gate.owner])


@inlined
def decide(actor, gate, table, n, k, stride, to, work):
    """The decision at a gate, whose actions are worth value[GATE_VALUE:], a stride apart; value[to:] is its worth."""
    work.scalar[ROUNDING] = gate.tie[U0]
    lanes, x = opened(table, U0, gate.first, n, k, gate.lane, U0, plays(actor), work)
    judge(actor, lanes, x, n, k, work.place[GATE_VALUE], to, work.place[GATE_REACH], False, stride, work)
    close(table, gate.first, n, k, gate.lane, work)


# ---- what is offered: also before the positions of a street, which have their own tables (`position_gates`)


@inlined
def offer_stopping(pays, x, n, here, stride, work):
    """From GATE_VALUE on what stopping is worth, pays[x:], and a stride later following, value[here:]."""
    stop = work.place[GATE_VALUE]
    for h in range(n):
        work.value[stop + h] = pays[x + h]
        work.value[stop + stride + h] = work.value[here + h]


@inlined
def worth_if_chosen(worth, pays, against):
    """What a hand gets when it is chosen, of what it is worth when it is dealt.

    What it pays is taken off first, so that nothing is left of equal numbers, however little the hand meets.
    """
    return (worth - pays) / against


@inlined
def reach_if_chosen(chosen, against):
    """The reach below the gate of a hand that is chosen with this probability."""
    return chosen / against


# ---- stop or follow: the reaches of the owner before the gate, stopped and following lie side by side


@enter.register(StopOrFollow)
def _(gate, skipped, boards, table, work):
    if gate.owner == skipped:
        return
    n, stride, at = owner_hands(gate, boards), work.place[STRIDE], work.place[GATE_REACH]
    play_down(table, U0, gate.first, n, U2, U0, at, at + stride, work)
    to = work.place[REACH_AT + gate.owner]
    for h in range(n):
        work.reach[to + h] = work.reach[at + U2 * stride + h]


@leave.register(StopOrFollow)
def _(gate, actor, boards, table, i, weight, work):
    n, stride, at = owner_hands(gate, boards), work.place[STRIDE], work.place[GATE_REACH]
    if i != gate.owner:
        total = root_value(boards, i, weight, work)
        for h in range(n):
            total -= work.reach[at + stride + h] * gate.pays[h]
        return total
    offer_stopping(gate.pays, U0, n, work.place[VALUE_AT], stride, work)
    to, total = work.place[GATE_VALUE] + U2 * stride, 0.0
    decide(actor, gate, table, n, U2, stride, to, work)
    if learns(actor) and boards.boards[UNEVEN] != 0:
        follow_leaders(boards, table, gate.first, n, U2, u64(boards.start[i]))
    for h in range(n):
        total += work.reach[at + h] * work.value[to + h]
    return total


# ---- choose a hand: a decision of one row, so that its lanes have one number each


@enter.register(ChooseHand)
def _(gate, skipped, boards, table, work):
    if gate.owner == skipped:
        return
    n, start = owner_hands(gate, boards), u64(boards.start[gate.owner])
    at, to = work.place[GATE_REACH] + work.place[STRIDE], work.place[REACH_AT + gate.owner]
    lanes, x = opened(table, U0, gate.first, U1, n, gate.lane, U0, True, work)
    for h in range(n):
        work.reach[at + h] = 0.0
    for h in range(n):
        work.reach[at + u64(boards.hands[(start + h) * HAND_WORDS + LEADER])] += lanes.current[x + h]
    for h in range(n):
        chosen = work.reach[at + u64(boards.hands[(start + h) * HAND_WORDS + LEADER])] * gate.alike[h]
        work.reach[to + h] = reach_if_chosen(chosen, gate.against[h])


@leave.register(ChooseHand)
def _(gate, actor, boards, table, i, weight, work):
    n = owner_hands(gate, boards)
    if i != gate.owner:
        total, at = root_value(boards, i, weight, work), work.place[REACH_AT + gate.owner]
        for h in range(n):
            total += work.reach[at + h] * gate.pays[h]
        return total
    to, here = work.place[GATE_VALUE], work.place[VALUE_AT]
    for h in range(n):
        work.value[to + h] = worth_if_chosen(work.value[here + h], gate.pays[h], gate.against[h])
    decide(actor, gate, table, U1, n, U1, to + n, work)
    return work.value[to + n] * 1.0
