"""The names other people type (section 4 of the design), typed here as they would."""

import ast
import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

import mccfr

CHANCE, TERMINAL = mccfr.CHANCE, mccfr.TERMINAL
DATA = Path(__file__).parent / "data"


@dataclasses.dataclass(frozen=True)
class MyGame:
    """One card of two; player 0 sees it and bets or passes, player 1 does not and calls or folds."""

    stake: float = 2.0
    players = 2

    def root(self):
        return ()

    def player(self, s):
        if not s:
            return CHANCE
        return TERMINAL if len(s) == 3 or s[-1] == "pass" else len(s) - 1

    def actions(self, s):
        return ("bet", "pass") if len(s) == 1 else ("call", "fold")

    def chances(self, s):
        return (("high", 0.5), ("low", 0.5))

    def step(self, s, a):
        return (*s, a)

    def infoset(self, s):
        return s[0] if len(s) == 1 else "facing a bet"

    def payoff(self, s):
        won = 1.0 if s[0] == "high" else -1.0
        value = won if s[1] == "pass" else 1.0 if s[2] == "fold" else won * self.stake
        return (value, -value)


def test_the_first_lines_of_the_tour(tmp_path, capsys):
    solver = mccfr.solve("leduc", "cfr_plus", iterations=200, seed=1)
    strategy = solver.strategy()
    assert mccfr.exploitability(strategy) == pytest.approx(mccfr.nash_conv(strategy) / 2)
    assert mccfr.exploitability(strategy) < 0.01
    assert mccfr.expected_value(strategy) == pytest.approx(-0.0856, abs=0.01)
    response = mccfr.best_response(strategy, 0)
    assert response.value > mccfr.expected_value(strategy)
    assert mccfr.expected_value(response.strategy, strategy) == pytest.approx(response.value)

    strategy.show()
    assert "leduc · cfr_plus, 200 iterations · 936 infosets" in capsys.readouterr().out
    assert sum(strategy["K:"].values()) == pytest.approx(1)
    strategy.save(tmp_path / "leduc.mccfr")
    loaded = mccfr.load(tmp_path / "leduc.mccfr")
    assert mccfr.exploitability(loaded) == mccfr.exploitability(strategy)
    assert len(loaded.to_openspiel().state_lookup) == 936
    assert (loaded.origin.seed, loaded.origin.iterations) == (1, 200)


def test_a_solver_by_hand():
    solver = mccfr.Solver("goofspiel(n=4)", "dcfr(1.5,0,2)+linear", seed=7)
    solver.run(50)
    solver.run(50)
    whole = mccfr.Solver("goofspiel(n=4)", "dcfr(1.5,0,2)+linear", seed=7).run(100)
    assert solver.state["average"].tobytes() == whole.state["average"].tobytes()
    assert repr(solver) == f"<Solver of goofspiel by {solver.method}: 100 iterations>"


def test_uniform_compile_and_check():
    assert set(mccfr.uniform("leduc").probabilities) == {0.5, 1 / 3}
    tree = mccfr.compile_game(MyGame())
    assert mccfr.compile is mccfr.compile_game
    assert (len(tree), len(tree.infosets)) == (11, 3)
    assert mccfr.check_game(MyGame()).nodes == 11


def test_a_game_of_ones_own_is_solved():
    """A bluff of 1/3 and a call of 2/3, by making the other player indifferent."""
    for method in ("lp", "auto"):
        strategy = mccfr.solve(MyGame(), method).strategy()
        assert strategy["high"] == pytest.approx({"bet": 1.0, "pass": 0.0}, abs=1e-9)
        assert strategy["low"]["bet"] == pytest.approx(1 / 3)
        assert strategy["facing a bet"]["call"] == pytest.approx(2 / 3)
        assert mccfr.expected_value(strategy) == pytest.approx(1 / 3)
    larger = mccfr.solve(MyGame(stake=3.0), "lp").strategy()
    assert larger["low"]["bet"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("kuhn", "kuhn"),
        ("leduc(suits=False, shift=100)", "leduc(suits=False, shift=100)"),
        ("gp(6,4,4,1)", "gp(types=6, copies=4, raises=4)"),
        ("goofspiel(n=6)", "goofspiel(n=6)"),
        ("bluff(2,1)", "bluff(dice0=2)"),
        ('bluff(1,1,rounds="one")', "bluff(rounds=one)"),
        ("bluff(1,1,rounds=one)", "bluff(rounds=one)"),
        ("openspiel:liars_dice", "openspiel:liars_dice"),
    ],
)
def test_strings_of_games(text, written):
    game = mccfr.game(text)
    assert isinstance(game, mccfr.Game)
    assert mccfr.game(str(game)) == game
    assert str(game) == written
    assert mccfr.game(written) == game


def test_efg_files():
    path = DATA / "myerson.efg"
    for text in (f"efg:{path}", str(path)):
        strategy = mccfr.solve(text, "lp").strategy()
        assert mccfr.exploitability(strategy) == pytest.approx(0, abs=1e-12)
    assert mccfr.compile(mccfr.read_efg(path)).fingerprint == mccfr.compile(f"efg:{path}").fingerprint


def test_games_in_files(tmp_path):
    source = Path(__file__).read_text()
    body = source[source.index("@dataclasses.dataclass") : source.index("def test_the_first_lines")]
    file = tmp_path / "mine.py"
    file.write_text(f"import dataclasses\nfrom mccfr import CHANCE, TERMINAL\n\n\n{body}")
    expected = mccfr.compile(MyGame()).fingerprint
    for text in (str(file), f"{file}:MyGame", f"{file}:MyGame()", f"{file}:MyGame(stake=2.0)"):
        assert mccfr.compile(text).fingerprint == expected
    assert mccfr.compile(f"{file}:MyGame(3.0)").fingerprint != expected


@pytest.mark.parametrize(
    "method",
    [
        "cfr",
        "cfr_plus",
        "lcfr",
        "dcfr(1.5,0,2)",
        "pcfr_plus",
        "lp",
        "cfr+rm+linear",
        "cfr_plus+skip(1000)",
        "pdcfr_plus",
        "sapcfr_plus",
        "hs_dcfr",
        "dcfr_restarts",
    ],
)
def test_strings_of_methods(method):
    solver = mccfr.solve("kuhn", method, iterations=1500)
    assert solver.exploitability() < 0.01
    assert mccfr.Method.parse(str(solver.method)) == solver.method


def test_the_front_door_has_what_it_says():
    for name in mccfr.__all__:
        assert getattr(mccfr, name) is not None
    assert set(mccfr.__all__) <= set(dir(mccfr))
    assert len(mccfr.__all__) <= 77
    with pytest.raises(AttributeError, match="module 'mccfr' has no attribute 'sovle'"):
        mccfr.sovle  # noqa: B018


def test_the_front_door_is_what_type_checkers_see():
    """The names are written twice: where they are found when used, and for those who only read."""
    source = ast.parse(Path(mccfr.__file__).read_text())
    (block,) = (node for node in source.body if isinstance(node, ast.If))
    seen = {alias.asname: (node.module, alias.name) for node in block.body for alias in node.names}
    assert seen == {name: (home, name) for name, home in mccfr._HOME.items()}


# ---- parts


@pytest.mark.slow
def test_parts_are_modules_of_the_front_door():
    from mccfr import averaging, estimators, minimisers, samplers

    assert samplers is sys.modules["mccfr.kernel.samplers"] is mccfr.samplers
    method = mccfr.Method(sampler=samplers.Outcome(0.6))
    assert method == mccfr.Method.parse("outcome(0.6)")
    assert (method.estimator, method.minimiser, method.averaging) == (
        estimators.Plain(),
        minimisers.RM(),
        averaging.Average(),
    )
    whole = mccfr.Method(
        samplers.Robust(2), minimisers.RMPlus(), averaging.OwnAverage(1.0), estimator=estimators.History(0.5)
    )
    assert str(whole) == "robust(k=2)+history(rate=0.5)+rm_plus+linear+own_average"
    one, other = (mccfr.Solver("kuhn", m, seed=3).run(100).state["regret"] for m in (whole, str(whole)))
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("module", ["samplers", "estimators", "minimisers", "averaging"])
def test_parts_are_there_before_anything_else_is(module):
    script = f"import mccfr; print(mccfr.{module}.__name__)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told == f"mccfr.kernel.{module}\n"


SWEEPS_ONLY = {"DiscountedAfter", "PredictiveDiscounted", "Scheduled", "RestartedAverage", "ScheduledAverage"}
BOUND = {"PackedList", "DealtInfoset", "BucketInfoset", "LazilyDiscounted", "Deferred"}  # made by solvers
ROLES = {"samplers": "sampler", "estimators": "estimator", "minimisers": "minimiser", "averaging": "averaging"}


def parts(module):
    """The classes of parts in a module of the front door."""
    found = [part for part in vars(getattr(mccfr, module)).values() if isinstance(part, type)]
    own = [part for part in found if part.__module__ == f"mccfr.kernel.{module}"]
    return [part for part in own if hasattr(part, "_fields") and part.__name__ not in BOUND]


@pytest.mark.parametrize(("module", "part"), [(module, part) for module in ROLES for part in parts(module)])
def test_every_part_can_be_put_into_a_method(module, part):
    sampler = {} if part.__name__ in SWEEPS_ONLY else {"sampler": mccfr.samplers.External()}
    method = mccfr.Method(
        **{**sampler, ROLES[module]: part(*([1.5, 0.0][: len(part._fields)] if "Discounted" in part.__name__ else []))}
    )
    assert mccfr.Method.parse(str(method)) == method


@pytest.mark.parametrize(
    ("role", "value", "right"),
    [
        ("sampler", "outcome", "mccfr.samplers.Outcome(0.6), got 'outcome'"),
        ("sampler", mccfr.samplers.Outcome, "mccfr.samplers.Outcome(0.6), got <class 'mccfr.kernel.samplers.Outcome'>"),
        ("minimiser", None, "mccfr.minimisers.RMPlus(), got None"),
        ("averaging", 1.0, "mccfr.averaging.Average(1.0), got 1.0"),
        ("estimator", "history", "mccfr.estimators.History(), got 'history'"),
        ("play", 0.01, "mccfr.kernel.play.Floor(0.01), got 0.01"),
    ],
)
def test_what_is_no_part_is_refused(role, value, right):
    with pytest.raises(mccfr.MccfrError) as error:
        mccfr.Method(**{role: value})
    assert str(error.value) == f"Method: {role} must be a part such as {right}; Method.parse takes strings"


# ---- experiments


@pytest.mark.slow
def test_races_and_comparisons_as_functions(tmp_path, capsys):
    told = []
    race = mccfr.race(
        "kuhn", ["outcome", "cfr_plus"], 0.1, 2, out=tmp_path, jobs=2, watch=lambda *news: told.append(news[:2])
    )
    assert [entry.method for entry in race.standings] == ["cfr_plus", "outcome"]
    assert [len(race.curves[method]) for method in ("cfr_plus", "outcome")] == [1, 2]
    assert (race.failed, race.folder) == ([], tmp_path)
    assert (told[0], told[-1]) == ((0, 3), (3, 3))

    found = mccfr.compare(tmp_path / "outcome", f"{tmp_path}/cfr*")
    assert [entry.axis for entry in found] == ["walks", "nodes", "seconds"]
    runs = [mccfr.Run(tmp_path / "outcome" / f"seed-{seed}") for seed in (1, 2)]
    assert mccfr.compare([*runs, tmp_path / "outcome"], [tmp_path / "cfr_plus"]) == found
    with pytest.raises(
        mccfr.MccfrError, match=r"^compare takes two groups of runs, but one is empty: give at least one"
    ):
        mccfr.compare(runs, [])
    with pytest.raises(mccfr.MccfrError, match="unknown method 'extrenal'; did you mean external"):
        mccfr.race("kuhn", ["extrenal"], out=tmp_path / "new")
    assert not (tmp_path / "new").exists()
    assert capsys.readouterr() == ("", "")


def test_a_sweep_as_a_function(tmp_path, capsys):
    file = tmp_path / "first.toml"
    file.write_text('games = "kuhn"\nmethods = ["cfr", "external"]\nseeds = 1\niterations = 100\n')
    rows = mccfr.sweep(file, jobs=1).rows
    assert [(row["method"], row["iterations"], row["error"]) for row in rows] == [
        ("cfr", 100, ""),
        ("external", 100, ""),
    ]
    assert (tmp_path / "first" / "summary.parquet").is_file()
    assert mccfr.sweep(str(file)).rows == rows  # nothing is run again
    assert capsys.readouterr() == ("", "")


def test_a_paper_as_a_function(tmp_path, monkeypatch, capsys):
    with pytest.raises(mccfr.MccfrError, match=r"^no figure 'fig2': did you mean davis2019-fig2 or gibson2012-fig2"):
        mccfr.paper("fig2")
    with pytest.raises(mccfr.MccfrError, match=r"^kuhn-page counts iterations, not time: leave hours out$"):
        mccfr.paper("kuhn-page", hours=1.0)
    from mccfr.papers.catalogue import FIGURES

    figure = FIGURES["davis2019-table1"]
    monkeypatch.setitem(FIGURES, "davis2019-table1", figure._replace(quick=figure.quick._replace(games=("leduc",))))
    outcome = mccfr.paper("davis2019-table1", out=tmp_path, workers=1)
    assert outcome.folder == tmp_path
    assert outcome.claims
    assert "Made by `mccfr.paper('davis2019-table1')`" in (tmp_path / "README.md").read_text()
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_the_docstring_is_the_tour(tmp_path):
    code = [line[4:] for line in mccfr.__doc__.splitlines() if line.startswith("    ")]
    assert len(code) >= 4
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(code)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(mccfr.__file__).parent.parent), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "leduc · cfr_plus, 1,000 iterations · 936 infosets" in done.stdout
    assert (tmp_path / "leduc.mccfr").exists()


def test_every_error_is_one_of_ours():
    from mccfr import errors

    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, Exception)]
    kinds = [kind for kind in kinds if not issubclass(kind, Warning)]
    assert all(issubclass(kind, mccfr.MccfrError) for kind in kinds)
    assert {kind.__name__ for kind in kinds} >= {"GameError", "TreeError", "MethodError", "StrategyError", "FileError"}
