"""Walks of hold'em through buckets: as a plain twin walks, unbiased, the same bits in every form, and the same game.

Authorities: `bucket_walk_examples`, which knows no trees and no tables; the audit by enumeration; the same game with
every card, without buckets.
"""

import functools
from collections import Counter

import numpy as np
import pytest
from bucket_walk_examples import EXAMPLES, METHODS, Twin, compiled, deals_of, differences, told, twin_differences
from street_trees import strategy_of

import mccfr
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.kernel.bucket_rows import CARDS, HELD, SEVEN, WINNER
from mccfr.kernel.card_dealing import deal_many, draw_card, draw_cards, look_at_cards
from mccfr.kernel.dice import seeded
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import FarRows, Near

TINY = "holdem(limit(cap=1, bets='2 4'), exact, ranks=2, suits=4, board='3')"
ALL_IN = "holdem(nolimit(stack=5, bet='a', raise_='a'), exact, ranks=2, suits=4, board='3')"
SMALLEST = "holdem(limit(cap='1 0', bets=2), exact, ranks=7, suits=1, board='3')"  # all cards are dealt but none

BASE = "exact, all-ins"  # what is compiled takes seconds for each kind of rows, so most of it is done for one

tree_of = functools.cache(compiled)
game_of = functools.cache(mccfr.compile)


# ---- as the twin walks


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_walks_are_those_of_the_twin(name, method):
    assert differences(tree_of(name), method, 15) == []


@pytest.mark.slow_cases("exact, all-ins")
@pytest.mark.parametrize("name", [BASE, *(pytest.param(n, marks=pytest.mark.slow) for n in EXAMPLES if n != BASE)])
def test_compiled_walks_are_those_of_the_twin(name):
    solver = mccfr.Solver(tree_of(name), "external+float64", seed=3)
    twin = Twin(solver.tree, solver.engine.work.dice.state).iterate(100)
    assert twin_differences(twin, solver.tree, solver.run(100).engine) == []
    assert twin.dice.state == solver.engine.work.dice.state.tolist()


def test_small_regrets_are_those_of_the_twin():
    """Rounded whenever they are kept, and nowhere else."""
    solver = mccfr.Solver(tree_of(BASE), "external", seed=3)
    twin = Twin(solver.tree, solver.engine.work.dice.state, precision=np.float32).iterate(100)
    assert twin_differences(twin, solver.tree, solver.run(100).engine) == []
    assert solver.engine.table.regret.dtype == np.float32


# ---- dealing


@pytest.mark.parametrize("dealt", [[], [0], [5], [0, 1, 2], [2, 3, 5], [1, 4], [0, 2, 4]])
def test_every_card_that_is_left_is_equally_likely(dealt):
    held, found, dice = np.zeros(HELD, np.uint64), Counter(), EveryOutcome()
    while True:
        held[: len(dealt)] = dealt
        card = int(draw_card(held, np.uint64(len(dealt)), np.uint64(6), dice))
        found[card] += dice.probability
        assert held[: len(dealt) + 1].tolist() == sorted([*dealt, card])
        if not dice.turn():
            break
    assert found == pytest.approx({card: 1 / (6 - len(dealt)) for card in range(6) if card not in dealt})


def test_dealing_has_the_chances_that_are_counted():
    """All 5040 orders in which seven cards can come, through the dealing of walks."""
    tree = game_of(SMALLEST)
    held, dice = np.zeros(HELD, np.uint64), EveryOutcome()
    found, seen = Counter(), Counter()
    while True:
        draw_cards(tree.cards, held, dice)
        look_at_cards(tree.cards, held)
        found[told(held[: int(WINNER) + 1].tolist(), tree)] += dice.probability
        first = int(CARDS)
        seen[tuple(held[first : first + 5].tolist()), tuple(held[first + 7 : first + 9].tolist())] += 1
        if not dice.turn():
            break
    expected = {told(words, tree): count / tree.deal_count for words, count in tree.joint_deals}
    assert found == pytest.approx(expected, abs=1e-12)
    assert len(seen) == 5040
    assert all(len({*mine, *theirs}) == 7 for mine, theirs in seen)
    assert int(SEVEN) == 7


@pytest.mark.parametrize(
    "name", ["exact", "exact, order of the board", "exact, all-ins", "rows by hand", "percentiles"]
)
def test_joint_deals_are_those_of_the_twin(name):
    """Over every deal: rows of both players on all streets, and who wins; streets that do not exist are nobody's."""
    tree = tree_of(name)
    expected = deals_of(tree)
    assert sum(expected.values()) == tree.deal_count == sum(count for _, count in tree.joint_deals)
    found = Counter({told(words, tree): count for words, count in tree.joint_deals})
    assert sorted(found.values()) == sorted(expected.values())
    if "exact" not in name:  # whose rows have numbers there, and names here
        assert found == expected


def test_deals_at_random_are_as_likely_as_counted():
    tree = tree_of("rows by hand")
    out = np.zeros((200_000, 9), np.uint64)
    deal_many(tree.cards, np.zeros(HELD, np.uint64), seeded(5), out)
    found = Counter(told(words, tree) for words in out.tolist())
    expected = {told(words, tree): 200_000 * count / tree.deal_count for words, count in tree.joint_deals}
    assert found.keys() == expected.keys()
    assert max(abs(found[words] - mean) / mean**0.5 for words, mean in expected.items()) < 5


# ---- unbiased


QUICK = ["external", "outcome", "outcome+infoset", "outcome+static(call)", "external+floor"]
LONG = ["robust(k=1)+probe", "include(always='fold bet raise')+probe", "average_strategy(0.1, 10, 1.5)", "chance"]
LONGER = ["robust(k=2)", "outcome+infoset(0.5)", "uniform+static(call)", "opponent_on_policy"]


@pytest.mark.parametrize("method", QUICK)
@pytest.mark.parametrize("game", [TINY, ALL_IN], ids=["limit", "all-in"])
def test_methods_are_unbiased(game, method):
    (row,) = mccfr.audit(game_of(game), method, warm_up=0).rows
    assert row.exact
    assert row.unbiased
    assert row.deviation < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("method", LONG + LONGER)
@pytest.mark.parametrize("game", [TINY, ALL_IN], ids=["limit", "all-in"])
def test_more_methods_are_unbiased(game, method):
    (row,) = mccfr.audit(game_of(game), method, warm_up=0).rows
    assert row.unbiased
    assert not row.exact or row.deviation < 1e-12


@pytest.mark.parametrize("method", ["outcome+own_average", "external+own_average"])
def test_averages_at_own_decisions_are_unbiased_where_everything_is_played(method):
    """Where the other player never leads to a decision, its average is not added to: so on any game."""
    (row,) = mccfr.audit(game_of(TINY), method, warm_up=0, pure=False).rows
    assert row.exact
    assert row.deviation < 1e-12


@pytest.mark.parametrize("method", ["robust(k=1)+probe", "average_strategy(0.1, 10, 1.5)"])
def test_probing_and_coins_are_unbiased(method):
    (row,) = mccfr.audit(game_of(ALL_IN), method, warm_up=0).rows
    assert row.exact
    assert row.deviation < 1e-12


def test_the_rule_of_the_page_is_biased():
    (row,) = mccfr.audit(game_of(TINY), "external+page_rule").rows
    assert set(row.biased) == {"regrets", "averages"}


def test_deals_that_walks_do_not_make_are_found_by_the_audit(monkeypatch):
    """The truth of the audit comes from the tree written out by `deals`; the walk has a list of its own."""
    tree = mccfr.compile(TINY)
    words, count = next(deal for deal in tree.joint_deals if deal[0][8] == 0)
    wrong = [((*words[:8], 2), count), *(deal for deal in tree.joint_deals if deal[0] != words)]
    monkeypatch.setattr(type(tree), "deals", lambda self: ((n / tree.deal_count, w) for w, n in wrong))
    assert not mccfr.audit(tree, "external", warm_up=0).rows[0].unbiased


# ---- the same bits in every form


QUICK_FORMS = ["external", "outcome+infoset"]
FORMS = [
    "outcome", "outcome+infoset(0.1)", "outcome+static(call)", "robust(k=1)+probe",
    "include(always='fold bet raise')+probe", "average_strategy", "external+floor", "external+rm_plus+linear",
    "external+own_average", "chance", "external+batch(8)", "external+float64", "external+prior(2)",
]  # fmt: skip


@pytest.mark.slow_cases("outcome+infoset")
@pytest.mark.parametrize("method", [*QUICK_FORMS, *(pytest.param(form, marks=pytest.mark.slow) for form in FORMS)])
def test_compiled_is_interpreted_bit_for_bit(method):
    one, other = (mccfr.Solver(tree_of(BASE), method, seed=5) for _ in range(2))
    engine = other.engine
    with np.errstate(over="ignore"):
        run_walks.interpreted(20, engine.clock, engine.parts, engine.tree, engine.table, engine.work)
    assert_same(one.run(20).state, other.state)


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        if isinstance(value, np.ndarray):
            assert value.tobytes() == other[name].tobytes(), name


OTHERS = [("percentiles", "external"), ("forgetful", "chance"), ("rows by hand", "external+float64+rm_plus")]


@pytest.mark.slow_cases("exact*")
@pytest.mark.parametrize(
    ("name", "method"), [(BASE, "external"), *(pytest.param(*other, marks=pytest.mark.slow) for other in OTHERS)]
)
def test_looking_ahead_changes_nothing(name, method):
    states = []
    for memory in (Near(), FarRows()):
        solver = mccfr.Solver(tree_of(name), method, seed=2)
        solver.engine.tree = solver.engine.tree._replace(memory=memory)
        states.append(solver.run(300).state)
    assert_same(*states)


def test_a_run_in_pieces_is_the_run():
    whole, pieces = (mccfr.Solver(tree_of(BASE), "external", seed=2) for _ in range(2))
    for n in (1, 7, 92):
        pieces.run(n)
    assert_same(whole.run(100).state, pieces.state)


# ---- workers


def trained(parallel, workers, method="external", n=400):
    return mccfr.Solver(tree_of(BASE), method, 4, None, workers, parallel).run(n)


@pytest.mark.parametrize("parallel", ["shared", pytest.param("locked", marks=pytest.mark.slow)])
def test_one_worker_on_a_shared_table_walks_as_a_plain_one(parallel):
    plain = mccfr.Solver(tree_of(BASE), "external", 4).run(400)
    one = trained(parallel, 1)
    for name in ("regret", "average", "dice", "touched", "clock"):
        assert plain.state[name].tobytes() == one.state[name].tobytes(), name


@pytest.mark.slow
def test_batches_are_the_same_for_any_number_of_workers():
    assert_same(trained("batch", 1).state, trained("batch", 2).state)


def test_replicas_are_plain_walks_with_dice_of_their_own():
    both = trained("replicas", 2)
    tree = tree_of(BASE)
    alone = mccfr.Solver(tree, "external", 4).run(200)
    assert both.state["replica0.regret"].tobytes() == alone.state["regret"].tobytes()
    assert both.state["replica1.regret"].tobytes() != alone.state["regret"].tobytes()
    summed = both.state["replica0.average"] + both.state["replica1.average"]
    assert both.strategy().probabilities == pytest.approx(tree.infosets.normalised(summed)[0], abs=1e-12)


@pytest.mark.slow_cases("batch")
@pytest.mark.parametrize("parallel", ["shared", "batch", "replicas"])
def test_the_last_strategy_is_what_the_regrets_recommend(parallel):
    engine = trained(parallel, 1).engine
    regrets = np.maximum(engine.regrets(), 0.0)
    assert engine.current() == pytest.approx(tree_of(BASE).infosets.normalised(regrets)[0], abs=1e-6)


@pytest.mark.parametrize("parallel", ["shared", pytest.param("locked", marks=pytest.mark.slow)])
def test_two_workers_on_a_shared_table_learn(parallel):
    """Their bits are nobody's, but they play better than at first."""
    first = mccfr.exploitability(mccfr.uniform(tree_of(BASE)))
    assert trained(parallel, 2, n=20_000).exploitability() < first / 4


# ---- the same game as with every card


SAME = {name: EXAMPLES[name] for name in ("exact", "exact, all-ins")}


def without_buckets(name):
    e = EXAMPLES[name]
    return game_of(f"holdem({e.betting}, ranks={e.ranks}, suits={e.suits}, board='{e.board}')")


def with_every_card(strategy, name):
    """The same strategy on the tree with every card, by labels that both have."""
    street = without_buckets(name)
    found = np.empty(street.infosets.entries)
    for j, label in enumerate(street.infosets.labels):
        begin, here = int(street.infosets.row[j]), strategy.infosets.find(label, street.infosets.owner(j))
        assert strategy.infosets.actions(here) == street.infosets.actions(j)
        k, there = len(strategy.infosets.actions(here)), strategy.infosets.entry(here)
        found[begin : begin + k] = strategy.probabilities[there : there + k]
    return strategy_of(street, found)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAME)
def test_uniform_play_loses_the_same_with_exact_buckets_and_without(name):
    ours, theirs = mccfr.uniform(tree_of(name)), mccfr.uniform(without_buckets(name))
    for measure in (mccfr.exploitability, mccfr.expected_value):
        assert measure(ours) == pytest.approx(measure(theirs), abs=1e-9)


@pytest.mark.slow_cases("exact", "exact, all-ins")
@pytest.mark.parametrize("name", SAME)
def test_a_learned_strategy_is_worth_the_same_with_exact_buckets_and_without(name):
    strategy = mccfr.solve(tree_of(name), "external", iterations=5000, seed=1).strategy()
    theirs = with_every_card(strategy, name)
    for measure in (mccfr.exploitability, mccfr.expected_value):
        assert measure(strategy) == pytest.approx(measure(theirs), abs=1e-9)
    assert mccfr.exploitability(strategy) < mccfr.exploitability(mccfr.uniform(tree_of(name))) / 3
    real = mccfr.real_exploitability(strategy)
    assert real.exploitability == pytest.approx(mccfr.exploitability(theirs), abs=1e-9)


@pytest.mark.slow
def test_equilibria_are_worth_the_same_with_exact_buckets_and_without():
    by_rows = mccfr.solve(tree_of("exact, all-ins"), "lp").strategy()
    by_cards = mccfr.solve(without_buckets("exact, all-ins"), "dcfr", iterations=2000).strategy()
    assert mccfr.exploitability(by_cards) < 1e-4
    assert mccfr.expected_value(by_cards) == pytest.approx(mccfr.expected_value(by_rows), abs=2e-4)
    assert mccfr.exploitability(with_every_card(by_rows, "exact, all-ins")) < 1e-9
