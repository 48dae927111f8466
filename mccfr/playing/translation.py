"""From bets that are not in a tree to those that are, and back.

A bet or raise is measured by x, the chips beyond a call over the pot after that call. Between two sizes A < x < B of
the tree the pseudo-harmonic mapping [Ganzfried 2013] takes A with probability

    f(x) = (B - x) (1 + A) / ((B - A) (1 + x)),

and B otherwise. f is 1 at A and 0 at B, falls in between, changes little when x does, and is scale-free; in the
clairvoyance game it makes the same calls as the equilibrium of the bet that was made. Sizes below the smallest become
the smallest and those above the largest the largest: a bet is never taken for a check, so that both lines always have
the same moves, bet for bet and call for call. An all-in is an all-in wherever the tree has one.

Our own moves go the other way: the same share of the pot as it really is, and all-in for all-in.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mccfr.betting.flat_tree import BettingTree
from mccfr.betting.lines import ALL_IN, BETS, CALL, CHECK, FOLDS, Move, State
from mccfr.playing.table import Table

LOST = -1  # no node: betting has gone where the tree has none


def pseudo_harmonic(low: float, high: float, size: float) -> float:
    """Probability of the lower of two sizes, as shares of the pot, for a bet between them."""
    return (high - size) * (1.0 + low) / ((high - low) * (1.0 + size))


def taken_for(sizes: Sequence[float], size: float) -> list[tuple[int, float]]:
    """Numbers of the one or two sizes (rising) that a bet is taken for, with probabilities."""
    above = int(np.searchsorted(np.asarray(sizes), size))
    if above == 0:
        return [(0, 1.0)]
    if above == len(sizes):
        return [(above - 1, 1.0)]
    low = pseudo_harmonic(sizes[above - 1], sizes[above], size)
    return [(number, p) for number, p in ((above - 1, low), (above, 1.0 - low)) if p > 0.0]


def share_of_pot(amount: int, theirs: int, opened: int) -> Fraction:
    """x: chips beyond a call, over the pot after it. A stake of `theirs` is called; the street began at `opened`."""
    return Fraction(opened + amount - theirs, 2 * theirs)


def raises_of(tree: BettingTree, node: int) -> tuple[list[int], list[Fraction]]:
    """The bets and raises of a node: their numbers among its moves, and their shares of the pot, rising."""
    mover = int(tree.kind[node])
    theirs = int(tree.stakes[node, 1 - mover])
    found = [
        (Fraction(int(tree.stakes[child, mover]) - theirs, 2 * theirs), number)
        for number, child in enumerate(tree.children(node))
        if tree.move_kind[child] >= BETS
    ]
    found.sort()
    return [number for _, number in found], [size for size, _ in found]


def follow(tree: BettingTree, node: int, s: State, move: Move) -> list[tuple[int, float]]:
    """The nodes that a move of the other player, made in state s, is taken for, with probabilities."""
    if node == LOST or tree.kind[node] != s.mover:
        return [(LOST, 1.0)]
    first = int(tree.first_child[node])
    offered = tree.moves(node)
    if move.kind < BETS:
        plain = [number for number, each in enumerate(offered) if each.kind == move.kind]
        return [(first + plain[0] if plain else LOST, 1.0)]
    numbers, sizes = raises_of(tree, node)
    if not numbers:
        return [(LOST, 1.0)]
    if move.kind == ALL_IN and offered[numbers[-1]].kind == ALL_IN:
        return [(first + numbers[-1], 1.0)]
    size = share_of_pot(move.amount, s.stakes[1 - s.mover], s.opened)
    return [(first + numbers[j], p) for j, p in taken_for([float(each) for each in sizes], float(size))]


def real_move(tree: BettingTree, node: int, child: int, s: State, table: Table, scale: Fraction) -> Move:
    """What a move from node to child of the tree is at the table, where state s is. One chip of the tree is `scale`."""
    move = tree.move(child)
    legal = table.legal(s)
    if move.kind == FOLDS:
        return legal.moves[0]  # a check where folding is not needed
    if move in (CHECK, CALL) or legal.bounds is None:
        return legal.moves[-1]
    if move.kind == ALL_IN:
        return table.raise_to(s, legal.bounds[1])
    mover = int(tree.kind[node])
    level = s.stakes[1 - mover] - s.opened
    theirs = int(tree.stakes[node, 1 - mover])
    if theirs * scale == s.stakes[1 - mover]:
        amount = (int(tree.stakes[child, mover]) - theirs) * scale + level
    else:
        share = Fraction(int(tree.stakes[child, mover]) - theirs, 2 * theirs)
        amount = share * 2 * s.stakes[1 - mover] + level
    return table.nearest(s, round(amount))
