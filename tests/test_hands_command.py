"""`mccfr hands`, and histories of poker sites."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from history_examples import random_hands
from history_texts import GOOD

from mccfr.cli.main import cli
from mccfr.errors import FileError, MissingExtra
from mccfr.protocols.phh import HistoryError
from mccfr.protocols.phh_files import read_hands, write_hands
from mccfr.protocols.site_histories import read_any

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
SHOWDOWN = """PokerStars Hand #242712345678:  Hold'em No Limit ($0.50/$1.00 USD) - 2023/02/16 12:30:05 ET
Table 'Aludra IV' 2-max Seat #1 is the button
Seat 1: Ann ($100.00 in chips)
Seat 2: Bob ($87.50 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [As Kd]
Ann: raises $2 to $3
Bob: calls $2
*** FLOP *** [7h Kc 2d]
Bob: checks
Ann: bets $4
Bob: calls $4
*** TURN *** [7h Kc 2d] [9s]
Bob: checks
Ann: checks
*** RIVER *** [7h Kc 2d 9s] [3c]
Bob: bets $10.25
Ann: calls $10.25
*** SHOW DOWN ***
Bob: shows [Qs Kh] (a pair of Kings)
Ann: shows [As Kd] (a pair of Kings - Ace kicker)
Ann collected $34 from pot
*** SUMMARY ***
Total pot $34.50 | Rake $0.50
Board [7h Kc 2d 9s 3c]



"""
ALL_IN = """PokerStars Hand #242712345679:  Hold'em No Limit ($0.50/$1.00 USD) - 2023/02/16 12:31:05 ET
Table 'Aludra IV' 2-max Seat #2 is the button
Seat 1: Ann ($116.75 in chips)
Seat 2: Bob ($100.00 in chips)
Bob: posts small blind $0.50
Ann: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [2s 7d]
Bob: raises $99 to $100 and is all-in
Ann: folds
Uncalled bet ($99) returned to Bob
Bob collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0



"""
THREE = SHOWDOWN.replace("Seat 2: Bob", "Seat 3: Cid ($50 in chips)\nSeat 2: Bob").replace(
    "Dealt to Ann [As Kd]\n", "Dealt to Ann [As Kd]\nCid: folds\n"
)


def run(*words):
    return CliRunner().invoke(cli, ["hands", *map(str, words)])


@pytest.fixture
def site(tmp_path):
    pytest.importorskip("pokerkit")
    (tmp_path / "stars.txt").write_text(SHOWDOWN + ALL_IN)
    return tmp_path / "stars.txt"


def test_a_site_history(site, tmp_path):
    found = read_any(site)
    assert [each.hand.line for each in found.hands] == ["r300c/kb400c/kk/b1025c", "a10000f"]
    assert [each.hand.names for each in found.hands] == [("Bob", "Ann"), ("Ann", "Bob")]
    assert [each.chips for each in found.hands] == [(-1725.0, 1725.0), (-100.0, 100.0)]
    assert [each.hand.number for each in found.hands] == [242712345678, 242712345679]
    assert (found.hands[0].hand.table.betting.stack, str(found.chip)) == (8750, "0.01")
    done = run(site, "--out", tmp_path / "stars.phhs", "--json")
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    assert {each["name"]: each["chips"] for each in document["players"]} == {"Ann": 1625, "Bob": -1625}
    assert [each.hand for each in read_hands(tmp_path / "stars.phhs").hands] == [each.hand for each in found.hands]


def test_hands_of_a_site_that_are_wrong(site, capfd):
    site.write_text(ALL_IN + THREE + SHOWDOWN.replace("[Qs Kh]", "[Qs Kc]"))
    with pytest.raises(HistoryError, match=r"stars\.txt, hand 2: "):
        read_any(site)
    kept = read_any(site, skip=True)
    assert (len(kept.hands), len(kept.refused)) == (1, 2)
    assert all("\n" not in line for line in kept.refused)
    assert capfd.readouterr() == ("", ""), "pokerkit's own tracebacks are kept away"


def test_texts_that_are_no_history(tmp_path, monkeypatch):
    (tmp_path / "letter.txt").write_text("Dear Bob,")
    with pytest.raises(FileError, match="is no hand history that we know"):
        read_any(tmp_path / "letter.txt")
    with pytest.raises(FileError, match="no hand of ipoker in it"):
        read_any(tmp_path / "letter.txt", "ipoker")
    monkeypatch.setitem(sys.modules, "pokerkit.notation", None)
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    with pytest.raises(MissingExtra, match=r"needs pokerkit.*mccfr\[poker\]"):
        read_any(tmp_path / "letter.txt", "pokerstars")


def test_the_command(tmp_path):
    hands = random_hands(7, 60, limit=False)
    write_hands(tmp_path / "hands.phhs", hands)
    document = json.loads(run(tmp_path / "hands.phhs", "--json", "--out", tmp_path / "hands.jsonl").stdout)
    jsonschema.validate(document, SCHEMA)
    assert (document["hands"], document["folds"] + document["showdowns"], document["unknown"]) == (60, 60, 0)
    assert sum(each["chips"] for each in document["players"]) == 0
    lines = [json.loads(line) for line in (tmp_path / "hands.jsonl").read_text().splitlines()]
    assert [(line["line"], tuple(line["chips"])) for line in lines] == [(hand.line, hand.chips) for hand in hands]
    shown = run(tmp_path / "hands.phhs", tmp_path / "hands.phhs").stdout
    assert shown.startswith("hands        120\n")
    assert "mbb a hand" in shown


def test_impossible_cards_are_one_line_and_exit_code_2(tmp_path):
    (tmp_path / "hand.phh").write_text(GOOD.replace("QdQc", "AsQc"))
    done = run(tmp_path / "hand.phh", "--out", tmp_path / "out.phhs")
    assert (done.exit_code, done.stdout) == (2, "")
    said = "hand.phh: action 2, 'd dh p2 AsQc': hands and board: As is there twice\n"
    assert done.stderr == f"mccfr: error: {tmp_path}/{said}"
    assert not (tmp_path / "out.phhs").exists()
    skipped = run(tmp_path / "hand.phh", "--skip")
    assert (skipped.exit_code, "left out" in skipped.stdout) == (0, True)


@pytest.mark.parametrize(
    "words", [["--to", "phhs"], ["--out", "x.txt"], ["--to", "phh", "--out", "x.phhs"], ["--out", "no/folder/x.phhs"]]
)
def test_wrong_words(tmp_path, words):
    (tmp_path / "hand.phh").write_text(GOOD)
    done = run(tmp_path / "hand.phh", *words)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.stderr
