"""Range strings: what they mean, written back canonically, refused with the place of the mistake."""

import doctest
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from range_examples import CANONICAL, MEANINGS, canonical, combos, comes_to, meaning

from mccfr.cards import deck, ranges
from mccfr.cards.deck import CardError
from mccfr.cards.ranges import Range, deck_of


@pytest.mark.parametrize("text", MEANINGS)
def test_a_range_means_these_hands(text):
    assert meaning(text) == combos(MEANINGS[text])


@pytest.mark.parametrize("text", CANONICAL)
def test_ranges_are_written_canonically(text):
    assert canonical(text) == CANONICAL[text]


def test_the_example_of_the_docstring():
    assert doctest.testmod(ranges).failed == 0
    assert doctest.testmod(ranges).attempted == 2


@pytest.mark.parametrize("text", ["all", "random", "any two", "Any"])
def test_every_hand(text):
    assert (Range.parse(text).weights == 1).all()
    assert Range.parse(text).combos == Range.parse(text).hands == 1326


def test_numbers_and_classes():
    r = Range.parse("QQ+,AKs,A5s-A2s,AKo:0.25,AsQh:0.5")
    assert (r.hands, r.combos) == (18 + 4 + 16 + 12 + 1, 18 + 4 + 16 + 3 + 0.5)
    assert r.by_class() is None
    by_class = Range.parse("QQ+,AKs,AKo:0.25").by_class()
    assert by_class.shape == (169,)
    assert {name: weight for name, weight in zip(deck.CLASS_NAMES, by_class) if weight} == {
        **dict.fromkeys(("AA", "KK", "QQ", "AKs"), 1.0),
        "AKo": 0.25,
    }
    assert (by_class[deck.CLASS_OF_HAND] == Range.parse("QQ+,AKs,AKo:0.25").weights).all()


def test_cards_that_are_seen_take_hands_out():
    r = Range.parse("AKs,QQ:0.5")
    left = r.without("As Qd")
    assert str(left) == "AKs,AsKs:0,QsQh:0.5,QsQc:0.5,QhQc:0.5"
    assert left == r.without(deck.cards("AsQd")) == r.without(np.array(deck.cards("QdAs")))
    assert Range.parse("all").without("2c 3d 4h 5s 6c").hands == 47 * 46 // 2
    assert str(Range.parse("AA,KK").without("As")) == "KK,AhAd,AhAc,AdAc"
    with pytest.raises(CardError, match="'Ax' is not a card of this deck"):
        r.without("Ax")
    with pytest.raises(CardError, match="expected cards from 0 to 51, got 52"):
        r.without([52])


def test_ranges_are_values():
    r = Range.parse("QQ+,AKs")
    assert r == Range.parse("AKs,AA,KK,QQ") != Range.parse("QQ+")
    assert hash(r) == hash(Range.parse("AKs,QQ+"))
    assert repr(r) == "Range.parse('QQ+,AKs')"
    assert r != "QQ+,AKs"
    assert pickle.loads(pickle.dumps(r)) == r
    with pytest.raises(ValueError, match="read-only"):
        r.weights[0] = 1
    given = np.zeros(1326)
    made = Range(given)
    given[0] = 1
    assert made.hands == 0
    assert Range(np.full(1326, -0.0)) == Range.parse("")


def exactly(weights, ranks, suits):
    """Written, read and compared bit by bit."""
    r = Range(weights, ranks, suits)
    again = Range.parse(str(r), ranks, suits)
    assert again.weights.tobytes() == r.weights.tobytes()
    assert str(again) == str(r)
    assert eval(repr(r)) == r


WEIGHTS = st.one_of(st.sampled_from([0.0, 1.0, 0.5, 0.25, 1 / 3]), st.floats(0, 1))


@given(st.data(), st.integers(1, 13), st.integers(1, 4))
@settings(max_examples=80, deadline=None)
def test_text_has_exactly_the_same_weights(data, ranks, suits):
    if ranks * suits < 2:
        return
    d = deck_of(ranks, suits)
    weights = np.zeros(d.hands)
    for hands in d.classes.values():
        weights[hands] = data.draw(st.sampled_from([0.0, 0.0, 0.5, 1.0]))
    for hand, weight in data.draw(st.dictionaries(st.integers(0, d.hands - 1), WEIGHTS, max_size=8)).items():
        weights[hand] = weight
    exactly(weights, ranks, suits)


@pytest.mark.parametrize("seed", range(5))
def test_text_of_arbitrary_weights(seed):
    rng = np.random.default_rng(seed)
    exactly(rng.random(1326) * (rng.random(1326) < 0.5), 13, 4)
    exactly(10.0 ** -rng.integers(0, 320, 1326).astype(float), 13, 4)


def test_text_tells_ranges_apart():
    weights = Range.parse("QQ+,AK,T9s:0.5").weights
    changed = np.repeat(weights[None], 1326, axis=0)
    changed[np.arange(1326), np.arange(1326)] = 0.3
    assert len({str(Range(row)) for row in changed[::17]} | {str(Range(weights))}) == 1 + len(changed[::17])


def test_smaller_decks():
    r = Range.parse("55+,64-62,65s", ranks=5)
    assert r.weights.shape == (20 * 19 // 2,)
    assert r.hands == 2 * 6 + 4 + 3 * 16
    assert str(r) == "55+,64-62,65s"
    assert repr(r) == "Range.parse('55+,64-62,65s', ranks=5, suits=4)"
    assert Range.parse("all", 5, 4).by_class().tolist() == [1.0] * 25
    two = Range.parse("6c5d", ranks=5, suits=2)
    assert two.weights.nonzero()[0].tolist() == [deck.hand_of(2 * 4 + 0, 2 * 3 + 1)]
    assert str(two) == "6c5d"
    one = Range.parse("65,64s", ranks=5, suits=1)
    assert (one.hands, str(one)) == (2, "64s+")
    assert r.without("6c").hands == 48 + 16 - 3 - 1 - 3 * 4
    assert Range.parse("43s+", ranks=5) == Range.parse("43s,54s,65s", ranks=5)


FORMS = "write QQ, QQ+, 55-22, AKs, A5s+, A5s-A2s, AKo, AK, AsKh or all"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("QQ+,AKx", f"range 'QQ+,AKx': 'AKx' at character 5 is no range of hands: {FORMS}"),
        ("QQ+,  1K", "'1K' at character 7 is no range of hands"),
        ("AA,,KK", "'' at character 4 is no range of hands"),
        ("AA,,", "'' at character 4 is no range of hands"),
        (",", "'' at character 1 is no range of hands"),
        ("AA KK", "'AA KK' at character 1 is no range of hands"),
        ("AKs++", "is no range of hands"),
        ("AA-KK-QQ", "is no range of hands"),
        ("QQ-JJ+", "is no range of hands"),
        ("AsKs+", "is no range of hands"),
        ("AKs,KKs", "'KKs' at character 5: a pair takes no 's', write KK"),
        ("AsAs", "'AsAs' at character 1 has the same card twice"),
        ("A5s-A2o", "goes from one kind to another: write both ends with s, with o, or without"),
        ("AK-QJs", "goes from one kind to another"),
        ("A5s-K3s", "has no order: write 55-22, A5s-A2s (same high card) or T9s-65s (same distance)"),
        ("QQ-Q9", "has no order"),
        ("AA:1.5", "'AA:1.5' at character 1 has the weight '1.5', expected a number from 0 to 1, as in AKo:0.25"),
        ("KK,AA:-0.5", "'AA:-0.5' at character 4 has the weight '-0.5'"),
        ("AA:nan", "has the weight 'nan'"),
        ("AA:inf", "has the weight 'inf'"),
        ("AA:1e999", "has the weight '1e999'"),
        ("AA:", "has the weight ''"),
        ("AA:0.5:0.5", "has the weight '0.5:0.5'"),
        ("AA:25%", "has the weight '25%'"),
        ("AA:٠", "has the weight"),
        ("-", "is no range of hands"),
        ("x" * 10_000, "at character 1 is no range of hands"),
        (7, "a range must be a text such as 'QQ+,AKs', got 7"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, said):
    with pytest.raises(CardError) as caught:
        Range.parse(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 300


@pytest.mark.parametrize(
    ("text", "ranks", "suits", "said"),
    [
        ("66,AA", 5, 4, "'AA' at character 4: this deck has no A, its ranks are 23456"),
        ("6h5h", 5, 2, "'6h5h' at character 1: '6h' is not a card of this deck: expected a rank of 23456"),
        ("6h5h", 5, 2, "and a suit of cd"),
        ("66", 5, 1, "'66' at character 1 has no hands in a deck of 1 suit"),
        ("65o", 5, 1, "has no hands in a deck of 1 suit"),
        ("66", 14, 4, "a deck has 1 to 13 ranks, 1 to 4 suits and two cards at least, not 14 and 4"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_smaller_deck(text, ranks, suits, said):
    with pytest.raises(CardError) as caught:
        Range.parse(text, ranks, suits)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.zeros(1325), "a range has 1326 weights, not an array of shape (1325,)"),
        (np.full(1326, np.nan), "the weight of 2d2c is nan, expected a number from 0 to 1"),
        ([0.0] * 1325 + [1.5], "the weight of AsAh is 1.5, expected a number from 0 to 1"),
        ([0.0] * 1325 + [-0.5], "the weight of AsAh is -0.5, expected a number from 0 to 1"),
        ("AA", "the weights of a range must be numbers, got 'AA'"),
    ],
)
def test_wrong_weights_are_refused(weights, said):
    with pytest.raises(CardError) as caught:
        Range(weights)
    assert said in str(caught.value)


@given(st.text("AKQ5s2oh+-:,. 01", max_size=20))
def test_any_text_is_a_range_or_one_line(text):
    said = comes_to(Range.parse, text)
    if isinstance(said, Range):
        assert Range.parse(str(said)) == said
    else:
        assert re.match(r"CardError\(.range ", said)
        with pytest.raises(CardError) as caught:
            Range.parse(text)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) <= 300


def test_spots_have_their_ranges():
    """Hands out of and in position, those with cards of the board left out, as the other solver counts them."""
    from betting_examples import SPOTS

    for name, counts in (("river_std", (213, 292)), ("turn_pa", (216, 299))):
        said = dict(row.split("=", 1) for row in (SPOTS / f"{name}.spot").read_text().splitlines())
        assert tuple(Range.parse(said[who]).without(said["board"]).hands for who in ("oop", "ip")) == counts
