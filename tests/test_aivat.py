"""AIVAT and all-in equity: the same numbers as the formula over all histories, and exact means."""

import itertools
import random

import aivat_examples as examples
import conftest
import naive_aivat
import numpy as np
import pytest
from aivat_examples import KNOWN, LIMIT, NO_LIMIT, SEVEN_CARDS, fraction

import mccfr
from mccfr.cards.deck import hand_of
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.playing.agent import AgentError
from mccfr.playing.aivat import Aivat, Worth, aivat
from mccfr.playing.all_in import all_in_edges, all_in_equity, apart, edges_on
from mccfr.playing.fitted_values import class_of, fit_values
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import StrategyPolicy
from mccfr.playing.simple_policies import AlwaysCall, AlwaysFold, RandomMoves
from mccfr.playing.table import TableError, table_of

# The formula on Leduc -------------------------------------------------------------------------------------------------

LEDUC = mccfr.game("leduc")
WHO = [(known, hidden) for known in KNOWN.values() for n in (0, 1, 2) for hidden in itertools.combinations(known, n)]


def leduc_law(state):
    actions = LEDUC.actions(state)
    weights = [fraction(LEDUC.player(state), LEDUC.infoset(state), action) for action in actions]
    return {action: weight / sum(weights) for action, weight in zip(actions, weights)}


@pytest.fixture(scope="module")
def leduc_ends():
    return naive_aivat.terminals(LEDUC, leduc_law)


@pytest.fixture(scope="module")
def leduc_value():
    tree, table = mccfr.compile("leduc"), {}
    for h in naive_aivat.histories(LEDUC, leduc_law):
        if LEDUC.player(h.state) not in (CHANCE, TERMINAL):
            table[LEDUC.player(h.state), LEDUC.infoset(h.state)] = list(leduc_law(h.state).values())
    strategy = mccfr.Strategy(
        tree.infosets, conftest.flat(tree.infosets, table), mccfr.uniform("leduc").origin, tree=tree
    )
    return mccfr.expected_value(strategy)


@pytest.mark.parametrize(("known", "hidden"), WHO)
def test_the_mean_over_all_of_leduc_is_the_value_for_any_value_function(known, hidden, leduc_ends, leduc_value):
    twin = naive_aivat.Aivat(LEDUC, leduc_law, known, hidden, lambda h: 20 * fraction(h.labels) - 5)
    mean = sum(naive_aivat.probability(z) * twin.estimate(z) for z in leduc_ends)
    assert mean == pytest.approx(leduc_value, abs=1e-12)


@pytest.mark.parametrize("hidden", [(), (0,), (1,), (0, 1)])
def test_with_both_strategies_and_exact_values_the_estimate_is_constant(hidden, leduc_ends, leduc_value):
    exact = {}

    def value(h):
        if h.labels not in exact:
            below = list(naive_aivat.children(LEDUC, leduc_law, naive_aivat.History(h.state, h.labels)))
            law = naive_aivat.law_at(LEDUC, leduc_law, h.state).values() if below else ()
            exact[h.labels] = sum(p * value(ha) for p, ha in zip(law, below)) if below else LEDUC.payoff(h.state)[0]
        return exact[h.labels]

    twin = naive_aivat.Aivat(LEDUC, leduc_law, (0, 1), hidden, value)
    assert max(abs(twin.estimate(z) - leduc_value) for z in leduc_ends) < 1e-12


# Hold'em against the formula ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_hands_have_the_estimates_of_the_formula(game, known):
    assert examples.differences(game, known) < 1e-12


def test_hands_with_several_sizes_have_the_estimates_of_the_formula():
    assert examples.differences(SEVEN_CARDS, "both") < 1e-12


# Exact means over all deals and lines ---------------------------------------------------------------------------------

TINY_LIMIT = "holdem(limit(cap=1, bets=2), exact, ranks=7, suits=1, board=3)"
HALF_POT = "holdem(nolimit(stack=12, blinds='1 2', bet='50%', cap=1), exact, ranks=7, suits=1, board='3')"
POT_OR_ALL = "holdem(nolimit(stack=12, blinds='1 2', bet='100%,a', cap=1), exact, ranks=7, suits=1, board='3')"
TWELVE_CARDS = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=3, board=3)"


def test_the_mean_over_all_deals_in_limit_is_the_value_also_of_duplicate_pairs():
    one, other = (examples.random_strategy(TINY_LIMIT, seed) for seed in (1, 2))
    a, b = StrategyPolicy(one), StrategyPolicy(other)
    found = examples.policy_means(a.table, (a, b), whom=("both",))
    swapped = examples.policy_means(a.table, (b, a), whom=())
    values = mccfr.expected_value(one, other), mccfr.expected_value(other, one)
    for means, value in zip((found, swapped), values):
        assert all(abs(mean - value) < 1e-12 for mean in means.values())
    for kind, mean in swapped.items():  # a pair is one deal played twice, with the policies in either seat
        assert (found[kind] - mean) / 2 == pytest.approx((values[0] - values[1]) / 2, abs=1e-12)


@pytest.mark.slow
def test_the_mean_over_all_deals_is_the_value_with_off_tree_bets_and_all_ins():
    a, b = (
        StrategyPolicy(examples.random_strategy(HALF_POT, 1)),
        StrategyPolicy(examples.random_strategy(POT_OR_ALL, 2)),
    )
    lines = {record.line for _, record in examples.Lines(a.table, (a, b)).of((0, 1, 2, 3, 4, 5, 6))}
    assert any("a" in line for line in lines)
    found = examples.policy_means(a.table, (a, b), whom=("both",))
    assert all(abs(mean - found["chips"]) < 1e-12 for mean in found.values())


@pytest.mark.slow
def test_the_mean_over_all_deals_of_twelve_cards_is_the_value():
    one, other = (examples.random_strategy(TWELVE_CARDS, seed) for seed in (1, 2))
    a, b = StrategyPolicy(one), StrategyPolicy(other)
    value = mccfr.expected_value(one, other)
    for seat in (0, 1):
        assert examples.mean_of_side(a.table, (a, b), seat) == pytest.approx(value, abs=1e-12)


def test_fitted_values_are_those_of_least_squares_over_hands_played_one_by_one():
    a, b = (StrategyPolicy(examples.random_strategy(TINY_LIMIT, seed)) for seed in (3, 4))
    lines, deals = examples.Lines(a.table, (a, b)), examples.every_deal(a.table)
    found = fit_values((a, b), hands=40_000, seed=1)
    observed = [
        (p, *all_in_edges(a.table, [deal[:4]], [[]]), record) for _, deal in deals for p, record in lines.of(deal)
    ]
    for line in ("", "c", "r4"):
        those = [(p, edge, r.chips[0]) for p, edge, r in observed if r.line.startswith(line)]
        weights, edges, won = map(np.array, zip(*those))
        stake = max(a.table.at(line)[0].stakes)
        slope, start = np.polyfit(edges, won / stake, 1, w=np.sqrt(weights))
        assert found.lines[line] == pytest.approx((start, slope), abs=0.05)


def test_fitted_values_depend_on_the_seed_only_and_fall_back_to_classes():
    table = table_of(TWENTY_CARDS)
    policy = RandomMoves(table)
    one, same, other = (fit_values((policy, policy), hands=300, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    s, _ = table.at("r7")  # a pot-sized raise is to 6
    assert s.line not in one.lines
    assert one.worth(table, s).b == 7 * one.classes[class_of(table, s)][1]
    with pytest.raises(AgentError, match="hands must be"):
        fit_values((policy, policy), hands=0)
    with pytest.raises(AgentError, match="does not"):
        fit_values((policy, RandomMoves(table_of(LIMIT))))


# Edges and all-ins ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [3, 4, 5])
def test_edges_of_all_hands_and_of_deals_are_those_of_mccfr_equity(known):
    table, dice = table_of("holdem(limit)"), random.Random(known)
    for _ in range(2):
        cards = dice.sample(range(52), 4 + known)
        hands = [hand_of(*cards[:2]), hand_of(*cards[2:4])]
        names = ["".join(table.deck.card_name(c) for c in pair) for pair in (cards[:2], cards[2:4])]
        expected = mccfr.equity(*names, board=cards[4:])
        edge = 2 * expected.equity - 1
        found = edges_on(table, cards[4:], hands)
        assert found[1, hands[0]] == pytest.approx(edge, abs=1e-12)
        assert found[0, hands[1]] == pytest.approx(-edge, abs=1e-12)
        assert (found[~apart(table, cards[4:], hands)] == 0).all()
        (of_deal,) = all_in_edges(table, [cards[:4]], [cards[4:]])
        assert of_deal == pytest.approx(edge, abs=1e-12)


def test_edges_before_the_flop_on_a_small_deck_are_the_mean_over_flops():
    table = table_of(LIMIT)
    found = edges_on(table, (), [0, 9])
    for row, hand in zip(found, (0, 9)):
        boards = [
            b for b in itertools.combinations(range(8), 3) if not set(b) & set(table.deck.hand_cards[hand].tolist())
        ]
        after = np.array([edges_on(table, board, [hand])[0] for board in boards])
        live = np.array([apart(table, board, [hand])[0] for board in boards])
        meets = live.any(axis=0)
        assert row[meets] == pytest.approx((after.sum(axis=0) / np.maximum(live.sum(axis=0), 1))[meets], abs=1e-12)


def test_only_all_ins_before_the_last_street_are_valued_by_equity():
    table = table_of("holdem(nolimit(stack=20, bet='a'))")
    cards = ((48, 49), (44, 45)), (0, 5, 10, 15, 20)
    for line, changed in (("ck/a18c", True), ("ck/kk/a18c", True), ("ck/kk/kk/a18c", False), ("ck/a18f", False)):
        record = HandRecord(table, *cards, table.at(line)[1])
        assert (all_in_equity(record) != record.chips[0]) == changed
    record = HandRecord(table, *cards, table.at("ck/kk/a18c")[1])
    assert all_in_equity(record) == pytest.approx(20 * 38 / 44)  # four sixes and two aces of 44 cards split the pot


# Larger decks ---------------------------------------------------------------------------------------------------------


TWENTY_CARDS = "holdem(nolimit(stack=20, bet='a'), ranks=5, suits=4, board='1 1 1')"


def test_without_a_value_function_a_player_who_never_looks_is_paid_by_all_hands_it_may_hold():
    table = table_of(TWENTY_CARDS)
    record = HandRecord(table, ((0, 1), (2, 19)), (4, 9, 14), table.at("ck/kk/kk/kk")[1])

    class Nothing:
        def worth(self, table, s):
            return Worth(0.0, 0.0)

    ours = Aivat(table, Nothing()).estimate(record, (AlwaysCall(table), None))
    signs = []
    for pair in itertools.combinations(set(range(20)) - {2, 19, 4, 9, 14}, 2):
        winner = record._replace(holes=(pair, (2, 19))).winner
        signs.append((winner == 0) - (winner == 1))
    assert ours == pytest.approx(2 * np.mean(signs), abs=1e-12)


def test_what_is_kept_from_one_hand_to_the_next_changes_nothing():
    table = table_of(TWENTY_CARDS)
    known, ours = RandomMoves(table), Aivat(table)
    cards = [((0, 1), (2, 19)), ((2, 19), (0, 1)), ((0, 1), (2, 19)), ((0, 1), (3, 19))]
    for holes, board, line in itertools.product(cards, [(4, 9, 14), (4, 9, 15), (5, 9, 14)], ["ck/kk/kk/kk", "a20c"]):
        record = HandRecord(table, holes, board, table.at(line)[1])
        assert ours.estimate(record, (known, known)) == aivat(record, (known, known))


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"holes": ((0, 1), ())}, "expected two cards of dealer"),
        ({"holes": ((0, 1), (1, 2))}, "2d is dealt twice"),
        ({"holes": ((0, 1), (2, 8))}, "expected cards from 0 to 7, got 8"),
        ({"board": ()}, "expected 3 cards of the board, got 0"),
        ({"moves": ()}, "is not over"),
    ],
)
def test_hands_that_cannot_be_valued_are_refused(change, message):
    table = table_of(LIMIT)
    record = HandRecord(table, ((0, 1), (2, 3)), (4, 5, 6), table.at("ck/kk")[1])
    aivat(record, (None, AlwaysCall(table)))
    with pytest.raises(TableError, match=message):
        aivat(record._replace(**change), (None, None))


def test_policies_that_did_not_play_the_hand_are_refused():
    table = table_of(LIMIT)
    record = HandRecord(table, ((0, 1), (2, 3)), (4, 5, 6), table.at("ck/kk")[1])
    for policies in ((None, AlwaysFold(table)), (AlwaysCall(table), AlwaysFold(table))):
        with pytest.raises(AgentError, match="never play this"):
            aivat(record, policies)
    with pytest.raises(AgentError, match="plays at"):
        aivat(record, (None, AlwaysCall(table_of(NO_LIMIT))))
    with pytest.raises(TableError, match="was played at"):
        Aivat(table_of(NO_LIMIT)).estimate(record, (None, None))
