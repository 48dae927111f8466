"""The fuzzers: a few hundred cases of every kind find nothing, what once failed does not again, and they would notice.

`make fuzz` runs as many as wanted; see docs/trust.md.
"""

import json
import subprocess
import sys

import pytest

from fuzz.child import fresh_dice
from fuzz.judge import judged, line_problem
from fuzz.kinds import KINDS
from fuzz.parent import KEPT, ROOT, Report, fuzz, headline, replayed
from fuzz.shrink import shrunk

PLANTS = {  # of every kind, a function without which it cannot do
    "files": "mccfr.files.container:load",
    "archives": "mccfr.files.container:load",
    "efg": "mccfr.games.efg_reader:Reader.read",
    "strings": "mccfr.solvers.method:parse_sum",
    "games": "mccfr.tree.contract:check_contract",
    "spots": "mccfr.games.spot:Spot.__post_init__",
    "pages": "mccfr.web.session:Session.look",
}


@pytest.mark.slow
def test_a_few_hundred_cases_of_every_kind_find_nothing():
    report = fuzz(KINDS, n=150, seed=1, jobs=1, keep_in=None)
    assert not report.findings, "\n".join(map(headline, report.findings.values()))
    assert set(report.rows) == set(KINDS)
    for kind, row in report.rows.items():
        assert row.cases == row.accepted + row.refused > 0, kind


def test_every_fuzzer_would_notice(tmp_path):
    plants = [word for place in PLANTS.values() for word in ("--plant", place)]
    command = [sys.executable, "-m", "fuzz", "-n", "50", "--jobs", "1", "--found", str(tmp_path), *plants]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    found = [json.loads(path.read_text()) for path in tmp_path.iterdir()]
    assert {one["kind"] for one in found} == set(KINDS), done.stdout + done.stderr
    assert {one["kind"] for one in found if "planted" in one["what"]} >= set(KINDS) - {"pages"}  # told by a bug of ours
    assert "python -m fuzz replay" in done.stdout


def test_cases_that_once_failed_do_not_again():
    verdicts = {path.name: verdict for path, verdict in replayed(sorted(KEPT.glob("*.json")))}
    failed = {name: verdict for name, verdict in verdicts.items() if verdict["outcome"] == "found"}
    assert not failed, f"{len(failed)} of {len(verdicts)}: {json.dumps(failed, indent=1)}"
    assert verdicts


def test_cases_are_the_same_for_the_same_seed():
    first, again, other = (fresh_dice("files", seed, 3).random() for seed in (1, 1, 2))
    assert first == again != other


def test_children_that_die_or_hang_are_findings():
    """Whatever happens to a child, the case under which it happened is known, and the rest is run."""
    report = fuzz(["strings"], n=3, seed=1, jobs=1, plants=("os:_exit=mccfr.solvers.method:parse_sum",), keep_in=None)
    assert [finding["signature"].split(" at ")[0] for finding in report.findings.values()] == ["died (exit code 7)"]
    assert report.rows["strings"].found >= 1
    assert report.rows["strings"].cases == 3


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("fine", ""),
        ("x" * 301, "long line"),
        ("a\nb", "several lines"),
        (" ", "empty line"),
        ("\ud800", "unprintable line"),
    ],
)
def test_lines_are_judged(line, problem):
    assert line_problem(line) == problem


def test_anything_but_an_error_of_ours_is_a_finding():
    def leave():
        raise SystemExit(0)

    assert judged(lambda: None).outcome == "accepted"
    assert judged(lambda: {}["x"]).signature == "KeyError at the fuzzer"
    assert judged(leave).signature == "SystemExit at the fuzzer"


def test_cases_are_made_smaller():
    smallest = shrunk({"ops": list(range(20)), "target": "x"}, lambda case: {3, 11} <= set(case["ops"]))
    assert smallest == {"ops": [3, 11], "target": "x"}
    assert shrunk({"text": "abcXdef"}, lambda case: "X" in case["text"]) == {"text": "X"}


def test_one_finding_for_each_fault_is_kept():
    report = Report(None)
    found = {"kind": "files", "seed": 0, "number": 1, "signature": "s", "what": "", "case": {"ops": [1, 2]}, "size": 9}
    assert report.add(found)
    assert not report.add({**found, "case": {"ops": [1]}, "size": 5})
    assert report.findings["files", "s"]["case"] == {"ops": [1]}
    assert report.findings["files", "s"]["times"] == 2
