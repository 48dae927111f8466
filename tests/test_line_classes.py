"""Lines that a forgetful player takes for the same, against a reader of their text; Lin's betting."""

import numpy as np
import pytest
from line_class_examples import RULES, betting, partition, slow_class

from mccfr.betting.flat_tree import build_tree, tree_size
from mccfr.betting.line_classes import NO_CLASS, all_line_classes, forgetful_classes, line_classes
from mccfr.betting.structures import Limit
from mccfr.papers.lin_betting import LinBetting


@pytest.mark.parametrize("name", RULES)
def test_classes_as_the_text_of_lines_says(name):
    rules = betting(name)
    tree = build_tree(rules)
    numbers = forgetful_classes(tree)
    nodes = np.flatnonzero(tree.kind >= 0)
    slow = [slow_class(rules, tree.line(node)) for node in nodes]
    assert partition([(tree.kind[node], numbers[node]) for node in nodes]) == partition(slow)
    assert (numbers[tree.kind < 0] == NO_CLASS).all()


@pytest.mark.parametrize("name", RULES)
def test_rows_of_a_class_fit_together(name):
    tree = build_tree(betting(name))
    numbers = forgetful_classes(tree)
    for player in (0, 1):
        mine = np.flatnonzero(tree.kind == player)
        assert set(numbers[mine]) == set(range(numbers[mine].max() + 1))
        for number in range(numbers[mine].max() + 1):
            nodes = mine[numbers[mine] == number]
            assert len({(tree.street[n], *(move.kind for move in tree.moves(n))) for n in nodes}) == 1


@pytest.mark.parametrize("name", RULES)
def test_classes_are_counted_without_a_tree(name):
    rules = betting(name)
    every = all_line_classes(rules)
    assert every == {c for c in line_classes(build_tree(rules)) if c is not None}
    if counts := RULES[name][2]:
        assert tuple(sum(c.street == street for c in every) for street in range(rules.streets)) == counts


def test_whole_limit_holdem_has_298_classes():
    assert len(all_line_classes(Limit())) == 8 + 4 * 10 + 9 * 10 + 16 * 10


def test_lines_that_are_the_same_and_lines_that_are_not():
    tree = build_tree(Limit())
    numbers = forgetful_classes(tree)

    def same(one, other):
        a, b = (tree.find(line) for line in (one, other))
        return (tree.kind[a], numbers[a]) == (tree.kind[b], numbers[b])

    assert same("r4r6c/kk/", "r4r6r8c/kk/")  # both raised before the flop, however often
    assert same("r4c/kk/b4", "r4c/kk/b4")
    assert same("cr4c/kk/k", "ck/b2c/k")  # the big blind raised on one street, whichever it was
    assert not same("r4c/kk/", "cr4c/kk/")  # the dealer raised, or the other
    assert not same("r4c/kk/", "r4c/b2c/")
    assert not same("r4c/kk/k", "r4c/kk/b4")


# ---- Lin's betting


def test_sizes_only_rise():
    rules = LinBetting()
    assert [move.text for move in rules.moves(rules.at(""))] == ["f", "c", "r40", "r80", "r160", "r320"]
    assert [move.text for move in rules.moves(rules.at("r80"))] == ["f", "c", "r160", "r320"]
    assert [move.text for move in rules.moves(rules.at("r320"))] == ["f", "c"]
    flop = rules.at("ck/")  # a pot of 40
    assert [move.text for move in rules.moves(flop)] == ["k", "b20", "b28", "b40", "b60", "b80"]
    assert [move.text for move in rules.moves(rules.at("ck/b28"))] == ["f", "c", "r124", "r172", "r220"]
    assert [move.text for move in rules.moves(rules.at("ck/b28r172"))] == ["f", "c", "r940"]
    assert [move.text for move in rules.moves(rules.at("ck/b28r172r940"))] == ["f", "c"]


def test_a_size_beyond_the_stack_is_all_in():
    rules = LinBetting()
    assert [move.text for move in rules.moves(rules.at("r320c/b960c/"))] == ["k", "a720"]  # 30 % would be 768


def test_his_game_has_so_many_nodes_and_classes():
    size = tree_size(LinBetting())
    assert size.decisions == (32, 2032, 27864, 206768)
    every = all_line_classes(LinBetting())
    assert [sum(c.street == street for c in every) for street in range(4)] == [32, 640, 1792, 2760]
