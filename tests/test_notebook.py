"""What a notebook shows: small tables, everything in them escaped, nothing computed for them."""

import re
from html.parser import HTMLParser

import pytest

import mccfr
from mccfr.auditing.fingerprint import BenchReport, BenchRow, Line
from mccfr.experiments.comparison import Comparison, Comparisons
from mccfr.experiments.library import Race, Sweep
from mccfr.experiments.racing import Standing
from mccfr.jobs.statistics import Difference, Interval
from mccfr.notebook import html_facts, html_table
from mccfr.solvers.solver import Solver

EVIL = "<script>alert('x')</script>&"
ESCAPED = "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&amp;"


class Balanced(HTMLParser):
    """Complains of a tag that is not closed, or is not one of a table."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in ("table", "caption", "thead", "tbody", "tr", "th", "td", "span", "b", "code")
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def cells(thing):
    """The texts of the table's cells."""
    text = thing._repr_html_()
    Balanced(text)
    return re.findall(r"<td[^>]*>(.*?)</td>", text)


def test_what_is_shown_is_escaped():
    text = html_table(EVIL, (EVIL,), [(EVIL, 1234567, 0.5, None, True)])
    Balanced(text)
    assert "<script" not in text
    assert text.count(ESCAPED) == 3
    assert "1,234,567" in text
    assert html_facts("a", [("b", None), ("c", 1)]).count("<tr>") == 1


def test_a_solver_shows_what_is_known(monkeypatch):
    solver = Solver("kuhn", "cfr_plus", seed=3)
    solver.run(10)
    monkeypatch.setattr(Solver, "exploitability", lambda self: pytest.fail("computed"))
    found = cells(solver)
    assert found[:8] == ["game", "kuhn", "method", "cfr_plus", "seed", "3", "iterations", "10"]
    assert "exploitability" not in found
    monkeypatch.undo()
    solver.run(10, watch=lambda reached: None)
    assert f"{solver.exploitability():.6g}" in cells(solver)
    solver.run(10)
    assert "exploitability" not in cells(solver)  # what was measured is of another strategy


def test_runs_and_strategies(tmp_path):
    with pytest.warns(mccfr.TargetNotReached):
        run = mccfr.train(tmp_path / "<b>", "kuhn", "cfr_plus", iterations=10, target=1e-9)
    found = cells(run)
    shown = [found[found.index(name) + 1] for name in ("state", "iterations", "target reached")]
    assert shown == ["done", "10", "no"]
    assert "&lt;b&gt;" in run._repr_html_()
    assert cells(run.strategy())


def test_reports():
    assert "external" in cells(mccfr.audit("kuhn", "external"))
    line = Line("kuhn", EVIL, 1, 10, rate=2.0, sums={})
    assert ESCAPED in BenchReport((BenchRow(line, line),))._repr_html_()
    assert cells(BenchReport((BenchRow(line, line),)))[-1] == "1"


def test_races_sweeps_and_comparisons(tmp_path):
    interval = Interval(0.5, 0.25, 1.0)
    standing = Standing(EVIL, 2, True, interval, 10.0, 20.0, 0.03, True)
    race = Race([standing], {}, [], tmp_path)
    assert cells(race)[:3] == ["1", ESCAPED, "2"]
    row = {
        "game": EVIL,
        "method": "cfr",
        "seed": 1,
        "state": "done",
        "iterations": 5,
        "exploitability": None,
        "error": "",
    }
    assert cells(Sweep([row], tmp_path))[0] == ESCAPED
    found = Comparisons([Comparison("walks", 10.0, interval, interval, Difference(interval, None, 0.5))])
    assert cells(found)[0] == "walks"
    assert cells(mccfr.methods("external"))[1] == "external"
