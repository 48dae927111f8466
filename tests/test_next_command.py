"""The command to type next keeps what was typed: it can be pasted into a shell and does what it says."""

import shlex

import pytest
from click.testing import CliRunner
from coin_games import HIDDEN_COIN

import mccfr
from mccfr.cli.main import cli


def next_line(*args):
    result = CliRunner().invoke(cli, [str(a) for a in args])
    assert result.exit_code in (0, 1), result.output
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("next ")]
    return line.removeprefix("next").strip()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games" / "coin.py").write_text(HIDDEN_COIN)
    (tmp_path / "parts.py").write_text("import mccfr\n")
    return tmp_path


def test_nothing_typed_is_lost(folder):
    typed = (
        "--use",
        "parts.py",
        "solve",
        "leduc(suits=False)",
        "-m",
        "CFR+",
        "-n",
        "1k",
        "--seed",
        "3",
        "--seconds",
        "1m",
    )
    told = next_line(*typed)
    assert told == (
        "mccfr --use parts.py solve 'leduc(suits=False)' -m cfr_plus -n 1000 --seconds 60 -s 3 --out strategy.mccfr"
    )
    assert next_line(*shlex.split(told)[1:]) == "mccfr show strategy.mccfr"
    assert mccfr.load("strategy.mccfr").origin.seed == 3


def test_options_that_only_tell_are_left_out():
    assert next_line("solve", "kuhn", "--log-json") == "mccfr solve kuhn --out strategy.mccfr"


def test_a_game_of_ones_own_is_named_again(folder):
    game = "my games/coin.py:Coin"
    told = next_line("solve", game, "--out", "my coin.mccfr")
    assert shlex.split(told) == ["mccfr", "show", "my coin.mccfr", "--game", game]
    assert CliRunner().invoke(cli, shlex.split(told)[1:]).exit_code == 0
    told = next_line("solve", game, "-m", "cfr_plus", "-n", "10", "--out", "runs/a")
    assert shlex.split(told) == ["mccfr", "show", "runs/a", "--game", game]
    assert CliRunner().invoke(cli, shlex.split(told)[1:]).exit_code == 0


def test_the_program_is_named_as_it_was_typed(folder, monkeypatch):
    """After `make demo` nothing is on the PATH, and `.venv/bin/mccfr` proposes what begins with `.venv/bin/mccfr`."""
    script = folder / ".venv" / "bin" / "mccfr"
    script.parent.mkdir(parents=True)
    script.touch(mode=0o755)
    monkeypatch.setenv("PATH", "/usr/bin")
    monkeypatch.setattr("sys.argv", [str(script)])
    assert next_line("solve", "kuhn", "--out", "a.mccfr") == ".venv/bin/mccfr show a.mccfr"
    assert next_line("solve", "kuhn", "-m", "cfr", "-n", 5, "--out", "run") == ".venv/bin/mccfr show run"
    monkeypatch.chdir(script.parent)
    assert next_line("solve", "kuhn", "--out", "b.mccfr") == "./mccfr show b.mccfr"
    monkeypatch.setenv("PATH", str(script.parent))
    assert next_line("solve", "kuhn", "--out", "b.mccfr") == "mccfr show b.mccfr"
