"""The sequence form [von Stengel 1996] against sums over all terminals of the game."""

import math

import naive
import numpy as np
import pytest
from conftest import flat
from hypothesis import given, settings, strategies as st
from random_games import games, random_strategy

import mccfr
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.kernel.layout import Table
from mccfr.kernel.sequence_form import plan_for, realise

GAMES = games(depth=6, totals=(0.0, 2.0), most=150)
SEEDS = st.integers(0, 10**6)


def sequence(tree, h, player):
    """Number of the sequence of this player's moves that lead to h; 0 is the empty one."""
    moves = naive.own_moves(h, player)
    if not moves:
        return 0
    infosets = tree.infosets
    base = infosets.row[infosets.first[player]]
    return int(infosets.row[infosets.find(str(moves[-1][0]), player)] + moves[-1][1] - base) + 1


def naive_payoffs(tree, game):
    """Chance times player 0's payoff of every terminal, summed by the pair of sequences that leads there."""
    infosets = tree.infosets
    base = int(infosets.row[infosets.first[1]])
    table = np.zeros((base + 1, infosets.entries - base + 1))
    for h in naive.histories(game):
        if game.player(h.state) == TERMINAL:
            chance = math.prod(move.odds for move in h.moves if move.actor == CHANCE)
            paid = game.payoff(h.state)[0] - tree.constant / 2
            table[sequence(tree, h, 0), sequence(tree, h, 1)] += chance * paid
    return table


@settings(max_examples=100)
@given(GAMES)
def test_payoffs_are_sums_over_terminals(game):
    tree = mccfr.compile(game)
    found = tree.sequence_form.payoffs.toarray()
    np.testing.assert_allclose(found, naive_payoffs(tree, game), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("game", "sequences", "payoffs"), [(Kuhn(), (13, 13), 30), (Leduc(suits=False), (337, 337), None)], ids=str
)
def test_sizes_of_the_literature(game, sequences, payoffs):
    table = mccfr.compile(game).sequence_form.payoffs
    assert table.shape == sequences
    assert payoffs is None or table.nnz == payoffs


@settings(max_examples=60)
@given(GAMES)
def test_both_sides_tell_the_same_game(game):
    tree = mccfr.compile(game)
    first, second = tree.sequence_form
    table = tree.sequence_form.payoffs.toarray()
    for s in range(len(second.start) - 1):
        for z in range(second.start[s], second.start[s + 1]):
            assert second.worth[z] == -table[second.other[z], s]
    assert len(first.worth) == len(second.worth) == np.count_nonzero(table)
    assert np.count_nonzero(first.worth) == len(first.worth)


@settings(max_examples=60)
@given(GAMES, SEEDS)
def test_plans_are_products_of_own_probabilities(game, seed):
    profile, tree = random_strategy(game, seed), mccfr.compile(game)
    table = Table(flat(tree.infosets, profile), np.zeros(0), np.zeros(0))
    for player in (0, 1):
        side = tree.sequence_form.side(player)
        plan = plan_for(side)
        realise(side, table, plan)
        assert plan[0] == 1.0
        for h in naive.histories(game):
            assert plan[sequence(tree, h, player)] == pytest.approx(naive.reach(h, profile, player), rel=1e-12)
        for j in range(len(side.parent)):
            below = plan[side.row[j] : side.row[j + 1]].sum()
            assert below == pytest.approx(plan[side.parent[j]], abs=1e-12)


@settings(max_examples=60)
@given(GAMES, SEEDS)
def test_the_value_is_bilinear(game, seed):
    """u_0 = x' A y for the players' realisation plans x and y."""
    profile, tree = random_strategy(game, seed), mccfr.compile(game)
    table = Table(flat(tree.infosets, profile), np.zeros(0), np.zeros(0))
    plans = [plan_for(side) for side in tree.sequence_form]
    for side, plan in zip(tree.sequence_form, plans):
        realise(side, table, plan)
    value = plans[0] @ (tree.sequence_form.payoffs @ plans[1]) + tree.constant / 2
    assert value == pytest.approx(naive.expected_value(game, profile), abs=1e-12)


@settings(max_examples=40)
@given(GAMES)
def test_sequences_come_after_their_parents(game):
    for side in mccfr.compile(game).sequence_form:
        assert side.row[0] == 1
        assert np.all(np.diff(side.row.astype(int)) >= 1)
        assert np.all(side.parent < side.row[:-1])
        assert np.all(np.diff(side.start.astype(int)) >= 0)
        assert side.start[-1] == len(side.worth) == len(side.other)
