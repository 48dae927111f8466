"""A best response with every card on one processor: the loops of `board_hands`, `reach_down` and `line_values`, alone.

The GPU runs the same texts, see `cuda_response`.
"""

from mccfr.kernel.board_hands import see_board
from mccfr.kernel.crews import Alone
from mccfr.kernel.dispatch import entry
from mccfr.kernel.layout import U0, U2, u64
from mccfr.kernel.line_values import answer_after
from mccfr.kernel.reach_down import carry_down


@entry
def see_boards(look, deck, boards, before, streets, last, held):
    """The hands of all boards of a street."""
    for b in range(u64(len(boards.parent))):
        see_board(Alone(U0), look, deck, boards, before, b, streets, last, held)


@entry
def carry_boards(arriving, leaving, before, boards, arrived, left):
    """Reaches of all lines that leave the boards of a street."""
    for b in range(u64(len(boards.parent))):
        for p in range(U2):
            for g in range(leaving.groups):
                for lane in range(leaving.lanes):
                    carry_down(Alone(lane), arriving, leaving, before, boards, arrived, left, b, p, g)


@entry
def answer_boards(lines, later, before, boards, reach, below, above, room):
    """What both best responses get by all lines that come to a street, added up for the boards before."""
    for t in range(u64(len(boards.follow)) - u64(1)):
        for crew in lines.crews:
            g, i = u64(crew) // U2, u64(crew) % U2
            for lane in range(lines.lanes):
                answer_after(Alone(lane), i, lines, later, before, boards, t, g, reach, below, above, room)
