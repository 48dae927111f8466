"""Infosets and trees from files: checked completely, in a few passes over the arrays, before a kernel sees them."""

import numpy as np
import numpy.typing as npt

from mccfr.files.container import Container
from mccfr.kernel import layout
from mccfr.tree.infosets import Infosets
from mccfr.tree.recall import parents

Words = npt.NDArray[np.uint32]
LOOSE = 1e-9  # by how much the probabilities of a law may miss 1


def read_infosets(file: Container) -> Infosets:
    """The infosets in a file, which bounds what is read by its labels; a ValueError says what does not fit."""
    first = file.array("first", (np.int64,), (None,)) if "first.npy" in file.names else file.header["first"]
    labels = file.json("labels")
    menus = file.json("menus")
    if not isinstance(labels, list) or not all(type(label) is str for label in labels):
        raise ValueError("its labels are not a list of strings")
    n = len(labels)
    begin = _first(first, n)
    row = file.array("row", (np.int64,), (n + 1,))
    parent = file.array("parent", (np.int64,), (n,))
    menu = file.array("menu", (np.int32,), (n,))
    found = Infosets(begin, row, parent, labels, _menus(menus), menu)
    _check_infosets(found)
    return found


def _first(first: object, infosets: int) -> tuple[int, ...]:
    """Where each player's infosets begin."""
    numbers = first.tolist() if isinstance(first, np.ndarray) else first
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise ValueError("its players' first infosets are not a list of whole numbers")
    if not 2 <= len(numbers) <= layout.MAX_PLAYERS + 1 or numbers != sorted(numbers):
        raise ValueError("its arrays do not fit together: players' infosets are out of order")
    if numbers[0] != 0 or numbers[-1] != infosets:
        raise ValueError(f"its arrays do not fit together: {infosets:,} labels for {numbers[-1]:,} infosets")
    return tuple(numbers)


def _menus(menus: object) -> list[tuple[str, ...]]:
    sound = isinstance(menus, list) and all(
        isinstance(menu, list) and all(type(label) is str for label in menu) for menu in menus
    )
    if not isinstance(menus, list) or not sound:
        raise ValueError("its actions are not lists of strings")
    return [tuple(menu) for menu in menus]


def _check_infosets(found: Infosets) -> None:
    """Rows one after the other, actions as many as their labels, and parents that come before."""
    row, parent, menu = found.row, found.parent, found.menu
    if row[0] != 0 or (np.diff(row) < 1).any() or row[-1] >= 2**32:
        raise ValueError("its arrays do not fit together: rows are out of order")
    if ((menu < 0) | (menu >= len(found.menus))).any():
        raise ValueError("its actions do not fit its infosets: there are fewer lists than needed")
    if not np.array_equal(np.array([len(m) for m in found.menus], np.int64)[menu], found.arity):
        raise ValueError("its actions do not fit its infosets")
    for player, begin in enumerate(found.first[:-1]):
        mine = slice(begin, found.first[player + 1])
        before = parent[mine]
        if ((before != -1) & ((before < row[begin]) | (before >= row[mine]))).any():
            raise ValueError("its arrays do not fit together: an infoset comes before what its owner did last")
        if len(set(found.labels[mine])) < len(before):
            raise ValueError("two of its infosets have the same label")
    "\x00".join([*found.labels, *map("\x01".join, found.menus)]).encode()  # half a surrogate is a ValueError


def check_nodes(
    nodes: Words,
    odds: npt.NDArray[np.float64],
    payoffs: npt.NDArray[np.float64],
    players: int,
    infosets: Infosets,
) -> None:
    """Refuse, by a ValueError, nodes that are no tree over these infosets, laws and payoffs. Walks then stay inside."""
    child, row, infoset, meta = (nodes[word::4] for word in range(4))
    kind, arity = meta & np.uint32(255), meta >> np.uint32(8)
    terminal = kind == int(layout.TERMINAL)
    _check_shape(child, arity, terminal)
    mover = np.flatnonzero(kind < int(layout.CHANCE))
    _check_decisions(kind[mover], arity[mover], row[mover], infoset[mover], players, infosets)
    chance = np.flatnonzero(kind == int(layout.CHANCE))
    _check_laws(row[chance].astype(np.int64), arity[chance].astype(np.int64), odds)
    _check_payoffs(nodes, row, terminal, payoffs, players)


def _check_shape(child: Words, arity: Words, terminal: npt.NDArray[np.bool_]) -> None:
    """Every node but the root is the child of one node, which comes before it."""
    count, inner = len(child), np.flatnonzero(~terminal)
    begin, size = child[inner], arity[inner]
    if (arity[terminal] != 0).any() or (size == 0).any() or (begin <= inner).any() or (begin >= count).any():
        raise ValueError("its nodes are not a tree: children must come after their parents")
    length = np.zeros(count, np.uint32)  # of the block of children that begins there
    length[begin] = size
    starts = np.flatnonzero(length)
    ends = starts + length[starts]
    if len(starts) != len(inner) or not np.array_equal(ends, np.append(starts[1:], count)) or (starts[:1] != 1).any():
        raise ValueError("its nodes are not a tree: each must be the child of one other")
    if not len(inner) and count != 1:
        raise ValueError("its nodes are not a tree: each must be the child of one other")


def _check_decisions(
    player: Words,
    arity: Words,
    row: Words,
    infoset: Words,
    players: int,
    infosets: Infosets,
) -> None:
    if (player >= players).any() or (infoset >= len(infosets)).any():
        raise ValueError("its nodes have players or infosets that do not exist")
    owner = np.repeat(np.arange(players, dtype=np.uint32), np.diff(infosets.first))
    if not (
        np.array_equal(owner[infoset], player)
        and np.array_equal(infosets.row[:-1].astype(np.uint32)[infoset], row)
        and np.array_equal(infosets.arity.astype(np.uint32)[infoset], arity)
    ):
        raise ValueError("its nodes do not fit their infosets")


def _check_laws(begin: npt.NDArray[np.int64], arity: npt.NDArray[np.int64], odds: npt.NDArray[np.float64]) -> None:
    if not np.isfinite(odds).all() or (odds < 0).any() or (begin + arity > len(odds)).any():
        raise ValueError("its chances are negative, not finite or missing")
    if len(begin):
        ends = np.stack((begin, begin + arity), axis=1).reshape(-1)
        sums = np.add.reduceat(np.append(odds, 0.0), ends)[::2]
        if np.abs(sums - 1.0).max() > LOOSE:
            raise ValueError("its chances do not sum to 1")


def _check_payoffs(
    nodes: Words,
    row: Words,
    terminal: npt.NDArray[np.bool_],
    payoffs: npt.NDArray[np.float64],
    players: int,
) -> None:
    if players > 2:
        if payoffs.shape[1:] != (players,) or not np.array_equal(np.sort(row[terminal]), np.arange(len(payoffs))):
            raise ValueError("its payoffs do not fit its nodes")
    elif payoffs.size:
        raise ValueError("its payoffs do not fit its nodes")
    paid = payoffs if players > 2 else nodes.view(np.float64)[::2][terminal]
    if not np.isfinite(paid).all():
        raise ValueError("it has payoffs that are not finite")


def require_recall(game: str, nodes: Words, players: int, infosets: Infosets) -> None:
    """Refuse infosets whose parents are not what their owners did last; a TreeError if that is not one thing."""
    if not np.array_equal(parents(game, nodes, infosets.labels, players), infosets.parent):
        raise ValueError("its infosets follow other actions than its nodes do")
