"""Betting against another solver's trees, published counts, examples worked out by hand, and pokerkit's legal moves."""

import itertools
import random
import re
import time
from fractions import Fraction

import betting_examples as examples
import numpy as np
import pytest
from betting_examples import (
    AMOUNTS,
    COUNTED,
    COUNTS,
    OFFERS,
    PAYOFFS,
    amounts_of,
    betting,
    counted_twice,
    gained,
    offered,
)
from hypothesis import assume, given, settings, strategies as st

from mccfr.betting import flat_tree, tree_size as counting
from mccfr.betting.flat_tree import build_tree
from mccfr.betting.lines import ALL_IN, BETS, CALL, CHECK, FOLD, FOLDS, NOBODY, OVER, RAISES, Move
from mccfr.betting.sizes import Facing, Thresholds, amounts, half_up, parse_sizes, sizes_text
from mccfr.betting.structures import Limit, NoLimit, SpotBetting
from mccfr.betting.tree_size import estimated_nodes, roughly, tree_size
from mccfr.errors import BettingError
from mccfr.games.parameters import construct
from mccfr.grammar import parse_call

# --------------------------------------------------------------------------------------------------------------- sizes


@pytest.mark.parametrize("name", AMOUNTS)
def test_sizes_come_to_these_amounts(name):
    *given, right = AMOUNTS[name]
    assert amounts_of(*given) == right


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("33%,75%,a", "33%,75%,a"),
        (" A , 75 %, 33%".replace(" %", "%"), "33%,75%,a"),
        ("75.0%,075%,.5%", "0.5%,75%"),
        ("3x,2.50X,100C,20c", "2.5x,3x,20c,100c"),
        ("e,3e200%,2e,3E", "e,2e,3e200%,3e"),
        ("a,8BB,2.50bb,50%,3c", "50%,3c,2.5bb,8bb,a"),
        ("", ""),
        ("  ", ""),
        ("a, 5% ,", "5%,a"),
    ],
)
def test_sizes_are_written_canonically(text, canonical):
    assert sizes_text(parse_sizes(text, raises=True)) == canonical


NUMBERS = st.builds(lambda n, digits: f"{n / 10**digits:.{digits}f}", st.integers(0, 10**6), st.integers(0, 3))
SIZES = st.one_of(
    NUMBERS.map(lambda n: f"{n}%"),
    st.integers(101, 999).map(lambda n: f"{n / 100}x"),
    st.integers(0, 999).map(lambda n: f"{n}c"),
    NUMBERS.map(lambda n: f"{n}bb"),
    st.builds(
        lambda n, most: f"{n or ''}e{most}", st.integers(0, 5), st.one_of(st.just(""), NUMBERS.map("{}%".format))
    ),
    st.just("a"),
)
MENUS = st.lists(SIZES, max_size=4).map(",".join)


@given(MENUS)
def test_canonical_sizes_say_the_same(text):
    sizes = parse_sizes(text, raises=True)
    again = sizes_text(sizes)
    assert parse_sizes(again, raises=True) == sizes
    assert sizes_text(parse_sizes(again, raises=True)) == again


@given(
    MENUS, st.integers(1, 500), st.integers(0, 200), st.integers(1, 900), st.integers(1, 60),
    st.lists(st.sampled_from(["0", "0.15", "0.5", "1.3"]), min_size=3, max_size=3),
)  # fmt: skip
def test_amounts_are_legal_and_rise(text, pot, level, behind, step, thresholds):
    facing = Facing(pot + 2 * level, level, behind, int(level > 0), 2)
    found = amounts(parse_sizes(text, True), facing, level + step, Thresholds(*map(Fraction, thresholds)))
    assert found == sorted(set(found))
    assert all(min(level + step, facing.most) <= amount <= facing.most for amount in found)


@given(st.integers(0, 10**6), st.integers(1, 10**4))
def test_half_is_rounded_up(numerator, denominator):
    low, rest = divmod(numerator, denominator)
    assert half_up(numerator, denominator) == low + (2 * rest >= denominator)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("33%,75", "bet='33%,75': '75' at character 5 is no size: write 75% (of the pot)"),
        ("33%, 2.5y", "'2.5y' at character 6 is no size"),
        ("33%,,a", "'' at character 5 is no size"),
        (",", "'' at character 1 is no size"),
        ("2.5x", "'2.5x' at character 1 needs a bet to multiply: only raises can be written with x"),
        ("1.5c", "'1.5c' at character 1 is not a whole number of chips: write 2c"),
        ("0e", "'0e' at character 1 has 0 streets, expected 1 to 100"),
        ("-5%", "'-5%' at character 1 is no size"),
        ("9999999999%", "is too large: at most 1,000,000,000"),
        ("20c3r", "is no size"),
        ("all", "is no size"),
        ("x" * 5000, "at character 1 is no size"),
        (5, "bet must be a text such as '33%,75%,a', got 5"),
    ],
)
def test_a_wrong_size_is_told_with_its_place(text, said):
    with pytest.raises(BettingError) as caught:
        SpotBetting(street="river", pot=10, stack=10, bet=text, raise_="")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 300


def test_a_raise_of_once_the_bet_is_none():
    with pytest.raises(BettingError, match=r"raise_='1x': '1x' at character 1 is no raise: write more than 1x"):
        SpotBetting(street="river", pot=10, stack=10, bet="", raise_="1x")


# --------------------------------------------------------------------------------------------------- lines and endings


@pytest.mark.parametrize("name", OFFERS)
def test_these_moves_are_offered(name):
    *given, right = OFFERS[name]
    assert offered(*given) == right


@pytest.mark.parametrize("name", PAYOFFS)
def test_these_chips_are_won(name):
    *given, right = PAYOFFS[name]
    assert gained(*given) == right


def test_who_moves_when():
    rules = betting("limit")
    movers = {line: rules.at(line).mover for line in ("", "c", "r4", "ck/", "ck/k", "rc/".replace("r", "r4"), "f")}
    assert movers == {"": 1, "c": 0, "r4": 0, "ck/": 0, "ck/k": 1, "r4c/": 0, "f": OVER}
    rules = betting("limit(dealer=0)")
    assert [rules.at(line).mover for line in ("", "c", "ck/", "ck/k")] == [0, 1, 1, 0]


def test_what_the_rules_alone_allow():
    rules = betting("nolimit(stack=100, blinds='5 10', bet='', raise_='')")
    bounds = {line: rules.bounds(rules.at(line)) for line in ("", "c", "ck/", "f")}
    assert bounds == {"": (20, 100), "c": (20, 100), "ck/": (10, 90), "f": None}
    raised = rules.play(rules.root(), Move(RAISES, 35))
    assert rules.bounds(raised) == (60, 100)
    assert rules.bounds(rules.play(raised, Move(RAISES, 70))) == (100, 100)  # all-in for less than a raise to 105
    assert rules.bounds(rules.play(raised, Move(ALL_IN, 100))) is None
    limit = betting("limit")
    assert [limit.bounds(limit.at(line)) for line in ("", "r4r6r8", "f")] == [(4, 4), None, None]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("kb59r150", "'r150' at character 5 is not offered, expected one of f (Fold), c (Call), r148 (Raise(148))"),
        ("kz", "'z' at character 2 is not offered, expected one of k (Check), b59 (Bet(59))"),
        ("kkk", "'k' at character 3 comes after the end of the hand"),
        ("b", "'b' at character 1 is not offered"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(line, said):
    with pytest.raises(BettingError) as caught:
        examples.spot("river_std").at(line)
    assert said in str(caught.value)


def test_a_line_without_its_slash():
    rules = examples.spot("turn_pa")
    assert rules.at("kk") == rules.at("kk/")
    with pytest.raises(BettingError, match="'k' at character 3: expected '/', since a street has ended"):
        rules.at("kkk")
    with pytest.raises(BettingError, match="'/' at character 2 is not offered"):
        rules.at("k/")


# --------------------------------------------------------------------------------------------------------------- trees


@pytest.mark.parametrize("name", ["river_std", "turn_pa"])
def test_trees_are_those_of_another_solver_action_by_action(name):
    assert list(build_tree(examples.spot(name)).rows()) == examples.reference_rows(name)


@pytest.mark.parametrize("name", COUNTS)
def test_trees_have_their_published_sizes(name):
    text, right = COUNTS[name]
    size = tree_size(betting(text))
    assert tuple(size) == right
    assert build_tree(betting(text)).size == size


@pytest.mark.parametrize("name", COUNTED)
def test_lines_to_the_same_chips_are_counted_each(name):
    assert counted_twice(COUNTED[name]) == 0


def test_limit_has_the_counts_of_its_closed_form():
    """A street with a cap of m has 2 + 2m decisions, 2m folds, 2m + 1 ways on; the first a fold more, to the blind."""
    size = tree_size(Limit())
    assert (sum(size.decisions), size.terminals) == (6378, 10206)
    for cap, streets in itertools.product((1, 2, 5), (1, 2, 3)):
        size = tree_size(Limit(cap=f"{cap}", streets=streets))
        lines = 2 * cap + 1
        assert size.decisions == (2 + 2 * cap, *(lines**k * (2 + 2 * cap) for k in range(1, streets)))
        assert size.folds == (2 * cap + 1, *(lines**k * 2 * cap for k in range(1, streets)))
        assert size.showdowns == (*[0] * (streets - 1), lines**streets)


def test_a_tree_that_is_too_large_is_refused_before_it_is_built(monkeypatch):
    assert build_tree(Limit(), 6378 + 10206).size.nodes == 6378 + 10206
    with pytest.raises(
        BettingError, match=r"has 16,584 nodes, at most 16,583 are built: offer fewer sizes or set a cap"
    ):
        build_tree(Limit(), 6378 + 10206 - 1)
    many = betting("nolimit(stack=20000, bet='33%,66%,100%,a', raise_='50%,100%,a')")
    monkeypatch.setattr(counting, "MOST_MOVES", 1000)
    monkeypatch.setattr(counting, "FEW_MOVES", 1000)
    with pytest.raises(BettingError, match=r"has about [\d,]+ nodes, at most 100,000 are built: offer fewer sizes"):
        build_tree(many, 100_000)
    with pytest.raises(BettingError, match=r"has about [\d,]+ nodes, too many to count them exactly: offer fewer"):
        tree_size(many)
    monkeypatch.setattr(counting, "FEW_MOVES", 100)
    assert (
        build_tree(Limit(cap=5, streets=3), 4258).size.nodes == 4258
    )  # it is not given up while it may be small enough
    with pytest.raises(BettingError, match=r"has about [\d,]+ nodes, at most 4,000 are built"):
        build_tree(Limit(cap=5, streets=4), 4000)


def test_a_menu_of_ten_thousand_million_nodes_is_told_to_be_that_large():
    start = time.process_time()
    with pytest.raises(BettingError) as caught:
        build_tree(betting("nolimit(stack=600, bet='25%,33%,50%,66%,75%,100%,125%,150%,200%,a')"))
    found = re.fullmatch(
        r"this betting tree has about ([\d.e+]+) nodes, at most 2,000,000 are built: offer fewer sizes or set a cap",
        str(caught.value),
    )
    assert 5e9 < float(found[1]) < 5e10
    print(f"{caught.value} ({time.process_time() - start:.1f} s)")


@pytest.mark.parametrize(
    "text",
    ["limit(cap=20)", "nolimit(stack=200, bet='25%,50%,100%,200%,a', raise_='2x,3x,4x,a')",
     "nolimit(stack=20000, blinds='50 100', bet='50%,100%,a')"],
)  # fmt: skip
def test_estimates_of_large_trees_are_near(text):
    """Four of them, so that no lucky seed matters."""
    nodes = tree_size(betting(text)).nodes
    found = [estimated_nodes(betting(text), seed) for seed in range(4)]
    assert 0.7 * nodes < sum(found) / 4 < 1.3 * nodes
    assert len(set(found)) > 1
    assert estimated_nodes(betting(text), 3) == found[3]


def test_estimates_of_small_trees_are_exact(monkeypatch):
    assert estimated_nodes(Limit()) == 16_584
    monkeypatch.setattr(counting, "KEPT", 4)
    found = [estimated_nodes(Limit(streets=2), seed) for seed in range(400)]
    exact = tree_size(Limit(streets=2)).nodes
    assert abs(np.mean(found) - exact) < 4 * np.std(found) / 20
    assert np.std(found) > 0


def test_estimates_have_two_digits():
    assert [roughly(n) for n in (123_456, 99, 987_654_321.5, 1.26e10)] == ["120,000", "99", "990,000,000", "1.3e+10"]


def test_very_large_trees_are_counted():
    """The closed form once more: 20 bets a street, four streets."""
    lines, size = 2 * 20 + 1, tree_size(Limit(cap=20))
    assert size.decisions == tuple(lines**k * (2 + 2 * 20) for k in range(4))
    assert size.nodes > 8_000_000


def test_a_long_line_of_smallest_raises_is_no_problem():
    deep = SpotBetting(street="river", pot=10, stack=2000, bet="0%", raise_="0%")
    tree = build_tree(deep)
    assert len(tree.line(len(tree.kind) - 1)) > 8000
    assert tree.size.nodes == tree_size(deep).nodes


def test_large_trees_are_built_in_seconds():
    large = SpotBetting(street="flop", pot=60, stack=970, bet="33%,50%,75%,a", raise_="50%,2.5x,a", force_allin=0.1)
    start = time.process_time()
    tree = build_tree(large)
    assert tree.size.nodes > 40_000
    assert time.process_time() - start < 5  # 0.7 s on two busy cores


def test_nodes_are_found_by_their_lines():
    tree = build_tree(examples.spot("turn_pa"))
    for node in range(len(tree.kind)):
        assert tree.find(tree.line(node)) == node
    with pytest.raises(BettingError, match="is not offered"):
        tree.find("kb181")


# ----------------------------------------------------------------------------------------------------- random hands

USUAL = st.one_of(
    st.integers(0, 200).map("{}%".format), st.integers(1, 40).map("{}c".format), st.sampled_from(["e", "2e80%", "a"])
)
IN_BLINDS = st.lists(st.integers(2, 40).map("{}bb".format), max_size=3).map(",".join)
BET_MENUS = st.lists(USUAL, max_size=3).map(",".join)
RAISE_MENUS = st.lists(st.one_of(USUAL, st.sampled_from(["1.1x", "2x", "3.5x"])), max_size=2).map(",".join)
SHARES = st.sampled_from([0, 0.1, 0.15, 0.5, 1.5])
TABLES = st.one_of(
    st.none(),
    st.fixed_dictionaries({}, optional={"bet": BET_MENUS, "raise_": RAISE_MENUS, "donk_": BET_MENUS}),
)
ENDS = {
    "bet": BET_MENUS, "raise_": RAISE_MENUS, "add_allin": SHARES, "force_allin": SHARES,
    "merge": SHARES, "cap": st.sampled_from([None, None, 1, 2, "1 2", "0 1 2"]),
    "flop": TABLES, "oop": TABLES, "turn": st.one_of(st.none(), st.builds(lambda t: {"ip": t}, TABLES)),
}  # fmt: skip
WHOLE = st.builds(
    NoLimit, stack=st.integers(20, 400), blinds=st.sampled_from(["1 2", "2 2", "5 10"]), ante=st.integers(0, 3),
    streets=st.integers(1, 3), dealer=st.integers(0, 1), **{**ENDS, "raise_": st.one_of(st.none(), RAISE_MENUS)},
    preflop=st.one_of(st.none(), st.builds(lambda sizes: {"raise_": sizes}, IN_BLINDS)),
)  # fmt: skip
FROM_STREET = st.builds(
    SpotBetting, street=st.sampled_from(["turn", "river"]), pot=st.integers(1, 100), stack=st.integers(9, 400),
    min_bet=st.integers(1, 9), **ENDS,
)  # fmt: skip


SHARES_OF_THE_POT = st.lists(st.integers(0, 200).map("{}%".format), max_size=4).map(",".join)
INCREASING = st.builds(
    NoLimit, stack=st.integers(20, 400), bet=SHARES_OF_THE_POT, raise_=st.one_of(st.none(), SHARES_OF_THE_POT),
    preflop=st.builds(lambda sizes: {"raise_": sizes}, IN_BLINDS), streets=st.integers(1, 3), increasing=st.just(True),
    add_allin=SHARES, force_allin=SHARES, merge=SHARES,
)  # fmt: skip


@given(st.one_of(WHOLE, FROM_STREET, INCREASING))
@settings(max_examples=60, deadline=None)
def test_chips_are_kept_and_payoffs_sum_to_zero(rules):
    try:
        tree = build_tree(rules, 5000)
    except BettingError:  # too large
        assume(False)
    assert tree.size == tree_size(rules)
    for node in range(1, len(tree.kind)):
        check_step(rules, tree, node)
    for node in random.Random(0).sample(range(len(tree.kind)), min(50, len(tree.kind))):
        check_state(rules, tree, node)


def check_step(rules, tree, node):
    """A move puts chips of the mover in, and nobody else's, as the rules say."""
    above, move = tree.parent[node], tree.move(node)
    mover = tree.kind[above]
    before, after = tree.stakes[above], tree.stakes[node]
    assert after[1 - mover] == before[1 - mover]
    assert before[mover] <= after[mover] <= rules.stack
    if move.kind >= BETS:
        assert after[mover] > before.max()
        assert (move.kind == ALL_IN) == (after[mover] == rules.stack)
    else:
        assert after[mover] == (before[1 - mover] if move == CALL else before[mover])
        assert move != FOLD or before[mover] < before[1 - mover]
    if tree.street[node] > tree.street[above] or tree.kind[node] == flat_tree.SHOWDOWN:
        assert after[0] == after[1]


def check_state(rules, tree, node):
    """The state after a line is what the arrays say, its amounts are legal, its payoffs sum to zero."""
    s = rules.at(tree.line(node))
    assert s.line == tree.line(node)
    assert s.stakes == tuple(tree.stakes[node])
    assert s.street == tree.street[node]
    if s.mover == OVER:
        expected = flat_tree.SHOWDOWN if s.folded == NOBODY else (flat_tree.FOLD_BY_0, flat_tree.FOLD_BY_1)[s.folded]
        assert tree.kind[node] == expected
        for winner in (0, 1, NOBODY):
            gains = rules.payoffs(s, winner)
            assert sum(gains) == 0
            assert set(np.abs(gains)) <= {0, tree.stake[node]}
            assert -rules.dead / 2 - max(s.stakes) <= min(gains)
    else:
        assert tree.kind[node] == s.mover
        bounds = rules.bounds(s)
        assert all(bounds and bounds[0] <= move.amount <= bounds[1] for move in rules.moves(s) if move.kind >= BETS)


# ----------------------------------------------------------------------------------------------------------- strings


@given(
    st.one_of(
        WHOLE, FROM_STREET, INCREASING, st.builds(Limit, cap=st.integers(0, 9), bets=st.sampled_from(["1 2", 3, "2 2"]))
    )
)
def test_strings_and_reprs_rebuild_betting(rules):
    assert construct(type(rules), parse_call(str(rules))) == rules
    assert eval(repr(rules)) == rules
    assert hash(eval(repr(rules))) == hash(rules)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("nolimit(stack=162, blinds='1 2', bet='100%', raise_='100%', cap=1)",
         "nolimit(stack=162, bet='100%', raise_='100%', cap=1)"),
        ("limit(cap='3 4 4 4', bets='2 2 4 4')", "limit"),
        ("nolimit(stack=200, blinds='1 2', bet='50%,100%,a')", "nolimit(stack=200, bet='50%,100%,a')"),
        ("nolimit(stack=200, bet='a,50%', increasing=False)", "nolimit(stack=200, bet='50%,a')"),
        ("limit(cap='4 4')", "limit(cap=4)"),
        ("nolimit(stack=9, blinds=' 1  2', bet='A,5%', raise_='', turn={'oop': {'bet': '9%,3%'}, 'ip': {}}, river={})",
         "nolimit(stack=9, bet='5%,a', raise_='', turn={'oop': {'bet': '3%,9%'}})"),
    ],
)  # fmt: skip
def test_betting_is_written_canonically(text, canonical):
    assert str(betting(text)) == canonical


SPOT = "street=river, pot=10, stack=10, bet='', raise_=''"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("spot_betting(street=rivr, pot=1, stack=1, bet='', raise_='')", "street is 'rivr'; did you mean river?"),
        ("spot_betting(street=river, pot=0, stack=1, bet='', raise_='')", "pot must be a whole number from 1 to"),
        ("spot_betting(street=river, pot=9, stack=1.5, bet='', raise_='')", "stack must be a whole number from 1"),
        (f"spot_betting({SPOT}, min_bet=20)", "stack 10 is below the smallest bet of 20 (min_bet): nothing can be bet"),
        (f"spot_betting({SPOT}, force_allin=-1)", "force_allin must be a share of the pot, 0 or more, got -1"),
        (f"spot_betting({SPOT}, merge=1e400)", "merge must be a share of the pot, 0 or more, got inf"),
        (
            f"spot_betting({SPOT}, flop={{'bet': '2bb'}})",
            "the blinds of a spot are not known: write chips (20c) instea",
        ),
        (f"spot_betting({SPOT}, cap=-1)", "cap must be one to 4 whole numbers of 0 or more, as in '1 2', got -1"),
        (f"spot_betting({SPOT}, turn={{'op': {{}}}})", "turn has no 'op': did you mean oop"),
        (f"spot_betting({SPOT}, turn='33%')", "turn must be a table such as {'bet': '33%'}, got '33%'"),
        (f"spot_betting({SPOT}, turn={{'oop': {{'bet': '3'}}}})", "turn.oop.bet='3': '3' at character 1 is no size"),
        (f"spot_betting({SPOT}, oop={{'ip': {{}}}})", "oop has no 'ip'"),
        ("nolimit(stack=2, ante=1, bet='', raise_='')", "stack must be at least 3 for ante and big blind, got 2"),
        ("nolimit(stack=9, blinds='2 1', bet='', raise_='')", "blinds must be the small and the big one, as in '1 2'"),
        ("nolimit(stack=9, blinds=2, bet='', raise_='')", "blinds must be the small and the big one, as in '1 2'"),
        ("nolimit(stack=9, blinds='1 a', bet='', raise_='')", "blinds must be 2 whole numbers of 1 or more"),
        ("nolimit(stack=9, bet='', raise_='', streets=5)", "streets must be a whole number from 1 to 4, got 5"),
        ("limit(cap=None)", "cap must be one to 4 whole numbers of 0 or more"),
    ],
)
def test_wrong_betting_is_told_in_one_line(text, said):
    with pytest.raises(BettingError) as caught:
        betting(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# ----------------------------------------------------------------------------------------------------------- pokerkit


def poker_state(pokerkit, stack, small, big, ante):
    """A hand of another library; its first player has the big blind, as ours."""
    automatic = [a for a in pokerkit.Automation if "SELECTION" not in a.name]
    return pokerkit.NoLimitTexasHoldem.create_state(
        tuple(automatic), False, ante, (small, big), big, (stack, stack), 2, mode=pokerkit.Mode.TOURNAMENT
    )


def random_move(rules, s, dice):
    """Any legal move, also one between the sizes of a menu."""
    found = [FOLD, CALL] if s.stakes[s.mover] < s.stakes[1 - s.mover] else [CHECK]
    bounds = rules.bounds(s)
    if bounds:
        low, high = bounds
        amount = dice.choice([low, high, dice.randint(low, high), min(high, low + dice.randint(0, 9))])
        found += [Move(ALL_IN if amount == high else RAISES if max(s.stakes) > s.opened else BETS, amount)] * 2
    return dice.choice([move for move in found if move.kind != FOLDS or dice.random() < 0.3] or [CALL])


@pytest.mark.parametrize("seed", range(10))
def test_legal_moves_are_those_of_pokerkit(seed):
    pokerkit = pytest.importorskip("pokerkit")
    dice = random.Random(seed)
    for _ in range(30):
        small = dice.randint(1, 5)
        big, ante = small * dice.choice([2, 3]) - dice.randint(0, small - 1), dice.choice([0, 0, 1, 2])
        stack = ante + big + dice.choice([dice.randint(1, 9), dice.randint(1, 300)])
        rules = NoLimit(stack=stack, blinds=f"{small} {big}", ante=ante, bet="", raise_="")
        s, theirs = rules.root(), poker_state(pokerkit, stack, small, big, ante)
        while s.mover != OVER:
            s = play_both(rules, s, theirs, random_move(rules, s, dice))
        assert not theirs.status
        if s.folded != NOBODY:
            assert theirs.payoffs == list(rules.payoffs(s))
        else:
            assert {abs(gain) for gain in theirs.payoffs} <= {0, rules.stake(s)}


def play_both(rules, s, theirs, move):
    """One move in both libraries, which must agree on what could have been done."""
    assert theirs.actor_index == s.mover
    assert theirs.street_index == s.street
    assert theirs.checking_or_calling_amount == abs(s.stakes[0] - s.stakes[1])
    low, high = theirs.min_completion_betting_or_raising_to_amount, theirs.max_completion_betting_or_raising_to_amount
    assert rules.bounds(s) == (None if low is None else (low, high))
    assert [rules.stack - stake for stake in s.stakes] == theirs.stacks
    if move.kind >= BETS:
        theirs.complete_bet_or_raise_to(move.amount)
    elif move == FOLD:
        theirs.fold()
    else:
        theirs.check_or_call()
    return rules.play(s, move)
