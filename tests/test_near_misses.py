"""Every public function with arguments that are nearly right: it works, or one line says what to pass."""

import warnings
from pathlib import Path

import pytest
from coin_games import HIDDEN_COIN
from test_face import MyGame

import mccfr
from mccfr.errors import FileError, StrategyError

NOT_CALLED = {  # values, modules, and classes that the package makes itself
    *("CHANCE", "TERMINAL", "BUILT_IN", "DEALT_ONLY", "samplers", "estimators", "minimisers", "averaging"),
    *("Progress", "Strategy", "BestResponse", "AuditReport", "BenchReport", "Game", "Tree", "HistoryTree"),
    *("DealtTree", "Engine", "MccfrError", "TargetNotReached", "recipe", "part", "bench", "Equity"),
    *("NodeView", "HandView", "Runout", "AbstractExploitability", "RealValue", "PlayedOut", "Agent", "Position"),
}
EXTRA = {  # arguments after the strange one
    "best_response": (0,), "from_dict": ({},), "export_csv": ("o.csv",), "export_json": ("o.json",),
    "write_efg": ("o.efg",), "write_gamedef": ("o.game",), "save_tree": ("o.tree",), "compare": ("run",),
    "train": ("kuhn", "cfr_plus"), "audit": ("external",), "runouts": ("kk/",), "play_out": ("fold",),
    "match": ("always_call",), "position": ("bet",), "refine": (["bet"],),
}  # fmt: skip
KEYS = {
    "spot": {"pot": 1, "stack": 1, "oop": "all", "ip": "all", "bet": "a", "raise_": "a"},
    "solve": {"iterations": 2},
    "train": {"iterations": 2},
    "audit": {"iterations": 100},
}
SECOND = {  # functions whose second argument is strange
    "solve": "kuhn", "Solver": "kuhn", "Method": None, "from_dict": "kuhn", "compile": "kuhn",
    "best_response": "k.mccfr",
    "expected_value": "k.mccfr", "load": "k.mccfr", "check_game": "kuhn", "train": "new",
    "equity": "AA", "position": "k.mccfr", "refine": "k.mccfr", "Resolver": "kuhn",
}  # fmt: skip
ASKED = [name for name in mccfr.__all__ if name not in NOT_CALLED]


class NotAGame:
    pass


@pytest.fixture(scope="module")
def things(tmp_path_factory):
    """What a user may have at hand, by what it is."""
    folder = tmp_path_factory.mktemp("near")
    solver = mccfr.solve("kuhn", "cfr_plus", iterations=10)
    solver.strategy().save(folder / "k.mccfr")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run = mccfr.train("run", "kuhn", "cfr_plus", iterations=10)
    rules = mccfr.game("kuhn")
    return folder, {
        "None": None, "game": "kuhn", "nonsense": "nonsense", "solver": solver, "strategy": solver.strategy(),
        "run": run, "path": Path("k.mccfr"), "folder": "run", "7": 7, "1.5": 1.5, "class": NotAGame,
        "object": NotAGame(), "list": [], "dict": {}, "bytes": b"x", "tree": solver.tree, "rules": rules,
        "rules class": type(rules), "long": "x" * 5000, "function": len, "nan": float("nan"), "True": True, "empty": "",
    }  # fmt: skip


def answer(function, *args, **keys):
    """What comes of a call: nothing to complain of, or one short line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args, **keys)
    except mccfr.MccfrError as error:
        text = str(error)
        assert text
        assert len(text) <= 300
        assert "\n" not in text
        return error


@pytest.mark.parametrize("name", ASKED)
def test_the_first_argument(name, things, monkeypatch):
    folder, values = things
    monkeypatch.chdir(folder)
    assert callable(getattr(mccfr, name))
    for kind, value in values.items():
        if name == "train" and isinstance(value, str | Path) and kind not in ("long", "empty"):
            continue  # a folder by any name
        if name in ("race", "sweep", "paper") and kind in ("game", "rules", "tree"):
            continue  # which they would run
        answer(getattr(mccfr, name), value, *EXTRA.get(name, ()), **KEYS.get(name, {}))


@pytest.mark.parametrize("name", SECOND)
def test_the_second_argument(name, things, monkeypatch):
    folder, values = things
    monkeypatch.chdir(folder)
    for value in values.values():
        answer(getattr(mccfr, name), SECOND[name], value, **KEYS.get(name, {}))


def test_every_public_name_is_asked_or_excused():
    assert set(mccfr.__all__) >= NOT_CALLED
    assert len(ASKED) >= 25
    assert {"exploitability", "check_game", "solve", "methods", "load"} <= set(ASKED)


@pytest.mark.parametrize("kind", ["solver", "strategy", "run", "path", "folder"])
def test_whatever_holds_a_strategy_is_measured(kind, things, monkeypatch):
    folder, values = things
    monkeypatch.chdir(folder)
    given = values[kind]
    assert mccfr.exploitability(given) == pytest.approx(0.0326870906683, abs=1e-12)
    assert mccfr.nash_conv(given) == 2 * mccfr.exploitability(given)
    assert mccfr.expected_value(given) == mccfr.expected_value(given, given)
    assert mccfr.best_response(given, 0).value == mccfr.best_response(values["strategy"], 0).value
    mccfr.export_csv(given, "k.csv")
    assert (folder / "k.csv").read_text().startswith("player,infoset,action,probability,visited\n")


ANSWERS = {
    "a game": (lambda: mccfr.exploitability("Kuhn"), "and 'kuhn' is a game: take mccfr.solve('kuhn')"),
    "no file": (lambda: mccfr.exploitability("nope.mccfr"), "cannot read nope.mccfr: no such file"),
    "nothing": (lambda: mccfr.exploitability(None), "a Strategy, a Solver, a Run, a .mccfr file or a run folder"),
    "player 2": (lambda: mccfr.best_response(mccfr.uniform("kuhn"), 2), "no player 2: the players are 0 and 1"),
    "player '0'": (lambda: mccfr.best_response(mccfr.uniform("kuhn"), "0"), "no player '0': the players are 0 and 1"),
    "a class": (lambda: mccfr.solve(NotAGame), "is a string such as 'leduc', a Game or a Tree, got the class NotAG"),
    "no game": (lambda: mccfr.solve(None), "a game is a string such as 'leduc', a Game or a Tree, got None"),
    "a strategy": (lambda: mccfr.solve(mccfr.uniform("kuhn")), "; its game is in .tree"),
    "a tree": (lambda: mccfr.check_game(mccfr.compile("kuhn")), "check_game takes the rules of a game"),
    "no dict": (lambda: mccfr.from_dict("kuhn", None), "given as {infoset: {action: probability}}, got None"),
    "no method": (lambda: mccfr.audit("kuhn", 7), "audit takes a method, several of them or None, got 7"),
    "compare": (lambda: mccfr.uniform("kuhn").compare(None), "compare takes another Strategy, got None"),
    "moved": (lambda: mccfr.uniform("kuhn").moved_to("kuhn"), "moved_to takes a tree, as mccfr.compile("),
    "limit": (lambda: mccfr.uniform("kuhn").show(limit=-1), "limit must be a whole number from 1, got -1"),
    "watch": (lambda: mccfr.solve("kuhn", "cfr_plus", watch=3), "watch must be a function, got 3"),
    "no path": (lambda: mccfr.Run(None), "a run folder is given by its path, as text or a Path, got None"),
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERS)
def test_what_to_pass_is_said(case):
    call, words = ANSWERS[case]
    with pytest.raises(mccfr.MccfrError) as told:
        call()
    assert words in str(told.value)


def test_a_damaged_file_is_not_a_missing_one(tmp_path):
    (tmp_path / "k.mccfr").write_text("no strategy")
    with pytest.raises(FileError, match="is not a strategy file"):
        mccfr.exploitability(tmp_path / "k.mccfr")
    with pytest.raises(FileError, match=r"has no run\.json"):
        mccfr.exploitability(tmp_path)
    with pytest.raises(FileError, match=r"it is a folder; of a run, mccfr.Run\("):
        mccfr.load(tmp_path)


def test_classes_and_strings_are_games(tmp_path):
    assert mccfr.check_game("kuhn").nodes == mccfr.check_game(type(mccfr.game("kuhn"))).nodes == 58
    assert mccfr.solve(MyGame, "cfr_plus", iterations=5).iterations == 5
    assert mccfr.check_game(MyGame).complete
    mccfr.write_efg("kuhn", tmp_path / "kuhn.efg")
    assert mccfr.compile(tmp_path / "kuhn.efg").counts == mccfr.compile("kuhn").counts
    (tmp_path / "coin.py").write_text(HIDDEN_COIN)
    assert mccfr.check_game(tmp_path / "coin.py").complete


def test_a_game_that_is_not_of_open_spiel():
    pytest.importorskip("pyspiel")
    with pytest.raises(StrategyError, match="must be a name such as 'leduc_poker' or a pyspiel game, got 3"):
        mccfr.uniform("kuhn").to_openspiel(3)


def test_an_opponent_that_is_none_is_named():
    with pytest.raises(StrategyError, match="opponent must be"):
        mccfr.expected_value(mccfr.uniform("kuhn"), 3)
