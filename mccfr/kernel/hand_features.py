"""What clusters of hands are made of: histograms of strengths to come, and equities against groups of hole hands.

Before the last street a hand is described by how often its hand strength at the showdown, P(win) + P(tie) / 2 against
a random hand, reaches each of WIDTH bounds: a cumulative histogram, counted from above so that better hands have larger
numbers. On the last street it is described by its equity against each of GROUPS groups of hole hands. [Johanson et al.
2013: Evaluating State-Space Abstractions in Extensive-Form Games] Every number is a whole one from 0 to SCALE, worked
out from counts, so the same cards give the same numbers on every machine and in any order of boards.
"""

from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.hand_values import end_of_equals, order_live

u64 = np.uint64
U0, U1, U2 = u64(0), u64(1), u64(2)
SCALE = u64(2000)  # the turn has 46 strengths to come, the flop 1081
WIDTH = u64(64)  # bounds of strength, so there are 65 bins; with 33 bins, 5000 clusters of the turn are 6 % wider
GROUPS = u64(8)  # groups of hole hands


class Tally(NamedTuple):
    """Room for counts of hands by card while a board is swept in order of strength."""

    below: Any  # int32[(cards + 1) * GROUPS] weaker hands that have a card, by group; all of them at the end
    equal: Any  # int32[...] equally strong ones
    live: Any  # int32[...] all that the board leaves
    group: Any  # uint8[hands] the group of every hole hand


@inlined
def move_hand(hands, h, at, into, step):
    """Count a hand, or take it out again, in a table by card and group; `at`: its group, or 0 where there are none."""
    for card in (u64(hands.low[h]), u64(hands.high[h]), u64(hands.word.shape[0])):
        into[card * GROUPS + at] += step


@inlined
def clear(counts):
    """All counts become 0."""
    for j in range(u64(counts.shape[0])):
        counts[j] = 0


@inlined
def left(counts, hands, h, at):
    """How many of the hands of a group that were counted share no card with hand h, if h was not counted itself."""
    all_hands = counts[u64(hands.word.shape[0]) * GROUPS + at]
    return all_hands - counts[u64(hands.low[h]) * GROUPS + at] - counts[u64(hands.high[h]) * GROUPS + at]


@inlined
def count_board(hands, room, tally, live, times, bin_of, histogram):
    """histogram[h, bin] += times for every hand that a board leaves: which bin its strength falls into."""
    clear(tally.below)
    clear(tally.equal)
    bins, first = WIDTH + U1, U0
    while first < live:
        end = end_of_equals(room, first, live)
        for j in range(first, end):
            move_hand(hands, u64(room.order[j]), U0, tally.equal, 1)
        for j in range(first, end):
            h = u64(room.order[j])
            halves = U2 * u64(left(tally.below, hands, h, U0)) + u64(left(tally.equal, hands, h, U0) + 1)
            histogram[h * bins + u64(bin_of[halves])] += times
        for j in range(first, end):
            move_hand(hands, u64(room.order[j]), U0, tally.equal, -1)
            move_hand(hands, u64(room.order[j]), U0, tally.below, 1)
        first = end


@entry
def count_strengths(hands, boards, times, room, tally, bin_of, histogram):
    """Add to the histograms of all hands what boards say, each counted so many times."""
    for row in range(u64(boards.shape[0])):
        live = order_live(hands, boards, row, room)
        count_board(hands, room, tally, live, times[row], bin_of, histogram)


@inlined
def reached(histogram, first, features, at):
    """features[at : at + WIDTH]: which share of the strengths of a histogram reaches each bound, rounded."""
    total, above = U0, U0
    for b in range(WIDTH + U1):
        total += u64(histogram[first + b])
    for b in range(WIDTH):
        above += u64(histogram[first + WIDTH - b])
        features[at + WIDTH - U1 - b] = (above * SCALE + total // U2) // total if total else U0


@entry
def reached_by_all(histogram, features):
    """features[h * WIDTH : ...] of every hand; 0 for those that no board left."""
    for h in range(u64(features.shape[0]) // WIDTH):
        reached(histogram, h * (WIDTH + U1), features, h * WIDTH)


@inlined
def equity_against(hands, tally, h, at):
    """The equity of hand h against the hands of one group, rounded; half of SCALE where there are none."""
    own = 1 if u64(tally.group[h]) == at else 0
    dealt = u64(left(tally.live, hands, h, at) + own)
    if dealt == U0:
        return SCALE // U2
    halves = U2 * u64(left(tally.below, hands, h, at)) + u64(left(tally.equal, hands, h, at) + own)
    return (halves * SCALE + dealt) // (U2 * dealt)


@inlined
def move_equals(hands, room, tally, first, end, into, step):
    """Count the hands in a span of the order in their groups, or take them out."""
    for j in range(first, end):
        h = u64(room.order[j])
        move_hand(hands, h, u64(tally.group[h]), into, step)


@entry
def compare_hands(hands, board, room, tally, features):
    """features[h * GROUPS : ...]: equities of every hand that the board leaves against every group of hole hands."""
    live, first = order_live(hands, board, U0, room), U0
    clear(tally.below)
    clear(tally.equal)
    clear(tally.live)
    move_equals(hands, room, tally, U0, live, tally.live, 1)
    while first < live:
        end = end_of_equals(room, first, live)
        move_equals(hands, room, tally, first, end, tally.equal, 1)
        for j in range(first, end):
            h = u64(room.order[j])
            for at in range(GROUPS):
                features[h * GROUPS + at] = equity_against(hands, tally, h, at)
        move_equals(hands, room, tally, first, end, tally.equal, -1)
        move_equals(hands, room, tally, first, end, tally.below, 1)
        first = end
