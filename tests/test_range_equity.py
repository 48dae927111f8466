"""Equity of hands and ranges on any board: by the definitions on small decks, another solver's numbers, known ones."""

import csv
import itertools
import json
import math
import random
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from equity_examples import EXAMPLES, equity_faults, order_faults, value_faults

import mccfr
from mccfr.cards import deck, equity as preflop, evaluator
from mccfr.cards.boards import completions
from mccfr.cards.deck import CardError
from mccfr.cards.hand_value import exact_weights, hand_values
from mccfr.cards.range_equity import FEW
from mccfr.cards.ranges import Range
from mccfr.cli.main import cli

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
SPOTS = Path(__file__).parent / "data" / "spots"


# --------------------------------------------------------------------------------------------------- by the definitions


@pytest.mark.parametrize(("ranks", "suits", "showdown", "board", "one", "other"), EXAMPLES)
def test_small_decks_pair_by_pair_and_board_by_board(ranks, suits, showdown, board, one, other):
    assert value_faults(ranks, suits, showdown, board, other) == []
    assert value_faults(ranks, suits, showdown, board, one) == []
    assert equity_faults(ranks, suits, showdown, board, (one, other)) == []


@pytest.mark.parametrize(
    ("cards", "ranks", "suits"), [(5, 13, 4), (4, 13, 4), (3, 13, 4), (3, 5, 4), (5, 9, 3), (4, 8, 2)]
)
def test_hands_come_in_order(cards, ranks, suits):
    dice = random.Random(cards + ranks)
    for _ in range(20):
        assert order_faults(dice.sample(range(ranks * suits), cards), ranks, suits) == []


def test_the_river_by_comparing_every_pair():
    """The whole deck, weights of every size: a matrix of all pairs says the same."""
    dice = np.random.default_rng(5)
    board = dice.permutation(52)[:5].tolist()
    first, second = (Range(np.where(dice.random(1326) < 0.5, dice.random(1326), 0.0)) for _ in range(2))
    found = mccfr.equity(first, second, board)
    strength = evaluator.rank_hands(board)
    live = strength >= 0
    pairs = deck.disjoint() * np.outer(first.weights * live, second.weights * live)
    won = (strength[:, None] > strength) + 0.5 * (strength[:, None] == strength)
    assert found.equity == pytest.approx((pairs * won).sum() / pairs.sum(), abs=1e-12)
    assert found.share(1).equity == pytest.approx(1 - found.equity, abs=1e-12)
    expected = np.divide(
        (pairs * won).sum(axis=1), pairs.sum(axis=1), where=pairs.any(axis=1), out=np.full(1326, np.nan)
    )
    assert found.win_by_hand[0] + found.tie_by_hand[0] / 2 == pytest.approx(expected, abs=1e-11, nan_ok=True)


def test_the_flop_is_the_mean_of_all_turns_and_rivers():
    flop = deck.cards("Qs Jh 2h")
    whole = mccfr.equity("AKs,QJs:0.5,77", "QQ,T9s,A2", flop)
    parts = [mccfr.equity("AKs,QJs:0.5,77", "QQ,T9s,A2", board) for board in completions(flop, 5).tolist()]
    total = sum(part.share().weight for part in parts)
    assert whole.equity == pytest.approx(sum(p.equity * p.share().weight for p in parts) / total, abs=1e-12)
    assert total == pytest.approx(whole.share().weight * math.comb(45, 2))


# -------------------------------------------------------------------------------------------------- another solver


@pytest.mark.parametrize(("name", "percent", "hands"), [("river_std", 54.6958, 213), ("turn_pa", 55.1242, 216)])
def test_spots_have_the_equities_of_another_solver(name, percent, hands):
    """The whole range to the decimals given, every hand to six, and how often each hand is dealt."""
    spot = dict(line.split("=", 1) for line in (SPOTS / f"{name}.spot").read_text().splitlines())
    found = mccfr.equity(spot["oop"], spot["ip"], spot["board"])
    assert 100 * found.equity == pytest.approx(percent, abs=5.1e-5)
    with (SPOTS / f"{name}.hands.csv").open() as file:
        rows = {deck.hand(row["hand"]): row for row in csv.DictReader(file)}
    shares = {deck.hand(hand): share for hand, share in found.by_hand().items()}
    assert shares.keys() == rows.keys()
    assert len(rows) == hands
    for hand, share in shares.items():
        assert share.equity == pytest.approx(float(rows[hand]["equity"]), abs=6e-7)
        assert share.weight == pytest.approx(float(rows[hand]["weight"]), abs=1e-6)


# -------------------------------------------------------------------------------------------------- before the flop

# Wins and ties on all 1,712,304 boards, counted board by board in tests/test_cards.py.
ACES = {"KhKs": (1388072, 6538), "KdKh": (1399204, 7923), "KcKd": (1410336, 9308)}


@pytest.mark.parametrize("kings", ACES)
def test_two_hands_before_the_flop(kings):
    found = mccfr.equity("AcAd", kings)
    wins, ties = ACES[kings]
    assert found.win == pytest.approx(wins / preflop.BOARDS, abs=1e-14)
    assert found.tie == pytest.approx(ties / preflop.BOARDS, abs=1e-14)
    assert found.share().weight == 1


@pytest.mark.parametrize(
    ("one", "other", "percent"), [("AA", "KK", 81.946), ("AKs", "QQ", 46.049), ("72o", "AA", 11.8)]
)
def test_classes_before_the_flop(one, other, percent):
    """As published; tests/test_cards.py says where."""
    assert 100 * mccfr.equity(one, other).equity == pytest.approx(percent, abs=6e-4)


def test_all_hands_against_an_unknown_one():
    found = mccfr.equity("all")
    assert found.equity == pytest.approx(0.5, abs=1e-14)
    assert found.share().weight == 1326 * 1225
    expected = preflop.class_equities().against_all
    shares = found.by_class()
    assert [shares[name].equity for name in deck.CLASS_NAMES] == pytest.approx(expected.tolist(), abs=1e-12)


@pytest.mark.slow
def test_before_the_flop_all_ways_agree(tmp_path, monkeypatch):
    """The table of classes, that of hands, one board of each kind, and all boards."""
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    classes = mccfr.equity("AKs", "QQ+")
    hands = mccfr.equity("AKs,7h2c", "QQ+")
    assert hands.win_by_hand[0][deck.hand("AsKs")] == pytest.approx(classes.win, abs=1e-12)
    assert np.count_nonzero(hands.weight_by_hand.sum(axis=0)) > FEW
    few = [mccfr.equity(one, "QsQd,QcQd,KcKd") for one in ("AsKs", "AhKh,AsKs:0.5")]
    values = hand_values("QsQd,QcQd,KcKd")
    for found in few:
        for name, share in found.by_hand().items():
            assert share.equity == pytest.approx(values.equity[deck.hand(name)], abs=1e-12)
    unknown = hand_values("all")
    assert unknown.equity == pytest.approx(preflop.class_equities().against_all[deck.CLASS_OF_HAND], abs=1e-12)
    assert (unknown.squared > unknown.equity**2).all()


# ------------------------------------------------------------------------------------------------------- hand strength


def test_hand_strength_on_all_streets():
    """On the river HS is E[HS] and its square E[HS^2]; before it the mean square is above the square of the mean."""
    river, flop = hand_values("QQ+,T9s:0.5,A2", "Qs Jh 2h 8c 3d"), hand_values("QQ+,T9s:0.5,A2", "Qs Jh 2h")
    live = ~np.isnan(river.equity)
    assert live.sum() == 1081
    assert river.strength[live] == pytest.approx(river.equity[live], abs=1e-14)
    assert river.squared[live] == pytest.approx(river.equity[live] ** 2, abs=1e-14)
    live = ~np.isnan(flop.equity)
    assert live.sum() == math.comb(49, 2)
    assert (flop.squared[live] >= flop.equity[live] ** 2 - 1e-12).all()
    assert np.abs(flop.strength[live] - flop.equity[live]).max() > 0.3
    assert np.isnan(hand_values(Range.parse("all", 4, 2), "", 3).strength).all()


def test_a_river_card_weighs_as_often_as_it_is_dealt():
    """AA against AA or KK: a river ace leaves the other AA impossible, so it weighs as only KK do."""
    found = mccfr.equity("AcAd", "AhAs,KhKs", "Qs Jh 2h 8c")
    values = hand_values("AhAs,KhKs", "Qs Jh 2h 8c")
    assert values.equity[deck.hand("AcAd")] == pytest.approx(found.equity, abs=1e-14)
    pairs = {"AhAs": 0.0, "KhKs": 0.0}
    for other, river in itertools.product(pairs, range(52)):
        seen = deck.cards(f"Qs Jh 2h 8c AcAd {other}")
        if river not in seen:
            board = [*deck.cards("Qs Jh 2h 8c"), river]
            ours, theirs = (evaluator.strength([*deck.cards(hand), *board]) for hand in ("AcAd", other))
            pairs[other] += (ours > theirs) + (ours == theirs) / 2
    assert found.equity == pytest.approx(sum(pairs.values()) / 88, abs=1e-14)


def test_weights_have_sums_without_rounding():
    dice = np.random.default_rng(3)
    weights = exact_weights(0.3 * dice.random(1326))
    forward, backward = 0.0, 0.0
    for one, other in zip(weights.tolist(), weights[::-1].tolist()):
        forward, backward = forward + one, backward + other
    assert forward == backward == math.fsum(weights.tolist())
    assert np.abs(exact_weights(np.array([0.1, 0.7, 1.0, 0.0])) - [0.1, 0.7, 1.0, 0.0]).max() < 1e-12
    assert exact_weights(np.array([1e-9, 2e-9])) == pytest.approx([1e-9, 2e-9], rel=1e-11)
    assert exact_weights(np.zeros(3)).tolist() == [0, 0, 0]


def test_hands_that_cannot_meet_have_no_equity():
    found = mccfr.equity("AsKs,7h2c", "AsQs:0.3,KsQd:0.7,AsAd:0.1", "Qh Jh 2h 8c 3d")
    assert set(found.by_hand()) == {"7h2c"}
    assert np.isnan(found.win_by_hand[0, deck.hand("AsKs")])
    assert found.combos == pytest.approx((2.0, 1.1))
    assert found.share().weight == pytest.approx(1.1)


# --------------------------------------------------------------------------------------------------- words and errors


def test_shares_add_up():
    found = mccfr.equity("QQ+,AKs:0.5", "TT-77,KJs:0.25", "Td 7h 2c")
    for player in (0, 1):
        whole = found.share(player)
        for parts in (found.by_hand(player), found.by_class(player)):
            assert sum(p.weight for p in parts.values()) == pytest.approx(whole.weight)
            assert sum(p.weight * p.equity for p in parts.values()) == pytest.approx(whole.weight * whole.equity)
    assert list(found.by_class(1)) == ["TT", "99", "88", "77", "KJs"]
    assert found.win + found.tie / 2 == pytest.approx(found.equity)
    assert found.win + found.tie + found.share(1).win == pytest.approx(1)
    assert repr(found).startswith("<Equity QQ+,AKs:0.5 v TT-77,KJs:0.25 on Td 7h 2c: ")
    assert found.ranges == (Range.parse("QQ+,AKs:0.5"), Range.parse("TT-77,KJs:0.25"))


ERRORS = [
    (("AKs", "QQ+", "Qs Qs 2h"), "board 'Qs Qs 2h': 'Qs' at character 4 is there already, at character 1"),
    (("AKs", "QQ+", "Qs Jx 2h"), "board 'Qs Jx 2h': 'Jx' at character 4 is no card of this deck"),
    (("AKs", "QQ+", "Qs Jh"), "board 'Qs Jh' has 2 cards, expected 0, 3, 4 or 5"),
    (("AKs", "QX+", "Qs Jh 2h"), "range 'QX+': 'QX+' at character 1 is no range of hands"),
    (("", "QQ+"), "range '' has no hands: expected at least one"),
    (("AA", "KK:0"), "range 'KK:0' has no hands: expected at least one"),
    (("AsKs", "QQ+", "As 2d 3c"), "range 'AsKs' has no hand left: board 'As 2d 3c' has a card of each"),
    (("AsAh", "AsAd"), "ranges 'AsAh' and 'AsAd' cannot meet: all hands of both share a card"),
    (("AA", "AA", "As Ac 2d"), "ranges 'AA' and 'AA' cannot meet on As Ac 2d: all hands of both share a card"),
]


@pytest.mark.parametrize(("given", "said"), ERRORS)
def test_what_cannot_be_computed_is_refused_in_one_line(given, said):
    with pytest.raises(CardError) as caught:
        mccfr.equity(*given)
    assert str(caught.value).startswith(said)
    words = ["equity", *given[:2], *(["--board", given[2]] if len(given) > 2 else [])]
    told = CliRunner().invoke(cli, words)
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.startswith(f"mccfr: error: {said}")
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: mccfr.equity("AA", Range.parse("33", 5, 4)), "different decks, with 13 ranks and 4 suits and 5 ranks"),
        (lambda: mccfr.equity("AA", "KK", "", 6), "three to five cards at the showdown, not 6"),
        (
            lambda: mccfr.equity(*[Range.parse("all", 3, 2)] * 2, "", 3),
            "a deck of 6 cards is too small for two hands and 3",
        ),
        (lambda: mccfr.equity(7, "KK"), "a range must be a text"),
        (lambda: mccfr.equity("AA", "KK", 7), "a board is a text"),
    ],
)
def test_wrong_arguments_are_refused(call, said):
    with pytest.raises(CardError, match=said):
        call()


def test_the_command_prints_a_table_and_a_document():
    words = ["equity", "AKs", "QQ+", "--board", "Qs Jh 2h"]
    shown = CliRunner().invoke(cli, words).stdout.split("\n")
    assert [line.split() for line in shown[1:3]] == [
        ["AKs", "26.0634", "25.7015", "0.7239", "4"],
        ["QQ+", "73.9366", "73.5746", "0.7239", "15"],
    ]
    document = json.loads(CliRunner().invoke(cli, [*words, "--by", "class", "--json"]).stdout)
    jsonschema.validate(document, SCHEMA)
    assert document["pairs"] == 36
    assert [player["range"] for player in document["players"]] == ["AKs", "QQ+"]
    assert document["players"][1]["by"].keys() == {"AA", "KK", "QQ"}
    found = mccfr.equity("AKs", "QQ+", "Qs Jh 2h")
    assert document["players"][0]["equity"] == found.equity
    by_hand = CliRunner().invoke(cli, [*words, "--by", "hand"]).stdout
    assert all(hand in by_hand for hand in (*found.by_hand(0), *found.by_hand(1)))
    assert CliRunner().invoke(cli, ["equity", "AA"]).stdout.splitlines()[2].split()[0] == "all"
