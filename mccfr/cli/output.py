"""What all commands share: one JSON document, aligned lines for people, numbers written one way."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

OK, BROKEN_PIPE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130  # exit codes
ROUNDING = 1e-14
PIPE_WIDTH = 120  # columns when stdout is not a terminal

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
game_option = click.option(
    "--game", metavar="GAME", help="The game of a strategy file, if it is a program of yours (mygame.py:Class)."
)


def print_json(document: Mapping[str, Any]) -> None:
    """The one document of a command; never NaN, which is not JSON; values of a user's own types as text."""
    click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2, default=str))


def print_lines(lines: Iterable[tuple[str, str]]) -> None:
    """Names and what they are, aligned."""
    lines = list(lines)
    width = max(len(name) for name, _ in lines)
    for name, text in lines:
        click.echo(f"{name:<{width}}  {text}")


def console() -> "Console":
    """Stdout for tables: as wide as the terminal, or wide enough for a pipe."""
    from rich.console import Console

    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if known else PIPE_WIDTH, highlight=False)


def number(value: float) -> str:
    """A measured number: six digits; what is 0 but for rounding is 0."""
    return f"{value:.6g}" if abs(value) > ROUNDING else "0"


def sizes_text(counts: Mapping[str, int]) -> str:
    """The sizes of a tree in a few words."""
    return (
        f"{counts['nodes']:,} nodes, {counts['infosets']:,} infosets, "
        f"{counts['infoset_actions']:,} infoset-actions, {counts['terminals']:,} terminals"
    )
