"""How likely players come to the lines of a street with each hand: from the street before, through its board.

What is computed on board b belongs to the lines that leave it. It does not depend on the cards that come next, so the
boards that follow share it.
"""

from mccfr.kernel.board_hands import PLACE_BITS, THIRTY_TWO
from mccfr.kernel.crews import first, step
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.layout import U2, u64


@inlined
def hand_at(lines, boards, b, p, g):
    """Where the numbers of all hands begin, of player p on board b, for a group of lines that leave it."""
    return ((b * U2 + p) * lines.groups + g) * boards.hands * lines.lanes


@inlined
def carry_down(crew, arriving, leaving, before, boards, arrived, left, b, p, g):
    """left: reaches on board b of group g of the lines that leave it; arrived: of those that came to it, as they left
    the board before."""
    lanes, lane = leaving.lanes, crew.lane
    line = u64(leaving.source[g * lanes + lane])
    source = hand_at(arriving, before, u64(boards.parent[b]), p, line // lanes) + line % lanes
    target = hand_at(leaving, boards, b, p, g) + lane
    weights = (p * leaving.groups + g) * leaving.rows_before * lanes + lane
    for j in range(first(crew), boards.hands, step(crew)):
        link = boards.link[b * boards.hands + j]
        reach, weight = arrived[source + (link & PLACE_BITS)], leaving.down[weights + (link >> THIRTY_TWO)]
        left[target + j * lanes] = reach * weight
