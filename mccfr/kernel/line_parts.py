"""The parts of boards and of groups of lines that best responses look at, with small numbers as places in them."""

from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.board_hands import THIRTY_TWO
from mccfr.kernel.crews import begin_here
from mccfr.kernel.dispatch import inlined
from mccfr.kernel.layout import U1, U2, u64
from mccfr.kernel.response_layout import (
    CHUNK,
    DEEPEST,
    FIRST_FOLD,
    FOLDS,
    HEAD,
    LISTS,
    SEQUENCES,
    SHOWS,
    STEP_WORDS,
    STEPS,
    STEPS_END,
    WEIGHTS,
)

u32 = np.uint32  # in inner loops: a GPU has no 64-bit integers of its own
FOUR, LOW, HIGH = u64(4), u32(0xFFFF), u32(16)
N0, N1, N2, N3, N4 = (u32(j) for j in range(5))
AT_ONCE = u64(CHUNK)
SPARE = u64(4 * DEEPEST)


class SeenBoard(NamedTuple):
    """The hands of one board, as parts of the arrays of a `BoardList`: places in them are small numbers."""

    link: Any
    pair: Any
    tie: Any
    card_link: Any
    hands: Any  # uint64
    free: Any  # uint64


class SeenGroup(NamedTuple):
    """A group of lines and a responder, as parts of `LineGroups`; worths and exits begin at the own lane."""

    lane: Any  # uint64
    lanes: Any  # uint64
    rows: Any  # uint32 numbers that a sequence has in `weights`
    sequences: Any  # uint64
    shows: Any  # uint64
    folds: Any  # uint64
    lists: Any
    weights: Any
    steps: Any
    worths: Any
    exits: Any
    first_fold: Any  # uint32, where the weights of the first fold begin
    final: Any  # uint64, where the steps end
    zero: Any  # float


@inlined
def seen_board(crew, boards, b):
    """The part of board b."""
    n, m = boards.hands, boards.free
    begin, end, cards = b * n, (b + U1) * n, m * (m - U1)
    link, pair = begin_here(crew, boards.link[begin:end], boards.pair[begin:end])
    tie, card_link = begin_here(crew, boards.tie[begin:end], boards.card_link[b * cards : (b + U1) * cards])
    return SeenBoard(link, pair, tie, card_link, n, m)


@inlined
def seen_group(crew, lines, g, i):
    """The part of group g and responder i."""
    head, lanes, lane = HEAD * (U2 * g + i), lines.lanes, crew.lane
    begin = lines.head[head + STEPS]
    weights, worths = begin_here(crew, lines.weight[lines.head[head + WEIGHTS] :], lines.worth[begin * lanes + lane :])
    lists, steps = begin_here(crew, lines.lists[lines.head[head + LISTS] :], lines.steps[begin * STEP_WORDS :])
    return SeenGroup(
        lane,
        lanes,
        u32(lines.rows * lanes),
        lines.head[head + SEQUENCES],
        lines.head[head + SHOWS],
        lines.head[head + FOLDS],
        lists,
        weights,
        steps,
        worths,
        lines.exits[begin * lanes + lane :],
        u32(lines.head[head + FIRST_FOLD]),
        (lines.head[head + STEPS_END] - begin) * STEP_WORDS,
        lines.zero,
    )


@inlined
def places(link, lane):
    """Where the reach of a hand is, and where its weights are. Sums of 32 bits stay that: a half of 64 bits alone would
    be shifted and masked."""
    return u32(u32(link) + lane), u32(u32(link >> THIRTY_TWO) + lane)
