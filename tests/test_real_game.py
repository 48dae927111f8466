"""Strategies with buckets against players who see every card: by the dealt form, by all flops, by some of them."""

import dataclasses
import json
import math
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest
import real_examples as examples
from click.testing import CliRunner
from scipy.stats import t as student
from street_trees import strategy_of

import mccfr
from mccfr.betting.structures import Limit
from mccfr.cli import evaluate_real
from mccfr.cli.main import cli
from mccfr.errors import StrategyError
from mccfr.evaluate import real_flops
from mccfr.evaluate.board_rows import rows_on
from mccfr.games.holdem import Holdem
from mccfr.tree.flop_trees import FlopTrees
from mccfr.tree.street_build import lay_out_streets

SCHEMA = Path(__file__).parent.parent / "docs" / "json-schema.json"
EXACT = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
COARSE = "holdem(nolimit(stack=6, bet='100%', raise_='a'), ehs2(2), ranks=4, suits=2, board='1 1 1')"


FIRST, *OTHERS = examples.GAMES
MOST_IN_TEST_ALL = [FIRST, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]  # each compiles kernels


@pytest.mark.slow_cases("one card a street")
@pytest.mark.parametrize("name", MOST_IN_TEST_ALL)
def test_best_responses_are_those_of_the_dealt_form(name):
    """Where every label with cards plays the row of these cards."""
    found = mccfr.real_exploitability(examples.random_strategy(examples.bucket_tree(name)))
    assert found.best_response == pytest.approx(examples.expected(name), abs=1e-9)


@pytest.mark.parametrize("name", MOST_IN_TEST_ALL)
def test_all_flops_one_by_one_are_the_whole_game(name):
    strategy = examples.random_strategy(examples.bucket_tree(name))
    found = mccfr.real_exploitability(strategy, flops=10_000, workers=2)
    assert found.best_response == pytest.approx(examples.expected(name), abs=1e-9)
    assert (found.flops, found.margin) == (0, 0.0)


@pytest.mark.slow_cases("*nolimit*", "holdem(limit*")
@pytest.mark.parametrize("game", [EXACT, COARSE.replace("ehs2(2)", "exact")])
def test_with_exact_buckets_the_real_game_is_the_game(game):
    """After training by the walk: written out, in dealt form, and with every card."""
    solver = mccfr.solve(game, "external", iterations=3000)
    strategy = solver.strategy()
    written = mccfr.exploitability(strategy)
    dealt = examples.real_form(strategy.tree)
    profile = strategy_of(dealt, examples.real_profile(strategy, dealt))
    assert mccfr.exploitability(profile) == pytest.approx(written, abs=1e-9)
    assert mccfr.real_exploitability(solver).exploitability == pytest.approx(written, abs=1e-9)


def test_uniform_play_loses_as_much_with_buckets_and_without():
    alone = mccfr.exploitability(mccfr.uniform(COARSE.replace("ehs2(2), ", "")))
    assert mccfr.real_exploitability(mccfr.uniform(COARSE)).exploitability == pytest.approx(alone, abs=1e-9)


@pytest.mark.slow
def test_who_sees_every_card_gets_no_less():
    strategy = mccfr.solve(COARSE, "external", iterations=3000).strategy()
    real = mccfr.real_exploitability(strategy)
    for player in (0, 1):
        assert real.best_response[player] > mccfr.best_response(strategy, player).value
    assert real.mbb == pytest.approx(500 * real.exploitability)


def test_rows_of_boards_are_those_of_the_cards():
    tree = mccfr.compile(COARSE)
    boards = lay_out_streets(dataclasses.replace(tree.given, buckets=None)).boards
    found, start = rows_on(tree, boards), boards.boards.start
    for number, board in enumerate(boards.listed):
        for player in (0, 1):
            hands = boards.deck.cards[boards.members[2 * number + player]]
            cards = np.hstack((hands, np.tile(board.cards, (len(hands), 1)))) if board.cards else hands
            mine = found[start[2 * number + player] : start[2 * number + player + 1]]
            assert (mine == tree.fit.rows_of(board.street, cards)).all()


# ---- flops


def test_flops_of_all_kinds_are_all_flops():
    assert FlopTrees(mccfr.game("holdem(limit)")).copies.sum() == math.comb(52, 3)
    assert len(FlopTrees(mccfr.game("holdem(limit)")).copies) == 1755


def test_flops_are_drawn_in_proportion_to_their_copies():
    copies = np.array([4, 12, 24, 1, 7])
    dice = np.random.default_rng(1)
    draws = np.concatenate([real_flops.draw_flops(copies, 4, dice) for _ in range(20_000)])
    assert np.bincount(draws, minlength=5) / len(draws) == pytest.approx(copies / copies.sum(), abs=0.005)


def test_both_halves_draw_from_every_stratum():
    copies = np.array([10, 10, 10, 10])
    for seed in range(20):
        drawn = real_flops.draw_flops(copies, 8, np.random.default_rng(seed))
        assert drawn.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


def test_a_fixed_strategy_is_valued_without_bias():
    """By enumeration: the mean over kinds, each as likely as it is drawn, is what all flops together say."""
    strategy = examples.random_strategy(examples.bucket_tree("two cards, then one"))
    trees, seen = examples.flop_values(strategy)
    laid, copies = trees.plan.laid, trees.copies
    assert len(set(copies.tolist())) > 1
    deals = laid.kind[: seen.shape[2]] == 4
    for player in (0, 1):
        whole = examples.add_up(laid, seen[:, player])
        choices = real_flops.respond(laid, seen[0, player], player)[1]
        each = [
            real_flops.respond(laid, examples.weighted(seen[kind, player], deals, copies, kind), player, choices)[
                0
            ].sum()
            for kind in range(len(copies))
        ]
        exact = real_flops.respond(laid, whole, player, choices)[0].sum()
        assert np.average(each, weights=copies) == pytest.approx(exact, abs=1e-12)
        assert exact <= real_flops.respond(laid, whole, player)[0].sum()
        best = examples.every_pure_choice_value(laid, whole, player)
        assert real_flops.respond(laid, whole, player)[0] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_a_sample_is_what_plain_arithmetic_makes_of_it(seed):
    strategy = examples.random_strategy(examples.bucket_tree("two cards, then one"))
    found = mccfr.real_exploitability(strategy, flops=4, seed=seed)
    got = examples.sampled(strategy, seed, 4)
    assert found.best_response == pytest.approx(got.mean(axis=0), abs=1e-9)
    each = got.mean(axis=1)
    assert found.margin == pytest.approx(student.ppf(0.975, 3) * np.std(each, ddof=1) / 2, rel=1e-9)
    assert found.flops == 4


@pytest.mark.slow
def test_samples_are_lower_bounds_and_the_same_for_any_number_of_workers():
    strategy = examples.random_strategy(examples.bucket_tree("two cards, then one"))
    exact = mccfr.real_exploitability(strategy).exploitability
    found = [mccfr.real_exploitability(strategy, flops=4, seed=seed).exploitability for seed in range(40)]
    error = np.std(found, ddof=1) / math.sqrt(len(found))
    assert np.mean(found) < exact + 3 * error
    told = []
    two = mccfr.real_exploitability(strategy, 4, workers=2, watch=lambda done, of: told.append((done, of)))
    assert two == mccfr.real_exploitability(strategy, 4, workers=1)
    assert told[-1][0] == told[-1][1] == len(told)


# ---- what is refused, and the command


def test_what_has_no_buckets_is_refused():
    with pytest.raises(StrategyError, match=r"kuhn is not seen through buckets.*without --real"):
        mccfr.real_exploitability(mccfr.uniform("kuhn"))


@pytest.mark.parametrize("flops", [0, 2, 5, -4, True, 4.0])
def test_wrong_numbers_of_flops_are_refused(flops):
    strategy = examples.random_strategy(examples.bucket_tree("two cards, then one"))
    with pytest.raises(StrategyError, match="flops must be an even number from 4 on"):
        mccfr.real_exploitability(strategy, flops)


@pytest.mark.slow
def test_the_command_measures(tmp_path):
    file = tmp_path / "strategy.mccfr"
    strategy = mccfr.solve(COARSE, "external", iterations=300).strategy()
    strategy.save(file)
    real = mccfr.real_exploitability(strategy)
    said = CliRunner().invoke(cli, ["evaluate", str(file), "--real"])
    assert said.exit_code == 0, said.output
    assert f"{real.mbb:.2f} mbb/g, with every card" in said.output
    document = json.loads(CliRunner().invoke(cli, ["evaluate", str(file), "--real", "--json"]).stdout)
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    assert document["real"]["exploitability"] == pytest.approx(real.exploitability)
    assert document["real"]["flops"] == "all"


def test_what_is_left_is_told_from_the_second_flops_on(monkeypatch, capsys):
    """The first eight took 20 s with their compiling, and would promise more than an hour."""
    now = iter([0.0, 20.0, 22.0, 24.0])
    monkeypatch.setattr(evaluate_real, "time", SimpleNamespace(monotonic=lambda: next(now)))
    tell = evaluate_real._teller(SimpleNamespace(shown=False, phase=lambda text: None), False)
    for done in (8, 16, 24):
        tell(done, 1755)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["8 of 1,755 flops after 20 s, compiling included", "16 of 1,755 flops, 7 min 15 s left"]


def test_the_command_samples(tmp_path):
    file = tmp_path / "strategy.mccfr"
    mccfr.uniform(EXACT).save(file)
    said = CliRunner().invoke(cli, ["evaluate", str(file), "--real", "--flops", "4", "--workers", "1"])
    assert said.exit_code == 0, said.output
    assert "at least" in said.output
    assert "4 flops" in said.output
    for more, line in (
        (["--flops", "4"], "--flops needs --real"),
        (["--real", "--against", "uniform"], "combined with --real"),
    ):
        said = CliRunner().invoke(cli, ["evaluate", str(file), *more])
        assert said.exit_code == 2
        assert line in said.output


def test_the_full_deck_wants_flops():
    strategy = mccfr.uniform(Holdem(Limit(cap=0), examples.hands_alike()))
    with pytest.raises(StrategyError, match=r"kinds of boards.*--flops 20"):
        mccfr.real_exploitability(strategy)
