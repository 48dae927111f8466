"""`mccfr completion`: the script that lets a shell complete games, methods, options and files."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from mccfr.cli.completing import SHELLS
from mccfr.cli.main import COMPLETE
from mccfr.cli.output import json_option, print_json

SETUP = {
    "bash": 'add to ~/.bashrc:  eval "$(mccfr completion bash)"',
    "zsh": 'add to ~/.zshrc, after compinit:  eval "$(mccfr completion zsh)"',
    "fish": "mccfr completion fish > ~/.config/fish/completions/mccfr.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@json_option
def command(shell: str | None, as_json: bool) -> None:
    """Print the script that completes mccfr commands in SHELL: bash (4.4 or later), zsh or fish.

    Without SHELL it is the one that the environment names. What a tab offers: commands and options, built-in games,
    methods and after a + their parts, strategy files and run folders.

    \b
    eval "$(mccfr completion bash)"          in ~/.bashrc
    eval "$(mccfr completion zsh)"           in ~/.zshrc, after compinit
    mccfr completion fish > ~/.config/fish/completions/mccfr.fish
    """
    name = shell or _current_shell()
    kind = get_completion_class(name)
    assert kind is not None
    root = click.get_current_context().find_root().command
    script = kind(root, {}, "mccfr", COMPLETE).source()
    if as_json:
        print_json({"command": "completion", "shell": name, "script": script, "setup": SETUP[name]})
    else:
        click.echo(f"# {SETUP[name]}\n{script}")


def _current_shell() -> str:
    named = Path(os.environ.get("SHELL", "")).name
    if named not in SHELLS:
        raise click.UsageError(f"which shell? Give one of {', '.join(SHELLS)}", click.get_current_context())
    return named
