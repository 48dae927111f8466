"""Values of moves by rollouts: exactly those of a slow twin on small decks, and within their intervals when drawn."""

import functools
import random

import move_value_examples as slow
import numpy as np
import pytest

import mccfr
from mccfr.playing.policy import StrategyPolicy
from mccfr.playing.rollouts_from import move_values, ratio_of_means
from mccfr.playing.seen import Seen
from mccfr.playing.simple_policies import AlwaysFold, PotOdds


@functools.cache
def policy(game, iterations=3):
    return StrategyPolicy(mccfr.solve(game, "external", iterations=200 * iterations, seed=iterations).strategy())


def seen_after(table, line, hole, board):
    s, moves = table.at(line)
    return Seen(table, s.mover, table.deck.read_cards(hole), table.deck.read_cards(board), s, moves)


SITUATIONS = [
    (slow.LIMIT, "", "5c4d", ""),
    (slow.LIMIT, "r4", "5c2d", ""),
    (slow.LIMIT, "r4c/", "3c3d", "5c4d2c"),
    (slow.LIMIT, "r4c/kb2", "3c3d", "5c4d2c"),
    (slow.NO_LIMIT, "", "5c4d", ""),
    (slow.NO_LIMIT, "r5c/k", "5c4d", "5d3d2c"),  # a raise that is in neither tree
    (slow.NO_LIMIT, "cr6c/a2", "3c3d", "5c4d2c"),
    (slow.NO_LIMIT, "cr6c/", "5c2d", "5d4d2c"),
]


@pytest.mark.parametrize(("game", "line", "hole", "board"), SITUATIONS)
def test_values_are_those_of_the_slow_twin(game, line, hole, board):
    own, other = policy(game), policy(game, 5)
    seen = seen_after(own.table, line, hole, board)
    moves = [*seen.legal.moves, *(seen.table.raise_to(seen.state, x) for x in {*(seen.legal.bounds or ())})]
    found = move_values(seen, moves, own, other, random.Random(1), boards=1000)
    assert found.exact
    for move in moves:
        assert found.value(move).mean == pytest.approx(slow.value(seen, move, own, other), abs=1e-12), move
        assert found.value(move).low == found.value(move).high


def test_the_players_need_not_have_strategies():
    own = policy(slow.LIMIT)
    seen = seen_after(own.table, "", "5c4d", "")
    other = PotOdds(own.table)
    found = move_values(seen, seen.legal.moves, own, other, random.Random(1), boards=1000)
    for move in seen.legal.moves:
        assert found.value(move).mean == pytest.approx(slow.value(seen, move, own, other), abs=1e-12)


def test_drawn_values_lie_around_the_exact_one():
    """The 95 % interval holds the exact value in most of 200 estimates, but not in all."""
    own, other = policy(slow.LIMIT), policy(slow.LIMIT, 5)
    seen = seen_after(own.table, "", "5c4d", "")
    call, move = seen.legal.moves[1], seen.table.raise_to(seen.state, 4)
    exact = move_values(seen, [call, move], own, other, random.Random(1), boards=1000)
    inside = errors = 0
    for seed in range(200):
        found = move_values(seen, [call, move], own, other, random.Random(seed), boards=12)
        assert not found.exact
        true, loss = exact.loss({call: 1.0}, move).mean, found.loss({call: 1.0}, move)
        inside += loss.low <= true <= loss.high
        errors += (loss.mean - true) / (loss.high - loss.low)
    assert 180 <= inside < 200
    assert abs(errors / 200) < 0.08


def test_folding_wins_nothing_and_loss_is_a_difference():
    own = policy(slow.LIMIT)
    seen = seen_after(own.table, "r4", "5c2d", "")
    fold, call = seen.legal.moves
    found = move_values(seen, [fold, call], own, own, random.Random(1), boards=1000)
    assert found.value(fold).mean == 0.0
    odds = {fold: 0.25, call: 0.75}
    assert found.loss(odds, fold).mean == pytest.approx(0.75 * found.value(call).mean, abs=1e-12)
    assert found.mix(odds).mean == pytest.approx(0.75 * found.value(call).mean, abs=1e-12)


def test_an_opponent_who_never_does_this_has_any_hand():
    own = policy(slow.LIMIT)
    seen = seen_after(own.table, "r4", "5c2d", "")
    found = move_values(seen, [seen.legal.moves[1]], own, AlwaysFold(own.table), random.Random(1), boards=1000)
    assert not found.believed
    assert np.isfinite(found.value(seen.legal.moves[1]).mean)


def test_a_ratio_of_means_has_the_interval_of_its_parts():
    sums, weights = np.array([1.0, 3.0, 2.0]), np.array([1.0, 1.0, 1.0])
    found = ratio_of_means(sums, weights, exact=False)
    assert found.mean == 2.0
    assert found.high - 2.0 == pytest.approx(4.302652729911275 * 1 / 3**0.5)  # t with 2 degrees of freedom
    assert ratio_of_means(sums, weights, exact=True) == (2.0, 2.0, 2.0)
