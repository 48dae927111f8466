"""Puts a gate before hold'em with every card: the other player may stop, or choose its hand, before the first board.

The opponent's own range has no part in that: it is dealt every hand that it may hold equally often, before cards block
others. An exchange of suits may be used only where it leaves what the opponent is paid as it is; otherwise boards are
laid out anew, without it.
"""

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError, quoted
from mccfr.kernel.layout import u64
from mccfr.kernel.street_layout import ChooseHand, Open, StopOrFollow
from mccfr.tree.gate_rows import rows_of_gate
from mccfr.tree.street_boards import HandDeck, boards_after
from mccfr.tree.street_build import MOST_BOARDS, lay_boards_of
from mccfr.tree.street_tree import StreetTree, pair_sum
from mccfr.tree.tree import Floats

GATES = {"unsafe": Open, "resolve": StopOrFollow, "maxmargin": ChooseHand, "reach": ChooseHand}
ALIKE = 1e-9  # of the largest alternative: hands whose alternatives differ by no more have the same


def gated(tree: StreetTree, opponent: int, gadget: Any, alternatives: npt.ArrayLike | None = None) -> StreetTree:
    """Put a position behind a gadget: a tree like any other, with one more decision of the opponent.

    Args:
        tree: The position. Hands that the opponent may hold are those of `tree.boards.members[opponent]`; how often it
            holds them does not matter, except for `unsafe`.
        opponent: The player who may stop, or choose its hand: 0 or 1.
        gadget: unsafe (the tree as it is), resolve, maxmargin, or reach, which is maxmargin with gifts added to the
            alternatives beforehand.
        alternatives: What each of these hands of the opponent, in this order, gets elsewhere: chips, counted as the
            tree counts payoffs.

    Returns:
        The tree behind the gate. Its payoffs are means over all pairs of hands, or of the hand that is chosen.

    Raises:
        TreeError: If there is no such gadget or player, or the alternatives are not a finite number for each hand.

    Examples:
        >>> import mccfr
        >>> from mccfr.tree.street_gates import gated
        >>> spot = {"board": "2c 3d 4c 5d 6c", "oop": "all", "ip": "all", "bet": "a", "raise_": "a"}
        >>> tree = mccfr.compile(mccfr.spot(**spot, pot=10, stack=10, ranks=5, suits=2))
        >>> behind = gated(tree, 1, "resolve", [0.0] * len(tree.boards.members[1]))
        >>> len(behind.infosets) - len(tree.infosets)
        10
    """
    kind = GATES.get(str(gadget))
    if kind is None:
        raise TreeError(f"{quoted(str(gadget))} is no gadget: expected one of {', '.join(GATES)}")
    if opponent not in (0, 1):
        raise TreeError(f"no player {quoted(opponent)}: the opponent is 0 or 1")
    if not isinstance(tree.gate, Open):
        raise TreeError(f"{tree.game} has a gate already: give the position without one")
    if kind is Open:
        return tree
    worth = read_alternatives(tree, opponent, alternatives)
    even = deal_evenly(tree, opponent)
    shared, worth = keep_alike(even, opponent, worth)
    return put_gate(shared, opponent, kind, worth)


def read_alternatives(tree: StreetTree, opponent: int, alternatives: npt.ArrayLike | None) -> Floats:
    """A finite number for each hand."""
    hands = len(tree.boards.members[opponent])
    try:
        found = np.array(alternatives, np.float64)
    except (TypeError, ValueError):
        raise TreeError(f"alternatives must be numbers, one for each of {hands} hands") from None
    if found.shape != (hands,):
        raise TreeError(f"alternatives have the shape {found.shape}: expected one for each of {hands} hands")
    if not np.isfinite(found).all():
        worst = int(np.flatnonzero(~np.isfinite(found))[0])
        raise TreeError(f"the alternative of hand {worst} is {found[worst]}: expected a finite number of chips")
    return found


def deal_evenly(tree: StreetTree, opponent: int) -> StreetTree:
    """The same tree where the opponent holds each of its hands equally often."""
    ranges = list(tree.rules.ranges)
    ranges[opponent] = np.zeros_like(ranges[opponent])
    ranges[opponent][tree.boards.members[opponent]] = 1.0
    first, second = ranges
    free = ~tree.boards.deck.blocked(tree.rules.board)
    pairs = pair_sum(tree.boards.deck, first * free, second * free)
    lines = tree.laid.lines._replace(worth=tree.laid.lines.worth * (tree.pairs / pairs))
    rules, laid = tree.rules._replace(ranges=(first, second)), tree.laid._replace(lines=lines)
    return dataclasses.replace(tree, rules=rules, laid=laid, pairs=pairs)


def keep_alike(tree: StreetTree, opponent: int, worth: Floats) -> tuple[StreetTree, Floats]:
    """The tree with those exchanges of suits that leave alternatives as they are; alike to the last bit there."""
    deck, root = tree.boards.deck, tree.boards.listed[0]
    by_hand = np.zeros(len(deck.cards))
    by_hand[tree.boards.members[opponent]] = worth
    near = ALIKE * float(np.abs(worth).max(initial=0.0))
    keeps = tuple(one for one in root.keeps if (np.abs(by_hand[one.hands] - by_hand) <= near).all())
    if len(keeps) < len(root.keeps):
        listed = boards_after(deck, [root._replace(keeps=keeps)], tree.rules.deals, MOST_BOARDS)
        if isinstance(listed, int):
            raise TreeError(f"{tree.game}: without exchanges of suits there are more than {MOST_BOARDS:,} boards")
        tree = lay_boards_again(tree, listed)
    return tree, worth[tree.boards.leaders(opponent)]


def lay_boards_again(tree: StreetTree, listed: Any) -> StreetTree:
    """The same tree with other boards of the same streets."""
    held = tuple(np.zeros(len(tree.boards.deck.cards), bool) for _ in range(2))
    for p in (0, 1):
        held[p][tree.boards.members[p]] = True
    boards, locks, given = lay_boards_of(
        tree.rules, tree.boards.deck, tree.betting, tree.laid, (held[0], held[1]), listed
    )
    return dataclasses.replace(tree, boards=boards, locks=locks, given_strategy=given)


def put_gate(tree: StreetTree, opponent: int, kind: type, worth: Floats) -> StreetTree:
    """The tree with a gate, whose table entries come before all others of its owner."""
    base = tree.boards.boards.base.reshape(-1, 2, 2)
    owner, first, lane = u64(opponent), u64(base[0, opponent, 0]), u64(base[0, opponent, 1])
    against = reach_against(tree.boards.deck, tree.rules.ranges[1 - opponent] / tree.pairs, tree.rules.board)
    against = against[tree.boards.members[opponent]]
    scale = max(tree.largest_payoff, float(np.abs(worth).max(initial=0.0)))
    if kind is StopOrFollow:
        gate: Any = StopOrFollow(owner, first, lane, np.array([scale * against.max()]), against * worth)
    else:
        alike = tree.boards.leaders(opponent)
        gate = ChooseHand(
            owner, first, lane, np.array([scale]), against * worth, against, 1 / np.bincount(alike)[alike]
        )
    rows = rows_of_gate(gate)
    shifted = base.copy()
    shifted[:, opponent:] += np.array([rows.size, rows.lanes], np.uint64)  # player 1's tables come after player 0's
    boards = tree.boards._replace(boards=tree.boards.boards._replace(base=shifted.reshape(-1)))
    given = tree.given_strategy
    if given is not None:
        given = np.insert(given, rows.first, np.full(rows.size, -1.0))
    name = f"{tree.game} behind {'maxmargin' if kind is ChooseHand else 'resolve'}"
    return dataclasses.replace(tree, game=name, boards=boards, given_strategy=given, gate=gate)


def reach_against(deck: HandDeck, weights: Floats, board: tuple[int, ...]) -> Floats:
    """[hands] The weights of the hands on a board that share no card with each hand, summed: w(j)."""
    free = np.where(deck.blocked(board), 0.0, weights)
    by_card = np.bincount(deck.low, free, deck.count) + np.bincount(deck.high, free, deck.count)
    return np.asarray(free.sum() - by_card[deck.low] - by_card[deck.high] + free)
