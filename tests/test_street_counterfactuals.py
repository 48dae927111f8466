"""Reaches, counterfactual values and gifts of street trees against the rules of the game, pair of hands by pair."""

import functools

import numpy as np
import pytest
from gate_twins import position
from street_trees import strategy_of

import mccfr
from mccfr.errors import StrategyError
from mccfr.evaluate.street_counterfactuals import counterfactuals
from mccfr.kernel.dispatch import uncompiled

CHANCE, TERMINAL = -1, -2
WAYS = {  # moves and cards one after the other, and how labels write them
    "river": ([], ["k"], ["k", "b5"], ["b5", "a15"]),
    "turn": ([], ["k"], ["k", "k", "6d"], ["k", "k", "6c", "k"], ["a15", "c", "6d"], ["k", "k", "4d", "k", "a15"]),
}
CASES = [(name, number) for name, ways in WAYS.items() for number in range(len(ways))]


@functools.cache
def case(name):
    """A tree, the rules of the same game, and a random strategy."""
    tree, _ = position(name)
    rows = np.random.default_rng(7).exponential(size=tree.infosets.entries)
    return tree, tree.given, strategy_of(tree, tree.infosets.normalised(rows)[0])


class Naive:
    """One node of a game, by its rules: for all pairs of hands the state there and both players' reaches."""

    def __init__(self, game, strategy, way):
        self.game, self.strategy, streets = game, strategy, game.streets()
        self.pairs, root = {}, game.root()
        for first, _ in game.chances(root):
            for second, _ in game.chances(game.step(root, first)):
                s = game.step(game.step(root, first), second)
                reach = [float(streets.ranges[p][s.hands[p]]) for p in (0, 1)]
                s = self.follow(s, way, reach)
                if s is not None:
                    self.pairs[first, second] = s, reach

    def follow(self, s, way, reach):
        for a in way:
            player = self.game.player(s)
            if player == CHANCE and a not in dict(self.game.chances(s)):
                return None
            if player >= 0:
                reach[player] *= self.row(s)[a]
            s = self.game.step(s, a)
        return s

    def row(self, s):
        infosets = self.strategy.tree.infosets
        j = infosets.find(self.game.infoset(s), self.game.player(s))
        return dict(zip(infosets.actions(j), self.strategy.probabilities[infosets.entry(j) :].tolist()))

    def worth(self, player, states, best):
        """What states that a player cannot tell apart now are worth to it, by weight."""
        groups = {}
        for s, weight in states:
            mover = self.game.player(s)
            if mover == TERMINAL:
                groups.setdefault(("over",), []).append(weight * self.game.payoff(s)[player])
                continue
            law = dict(self.game.chances(s)) if mover == CHANCE else self.row(s)
            for a, p in law.items():
                own = mover == player and best
                groups.setdefault((mover, a), []).append((self.game.step(s, a), weight * (1 if own else p)))
        if ("over",) in groups:
            return sum(groups[("over",)])
        found = {key: self.worth(player, below, best) for key, below in groups.items()}
        movers = {mover for mover, _ in found}
        assert len(movers) <= 1
        return max(found.values()) if best and player in movers else sum(found.values())

    def hand(self, player, name):
        """The states in which a player holds a hand, weighted by the other's reach."""
        return [(s, reach[1 - player]) for pair, (s, reach) in self.pairs.items() if pair[player] == name]


@pytest.mark.parametrize(("name", "number"), CASES)
def test_values_are_those_of_the_rules(name, number):
    """w(j), v(j) and alt(j) of both players, by the strategy and by best responses."""
    tree, game, strategy = case(name)
    way = WAYS[name][number]
    naive, deck = Naive(game, strategy, way), game._deals
    with uncompiled():
        read = counterfactuals(strategy)
        node, board, turned = tree.locate(written(way))
        assert (turned.cards == np.arange(len(turned.cards))).all()
        for player in (0, 1):
            for best in (False, True):
                found = read.values(player, node, board, best)
                for j, hand in enumerate(tree.boards.members[2 * board + player]):
                    states = naive.hand(player, deck.hand_name(int(hand)))
                    met = sum(weight for _, weight in states)
                    worth = naive.worth(player, states, best)
                    assert found.against[j] == pytest.approx(met, abs=1e-9)
                    assert found.value[j] == pytest.approx(worth, abs=1e-9)
                    assert found.worth[j] == pytest.approx(worth / met if met else 0.0, abs=1e-9)
            own = {pair[player]: reach[player] for pair, (_, reach) in naive.pairs.items()}
            names = [deck.hand_name(int(hand)) for hand in tree.boards.members[2 * board + player]]
            for hand, reach in zip(names, read.reaches(node, board)[player]):
                assert hand not in own or own[hand] == pytest.approx(reach, abs=1e-12)


def written(way):
    """A way as a line."""
    return "".join(f"/{a}:" if a[0] in "23456" else a for a in way)


@pytest.mark.parametrize(("name", "number"), CASES)
def test_gifts_are_what_best_actions_were_worth_more(name, number):
    tree, game, strategy = case(name)
    way = WAYS[name][number]
    with uncompiled():
        read = counterfactuals(strategy)
        node, board, _ = tree.locate(written(way))
        for player in (0, 1):
            found = read.gifts(player, node, board)
            for j, hand in enumerate(tree.boards.members[2 * board + player]):
                name_of = game._deals.hand_name(int(hand))
                assert found[j] == pytest.approx(naive_gift(game, strategy, way, player, name_of), abs=1e-9)


def naive_gift(game, strategy, way, player, hand):
    """Decision by decision along the way."""
    total = 0.0
    for length in range(len(way)):
        before = Naive(game, strategy, way[:length])
        states = before.hand(player, hand)
        if not states or game.player(states[0][0]) != player:
            continue
        met = sum(weight for _, weight in states)
        best = before.worth(player, states, True)
        taken = before.worth(player, [(game.step(s, way[length]), weight) for s, weight in states], True)
        total += max(best - taken, 0.0) / met if met else 0.0
    return total


def test_games_without_boards_are_refused():
    with pytest.raises(StrategyError, match="kuhn has no boards and ranges"):
        counterfactuals(mccfr.uniform("kuhn"))
