"""docs/command-line.md shows what the commands print: the same words in the same order, whatever the numbers."""

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mccfr.cli.main import COMMANDS, cli

PAGE = (Path(__file__).parent.parent / "docs" / "command-line.md").read_text()
BLOCKS = re.findall(r"^```console\n\$ mccfr (.*?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def words(text):
    """Without numbers, bars and marks of charts, which may differ from machine to machine."""
    return " ".join(re.sub(r"[-+]?\d[\d.,]*(e[-+]?\d+)?([kMG]\b)?|[●·█━─┬]", " ", text).split())


def test_every_command_has_an_example():
    assert {command.split()[0] for command, _ in BLOCKS} == set(COMMANDS)


def test_every_command_is_in_the_table():
    """With the sentence that `mccfr --help` prints, and a link to its section."""
    rows = re.findall(r"^\| \[`mccfr ([\w-]+)`\]\(#([\w-]+)\) \| (.*) \|$", PAGE, re.MULTILINE)
    assert {name: text for name, _, text in rows} == {
        name: (help_text[0].lower() + help_text[1:]).removesuffix(".") for name, help_text in COMMANDS.items()
    }
    assert all(name == anchor and f"\n## {name}\n" in PAGE for name, anchor, _ in rows)


@pytest.mark.slow
def test_the_page_shows_what_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")  # the demo looks for mccfr there
    (python,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "coin.py").write_text(python)
    for command, shown in BLOCKS:
        result = CliRunner().invoke(cli, shlex.split(command))
        assert result.exit_code == (2 if "mccfr: error: " in shown else 0), command
        printed = words(result.stdout + result.stderr)
        parts = [words(part) for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]
        assert printed.startswith(parts[0]), command
        assert printed.endswith(parts[-1]), command
        if len(parts) == 1:
            assert printed == parts[0], command


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", PAGE))
def test_links_lead_somewhere(link):
    assert (Path(__file__).parent.parent / "docs" / link).is_file()
