"""The names other people type (section 4 of the design), typed here as they would."""

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
    tree = mccfr.compile(MyGame())
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
    "method", ["cfr", "cfr_plus", "lcfr", "dcfr(1.5,0,2)", "pcfr_plus", "lp", "cfr+rm+linear", "cfr_plus+skip(1000)"]
)
def test_strings_of_methods(method):
    solver = mccfr.solve("kuhn", method, iterations=1500)
    assert solver.exploitability() < 0.01
    assert mccfr.Method.parse(str(solver.method)) == solver.method


def test_the_front_door_has_what_it_says():
    for name in mccfr.__all__:
        assert getattr(mccfr, name) is not None
    assert set(mccfr.__all__) <= set(dir(mccfr))
    assert len(mccfr.__all__) < 40
    with pytest.raises(AttributeError, match="module 'mccfr' has no attribute 'sovle'"):
        mccfr.sovle  # noqa: B018


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
    assert all(issubclass(kind, mccfr.MccfrError) for kind in kinds)
    assert {kind.__name__ for kind in kinds} >= {"GameError", "TreeError", "MethodError", "StrategyError", "FileError"}
