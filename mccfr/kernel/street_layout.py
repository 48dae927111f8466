"""How hold'em with every card lies in memory: betting lines, boards, tables in lanes, and the memory of a sweep.

Arrays are packed into few, since compiling takes longer with every array that is handed from function to function. See
`streets` for how they are used.
"""

from typing import Any, NamedTuple

from mccfr.kernel.layout import u64

NODE_WORDS, KIND, ARITY, CHILD, ENTRY, SLOT = (u64(j) for j in (6, 0, 1, 2, 3, 4))  # of a node; two slots
FOLD, SHOWDOWN, DEAL = u64(2), u64(3), u64(4)  # kinds of nodes; smaller ones are players
SEGMENT_WORDS, FIRST, FOLDS, SHOWS, ROOTS = (u64(j) for j in (4, 0, 1, 2, 3))  # of a segment
HAND_WORDS, LOW, HIGH, WEAKER, UPTO, TWIN, LEADER = (u64(j) for j in (6, 0, 1, 2, 3, 4, 5))  # of a hand on a board
BOARD_WORDS, STREET, UNEVEN, FOLLOW, FOLLOW_END, IMAGE, IMAGE_END = (u64(j) for j in (6, 0, 1, 2, 3, 4, 5))
REACH_AT, VALUE_AT, BOARD, NEXT, DRAWN = (u64(j) for j in (0, 8, 12, 16, 20))  # in `place`, for each street
VIA, VIA_END, TOUCHED, STRIDE, CARDS, GATE_REACH, GATE_VALUE = (u64(j) for j in (24, 28, 32, 33, 34, 35, 36))
PLACES = 37
WEIGHT, SCALE, OTHER_SCALE, ROUNDING, SHARE, UNIT, SIGN = (u64(j) for j in range(7))  # in `scalar`; two signs
SCALARS = 8


class Lines(NamedTuple):
    """The betting of all streets. Nodes are numbered segment by segment, parents first, children side by side.

    A node has its kind, the number of its actions, its first child, how many actions the same player has before it on
    the street, and where in its segment each player's reach is kept. A segment has its first node, and where its folds,
    its showdowns and the lines that lead to it begin; the last one is followed by another, which is empty.
    """

    nodes: Any  # uint32[NODE_WORDS nodes]
    worth: Any  # float[nodes] what a fold pays player 0, what a showdown pays the winner; with all chances in it
    segments: Any  # uint32[SEGMENT_WORDS (segments + 1)]
    ends: Any  # uint32, the nodes where somebody has folded, segment by segment, then those with a showdown
    links: Any  # uint32[2 lines that go on] where cards are dealt, and the node this leads to on the next street
    street: Any  # uint32[streets + 1] the first segment of each street; only the last has several


class Boards(NamedTuple):
    """The boards of all streets, those that follow a board side by side, and the hands that can be held on each.

    A board has its street, whether some hands share the strategy of another, the first board that follows it and the
    one after the last, and its first image and the one after the last. A hand has its cards, how many hands of the
    other player are weaker, how many are weaker or as strong, the place of the same hand in the other player's list (or
    one after its end), and the place of the hand whose strategy it shares. Hands are in order of strength on the last
    street. The list of player p on board b has the number 2 b + p.
    """

    boards: Any  # uint32[BOARD_WORDS boards]
    start: Any  # uint32[2 boards + 1] where a list of hands begins
    hands: Any  # uint16[HAND_WORDS hands]
    base: Any  # uint64[4 boards] of each list, the first table entry, and the number of the first lane
    image: Any  # uint32[images] the board that each is an image of
    up_start: Any  # uint32[2 images + 1]
    up: Any  # uint16, the place of each hand in the list of the board before


class Free(NamedTuple):
    """No strategy is given."""


class Locked(NamedTuple):
    """Some strategies are given, and not learned."""

    start: Any  # uint32[boards] where the marks of a board begin
    mark: Any  # uint8, whether the node in this place of its street is given


class Open(NamedTuple):
    """Hands are dealt, and the game begins."""


class StopOrFollow(NamedTuple):
    """Before the game one player, who knows its hand, stops and is paid for that, or follows: see `gates`."""

    owner: Any  # uint64, the player who decides
    first: Any  # uint64, its first table entry
    lane: Any  # uint64, the number of its first lane
    tie: Any  # float[1] up to which sum its regrets are rounding; in a tree, how large sums are
    pays: Any  # float[hands] what stopping is worth, everybody else's reach counted in


class ChooseHand(NamedTuple):
    """Before the game one player chooses its hand, and pays for it: see `gates`."""

    owner: Any  # uint64, the player who decides
    first: Any  # uint64, its first table entry
    lane: Any  # uint64, the number of its first lane
    tie: Any  # float[1] as above
    pays: Any  # float[hands] what a hand costs, everybody else's reach counted in
    against: Any  # float[hands] everybody else's reach, which a chosen hand is dealt without
    alike: Any  # float[hands] one over the number of hands that exchanges of suits turn it into


class StreetTable(NamedTuple):
    """Tables in lanes, [board][node][action][hand]."""

    current: Any
    regret: Any
    average: Any
    tie: Any  # float[2 streets] up to which sum a player's regrets are rounding; player i on street s: 2 s + i
    locks: Any
    gate: Any = Open()


class PackedTable(NamedTuple):
    """Tables in lanes of 16-bit numbers; every lane of regrets and of averages has a unit."""

    current: Any  # uint16, in units of 1 / 65535
    regret: Any  # int16
    average: Any  # uint16
    regret_unit: Any  # float32[lanes]
    average_unit: Any  # float32[lanes]
    tie: Any  # float[2 streets]
    locks: Any
    gate: Any = Open()


class RowTable(NamedTuple):
    """A strategy seen through buckets: a hand on a board plays the probabilities of its row. Nothing is learned in it.

    Row j of a decision begins at the entry first + j step.
    """

    current: Any  # float[entries], in rows
    place: Any  # uint64[2 nodes] of each decision, the first entry, and the step from one row to the next
    row: Any  # uint32[hands of all boards] numbered as `Boards.start` says
    tie: Any  # float[2 streets]
    locks: Any
    gate: Any = Open()


class StreetWork(NamedTuple):
    """Memory of a sweep. A vector of hands has STRIDE numbers."""

    reach: Any  # float, vectors by street, player and slot
    value: Any  # float, vectors by street and node
    block: Any  # float[stride * WIDTH] reaches of endings, in columns
    out: Any  # float[stride * WIDTH]
    sums: Any  # float[(cards + 1) * WIDTH] reaches of the hands with each card, and of all
    total: Any  # float[stride]
    scalar: Any  # float[SCALARS] numbers in the precision of the tables
    lanes: Any  # a StreetTable with room for the lanes of one node, for tables that have none of their own
    place: Any  # uint64[PLACES] where vectors of a street begin, where the sweep is, nodes touched, sizes
