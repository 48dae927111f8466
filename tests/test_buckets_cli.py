"""`mccfr buckets` as people type it: fits, files, rows in words, your own class, and what is refused."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mccfr.buckets.bucketing import CardRules
from mccfr.buckets.describe import describe_row, find_row, random_deals, rows_of_deals
from mccfr.buckets.registry import make_bucketing
from mccfr.buckets.store import fitted, look_up
from mccfr.cli.main import cli

ROOT = Path(__file__).parent.parent
SMALL = ["--ranks", "4", "--suits", "2", "--board", "3 1"]
OWN = "examples/own_buckets.py"


def run(*words):
    return CliRunner().invoke(cli, ["buckets", *map(str, words)])


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(ROOT)


def test_a_fit_is_made_written_and_read_again(tmp_path):
    file = tmp_path / "three.mccfr"
    made = json.loads(run("ehs2(3)", *SMALL, "--out", file, "--workers", "2", "--json").stdout)
    assert made["rows"] == {"preflop": 3, "flop": 9, "turn": 27}
    assert made["perfect_recall"]
    assert made["kept"] == str(tmp_path / "cache" / "buckets")
    again = json.loads(run(file, "--json").stdout)
    assert again["checksum"] == made["checksum"] == fitted("ehs2(3)", CardRules(4, 2, (3, 1))).checksum
    assert made["table_bytes"] > 0
    assert json.loads(run(file, "--only-fit", "--json").stdout)["table_bytes"] is None


def test_a_row_is_described_in_words():
    told = run("ehs2(3)", *SMALL, "--show", "Flop:2.1")
    assert told.exit_code == 0
    assert re.search(r"^rows +3 preflop, 9 flop, 27 turn$", told.stdout, re.MULTILINE)
    assert re.search(r"^flop 2\.1: [\d.]+% of all deals, found [\d,]+ times$", told.stdout, re.MULTILINE)
    assert re.search(r"^hands .* \d+\.\d%", told.stdout, re.MULTILINE)
    assert len(re.findall(r"^  0\.\d-[01]\.\d +\d+\.\d%", told.stdout, re.MULTILINE)) == 10


def test_what_is_said_of_a_row_is_so():
    fit = fitted("ehs2(3)", CardRules(4, 2, (3, 1)))
    look = look_up(fit)
    told = [describe_row(fit, look, 1, row, deals=50_000) for row in range(9)]
    assert sum(row.probability for row in told) == pytest.approx(1, abs=0.03)
    assert sum(told[4].histogram) == pytest.approx(1)
    later = [row for row in told if row.found]
    strengths = [row.strength for row in later[:3]]
    assert strengths == sorted(strengths)
    deals = random_deals(fit.cards, 100_000, np.random.default_rng(1))
    rows = rows_of_deals(fit, look, deals)[:, 1]
    assert told[4].probability == pytest.approx((rows == 4).mean(), abs=0.01)
    assert find_row(fit, "2:1.2") == (1, 5)


def test_every_deal_is_equally_likely():
    deals = random_deals(CardRules(3, 3, (3,)), 90_000, np.random.default_rng(3))
    ordered = np.sort(deals, axis=1)
    assert (ordered[:, 1:] != ordered[:, :-1]).all()
    for place in range(5):
        assert np.bincount(deals[:, place]) == pytest.approx(10_000, rel=0.05)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["esh2(3)"], r"unknown buckets 'esh2'; did you mean ehs2\?"),
        (["ehs2(0)"], "ehs2: buckets must be a whole number from 1 to 10,000"),
        (["ehs2(3)", "--board", "x"], "--board has the number of cards of each street"),
        (["ehs2(3)", "--board", ""], "--board has the number of cards of each street"),
        (["ehs2(3)", "--board", "9"], "a board has three to five cards at the showdown"),
        (["exact", "--board", "9 9"], "a board has three to five cards at the showdown"),
        (["ehs2(3)", "--ranks", "2", "--suits", "2", "--board", "3"], "a deck of 4 cards is too small"),
        (["ehs2(3)", *SMALL, "--show", "river:1"], "with a street of preflop, flop, turn, got 'river:1'"),
        (["ehs2(3)", *SMALL, "--show", "flop:9.9"], "the flop has no row '9.9': its 9 rows are 0.0 to 2.2"),
        (["missing.mccfr"], "cannot read missing.mccfr: no such file"),
        (["missing.mccfr", "--ranks", "5"], "is of a deck already: leave out --ranks"),
        (["missing.py:Own"], "cannot read missing.py: no such file"),
        ([f"{OWN}:Highcard"], "has no class of buckets 'Highcard'; did you mean HighCard"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(words, problem):
    done = run(*words)
    assert done.exit_code == 2
    assert re.search(problem, done.stderr)
    assert done.stderr.count("\n") == 1


def test_the_example_of_an_own_bucketing_works(tmp_path):
    told = run(f"{OWN}:HighCard(matches=1)", "--ranks", "5", "--board", "3", "--show", "flop:6+1")
    assert told.exit_code == 0
    assert "examples/own_buckets.py:HighCard(matches=1), imperfect recall" in told.stdout
    assert "5 preflop, 10 flop" in told.stdout
    fit = fitted(make_bucketing(f"{OWN}:HighCard", own=True), CardRules())
    assert fit.label(1, int(fit.rows_of(1, [[51, 46, 50, 3, 20]])[0])) == "A+1"
    done = subprocess.run([sys.executable, OWN], cwd=ROOT, capture_output=True, text=True, check=True)
    labels = [line.rpartition(" ")[2] for line in done.stdout.splitlines()[1:]]
    assert labels == ["A+0", "A+1", "A+2", "A+2"]


def test_the_page_of_buckets_shows_the_example():
    page = (ROOT / "docs" / "buckets.md").read_text()
    (block,) = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    assert block in (ROOT / OWN).read_text()
    assert sum(1 for line in block.splitlines() if line.strip()) <= 25
