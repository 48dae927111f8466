"""How hold'em with every card lies in memory: betting lines, boards, tables in lanes, and the memory of a sweep.

See `streets` for how they are used.
"""

from typing import Any, NamedTuple

from mccfr.kernel.layout import u64

FOLD, SHOWDOWN, DEAL = u64(2), u64(3), u64(4)  # kinds of nodes; smaller ones are players


class Lines(NamedTuple):
    """The betting of all streets. Nodes are numbered segment by segment, parents first, children side by side."""

    kind: Any  # uint8[nodes]
    arity: Any  # uint32[nodes]
    child: Any  # uint32[nodes] the first one
    entry: Any  # uint32[nodes] actions of the same player before, on the same street
    slot: Any  # uint32[2 nodes] where in its segment the reach of each player is kept
    worth: Any  # float[nodes] what a fold pays player 0, what a showdown pays the winner; with all chances in it
    first: Any  # uint32[segments + 1] nodes
    folds: Any  # uint32, the nodes where somebody has folded
    fold_start: Any  # uint32[segments + 1]
    shows: Any  # uint32, those with a showdown
    show_start: Any  # uint32[segments + 1]
    exits: Any  # uint32[lines that go on] the node at which cards are dealt, and
    roots: Any  # uint32[lines that go on] the node it leads to on the next street
    root_start: Any  # uint32[segments + 1] the lines that lead into a segment
    segment: Any  # uint32[streets + 1] the segments of each street; only the last may have several


class Boards(NamedTuple):
    """The boards of all streets, those that follow a board side by side, and the hands that can be held on each.

    Hands are in order of strength on the last street. Lists of player p on board b have the number 2 b + p.
    """

    street: Any  # uint8[boards]
    start: Any  # uint32[2 boards + 1] where a list of hands begins
    low: Any  # uint8[hands] the cards of a hand
    high: Any  # uint8[hands]
    weaker: Any  # uint16[hands] how many hands of the other player are weaker, and
    upto: Any  # uint16[hands] how many are weaker or as strong
    twin: Any  # uint16[hands] the place of the same hand in the other player's list, or a place after its end
    leader: Any  # uint16[hands] the hand whose strategy this one shares
    uneven: Any  # uint8[boards] whether some hand shares another's
    base: Any  # uint64[2 boards] the first table entry
    follow: Any  # uint32[2 boards] the first board that follows, and the one after the last
    image: Any  # uint32[boards + 1] the images of a board
    up_start: Any  # uint32[2 images + 1]
    up: Any  # uint16, the place of each hand in the list of the board before


class Free(NamedTuple):
    """No strategy is given."""


class Locked(NamedTuple):
    """Some strategies are given, and not learned."""

    start: Any  # uint32[boards] where the marks of a board begin
    mark: Any  # uint8, whether the node in this place of its street is given


class StreetTable(NamedTuple):
    """Tables in lanes: see the module."""

    current: Any
    regret: Any
    average: Any
    locks: Any
    tie: Any  # float[2] up to which sum a player's regrets are rounding


class StreetWork(NamedTuple):
    """Memory of a sweep. A vector of hands has `stride` places."""

    reach: Any  # float, vectors by player, street and slot
    reach_at: Any  # uint64[2 streets] where those of a street begin
    value: Any  # float, vectors by street and node
    value_at: Any  # uint64[streets]
    block: Any  # float[stride * WIDTH] reaches of endings, in columns
    out: Any  # float[stride * WIDTH]
    sums: Any  # float[(cards + 1) * WIDTH] reaches of the hands with each card, and of all
    total: Any  # float[stride]
    scalar: Any  # float[4] numbers in the precision of the tables
    board: Any  # uint64[streets] where the sweep is
    next: Any  # uint64[streets]
    touched: Any  # uint64[1] public nodes
    stride: Any  # uint64
    cards: Any  # uint64
