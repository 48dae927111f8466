"""Values of hands as whole numbers: against plain counting, against floats worked out elsewhere, and their tables."""

import itertools

import numpy as np
import pytest

from mccfr.buckets.bucketing import CardRules
from mccfr.buckets.hand_squares import first_values, later_values, most_value, value_type, values_of
from mccfr.cards.deck import CardError
from mccfr.cards.evaluator import strength
from mccfr.cards.hand_value import hand_values
from mccfr.cards.ranges import deck_of

SMALL = [CardRules(5, 2, (1, 1, 1)), CardRules(4, 3, (3,)), CardRules(3, 4, (2, 1, 1)), CardRules(6, 2, (3, 1))]


def plain_score(hole, board, cards):
    """2 wins + ties, hand after hand. Cards of a small deck are named as in the whole one."""
    whole = [4 * (c // cards.suits) + c % cards.suits for c in range(cards.ranks * cards.suits)]
    mine = strength([whole[c] for c in (*hole, *board)])
    rest = [c for c in range(cards.ranks * cards.suits) if c not in (*hole, *board)]
    theirs = [strength([whole[c] for c in (*other, *board)]) for other in itertools.combinations(rest, 2)]
    return sum(2 * (mine > other) + (mine == other) for other in theirs)


def plain_value(hole, board, cards):
    """The score on a whole board, else the sum of squared scores over all boards that can follow."""
    missing = sum(cards.deals) - len(board)
    if not missing:
        return plain_score(hole, board, cards)
    rest = [c for c in range(cards.ranks * cards.suits) if c not in (*hole, *board)]
    return sum(plain_score(hole, (*board, *more), cards) ** 2 for more in itertools.combinations(rest, missing))


def some_hands(cards, street, count, seed=0):
    """Random deals: hole cards and a board in the order dealt."""
    dice = np.random.default_rng(seed)
    size = 2 + cards.board(street)
    return np.array([dice.permutation(cards.ranks * cards.suits)[:size] for _ in range(count)], np.uint8)


@pytest.mark.parametrize("cards", SMALL, ids=str)
def test_values_are_those_of_plain_counting(cards):
    for street in range(cards.streets):
        hands = some_hands(cards, street, 4 if cards.board(street) < 2 else 12)
        table = later_values(cards, street) if street else first_values(cards)
        expected = [plain_value(hand[:2].tolist(), hand[2:].tolist(), cards) for hand in hands]
        assert table[cards.seen(street).index(hands)].tolist() == expected
        if street:
            assert values_of(cards, street, hands).tolist() == expected


@pytest.mark.parametrize("cards", SMALL, ids=str)
def test_a_table_has_a_value_for_every_hand_whoever_works_it_out(cards):
    for street in range(1, cards.streets):
        index = cards.seen(street)
        table = later_values(cards, street, workers=2)
        assert table.dtype == value_type(cards, street)
        assert (table == values_of(cards, street, index.unindex(np.arange(index.size)))).all()
        assert (table == later_values(cards, street, workers=1)).all()
        assert table.max() <= most_value(cards, street)


@pytest.mark.parametrize("board", ["Qs Jh 2h", "Qs Jh 2h 8c", "Qs Jh 2h 8c 3d", "7c 7d 7h 7s"])
def test_values_are_the_mean_squares_of_hand_strength(board):
    cards, deck = CardRules(), deck_of(13, 4)
    dealt = [deck.card(word) for word in board.split()]
    found = hand_values("all", board)
    live = np.flatnonzero(~np.isnan(found.squared))
    hands = np.hstack([deck.hand_cards[live], np.tile(dealt, (len(live), 1))]).astype(np.uint8)
    street = len(dealt) - 2
    values = values_of(cards, street, hands)
    if street == 3:
        assert np.array_equal(values, np.round(found.equity[live] * 1980))
    else:
        boards = {1: 1081, 2: 46}[street]
        np.testing.assert_allclose(values / (boards * 1980.0**2), found.squared[live], rtol=1e-12)


def test_a_small_deck_has_the_mean_squares_too():
    cards = CardRules(5, 4, (1, 1, 1))
    from mccfr.cards.ranges import Range

    found = hand_values(Range.parse("all", 5, 4), "", 3)
    hands = deck_of(5, 4).hand_cards
    values = first_values(cards)[cards.seen(0).index(hands)]
    np.testing.assert_allclose(values / (816 * 210.0**2), found.squared, rtol=1e-12)


def test_the_whole_deck_fits_its_types():
    cards = CardRules()
    assert [most_value(cards, street) for street in range(4)] == [2118760 * 1980**2, 4237952400, 180338400, 1980]
    assert [value_type(cards, street) for street in range(4)] == ["u8", "u4", "u4", "u2"]


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        (CardRules(13, 4, (2,)), "three to five cards at the showdown"),
        (CardRules(13, 4, (3, 3)), "three to five cards at the showdown"),
        (CardRules(4, 2, (3, 1, 1)), "a deck of 8 cards is too small for two hands and a board of 5 cards"),
    ],
)
def test_cards_without_a_showdown_are_refused(cards, problem):
    with pytest.raises(CardError, match=problem):
        first_values(cards)
