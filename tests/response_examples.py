"""Best responses with every card by lines side by side, for tests: on one processor, in the simulator, on a GPU.

The package is imported where it is used: programs that look for planted bugs import it many times.
"""

import numpy as np
import street_trees

EXACT = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
LIMIT = "holdem(limit(cap='2 1 0 1', bets='2 2 4 4'), {}, ranks={}, suits={}, board='{}')"
NO_LIMIT = "holdem(nolimit(stack=9, bet='50%,a', raise_='100%,a'), {}, ranks={}, suits={}, board='{}')"
GAMES = (
    (LIMIT, "ehs2(3)", 4, 3, "1 1 1"),
    (LIMIT, "emd(4)", 3, 4, "2 1 1"),
    (LIMIT, "exact", 4, 2, "1 1 1"),
    (LIMIT, "hs(3)", 5, 2, "3 1"),
    (NO_LIMIT, "ehs2(2)", 3, 3, "1 1 1"),
    (NO_LIMIT, "emd(3)", 4, 2, "3"),
    (NO_LIMIT, "hs_recall(2)", 3, 4, "3"),
    (NO_LIMIT, "exact", 4, 2, "2 1"),
)


def game_of(betting, buckets, ranks, suits, board):
    """One of `GAMES` as text; streets without cards have no bets."""
    return betting.format(buckets, ranks, suits, board).replace(
        "'2 1 0 1', bets='2 2 4 4'", {1: "'2 1', bets='2 4'", 2: "'2 1 1', bets='2 2 4'"}.get(
            len(board.split()), "'2 1 0 1', bets='2 2 4 4'"
        )
    )  # fmt: skip


def parts_of(strategy):
    """The tree with buckets, and the flops."""
    from mccfr.evaluate.real_game import seen_through_buckets, without_buckets
    from mccfr.tree.flop_trees import FlopTrees

    buckets = seen_through_buckets(strategy)
    return buckets, FlopTrees(without_buckets(buckets))


def responses(strategy, machine):
    """A strategy laid out for a machine."""
    from mccfr.evaluate.board_responses import BoardResponses

    return BoardResponses(strategy, *parts_of(strategy), machine)


def values(made, kinds):
    """[kinds, players, nodes before the flop, hands] of a strategy that was laid out."""
    return np.concatenate([some for _, some in made.values(kinds)])


def best(strategy, machine, flops=10**6, keep=None, seed=0):
    """Both best responses, and by how much they may be off."""
    from mccfr.evaluate.real_flops import respond_by_flops

    trees = parts_of(strategy)[1]
    return respond_by_flops(strategy, trees, responses(strategy, machine), flops, seed, lambda done, of: None, keep)


def always(tree, wanted):
    """Fold, or call, wherever one can; otherwise check."""
    found = np.zeros(tree.infosets.entries)
    for node, (part,) in tree.infosets.each_part(found):
        menu = [move[0] for move in tree.infosets.menu_at(node)]
        part[:, menu.index(next(move for move in (wanted, "k", "c") if move in menu))] = 1.0
    return street_trees.strategy_of(tree, found)


def careless(tree, seed=1):
    """Of some nodes every row plays alike, and some moves nobody makes: there is something to leave out."""
    dice, found = np.random.default_rng(seed), np.zeros(tree.infosets.entries)
    for _, (part,) in tree.infosets.each_part(found):
        rows, moves = part.shape
        part[:] = dice.exponential(size=(rows, moves))
        if dice.random() < 0.6:
            part[:] = part[:1]
        if dice.random() < 0.4:
            part[:, dice.integers(moves)] = 0.0
        part[:] = part / part.sum(axis=1, keepdims=True) if moves > 1 and part.sum(axis=1).all() else 1.0 / moves
    return street_trees.strategy_of(tree, found)
