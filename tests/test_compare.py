"""`mccfr compare`: planted differences are found, and none between equals."""

import json
import math
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import FileError
from mccfr.experiments.comparison import compare
from mccfr.experiments.groups import AXES, curve, find_runs, shared_end
from mccfr.runs.metrics import Metrics
from mccfr.solvers.solver import Progress

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())


def synthetic(folder, seed, level=1.0, spread=0.1, game="kuhn", method="external", last=10_000):
    """A run whose exploitability is level / sqrt(iterations), with a factor of its own."""
    run = mccfr.train(folder, game, method, iterations=1, seed=seed)
    factor = level * math.exp(np.random.default_rng([seed, int(1000 * level)]).normal(0, spread))
    metrics = Metrics()
    for n in np.unique(np.geomspace(1, last, 40).astype(int)).tolist():
        metrics.add(Progress(n, 1e-5 * n, factor / math.sqrt(n), 10 * n), 0.0)
    metrics.write(run.folder / "metrics.parquet")
    return factor


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    """Three groups of eight: two alike, one a third better."""
    folder = tmp_path_factory.mktemp("groups")
    levels = {"one": 1.0, "alike": 1.0, "better": 0.67}
    for base, (name, level) in enumerate(levels.items()):
        for seed in range(8):
            synthetic(folder / name / f"seed-{seed}", 100 * base + seed, level)
    return folder


def compare_command(*args):
    return CliRunner().invoke(cli, ["compare", *map(str, args)])


def curves(folder):
    return [curve(run) for run in find_runs([str(folder)])]


def test_a_planted_difference_is_found(groups):
    for entry in compare(curves(groups / "one"), curves(groups / "better")):
        assert entry.difference.welch < 0.001
        assert entry.difference.mann_whitney < 0.01
        assert entry.difference.ratio.low < 1 / 0.67 < entry.difference.ratio.high


def test_what_runs_have_not_in_common_is_left_out(groups):
    """As seconds where some ended before others were first measured; where nothing is left, a line says so."""

    def later(runs, *columns):
        moved = {column: np.asarray(runs[0].columns[AXES[column]]) + 1e9 for column in columns}
        return [run._replace(columns={**run.columns, **{AXES[c]: x for c, x in moved.items()}}) for run in runs]

    one, other = curves(groups / "one"), curves(groups / "better")
    assert [entry.axis for entry in compare(one, later(other, "seconds"))] == [a for a in AXES if a != "seconds"]
    with pytest.raises(FileError, match="in common"):
        compare(one, later(other, *AXES))


def test_none_is_found_between_equals(groups):
    for entry in compare(curves(groups / "one"), curves(groups / "alike")):
        assert entry.difference.welch > 0.05
        assert entry.difference.mann_whitney > 0.05
        assert entry.difference.ratio.low < 1 < entry.difference.ratio.high


def test_they_are_compared_where_all_of_them_are(tmp_path):
    factors = [synthetic(tmp_path / f"seed-{seed}", seed, last=last) for seed, last in ((1, 500), (2, 9000))]
    found = curves(tmp_path)
    assert [shared_end(found, axis) for axis in ("walks", "nodes", "seconds")] == pytest.approx([1000, 5000, 0.005])
    assert [float(c.at(800, "walks")) for c in found] == pytest.approx([f / 20 for f in factors])


def test_the_command(groups):
    result = compare_command(groups / "one", groups / "better" / "seed-*")
    assert result.exit_code == 0
    assert "kuhn: A is external (8 runs), B is external (8 runs)" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("B is better at equal walks; B is better at equal nodes;")
    document = json.loads(compare_command(groups / "one", groups / "alike", "--json").stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert [len(group["runs"]) for group in document["groups"]] == [8, 8]
    assert document["comparisons"][0]["at"] == 20_000


def test_a_single_random_run_is_not_tested(groups):
    result = compare_command(groups / "one" / "seed-0", groups / "better")
    assert "(1 run)" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("no test: ")


ERRORS = {
    "one group": (["one"], "compare takes two groups, got 1"),
    "an open pattern": (["one/seed-0", "one/seed-1", "better"], "compare takes two groups, got 3"),
    "nothing there": (["one", "nothing"], "cannot read nothing: no such folder"),
    "no runs": (
        ["one", "one/seed-0/checkpoints"],
        "one/seed-0/checkpoints is not a run folder, and there is none below it",
    ),
    "itself": (["one", "one/seed-3"], "one/seed-3 is in both groups"),
    "other games": (["one", "other"], "compare takes runs of one game"),
    "nothing measured": (["one", "empty"], "empty has no measurements yet"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name, groups, tmp_path, monkeypatch):
    monkeypatch.chdir(groups)
    if not Path("other").exists():
        synthetic("other", 1, game="rps")
        Metrics().write(mccfr.train("empty", "kuhn", "cfr", iterations=1).folder / "metrics.parquet")
    args, expected = ERRORS[name]
    result = compare_command(*args)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert expected in result.stderr
