"""Local best response: its naive twin, published values of always-fold, exact best responses above it."""

import itertools
import random

import lbr_examples as examples
import pytest

import mccfr
from mccfr.betting.lines import ALL_IN, CALL, CHECK
from mccfr.playing.agent import AgentError
from mccfr.playing.agents import known_policy, make_agent
from mccfr.playing.lbr import value_of_call, value_of_raise
from mccfr.playing.lbr_report import local_best_response
from mccfr.playing.lbr_settings import PUBLISHED, SETTINGS, LbrError, grid_of_sizes, make_setting, pot_and_all_in
from mccfr.playing.lbr_value import Everything, value_at
from mccfr.playing.played_hand import deal_cards, play_hand
from mccfr.playing.policy import StrategyPolicy
from mccfr.playing.showdown_chances import preflop_chances, showdown_chances
from mccfr.playing.table import table_of

DEEP = "holdem(nolimit(stack=20000, blinds='50 100', bet='a'))"  # 200 big blinds
SMALL = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
TWELVE = "holdem(limit(cap='1 1', bets=2), exact, ranks=4, suits=3, board=3)"
POT_TREE = "holdem(nolimit(stack=12, bet='50%', raise_='a'), exact, ranks=4, suits=2, board='1 2')"


# ---- the naive twin


@pytest.mark.parametrize("setting", examples.SETTINGS)
def test_decisions_and_values_are_those_of_the_naive_twin(setting):
    """Over all deals that a few hands can meet, whatever the other player does."""
    assert examples.wrong_values(setting) == []


def test_estimates_have_the_mean_of_all_deals():
    assert examples.wrong_draws() == []


def test_off_tree_bets_are_those_of_the_naive_twin():
    """A trained strategy that takes bets of the grid for one or the other of its own."""
    strategy = mccfr.solve(POT_TREE, "external", iterations=2000, seed=3).strategy()
    policy = StrategyPolicy(strategy)
    lbr, naive = examples.response("flop_grid", policy), examples.Naive(policy, "flop_grid")
    assert naive.value(0, [(0, 5)]) == pytest.approx(examples.exact_value(lbr, 0, [(0, 5)]), abs=1e-9)
    assert examples.wrong_decisions(lbr, naive) == []
    amounts = {move.amount for moves in naive.decisions.values() for move in moves[:1] if move.amount}
    assert amounts - {0}


# ---- formulas


def test_values_of_moves_by_hand():
    """A pot of 6, of which 2 are to be called: with half of the showdowns won a call is worth 2."""
    assert value_of_call(0.5, 6, 2) == 2.0
    assert value_of_call(0.25, 6, 2) == 0.0
    assert value_of_raise(1.0, 0.0, 6, 2, 8) == 6.0
    assert value_of_raise(0.0, 0.5, 6, 2, 8) == 0.5 * 14 - 0.5 * 10
    assert value_of_raise(0.25, 1.0, 6, 2, 8) == 0.25 * 6 + 0.75 * 14


@pytest.mark.slow  # counts the table of the whole deck: five seconds
def test_chances_before_the_flop_are_those_of_the_package_s_table():
    """Aces against kings, by the table of the whole deck; and against hands that hold an ace of ours, nothing."""
    table = table_of(DEEP)
    aces, deck = (table.deck.card("Ac"), table.deck.card("Ad")), table.deck
    found = showdown_chances(table, aces, ())
    kings = mccfr.equity("AcAd", "KhKs").equity
    assert found[hand_number(deck, "Kh Ks")] == pytest.approx(kings, abs=1e-12)
    assert found[hand_number(deck, "Ac Kd")] == 0.0
    assert preflop_chances().shape == (1326, 1326)


@pytest.mark.parametrize("board", ["Qs Jh 2h", "Qs Jh 2h 8c", "Qs Jh 2h 8c 3d"])
def test_chances_on_a_board_are_those_of_ranges(board):
    """Ace and king of hearts against hands of all kinds."""
    table = table_of(DEEP)
    own, cards = table.deck.read_cards("Kh Ah"), table.deck.read_cards(board)
    found = showdown_chances(table, own, cards)
    for other in ("QcQd", "7c2d", "AcKd", "Th9h"):
        expected = mccfr.equity("AhKh", other, board=board).equity
        assert found[hand_number(table.deck, other)] == pytest.approx(expected, abs=1e-12)


def hand_number(deck, text):
    from mccfr.cards.deck import hand_of

    return hand_of(*deck.read_cards(text))


# ---- anchors


@pytest.mark.parametrize("setting", ["pot", "grid", "flop_grid"])
def test_always_fold_loses_750(setting):
    """Half a big blind as the dealer, and one as the big blind, in every single hand."""
    found = local_best_response("always_fold", setting, 20, table=table_of(DEEP))
    assert found.mbb == pytest.approx((750.0, 750.0, 750.0))
    assert [seat.mean for seat in found.by_seat] == pytest.approx([500.0, 1000.0])


@pytest.mark.slow  # the same table
def test_always_fold_loses_250_to_fold_and_call():
    """As the dealer it folds: 500. As the big blind it is called and everybody checks: 0 by symmetry.

    With a hand the call before the flop is worth pot and equity: exactly so in the mean over all hands.
    """
    table = table_of(DEEP)
    lbr = examples.response("fold_call", known_policy("always_fold", table))
    as_big_blind = value_at(lbr, lbr.begin(0, (0, 5)), Everything())
    assert as_big_blind.tolist() == [50.0, 0.0, 0.0, 0.0]
    for hand in range(1326):
        low, high = table.deck.hand_cards[hand].tolist()
        assert lbr.best(lbr.begin(1, (low, high))).move == CALL  # with every hand: the price is good
    mean = preflop_chances()[preflop_chances() > 0.0].mean()
    assert (50.0 + 100.0 * (2.0 * mean - 1.0)) / 2 * 10 == pytest.approx(250.0)


def test_always_fold_on_a_small_deck_by_all_deals():
    table = table_of("holdem(nolimit(stack=400, bet='a'), ranks=4, suits=2, board='1 1 1')")
    folds, bets = (local_best_response("always_fold", setting, None, table=table) for setting in ("fold_call", "pot"))
    assert bets.mbb.mean == pytest.approx(750.0)
    assert folds.by_seat[0].mean == pytest.approx(500.0)
    assert folds.by_seat[1].mean > 0.0  # here some hands win less than a quarter, and are folded for half a blind


def test_always_call_loses_to_value_bets():
    """Local best response bets all-in when it wins more than half, and checks otherwise."""
    table = table_of(DEEP)
    lbr = examples.response("pot", known_policy("always_call", table))
    turn = lbr.table.at("ck/kk/")[0]
    board = table.deck.read_cards("2c 7d 9h Ks")
    good = lbr.with_board(lbr.begin(0, table.deck.read_cards("Kc Kd"))._replace(state=turn), board)
    bad = good._replace(own=table.deck.read_cards("3h 4h"))
    assert lbr.best(good).move.kind == ALL_IN
    assert lbr.best(bad).move == CHECK


# ---- exact best responses


@pytest.mark.slow_cases("2000", "1")
@pytest.mark.parametrize("iterations", [1, 2000])
def test_a_best_response_with_every_card_wins_at_least_as_much(iterations):
    check_bound(SMALL, iterations)


@pytest.mark.slow
def test_the_same_with_twelve_cards():
    check_bound(TWELVE, 20_000)


def check_bound(game, iterations):
    """By seats, over all deals."""
    strategy = mccfr.solve(game, "external", iterations=iterations, seed=1).strategy()
    real = mccfr.real_exploitability(strategy)
    most = [1000.0 * value / real.big_blind for value in real.best_response]
    for setting in ("fold_call", "limit"):
        found = local_best_response(strategy, setting, None)
        assert all(seat.mean <= best + 1e-9 for seat, best in zip(found.by_seat, most))
        assert found.mbb.mean == pytest.approx(sum(found.by_street))
    assert found.mbb.mean > -most[0]


def test_intervals_hold_the_value_of_all_deals():
    exact = local_best_response(f"uniform:{SMALL}", "limit", None)
    drawn = local_best_response(f"uniform:{SMALL}", "limit", 600, seed=4)
    assert drawn.mbb.low < exact.mbb.mean < drawn.mbb.high
    assert str(exact).startswith("at least 800.4 mbb/g")
    assert "95 % interval" in str(drawn)
    assert drawn.to_dict()["hands"] == 600
    assert exact.to_dict()["hands"] == "all"


@pytest.mark.slow
def test_processes_change_nothing():
    one = local_best_response(f"uniform:{SMALL}", "limit", 300, seed=4)
    assert local_best_response(f"uniform:{SMALL}", "limit", 300, seed=4, workers=2) == one
    assert local_best_response(mccfr.uniform(SMALL), "limit", 300, seed=4, workers=2).mbb == one.mbb


# ---- the agent


def test_an_agent_wins_what_the_report_says():
    """Hands played out with dice: the mean over many is within four standard errors of that over all deals."""
    table = table_of(SMALL)
    agents = make_agent("lbr(limit, 'always_fold')", table), make_agent("always_fold", table)
    exact = local_best_response("always_fold", "limit", None, table=table).by_seat
    for seat in (0, 1):
        total = 0.0
        for number in range(40):
            dice = random.Random(number)
            order = agents if seat == 0 else agents[::-1]
            record = play_hand(table, order, deal_cards(table, dice), [dice, dice])
            total += record.chips[seat]
        assert 1000 * total / 40 / table.big_blind == pytest.approx(exact[seat].mean)  # nothing is left to chance


def test_an_agent_copes_with_moves_that_its_opponent_never_makes():
    """The range is every hand again; a pair of the highest cards of a small deck is good enough to call."""
    table = table_of("holdem(nolimit(stack=400, bet='a'), ranks=4, suits=2, board='3')")
    agent = make_agent("lbr(fold_call, 'always_fold')", table)
    for line, move in (("c", CHECK), ("r6", CALL)):
        assert agent.move(examples_seen(table, 0, "5c 5d", *table.at(line))) == move
    assert agent.name == "lbr(fold_call, 'always_fold')"


def examples_seen(table, seat, hole, state, moves):
    from mccfr.playing.seen import Seen

    return Seen(table, seat, table.deck.read_cards(hole), (), state, moves)


# ---- settings and errors


def test_the_grid_goes_from_a_tenth_of_the_pot_to_all_in():
    table = table_of(DEEP)
    state = table.at("r1000c/kk/")[0]
    amounts = [move.amount for move in grid_of_sizes(table, state)]
    assert len(amounts) == 56
    assert (amounts[0], amounts[-1]) == (200, 19000)
    assert grid_of_sizes(table, state)[-1].kind == ALL_IN
    assert all(1.0 < later / sooner < 1.11 for sooner, later in itertools.pairwise(amounts))
    small = [move.amount for move in grid_of_sizes(table, table.at("ck/kk/")[0])]
    assert small[0] == 100
    assert len(set(small)) == len(small) < 56


def test_pot_and_all_in():
    table = table_of(DEEP)
    assert [move.amount for move in pot_and_all_in(table, table.at("r300c/kk/b100")[0])] == [900, 19700]
    deep = table.at("r8000c/kk/")[0]
    assert [move.amount for move in pot_and_all_in(table, deep)] == [12000]


def test_settings_by_name():
    table = table_of(DEEP)
    assert [str(make_setting(name, table)) for name in PUBLISHED] == list(PUBLISHED)
    assert make_setting(SETTINGS["pot"], table) is SETTINGS["pot"]
    with pytest.raises(LbrError, match=r"no setting 'gird' of local best response; did you mean grid"):
        make_setting("gird", table)
    with pytest.raises(LbrError, match=r"setting limit is not for nolimit: expected one of fold_call, pot"):
        make_setting("limit", table)
    with pytest.raises(LbrError, match=r"setting grid is not for limit: expected one of fold_call, limit"):
        make_setting("grid", table_of(SMALL))


@pytest.mark.parametrize("hands", [3, 0, True, 2.5, 10**10])
def test_hands_must_be_a_number(hands):
    with pytest.raises(LbrError, match="hands must be a whole number from 4 to"):
        local_best_response("always_fold", "fold_call", hands, table=table_of(DEEP))


def test_a_whole_deck_has_too_many_deals():
    with pytest.raises(LbrError, match=r"too many to go through all: say how many hands"):
        local_best_response("always_fold", "fold_call", None, table=table_of(DEEP))


def test_an_opponent_must_be_known():
    class Caller:
        def move(self, seen):
            return seen.legal.moves[-1]

    with pytest.raises(AgentError, match="nobody knows what Caller does with each hand"):
        local_best_response(Caller(), "fold_call", 10, table=table_of(DEEP))
    with pytest.raises(AgentError, match="no agent"):
        make_agent("lbr(pot, 'nobody')", table_of(DEEP))
    assert make_agent("lbr(pot, 'always_call')", table_of(DEEP)).lbr.best
