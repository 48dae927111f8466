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


def shortfall(resolver, strategy, street, gadget, player, some):
    """How much more than at best the opponent gets at the gates of some positions, as a share of what it is about."""
    positions = resolver._positions(street)
    kind, lanes = gadget_of(gadget), lanes_of(strategy)
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


def lanes_of(strategy):
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


# ---- what nodes show to somebody who reads them one by one


def misread(resolver, blueprint, street, some):
    """By how much ranges, weights and values of some positions differ from what a reader of nodes sees."""
    from mccfr.evaluate.street_reading import StreetReader

    positions, tree, reader = resolver._positions(street), resolver.tree, StreetReader(blueprint)
    cards, worst = [set(hand) for hand in tree.boards.deck.cards.tolist()], 0.0
    for row, root in some(positions):
        board, node = int(positions.boards[row]), int(positions.trunk._linked(street)[root, 1])
        view = reader.view(tree.line(node, board))
        for p in (0, 1):
            mine = tree.boards.members[2 * board + p]
            reach, weight, worth = (
                each[row, root, : len(mine)] * positions.size[q][row, root]
                for each, q in (
                    (positions.reach[p], p),
                    (positions.weight[p], 1 - p),
                    (resolver.worth(positions, 0, p) / positions.trunk.chances[street], 1 - p),
                )
            )
            met = [sum(view.reach[1 - p][h] for h in range(len(cards)) if not cards[h] & cards[j]) for j in mine]
            value = np.nan_to_num((view.ev[p] - reader._stakes(node)[p])[mine]) * met
            pairs = ((reach, view.reach[p][mine]), (weight, np.array(met)), (worth, value))
            worst = max(worst, *(float(abs(ours - seen).max()) for ours, seen in pairs))
    return worst


def misgiven(resolver, blueprint):
    """By how much gifts of player 1 differ from what its other actions before the last street were worth."""
    from mccfr.evaluate.street_reading import StreetReader

    positions, tree, reader = resolver._positions(1), resolver.tree, StreetReader(blueprint)
    gifts, worst = positions.trunk.gifts(1, 0), 0.0
    for root, node in enumerate(positions.trunk.exits):
        line = tree.betting.line(int(tree.laid.origin[node])).rstrip("/")
        lost = np.zeros(len(tree.boards.deck.cards))
        for cut in [j for j, letter in enumerate(line) if not letter.isdigit()]:
            view = reader.view(line[:cut])
            if view.mover == 1:
                taken = [j for j, name in enumerate(view.actions) if line[cut:].startswith(MOVES.get(name, name))]
                lost += np.nan_to_num(view.action_ev.max(axis=0) - view.action_ev[taken[-1]])
        worst = max(worst, *(float(abs(given[root] - lost).max()) for given in gifts.values()))
    return worst


MOVES = {"fold": "f", "check": "k", "call": "c"}


# ---- for bugs that are planted


def wrong(iterations=20):
    """What comes out wrong in two boards of a small game, where nothing is compiled."""
    from mccfr.resolving.resolve_street import StreetResolver, fitting
    from mccfr.tree import street_lines

    street_lines.SEGMENT_NODES = 4  # several segments
    blueprint = noisy(ONE)
    resolver = StreetResolver(blueprint)
    positions = resolver._positions(1)
    positions.boards = positions.boards[:2]
    first = [(row, root) for row in range(2) for root in range(positions.size[0].shape[1])]
    found = ["reading"] * (misread(resolver, blueprint, 1, lambda _: first) > 1e-9)
    found += ["gifts"] * (misgiven(resolver, blueprint) > 1e-9)
    for name in ("resolve", "maxmargin"):
        kind = gadget_of(name)
        paid = resolver.alternatives(positions, kind, "best", 0)
        gate = positions.gate(0, paid, kind.chooses_hand, np.float64)
        rows = resolver._rows(resolver.lanes)
        resolver._replace(rows, resolver._solve(positions, gate, fitting("cfr_plus"), iterations), 1, 1)
        solved = resolver._strategy(rows, "", iterations)
        short = shortfall(resolver, solved, 1, name, 1, lambda _: first)
        found += [name] * int(min(short) < -1e-6 or max(short) > 0.15)
    return found
