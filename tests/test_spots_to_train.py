"""Spots to train with: of the kind that was asked for, as often as they come in play; and the score kept of them."""

import collections
import itertools
import json
import random
import re

import jsonschema
import pytest
from click.testing import CliRunner
from test_play import SCHEMA

import mccfr
from mccfr.betting.lines import CALL, FOLD, OVER, Move
from mccfr.cli.main import cli
from mccfr.cli.play_spots import Score
from mccfr.playing import training_spots
from mccfr.playing.agent import AgentError
from mccfr.playing.judging import Judgement, judged, similar_move
from mccfr.playing.policy import StrategyPolicy
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.seen import Seen
from mccfr.playing.simple_policies import AlwaysCall, PotOdds, RandomMoves
from mccfr.playing.table import table_of
from mccfr.playing.training_spots import KINDS_OF_SPOTS, SpotDealer, read_kind

WHOLE = table_of("holdem(nolimit(stack=40, bet='a'))")
SMALL = "holdem(limit(cap=2, bets=2), exact, ranks=4, suits=2, board=3)"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.mccfr"
    mccfr.solve(SMALL, "external", iterations=500).strategy().save(path)
    return str(path)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", KINDS_OF_SPOTS)
def test_spots_are_of_their_kind(kind, seat):
    policy = RandomMoves(WHOLE)
    dealer = SpotDealer(policy, read_kind(kind, WHOLE), random.Random(1))
    for seen in [dealer.deal(seat) for _ in range(20)]:
        s = seen.state
        assert s.mover == seen.seat == seat
        assert (s, seen.moves) == WHOLE.at(s.line)
        assert len(seen.board) == WHOLE.board_size(s.street)
        assert len({*seen.hole, *seen.board}) == 2 + len(seen.board)
        street = {"preflop": 0, "3bet": 0, "flop": 1, "turn": 2, "river": 3}.get(kind, s.street)
        assert s.street == street
        if kind == "3bet":
            assert len(re.findall("[ra]", s.line)) == 2
        if kind == "facing_bet":
            assert s.street > 0
            assert s.stakes[1 - seat] > s.stakes[seat]
        if kind == "all_in":
            assert s.stakes[1 - seat] == 40


def test_boards_hands_and_several_wishes_at_once():
    kind = read_kind("turn; flop: Ah 7d 2c ;hands:QQ+,AKs", WHOLE)
    seen = SpotDealer(PotOdds(WHOLE), kind, random.Random(2)).deal(0)
    names = [WHOLE.deck.card_name(card) for card in seen.board]
    assert names[:3] == ["Ah", "7d", "2c"]
    assert len(names) == 4
    ranks = {WHOLE.deck.card_name(card)[0] for card in seen.hole}
    assert ranks in ({"Q"}, {"K"}, {"A"}, {"A", "K"})


def test_what_never_comes_is_said_in_a_line():
    with pytest.raises(AgentError, match="none came in 32,000 hands for seat 1"):
        SpotDealer(AlwaysCall(WHOLE), read_kind("all_in", WHOLE), random.Random(1)).deal(1)
    aces = read_kind("flop:AhAdAc; hands:AsAh", WHOLE)
    with pytest.raises(AgentError, match="none came"):
        SpotDealer(AlwaysCall(WHOLE), aces, random.Random(1)).deal(1)


def exact_law(policy, kind, seat):
    """P(line | a spot of the kind comes), over all deals and moves, one by one."""
    table, agent, found = policy.table, PolicyAgent(policy), collections.Counter()
    cards = range(table.ranks * table.suits)
    hands = [(one, two) for one in itertools.combinations(cards, 2) for two in itertools.combinations(cards, 2)]

    def walk(s, moves, holes, p):
        if s.mover == OVER or s.street:
            return
        seen = Seen(table, s.mover, holes[s.mover], (), s, moves)
        if s.mover == seat and kind.fits(seen):
            found[s.line] += p
            return
        for move, q in agent.odds(seen).items():
            walk(table.play(s, move), (*moves, move), holes, p * q)

    for holes in hands:
        if not {*holes[0]} & {*holes[1]}:
            walk(table.start, (), holes, 1.0)
    return {line: p / found.total() for line, p in found.items()}


def test_spots_come_as_often_as_in_play(small):
    """The lines of 4000 spots against their law, by chi-square: 25 for up to 3 degrees of freedom is 1 in 60,000."""
    policy = StrategyPolicy(mccfr.load(small))
    kind = read_kind("preflop", policy.table)
    law = exact_law(policy, kind, 0)
    assert len(law) > 1
    counted = collections.Counter()
    dice = random.Random(3)
    while counted.total() < 4000:
        counted.update(seen.state.line for seen in training_spots.spots_of_a_batch(policy, kind, 0, dice))
    n = counted.total()
    assert set(counted) <= set(law)
    assert sum((counted[line] - n * p) ** 2 / (n * p) for line, p in law.items()) < 25


def test_hands_are_dealt_alike():
    """Every hand of a range is as likely as another, whatever the boards are."""
    kind = read_kind("preflop; hands:AA,22", WHOLE)
    counted = collections.Counter()
    for seed in range(3):
        spots = training_spots.spots_of_a_batch(AlwaysCall(WHOLE), kind, 1, random.Random(seed))
        counted.update(tuple(sorted(seen.hole)) for seen in spots)
    assert len(counted) == 12
    assert max(counted.values()) < 1.5 * min(counted.values())


# ---- the score


def train(*given, typed, code=0):
    result = CliRunner().invoke(cli, ["play", *given], input=typed)
    assert result.exit_code == code, result.output
    return result


def test_a_session_of_spots(small):
    result = train(small, "--spots", "facing_bet", "--seed", "1", "--hands", "4", "--json", typed="c\nzz\nf\nc\nf\n")
    found = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["decisions"] == 4
    losses = [float(x) for x in re.findall(r"has cost (-?[\d.]+) bb", result.stderr)]
    assert found["mean_loss_bb"] == pytest.approx(sum(losses) / 4, abs=0.01)
    assert found["right"] == result.stderr.count("Right. ")
    assert result.stderr.count("does this: ") == 4
    assert f"{found['right']} of 4 right ({25 * found['right']} %)" in result.stderr


def test_spots_with_a_seed_are_the_same_again(small):
    first, again = (train(small, "--spots", "flop", "--seed", "2", "-n", "3", typed="c\nc\nc\n") for _ in range(2))
    assert first.stdout == again.stdout


def test_leaving_spots(small):
    out = train(small, "--spots", "flop", "--seed", "2", typed="c\n").stdout
    assert re.search(r"^[01] of 1 right \(\d+ %\), mean loss .* \(seed 2\)$", out.splitlines()[-1])
    assert "No decision was made." in train(small, "--spots", "flop", typed="q\n").stdout


def test_the_blueprint_deals_spots_and_judges():
    out = train("--spots", "river; flop:Ah7d2c", "--seed", "1", "-n", "1", typed="c\n").stdout
    assert "Flop: Ah 7d 2c" in out
    assert "has cost" in out


def test_right_is_what_the_solution_does_often_enough():
    table = WHOLE
    s, moves = table.at("")
    seen = Seen(table, 1, (0, 1), (), s, moves)
    odds = {FOLD: 0.09, CALL: 0.1, Move(4, 6): 0.81}
    assert not Judgement(seen, FOLD, odds, None).right
    assert Judgement(seen, CALL, odds, None).right
    assert similar_move(odds, Move(4, 9)) == Move(4, 6)
    assert similar_move(odds, Move(4, 4)) == Move(4, 6)
    assert similar_move(odds, Move(4, 10)) == Move(4, 10)
    assert not Judgement(seen, Move(4, 10), odds, None).right


def test_the_score_is_a_mean_of_losses(small):
    policy = StrategyPolicy(mccfr.load(small))
    dealer = SpotDealer(policy, read_kind("preflop", policy.table), random.Random(4))
    score = Score(policy.table.big_blind)
    for _ in range(3):
        seen = dealer.deal(0)
        score.judgements.append(judged(seen, seen.legal.moves[0], policy, policy, random.Random(1), 1000))
    assert score.loss == pytest.approx(sum(each.loss.mean for each in score.judgements) / 3 / 2)
