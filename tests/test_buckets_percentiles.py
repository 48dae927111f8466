"""Nested percentiles: against all deals counted one by one, in kernels as from cards, and what they are called."""

import numpy as np
import pytest
from bucket_examples import EXAMPLES, all_deals, cut_faults, faults
from test_buckets_values import some_hands

from mccfr.buckets.bucketing import CardRules, Fit
from mccfr.buckets.counting import bins_for
from mccfr.buckets.cuts import NEVER, boundaries, cut_points
from mccfr.buckets.percentiles import Percentiles
from mccfr.errors import BucketError
from mccfr.kernel.bucket_rows import HELD, rows_of_hands

CARDS = CardRules(4, 2, (1, 1, 1))
SMALL = [CARDS, CardRules(3, 3, (3,)), CardRules(4, 2, (3, 1)), CardRules(5, 2, (2, 1, 1))]


def fit_of(bucketing, cards, workers=1):
    return Fit(bucketing, cards, bucketing.fit(cards, workers))


@pytest.mark.slow_cases("deck0-4 3")
@pytest.mark.parametrize(("deck", "buckets"), [*EXAMPLES, ((3, 3, (1, 1, 1)), "3 2 3"), ((4, 2, (3, 1)), "3 2")])
def test_rows_are_those_of_all_deals_counted_one_by_one(deck, buckets):
    assert faults(deck, buckets) == []


@pytest.mark.parametrize("cards", SMALL, ids=str)
def test_kernels_see_the_rows_that_are_worked_out_from_cards(cards):
    fit = fit_of(Percentiles("3 2"), cards)
    hands = some_hands(cards, cards.streets - 1, 500)
    out = np.zeros((len(hands), cards.streets), np.int64)
    rows_of_hands(fit.bucketing.tables(fit), np.uint64(cards.streets), hands, np.zeros(HELD, np.uint64), out)
    for street in range(cards.streets):
        rows = fit.rows_of(street, hands[:, : 2 + cards.board(street)])
        assert (out[:, street] == rows).all()
        assert rows.max() < fit.rows[street]


def test_a_row_tells_the_rows_of_earlier_streets():
    fit = fit_of(Percentiles("4 3 2 5"), CARDS)
    hands = some_hands(CARDS, 3, 400)
    rows = [fit.rows_of(street, hands[:, : 2 + street]) for street in range(4)]
    assert fit.rows == (4, 12, 24, 120)
    for street, count in ((1, 3), (2, 2), (3, 5)):
        assert (rows[street] // count == rows[street - 1]).all()


def test_the_order_of_hole_cards_and_of_a_flop_does_not_matter_but_that_of_streets_does():
    cards = CardRules(5, 2, (2, 1, 1))
    fit = fit_of(Percentiles(4), cards)
    hands = some_hands(cards, 3, 300)
    rows = fit.rows_of(3, hands)
    assert (rows == fit.rows_of(3, hands[:, [1, 0, 3, 2, 4, 5]])).all()
    assert (rows != fit.rows_of(3, hands[:, [0, 1, 5, 3, 4, 2]])).any()


@pytest.mark.parametrize("cards", SMALL, ids=str)
def test_any_number_of_workers_gives_the_same_checksum(cards):
    found = {fit_of(Percentiles(5), cards, workers).checksum for workers in (1, 2, 2)}
    assert len(found) == 1


def test_more_buckets_than_values_leave_the_highest_rows_empty():
    fit = fit_of(Percentiles(20), CARDS)
    deals = np.array(all_deals(*CARDS), np.uint8)
    rows = fit.rows_of(3, deals)
    assert len(np.unique(rows)) < fit.rows[3] == 20**4
    first = np.unique(fit.rows_of(0, deals[:, :2]))
    assert first.tolist() == list(range(len(np.unique(fit.arrays["value0"]))))
    assert (fit.arrays["cut0"][0, len(first) - 1 :] == NEVER).all()


def test_buckets_of_equal_probability_where_values_are_many():
    weights = np.random.default_rng(5).integers(1, 9, (3, 100_000))
    cuts = cut_points(weights, np.arange(100_000, dtype=np.uint64), 10)
    for row, cut in enumerate(cuts):
        shares = np.add.reduceat(weights[row], [0, *cut]) / weights[row].sum()
        assert abs(shares - 0.1).max() < 1e-4


def test_cuts_are_the_greedy_ones():
    assert cut_faults(1000, 7) == []


def test_heavy_values_stay_together_and_every_bucket_has_one_if_it_can():
    assert boundaries(np.cumsum([80, 10, 10]), 3) == [1, 2]
    assert boundaries(np.cumsum([10, 10, 80]), 3) == [1, 2]
    assert boundaries(np.cumsum([1, 1, 1, 97, 1, 1]), 2) == [3]
    assert boundaries(np.cumsum([5]), 4) == []
    assert boundaries(np.cumsum([5, 5]), 4) == [1]
    assert cut_points(np.zeros((1, 3), np.int64), np.arange(3, dtype=np.uint64), 3).tolist() == [[int(NEVER)] * 2]


def test_bins_are_narrow_enough_and_not_too_many():
    assert bins_for(1980, 1000) == (0, 1981)
    shift, bins = bins_for(4237952400, 10)
    assert 2**19 < bins <= 2**21
    assert 4237952400 >> shift == bins - 1


def test_labels_are_the_digits_of_the_sequence():
    bucketing = Percentiles("10 5 5 3")
    cards = CardRules()
    assert bucketing.rows(cards) == (10, 50, 250, 750)
    assert bucketing.label(cards, 0, 7) == "7"
    assert bucketing.label(cards, 3, ((7 * 5 + 4) * 5 + 0) * 3 + 2) == "7.4.0.2"


@pytest.mark.parametrize(
    ("given", "text"), [(10, "ehs2"), ("5 5 5", "ehs2(buckets=5)"), ("9 4 4", "ehs2(buckets='9 4')")]
)
def test_a_string_rebuilds_it(given, text):
    assert str(Percentiles(given)) == text


@pytest.mark.parametrize("wrong", [0, -1, 10_001, 2.0, True, "", "10 0", "a", "1 2 3 4 5", None, "１"])
def test_wrong_counts_are_refused_in_a_line(wrong):
    with pytest.raises(BucketError, match=r"ehs2: buckets must be a whole number from 1 to 10,000.*got "):
        Percentiles(wrong)


def test_counts_that_do_not_fit_the_cards_are_refused():
    with pytest.raises(BucketError, match="4 counts for 2 streets"):
        Percentiles("4 3 2 1").rows(CardRules(5, 4, (3,)))
    with pytest.raises(BucketError, match="100,000,000 rows on the river, at most 16,777,216"):
        Percentiles(100).rows(CardRules())
    with pytest.raises(BucketError, match="1,000,000 rows on the turn, at most 32,768"):
        Percentiles("100 100 100 2").rows(CardRules())
