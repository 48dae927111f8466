"""Litmus checks and local best response on the command line: what they find, and what they say of wrong input."""

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from mccfr.cli.main import cli
from mccfr.errors import FileError
from mccfr.playing.agents import known_policy
from mccfr.playing.litmus import Check, LitmusError, find, follow_line, holds, run_litmus
from mccfr.playing.litmus_file import SHIPPED, read_checks
from mccfr.playing.table import table_of

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
LIMIT, DEEP = table_of("holdem(limit)"), table_of("holdem(nolimit(stack=200, bet='a'))")
SMALL = "uniform:holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
GOOD = """
[[check]]
name = "aces stay"
kind = "single"
hands = ["AA"]
line = "r"
action = "stay"
at_least = 0.9
diagnosis = "why"
"""


def check(**given):
    return Check(**{"name": "n", "kind": "single", "hands": ("AA",), "line": "", "action": "fold", **given})


# ---- what checks find


def test_the_checks_of_the_package_are_for_both_kinds_of_betting():
    checks = read_checks()
    assert len(checks) >= 12
    assert {each.kind for each in checks} == {"single", "pair", "monotonic"}
    assert all(each.diagnosis for each in checks)
    assert sum(each.fits(LIMIT) for each in checks) >= 8
    assert all(each.fits(DEEP) for each in checks)
    assert not any(each.fits(table_of(SMALL.removeprefix("uniform:"))) for each in checks)


def test_simple_players_fail_what_they_should():
    def failed(name, table):
        return {each.check.name for each in run_litmus(known_policy(name, table), read_checks()) if not each.passed}

    assert "aces are not folded before the flop" in failed("always_fold", LIMIT)
    assert "aces call an all-in before the flop" in failed("always_fold", DEEP)
    assert "seven-deuce does not call an all-in" in failed("always_call", DEEP)
    assert "the nuts do not just call a bet on the river" in failed("always_call", LIMIT)
    assert "aces are not folded before the flop" not in failed("always_call", LIMIT)


def test_probabilities_are_means_over_hands():
    """Pot odds raise with strong hands only: pairs of aces always, deuces never."""
    policy = known_policy("pot_odds", LIMIT)
    found = find(policy, check(kind="pair", hands=("AA", "22"), action="raise"))
    assert found.probabilities == (1.0, 0.0)
    assert found.passed
    mixed = find(policy, check(hands=("AA,22",), action="raise", at_least=0.5, at_most=0.5))
    assert mixed.passed  # six hands of each
    assert mixed.numbers == "raise: AA,22 50.0%"
    board = check(hands=("AA",), line="ck/k", board="Ac Ad 2h", action="stay", at_least=1.0)
    assert find(policy, board).passed  # the one hand that is left


@pytest.mark.parametrize(
    ("kind", "found", "passed"),
    [
        ("single", (0.2,), True),
        ("single", (0.19,), False),
        ("single", (0.31,), False),
        ("pair", (0.5, 0.55), True),
        ("pair", (0.5, 0.65), False),
        ("pair", (1.0, 0.0), True),
        ("monotonic", (0.0, 0.5, 0.45), True),
        ("monotonic", (0.0, 0.5, 0.3), False),
        ("monotonic", (0.5, 0.3, 0.9), False),
    ],
)
def test_when_a_check_holds(kind, found, passed):
    hands = ("AA", "KK", "QQ")[: len(found)]
    assert holds(check(kind=kind, hands=hands, at_least=0.2, at_most=0.3, tolerance=0.1), found) == passed


def test_lines_are_played_by_the_rules():
    state, moves = follow_line(DEEP, check(line="rr"))
    assert [move.amount for move in moves] == [6, 18]
    assert follow_line(LIMIT, check(line="rr"))[0].line == "r4r6"
    assert state.mover == 1
    for line, problem in [("k", "cannot 'k' now"), ("f", "nobody is to move"), ("ff", "after the hand is over")]:
        with pytest.raises(LitmusError, match=problem):
            follow_line(DEEP, check(line=line))
    with pytest.raises(LitmusError, match="cannot 'r' now"):
        follow_line(DEEP, check(line="ar"))


def test_wrong_hands_and_boards_are_told():
    policy = known_policy("always_call", LIMIT)
    with pytest.raises(LitmusError, match="check 'n': range 'AAA'"):
        find(policy, check(hands=("AAA",)))
    with pytest.raises(LitmusError, match="needs a board of 3 cards"):
        find(policy, check(line="ck/"))
    with pytest.raises(LitmusError, match="no hand of 'AsAh' is left"):
        find(policy, check(line="ck/", board="As Kd 2c", hands=("AsAh",)))


# ---- files


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('kind = "single"', 'kind = "singel"', r"line 4: kind is 'singel'; did you mean single\?"),
        ('action = "stay"', 'action = "limp"', r"line 7: action is 'limp'"),
        ("at_least", "at_lest", r"line 8: unknown key 'at_lest'; did you mean at_least"),
        ("0.9", "1.5", r"line 8: at_least must be a probability from 0 to 1, got 1.5"),
        ("0.9", "true", r"line 8: at_least must be a probability"),
        ('["AA"]', '"AA"', r"line 5: hands must be a list of texts"),
        ('["AA"]', '["AA", "KK"]', r"line 5: a single check has 1 ranges of hands, not 2"),
        ('line = "r"', 'line = "r6"', r"line 6: line 'r6' must be at most 60 of the letters"),
        ('line = "r"\n', "", r"line 2: check 1 has no line"),
        ('line = "r"', 'line = "r', r"line 6: "),
        ("[[check]]", "[[chek]]", r"unknown key 'chek': expected \[\[check\]\]"),
        ("[[check]]", "[check]", r"has no checks"),
    ],
)
def test_damaged_files_are_told_with_their_line(tmp_path, old, new, problem):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(FileError, match=problem):
        read_checks(path)


def test_a_good_file_is_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    assert read_checks(path) == [
        Check(name="aces stay", kind="single", hands=("AA",), line="r", action="stay", at_least=0.9, diagnosis="why")
    ]
    assert SHIPPED.exists()


# ---- the command line


def evaluate(*words):
    done = CliRunner().invoke(cli, ["evaluate", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_litmus_checks_of_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD + GOOD.replace("aces stay", "aces fold").replace('"stay"', '"fold"'))
    shown = evaluate("blueprint:limit", "--litmus", str(path))
    assert "1 of 2 checks hold" in shown
    assert "FAILS" in shown
    assert "aces fold (fold: AA 0.0%)" in shown
    document = json.loads(evaluate("blueprint:limit", "--litmus", str(path), "--json"))
    jsonschema.validate(document, SCHEMA)
    assert [each["passed"] for each in document["litmus"]] == [True, False]


def test_lbr_on_a_small_deck_stands_beside_the_exact_value():
    document = json.loads(evaluate(SMALL, "--lbr", "--json"))
    jsonschema.validate(document, SCHEMA)
    assert [each["setting"] for each in document["lbr"]["settings"]] == ["fold_call", "limit"]
    assert all(
        each["mean"] < document["lbr"]["exact"] == pytest.approx(816.667, abs=0.001)
        for each in document["lbr"]["settings"]
    )
    shown = evaluate(SMALL, "--lbr", "limit", "--hands", "20", "--seed", "3")
    assert "at least" in shown
    assert "95 % interval" in shown
    assert "20 hands" in shown


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--lbr", "gird"), "no setting 'gird' of local best response"),
        (("--lbr", "grid"), "setting grid is not for limit"),
        (("--lbr", "limit", "--real"), "--real cannot be combined with --lbr"),
        (("--lbr", "limit", "--against", "call"), "--against cannot be combined with --lbr"),
        (("--litmus", "nowhere.toml"), "cannot read nowhere.toml: no such file"),
        (("--hands", "20"), "--hands needs --against or --lbr"),
    ],
)
def test_wrong_options_are_told_in_one_line(words, problem):
    done = CliRunner().invoke(cli, ["evaluate", SMALL, *words])
    assert done.exit_code == 2
    assert problem in done.output


def test_games_without_a_table_are_refused():
    done = CliRunner().invoke(cli, ["evaluate", "uniform:kuhn", "--lbr"])
    assert done.exit_code == 2
    assert "cannot sit at a table" in done.output


@pytest.mark.slow  # buckets of a whole deck
def test_a_strategy_with_buckets_gets_its_cheap_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    document = json.loads(evaluate("blueprint:limit", "--json"))
    jsonschema.validate(document, SCHEMA)
    assert document["played"] == []  # its tables are not in this cache folder
    assert all(each["passed"] for each in document["litmus"])
    assert any("--lbr" in command for command in document["measure"])
