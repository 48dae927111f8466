"""What to type next: commands that keep what was typed, quoted for the shell."""

import shlex
from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from mccfr.cli.sources import named_by_user

SILENT = ("quiet", "as_json", "log_json", "game", "folder", "name")  # how to tell, and arguments


def typed_again(words: Sequence[str], leave_out: Sequence[str] = (), then: Sequence[str] = ()) -> str:
    """`mccfr --use FILES WORDS OPTIONS THEN`, with the options of the present command that were typed."""
    ctx = click.get_current_context()
    left_out = {*SILENT, *leave_out}
    options: list[str] = []
    for param in ctx.command.params:
        typed = ctx.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
        if isinstance(param, click.Option) and typed and param.name not in left_out:
            options += _option(param, ctx.params[str(param.name)])
    return shlex.join(["mccfr", *_used(ctx), *words, *options, *then])


def show_command(saved: str, game: str) -> str:
    """How to look at what was saved; a game of the user's own has to be named again."""
    own = ["--game", game] if named_by_user(game) else []
    return shlex.join(["mccfr", "show", saved, *own])


def _used(ctx: click.Context) -> list[str]:
    files = ctx.find_root().params.get("files", ())
    return [word for file in files for word in ("--use", file)]


def _option(param: click.Option, value: Any) -> list[str]:
    """An option as it would be typed; numbers without a point that they do not need."""
    name = min(param.opts, key=len)
    if param.is_flag:
        return [name]
    return [name, f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)]
