"""`mccfr plot`: every line and axis is named, groups are what they are said to be, and bands hold all runs."""

import json
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import own_pip
from mccfr.experiments.groups import curve, find_runs, grouped
from mccfr.experiments.plots import draw
from mccfr.jobs.plot_style import COLOURS, STYLES

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two games, two methods, two seeds, and one exact solution."""
    folder = tmp_path_factory.mktemp("runs")
    for game in ("kuhn", "rps"):
        for method in ("external", "outcome"):
            for seed in (1, 2):
                mccfr.train(folder / game / method / f"seed-{seed}", game, method, iterations=500, seed=seed)
    mccfr.train(folder / "kuhn" / "exact", "kuhn", "lp", iterations=1)
    return folder


def plot(*args):
    return CliRunner().invoke(cli, ["plot", *map(str, args)])


def all_curves(*folders):
    return [curve(run) for run in find_runs([str(folder) for folder in folders])]


def test_the_picture_says_what_it_shows(runs, tmp_path):
    result = plot(runs / "kuhn", "--out", tmp_path / "kuhn.svg")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"wrote {tmp_path / 'kuhn.svg'}: 3 lines, 5 runs of kuhn\n"
    text = (tmp_path / "kuhn.svg").read_text()
    for words in (
        *("walks or sweeps, one for each player and iteration", "nodes touched", "seconds of solving"),
        *("exploitability, in the game's payoffs", "external (2 runs)", "outcome (2 runs)", "lp", "kuhn"),
        "line: geometric mean; band: lowest to highest run",
    ):
        assert f"<!-- {words} -->" in text, words


def test_methods_are_not_mixed_in_one_line(runs, tmp_path):
    result = plot(runs, "--by", "game", "--out", tmp_path / "all.svg")
    assert result.exit_code == 0, result.output
    assert result.stderr == "kuhn, rps: several methods, so there is a line for each of them\n"
    assert ": 5 lines, 9 runs of kuhn, rps\n" in result.stdout


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".PDF", b"%PDF"), (".svg", b"<?xml")])
def test_formats(suffix, magic, runs, tmp_path):
    out = tmp_path / f"plot{suffix}"
    result = plot(runs / "rps" / "external", "-o", out, "--x", "nodes", "--json")
    document = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["x"] == ["nodes"]
    assert out.read_bytes().startswith(magic)


def test_groups(runs):
    every = all_curves(runs)
    assert {name: len(group) for name, group in grouped(every, "method").items()} == {
        "kuhn, lp": 1, "kuhn, external": 2, "kuhn, outcome": 2, "rps, external": 2, "rps, outcome": 2,
    }  # fmt: skip
    assert grouped(every, "game") == grouped(every, "method")  # a mean over methods would be of nothing
    one_each = [found for found in every if found.method == "external"]
    assert {name: len(group) for name, group in grouped(one_each, "game").items()} == {"kuhn": 2, "rps": 2}
    assert len(grouped(every, "folder")) == 9
    assert list(grouped(all_curves(runs / "rps"), "method")) == ["external", "outcome"]


def test_a_run_named_twice_counts_once(runs):
    assert (
        len(all_curves(runs / "kuhn" / "external", runs / "kuhn" / "ext*", runs / "kuhn" / "external" / "seed-1")) == 2
    )


def test_lines_are_geometric_means_and_bands_hold_every_run(runs, tmp_path, monkeypatch):
    from matplotlib.axes import Axes

    lines, bands = [], []
    plot_line, fill = Axes.plot, Axes.fill_between
    monkeypatch.setattr(Axes, "plot", lambda self, *a, **k: lines.append(a) or plot_line(self, *a, **k))
    monkeypatch.setattr(Axes, "fill_between", lambda self, *a, **k: bands.append(a) or fill(self, *a, **k))
    group = all_curves(runs / "kuhn" / "external")
    draw({"external": group}, tmp_path / "plot.png", ("walks",))
    ((xs, mean),), ((_, low, high),) = lines, bands
    assert (xs[0], xs[-1]) == pytest.approx((2, 1000))
    measured = np.array([found.columns["exploitability"] for found in group])
    assert (mean[0], mean[-1]) == pytest.approx(np.sqrt(measured[0] * measured[1])[[0, -1]])
    assert (low[-1], high[-1]) == pytest.approx((measured[:, -1].min(), measured[:, -1].max()))
    assert (low <= mean).all()
    assert (mean <= high).all()


def test_many_lines_are_told_apart():
    n = len(COLOURS)
    looks = {(COLOURS[j % n], str(STYLES[(j + j // n) % len(STYLES)])) for j in range(4 * n)}
    assert len(looks) == 4 * n


def test_without_matplotlib(runs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = plot(runs, "-o", tmp_path / "plot.png")
    assert result.exit_code == 2
    assert f"needs matplotlib, which is not installed: {own_pip()} install 'mccfr[plot]'\n" in result.stderr


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["nothing"], "cannot read nothing: no such folder"),
        (["."], ". is not a run folder, and there is none below it: it has no run.json"),
        ([".", "--out", "plot.gif"], "cannot draw plot.gif: a picture ends in .png, .svg, .pdf"),
        ([".", "--out", "there/plot.png"], "there is no folder there"),
    ],
)
def test_errors(args, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = plot(*args)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert expected in result.stderr
