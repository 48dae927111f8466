"""Small hold'em re-solved on a street, each position compared with a linear programme that knows nothing of sweeps.

The package is imported where it is used: programs that look for planted bugs import it many times.
"""

import numpy as np
from position_twins import optimum

ONE = "holdem(nolimit(stack=8, blinds='1 2', bet='100%', raise_='100%', cap=1), ranks=4, suits=2, board=3)"
TWO = "holdem(nolimit(stack=12, blinds='1 2', bet='100%', raise_='100%', cap='1 0 1'), ranks=4, suits=2, board='2 1')"
GADGETS = ("resolve", "maxmargin", "reach")


def noisy(game, seed=1):
    """A strategy that nobody would play, in which some actions are never taken."""
    import mccfr

    tree, dice = mccfr.compile(game), np.random.default_rng(seed)
    drawn = dice.exponential(size=tree.infosets.entries) * (dice.random(tree.infosets.entries) < 0.8)
    even = mccfr.uniform(tree)
    return type(even)(even.infosets, tree.infosets.normalised(drawn)[0], even.origin, tree=tree)


def shortfall(resolver, found, street, gadget, player, some):
    """How much more than at best the opponent gets at the gates of some positions, as a share of what it is about."""
    positions = resolver._positions(street)
    kind, lanes = gadget_of(gadget), lanes_of(resolver, found.strategy)
    opponent, scale = 1 - player, positions.trunk.chances[street]
    paid = resolver.alternatives(positions, kind, "best", opponent) / scale
    now = positions.worth(1, opponent, resolver.table._replace(current=lanes)) / scale
    worst = []
    for row, root in some(positions):
        board = int(positions.boards[row])
        mine, theirs = (resolver.tree.boards.members[2 * board + p] for p in (player, opponent))
        reach = dict(zip(mine.tolist(), positions.reach[player][row, root].tolist()))
        if not any(reach.values()):
            continue
        weight, cost, got = (each[row, root, : len(theirs)] for each in (positions.weight[opponent], paid, now))
        costs, weights = (dict(zip(theirs.tolist(), each.tolist())) for each in (cost, weight))
        cards, origin = resolver.tree.boards.listed[board].cards, origin_of(resolver.tree, positions, root)
        best = optimum(resolver.tree, cards, origin, player, reach, costs, weights, kind.chooses_hand)
        can = weight > 1e-9
        ours = ((got - cost)[can] / weight[can]).max() if kind.chooses_hand else np.maximum(got, cost).sum()
        worst.append((ours - best) / (1.0 if kind.chooses_hand else weight.sum()))
    return worst


def gadget_of(name):
    from mccfr.resolving.gadgets import read_gadget

    return read_gadget(name)


def lanes_of(resolver, strategy):
    from mccfr.resolving.resolve_street import every_card

    return every_card(strategy)[1]


def origin_of(tree, positions, root):
    """The node of the betting tree that a position begins with."""
    return int(tree.laid.origin[positions.trunk.exits[root]])


def few(count, seed=3):
    """Some positions, drawn."""

    def draw(positions):
        boards, roots = positions.size[0].shape
        every = [(row, root) for row in range(boards) for root in range(roots)]
        return [every[j] for j in np.random.default_rng(seed).permutation(len(every))[:count]]

    return draw
