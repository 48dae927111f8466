"""Numbers and names as people type them: understood, or answered in a line that shows what is."""

import json

import pytest
from click.testing import CliRunner

import mccfr
from mccfr.amounts import AmountError, read_count, read_seconds
from mccfr.cli.main import cli
from mccfr.errors import GameError, MethodError
from mccfr.experiments.sweep_file import read_sweep

COUNTS = {
    **{"1000": 1000, "1_000": 1000, "1,000": 1000, "1,234,567": 1_234_567, " 7 ": 7, "0": 0},
    **{"10k": 10_000, "10K": 10_000, "2.5k": 2500, "1M": 10**6, "1m": 10**6, "0.5M": 500_000, ".5k": 500},
    **{"1G": 10**9, "1B": 10**9, "2t": 2 * 10**12, "4e6": 4_000_000, "1E+3": 1000, "1.5e3": 1500, "9e18": 9 * 10**18},
}
NO_COUNTS = (
    *("1.5", "1.000", "1.0", "1,00", "1,0000", "12,34", "", "k", "1kk", "1e", "1e-3", "2.5", "0.0001k", "1.00005k"),
    *("-1", "abc", "ten", "1 000", "inf", "nan", "1e19", "1e999", "1e99999999", "9" * 200, "1__0", "_1", "0x10"),
)
TIMES = {
    **{"90": 90.0, "90s": 90.0, "0.5": 0.5, "1e-1": 0.1, "1m": 60.0, "2min": 120.0, "1h30m": 5400.0, "1.5h": 5400.0},
    **{"1h 30min": 5400.0, "2 hours": 7200.0, "1d": 86400.0, "250ms": 0.25, "1H": 3600.0, "1m30s": 90.0, "1m30": None},
}
METHODS = {
    **{"CFR+": "cfr_plus", "cfr+": "cfr_plus", "CFR": "cfr", "cfrplus": "cfr_plus", "Cfr_Plus": "cfr_plus"},
    **{"DCFR": "dcfr(1.5, 0, 2)", "linear cfr": "lcfr", "Linear-CFR": "lcfr", "pcfr+": "pcfr_plus", "LP": "lp"},
    **{"es": "external", "external_sampling": "external", "external-sampling": "external", "ES-MCCFR": "external"},
    **{"os": "outcome(epsilon=0.6)", "outcome sampling": "outcome(epsilon=0.6)"},
    **{"Outcome Sampling(0.4) + Predictive Baseline": "outcome(epsilon=0.4)+predictive"},
    **{"external+probe": "external+probe(rollouts=1)", "cfr+linear": "cfr+linear", "cfr++skip(9)": "cfr_plus+skip(9)"},
    **{"external+rm+": "external+rm_plus", "external+RM++linear": "external+rm_plus+linear"},
    "cfr+rm+": "cfr_plus+constant",
    **{"include(0.5, always='Fold + Raise')+probe": "include(p=0.5, always='Fold + Raise')+probe(rollouts=1)"},
    "cfr+skip(1e3)": "cfr+skip(1000)",
}  # fmt: skip
NO_METHODS = {
    "mccfr": "mccfr is a family of methods: say external (external sampling) or outcome (outcome sampling)",
    "PCFR": "pcfr is not here, only its form with regret matching+: say pcfr_plus",
    "externl samplng": "unknown method 'externl_samplng'; did you mean external?",
    "outcome+": "there is no 'outcome+'; a part follows a +, as in external+predictive",
    "cfr+skip(1.5)": "skip: skip must be a whole number from 0, got 1.5",
}
GAMES = {
    **{"Leduc": "leduc", "KUHN": "kuhn", "leduc_poker": "leduc", "kuhn_poker": "kuhn", "Kuhn Poker": "kuhn"},
    **{"Leduc Hold'em(suits=False)": "leduc(suits=False)", "rock paper scissors": "rps", "Liar's Dice": "bluff"},
    **{"liars_dice": "bluff", "Dealt:Leduc": "dealt:leduc", "dealt: kuhn poker": "dealt:kuhn"},
}
NO_GAMES = {
    "holdem": "missing a required argument: 'betting'",
    "Texas Hold'em": "a spot of hold'em is spot(...), whole hands are holdem(BETTING), preflop only is nlph",
    "poker": "a spot of hold'em is spot(...), whole hands are holdem(BETTING), preflop only is nlph",
    "matching pennies": "matching pennies is matrix([[1,-1],[-1,1]])",
    "leduk": "did you mean leduc?",
    "tic_tac_toe": "known: bluff, goofspiel, gp, holdem, kuhn, leduc, matrix, nlph, rps, spot",
    "leduc_poker(": "cannot read",
}


def run(*args):
    return CliRunner().invoke(cli, [str(a) for a in args])


@pytest.mark.parametrize("text", COUNTS)
def test_counts(text):
    assert read_count(text) == COUNTS[text]


@pytest.mark.parametrize("text", NO_COUNTS, ids=lambda text: text[:12])
def test_what_is_no_count(text):
    with pytest.raises(AmountError) as told:
        read_count(text)
    assert "10k" in str(told.value) or "2^63" in str(told.value)
    assert len(str(told.value)) <= 300


@pytest.mark.parametrize("text", TIMES)
def test_times(text):
    if TIMES[text] is None:
        with pytest.raises(AmountError):
            read_seconds(text)
    else:
        assert read_seconds(text) == TIMES[text]


@pytest.mark.parametrize("text", ["", "s", "1x", "-1", "nan", "inf", "1h30", "one minute", "1e400", "1:30"])
def test_what_is_no_time(text):
    with pytest.raises(AmountError, match=r"is not a time: write 90, 90s, 2min, 1\.5h or 1h30m"):
        read_seconds(text)


def test_counts_and_times_on_the_command_line():
    found = json.loads(run("solve", "Kuhn", "-m", "CFR+", "-n", "2.5k", "--seconds", "2min", "--json").stdout)
    assert (found["game"], found["method"], found["iterations"]) == ("kuhn", "cfr_plus", 2500)
    audited = json.loads(run("audit", "kuhn", "-m", "ES", "--sampled", "-n", "1k", "-s", "1_0", "--json").stdout)
    assert (audited["rows"][0]["method"], audited["rows"][0]["samples"], audited["seed"]) == ("external", 1000, 10)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("-n", "1.5", "'1.5' is not a whole number: write 1000, 1_000, 1,000, 10k, 2.5M, 1G or 4e6."),
        ("-n", "0k", "0 is out of range: give a whole number from 1."),
        ("--seed", "-1", "'-1' is not a whole number"),
        ("--seconds", "soon", "'soon' is not a time: write 90, 90s, 2min, 1.5h or 1h30m."),
        ("--seconds", "0s", "0 s is too short: give more than 0 s."),
    ],
)
def test_numbers_that_are_none(option, value, message):
    result = run("solve", "kuhn", option, value)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("text", METHODS)
def test_methods(text):
    method = mccfr.Method.parse(text)
    assert str(method) == METHODS[text]
    assert mccfr.Method.parse(mccfr.Method.spelled(text)) == method


def test_auto_in_any_capitals():
    assert mccfr.Method.spelled(" AUTO ") == "auto"
    assert str(mccfr.Solver("kuhn", "Auto").method) == "lp"


@pytest.mark.parametrize("text", NO_METHODS)
def test_methods_that_are_answered(text):
    with pytest.raises(MethodError) as told:
        mccfr.Method.parse(text)
    assert NO_METHODS[text] in str(told.value)


@pytest.mark.parametrize("text", GAMES)
def test_games(text):
    assert str(mccfr.game(text)) == GAMES[text]


@pytest.mark.parametrize("text", NO_GAMES)
def test_games_that_are_answered(text):
    with pytest.raises(GameError) as told:
        mccfr.game(text)
    assert NO_GAMES[text] in str(told.value)
    assert len(str(told.value)) <= 300


@pytest.mark.slow
def test_open_spiel_names_are_of_the_same_games():
    pytest.importorskip("pyspiel")
    for name in ("kuhn_poker", "leduc_poker", "liars_dice"):
        ours, theirs = mccfr.compile(name), mccfr.compile(f"openspiel:{name}")
        assert ours.counts["terminals"] == theirs.counts["terminals"], name
        values = [mccfr.expected_value(mccfr.solve(tree, "dcfr", iterations=200)) for tree in (ours, theirs)]
        assert values[0] == pytest.approx(values[1], abs=1e-9), name


def test_what_is_saved_is_our_name(tmp_path):
    run = mccfr.train(tmp_path / "a", "Kuhn Poker", "CFR+", iterations=10.0)
    assert (run.config.game, run.config.method, run.config.iterations) == ("kuhn", "cfr_plus", 10)
    assert run.strategy().origin.method == "cfr_plus"
    again = mccfr.train(tmp_path / "a", "KUHN", "cfr+", iterations=2e1)
    assert again.status.iterations == 20


def test_counts_in_python():
    assert mccfr.solve("kuhn", "cfr_plus", iterations=1e2).iterations == 100
    assert mccfr.Solver("kuhn", "cfr_plus").run(1e2).iterations == 100
    assert mccfr.check_game("kuhn", most=1e5).complete
    for wrong in (1.5, "10k", True, -1, float("nan"), float("inf")):
        with pytest.raises(MethodError, match=r"^iterations must be a whole number from 0, got "):
            mccfr.solve("kuhn", "cfr_plus", iterations=wrong)
    with pytest.raises(MethodError, match=r"^seed must be a whole number from 0 to 2\^63 - 1, got 0\.5$"):
        mccfr.Solver("kuhn", seed=0.5)
    with pytest.raises(MethodError, match=r"^seconds must be a number from 0, got '1m'$"):
        mccfr.solve("kuhn", "cfr_plus", seconds="1m")


def test_sweep_files_too(tmp_path):
    text = 'games = ["Kuhn"]\nmethods = ["CFR+", "es"]\nseeds = 2\niterations = "10k"\nseconds = "1h30m"\n'
    (tmp_path / "a.toml").write_text(f'{text}[[override]]\nmethods = ["ES"]\niterations = 1e3\n')
    found = read_sweep(tmp_path / "a.toml")
    assert (found.games, found.methods) == (["kuhn"], ["cfr_plus", "external"])
    assert found.settings == {"iterations": 10_000, "seconds": 5400.0}
    assert found.settings_of("kuhn", "external")["iterations"] == 1000


def test_a_strategy_goes_to_a_strategy_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, rest in (("k.csv", "take --out k.mccfr, then mccfr export k.mccfr k.csv"), ("k.txt", "--out k.mccfr")):
        result = run("solve", "kuhn", "--out", name)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"mccfr: error: --out {name}: a strategy is saved as .mccfr")
        assert result.stderr.rstrip().endswith(rest)
    assert run("solve", "kuhn", "-n", "10", "-m", "cfr_plus", "--out", "v1.2").exit_code == 0
    assert mccfr.Run("v1.2").status.iterations == 10
    with pytest.raises(mccfr.MccfrError, match=r"use mccfr\.export_csv"):
        mccfr.uniform("kuhn").save("k.csv")
    assert not (tmp_path / "k.csv").exists()


def test_help_and_version_as_words():
    assert run("help", "solve").stdout == run("solve", "--help").stdout
    assert run("version").stdout == f"mccfr {mccfr.__version__}\n"


def test_files_that_are_nearly_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mccfr.uniform("kuhn").save("kuhn.mccfr")
    (tmp_path / "coin.py").write_text("raise SystemExit('was run')")
    assert "cannot read kuhn.mcfr: no such file; did you mean kuhn.mccfr?" in run("show", "kuhn.mcfr").stderr
    assert "unknown game 'coin'; did you mean coin.py?" in run("solve", "coin").stderr
    assert "no such file; a strategy is" in run("show", "coin.py:Coin").stderr


def test_uniform_is_an_opponent_in_every_game():
    named = json.loads(run("evaluate", "uniform:kuhn", "--against", "uniform:kuhn", "--json").stdout)["against"]
    found = json.loads(run("evaluate", "uniform:kuhn", "--against", "Uniform", "--json").stdout)["against"]
    assert found == {**named, "strategy": "uniform"}


def test_workers_in_any_capitals():
    found = json.loads(run("solve", "kuhn", "-m", "external", "-n", "10", "--workers", "ALL", "--json").stdout)
    assert found["workers"] >= 1
