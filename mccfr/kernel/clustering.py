"""Nearest centres and first centres of clusters, exactly and in whole numbers: the loops behind `mccfr.buckets.kmeans`.

A point is a row of `width` whole numbers. Centres lie in order of their sums, and no centre is nearer to a point than
the difference of their sums allows, so a search begins at the point's own sum and ends, in both directions, as soon as
the sums alone are too far apart. Of equally near centres the one with the lowest number is taken, so the answer does
not depend on where a search began.
"""

from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.dice import below, uniform
from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.hand_index import make_keys, number_keys

u64, i64, u32, i32 = np.uint64, np.int64, np.uint32, np.int32
U0, U1 = u64(0), u64(1)
FARTHEST = u32(0xFFFFFFFF)
UNKNOWN = 0xFFFF  # of a row that has not been looked for; the last of 65,536 is looked for again


class EarthMovers(NamedTuple):
    """The sum of absolute differences. Of cumulative histograms that is the earth mover's distance."""

    width: Any  # uint64 numbers of a point


class SquaredLength(NamedTuple):
    """The sum of squared differences."""

    width: Any  # uint64 numbers of a point


class Centres(NamedTuple):
    """Centres of clusters in order of their sums."""

    points: Any  # uint16[centres * width]
    sums: Any  # int64[centres]


@verb
def distance(metric, points, p, others, q):
    """How far the point that begins at points[p] is from the one that begins at others[q]."""


@verb
def least(metric, difference):
    """No two points whose sums differ by this much are nearer than that."""


@distance.register(EarthMovers)
def _(metric, points, p, others, q):
    total = u32(0)
    for j in range(metric.width):
        total = u32(total + u32(abs(i32(points[p + j]) - i32(others[q + j]))))
    return total


@distance.register(SquaredLength)
def _(metric, points, p, others, q):
    total = u32(0)
    for j in range(metric.width):
        apart = i32(i32(points[p + j]) - i32(others[q + j]))
        total = u32(total + u32(i32(apart * apart)))
    return total


least.register(EarthMovers)(lambda metric, difference: u64(difference))
least.register(SquaredLength)(lambda metric, difference: u64(difference) * u64(difference) // metric.width)


@inlined
def sum_of(points, p, width):
    """The sum of a point."""
    total = U0
    for j in range(width):
        total += u64(points[p + j])
    return i64(total)


@inlined
def first_at_least(sums, wanted):
    """The number of the first centre whose sum is not below the wanted one; how many there are, if there is none."""
    low, high = U0, u64(sums.shape[0])
    while low < high:
        middle = (low + high) >> U1
        if sums[middle] < wanted:
            low = middle + U1
        else:
            high = middle
    return low


@inlined
def nearest(metric, centres, points, p, guess):
    """Number and distance of the centre that is nearest to the point at points[p]; `guess` may be any centre."""
    width, count = metric.width, u64(centres.sums.shape[0])
    own = sum_of(points, p, width)
    best, found = distance(metric, points, p, centres.points, guess * width), guess
    up = first_at_least(centres.sums, own)
    down = up
    while up < count and least(metric, centres.sums[up] - own) <= best:
        apart = distance(metric, points, p, centres.points, up * width)
        if apart < best or (apart == best and up < found):
            best, found = apart, up
        up += U1
    while down > U0 and least(metric, own - centres.sums[down - U1]) <= best:
        down -= U1
        apart = distance(metric, points, p, centres.points, down * width)
        if apart <= best:  # numbers fall here; a guess that is lower still is met again
            best, found = apart, down
    return found, best


@entry
def nearest_of_all(metric, centres, points, label, apart):
    """label[i], apart[i]: which centre is nearest to point i, and its distance. label: guesses at first."""
    for i in range(u64(label.shape[0])):
        found, best = nearest(metric, centres, points, i * metric.width, u64(label[i]))
        label[i] = found
        apart[i] = best


@inlined
def come_nearer(metric, points, sums, chosen, near):
    """near[i] becomes the distance of point i from the chosen one where that is less; returns the sum of all."""
    total = U0
    for i in range(u64(near.shape[0])):
        if least(metric, abs(sums[i] - sums[chosen])) < near[i]:
            apart = distance(metric, points, i * metric.width, points, chosen * metric.width)
            if apart < near[i]:
                near[i] = apart
        total += u64(near[i])
    return total


@inlined
def point_at(near, wanted):
    """The first point at which the sum of distances, added up in order, is above the wanted number."""
    i, total = U0, u64(near[U0])
    while total <= wanted and i < u64(near.shape[0]) - U1:
        i += U1
        total += u64(near[i])
    return i


@entry
def choose_apart(metric, points, sums, dice, near, chosen):
    """chosen[c]: points to begin with, each drawn in proportion to its distance from those that were chosen before.

    [Arthur and Vassilvitskii 2007, k-means++] What differs here: the distance is that of the metric, which is what is
    minimised. Where every point has been chosen, the last one is chosen again.
    """
    one = below(dice, u64(near.shape[0]))
    for i in range(u64(near.shape[0])):
        near[i] = FARTHEST
    for c in range(u64(chosen.shape[0])):
        chosen[c] = one
        total = come_nearer(metric, points, sums, one, near)
        if total > U0:
            one = point_at(near, u64(uniform(dice) * float(total)))


@inlined
def is_dealt(hands, h, board):
    """Whether hand h shares a card with the board."""
    held, shared = hands.bit[hands.low[h]] | hands.bit[hands.high[h]], U0
    for c in range(u64(board.shape[0])):
        shared |= hands.bit[board[c]] & held
    return shared != U0


@entry
def place_rows(metric, centres, hands, features, board, index, work, rows):
    """rows[number of a hand] of all hands on a board, from their features; those that are known already stay.

    work: the cards of a hand, sets and keys, room of the index.
    """
    cards, sets, keys = work
    guess = U0
    for c in range(u64(board.shape[0])):
        cards[u64(2) + c] = board[c]
    for h in range(u64(hands.low.shape[0])):
        if is_dealt(hands, h, board):
            continue
        cards[U0], cards[U1] = hands.low[h], hands.high[h]
        make_keys(index, cards, U0, sets, keys)
        number = number_keys(index, keys)
        if rows[number] == UNKNOWN:  # a board that is symmetric in suits has hands with the same number
            guess, _ = nearest(metric, centres, features, h * metric.width, guess)
            rows[number] = guess


@entry
def deal_hands(cards, dice, out):
    """out[j]: different cards of a deck, every order of them equally likely."""
    for j in range(u64(out.shape[0])):
        for c in range(u64(out.shape[1])):
            again = True
            while again:
                card, again = below(dice, cards), False
                for before in range(c):
                    again = again or u64(out[j, before]) == card
            out[j, c] = card
