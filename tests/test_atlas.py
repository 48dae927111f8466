"""The atlas: its rule, its file, its page, and that `auto` takes what it finds."""

import argparse
import importlib.util

import numpy as np
import pytest
from docs_programs import ROOT, program

import mccfr
from mccfr.errors import FileError
from mccfr.papers import atlas_findings as findings, atlas_games, atlas_runs
from mccfr.papers.atlas_data import AGAIN, LONG, SHORT, Atlas, Traced, read_atlas, write_atlas
from mccfr.papers.atlas_games import DEALT, GAMES, WRITTEN, Entry
from mccfr.papers.atlas_runs import MOST, Stage, jobs_of, shortlist, trace
from mccfr.papers.curves import EXPLOITABILITY, ITERATIONS, NODES, SECONDS
from mccfr.solvers.method import RECIPES

generate = program("generate_atlas")


def curve(level, seconds=1.0, nodes=1e6):
    """A run that falls to a level in so many seconds and nodes."""
    return np.array([[1, nodes / 100, seconds / 100, 1.0], [100, nodes, seconds, level]])


def leduc(method, form=WRITTEN):
    return Entry("leduc", form, method)


def atlas_of(long, again=None, short=None):
    stages = dict.fromkeys((SHORT, LONG, AGAIN), Stage(1.0, 2, 0))
    return Atlas(stages, {SHORT: short or {}, LONG: long, AGAIN: again or {}}, "here")


def test_every_recipe_is_raced_or_left_out_for_a_reason():
    raced = {method for game in GAMES for _, _, method in atlas_games.entries(game)}
    words = {mccfr.Method.parse(method).__str__().partition("+")[0].partition("(")[0] for method in raced}
    named = {method.partition("+")[0].partition("(")[0] for method in raced} | {"lp"} | words
    package = {word for word, build in RECIPES.items() if build.__module__.startswith("mccfr.")}
    assert package - named == atlas_games.LEFT_OUT.keys()


def test_no_two_methods_of_a_game_are_the_same():
    for game in GAMES:
        found = [(form, str(mccfr.Method.parse(method))) for _, form, method in atlas_games.entries(game)]
        assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("entry", "family", "unit"),
    [
        (leduc("dcfr"), "sweeps", "histories"),
        (leduc("dcfr", DEALT), "sweeps", "public nodes"),
        (leduc("external+predictive"), "walks", "histories"),
        (leduc("external", DEALT), "walks", "histories"),
        (leduc("vector(external)", DEALT), "public sampling", "public nodes"),
        (leduc("lp"), "exact", "histories"),
    ],
)
def test_families_and_units(entry, family, unit):
    assert (entry.family, entry.unit) == (family, unit)


@pytest.mark.parametrize("method", ["cfr_plus", "external"])
def test_a_run_is_measured_until_its_time_is_up(method):
    points = np.array(trace("kuhn", method, 1, 0.02)["points"])
    assert (np.diff(points[:, [ITERATIONS, NODES, SECONDS]], axis=0) > 0).all()
    assert points[0, ITERATIONS] == 1
    assert points[-2, SECONDS] < 0.02 <= points[-1, SECONDS]
    again = mccfr.Solver("kuhn", method, 1).run(int(points[-1, ITERATIONS]))
    assert points[-1, NODES] == again.touched
    assert points[-1, EXPLOITABILITY] == pytest.approx(again.exploitability(), rel=1e-9)


def test_a_linear_programme_is_one_point():
    [point] = trace("kuhn", "lp", 1, 10.0)["points"]
    assert point[EXPLOITABILITY] < 1e-12


def test_random_methods_have_a_run_for_each_seed():
    jobs = jobs_of([leduc("dcfr"), leduc("external")], Stage(1.0, 3, 10))
    assert [(job.arguments["method"], job.arguments["seed"]) for job in jobs] == [
        ("dcfr", 10), ("external", 10), ("external", 11), ("external", 12)
    ]  # fmt: skip
    timed = jobs_of([leduc("dcfr"), leduc("lp")], Stage(1.0, 3, 10, sweeps_too=True))
    assert [job.arguments["method"] for job in timed] == ["dcfr", "dcfr", "dcfr", "lp"]


def test_the_short_list_is_the_rule():
    """Within the factor of its family's best, by time or by nodes; no more than so many by each."""
    walks = ["external", "outcome", "robust(1)", "robust(2)", "chance", "external+predictive"]
    short = {leduc(method): [curve(0.1 + 0.01 * j)] for j, method in enumerate(walks)}
    assert shortlist(short, 1.0) == [leduc(method) for method in walks[:MOST]]
    short = {leduc("external"): [curve(0.1)], leduc("outcome"): [curve(0.21)], leduc("chance"): [curve(0.19)]}
    assert shortlist(short, 1.0) == [leduc("external"), leduc("chance")]
    short[leduc("dcfr")] = [curve(1e-6)]  # another family: walks stay
    assert shortlist(short, 1.0) == [leduc("external"), leduc("chance"), leduc("dcfr")]
    solved = {leduc("cfr"): [curve(1e-7)], leduc("dcfr"): [curve(1e-12)], leduc("lcfr"): [curve(1e-5)]}
    assert shortlist(solved, 1.0) == [leduc("cfr"), leduc("dcfr")]  # level, though one is far ahead of the other
    slow = {leduc("external"): [curve(0.1, nodes=1e8)], leduc("outcome"): [curve(0.3, nodes=1e6)]}
    assert shortlist(slow, 1.0) == [*slow]  # at 1e6 nodes `external` has just begun


def test_methods_are_compared_with_the_best_seed_by_seed():
    curves = {
        leduc("outcome"): [curve(0.2), curve(0.4)],
        leduc("external"): [curve(0.1), curve(0.2)],
        leduc("dcfr"): [curve(0.05)],
        leduc("cfr"): [curve(1e-9, seconds=1000.0)],  # measured for the first time after 10 s
    }
    places = findings.standings(curves, SECONDS, 1.0)
    assert [place.entry.method for place in places] == ["dcfr", "external", "outcome"]
    assert [place.behind.mean for place in places] == pytest.approx([1.0, 8**0.5, 32**0.5])
    pair = findings.standings({e: r for e, r in curves.items() if len(r) == 2}, SECONDS, 1.0)
    assert pair[1].behind.low == pytest.approx(pair[1].behind.high) == pytest.approx(2.0)
    with pytest.raises(ValueError, match="3 runs cannot be paired with 2"):
        findings.paired(np.ones(3), np.ones(2))


def test_nodes_are_compared_where_all_have_some():
    curves = {leduc("external"): [curve(0.1, nodes=5e6), curve(0.1, nodes=4e5)], leduc("lp"): [curve(0.0, nodes=10)]}
    assert findings.common_nodes(curves) == pytest.approx(10**5.5)
    curves |= {leduc("outcome"): [curve(0.1, nodes=5e6)], leduc("chance"): [curve(0.1, nodes=2e6)]}
    assert findings.common_nodes(curves) == pytest.approx(1e6)
    assert {place.entry.method for place in findings.standings(curves, NODES, 1e6)} == {"outcome", "chance", "lp"}
    assert findings.grid(0.01, 0.1) == pytest.approx([0.01, 10**-1.5, 0.1])


def test_when_sampling_is_ahead():
    early = np.array([[1, 1, 0.001, 0.1], [2, 2, 1.0, 0.09]])
    curves = {leduc("external"): [early], leduc("dcfr"): [np.array([[1, 1, 0.001, 1.0], [2, 2, 1.0, 1e-6]])]}
    assert 0 < findings.sampled_until(curves, findings.grid(0.001, 1.0)) < 1.0
    assert findings.sampled_until({leduc("dcfr"): [early]}, [0.1, 1.0]) == 0.0


def test_means_over_games_are_of_the_methods_that_all_games_have():
    short = {Entry(game, WRITTEN, "external"): [curve(0.1)] for game in ("kuhn", "leduc")}
    short |= {Entry("kuhn", WRITTEN, "outcome"): [curve(0.05)], Entry("leduc", WRITTEN, "outcome"): [curve(0.8)]}
    short[leduc("chance")] = [curve(0.1)]
    forms = {"kuhn": WRITTEN, "leduc": WRITTEN}
    found = findings.overall(atlas_of({}, short=short), "walks", SECONDS, forms)
    assert [place.method for place in found] == ["external", "outcome"]
    assert (found[0].mean, found[0].worst, found[0].worst_game) == (pytest.approx(2**0.5), pytest.approx(2.0), "kuhn")


def test_a_surprise_needs_both_sets_of_seeds():
    surprise = findings.Surprise("?", "leduc", SECONDS, (WRITTEN, "outcome"), (WRITTEN, "external"))
    better = {leduc("outcome"): [curve(0.1), curve(0.11)], leduc("external"): [curve(0.2), curve(0.2)]}
    worse = {leduc("outcome"): [curve(0.3), curve(0.31)], leduc("external"): [curve(0.2), curve(0.2)]}
    unsure = {leduc("outcome"): [curve(0.05), curve(0.3)], leduc("external"): [curve(0.2), curve(0.2)]}
    assert findings.confirmed(atlas_of(better, better), surprise)
    for other in (worse, unsure, {}):
        assert not findings.confirmed(atlas_of(better, other), surprise)
    assert not findings.confirmed(atlas_of(worse, better), surprise)
    assert not findings.confirmed(atlas_of(unsure, better), surprise)


def test_the_file_keeps_what_was_measured(tmp_path):
    path = tmp_path / "atlas.parquet"
    points = np.array([[1, 10, 1e-6, 0.5], [100, 1000, 0.25, 0.125]])
    stages = {SHORT: Stage(0.25, 2, 0), LONG: Stage(3.0, 5, 10), AGAIN: Stage(3.0, 5, 100)}
    runs = [Traced(stage, leduc("external"), seed, points / seed) for stage in (SHORT, LONG) for seed in (2, 1)]
    write_atlas(path, runs, stages, "a machine")
    found = read_atlas(path)
    assert (found.stages, found.made) == (stages, "a machine")
    assert [run[-1, EXPLOITABILITY] for run in found.curves[LONG][leduc("external")]] == [0.125, 0.0625]
    assert [len(run) for run in found.curves[LONG][leduc("external")]] == [2, 2]
    assert [len(run) for run in found.curves[SHORT][leduc("external")]] == [1, 1]  # without its first hundredth
    with pytest.raises(FileError, match=r"no .*nothing.parquet: python tools/atlas.py"):
        read_atlas(tmp_path / "nothing.parquet")


def tool():
    spec = importlib.util.spec_from_file_location("atlas_tool", ROOT / "tools" / "atlas.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.slow
def test_the_tool_continues_and_writes_its_file(tmp_path, monkeypatch):
    made = tool()
    monkeypatch.setattr(made, "entries", lambda game: [Entry("kuhn", WRITTEN, m) for m in ("cfr", "dcfr", "external")])
    given = argparse.Namespace(
        **{"seconds": 0.02, "seeds": 2, "first_seed": 10, "second_seed": 100, "short_seconds": 0.01, "short_seeds": 1},
        **{"workers": 1, "kept": tmp_path / "kept", "out": tmp_path / "atlas.parquet"},
    )
    counts = []
    made.measure(given, [GAMES[0]], lambda finished, total, running: counts.append(finished))
    found = read_atlas(given.out)
    assert {entry.method for entry in found.curves[SHORT]} == {"cfr", "dcfr", "external"}
    assert {"dcfr", "external", "lp"} <= {entry.method for entry in found.curves[LONG]}
    assert len(found.curves[LONG][Entry("kuhn", WRITTEN, "external")]) == 2
    lines = (tmp_path / "kept" / "jobs.jsonl").read_text()
    made.measure(given, [GAMES[0]], lambda *_: None)
    assert (tmp_path / "kept" / "jobs.jsonl").read_text() == lines


def test_a_game_that_is_not_in_the_atlas(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["atlas.py", "--games", "chess"])
    with pytest.raises(SystemExit) as ended:
        tool().main()
    assert ended.value.code == 2
    assert "no game 'chess' in the atlas; there are kuhn, leduc" in capsys.readouterr().err


def test_the_page_is_what_the_data_say():
    """`python docs/generate_atlas.py` writes it again."""
    text = generate.PAGE.read_text()
    assert {name for _, name, _ in generate.BLOCK.findall(text)} == generate.TABLES.keys()
    assert generate.page(text, read_atlas(generate.DATA)) == text


def test_the_file_is_small_and_seeds_are_disjoint():
    assert generate.DATA.stat().st_size < 1_000_000
    stages = read_atlas(generate.DATA).stages.values()
    seeds = [set(range(stage.first_seed, stage.first_seed + stage.seeds)) for stage in stages]
    assert len(set.union(*seeds)) == sum(map(len, seeds))


def test_auto_takes_what_the_atlas_finds():
    """Or a method that is behind it by no more than the factor that was fixed."""
    atlas = read_atlas(generate.DATA)
    for game in generate.measured(atlas):
        for form, text in game.forms.items():
            entry = Entry(game.name, form, atlas_runs.auto_choice(text))
            assert findings.auto_behind(atlas, entry) <= findings.AUTO_WITHIN, entry


def test_a_bad_choice_of_auto_would_be_noticed():
    atlas = read_atlas(generate.DATA)
    assert findings.auto_behind(atlas, Entry("leduc", WRITTEN, "cfr")) > findings.AUTO_WITHIN
    assert findings.auto_behind(atlas, Entry("leduc", WRITTEN, "external")) > findings.AUTO_WITHIN
