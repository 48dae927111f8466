"""Off-tree bets: the pseudo-harmonic mapping and its properties, and moves of a tree at a table with other chips."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from mccfr.betting.flat_tree import build_tree
from mccfr.betting.lines import ALL_IN, CALL, FOLD, RAISES
from mccfr.betting.structures import NoLimit
from mccfr.playing.table import Table, without_menu
from mccfr.playing.translation import LOST, follow, pseudo_harmonic, raises_of, real_move, taken_for

SIZES = st.floats(0.01, 20.0)
MENU = NoLimit(stack=200, bet="50%,100%", raise_="100%,a", cap=3)
TREE = build_tree(MENU)
TABLE = Table(without_menu(MENU))
HUNDREDS = Table(NoLimit(stack=10_000, blinds="50 100", bet="a"))


@given(SIZES, SIZES, SIZES)
def test_the_ends_are_kept_and_probabilities_fall(a, b, c):
    low, size, high = sorted((a, b, c))
    if high - low < 1e-6:
        return
    f = pseudo_harmonic(low, high, size)
    assert -1e-12 <= f <= 1 + 1e-12
    assert pseudo_harmonic(low, high, low) == pytest.approx(1.0)
    assert pseudo_harmonic(low, high, high) == pytest.approx(0.0, abs=1e-12)
    assert pseudo_harmonic(low, high, min(size * 1.01, high)) <= f + 1e-12


@given(SIZES, SIZES, st.floats(0.0, 1.0))
def test_both_sizes_are_called_as_often_as_the_bet_itself_in_the_clairvoyance_game(a, b, share):
    """[Ganzfried 2013]: against a bet of x pots a bluff-catcher calls 1 / (1 + x); the mapping has the same mean."""
    low, high = sorted((a, b))
    if high - low < 1e-6:
        return
    size = low + share * (high - low)
    f = pseudo_harmonic(low, high, size)
    assert f / (1 + low) + (1 - f) / (1 + high) == pytest.approx(1 / (1 + size))


def test_sizes_beyond_the_menu_become_its_ends():
    assert taken_for([0.5, 1.0], 0.2) == [(0, 1.0)]
    assert taken_for([0.5, 1.0], 3.0) == [(1, 1.0)]
    assert taken_for([0.5, 1.0], 0.5) == [(0, 1.0)]
    assert taken_for([0.5, 1.0], 1.0) == [(1, 1.0)]
    (low, p), (high, q) = taken_for([0.5, 1.0], 0.75)
    assert (low, high) == (0, 1)
    assert p == pytest.approx((1.0 - 0.75) * 1.5 / (0.5 * 1.75))
    assert p + q == pytest.approx(1.0)


def test_every_line_of_a_tree_is_followed_to_its_own_node_in_any_unit_of_chips():
    """Moves of the tree become moves at a table, and these lead back to the same node with certainty."""
    for table, scale in ((TABLE, Fraction(1)), (HUNDREDS, Fraction(50))):
        pending, count = [(0, table.start)], 0
        while pending and count < 3000:
            node, s = pending.pop()
            for child in TREE.children(node):
                move = real_move(TREE, node, child, s, table, scale)
                assert follow(TREE, node, s, move) == [(child, 1.0)]
                after = table.play(s, move)
                assert [stake / scale for stake in after.stakes] == TREE.stakes[child].tolist()
                count += 1
                if TREE.kind[child] >= 0:
                    pending.append((child, after))
        assert count == min(count, 3000)
        assert count > 1000


def test_an_off_tree_bet_is_taken_for_its_neighbours_by_share_of_the_pot():
    s, _ = TABLE.at("r6c/k")  # the pot is 12; sizes 6 and 12
    node = TREE.find("r6c/k")
    found = follow(TREE, node, s, TABLE.raise_to(s, 9))
    assert [TREE.line(child) for child, _ in found] == ["r6c/kb6", "r6c/kb12"]
    assert found[0][1] == pytest.approx(pseudo_harmonic(0.5, 1.0, 0.75))
    assert [TREE.line(child) for child, _ in follow(TREE, node, s, TABLE.raise_to(s, 100))] == ["r6c/kb12"]


def test_an_all_in_is_an_all_in_where_there_is_one_and_lost_where_nothing_is_raised():
    s, _ = TABLE.at("r6c/kb6")
    ((child, p),) = follow(TREE, TREE.find("r6c/kb6"), s, TABLE.raise_to(s, 194))
    assert (TREE.move(child).kind, p) == (ALL_IN, 1.0)
    end = TREE.find("r6c/b6r30r102")  # the cap: nothing may be raised there
    at_end, _ = TABLE.at("r6c/b6r30r102")
    assert follow(TREE, end, at_end, TABLE.raise_to(at_end, 194)) == [(LOST, 1.0)]
    assert follow(TREE, LOST, at_end, CALL) == [(LOST, 1.0)]


def test_our_own_bets_keep_their_share_of_the_pot_when_the_pots_differ():
    s, _ = TABLE.at("r8c/k")  # was taken for r6c/k; the pot is 16
    node = TREE.find("r6c/k")
    made = [real_move(TREE, node, child, s, TABLE, Fraction(1)).text for child in TREE.children(node)]
    assert made == ["k", "b8", "b16"]


def test_moves_that_are_not_legal_become_the_nearest():
    s, _ = TABLE.at("r6c/kb194")  # all-in was taken for a pot bet: a raise can only be a call
    node = TREE.find("r6c/kb12")
    made = [real_move(TREE, node, child, s, TABLE, Fraction(1)) for child in TREE.children(node)]
    assert made == [FOLD, CALL, CALL, CALL]


def test_raises_rise_and_are_measured_by_the_pot_after_the_call():
    numbers, shares = raises_of(TREE, TREE.find("r6c/kb6"))
    assert [TREE.moves(TREE.find("r6c/kb6"))[number].kind for number in numbers] == [RAISES, ALL_IN]
    assert shares[0] == 1
    assert np.all(np.diff([float(share) for share in shares]) > 0)
