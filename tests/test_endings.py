"""Endings by order of strength: every hand against every other, and the same games by matrices."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

import mccfr
from mccfr.cards.deck import HAND_CARDS, disjoint
from mccfr.cards.evaluator import rank_hands
from mccfr.errors import GameError
from mccfr.evaluate.vector_values import VectorEvaluator
from mccfr.games.dealt import Gathered, Ranking
from mccfr.games.dealt_poker import DealtPoker
from mccfr.games.kuhn import CARDS, Kuhn
from mccfr.games.leduc import Leduc
from mccfr.kernel.endings import Matrices, OneCard, TwoCards, ending, pay_out
from mccfr.kernel.layout import u64
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.solvers.vector_engine import VectorEngine
from mccfr.strategy.strategy import normalised
from mccfr.tree.dealt_tree import deal_out
from mccfr.tree.rankings import ranked_endings


class RankedKuhn(Kuhn):
    """Kuhn poker whose dealt form says that hands are cards. A key is the betting."""

    def dealt(self):
        return RankedKuhnRules(self)


class RankedKuhnRules(Gathered):
    def _hand(self, player, s):
        for number, card in enumerate(CARDS):  # in the same order for both players
            self._names[player].setdefault(card, number)
        return super()._hand(player, s)

    def hole_cards(self):
        return np.arange(3)[:, None]

    def ranking(self, key):
        strength = np.arange(3)
        if key.endswith("f"):
            return Ranking(1 / 6 if key == "bf" else -1 / 6, 0.0, strength)
        return Ranking(0.0, 2 / 6 if key.endswith("k") else 1 / 6, strength)


def by_pairs(cards, ranking, reach, player):
    """What every hand gets, the other player's hands gone through one by one."""
    found = np.zeros(len(reach))
    for h, g in itertools.product(range(len(reach)), repeat=2):
        if ranking.strength[h] < 0 or ranking.strength[g] < 0 or set(cards[h]) & set(cards[g]):
            continue
        ahead = np.sign(ranking.strength[h] - ranking.strength[g])
        found[h] += reach[g] * ((ranking.level if player == 0 else -ranking.level) + ranking.edge * ahead)
    return found


def by_order(kernel, cards, ranking, reach, player, stake=1.0):
    """The same by the package; what lay in its memory before must not matter."""
    out, spare = np.full(len(reach), 7.0), np.full(len(reach) + 1 + np.max(cards) + 1, 7.0)
    pays = ranked_endings(cards, [Ranking(9.0, 9.0, np.zeros(len(reach), int)), ranking])
    kernel(pays, u64(player), u64(1), stake, np.append([5.0, 5.0], reach), u64(2), out, spare)
    return out


def once(pays, i, number, stake, reach, r, out, spare):
    pay_out(u64(1), pays, i, number, stake, reach[int(r) :].copy(), out, spare)


@given(st.data())
def test_small_decks_pair_by_pair(data):
    """One or two cards of a deck of seven, ties, hands that cannot be held; uncompiled, the very same text."""
    cards = [[c] for c in range(7)] if data.draw(st.booleans()) else list(itertools.combinations(range(7), 2))
    numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
    strength = np.array(data.draw(st.lists(st.integers(-1, 4), min_size=len(cards), max_size=len(cards))))
    reach = np.array(
        data.draw(st.lists(st.sampled_from([0.0, 0.25, 1.0, 0.3]), min_size=len(cards), max_size=len(cards)))
    )
    ranking = Ranking(data.draw(numbers), data.draw(numbers), strength)
    player = data.draw(st.integers(0, 1))
    expected = 3.0 * by_pairs(cards, ranking, reach, player)
    np.testing.assert_allclose(by_order(ending, cards, ranking, reach, player, 3.0), expected, atol=1e-12)


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_hole_hands_on_random_boards(cards):
    """1081 live hands on a board of five cards: against the sum over all pairs of hands."""
    dice = np.random.default_rng(cards)
    for _ in range(4):
        strength = rank_hands(dice.choice(52, cards, replace=False).tolist()).astype(np.int64)
        live = strength >= 0
        meet = disjoint() & live[:, None] & live[None, :]
        ahead = np.sign(np.subtract.outer(strength, strength))
        reach = dice.random(1326) * (dice.random(1326) < 0.7)
        for level, edge in ((0.0, 1.5), (2.0, 0.0), (0.5, -1.0)):
            expected = (meet * (edge * ahead - level)) @ reach
            found = by_order(once, HAND_CARDS, Ranking(level, edge, strength), reach, 1)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * reach.sum() * 4)
        assert live.sum() == {3: 1176, 4: 1128, 5: 1081}[cards]


def both(game):
    """The tree of a game, and as walks see it by order and by matrices."""
    tree = deal_out(game) if not isinstance(game, str) else mccfr.compile(game)
    ordered, matrices = tree.public_view(), tree.public_view(pairs=True)
    assert isinstance(ordered.pays, OneCard)
    assert isinstance(matrices.pays, Matrices)
    return tree, ordered, matrices


GAMES = [RankedKuhn(), "dealt:leduc", "dealt:leduc(shift=100)", "dealt:gp(6,4,4,1)"]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_values_and_exploitability_are_those_of_matrices(game):
    tree, _, matrices = both(game)
    one, other = VectorEvaluator(tree), VectorEvaluator(tree)
    other.tree = matrices
    weights = np.random.default_rng(3).exponential(size=tree.infosets.entries)
    assert one.nash_conv(weights) == pytest.approx(other.nash_conv(weights), rel=1e-12)
    assert one.nash_conv(weights) > 0.01
    profile, _ = normalised(tree.infosets, weights)
    one.load(profile), other.load(profile)
    assert one.value(profile) == pytest.approx(other.value(profile), rel=1e-12)
    for player in (0, 1):
        assert one.best_response(player) == pytest.approx(other.best_response(player), rel=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_iterations_are_those_of_matrices(game):
    tree, _, matrices = both(game)
    one, other = (VectorEngine(tree, mccfr.Method.parse("dcfr")) for _ in range(2))
    other.tree = matrices
    one.run(20), other.run(20)
    for name in ("regret", "average", "current"):
        found, expected = getattr(one.table, name), getattr(other.table, name)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12 * np.abs(expected).max(), err_msg=name)
    assert np.abs(one.table.regret).max() > 0


def test_where_matrices_stay():
    """Ranks with copies, dice, preflop equities; public outcome sampling, which is about pairs of hands."""
    for game in ("dealt:leduc(suits=False)", "dealt:bluff(1,1,rounds=one,faces=3)", "nlph"):
        assert isinstance(mccfr.compile(game).public_view().pays, Matrices)
    assert isinstance(PublicOutcomeEngine(mccfr.compile("dealt:leduc"), "uniform", 0).tree.pays, Matrices)


def test_two_cards_make_the_endings_of_two_cards():
    rankings = [Ranking(1.0, 0.0, np.zeros(3, int)), Ranking(0.0, 1.0, np.arange(3)), Ranking(0.0, 2.0, np.arange(3))]
    found = ranked_endings([[0, 1], [1, 2], [0, 2]], rankings)
    assert isinstance(found, TwoCards)
    assert found.order.shape == (2, 3)  # the same board is kept once
    assert found.board.tolist() == [0, 1, 1]


def test_an_order_that_contradicts_the_matrix_is_refused(monkeypatch):
    right = DealtPoker.ranking
    monkeypatch.setattr(DealtPoker, "ranking", lambda self, key: right(self, key)._replace(edge=0.5))
    with pytest.raises(GameError, match=r"leduc: ranking\(\(0, 1.0, False\)\) does not pay what matrix"):
        deal_out(Leduc())
