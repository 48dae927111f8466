"""Positions of small hold'em behind a gadget as linear programmes: public states, cards and hands written out plainly.

Nothing of the package's sweeps is in it: betting trees say who moves and what is paid, and hands are ranked by the
evaluator. For every hand j of the opponent and every public state, V is what a best response gets there, the player's
reach and chance counted in: linear in the player's reaches where hands end, a sum where the player or chance moves, and
at least every action's where the opponent does.
"""

import itertools
import math

import numpy as np
from scipy.optimize import linprog

SHOWDOWN, FOLDER = -1, {-2: 0, -3: 1}  # kinds of ends, and who folded


class Programme:
    """Variables and constraints, collected one by one."""

    def __init__(self):
        self.count, self.equal, self.below, self.cost = 0, [], [], {}

    def variable(self):
        self.count += 1
        return self.count - 1

    def solve(self):
        def matrix(rows):
            found = np.zeros((len(rows), self.count))
            for number, (terms, _) in enumerate(rows):
                for name, factor in terms.items():
                    found[number, name] += factor
            return found, [right for _, right in rows]

        cost = np.zeros(self.count)
        for name, factor in self.cost.items():
            cost[name] = factor
        equal, below = matrix(self.equal), matrix(self.below)
        bounds = [(None, None)] * self.count
        for name in self.reaches:
            bounds[name] = (0, None)
        done = linprog(cost, *below, *equal, bounds=bounds, method="highs")
        assert done.status == 0, done.message
        return done.fun


def optimum(tree, board, origin, player, reach, paid, weight, chooses_hand):
    """What the opponent gets at the gate if the player plays as well as possible, in chips times weights.

    reach: {hand: weight} of the player's hands; paid: {hand: w(j) alt(j)}, weight: {hand: w(j)} of the opponent's.
    """
    lp = Programme()
    lp.reaches = []
    start = {}
    for hand, value in reach.items():
        start[hand] = lp.variable()
        lp.reaches.append(start[hand])
        lp.equal.append(({start[hand]: 1.0}, value))
    worth = _state(lp, tree, board, origin, player, start, list(paid))
    if chooses_hand:
        most = lp.variable()
        lp.cost[most] = 1.0
        for hand, root in worth.items():
            if weight[hand] > 1e-9:
                lp.below.append(({root: 1 / weight[hand], most: -1.0}, paid[hand] / weight[hand]))
    else:
        for hand, root in worth.items():
            best = lp.variable()
            lp.cost[best] = 1.0
            lp.below.append(({root: 1.0, best: -1.0}, 0.0))
            lp.below.append(({best: -1.0}, -paid[hand]))
    return lp.solve()


def _state(lp, tree, board, node, player, reach, hands):
    """By hand of the opponent: the variable of what a state is worth to it."""
    betting = tree.betting
    cards = tree.boards.deck.cards
    street = sum(len(board) >= sum(tree.rules.deals[:s]) for s in range(1, len(tree.rules.deals) + 1))
    held = [hand for hand in hands if not set(cards[hand]) & set(board)]
    mover = int(betting.kind[node])
    if int(betting.street[node]) > street or (mover == SHOWDOWN and street < len(tree.rules.deals)):
        return _deal(lp, tree, board, node, player, reach, held, tree.rules.deals[street])
    if mover < 0:
        return _ending(lp, tree, board, node, player, reach, held)
    values = {hand: lp.variable() for hand in held}
    if mover != player:
        for child in betting.children(node):
            after = _state(lp, tree, board, child, player, reach, held)
            for hand in held:
                lp.below.append(({after[hand]: 1.0, values[hand]: -1.0}, 0.0))
        return values
    below = [{hand: lp.variable() for hand in reach} for _ in betting.children(node)]
    for hand in reach:
        lp.reaches += [each[hand] for each in below]
        lp.equal.append(({reach[hand]: -1.0, **{each[hand]: 1.0 for each in below}}, 0.0))
    after = [_state(lp, tree, board, c, player, r, held) for c, r in zip(betting.children(node), below)]
    for hand in held:
        lp.equal.append(({values[hand]: -1.0, **{each[hand]: 1.0 for each in after}}, 0.0))
    return values


def _deal(lp, tree, board, node, player, reach, held, count):
    cards, values = tree.boards.deck.cards, {hand: lp.variable() for hand in held}
    left = [card for card in range(tree.boards.deck.count) if card not in board]
    chance = 1 / math.comb(len(left) - 4, count)
    sums = {hand: {values[hand]: -1.0} for hand in held}
    for new in itertools.combinations(left, count):
        possible = {hand: name for hand, name in reach.items() if not set(cards[hand]) & set(new)}
        after = _state(lp, tree, (*board, *new), node, player, possible, held)
        for hand, name in after.items():
            sums[hand][name] = chance
    lp.equal += [(terms, 0.0) for terms in sums.values()]
    return values


def _ending(lp, tree, board, node, player, reach, held):
    from mccfr.cards.evaluator import rank_deck

    cards, stake = tree.boards.deck.cards, float(tree.betting.stake[node])
    kind, values = int(tree.betting.kind[node]), {hand: lp.variable() for hand in held}
    strength = rank_deck(board, tree.rules.ranks, tree.rules.suits) if kind == SHOWDOWN else None
    for hand in held:
        terms = {values[hand]: -1.0}
        for other, name in reach.items():
            if set(cards[hand]) & set(cards[other]):
                continue
            if strength is not None:
                won = float(np.sign(int(strength[hand]) - int(strength[other])))
            else:
                won = 1.0 if FOLDER[kind] == player else -1.0
            terms[name] = won * stake
        lp.equal.append((terms, 0.0))
    return values
