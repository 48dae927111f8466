"""Which actions the custom schemes of Gibson et al. (2012, section 7) always sample."""

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import LETTERS
from mccfr.errors import MethodError
from mccfr.kernel.public_rows import mark_rows
from mccfr.tree.bucket_infosets import BucketInfosets
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.infosets import Infosets

Floats = npt.NDArray[np.float64]
NAMES = ("fold", "check", "call", "bet", "raise", "all-in")
KINDS = dict(zip(LETTERS, NAMES))  # by the letter of a move


def inclusion_table(infosets: Infosets, p: float, always: str) -> Floats:
    """Inclusion probabilities: 1 for the certain actions, p for the others. [Gibson et al. 2012, 7]"""
    if always == "bluff":
        return np.concatenate([_bluff_row(infosets, j, p) for j in range(len(infosets))])
    rows = {menu: _menu_row(menu, p, always) for menu in infosets.menus}
    if always != "ends" and not any((row == 1.0).any() for row in rows.values()):
        raise MethodError(f"include: no action is called {always!r} in this game; always takes ends, bluff or labels")
    return np.concatenate([rows[infosets.actions(j)] for j in range(len(infosets))])


def _menu_row(menu: tuple[str, ...], p: float, always: str) -> Floats:
    if always == "ends":
        return np.array([1.0 if j in (0, len(menu) - 1) else p for j in range(len(menu))])
    return np.array([1.0 if action in always.split() else p for action in menu])


def _bluff_row(infosets: Infosets, j: int, p: float) -> Floats:
    hand = infosets.labels[j].rpartition("/")[2].partition(":")[0]
    return np.array([1.0 if action in _bluff_certain(hand) else p for action in infosets.actions(j)])


def _bluff_certain(hand: str) -> set[str]:
    """Always: liar, the bids 1-5 2-5 1-6 2-6, and up to four of every face in the own hand."""
    return {"liar", "1-5", "2-5", "1-6", "2-6"} | {f"{n}-{face}" for n in range(1, 5) for face in hand}


def packed_list(tree: DealtTree, always: str) -> npt.NDArray[np.uint64]:
    """A bit for every entry of a large dealt game: whether its action is certain."""
    rules = tree.infosets.rules
    if not hasattr(rules, "menu_numbers"):
        raise MethodError(f"include: {tree.game} is too large for lists of actions")
    menus, numbers = rules.menu_numbers(tree.nodes)
    bits = np.zeros((tree.infosets.entries >> 6) + 1, np.uint64)
    for player, decisions in enumerate(tree.infosets.decisions):
        hands = rules.hands(player)
        certain = np.zeros((len(menus), len(hands), max(map(len, menus))), bool)
        for m, menu in enumerate(menus):
            for h, hand in enumerate(hands):
                known = _bluff_certain(hand) if always == "bluff" else None
                row = [a in known for a in menu] if known else _menu_row(menu, 0.0, always) == 1.0
                certain[m, h, : len(menu)] = row
        mark_rows(tree.nodes, decisions, tree.start, tree.members, numbers, certain, bits)
    return bits


def packed_blocks(infosets: BucketInfosets, always: str) -> npt.NDArray[np.uint64]:
    """A bit for every entry of a betting tree with buckets. Words such as `fold raise` name kinds of moves."""
    bits = np.zeros((infosets.entries >> 6) + 1, np.uint64)
    certain = np.zeros(len(bits) * 64, bool)
    known = False
    for node, (part,) in infosets.each_part(certain[: infosets.entries]):
        menu = infosets.menu_at(node)
        words = tuple(KINDS[action[0]] for action in menu)
        row = (_menu_row(menu, 0.0, always) == 1.0) | (_menu_row(words, 0.0, always) == 1.0)
        known = known or bool(row.any())
        part[:] = row
    if not known:
        raise MethodError(f"include: no move is called {always!r}; always takes ends, or some of {' '.join(NAMES)}")
    bits[:] = np.packbits(certain, bitorder="little").view(np.uint64)
    return bits
