"""What to type next: commands that keep what was typed, quoted for the shell."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mccfr.cli.sources import named_by_user

SILENT = ("quiet", "as_json", "log_json", "game", "folder", "name")  # how to tell, and arguments


def program() -> str:
    """What the user types to start mccfr: its name where the shell finds it, otherwise the path of the script."""
    script = Path(sys.argv[0])
    return script_as_typed(script) if script.name == "mccfr" and script.is_file() else "mccfr"


def script_as_typed(script: Path) -> str:
    """A script by its name alone if the shell finds this very one by it, otherwise by its path. Not quoted."""
    found = shutil.which(script.name)
    return script.name if found is not None and Path(found).resolve() == script.resolve() else path_as_typed(script)


def path_as_typed(file: str | Path) -> str:
    """A path as it is typed here: relative to this folder if it is inside. Not quoted."""
    absolute, here = Path(file).absolute(), Path.cwd()
    if not absolute.is_relative_to(here):
        return str(absolute)
    inside = str(absolute.relative_to(here))
    return inside if "/" in inside else f"./{inside}"  # a shell looks for a mere name elsewhere


def typed_again(words: Sequence[str], leave_out: Sequence[str] = (), then: Sequence[str] = ()) -> str:
    """`mccfr --use FILES WORDS OPTIONS THEN`, with the options of the present command that were typed."""
    ctx = click.get_current_context()
    left_out = {*SILENT, *leave_out}
    options: list[str] = []
    for param in ctx.command.params:
        typed = ctx.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
        if isinstance(param, click.Option) and typed and param.name not in left_out:
            options += _option(param, ctx.params[str(param.name)])
    return shlex.join([program(), *_used(ctx), *words, *options, *then])


def show_command(saved: str, game: str) -> str:
    """How to look at what was saved: preflop hold'em as a chart; a game of the user's own has to be named again."""
    own = ["--game", game] if named_by_user(game) else []
    name = game.removeprefix("dealt:").partition("(")[0].strip()
    chart = ["--grid", ""] if name == "nlph" else []  # of the first move
    return shlex.join([program(), "show", saved, *own, *chart])


def _used(ctx: click.Context) -> list[str]:
    files = ctx.find_root().params.get("files", ())
    return [word for file in files for word in ("--use", file)]


def _option(param: click.Option, value: Any) -> list[str]:
    """An option as it would be typed; numbers without a point that they do not need."""
    name = min(param.opts, key=len)
    if param.is_flag:
        return [name]
    return [name, f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)]
