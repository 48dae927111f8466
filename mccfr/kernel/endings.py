"""What hands get where a public tree ends, against all hands of the other player at once.

By matrices, for any game: value[h] = stake sum_g M[h, g] reach[g]. Where hands are cards and a showdown compares
strengths, without them, in a time that grows with the hands and not with their pairs. [Johanson et al. 2011]
There M[h, g] = level + edge sign(strength h - strength g) for hands that share no card, 0 for others. With W the reach
of all hands and X[c] that of the hands with card c,

    level:  W - X[c1] - X[c2] + reach[h] for two cards (the hand itself was taken off twice), W - reach[h] for one
    edge:   the same of the weaker hands minus the same of the stronger ones, by sums that grow along the order of
            strength; hands that tie count nowhere, so neither does the hand itself

level is what folding pays (and a constant paid in any case), edge what a showdown does.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.layout import U0, U1, U2, U3, u64
from mccfr.kernel.public_laws import fill


class Matrices(NamedTuple):
    """For each player float64[endings, hands of the other, own hands]: what the player gets."""

    first: Any
    second: Any


class OneCard(NamedTuple):
    """Hands that are one card, the same for both players. A board is a list of hands in the order of strength."""

    level: Any  # float64[endings] paid to player 0
    edge: Any  # float64[endings]
    board: Any  # uint32[endings]
    alive: Any  # uint32[boards] how many hands can be held
    order: Any  # uint32[boards, hands] those, the weakest first; then the others
    weaker: Any  # uint32[boards, hands] where in the order those that tie begin, and
    tier: Any  # uint32[boards, hands] where they end


class TwoCards(NamedTuple):
    """Hands that are two cards."""

    level: Any
    edge: Any
    board: Any
    alive: Any
    order: Any
    weaker: Any
    tier: Any
    low: Any  # uint32[boards, hands] cards of the hands, in the order of strength
    high: Any


@verb
def ending(pays, i, number, stake, reach, r, out, spare):
    """out[h]: what every own hand of player i gets, the other player holding hand g with reach[r + g].

    spare: memory for a number of each card and each hand.
    """


@ending.register(Matrices)
def _(pays, i, number, stake, reach, r, out, spare):
    matrices = pays.first if i == U0 else pays.second
    fill(out, U0, u64(len(out)), 0.0)
    for g in range(u64(matrices.shape[1])):
        weight = stake * reach[r + g]
        if weight != 0.0:
            for x in range(u64(matrices.shape[2])):
                out[x] += matrices[number, g, x] * weight


@ending.register(OneCard)
def _(pays, i, number, stake, reach, r, out, spare):
    b, edge = u64(pays.board[number]), stake * pays.edge[number]
    level = stake * pays.level[number] if i == U0 else -stake * pays.level[number]
    alive, hands = u64(pays.alive[b]), u64(pays.order.shape[1])
    total = amount(reach, r, hands)
    for j in range(alive, hands):
        total -= reach[r + u64(pays.order[b, j])]
    for x in range(hands):
        out[x] = level * (total - reach[r + x])
    if edge != 0.0:
        weaker = 0.0
        for j in range(alive):
            spare[j] = weaker
            weaker += reach[r + u64(pays.order[b, j])]
        spare[alive] = weaker
        for j in range(alive):
            balance = spare[u64(pays.weaker[b, j])] + spare[u64(pays.tier[b, j])] - weaker
            out[u64(pays.order[b, j])] += edge * balance
    for j in range(alive, hands):
        out[u64(pays.order[b, j])] = 0.0


@inlined
def amount(reach, r, n):
    """The sum of reach[r : r + n], in four parts: each addition waits for the one before it."""
    a = b = c = d = 0.0
    x = U0
    while x + U3 < n:
        a += reach[r + x]
        b += reach[r + x + U1]
        c += reach[r + x + U2]
        d += reach[r + x + U3]
        x += u64(4)
    while x < n:
        a += reach[r + x]
        x += U1
    return (a + b) + (c + d)


@ending.register(TwoCards)
def _(pays, i, number, stake, reach, r, out, spare):
    b, edge = u64(pays.board[number]), stake * pays.edge[number]
    level = stake * pays.level[number] if i == U0 else -stake * pays.level[number]
    alive, hands = u64(pays.alive[b]), u64(pays.order.shape[1])
    fill(out, U0, u64(len(out)), 0.0)
    fill(spare, hands, u64(len(spare)) - hands, 0.0)
    for j in range(alive):
        hand = u64(pays.order[b, j])
        spare[j] = reach[r + hand]
        out[hand] = level * spare[j]
    total = take(pays, b, U0, alive, 1.0, spare)
    if level != 0.0:
        grade(pays, b, U0, alive, level, total, out, spare)
    if edge != 0.0:
        for c in range(hands, u64(len(spare))):
            spare[c] = -spare[c]
        compare(pays, b, alive, 0.5 * edge, -total, out, spare)


@inlined
def take(pays, b, begin, end, factor, spare):
    """Add the reaches, times a factor, of these places of the order to the sums of their cards; returns their sum."""
    total, held = 0.0, u64(pays.order.shape[1])
    for j in range(begin, end):
        w = factor * spare[j]
        total += w
        spare[held + u64(pays.low[b, j])] += w
        spare[held + u64(pays.high[b, j])] += w
    return total


@inlined
def grade(pays, b, begin, end, worth, total, out, spare):
    """These places of the order get `worth` times the total without the sums of their cards."""
    held = u64(pays.order.shape[1])
    for j in range(begin, end):
        blocked = spare[held + u64(pays.low[b, j])] + spare[held + u64(pays.high[b, j])]
        out[u64(pays.order[b, j])] += worth * (total - blocked)


@inlined
def compare(pays, b, alive, half, ahead, out, spare):
    """Weaker minus stronger along the order, hands that tie being counted as stronger once and as weaker once."""
    j = U0
    while j < alive:
        end = u64(pays.tier[b, j])
        grade(pays, b, j, end, half, ahead, out, spare)
        ahead += take(pays, b, j, end, 2.0, spare)
        grade(pays, b, j, end, half, ahead, out, spare)
        j = end


@entry
def pay_out(n, pays, i, number, stake, reach, out, spare):
    """One ending, n times."""
    for _ in range(n):
        ending(pays, i, number, stake, reach, U0, out, spare)
