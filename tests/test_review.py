"""`mccfr review`: losses on a small deck are exactly those of a slow twin; who is judged, and by what."""

import json
import random
import re

import jsonschema
import move_value_examples as slow
import pytest
from click.testing import CliRunner
from test_move_values import policy
from test_play import SCHEMA

import mccfr
from mccfr.betting.lines import OVER
from mccfr.cli import hand_files
from mccfr.cli.main import cli
from mccfr.playing.agent import AgentError
from mccfr.playing.agents import make_agent
from mccfr.playing.judging import costliest_first, decisions_of, judge_all, judged, require_player
from mccfr.playing.played_hand import HandRecord, deal_cards, play_hand
from mccfr.playing.seen import Seen
from mccfr.playing.simple_policies import AlwaysFold
from mccfr.playing.table import table_of


def hands(table, count, agent="random"):
    found = []
    for number in range(count):
        agents = [make_agent(agent, table), make_agent(agent, table)]
        agents[0].name, agents[1].name = ("Ann", "Bob") if number % 2 else ("Bob", "Ann")
        dice = [random.Random(f"{number}/{j}") for j in range(3)]
        found.append(play_hand(table, agents, deal_cards(table, dice[2]), dice[:2], number + 1))
    return found


@pytest.mark.parametrize("game", [slow.LIMIT, slow.NO_LIMIT])
def test_losses_are_those_of_the_slow_twin(game):
    own, other = policy(game), policy(game, 5)
    records = hands(own.table, 4)
    found = list(judge_all(records, "Ann", own, other, boards=1000))
    compared = 0
    for judgement in found:
        seen, odds = judgement.seen, judgement.odds
        record = records[judgement.number - 1]
        assert record.names[seen.seat] == "Ann"
        assert seen.hole == record.holes[seen.seat]
        if judgement.values is not None and judgement.values.believed:
            assert judgement.values.exact
            if slow_reach(other, seen) == 0.0:  # a bet that the other's tree lacks is taken for others
                continue
            mix = sum(p * slow.value(seen, move, own, other) for move, p in odds.items())
            loss = mix - slow.value(seen, judgement.done, own, other)
            assert judgement.loss.mean == pytest.approx(loss, abs=1e-12)
            compared += 1
    assert compared >= 3


def slow_reach(other, seen):
    cards = range(seen.table.ranks * seen.table.suits)
    free = [card for card in cards if card not in (*seen.hole, *seen.board)]
    return sum(slow.probability(other, seen, (a, b)) for a in free for b in free if a < b)


def test_what_a_player_saw_is_what_it_was_asked_about():
    """Against what `play_hand` has shown to an agent."""

    class Remembers:
        def __init__(self, inner):
            self.inner, self.asked = inner, []

        def start(self, seen, dice):
            self.inner.start(seen, dice)

        def move(self, seen):
            move = self.inner.move(seen)
            self.asked.append((seen, move))
            return move

    table = table_of("holdem(nolimit(stack=40, bet='a'))")
    for seed in range(20):
        agents = [make_agent(Remembers(make_agent("random", table))) for _ in range(2)]
        record = play_hand(
            table, agents, deal_cards(table, random.Random(seed)), [random.Random(seed), random.Random(-seed)]
        )
        for seat in (0, 1):
            assert decisions_of(record, seat) == agents[seat].inner.asked


def test_a_move_that_is_certain_costs_nothing():
    own = policy(slow.LIMIT)
    s, moves = own.table.at("")
    seen = Seen(own.table, 1, (0, 1), (), s, moves)
    found = judged(seen, seen.legal.moves[0], AlwaysFold(own.table), own, random.Random(1))
    assert found.values is None
    assert found.loss == (0.0, 0.0, 0.0)


def test_the_costliest_come_first_and_unknown_cards_are_left_out():
    own = policy(slow.LIMIT)
    records = hands(own.table, 6)
    blind = [record._replace(holes=((), record.holes[1])) for record in records]
    found = costliest_first(judge_all(blind, "1", own, own, boards=1000))
    losses = [each.loss.mean for each in found]
    assert losses == sorted(losses, reverse=True)
    assert {each.seen.seat for each in found} == {1}
    assert list(judge_all(blind, "0", own, own, boards=1000)) == []


def test_players_by_name():
    records = hands(table_of(slow.LIMIT), 2)
    for hero in ("Ann", "Bob", "0", "1"):
        require_player(records, hero)
    with pytest.raises(AgentError, match="'Anne' plays in none of the hands; did you mean Ann"):
        require_player(records, "Anne")


def test_seeds_repeat_and_estimates_agree_with_exact_values():
    own, other = policy(slow.LIMIT), policy(slow.LIMIT, 5)
    records = hands(own.table, 3)
    one, two = ([each.loss for each in judge_all(records, "0", own, other, seed=7, boards=10)] for _ in range(2))
    assert one == two
    assert one != [each.loss for each in judge_all(records, "0", own, other, seed=8, boards=10)]


# ---- the command


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.mccfr"
    mccfr.solve(slow.LIMIT, "external", iterations=200).strategy().save(path)
    return str(path)


def review(monkeypatch, records, *given, code=0):
    monkeypatch.setattr(hand_files, "read_history", lambda path: records)
    result = CliRunner().invoke(cli, ["review", "hands.phhs", *given])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def test_the_command_prints_what_the_library_finds(monkeypatch, small):
    own = make_agent(small).policy
    records = hands(own.table, 6)
    expected = costliest_first(judge_all(records, "Ann", own, own))
    result = review(monkeypatch, records, "--hero", "Ann", "--solution", small, "--json")
    found = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["decisions"] == len(expected)
    assert [each["line"] for each in found["costliest"]] == [each.seen.state.line for each in expected[:10]]
    assert found["costliest"][0]["loss_bb"]["mean"] == pytest.approx(expected[0].loss.mean / 2)
    assert found["loss_bb"] == pytest.approx(sum(each.loss.mean for each in expected) / 2)
    out = review(monkeypatch, records, "--hero", "Ann", "--solution", small, "--top", "2").stdout
    assert re.match(rf"{len(expected)} decisions of Ann in 6 hands: \d+ right", out)
    assert len(re.findall(r"^\d+\. hand \d+, ", out, re.M)) == 2
    assert f"cost {expected[0].loss.mean / 2:.2f} bb" in out.split("2. hand")[0]


def test_blueprints_judge_hands_at_their_tables(monkeypatch):
    table = table_of("holdem(limit)")
    record = HandRecord(table, ((50, 51), (46, 47)), (), table.at("r4f")[1], ("Ann", "Bob"), 7)
    out = review(monkeypatch, [record], "--hero", "Ann", "--boards", "12").stdout
    assert "1. hand 7, preflop, Ah As after r4: fold" in out
    cost, low, high = (float(x) for x in re.search(r"cost ([\d.]+) bb \((-?[\d.]+) to ([\d.]+)\)", out).groups())
    assert low < cost < high
    assert 1.0 < cost < 10.0  # aces win several big blinds in a raised pot
    assert "0 right" in out


def test_another_opponent_changes_the_values(monkeypatch, small):
    own = make_agent(small).policy
    records = hands(own.table, 4)
    one, two = (
        json.loads(review(monkeypatch, records, "--hero", "0", "--solution", small, "--json", *more).stdout)
        for more in ([], ["--against", "always_call"])
    )
    assert one["decisions"] == two["decisions"]
    assert one["loss_bb"] != two["loss_bb"]


def test_an_opponent_who_never_plays_so_is_said(monkeypatch, small):
    table = make_agent(small).policy.table
    record = HandRecord(table, ((7, 6), (1, 2)), (), table.at("r4f")[1], ("Ann", "Bob"), 1)
    out = review(monkeypatch, [record], "--hero", "Ann", "--solution", small, "--against", "always_fold").stdout
    assert "so that it may have any hand" in out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--hero", "Carl"], "'Carl' plays in none of the hands"),
        (["--hero", "0"], "no blueprint is for"),
        (["--hero", "0", "--solution", "human"], "has no strategy that is known"),
        (["--hero", "0", "--solution", "blueprint:limit"], "blueprint:limit is for"),
        (["--hero", "0", "--boards", "1"], "from 2"),
        ([], "Missing option '--hero'"),
    ],
)
def test_mistakes_get_one_line(monkeypatch, given, words):
    result = review(monkeypatch, hands(table_of(slow.LIMIT), 1), *given, code=2)
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_nothing_to_judge(monkeypatch, small):
    assert "has no hands" in review(monkeypatch, [], "--hero", "0", code=2).stderr
    record = hands(make_agent(small).policy.table, 1)[0]._replace(holes=((), ()))
    out = review(monkeypatch, [record], "--hero", "0", "--solution", small).stdout
    assert "no decision of 0 to judge" in out


def test_tables_that_no_solution_is_for_are_left_out(monkeypatch):
    limit, other = table_of("holdem(limit)"), table_of("holdem(nolimit(stack=60, bet='a'))")
    records = [
        HandRecord(table, ((50, 51), (46, 47)), (), table.at("f")[1], ("Ann", "Bob")) for table in (limit, other)
    ]
    out = review(monkeypatch, records, "--hero", "Bob", "--boards", "4").stdout
    assert "1 of 2 hands are at tables that no blueprint is for" in out
    assert "1 decisions of Bob" in out


def test_a_missing_file_is_said():
    result = CliRunner().invoke(cli, ["review", "no-such.phhs", "--hero", "0"])
    assert result.exit_code == 2
    assert "cannot read no-such.phhs: there is no such file" in result.stderr


@pytest.mark.slow
def test_played_saved_and_reviewed(tmp_path):
    pytest.importorskip("mccfr.protocols.phh_files")
    file = str(tmp_path / "hands.phhs")
    CliRunner().invoke(cli, ["play", "blueprint:limit", "--seed", "3", "--seat", "1", "--out", file], input="f\nf\nq\n")
    result = CliRunner().invoke(cli, ["review", file, "--hero", "human", "--boards", "4"])
    assert result.exit_code == 0, result.output
    assert "2 decisions of human in 2 hands" in result.stdout


def test_stopping_prints_what_was_judged(monkeypatch, small):
    table = make_agent(small).policy.table
    records = hands(table, 4)
    from mccfr.cli import review as command
    from mccfr.playing import judging

    real, calls = judging.judged, []

    def stops(*given):
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*given)

    monkeypatch.setattr(judging, "judged", stops)
    assert command.command is not None
    result = review(monkeypatch, records, "--hero", "0", "--solution", small)
    assert "what was judged so far" in result.stderr
    assert result.stdout.startswith("2 decisions of 0")


def test_records_of_the_fixture_are_whole():
    assert all(record.state.mover == OVER for record in hands(table_of(slow.LIMIT), 6))
