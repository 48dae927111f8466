"""`lin`, classes of hands made by hand: examples, a slow classifier, another evaluator, and exchanges of suits."""

import itertools

import numpy as np
import phevaluator
import pytest
from hand_class_examples import DECKS, EXAMPLES, SMALL, cards_of, dealt, fit_for, labels, slow_label

from mccfr.buckets.bucketing import CardRules, Fit
from mccfr.buckets.hand_classes import DRAWS, MADE, TEXTURES, HandClasses
from mccfr.cards.deck import CLASS_NAMES, CardError, card_name

ALL = [(13, 4, text, label) for text, label in EXAMPLES.items()] + [
    (*deck, text, label) for deck, examples in SMALL.items() for text, label in examples.items()
]


@pytest.mark.parametrize(("ranks", "suits", "text", "label"), ALL, ids=[text for _, _, text, _ in ALL])
def test_examples(ranks, suits, text, label):
    hand = cards_of(text, suits)
    assert labels(fit_for(ranks, suits), len(hand) - 4, [hand]) == [label]
    assert slow_label(hand, ranks, suits, len(hand) == 7) == label


def test_every_made_hand_and_draw_has_an_example():
    words = {word for label in EXAMPLES.values() for word in label.split("|")}
    assert {*MADE, *filter(None, DRAWS)} <= words


@pytest.mark.parametrize("street", [1, 2, 3])
@pytest.mark.parametrize(("ranks", "suits"), DECKS)
def test_random_hands_as_the_slow_classifier_says(ranks, suits, street):
    hands = dealt(ranks, suits, street, 1500, 100 * street + ranks)
    right = [slow_label(hand, ranks, suits, street == 3) for hand in hands]
    assert labels(fit_for(ranks, suits), street, hands) == right


def test_on_the_flop_another_evaluator_agrees_from_straights_on():
    hands = dealt(13, 4, 1, 20_000, 3)
    made = fit_for().rows_of(1, hands) // (TEXTURES * len(DRAWS))
    rank = np.array([phevaluator.evaluate_cards(*map(card_name, hand)) for hand in hands])  # 1 is the best
    better = {"full-house-or-better": (1, 322), "flush": (323, 1599), "straight": (1600, 1609)}
    for word, (first, last) in better.items():
        right = (first <= rank) & (rank <= last)
        assert right.sum() > 20
        np.testing.assert_array_equal(made == MADE.index(word), right)


def test_an_exchange_of_suits_and_the_order_of_cards_change_nothing():
    fit = fit_for()
    for street in (1, 2, 3):
        hands = np.array(dealt(13, 4, street, 500, 9))
        rows = fit.rows_of(street, hands)
        for suits in itertools.islice(itertools.permutations(range(4)), 1, None, 5):
            moved = hands // 4 * 4 + np.array(suits)[hands % 4]
            np.testing.assert_array_equal(fit.rows_of(street, moved), rows)
        turned = np.concatenate((hands[:, 1::-1], hands[:, :1:-1]), axis=1)
        np.testing.assert_array_equal(fit.rows_of(street, turned), rows)


def test_rows_are_those_that_are_said():
    classes = HandClasses()
    assert classes.rows(CardRules()) == (169, 1755, 1755, 351)
    assert classes.rows(CardRules(6, 4, (3, 1))) == (36, 1755, 351)
    assert (str(classes), classes.perfect_recall, classes.remembers_order, classes.shares_lines) == (
        "lin",
        False,
        False,
        True,
    )
    for ranks, suits in DECKS:
        fit = fit_for(ranks, suits)
        for street in (1, 2, 3):
            rows = fit.rows_of(street, dealt(ranks, suits, street, 2000, 1))
            assert 0 <= rows.min() <= rows.max() < fit.rows[street]


def test_labels_are_different_and_safe_in_the_names_of_infosets():
    fit = fit_for()
    for street, count in enumerate(fit.rows):
        names = [fit.label(street, row) for row in range(count)]
        assert len(set(names)) == count
        assert not set("".join(names)) & set(":/ ,")
    assert {fit.label(0, row) for row in range(169)} == set(CLASS_NAMES)


def test_hole_cards_before_the_flop():
    fit = fit_for()
    for hand, label in {"AsKs": "AKs", "2c7d": "72o", "TdTh": "TT"}.items():
        assert labels(fit, 0, [cards_of(hand)]) == [label]


def test_a_board_of_one_card():
    fit = Fit(HandClasses(), CardRules(5, 4, (1, 1, 1)), {})
    assert labels(fit, 1, [cards_of("6c5d 5h")]) == ["top-pair-good|dry"]
    assert labels(fit, 3, [cards_of("6c6d 5h4h3h")]) == ["overpair|3-suited-3-close"]


def test_cards_that_do_not_fit_are_refused():
    fit = fit_for(6, 4)
    with pytest.raises(CardError, match=r"expected rows of 5 cards on street 1 of 6 x 4 cards, board 3 \+ 1 \+ 1"):
        fit.rows_of(1, [[0, 1, 2, 3]])
    with pytest.raises(CardError, match="expected card numbers 0 to 23, not 24"):
        fit.rows_of(1, [[0, 1, 2, 3, 24]])
