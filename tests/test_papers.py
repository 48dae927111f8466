"""`mccfr paper`: every figure at toy scale, its walks against the naive twin."""

import contextlib
import csv
import json
import sys
from pathlib import Path
from typing import NamedTuple

import jsonschema
import naive
import numpy as np
import pytest
from click.testing import CliRunner
from conftest import flat, unflat

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import own_pip
from mccfr.jobs import plot_style, statistics
from mccfr.kernel.dispatch import uncompiled
from mccfr.papers import (
    curves,
    davis_leduc,
    davis_resolving,
    duplicate_play,
    frozen_walks,
    gibson_bound,
    gibson_probing,
    kuhn_page,
    kuhn_page_race,
    kuhn_page_race_large,
)
from mccfr.papers.catalogue import FIGURES
from mccfr.papers.davis import is_below
from mccfr.papers.figure import Done, Figure, Scale
from mccfr.papers.frozen_walks import FrozenWalks
from mccfr.papers.kept_jobs import KEPT
from mccfr.papers.writing import run_figure
from mccfr.solvers import engines, parallel, public_outcome
from mccfr.strategy.strategy import normalised
from mccfr.tree import dealt_tree, showdown_rates
from mccfr.tree.tree import Tree

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
BUCKETS = "holdem(limit(cap=1, bets=2), ehs2(2), ranks=4, suits=2, board=3)"
LIN_TOY = "holdem(nolimit(stack=20, blinds='1 2', bet='100%'), lin, ranks=4, suits=3, board=3)"
OUR_TOY = "holdem(nolimit(stack=20, blinds='1 2', bet='50%,a'), ehs2(2), ranks=4, suits=3, board=3)"
TOY = {
    "gibson2012-fig2": Scale("", 2, 3, ("goofspiel(n=4)",), 20),
    "gibson2012-fig3a": Scale("", 2, 200, ("goofspiel(n=3)",), seconds=1e9),
    "gibson2012-fig3b": Scale("", 2, 2500, ("dealt:bluff(1,1,faces=2)",), seconds=1e9),
    "gibson2012-fig3c": Scale("", 2, 30_000, (BUCKETS,), seconds=1e9),
    "gibson2012-g6": Scale("", 1, games=("kuhn",), samples=200),
    "gibson2012-theorems": Scale("", 2, 30, ("kuhn",), 200),
    "davis2019-table1": Scale("", 1, games=("leduc",)),
    **{f"davis2019-{name}": Scale("", 2, 30, ("dealt:kuhn",)) for name in ("fig2", "fig3", "fig4a", "fig4b")},
    "davis2019-theorem3": Scale("", 2, 30, ("dealt:kuhn",)),
    "davis2019-beyond": Scale("", 2, 30, ("dealt:kuhn",)),
    "davis2019-d11-variance": Scale("", 2, 300, ("dealt:kuhn", "kuhn")),
    "davis2019-fig5": Scale("", 2, 5, ("kuhn",)),
    "davis2019-fig5-beyond": Scale("", 2, 5, ("kuhn",)),
    "davis2019-d4": Scale("", 2, 50),
    "li2020-fig2": Scale("", 2, 30, ("dealt:kuhn", "dealt:gp(2,2,1,1)"), seconds=0.1),
    "li2020-fig3": Scale("", 2, 30, ("dealt:kuhn",)),
    "li2020-fig4": Scale("", 2, 30, ("dealt:kuhn",)),
    "li2020-fig2-readings": Scale("", 2, 12, ("dealt:kuhn", "dealt:gp(2,2,1,1)"), seconds=0.1),
    "li2020-fig3-readings": Scale("", 2, 12, ("dealt:kuhn",)),
    "li2020-fig4-readings": Scale("", 2, 12, ("dealt:kuhn",)),
    "li2020-fig2-visits": Scale("", 2, 12, ("dealt:kuhn",)),
    "li2020-fig3-visits": Scale("", 2, 12, ("dealt:kuhn",)),
    "li2020-fig4-visits": Scale("", 2, 12, ("dealt:kuhn",)),
    "li2020-fig3-hands": Scale("", 2, 12, ("dealt:kuhn",)),
    "li2020-fig4-hands": Scale("", 2, 12, ("dealt:kuhn",)),
    "li2020-beyond": Scale("", 2, 12, ("dealt:kuhn",)),
    "lin2024-threads": Scale("", 2, 20, ("kuhn",)),
    "lin2024-floor": Scale("", 3, 120, ("kuhn",)),
    "lin2024-size": Scale("", 1, games=("5 ranks",)),
    "lin2024-prior": Scale("", 2, 120, ("kuhn",)),
    "lin2024-rewards": Scale("", 2, 200, (LIN_TOY, "kuhn"), 40, 0.01),
    "lin2024-variants": Scale("", 2, 0, (LIN_TOY, OUR_TOY), 40, 0.01),
    "lin2024-lbr": Scale("", 2, 0, (LIN_TOY, OUR_TOY), 4, 0.01),
    "resolving-ms3": Scale("", 1, 2, ("holdem(limit(cap=1, bets=2), ehs2(2), ranks=4, suits=2, board='1 1 1')",), 100),
    "kuhn-page-race": Scale("", 2, games=("kuhn", "leduc(suits=False)"), seconds=0.1),
    "kuhn-page-race-large": Scale("", 2, games=("dealt:kuhn",), seconds=0.1),
}
NAMES = list(FIGURES)
LONG = ("gibson2012-fig3c", "resolving-ms3")  # even as toys: a minute or two of buckets and best responses
PLAIN = ("davis2019-fig5", "davis2019-fig5-beyond")
ROOT = Path(__file__).parent.parent
VERDICTS = {"reproduced", "partly", "not reproduced", "no claim"}


def toy(name, folder, workers=1, fresh=False, watch=lambda finished, total, running: None):
    scale = TOY.get(name, Scale("", 2, 120))
    return run_figure(FIGURES[name], scale, folder, workers, fresh, f"mccfr paper {name}", watch)


def table(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def paper(*args):
    return CliRunner().invoke(cli, ["paper", *map(str, args)])


# ---- every figure


@pytest.fixture
def interpreted(monkeypatch):
    """Walks as plain Python: a toy is done before its kernels would be compiled."""
    for room in (parallel, engines):
        monkeypatch.setattr(room, "run_walks", room.run_walks.interpreted)
    monkeypatch.setattr(Tree, "prior", lambda tree, kappa: kappa * tree.infosets.uniform())  # only some trees know one
    for room in (public_outcome, dealt_tree):
        monkeypatch.setattr(room, "pair_values", room.pair_values.interpreted)
    monkeypatch.setattr(duplicate_play, "play_pairs", duplicate_play.play_pairs.interpreted)
    monkeypatch.setattr(showdown_rates, "DEALS", 1000)
    monkeypatch.setattr(showdown_rates, "PIECE", 500)
    monkeypatch.setattr(showdown_rates, "deal_many", showdown_rates.deal_many.interpreted)
    for name in ("root_values", "regret_moments"):
        monkeypatch.setattr(frozen_walks, name, getattr(frozen_walks, name).interpreted)
    with np.errstate(over="ignore"):
        yield


@pytest.fixture
def in_python(request):
    """All of it as plain Python, for figures whose kernels would take longer to compile than a toy takes."""
    with uncompiled() if request.node.callspec.params["name"] in PLAIN else contextlib.nullcontext():
        yield


@pytest.mark.slow_cases(
    "gibson2012-fig3b",
    "davis2019-fig1c",
    "lin2024-size",
    "lin2024-variants",
    "lin2024-lbr",
    "davis2019-d11-variance",
    "davis2019-d5",
    "davis2019-d11",
    "davis2019-fig5",
    "lin2024-prior",
    "lin2024-rewards",
    "davis2019-d4",
    "li2020-fig4-hands",
    "li2020-fig3-hands",
    "li2020-fig2-readings",
)
@pytest.mark.filterwarnings("ignore:overflow")  # of dice, in threads that are interpreted
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in NAMES])
def test_every_figure_writes_its_folder(name, tmp_path, interpreted, in_python):
    outcome = toy(name, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"data.csv", "claims.csv", "plot.png", "README.md", KEPT}
    assert table(tmp_path / "data.csv")
    found = table(tmp_path / "claims.csv")
    assert found == [claim._asdict() for claim in outcome.claims]
    for claim in found:
        assert all(claim.values())
        assert claim["verdict"] in VERDICTS
    page = (tmp_path / "README.md").read_text()
    assert f"`mccfr paper {name}`" in page
    assert all(claim["claim"] in page for claim in found)
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "plot.png").read_bytes()[25] == 3  # a palette: few colours, a small file


def test_results_do_not_depend_on_processes(tmp_path):
    for folder, workers in (("one", 1), ("two", 2)):
        toy("kuhn-page", tmp_path / folder, workers)
    one, two = (table(tmp_path / folder / "data.csv") for folder in ("one", "two"))
    for row in one + two:
        del row["seconds"]
    assert one == two


# ---- plots


COMMITTED = [name for name in NAMES if (ROOT / "papers" / name / "data.csv").exists()]


@pytest.mark.slow_cases("li2020*", "lin2024*", "davis2019-d*", "kuhn*")
@pytest.mark.parametrize("name", COMMITTED)
def test_committed_data_can_be_drawn(name):
    from matplotlib.figure import Figure as Sheet

    axes = Sheet().subplots()
    FIGURES[name].draw(table(ROOT / "papers" / name / "data.csv"), axes)
    _, names = axes.get_legend_handles_labels()
    assert len(names) >= 2
    assert len(set(names)) == len(names)
    assert axes.get_legend() is None  # there is one below all panels, as in `mccfr plot`
    assert axes.get_ylabel()


def test_a_plot_is_drawn_again_from_its_data(tmp_path):
    toy("kuhn-page", tmp_path)
    drawn = (tmp_path / "plot.png").read_bytes()
    (tmp_path / "plot.png").unlink()
    (tmp_path / KEPT).unlink()
    result = paper("kuhn-page", "--redraw", "--out", tmp_path)
    assert (result.exit_code, result.output) == (0, f"drew {tmp_path / 'plot.png'}\n")
    assert (tmp_path / "plot.png").read_bytes() == drawn
    result = paper("gibson2012-g6", "--redraw", "--out", tmp_path)
    assert (result.exit_code, result.stderr) == (
        2,
        f"mccfr: error: {tmp_path / 'data.csv'} does not hold the data of gibson2012-g6\n",
    )
    result = paper("kuhn-page", "--redraw", "--out", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert "to draw from: run mccfr paper kuhn-page, or name its folder by --out" in result.stderr


def test_curves_look_as_those_of_mccfr_plot():
    from matplotlib.figure import Figure as Sheet

    axes = Sheet().subplots()
    FIGURES["kuhn-page"].draw(table(ROOT / "papers" / "kuhn-page" / "data.csv"), axes)
    assert [line.get_color() for line in axes.get_lines()] == list(plot_style.COLOURS[:3])


# ---- going on where it stopped


def test_finished_runs_are_kept_and_not_run_again(tmp_path):
    toy("kuhn-page", tmp_path)
    kept = (tmp_path / KEPT).read_text()
    data = (tmp_path / "data.csv").read_text()
    seen = []
    toy("kuhn-page", tmp_path, watch=lambda *news: seen.append(news))
    assert seen == [(4, 4, ())]
    assert (tmp_path / KEPT).read_text() == kept
    assert (tmp_path / "data.csv").read_text() == data


def test_a_run_cut_short_is_run_again(tmp_path):
    toy("kuhn-page", tmp_path)
    kept = (tmp_path / KEPT).read_text()
    (tmp_path / KEPT).write_text(kept[:-40])
    seen = []
    toy("kuhn-page", tmp_path, watch=lambda *news: seen.append(news))
    assert [(finished, total, len(running)) for finished, total, running in seen] == [(3, 4, 0), (3, 4, 1), (4, 4, 0)]
    keys = [json.loads(line)["key"] for line in (tmp_path / KEPT).read_text().splitlines()]
    assert keys == [json.loads(line)["key"] for line in kept.splitlines()]


def test_fresh_runs_everything(tmp_path):
    toy("kuhn-page", tmp_path)
    seen = []
    toy("kuhn-page", tmp_path, fresh=True, watch=lambda *news: seen.append(news))
    assert seen[0] == (0, 4, ())
    assert len((tmp_path / KEPT).read_text().splitlines()) == 4


# ---- walks that learn nothing, against the naive twin


@pytest.mark.slow_cases("robust", "include", "include+probe", "uniform", "outcome")
@pytest.mark.parametrize("method", ["external", "outcome", "robust", "include", "include+probe", "uniform"])
def test_noted_regrets_have_the_naive_mean(method):
    solver = mccfr.Solver("kuhn", "cfr").run(7)
    infosets, strategy = solver.tree.infosets, solver.state["current"].copy()
    before = strategy.copy()
    for player in (0, 1):
        mean, variance = FrozenWalks(solver.tree, method, strategy, 1).regrets(200_000, player)
        game = mccfr.game("kuhn")
        naive_regrets = naive.zeros(game) | naive.regrets(game, unflat(infosets, strategy), player)
        error = np.sqrt(variance / 200_000)
        assert np.all(np.abs(mean - flat(infosets, naive_regrets)) <= 5 * error + 1e-12)
        assert variance.max() > 0.01
    np.testing.assert_array_equal(strategy, before)


class Moments(NamedTuple):
    """Mean of a value, its mean square as a walk for player 0 estimates it, and as a rollout does."""

    mean: float
    walked: float
    rolled: float


def exact_moments(game, strategy, probing, s):
    """Moments of the value of state s under Gibson's scheme, by recursion: what is below different actions is drawn
    independently, so at an own node Var = sum_a sigma(a)^2 Var(v(a)), and elsewhere mean squares are mixed."""
    who = game.player(s)
    if who == mccfr.TERMINAL:
        u = game.payoff(s)[0]
        return Moments(u, u * u, u * u)
    below = [exact_moments(game, strategy, probing, game.step(s, a)) for a in game.actions(s)]
    sigma = strategy[who, game.infoset(s)]
    mean, walked, rolled = (sum(p * x for p, x in zip(sigma, column)) for column in zip(*below))
    if who == 0:
        rho = [1.0 if j in (0, len(below) - 1) else 0.5 for j in range(len(below))]
        squares = [
            q * x.walked + (1 - q) * x.rolled if probing else x.walked / q for q, x in zip(rho, below, strict=True)
        ]
        walked = mean**2 + sum(p * p * (square - x.mean**2) for p, square, x in zip(sigma, squares, below))
    return Moments(mean, walked, rolled)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["include", "include+probe"])
def test_root_values_have_the_exact_mean_and_variance(method):
    tree, game = mccfr.compile("goofspiel(n=4)"), mccfr.game("goofspiel(n=4)")
    strategy, _ = normalised(tree.infosets, np.random.default_rng(0).random(tree.infosets.entries) ** 3)
    exact = exact_moments(game, unflat(tree.infosets, strategy), "probe" in method, game.root())
    values = FrozenWalks(tree, method, strategy, 1).roots(400_000)
    assert exact.mean == pytest.approx(naive.expected_value(game, unflat(tree.infosets, strategy)))
    assert abs(values.mean() - exact.mean) < 5 * values.std() / len(values) ** 0.5
    assert values.var() == pytest.approx(exact.walked - exact.mean**2, rel=0.02)


def test_least_reach_by_hand():
    kuhn, goofspiel = mccfr.compile("kuhn"), mccfr.compile("goofspiel(n=4)")
    assert gibson_bound._least_reach(kuhn, "external") == 1.0
    assert gibson_bound._least_reach(kuhn, "outcome(epsilon=0.6)") == pytest.approx(0.3**2)
    assert gibson_bound._least_reach(goofspiel, "robust(k=1)") == pytest.approx(1 / 24)
    assert gibson_bound._least_reach(goofspiel, gibson_bound.SCHEME) == pytest.approx(0.5**2)


# ---- curves


def power_law(constant, exponent, xs=(1, 10, 100, 1000)):
    return np.array([[x, 10.0 * x, 0.1 * x, constant * x**exponent] for x in xs])


def test_curves_are_read_betweencheckpoints():
    runs = [power_law(1.0, -0.5), power_law(2.0, -0.5)]
    assert curves.at(runs, 50) == pytest.approx([50**-0.5, 2 * 50**-0.5])
    assert curves.at(runs, 5.0, curves.SECONDS) == pytest.approx([50**-0.5, 2 * 50**-0.5])
    assert curves.reached(runs, 0.2, curves.NODES) == pytest.approx([250.0, 1000.0])
    assert curves.reached(runs, 0.01, curves.NODES).tolist() == [np.inf, np.inf]
    assert statistics.slope(runs[0][:, 0], runs[0][:, 3]) == pytest.approx(-0.5)


def test_checkpoints_are_geometric_and_end_at_the_end():
    assert list(curves.checkpoints(100, 2000, 2)) == [100, 316, 1000, 2000]


# ---- verdicts: a claim that is false must be told so


def noisy(constant, exponent=-0.5):
    factors = (0.98, 1.0, 1.02)
    return [power_law(constant * factor, exponent) for factor in factors]


@pytest.mark.parametrize(("one", "verdict"), [(0.5, "reproduced"), (1.0, "not reproduced"), (2.0, "not reproduced")])
def test_an_ordering_is_judged(one, verdict):
    found = {"one": noisy(one), "other": noisy(1.0)[::-1]}
    assert is_below("D2", found, "one", "other", "").verdict == verdict


def test_the_crossing_is_told():
    found = {"one": noisy(2.0, -0.9), "other": noisy(1.0)}
    assert is_below("D2", found, "one", "other", "").ours.endswith("; below 1 from 10 to 1,000")


@pytest.mark.parametrize(("exponent", "verdict"), [(-0.2, "not reproduced"), (-0.3, "partly"), (-0.45, "reproduced")])
def test_a_lead_that_is_lost_counts_partly_if_it_lasted(exponent, verdict):
    found = {"one": noisy(0.6, exponent), "other": noisy(1.0)}
    assert is_below("D2", found, "one", "other", "").verdict == verdict


def test_claims_about_re_solving_are_judged():
    levels = {"none": 4.0, "always call": 0.9, "infoset": 1.2, "history": 1.0, "predictive": 1.1}
    found = {name: noisy(level) for name, level in levels.items()}
    found |= {davis_resolving.CR_CFR: [power_law(3.0, -0.5)], davis_resolving.CR_PLUS: [power_law(0.97, -0.5)]}
    verdicts = [(claim.claim.split(": ")[1], claim.verdict) for claim in davis_resolving.claims("histories", found)]
    wrong = [text.split(" over ")[1] for text, verdict in verdicts if verdict == "not reproduced"]
    assert wrong == ["CR, CFR+, exploitability", "always call baseline, exploitability"]
    assert sum(verdict == "reproduced" for _, verdict in verdicts) == 9
    assert [verdict for _, verdict in verdicts[-2:]] == ["no claim"] * 2
    twice = davis_resolving.claims("histories", found)[-2].ours  # (1 / sqrt(500)) / (3 / sqrt(1000))
    assert (twice[:6], twice[-6:]) == ("0.471 ", "at 500")


@pytest.mark.parametrize(
    ("probing", "verdicts"),
    [
        (0.65, ["reproduced", "reproduced", "reproduced"]),
        (0.9, ["partly", "reproduced", "partly"]),
        (1.2, ["not reproduced"] * 3),
    ],
)
def test_the_improvement_of_probing_is_judged(probing, verdicts):
    found = {"MCCFR": noisy(1.0), "probing": noisy(probing)}
    claims = gibson_probing.claims(gibson_probing.GOOFSPIEL, "goofspiel(n=7)", found)
    assert [claim.verdict for claim in claims] == verdicts


@pytest.mark.parametrize(("probing", "verdict"), [(1.0, "reproduced"), (0.65, "partly"), (1.2, "not reproduced")])
def test_an_improvement_that_was_not_significant_is_judged_by_the_interval(probing, verdict):
    found = {"MCCFR": noisy(1.0), "probing": noisy(probing)}
    claims = gibson_probing.claims(gibson_probing.BLUFF, "dealt:bluff(2,2)", found)
    assert [claim.verdict for claim in claims] == [verdict, "no claim"]


@pytest.mark.parametrize(
    ("sampled", "swept", "wins", "ours", "verdict"),
    [
        (0.3, 3.0, True, "0.01", "reproduced"),
        (3.0, 0.3, True, "100", "not reproduced"),
        (3.0, 0.3, False, "100", "reproduced"),
        (0.3, 9.0, True, "at most 0.009", "reproduced"),  # 9 / sqrt(1000) is above the target
        (0.3, 9.0, False, "at most 0.009", "not reproduced"),
        (9.0, 0.3, True, "at least 111", "not reproduced"),
        (9.0, 9.0, True, "unknown, since neither reached it: 1", "not reproduced"),
        (0.3, 3.0, None, "0.01", "no claim"),
    ],
)
def test_a_race_is_judged(monkeypatch, sampled, swept, wins, ours, verdict):
    monkeypatch.setattr(kuhn_page_race, "TARGET", 0.1)
    found = {"external": [power_law(sampled, -0.5)], "cfr+simultaneous": [power_law(swept, -0.5)]}
    claim = kuhn_page_race.race("game", found, curves.NODES, "", wins)
    assert (claim.ours.partition(" [")[0], claim.verdict) == (ours, verdict)


LARGE = "g"


@pytest.mark.parametrize(
    ("sampled", "swept", "verdicts"),
    [
        (0.1, 3.0, ["reproduced", "reproduced", "reproduced", "reproduced", "no claim"]),
        (3.0, 0.1, ["reproduced", "reproduced", "not reproduced", "not reproduced", "no claim"]),
        (9.0, 9.0, ["reproduced", "reproduced", "not reproduced", "not reproduced", "no claim"]),
    ],
)
def test_a_race_on_a_large_game_is_judged(sampled, swept, verdicts):
    """A sweep has ten times the nodes and takes ten times as long as an iteration of sampling."""
    cheap, dear = power_law(sampled, -0.5), power_law(swept, -0.5)
    dear[:, (curves.NODES, curves.SECONDS)] *= 10
    found = {"external": [cheap], "cfr": [dear], "cfr_plus": [dear]}
    claims = kuhn_page_race_large._dealt(LARGE, found, kuhn_page_race_large.target_of(LARGE))
    assert [claim.verdict for claim in claims] == verdicts
    swapped = kuhn_page_race_large._dealt(LARGE, {**found, "external": [dear], "cfr": [cheap]}, 0.05)
    assert [claim.verdict for claim in swapped[:2]] == ["not reproduced", "not reproduced"]


def raced(game, descent, *, rate, sweep):
    """Finished jobs on an abstraction: a pass of half a second, a run of so many iterations a second, and a descent."""
    return [
        Done({"game": game, "seed": 0}, {"points": [[1.0, sweep, 0.5, 0.0]]}),
        Done({"game": game, "seed": 0, "seconds": 2.0}, {"points": [[2.0 * rate, 1e5, 2.0, np.inf]]}),
        *(
            Done({"game": game, "seed": seed, "seconds": 9.0, "target": 0.1}, {"points": points, "where": "on a GPU"})
            for seed, points in enumerate([descent.tolist()] * 2)
        ),
    ]


@pytest.mark.parametrize(
    ("level", "rate", "sweep", "nodes", "verdicts"),
    [  # exploitability at the first iteration, iterations a second on one processor, nodes of a sweep
        (1.0, 5e3, 1e9, "1e-06", ["reproduced", "reproduced", "reproduced"]),
        (1.0, 5e2, 1e9, "1e-06", ["reproduced", "not reproduced", "reproduced"]),
        (1.0, 5e3, 5e2, "2 ", ["reproduced", "reproduced", "not reproduced"]),
        (1.0, 5e3, 5.0, "200", ["not reproduced", "reproduced", "not reproduced"]),
        (99.0, 5e3, 1e9, "not reached in 1e-05", ["reproduced", "reproduced", "not reproduced"]),
    ],
)
def test_an_abstraction_is_judged_by_a_single_sweep(level, rate, sweep, nodes, verdicts):
    """Ten nodes an iteration, and the target, a tenth, is reached after a hundred iterations if it starts at one."""
    game, run = "holdem(limit, ehs2(10))", power_law(level, -0.5)
    run[:, curves.NODES] = 10 * run[:, curves.ITERATIONS]
    report = kuhn_page_race_large.FIGURE.report(Scale("", 2, games=(game,)), raced(game, run, rate=rate, sweep=sweep))
    assert [claim.verdict for claim in report.claims] == [*verdicts, *["no claim"] * 4]
    assert report.claims[2].ours.startswith(nodes)
    if level == 1.0:  # a hundred iterations at this rate, in seconds and in passes of half a second
        assert [float(claim.ours.split()[0]) for claim in report.claims[5:]] == pytest.approx([100 / rate, 200 / rate])
    else:
        assert all(claim.ours.startswith("not reached in ") for claim in report.claims[4:])
    assert report.claims[3].ours == "0.5 s"
    alone = next(row for row in report.rows if row[1] == "external")
    assert float(alone[report.columns.index("ns_per_iteration")]) == pytest.approx(1e9 / rate)


def test_targets_are_shares_of_what_is_put_in():
    games = ("dealt:gp(13,4,4,1)", "nlph", "holdem(limit, ehs2(10))", "leduc")
    assert [kuhn_page_race_large.target_of(game) for game in games] == pytest.approx([0.05, 5.0, 0.1, 0.05])


@pytest.mark.parametrize(("game", "count"), [("kuhn", 58), ("dealt:kuhn", 54), ("dealt:leduc", 9_450)])
def test_histories_are_those_that_can_happen(game, count):
    """Kuhn: 6 deals of 9 nodes, and 4 nodes of dealing where it is written out. Leduc: table 1 of Davis et al."""
    assert kuhn_page_race_large.histories(game) == count


def test_an_abstraction_is_left_out_without_its_tables(monkeypatch, tmp_path):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    game = "holdem(limit, ehs2(10))"
    told = kuhn_page_race_large.missing(game)
    assert told.startswith("the tables of its buckets have not been made: mccfr buckets 'ehs2")
    for street in ("preflop", "flop", "turn", "river"):
        (tmp_path / "buckets").mkdir(exist_ok=True)
        (tmp_path / "buckets" / f"values-13x4-3.1.1-{street}.mccfr").touch()
    monkeypatch.setenv("MCCFR_MEMORY_LIMIT", "1MB")
    assert "memory" in kuhn_page_race_large.missing(game)
    done = [Done({"game": game, "seed": 0}, {"left_out": told})]
    claims = kuhn_page_race_large.FIGURE.report(Scale("", 1, games=(game,)), done).claims
    assert [(claim.ours, claim.verdict) for claim in claims] == [(f"left out: {told}", "no claim")]
    assert kuhn_page_race_large.missing("dealt:kuhn") == ""


@pytest.mark.slow
def test_an_abstraction_is_raced(monkeypatch):
    """A small deck, which needs no tables: a sweep of so small a game has fewer nodes than sampling takes."""
    scale = Scale("", 1, games=(BUCKETS,), seconds=60.0)
    monkeypatch.setattr(kuhn_page_race_large, "PACE_SECONDS", 0.2)
    monkeypatch.setattr(kuhn_page_race_large, "target_of", lambda game: 0.002)
    done = [job.do() for job in kuhn_page_race_large.FIGURE.jobs(scale)]
    assert [len(job.result["points"]) for job in done[:4]] == [1] * 4
    assert done[0].result["points"][0][curves.NODES] == 2 * kuhn_page_race_large.histories(BUCKETS) == 920
    points = np.array(done[-1].result["points"])
    assert points[-1, curves.EXPLOITABILITY] <= 0.002 < points[:-1, curves.EXPLOITABILITY].min()
    assert (np.diff(points[:, : curves.EXPLOITABILITY], axis=0) > 0).all()
    claims = kuhn_page_race_large.FIGURE.report(scale, done).claims
    assert "not reached" not in "".join(claim.ours for claim in claims)
    assert [claim.verdict for claim in claims[:3]] == ["reproduced", "reproduced", "not reproduced"]


def test_slopes_are_judged():
    assert kuhn_page._slope("cfr", [power_law(1.0, -0.5)]).verdict == "reproduced"
    assert kuhn_page._slope("cfr", [power_law(1.0, -1.0)]).verdict == "not reproduced"


def test_identity_is_judged():
    same = {davis_leduc.CALL: noisy(1.0), davis_leduc.UNSHIFTED: noisy(1.0)}
    assert davis_leduc._identity(same, 1e-12).verdict == "reproduced"
    assert davis_leduc._identity(same, 1e-3).verdict == "partly"
    other = {davis_leduc.CALL: noisy(1.1), davis_leduc.UNSHIFTED: noisy(1.0)}
    assert davis_leduc._identity(other, 1e-3).verdict == "not reproduced"


# ---- the command


def test_the_list_in_json():
    result = paper("--json")
    found = json.loads(result.stdout)
    jsonschema.Draft202012Validator({"$ref": "#/$defs/papers", "$defs": SCHEMA["$defs"]}).validate(found)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert [figure["name"] for figure in found["figures"]] == NAMES


@pytest.fixture
def small(monkeypatch, tmp_path):
    """The current folder is empty and the quick scale of kuhn-page is a toy."""
    figure: Figure = FIGURES["kuhn-page"]
    monkeypatch.setitem(FIGURES, "kuhn-page", figure._replace(quick=Scale("", 3, 200)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_figure_in_json(small):
    result = paper("kuhn-page", "--workers", 1, "--seeds", 2, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    jsonschema.Draft202012Validator({"$ref": "#/$defs/paper", "$defs": SCHEMA["$defs"]}).validate(found)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["claims"] == table(small / "papers" / "kuhn-page" / "claims.csv")
    assert (found["runs"], found["scale"], found["folder"]) == (4, "quick", "papers/kuhn-page")


def test_a_figure_for_people(small):
    result = paper("kuhn-page", "--workers", 1, "--out", "here")
    assert result.exit_code == 0
    assert "written to here" in result.stdout
    assert "W3" in result.stdout


def test_without_matplotlib_all_but_the_plot_is_written(small, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = paper("kuhn-page", "--workers", 1, "--out", "here")
    assert result.exit_code == 2
    assert result.stderr == (
        "mccfr: error: here/plot.png (everything else is written) needs matplotlib, which is not installed: "
        f"{own_pip()} install 'mccfr[plot]'\n"
    )
    assert {path.name for path in (small / "here").iterdir()} == {"data.csv", "claims.csv", "README.md", KEPT}
    assert "plot.png" not in (small / "here" / "README.md").read_text()


def test_ctrl_c_keeps_what_is_finished(small, monkeypatch):
    converge = curves.converge

    def stopping(seed, **rest):
        if seed == 1:
            raise KeyboardInterrupt
        return converge(seed=seed, **rest)

    stopping.__name__ = "converge"
    monkeypatch.setattr(curves, "converge", stopping)
    result = paper("kuhn-page", "--workers", 1, "--out", "here")
    assert result.exit_code == 130
    assert result.stderr == "stopped with 3 of 5 runs finished: the same command continues\n"
    assert len((small / "here" / KEPT).read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("kuhnpage",), "no figure 'kuhnpage': did you mean kuhn-page or kuhn-page-race?"),
        (("figure-9",), "no figure 'figure-9': mccfr paper lists them"),
        (
            ("kuhn-page", "--seeds", 0),
            "Invalid value for '--seeds': 0 is out of range: give a whole number from 1. (see mccfr paper --help)",
        ),
        (
            ("kuhn-page", "--workers", "many"),
            "Invalid value for '--workers': 'many' is not a whole number: "
            "write 1000, 1_000, 1,000, 10k, 2.5M, 1G or 4e6. (see mccfr paper --help)",
        ),
        (
            ("gibson2012-fig3a", "--hours", 0),
            "Invalid value for '--hours': 0.0 is not in the range x>0. (see mccfr paper --help)",
        ),
        (("kuhn-page", "--hours", 1), "kuhn-page counts iterations, not time: leave hours out"),
        (
            ("gibson2012-fig3a", "--iterations", "1k"),
            "gibson2012-fig3a does not run for a number of iterations: leave iterations out",
        ),
        (
            ("kuhn-page", "--out", "file/folder"),
            "cannot make the folder file/folder: Not a directory; give another with --out",
        ),
        (("kuhn-page", "--out", "file"), "cannot make the folder file: File exists; give another with --out"),
        (
            ("kuhn-page", "--out", "damaged", "--workers", 1),
            f"damaged/{KEPT}, line 1 is not a finished job: delete it, or run with --fresh",
        ),
    ],
)
def test_what_is_typed_wrong(small, args, message):
    (small / "file").write_text("")
    (small / "damaged").mkdir()
    (small / "damaged" / KEPT).write_text('{"key": 1}\n{}\n')
    result = paper(*args)
    assert result.exit_code == 2
    assert result.stderr == f"mccfr: error: {message}\n"
