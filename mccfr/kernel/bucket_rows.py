"""From cards to rows of tables: how a walk sees the cards of a player on all streets through a bucketing.

A walk holds words: the rows of both players on every street, who wins the showdown, and the cards. A player's cards lie
side by side, hole cards first, then the board as it is dealt, so that a street sees the first few of them. Arrays of
streets differ in type, so they are in tuples of four, read by constants; games with fewer streets repeat the last.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import entry, inlined, outlined, verb
from mccfr.kernel.hand_index import make_keys, number_keys
from mccfr.kernel.layout import U0, U1, U2, U3, u64

STREETS = 4  # the most there are
WINNER = u64(8)  # held[0:8] are rows, player * 4 + street; here 0 if player 1 wins, 1 for a tie, 2 if player 0 does
KEPT = u64(9)  # whether the cards are for one more walk
CARDS = u64(10)  # seven of player 0, then seven of player 1
SEVEN = u64(7)
SETS, KEYS = 24, 40  # room of the index
HELD = 44


class IndexedRows(NamedTuple):
    """Rows are the numbers of hands themselves: `exact`."""

    numbering: Any  # an IndexTables for each street; `index` would be the method of tuples to some compilers


class HandRows(NamedTuple):
    """Rows are looked up by the number of what a player sees."""

    numbering: Any  # an IndexTables for each street; `index` would be the method of tuples to some compilers
    row: Any  # an array for each street: unsigned [hands]


class NestedRows(NamedTuple):
    """Rows by value within the row of the street before: percentiles with perfect recall.

    row(s) = row(s - 1) * (width(s) + 1) + how many of the cuts of row(s - 1) do not exceed the value.
    """

    numbering: Any  # an IndexTables for each street; `index` would be the method of tuples to some compilers
    value: Any  # an array for each street: unsigned [hands]
    cut: Any  # an array for each street: uint64 [rows of the street before * width]
    width: Any  # uint64[4]


@verb
def see_all(look, streets, held, p):
    """Look up the rows of player p's cards on all streets."""


@outlined
def hand_number(tables, held, p):
    """The index of what player p sees."""
    make_keys(tables, held, CARDS + SEVEN * p, held[SETS:KEYS], held[KEYS:HELD])
    return number_keys(tables, held[KEYS:HELD])


@see_all.register(IndexedRows)
def _(look, streets, held, p):
    o = p << U2
    held[o] = hand_number(look.numbering[0], held, p)
    if streets > U1:
        held[o + U1] = hand_number(look.numbering[1], held, p)
    if streets > U2:
        held[o + U2] = hand_number(look.numbering[2], held, p)
    if streets > U3:
        held[o + U3] = hand_number(look.numbering[3], held, p)


@see_all.register(HandRows)
def _(look, streets, held, p):
    o = p << U2
    held[o] = look.row[0][hand_number(look.numbering[0], held, p)]
    if streets > U1:
        held[o + U1] = look.row[1][hand_number(look.numbering[1], held, p)]
    if streets > U2:
        held[o + U2] = look.row[2][hand_number(look.numbering[2], held, p)]
    if streets > U3:
        held[o + U3] = look.row[3][hand_number(look.numbering[3], held, p)]


@inlined
def nested(cut, width, row, value):
    """The row of a value within the row of the street before."""
    first, above = row * width, U0
    for j in range(width):
        above += u64(cut[first + j] <= value)
    return row * (width + U1) + above


@see_all.register(NestedRows)
def _(look, streets, held, p):
    o = p << U2
    row = nested(look.cut[0], look.width[0], U0, u64(look.value[0][hand_number(look.numbering[0], held, p)]))
    held[o] = row
    if streets > U1:
        row = nested(look.cut[1], look.width[1], row, u64(look.value[1][hand_number(look.numbering[1], held, p)]))
        held[o + U1] = row
    if streets > U2:
        row = nested(look.cut[2], look.width[2], row, u64(look.value[2][hand_number(look.numbering[2], held, p)]))
        held[o + U2] = row
    if streets > U3:
        row = nested(look.cut[3], look.width[3], row, u64(look.value[3][hand_number(look.numbering[3], held, p)]))
        held[o + U3] = row


@entry
def rows_of_hands(look, streets, cards, held, out):
    """out[j, s]: the row of hand j, its hole cards and the whole board, on street s. held: room of HELD words."""
    width = u64(cards.shape[1])
    for j in range(u64(cards.shape[0])):
        for c in range(width):
            held[CARDS + c] = cards[j, c]
        see_all(look, streets, held, U0)
        for s in range(streets):
            out[j, s] = held[s]
