"""What is frozen for an audit: strategies, and averages, on which unsound sampling must show.

A random strategy with some pure infosets tells most. A law that blends the hands of a public state is harder to find
wanting: it must miss an action that some hand plays. So three decisions at the start of a dealt game are set by hand:

    1  only one hand, x, takes an action to decision 2
    2  only one hand, y, answers with the action to decision 3; if there are such hands, one that never meets x
    3  nobody takes the last action

Laws weighed by the other player's range then miss y, laws of own strategies the last action; and averages and regrets
that know nothing of y's answer stand for hands that play an action only since now.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel import layout
from mccfr.kernel.layout import Table
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.infosets import Infosets

Floats = npt.NDArray[np.float64]
PURE = 3  # every so many infosets one plays purely


def mixed_strategy(infosets: Infosets, draw: np.random.Generator, pure: bool) -> Floats:
    """Random probabilities bounded away from 0; if `pure`, some infosets play one action only."""
    rows = []
    for j, k in enumerate(infosets.arity.tolist()):
        mixed = 0.25 / k + 0.75 * draw.dirichlet(np.ones(k))
        rows.append(np.eye(k)[draw.integers(k)] if pure and j % PURE == PURE - 1 else mixed)
    return np.concatenate(rows) if rows else np.zeros(0)


class Decision(NamedTuple):
    """A public node where a player moves."""

    player: int
    child: int
    rows: slice  # its entries
    shape: tuple[int, int]  # hands and actions
    hands: list[int]


class Traps(NamedTuple):
    """Two decisions at the start of a game, the one they may lead to, and who takes which action."""

    first: Decision
    opening: int
    x: int  # place among the hands of the first
    second: Decision
    answer: int
    y: int
    third: Decision | None


def set_traps(tree: DealtTree, strategy: Floats) -> Traps | None:
    """Overwrite the decisions above; None where a game is too short for them."""
    traps = _find_traps(tree)
    if traps is None:
        return None
    for at, action, hand in ((traps.first, traps.opening, traps.x), (traps.second, traps.answer, traps.y)):
        rows = _without(at.shape, action)
        rows[hand] = 1.0 / at.shape[1]
        strategy[at.rows] = rows.reshape(-1)
    if traps.third is not None:
        strategy[traps.third.rows] = _without(traps.third.shape, traps.third.shape[1] - 1).reshape(-1)
    return traps


def forget_answers(traps: Traps, table: Table) -> None:
    """Averages and regrets from before anybody gave y's answer."""
    rows, shape = traps.second.rows, traps.second.shape
    table.average[rows] += _without(shape, traps.answer).reshape(-1)
    table.average[rows].reshape(shape)[:, traps.answer] = 0.0
    table.regret[rows].reshape(shape)[:, traps.answer] = -1.0


def _without(shape: tuple[int, int], action: int) -> Floats:
    """Rows that play all other actions alike."""
    rows = np.full(shape, 1.0 / (shape[1] - 1))
    rows[:, action] = 0.0
    return rows


def _find_traps(tree: DealtTree) -> Traps | None:
    """At the first decision and below it; rather with a third decision, and with hands that never meet."""
    first = next(at for h in range(len(tree)) if (at := _decision(tree, h)) is not None)
    found: list[tuple[bool, bool, Traps]] = []
    for b in range(first.shape[1]):
        second = _decision(tree, first.child + b)
        if second is None or second.player == first.player or min(first.shape[1], second.shape[1]) < 2:
            continue
        x, y, apart = _strangers(tree, first, second)
        for c in range(second.shape[1]):
            third = _decision(tree, second.child + c)
            third = third if third is not None and third.shape[1] > 1 else None
            found.append((third is not None, apart, Traps(first, b, x, second, c, y, third)))
    return max(found, key=lambda one: one[:2])[2] if found else None


def _strangers(tree: DealtTree, one: Decision, other: Decision) -> tuple[int, int, bool]:
    """Hands of two decisions that never meet, if there are any, and whether there are."""
    meets = (tree.deal if one.player == 0 else tree.deal.T)[np.ix_(one.hands, other.hands)] > 0.0
    apart = not meets.all()
    x, y = np.unravel_index(int(np.argmin(meets)), meets.shape)
    return int(x), int(y), apart


def _decision(tree: DealtTree, h: int) -> Decision | None:
    child, row, which, meta = tree.nodes[4 * h : 4 * h + 4].tolist()
    if meta & 255 >= layout.CHANCE:
        return None
    hands = tree.members[tree.start[which] : tree.start[which + 1]].tolist()
    shape = len(hands), meta >> 8
    return Decision(meta & 255, child, slice(row, row + shape[0] * shape[1]), shape, hands)
