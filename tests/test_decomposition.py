"""Bluff in parts is Bluff: one round that pays the values of the smaller games equals the whole game written out."""

import pytest

import mccfr
from mccfr.games.bluff import Bluff
from mccfr.solvers.prepare import game_value


@pytest.mark.parametrize("opener", ["loser", "winner", "alternate"])
@pytest.mark.parametrize("dice", [(2, 1), (1, 2)])
def test_values_agree_with_the_literal_tree(dice, opener):
    literal = game_value(Bluff(*dice, rounds="literal", opener=opener, faces=2))
    assert game_value(Bluff(*dice, opener=opener, faces=2)) == pytest.approx(literal, abs=1e-12)


def test_the_opener_matters():
    """Otherwise the test above would pass with any opener rule."""
    values = {opener: game_value(Bluff(2, 1, opener=opener, faces=2)) for opener in ("loser", "winner")}
    assert abs(values["loser"] - values["winner"]) > 0.1


@pytest.mark.slow
def test_three_sided_dice():
    solver = mccfr.solve(Bluff(2, 1, rounds="literal", faces=3), "dcfr", iterations=1000)
    bracket = 2 * solver.exploitability()
    assert bracket < 1e-4
    assert mccfr.expected_value(solver.strategy()) == pytest.approx(game_value(Bluff(2, 1, faces=3)), abs=bracket)


def test_a_game_in_parts_compiles_by_its_string():
    tree = mccfr.compile("bluff(2, 1, faces=2)")
    assert len(tree) == Bluff(2, 1, faces=2).nodes()
    assert tree.game == "bluff(dice0=2, faces=2)"
