"""Matches: duplicate deals, the same for any number of processes, intervals that cover the exact value."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from test_policies import SIZED, SMALL, random_strategy

import mccfr
from mccfr.cli.main import cli
from mccfr.playing.match import play_match
from mccfr.playing.policy import StrategyPolicy
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.transforms import purified


def seated(strategy):
    return PolicyAgent(StrategyPolicy(strategy))


def exact_mean(one, other):
    return 0.5 * (mccfr.expected_value(one, other) - mccfr.expected_value(other, one))


@pytest.fixture(scope="module")
def two():
    return random_strategy(SIZED, 1), random_strategy(SIZED, 2)


def test_strategies_of_small_games_are_compared_exactly(two):
    found = mccfr.match(*two)
    assert found.mean == pytest.approx(exact_mean(*two), abs=1e-12)
    leduc = mccfr.solve("leduc", "cfr_plus", iterations=20).strategy()
    even = mccfr.uniform("leduc")
    match = mccfr.match(leduc, even)
    assert match.as_first == pytest.approx(mccfr.expected_value(leduc, even))
    assert match.as_second == pytest.approx(-mccfr.expected_value(even, leduc))


@pytest.mark.slow
def test_intervals_cover_the_exact_value(two):
    agents, value = [seated(each) for each in two], exact_mean(*two)
    inside = [
        (won := play_match(*agents, 200, seed=seed, table=agents[0].policy.table).won()).low <= value <= won.high
        for seed in range(200)
    ]
    assert 0.90 <= np.mean(inside) <= 0.995  # 0.95 and three standard errors of 200


def test_a_player_against_itself_without_dice_ties_every_pair(two):
    same = seated(purified(two[0]))
    found = play_match(same, same, 2000, table=same.policy.table)
    assert not found.pairs().any()
    assert found.saved("chips") == float("inf")
    assert found.won().low == found.won().high == 0.0


def test_parts_add_up_to_the_whole(two):
    agents = [seated(each) for each in two]
    found = play_match(*agents, 3000, table=agents[0].policy.table)
    streets = found.by_street()
    assert sum(hands for hands, _ in streets.values()) == found.hands == 3000
    assert sum(chips for _, chips in streets.values()) / 3000 == pytest.approx(found.won().mean)
    assert 0.5 * (found.seat(0).mean + found.seat(1).mean) == pytest.approx(found.won().mean)
    swapped = play_match(*agents[::-1], 3000, table=agents[0].policy.table)
    assert swapped.won().mean == pytest.approx(-found.won().mean, abs=4 * found.won().error)


def test_the_result_does_not_depend_on_the_number_of_processes(monkeypatch, two, tmp_path):
    for number, strategy in enumerate(two):
        strategy.save(tmp_path / f"{number}.mccfr")
    names = [f"{tmp_path}/{number}.mccfr" for number in (0, 1)]
    alone = play_match(*names, 5000, seed=4, until=False, estimates=("chips",), workers=1)
    monkeypatch.setattr("mccfr.playing.match.BLOCK", 500)
    blocks = [play_match(*names, 5000, seed=4, workers=workers).pairs() for workers in (1, 2)]
    assert np.array_equal(*blocks)
    assert len(blocks[0]) == len(alone.pairs()) == 2500


def test_a_match_may_stop_when_it_is_decided():
    table = mccfr.table("holdem(limit)")
    found = mccfr.match("always_call", "always_fold", hands=1_000_000, table=table, until=True)
    assert found.decided
    assert found.hands < 20_000
    assert found.always.low < found.won().low  # what may be looked at often is wider


@pytest.mark.slow
def test_all_estimates_of_a_match_have_its_value_and_less_noise(two):
    """A seat or a policy taken for the other would move the means: both seatings are worth something else."""
    agents, value = [seated(each) for each in two], exact_mean(*two)
    names = ("chips", "equity", "aivat")
    found = play_match(*agents, 4000, seed=6, table=agents[0].policy.table, estimates=names)
    for name in names:
        assert abs(found.won(name).mean - value) < 4 * found.won(name).error, name
    errors = [found.won(name).error for name in names]
    assert errors[2] < 0.7 * errors[0]
    assert errors[1] < errors[0]
    forth, back = mccfr.expected_value(*two), -mccfr.expected_value(two[1], two[0])
    assert abs(found.seat(0).mean - forth) < 4 * found.seat(0).error
    assert abs(found.seat(1).mean - back) < 4 * found.seat(1).error
    assert abs(forth - back) > 5 * found.seat(0).error  # so that seats are told apart


def test_hands_are_kept_on_request(two):
    agents = [seated(each) for each in two]
    found = play_match(*agents, 100, table=agents[0].policy.table, keep=True)
    assert len(found.records) == 100
    first = sum(record.chips[0] for record in found.records[:50])
    second = sum(record.chips[1] for record in found.records[50:])
    assert (first + second) / 100 == pytest.approx(found.won("chips").mean)
    one, other = found.records[0], found.records[50]
    assert one.holes == other.holes  # the same deal, seats exchanged
    assert one.names == other.names[::-1]


def run(*words):
    return CliRunner().invoke(cli, list(words))


def test_the_command_prints_and_documents():
    text = run("match", "always_call", "random", "--game", "holdem(limit)", "--hands", "2k")
    assert text.exit_code == 0
    for word in ("always_call v random", "2,000, every deal in both seats", "mbb/g", "ended river", "at any time"):
        assert word in text.stdout
    found = json.loads(
        run("match", "always_call", "random", "--game", "holdem(limit)", "--hands", "2k", "--json").stdout
    )
    (match,) = found["matches"]
    assert match["hands"] == 2000
    assert match["estimates"]["chips"]["mbb"]["low"] < match["estimates"]["chips"]["mbb"]["high"]
    robin = run("match", "always_call", "always_fold", "random", "--game", "holdem(limit)", "--hands", "1k")
    assert robin.stdout.count("+-") == 6


def test_a_round_robin_is_played_at_the_table_of_its_strategies(two, tmp_path):
    two[0].save(tmp_path / "one.mccfr")
    found = run("match", "always_call", "random", f"{tmp_path}/one.mccfr", "--hands", "1k")
    assert found.exit_code == 0
    assert found.stdout.count("+-") == 6


@pytest.mark.parametrize(("words", "told"), [
    (["always_call"], "two agents"),
    (["always_call", "random"], "say at which"),
    (["always_call", "random", "--game", "leduc"], "not whole hold'em"),
    (["always_call", "randm", "--game", "holdem(limit)"], "did you mean random"),
    (["blueprint:limit", "blueprint:nolimit"], "which is not"),
    (["always_call", "random", "--game", "holdem(limit)", "--until", "99%"], "only 95%"),
    (["always_call", "random", "--game", "holdem(limit)", "--hands", "2"], "whole number from 4"),
])  # fmt: skip
def test_wrong_matches_are_refused_in_a_line(words, told):
    found = run("match", *words)
    assert found.exit_code == 2
    assert told in found.stderr
    assert found.stderr.count("\n") == 1


def test_small_games_are_compared_exactly_on_the_command_line():
    found = run("match", "uniform:kuhn", "uniform:kuhn")
    assert found.exit_code == 0
    assert "exactly" in found.stdout
    assert run("match", f"uniform:{SMALL}", f"uniform:{SMALL}").exit_code == 0
