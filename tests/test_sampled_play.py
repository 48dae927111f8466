"""Hands played out between strategies with buckets, against exact values of the same game written out."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.evaluate.sampled_play import simple_strategy
from mccfr.strategy.file import save_strategy

LIMIT = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
NO_LIMIT = "holdem(nolimit(stack=6, bet='100%,a', raise_='a', cap=2), exact, ranks=4, suits=2, board=3)"


def exact_value(one: mccfr.Strategy, other: mccfr.Strategy) -> float:
    """What one gets against the other over both seats, from the written-out game."""
    return (mccfr.expected_value(one, other) - mccfr.expected_value(other, one)) / 2


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
@pytest.mark.parametrize("opponent", ["fold", "call", "uniform"])
def test_intervals_hold_the_exact_value(game, opponent):
    tree = mccfr.compile(game)
    strategy = mccfr.solve(tree, "external", iterations=3000, seed=1).strategy()
    found = mccfr.play_out(strategy, opponent, hands=200_000, seed=3)
    exact = exact_value(strategy, simple_strategy(tree.buckets, opponent))
    half = (found.high - found.low) / 2
    assert abs(found.mean - exact) < 2 * half  # 3.9 standard errors
    assert found.mbb == pytest.approx(500 * found.mean)
    assert found.hands == 200_000


def test_a_strategy_wins_nothing_from_itself():
    strategy = mccfr.solve(LIMIT, "external", iterations=1000, seed=1).strategy()
    found = mccfr.play_out(strategy, strategy, hands=100_000)
    assert found.low < 0.0 < found.high


def test_simple_strategies_do_what_they_are_called():
    tree = mccfr.compile(NO_LIMIT).buckets
    for name, letters in (("fold", "fk"), ("call", "kc")):
        strategy = simple_strategy(tree, name)
        for node, (part,) in tree.infosets.each_part(strategy.probabilities):
            chosen = {tree.infosets.menu_at(node)[a][0] for a in np.unique(part.argmax(axis=1))}
            assert chosen <= set(letters), (name, tree.betting.line(node))
            assert np.all(part.sum(axis=1) == 1.0)


def test_wrong_opponents_are_told_in_one_line():
    with pytest.raises(mccfr.MccfrError, match=r"no simple opponent|cannot read|no such"):
        mccfr.play_out(mccfr.uniform(LIMIT), "cal", hands=100)
    with pytest.raises(mccfr.MccfrError, match=r"has no buckets: mccfr\.expected_value is exact"):
        mccfr.play_out(mccfr.uniform("kuhn"), "call", hands=100)
    with pytest.raises(mccfr.MccfrError, match="cannot play one of"):
        mccfr.play_out(mccfr.uniform(LIMIT), mccfr.uniform(NO_LIMIT), hands=100)


def test_evaluate_against_plays_hands_out(tmp_path):
    path = tmp_path / "s.mccfr"
    mccfr.solve(LIMIT, "external", iterations=2000, seed=1).strategy().save(path)
    found = CliRunner().invoke(cli, ["evaluate", str(path), "--against", "call", "--hands", "20k", "--json"])
    assert found.exit_code == 0, found.output
    against = json.loads(found.output)["against"]
    assert against["hands"] == 20_000
    assert against["low"] > 0.0
    shown = CliRunner().invoke(cli, ["evaluate", str(path), "--against", "fold", "--hands", "20k"])
    assert "95 % interval" in shown.output
    refused = CliRunner().invoke(cli, ["evaluate", str(path), "--hands", "20k"])
    assert refused.exit_code == 2


def test_compact_files_round_to_255_steps(tmp_path):
    strategy = mccfr.solve(LIMIT, "external", iterations=2000, seed=1).strategy()
    strategy.save(tmp_path / "whole.mccfr")
    save_strategy(strategy, tmp_path / "compact.mccfr", compact=True)
    again = mccfr.load(tmp_path / "compact.mccfr")
    assert np.abs(again.probabilities - strategy.probabilities).max() < 0.01
    rows = again.infosets.normalised(again.probabilities)[0]
    assert rows == pytest.approx(again.probabilities, abs=1e-6)
    assert (tmp_path / "compact.mccfr").stat().st_size < 0.6 * (tmp_path / "whole.mccfr").stat().st_size
