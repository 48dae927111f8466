"""`mccfr bench`: the committed fingerprints hold, and see what they must see. Rates are never asserted."""

import dataclasses
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.auditing import fingerprint
from mccfr.auditing.fingerprint import TABLES, committed_lines, sums
from mccfr.cli.main import cli
from mccfr.kernel.dice import Dice, uniform

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
LINES = committed_lines()
SAMPLED = [line for line in LINES if mccfr.Method.parse(line.method).samples]


def name(line):
    return f"{line.method} on {line.game}"


# ---- the committed lines


@pytest.mark.slow_cases(
    "vector(robust)*",
    "public_outcome(0.6)*",
    "include(0.5)+probe*",
    "semi_vector*",
    "external+common*",
    "robust(1)+infoset+common*",
    "outcome+history+floor*",
    "include*",
    "average_strategy*",
    "robust(1)*",
    "vector*",
    "public_outcome*",
)
@pytest.mark.parametrize("line", LINES, ids=name)
def test_a_committed_line_holds(line):
    found = line.found_by(line.solver())
    assert line.changes(found) == ()
    assert found.iterations == line.iterations <= 3000


def test_all_recursions_and_parts_are_covered():
    methods = [mccfr.Method.parse(line.method) for line in LINES]
    forms = {(line.game.startswith("dealt:"), method.samples, method.public) for line, method in zip(LINES, methods)}
    assert forms == {
        *((False, True, False), (True, True, False)),  # the walk, on written-out and on dealt trees
        *((True, False, False), (True, True, True)),  # the vector form and the public line
        (False, False, False),  # the sequence form
    }
    assert {"dealt:leduc", "leduc", "kuhn", "goofspiel(n=4)"} <= {line.game for line in LINES}
    words = {word.partition("(")[0] for line in LINES for word in line.method.split("+")}
    assert words >= {
        *("external", "outcome", "robust", "average_strategy", "include", "uniform", "vector", "semi_vector"),
        *("probe", "history", "infoset", "predictive", "prm_plus", "rm_plus", "discounted", "batch", "linear"),
        *("own_average", "common", "floor", "public_outcome", "cfr_plus", "dcfr"),
    }
    assert len(LINES) == len(set(map(name, LINES))) == len({line.fingerprint for line in LINES})


class Perturbed:
    """A solver that rounds differently: every ten iterations, each number that is not exact moves by about one bit."""

    def __init__(self, solver, seed):
        self.solver, self.errors = solver, np.random.default_rng(seed)

    def __getattr__(self, attribute):
        return getattr(self.solver, attribute)

    def run(self, iterations):
        for done in range(0, iterations, 10):
            self.solver.run(min(10, iterations - done))
            for table in (self.solver.state[name] for name in TABLES):
                exact = table * 2.0**24 == np.round(table * 2.0**24)
                table *= np.where(exact, 1.0, 1.0 + self.errors.choice([-(2.0**-52), 0.0, 2.0**-52], len(table)))


@pytest.mark.slow_cases(
    "public_outcome*",
    "vector*",
    "outcome+history+floor*",
    "include*",
    "average_strategy*",
    "external+common*",
    "robust(1)*",
    "semi_vector*",
)
@pytest.mark.parametrize("line", LINES, ids=name)
def test_rounding_is_not_taken_for_a_change(line):
    found = [line.found_by(Perturbed(line.solver(), seed)) for seed in range(2)]
    assert [line.changes(each) for each in found] == [(), ()]
    assert found[0].sums != found[1].sums


# ---- what must be seen


@pytest.mark.slow_cases(
    "outcome+history+floor*",
    "include*",
    "average_strategy*",
    "external+common*",
    "robust(1)*",
    "vector*",
    "semi_vector*",
    "public_outcome*",
)
@pytest.mark.parametrize("line", SAMPLED, ids=name)
def test_one_draw_more_is_seen(line):
    solver = line.solver()
    with np.errstate(over="ignore"):
        uniform(Dice(solver.state["dice"]))
    assert line.changes(line.found_by(solver)) == ("draws", *TABLES)


def test_a_draw_after_the_last_iteration_is_seen(monkeypatch):
    line = SAMPLED[0]
    solver = line.solver()
    run = solver.run

    def run_and_draw(iterations):
        run(iterations)
        with np.errstate(over="ignore"):
            uniform(Dice(solver.state["dice"]))

    monkeypatch.setattr(solver, "run", run_and_draw)
    assert line.changes(line.found_by(solver)) == ("draws",)


@pytest.mark.slow_cases(
    "*outcome+history+floor*",
    "*include*",
    "*average_strategy*",
    "*external+common*",
    "*robust(1)*",
    "*vector*",
    "*public_outcome*",
)
@pytest.mark.parametrize("line", LINES, ids=name)
@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_held_to_a_billionth(line, table):
    solver = line.solver()
    found = line.found_by(solver)
    values = solver.state[table]
    largest = int(np.argmax(np.abs(values)))

    def changed(factor):
        other = values.copy()
        other[largest] *= factor
        return line.changes(dataclasses.replace(found, sums={**found.sums, table: sums(other)}))

    assert changed(1.0 + 1e-6) == (table,)
    assert changed(1.0 + 1e-12) == ()
    assert line.changes(dataclasses.replace(found, sums={**found.sums, table: sums(np.roll(values, 1))})) == (table,)
    assert line.changes(dataclasses.replace(found, sums={**found.sums, table: (np.nan, np.nan)})) == (table,)


def test_a_node_more_is_seen():
    line = LINES[-1]
    assert line.changes(dataclasses.replace(line, touched=line.touched + 1)) == ("draws",)


# ---- the command


@pytest.fixture
def two(monkeypatch):
    """Only the last two lines, as committed; returns a way to commit others."""

    def commit(*lines):
        monkeypatch.setattr(fingerprint, "committed_lines", lambda: list(lines))

    monkeypatch.setattr(fingerprint, "PIECE_SECONDS", 0.001)
    commit(*LINES[-2:])
    return commit


def bench(*args):
    return CliRunner().invoke(cli, ["bench", *map(str, args)])


def test_the_command_prints_a_line_each(two):
    result = bench()
    assert (result.exit_code, result.stderr) == (0, "")
    _, *rows, last = result.stdout.splitlines()
    assert [row.split()[:4] for row in rows] == [[x.game, x.method, x.fingerprint, "ok"] for x in LINES[-2:]]
    assert last == f"fingerprint {mccfr.bench(lines=LINES[-2:]).committed}: as committed"


def test_a_changed_line_is_exit_code_1(two):
    two(LINES[-2], dataclasses.replace(LINES[-1], fingerprint="00000000"))
    result = bench()
    assert (result.exit_code, result.stderr) == (1, "")
    assert "CHANGED: draws" in result.stdout
    assert ": 1 of 2 lines CHANGED; committed is " in result.stdout.splitlines()[-1]


def test_the_document_keeps_to_the_schema(two):
    two(LINES[-2], dataclasses.replace(LINES[-1], fingerprint="00000000", rate=0.0))
    result = bench("--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    jsonschema.Draft202012Validator({"$ref": "#/$defs/bench", "$defs": SCHEMA["$defs"]}).validate(document)
    assert [row["changed"] for row in document["rows"]] == [[], ["draws"]]
    assert document["rows"][1]["ratio"] is None
    assert document["changed"] == 1
    assert document["fingerprint"] != document["committed"]


def test_lines_can_be_written_and_read_again(two, tmp_path):
    new = fingerprint.Line("kuhn", "cfr", 0, 50)  # as a new line is typed
    two(LINES[-1], new)
    assert bench("--write", tmp_path / "lines.jsonl").exit_code == 1
    known, added = committed_lines(tmp_path / "lines.jsonl")
    assert LINES[-1].changes(known) == ()
    assert new.changes(added) == ("draws", *TABLES)
    assert added.changes(added.found_by(added.solver())) == ()
    assert added.rate > 0
    two(known, added)
    assert bench().exit_code == 0
    typed = tmp_path / "typed.jsonl"
    typed.write_text('{"game": "kuhn", "method": "cfr", "seed": 0, "iterations": 50}\n')
    assert committed_lines(typed) == [new]


def test_a_file_that_cannot_be_written_is_told_before_the_work(two, tmp_path):
    result = bench("--write", tmp_path / "nowhere" / "lines.jsonl")
    assert result.exit_code == 2
    assert "there is no folder" in result.stderr
