"""`mccfr resolve`: what it prints agrees with the library, and every wrong input gets one line."""

import json

import jsonschema
import pytest
from click.testing import CliRunner
from test_cli import SCHEMA

import mccfr
from mccfr.cli.main import cli

SMALL = "holdem(nolimit(stack=8, bet='100%,a'), exact, ranks=4, suits=2, board='2 1')"


def run(*words):
    return CliRunner().invoke(cli, ["resolve", *words])


def document(*words):
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_a_position_of_a_strategy():
    found = document("uniform:leduc", "check bet", "--method", "cfr_plus", "--budget", "200 iterations")
    position = mccfr.position(mccfr.uniform("leduc"), "check bet")
    assert [row["alternative"] for row in found["opponent"]] == pytest.approx(position.alternatives.tolist())
    assert [row["range"] for row in found["hands"]] == pytest.approx(position.range.tolist())
    assert found["iterations"] == 200
    assert found["bound"] == pytest.approx(0.0, abs=0.05)


def test_a_position_on_the_way():
    found = document("leduc", "bet raise call K check", "--budget", "100 iterations")
    assert found["player"] == 1
    assert {row["hand"] for row in found["hands"]} == set("JjQqk")
    player = mccfr.Resolver("leduc", "cfr_plus", budget=100)
    player.start(1)
    for event in found["line"]:
        player.observe(event)
    assert {row["hand"]: row["strategy"] for row in found["hands"]} == player.odds()
    printed = run("leduc", "bet raise call K check", "--budget", "100 iterations").output
    assert "player 1 to move" in printed
    assert "best now" in printed


@pytest.mark.parametrize("gadget", ["unsafe", "maxmargin", "reach"])
def test_gadgets(gadget):
    assert document("kuhn", "bet", "--gadget", gadget, "--method", "lp")["gadget"] == gadget


def test_a_depth():
    words = ("leduc", "check", "--depth", "3", "--leaves", "solve(cfr_plus, 5)", "--budget", "200 evaluations")
    found = document(*words)
    assert found["depth"] == 3
    assert 0 < found["evaluations"] <= 200
    assert found["bound"] is None


@pytest.mark.slow
def test_an_agent_at_a_small_table(tmp_path):
    blueprint = tmp_path / "small.mccfr"
    mccfr.solve(SMALL, "external", iterations=500, seed=1).strategy().save(blueprint)
    found = document(f"{blueprint}+resolve(river, iterations=20)", "ck/kk/", "--board", "5c 2c 3d")
    assert sum(found["moves"].values()) == pytest.approx(1.0)
    assert found["iterations"] == 20
    printed = run(f"{blueprint}+resolve(river, iterations=20)", "ck/kk/", "--board", "5c 2c 3d")
    assert printed.exit_code == 0
    assert "to move" in printed.output
    for words, says in (
        (("ck/kk/", "--board", "5c 2c"), "needs"),
        (("", "--board", "5c 2c 3d"), "plays its blueprint"),
        (("f", "--board", "5c 2c 3d"), "the hand is over"),
    ):
        done = run(f"{blueprint}+resolve(river, iterations=20)", *words)
        assert isinstance(done.exception, mccfr.MccfrError | SystemExit), done.output
        assert says in str(done.exception) + done.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("leduc", "bet call"), "a card is to come after 'bet call': add it to the line"),
        (("leduc", "bet fold"), "'bet fold' is over, so there is nothing to solve"),
        (("leduc", "bet x"), "'x' cannot happen after 'bet'; known: call, fold, raise"),
        (("leduc", "bet", "--budget", "0 iterations"), "solves nothing"),
        (("leduc", "bet", "--gadget", "safe"), "did you mean unsafe?"),
        (("leduc", "bet", "--depth", "3"), "say what leaves are worth"),
        (("leduc", "bet", "--player", "0"), "player 0 is not to move after 'bet'"),
        (("blueprint:limit", "k"), "is hold'em with boards"),
        (("goofspiel(3)", ""), "has no dealt form"),
    ],
)
def test_wrong_input_gets_one_line(words, says):
    done = run(*words)
    assert done.exit_code != 0
    told = str(done.exception) + done.output
    assert says in told
