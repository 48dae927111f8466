"""The commands: what they print, that it agrees with the library, and that --json keeps to docs/json-schema.json."""

import csv
import json
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli import games, solve
from mccfr.cli.chart import log_log_chart
from mccfr.cli.main import COMMANDS, cli

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())


def mccfr_command(*args):
    result = CliRunner().invoke(cli, [str(a) for a in args])
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def document(definition, *args):
    """What a command prints with --json, held to one definition of the schema and to the schema as a whole."""
    found = json.loads(mccfr_command(*args, "--json"))
    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]}).validate(found)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def leduc(folder):
    mccfr.solve("leduc(suits=False)", "cfr_plus", iterations=300).strategy().save("leduc.mccfr")
    return "leduc.mccfr"


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("broken", [{"command": "export"}, {"error": {"type": "GameError", "messages": []}}, {}])
def test_the_schema_refuses(broken):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(broken)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(command):
    text = mccfr_command(command, "--help")
    assert text.startswith(f"Usage: mccfr {command} ")
    assert "--json" in text


def test_help_lists_every_command():
    text = mccfr_command()
    assert text == mccfr_command("-h")
    assert all(f"  {name}" in text and help_text in text for name, help_text in COMMANDS.items())


def test_version():
    assert mccfr_command("--version") == f"mccfr {mccfr.__version__}\n"


def test_methods_named_in_the_help_exist():
    words = re.split(r", |; or a combination such as | or ", solve.METHODS.rstrip("."))
    assert words[0] == "auto"
    assert [str(mccfr.Method.parse(word)) for word in words[1:]]


def test_games_lists_every_built_in_game():
    listed = document("games", "games")["games"]
    assert [game["name"] for game in listed] == [*mccfr.BUILT_IN, *mccfr.DEALT_ONLY] == list(games.SOURCES)
    assert {game["name"]: game["parameters"] for game in listed}["goofspiel"] == {"n": 4, "collapse": True}
    text = mccfr_command("games")
    assert all(game["name"] in text and game["source"].split()[0] in text for game in listed)
    assert "payoffs[row][column]" in text  # not taken for markup


@pytest.mark.parametrize("example", [example for _, example in games.SOURCES.values()])
def test_examples_are_games(example):
    game = mccfr.game(example)
    assert mccfr.compile(game) if example in mccfr.DEALT_ONLY else mccfr.check_game(game, most=1000)


def test_games_describes_kuhn():
    found = document("game", "games", "kuhn")
    assert found["sizes"]["nodes"] == 58
    assert found["value"] == pytest.approx(-1 / 18, abs=1e-9)
    text = mccfr_command("games", "kuhn")
    assert "58 nodes, 12 infosets, 24 infoset-actions, 30 terminals" in text
    assert "-0.0555556 for player 0" in text


def test_games_does_not_compile_what_is_large():
    found = document("game", "games", "goofspiel(n=10)")
    assert found["nodes"] > 10**13
    assert found["sizes"] is None
    assert "not compiled" in found["note"]


def test_check_counts_what_it_saw(folder):
    assert document("check", "check", "leduc")["nodes"] == 9457
    mccfr_command("export", "leduc(suits=False)", "leduc.efg")
    found = document("check", "check", "leduc.efg")
    assert found["complete"]
    assert found["sizes"]["infosets"] == found["infosets"] == 288
    assert mccfr_command("check", "kuhn").splitlines()[0].startswith("kuhn: no faults in 58 nodes")


def test_solve_agrees_with_the_library(folder):
    found = document("solve", "solve", "kuhn", "--method", "cfr_plus", "--iterations", 200, "--out", "kuhn.mccfr")
    twin = mccfr.solve("kuhn", "cfr_plus", iterations=200)
    assert found["iterations"] == 200
    assert found["exploitability"] == mccfr.exploitability(twin.strategy())
    assert found["value"] == mccfr.expected_value(twin.strategy())
    assert found["history"][-1]["exploitability"] == pytest.approx(found["exploitability"], rel=1e-9)
    assert mccfr.load("kuhn.mccfr").to_dict() == twin.strategy().to_dict()


def test_solve_reports(folder):
    text = mccfr_command("solve", "leduc(suits=False)", "--out", "leduc.mccfr")
    lines = dict(line.split(None, 1) for line in text.splitlines())
    assert list(lines) == ["game", "method", "iterations", "exploitability", "value", "saved", "next"]
    assert lines["method"].startswith("lp, chosen because ")
    assert "NashConv / 2" in lines["exploitability"]
    assert lines["value"] == "-0.0856064 for player 0"
    assert lines["next"] == "mccfr show leduc.mccfr"
    assert mccfr_command(*lines["next"].split()[1:])


def test_solve_stops_at_the_target():
    found = document("solve", "solve", "kuhn", "-m", "cfr_plus", "-n", 100_000, "--target", 0.001)
    assert found["target_reached"]
    assert found["iterations"] < 100_000
    assert found["exploitability"] <= 0.001 < found["history"][-2]["exploitability"]


def test_solve_says_when_the_target_was_missed():
    result = CliRunner().invoke(cli, ["solve", "kuhn", "-m", "cfr_plus", "-n", "5", "--target", "1e-9"])
    assert result.exit_code == 1
    assert "target          1e-09 not reached: allow more --iterations" in result.stdout


def test_quiet_solve_prints_nothing(folder):
    assert mccfr_command("solve", "kuhn", "--quiet", "--out", "kuhn.mccfr") == ""
    assert len(mccfr.load("kuhn.mccfr")) == 12


def test_evaluate_agrees_with_the_library(leduc):
    found = document("evaluate", "evaluate", leduc, "--against", "uniform:leduc(suits=False)")
    strategy, uniform = mccfr.load(leduc), mccfr.uniform("leduc(suits=False)")
    assert found["exploitability"] == mccfr.exploitability(strategy)
    assert found["nash_conv"] == pytest.approx(2 * found["exploitability"], rel=1e-12)
    assert sum(found["best_response"]) == pytest.approx(found["nash_conv"], rel=1e-9)
    assert found["against"]["as_player_0"] == mccfr.expected_value(strategy, uniform) > 0
    assert found["against"]["as_player_1"] == -mccfr.expected_value(uniform, strategy) > 0
    text = mccfr_command("evaluate", leduc)
    assert f"exploitability   {found['exploitability']:.6g} (NashConv / 2" in text


def test_evaluate_uniform_kuhn_as_open_spiel_does():
    found = document("evaluate", "evaluate", "uniform:kuhn")  # NashConv of OpenSpiel's UniformRandomPolicy: 11/12
    assert found["nash_conv"] == pytest.approx(11 / 12, abs=1e-12)
    assert found["best_response"] == pytest.approx([1 / 2, 5 / 12], abs=1e-12)
    assert found["value"] == pytest.approx(1 / 8, abs=1e-12)
    assert found["against"] is None


def test_evaluate_pays_out_the_constant(folder):
    """Coins of 10 to share: against itself a strategy gets half of them on average over both seats."""
    game = "\n".join(
        [
            "class Share:",
            "    players = 2",
            "    def root(self): return ''",
            "    def player(self, s): return (0, 1, -2)[len(s)]",
            "    def actions(self, s): return ('a', 'b')",
            "    def chances(self, s): return ()",
            "    def step(self, s, a): return s + a",
            "    def infoset(self, s): return str(len(s))",
            "    def payoff(self, s): return (10, 0) if s == 'aa' else (4, 6)",
        ]
    )
    (folder / "share.py").write_text(game)
    found = document("evaluate", "evaluate", "uniform:share.py", "--against", "uniform:share.py")
    assert found["value"] == found["against"]["as_player_0"] == pytest.approx(5.5)
    assert found["against"]["as_player_1"] == pytest.approx(4.5)
    assert found["against"]["mean"] == pytest.approx(5)


def test_show_one_infoset(leduc):
    (entry,) = document("show", "show", leduc, "K:")["infosets"]
    assert entry["actions"] == mccfr.load(leduc)["K:"]
    assert f"bet {entry['actions']['bet']:.3f}" in mccfr_command("show", leduc, "K:")


def test_show_limits_and_players(leduc):
    found = document("show", "show", leduc, "--player", 1, "--limit", 5)
    assert found["matching"] == 144
    assert [entry["player"] for entry in found["infosets"]] == [1] * 5
    text = mccfr_command("show", leduc, "--player", 1, "--limit", 5)
    assert "139 more" in text
    assert found["infosets"][4]["infoset"] in text


def test_export_csv(leduc):
    found = document("export", "export", leduc, "leduc.csv")
    with Path("leduc.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert found["bytes"] == Path("leduc.csv").stat().st_size
    strategy = mccfr.load(leduc)
    assert list(rows[0]) == ["player", "infoset", "action", "probability", "visited"]
    assert [float(row["probability"]) for row in rows] == strategy.probabilities.tolist()
    assert {(int(row["player"]), row["infoset"]) for row in rows} == {
        (strategy.infosets.owner(j), label) for j, label in enumerate(strategy.infosets.labels)
    }


def test_export_json(leduc):
    mccfr_command("export", leduc, "leduc.txt", "--format", "json")
    found = json.loads(Path("leduc.txt").read_text())
    jsonschema.Draft202012Validator({"$ref": "#/$defs/exported_strategy", "$defs": SCHEMA["$defs"]}).validate(found)
    assert found["iterations"] == 300
    assert {entry["infoset"]: entry["actions"] for entry in found["infosets"]} == mccfr.load(leduc).to_dict()


def test_export_efg_is_the_same_game(folder):
    document("export", "export", "kuhn", "kuhn.efg")
    assert document("game", "games", "kuhn.efg")["value"] == pytest.approx(-1 / 18, abs=1e-9)


def test_demo_computes_what_it_says():
    found = document("demo", "demo")
    assert [row["iterations"] for row in found["milestones"]] == [1, 10, 100, 1000, 10_000]
    assert found["milestones"][-1]["exploitability"] < 1e-4 < found["uniform_exploitability"]
    assert found["lp_value"] == pytest.approx(-0.0856064, abs=1e-6)
    assert abs(found["value"] - found["lp_value"]) <= found["milestones"][-1]["exploitability"] * 2
    text = mccfr_command("demo")
    assert f"{found['milestones'][2]['exploitability']:.6f}" in text
    king = found["strategy"]["first to act with a king"]
    assert f"check {king['check']:.2f}  bet {king['bet']:.2f}" in text


def test_chart_puts_decades_on_a_line():
    chart = log_log_chart({"x": [(1, 1), (10, 0.1), (100, 0.01)]}, width=21)
    assert chart.splitlines() == [
        "   1e0 ┤x",
        "       │",
        "  1e-1 ┤          x",
        "       │",
        "  1e-2 ┤                    x",
        "       └┬─────────┬─────────┬",
        "        1        10        100",
    ]
