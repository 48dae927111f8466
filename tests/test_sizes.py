"""Sizes of the built-in games against published and independent counts, and levels against the plain rules."""

import json
from itertools import pairwise
from math import factorial, prod
from pathlib import Path

import numpy as np
import pytest
from playthrough import census, children

import mccfr
from mccfr.errors import TreeError
from mccfr.games.base import CHANCE, TERMINAL, VectorGame
from mccfr.games.bluff import Bluff
from mccfr.games.generic_poker import GenericPoker, betting_lines, count_lines
from mccfr.games.goofspiel import Goofspiel
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.tree.compile import compile_tree

ORACLES = json.loads((Path(__file__).parent / "data" / "oracles.json").read_text())
OPENSPIEL = {
    "kuhn": Kuhn(),
    "leduc": Leduc(),
    "leduc_iso": Leduc(suits=False),
    "liars_dice": Bluff(rounds="one"),
    "goof4": Goofspiel(n=4),
}


@pytest.mark.parametrize("name", OPENSPIEL)
def test_openspiel_counts(name):
    counted, oracle = census(OPENSPIEL[name]), ORACLES[name]["counts"]
    assert counted.nodes == oracle["histories_total"]
    assert counted.terminals == oracle["terminal"]
    assert counted.chance == oracle["chance"]
    assert counted.decisions == oracle["decision"]
    assert counted.infosets == (oracle["infosets_p0"], oracle["infosets_p1"])
    assert counted.actions == (oracle["info_actions_p0"], oracle["info_actions_p1"])
    assert counted.depth == oracle["max_depth"]


def test_kuhn_1950():
    counted = census(Kuhn())
    assert counted.largest == 2
    assert 2 ** counted.infosets[0] == 2 ** counted.infosets[1] == 64  # pure strategies; every infoset has two actions
    assert counted.actions == (12, 12)


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_kuhn_with_suits(suits):
    """Nine lines of betting, four of them decisions, for every ordered pair of the cards."""
    counted, cards = census(Kuhn(suits=suits)), 3 * suits
    pairs = cards * (cards - 1)
    assert counted.nodes == 1 + cards + 9 * pairs
    assert (counted.chance, counted.decisions, counted.terminals) == (1 + cards, 4 * pairs, 5 * pairs)
    assert counted.infosets == (2 * cards, 2 * cards)
    assert counted.largest == cards - 1
    assert mccfr.compile(f"dealt:kuhn(suits={suits})").counts["nodes"] == 9  # public states


def test_leduc_of_davis_table_1():
    counted = census(Leduc())
    assert counted.nodes - 7 == 9450  # the table leaves out the 7 deal nodes
    assert sum(counted.infosets) == 936
    assert sum(counted.actions) == 2184
    assert counted.largest == 5


def test_leduc_public_terminals():
    game, stack, public = Leduc(), [Leduc().root()], set()
    while stack:
        state = stack.pop()
        stack += children(game, state)
        if game.player(state) == TERMINAL:
            line, cards = state
            public.add((line, cards[2:]))
    assert len(public) == 274


def published_poker_sizes(cards, raises):
    """|H| and |I| in the convention of Davis et al. (2019), table 1: histories without the private deals."""
    decisions, nodes, goes_on = 2 + 2 * raises, 6 * raises + 3, 2 * raises + 1
    histories = cards * (cards - 1) * nodes * (1 + (cards - 2) * goes_on)
    return histories, cards * decisions * (1 + (cards - 1) * goes_on)


@pytest.mark.parametrize(
    ("types", "copies", "raises"), [(3, 1, 1), (2, 2, 2), (3, 2, 2), (4, 1, 3), (2, 3, 4), (4, 2, 1), (3, 2, 0)]
)
def test_generic_poker_formula(types, copies, raises):
    counted, cards = census(GenericPoker(types, copies, raises)), types * copies
    histories, infosets = published_poker_sizes(cards, raises)
    assert counted.nodes - 1 - cards == histories
    assert sum(counted.infosets) == infosets
    assert counted.infosets[0] == counted.infosets[1]
    assert counted.largest == cards - 1


@pytest.mark.parametrize(("types", "histories", "infosets"), [(6, 2_965_896, 49_920), (13, 32_293_404, 239_200)])
def test_generic_poker_of_davis_table_1(types, histories, infosets):
    """Each line of the betting stands for as many histories as there are deals of the cards out by then."""
    cards = 4 * types
    pairs, triples = cards * (cards - 1), cards * (cards - 1) * (cards - 2)
    lines = {line: spot for line, spot in betting_lines(4, 1).items() if not line.startswith("deal")}
    assert sum(triples if "/:" in line else pairs for line in lines) == histories
    decisions = [line for line, spot in lines.items() if spot.player >= 0]
    assert sum(pairs if "/:" in line else cards for line in decisions) == infosets


@pytest.mark.slow
def test_generic_poker_6_4_4_1_walked():
    counted = census(GenericPoker(6, 4, 4, 1))
    assert counted.nodes - 25 == 2_965_896
    assert sum(counted.infosets) == 49_920
    assert counted.largest == 23


def test_generic_poker_is_leduc():
    assert census(GenericPoker(3, 2, 2, 1)) == census(Leduc())
    assert census(GenericPoker(3, 2, 2, 1, suits=False)) == census(Leduc(suits=False))


def test_generic_poker_with_two_sizes():
    """One cap-1 round: check-check, or a bet of either size after nothing or a check, folded to or called."""
    counted = census(GenericPoker(3, 1, raises=1, sizes=2))
    fold, goes_on, decisions = 4, 5, 6
    per_round = fold + goes_on + decisions
    assert counted.nodes == 1 + 3 + 6 * per_round + 6 * 1 * goes_on * per_round
    assert counted.terminals == 6 * fold + 6 * goes_on * (fold + goes_on)


GOOFSPIEL = [(3, 103, 72, 16), (4, 1653, 738, 162), (5, 41_331, 9_948, 2_124)]
SLOW_GOOFSPIEL = pytest.param(6, 1_487_923, 166_002, 34_482, marks=pytest.mark.slow)


@pytest.mark.parametrize(("n", "decisions", "infosets", "infosets_without_last"), [*GOOFSPIEL, SLOW_GOOFSPIEL])
def test_goofspiel_sizes(n, decisions, infosets, infosets_without_last):
    full = census(Goofspiel(n=n, collapse=False))
    assert (full.decisions, full.terminals) == (decisions, factorial(n) ** 2)
    assert full.infosets == (infosets // 2, infosets // 2)
    short = census(Goofspiel(n=n))
    assert short.infosets == (infosets_without_last // 2, infosets_without_last // 2)
    assert short.terminals == factorial(n) ** 2
    assert (full.depth, short.depth) == (2 * n, 2 * n - 2)


def test_goofspiel_5_nodes():
    assert census(Goofspiel(n=5)).nodes == Goofspiel(n=5).nodes() == 26_931


def measure_levels(game):
    """Nodes and infosets per player of a game whose infosets do not span depths."""
    nodes, infosets = 0, [0, 0]
    for level in game.levels():
        nodes += len(level.player)
        if len(level.infoset):
            infosets[level.player.max()] += len(np.unique(level.infoset))
    return nodes, infosets


@pytest.mark.slow
def test_goofspiel_7_levels():
    game = Goofspiel(n=7)
    assert measure_levels(game) == (game.nodes(), [667_896 // 2] * 2)
    *_, last = game.levels()
    assert len(last.payoff) == factorial(7) ** 2
    assert last.payoff.sum() == 0


@pytest.mark.slow
def test_goofspiel_7_levels_with_the_last_round():
    game = Goofspiel(n=7, collapse=False)
    assert game.nodes() == 72_908_235 + factorial(7) ** 2
    assert measure_levels(game) == (game.nodes(), [3_294_456 // 2] * 2)


def test_bluff_1_1_sizes():
    counted = census(Bluff())
    assert counted.nodes == Bluff().nodes() == 294_883
    assert sum(counted.infosets) == 24_576 == 6 * 2**12
    assert counted.largest == 6


@pytest.mark.slow
def test_bluff_2_1_infosets():
    game = Bluff(2, 1, rounds="one")
    assert measure_levels(game) == (game.nodes(), [21 * 2**17, 6 * 2**17])
    assert 21 * 2**17 + 6 * 2**17 == 3_538_944


def test_bluff_infosets_by_formula():
    """Half of the 2^bids histories are each player's to act at, with any of that player's hands."""
    assert sum(census(Bluff(2, 2, rounds="one", faces=2)).infosets) == 3 * 2**8
    assert census(Bluff(2, 1, rounds="one", faces=3)).infosets == (6 * 2**8, 3 * 2**8)


def test_bluff_nodes_of_games_too_large_to_build():
    assert Bluff(2, 2, rounds="one").nodes() == 1 + 21 + 441 * (2**25 - 1)
    assert Bluff(2, 1, rounds="one").nodes() == 1 + 21 + 126 * (2**19 - 1)


@pytest.mark.parametrize("opener", ["loser", "winner", "alternate"])
def test_bluff_literal_nodes(opener):
    game = Bluff(2, 1, rounds="literal", opener=opener, faces=2)
    assert game.nodes() == census(game).nodes


LEVELLED = [
    Goofspiel(n=2),
    Goofspiel(n=3),
    Goofspiel(n=4),
    Goofspiel(n=5),
    Goofspiel(n=3, collapse=False),
    Goofspiel(n=4, collapse=False),
    Bluff(faces=3),
    Bluff(faces=6),
    Bluff(2, 1, faces=3).with_values({"1-1": 0.125}),
    Bluff(1, 2, faces=3, opener="alternate").with_values({"1-1": 0.375}),
    Bluff(2, 2, faces=2).with_values({"1-2": 0.25}),
    Bluff(2, 2, rounds="one", faces=2),
]


@pytest.mark.slow_cases("bluff")
@pytest.mark.parametrize("game", LEVELLED, ids=str)
def test_levels_are_the_plain_rules(game):
    """Node for node: movers, children, odds, payoffs, and each code describes the infoset that the rules give."""
    assert isinstance(game, VectorGame)
    states, described, nodes = [game.root()], {}, 0
    for level in game.levels():
        nodes += len(states)
        players = [game.player(state) for state in states]
        assert level.player.tolist() == players
        below = [children(game, state) for state in states]
        assert level.arity.tolist() == list(map(len, below))
        decisions = [(p, s) for p, s in zip(players, states) if p >= 0]
        assert len(level.infoset) == len(decisions)
        for code, (player, state) in zip(level.infoset.tolist(), decisions):
            if (player, code) not in described:
                described[player, code] = game.describe(player, code)
            assert described[player, code] == (game.infoset(state), game.actions(state))
        assert level.payoff.tolist() == [game.payoff(s)[0] for p, s in zip(players, states) if p == TERMINAL]
        odds = [chance for p, s in zip(players, states) if p == CHANCE for _, chance in game.chances(s)]
        assert level.odds.tolist() == odds
        states = [state for group in below for state in group]
    assert states == []
    assert nodes == game.nodes()
    assert len(set(described.values())) == len(described)  # one code per infoset


def test_level_types_are_small():
    for level in Goofspiel(n=3).levels():
        assert [array.dtype for array in level] == [np.int8, np.int32, np.int64, np.float64, np.float64]
    for level in Bluff(faces=2).levels():
        assert [array.dtype for array in level] == [np.int8, np.int32, np.int64, np.float64, np.float64]


def test_goofspiel_nodes_by_formula():
    """A level has as many nodes as there are ways to have bid so far."""
    for n in (2, 5, 8, 10):
        widths = [prod(range(n - k + 1, n + 1)) for k in range(n)]
        assert Goofspiel(n=n).nodes() == sum(w * w for w in widths) + sum(a * b for a, b in pairwise(widths))


@pytest.mark.parametrize("raises", [0, 1, 2, 3])
@pytest.mark.parametrize("sizes", [1, 2, 3])
def test_lines_are_counted_before_they_are_written(raises, sizes):
    assert count_lines(raises, sizes) == len(betting_lines(raises, sizes))


def test_too_many_lines_are_refused_before_they_fill_the_memory():
    with pytest.raises(TreeError, match="2,279,562,269,650,541,702 lines of play"):
        compile_tree(GenericPoker(3, 2, 9, 9))
