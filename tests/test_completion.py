"""Shell completion: what a tab offers, by click's classes for each shell, and once by bash itself."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import jsonschema
import pytest
from click.shell_completion import get_completion_class
from click.testing import CliRunner

import mccfr
from mccfr.cli import completing, games
from mccfr.cli.main import COMMANDS, cli
from mccfr.solvers.method import PARTS, RECIPES

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "docs" / "json-schema.json").read_text())


def offered(*words, shell="bash"):
    """What is offered for the last word, with its type."""
    *args, incomplete = words
    found = get_completion_class(shell)(cli, {}, "mccfr", "_MCCFR_COMPLETE").get_completions(args, incomplete)
    return [item.value if item.type == "plain" else (item.type, item.value) for item in found]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mccfr.uniform("kuhn").save("kuhn.mccfr")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "runs" / "a").mkdir(parents=True)
    (tmp_path / "runs" / "a" / "run.json").write_text("{}")
    (tmp_path / "runs" / "empty").mkdir()
    shutil.copy(ROOT / "examples" / "coin_bluff.py", tmp_path)
    return tmp_path


CASES = {
    ("so",): ["solve"],
    ("solve", "le"): ["leduc"],
    ("solve", "de"): [f"dealt:{name}" for name in games.SOURCES],
    ("solve", "dealt:ku"): ["dealt:kuhn"],
    ("solve", "coin_bluff.py:"): ["coin_bluff.py:CoinBluff"],
    ("solve", "coi"): [("file", "coi")],
    ("solve", "kuhn", "-m", "cfr"): ["cfr", "cfr_plus"],
    ("solve", "kuhn", "-m", "external+pre"): ["external+predictive"],
    ("solve", "kuhn", "-m", "outcome(0.6)+rm"): ["outcome(0.6)+rm", "outcome(0.6)+rm_plus"],
    ("solve", "kuhn", "--chec"): ["--checkpoint-every"],
    ("race", "kuhn", "--methods", "cfr,dcfr(1.5,0,2),ext"): ["cfr,dcfr(1.5,0,2),external"],
    ("methods", "prm"): ["prm_plus"],
    ("games", "goo"): ["goofspiel"],
    ("show", ""): ["kuhn.mccfr", "runs/a", "uniform:"],
    ("show", "uniform:ku"): ["uniform:kuhn"],
    ("show", "notes"): [("file", "notes")],
    ("resume", "runs/"): ["runs/a"],
    ("resume", "elsewhere"): [("dir", "elsewhere")],
    ("evaluate", "kuhn.mccfr", "--game", "le"): ["leduc"],
    ("completion", ""): ["bash", "zsh", "fish"],
    ("slove", "ku"): [],
}


@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_what_is_offered(words, folder):
    assert offered(*words) == CASES[words]


@pytest.mark.parametrize("shell", completing.SHELLS)
def test_commands_for_every_shell(shell):
    assert offered("", shell=shell) == list(COMMANDS)


def test_words_are_those_of_the_registries():
    mccfr.methods()  # fills them; files that other tests use may have added some
    recipes, parts = completing.method_words()
    ours = [{n for n, f in words.items() if f.__module__.startswith("mccfr.")} for words in (RECIPES, PARTS)]
    assert [set(recipes), set(parts)] == ours
    assert recipes["external"].startswith("External sampling")


def test_a_file_of_parts_is_read_and_not_run(folder):
    source = (ROOT / "examples" / "hedge.py").read_text()
    (folder / "hedge.py").write_text(f"raise SystemExit('was run')\n{source}")
    assert offered("--use", "hedge.py", "solve", "kuhn", "-m", "external+he") == ["external+hedge"]


def test_bash_breaks_words_at_colons(monkeypatch, folder):
    monkeypatch.setenv("COMP_WORDS", "mccfr\nsolve\ndealt\n:\nku")
    monkeypatch.setenv("COMP_CWORD", "4")
    complete = get_completion_class("bash")(cli, {}, "mccfr", "_MCCFR_COMPLETE")
    assert complete.complete() == "plain,kuhn"
    monkeypatch.setenv("COMP_WORDS", "mccfr\nshow\nuniform\n:")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert complete.complete().splitlines() == [f"plain,{name}" for name in (*games.SOURCES, "dealt:", "openspiel:")]


@pytest.mark.parametrize("shell", completing.SHELLS)
def test_the_script(shell):
    found = json.loads(CliRunner().invoke(cli, ["completion", shell, "--json"]).stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert f"_MCCFR_COMPLETE={shell}_complete" in found["script"]
    assert shell in found["setup"]


def test_the_shell_of_the_environment(monkeypatch):
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert "fish_complete" in CliRunner().invoke(cli, ["completion"]).stdout
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    result = CliRunner().invoke(cli, ["completion"])
    assert result.exit_code == 2
    assert "which shell? Give one of bash, zsh, fish" in result.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_a_real_bash(folder):
    """Its own function fills COMPREPLY as it would after a tab; the command is this interpreter."""
    (folder / "bin").mkdir()
    command = folder / "bin" / "mccfr"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mccfr "$@"\n')
    command.chmod(0o755)
    script = """
        eval "$(mccfr completion bash)"
        complete -p mccfr
        tab() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _mccfr_completion mccfr; echo "${COMPREPLY[*]}"; }
        tab mccfr solve kuhn -m external+pre
        tab mccfr show uniform : ku
    """
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["external+predictive", "kuhn"]
    assert "-F _mccfr_completion mccfr" in done.stdout
    assert done.stderr == ""


def test_a_tab_imports_nothing_slow():
    code = (
        "import sys\nfrom mccfr.cli.main import cli\n"
        "try: cli.main([])\nexcept SystemExit: pass\n"
        "print(sorted({m.partition('.')[0] for m in sys.modules} & {'numba', 'numpy', 'scipy', 'rich'}))"
    )
    asked = {"COMP_WORDS": "mccfr solve kuhn -m ext", "COMP_CWORD": "4", "_MCCFR_COMPLETE": "bash_complete"}
    environment = {**os.environ, **asked, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["plain,external", "[]"]


def test_types_leave_what_is_typed_alone():
    assert completing.GameText().convert("Kuhn", None, None) == "Kuhn"
    assert completing.MethodText().convert("CFR+", None, None) == "cfr_plus"
    on_tab = click.Context(cli, resilient_parsing=True)
    assert completing.MethodText().convert("CFR+", None, on_tab) == "CFR+"
