"""`hs` and `hs_recall`: strengths counted one by one, rows that tell what they should, and what is refused."""

import itertools

import numpy as np
import pytest

import mccfr
from mccfr.buckets.bucketing import CardRules, Fit
from mccfr.buckets.final_strength import FinalStrength, RecalledStrength
from mccfr.buckets.registry import make_bucketing
from mccfr.cards.evaluator import rank_deck
from mccfr.errors import BucketError

CARDS = CardRules(4, 2, (1, 1, 1))
DEALS = np.array(list(itertools.permutations(range(8), 5)), np.uint8)
DEALS = DEALS[DEALS[:, 0] < DEALS[:, 1]]


def fit_of(bucketing):
    return Fit(bucketing, CARDS, bucketing.fit(CARDS))


def scores():
    """2 wins + ties of every deal, hand by hand."""
    found = []
    for low, high, *board in DEALS.tolist():
        strength = rank_deck(tuple(board), 4, 2)
        left = sorted(set(range(8)) - {low, high, *board})
        mine = strength[high * (high - 1) // 2 + low]
        others = [strength[b * (b - 1) // 2 + a] for a, b in itertools.combinations(left, 2)]
        found.append(sum(2 * (mine > other) + (mine == other) for other in others))
    return np.array(found)


def test_with_enough_buckets_every_strength_has_its_own_and_nothing_else_counts():
    rows = fit_of(FinalStrength(100)).rows_of(3, DEALS)
    different, numbers = np.unique(scores(), return_inverse=True)
    assert len(different) > 3
    assert (rows == numbers).all()


def test_few_buckets_are_cut_where_probability_is_nearest_to_equal():
    rows, found = fit_of(FinalStrength(2)).rows_of(3, DEALS), scores()
    cut = found[rows == 1].min()
    assert (rows == (found >= cut)).all()
    shares = [abs((found < value).mean() - 0.5) for value in np.unique(found)[1:]]
    assert abs((found < cut).mean() - 0.5) == min(shares)


def test_with_recall_a_row_tells_the_hand_of_the_street_before_and_the_strength():
    fit = fit_of(RecalledStrength(6))
    rows, before = fit.rows_of(3, DEALS), fit.rows_of(2, DEALS[:, :4])
    assert (rows // 6 == before).all()
    pairs = np.unique(np.column_stack((before, scores())), axis=0)
    assert len(np.unique(rows)) == len(pairs)
    assert fit.label(3, int(rows[0])) == f"{before[0]}.{rows[0] % 6}"


@pytest.mark.parametrize("bucketing", [FinalStrength(3), RecalledStrength(2)], ids=str)
def test_earlier_streets_are_exact_and_tables_agree_with_cards(bucketing):
    fit, exact = fit_of(bucketing), make_bucketing("exact")
    assert fit.rows[:3] == exact.rows(CARDS)[:3]
    for street in range(3):
        hands = DEALS[:, : 2 + street]
        assert (fit.rows_of(street, hands) == exact.assign(Fit(exact, CARDS, {}), street, hands)).all()
    tables = bucketing.tables(fit)
    numbers = CARDS.remembered(3).index(DEALS)
    assert (tables.row[3][numbers] == fit.rows_of(3, DEALS)).all()
    assert bucketing.problem(CARDS, fit.arrays) == ""
    assert "cut is" in bucketing.problem(CARDS, {"cut": fit.arrays["cut"][:, 1:]})
    assert bucketing.problem(CARDS, {"cut": np.sort(fit.arrays["cut"] + 1)[:, ::-1].copy()}) or bucketing.buckets == 2


@pytest.mark.slow
def test_a_game_is_trained_and_measured_inside_its_abstraction_with_recall():
    game = "holdem(limit(cap=1, bets=2), hs_recall(2), ranks=4, suits=2, board='1 1 1')"
    found = mccfr.abstract_exploitability(mccfr.solve(game, "external", iterations=3000, seed=1))
    assert found.exploitability < mccfr.abstract_exploitability(mccfr.uniform(game)).exploitability


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hs(0)", "hs: buckets must be a whole number from 1 to 10,000, got 0"),
        ("hs(True)", "hs: buckets must be a whole number from 1 to 10,000, got True"),
        ("hs_recall('5')", "hs_recall: buckets must be a whole number from 1 to 10,000, got '5'"),
    ],
)
def test_wrong_counts_are_refused(text, told):
    with pytest.raises(BucketError) as error:
        make_bucketing(text)
    assert str(error.value) == told


def test_large_decks_are_refused():
    with pytest.raises(
        BucketError, match=r"sees every hand before the last street, and .* choose a smaller deck, or ehs2"
    ):
        make_bucketing("hs(10)").rows(CardRules())
