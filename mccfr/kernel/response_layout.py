"""How a best response with every card lies in memory: betting lines side by side, hands of boards, reaches and values.

Lines that come to a street are in groups of `lanes` lines of one shape: the same moves below them, whatever the chips.
A number that every line has is stored for all lines of a group side by side, so that neighbouring threads, which have
neighbouring lines, read neighbouring numbers. Groups that are not full have lines of weight 0.

Letters: b board, t the board before it, g group of lines, i the player who responds, p a player, j place of a hand in
the list of a board, n hands of a list, m cards that are not on the board, c such a card, numbered from 0, s sequence of
moves of the other player on this street.
"""

from typing import Any, NamedTuple

from mccfr.kernel.layout import u64

HEAD, SEQUENCES, SHOWS, FOLDS, LISTS, STEPS, STEPS_END, WEIGHTS, FIRST_FOLD = (u64(j) for j in (8, *range(8)))
NOWHERE = u64(0xFFFFFFFF)
STEP_WORDS, WEIGHT = u64(2), u64(1)  # of a step, after a word: where its number is | its move << 2 | AT << 4
STEP_BITS, MOVE_AT, PLACE_AT = u64(3), u64(2), u64(4)
BEGIN, LARGER, ADD = u64(0), u64(1), u64(2)  # moves of a step
POP, FOLD, SHOW, DEAL = u64(0), u64(1), u64(2), u64(3)  # where a step finds its number
CHUNK = 15  # hands whose showdowns are known at a time; odd: rows of results begin at different banks of fast memory
DEEPEST = 24  # values that wait for others at a node
STACK = 4 * DEEPEST + 4  # of four hands; the last four are room to work in


class HandDeck(NamedTuple):
    """A deck: all hands by number, and how their strength is found."""

    low: Any  # uint8[hands]
    high: Any  # uint8[hands]
    strength: Any  # uint32[...] for hands with the whole board
    word: Any  # uint64[cards]
    bit: Any  # uint64[cards]
    exchange: Any  # uint8[exchanges cards] what exchanges of suits make of cards


class BoardList(NamedTuple):
    """Boards of one street, those that follow a board side by side, and the hands that can be held on each.

    Hands are in order of strength on the last street, in order of their numbers on earlier ones. All lists of a street
    have n hands. An image is an exchange of suits that makes one of the boards that this one stands for. Where it says
    `lanes *`, numbers are multiplied by the number of lanes already, as they are added to places of vectors.
    """

    cards: Any  # uint8[boards size] in the order in which they came
    size: Any  # uint64 cards of a board
    hands: Any  # uint64 n
    free: Any  # uint64 m
    lanes: Any  # uint64
    parent: Any  # uint32[boards] the board before
    follow: Any  # uint32[boards before + 1] the first board that follows
    image: Any  # uint32[boards + 1] the first image
    exchanged: Any  # uint8[images] which exchange of suits makes it
    link: Any  # uint64[boards n] lanes * the same hand in the list of the board before | lanes * its row << 32
    pair: Any  # uint32[boards n] its free cards: lanes * low | lanes * high << 16
    tie: Any  # uint32[boards n] first hand as strong | one after the last << 16
    card_link: Any  # uint64[boards m (m - 1)] the links of the hands that have each card
    where: Any  # uint16[boards, hands of the deck] places in the list
    up: Any  # uint16[images n] lanes * the hand that an image makes of it, in the list of the board before
    strength: Any  # uint32[boards, hands of the deck] 0 where a card is on the board


class LineGroups(NamedTuple):
    """The betting lines that come to a street, in groups.

    For group g and responder i: `head` has at HEAD (2 g + i) how many sequences of the other player there are, how many
    are met at showdowns and how many at folds, and where in `lists`, `steps` and `weight` its part begins. An odd
    number of showdown sequences is filled up with one nobody looks at: two are done at a time. Its part of `lists`:
    of each sequence the number among those of showdowns, then among those of folds; then the sequences of showdowns,
    then those of folds. Steps say how values of endings become the value of the line: BEGIN puts the value in hand
    aside and takes another, LARGER and ADD combine it with one of an ending or (POP) with the one put aside. AT is
    where in fast memory the sums of a fold are, or from the results of a hand on the result of a showdown. WEIGHT is
    where the weights of the next fold begin, from those of the group on, so that they can be asked for one fold ahead;
    those of the first fold are at FIRST_FOLD. After the last step there is one more, which is read but not done.
    """

    lanes: Any  # uint64
    groups: Any  # uint64
    rows: Any  # uint64 of this street
    rows_before: Any  # uint64 of the street before
    head: Any  # uint64[HEAD 2 groups]
    lists: Any  # uint32
    steps: Any  # uint32[STEP_WORDS steps]
    worth: Any  # float[(steps + 1) lanes] what an ending pays the responder, with all chances in it
    exits: Any  # uint32[steps lanes] the line of the next street that a deal leads to
    weight: Any  # float[part of a group: sequences, rows, lanes] how likely a sequence is, by row
    source: Any  # uint32[groups lanes] the line of the street before that this one comes from
    down: Any  # float[2, groups, rows of the street before, lanes] how likely the moves on that street are
    crews: Any  # uint32[crews] 2 g + i wherever there is anything to compute
    zero: Any  # float, in the precision of everything
    half: Any  # float


class CrewRoom(NamedTuple):
    """Memory of one crew. Vectors have a number for every lane.

    `fast` has, one after the other: for every showdown sequence the sums of its free cards, the same for every fold
    sequence, the total of every showdown sequence, and twice CHUNK results of every showdown sequence.
    """

    fast: Any  # float
    stack: Any  # float[STACK] of one thread
    slow: Any  # float: the values of all hands
    slow_at: Any  # uint64, where that of this crew begins
