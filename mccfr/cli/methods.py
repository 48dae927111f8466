"""`mccfr methods`: the words that methods are written with, and what one of them means."""

import itertools
import shlex
from typing import Any

import click

import mccfr
from mccfr.cli.completing import WordText
from mccfr.cli.next_command import program
from mccfr.cli.output import console, json_option, print_json, print_lines


@click.command()
@click.argument("name", required=False, type=WordText())
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List all methods and their parts; with NAME, explain one, or each word of a method such as outcome+predictive.

    A method is one of the upper four groups, with parts added by +: external+predictive. Parts of your own are listed
    too: mccfr --use FILE methods. Names as people say them (CFR+, es, outcome sampling) are understood.
    """
    words = mccfr.methods(name)
    if as_json:
        print_json({"command": "methods", "words": [_document(word) for word in words]})
    elif name is None:
        _print_list(words)
    else:
        for number, word in enumerate(words):
            click.echo("\n" if number else "", nl=False)
            _explain(word)


def _document(word: Any) -> dict[str, Any]:
    return {**word._asdict(), "required": list(word.required), "spoken": list(word.spoken), "call": word.call}


def _print_list(words: list[Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    shown = console()
    for title, group in itertools.groupby(words, key=lambda word: word.title):
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(width=34, overflow="fold")
        table.add_column()
        for word in group:
            cited = f" [{word.citation}]" if word.citation else ""
            table.add_row(Text(word.call), Text.assemble(word.summary, (cited, "dim")))
        shown.print(Text(title, style="bold"), table, "")
    click.echo("mccfr methods NAME explains one; docs/choosing-a-method.md says which to take.")


def _explain(word: Any) -> None:
    click.echo(f"{word.summary}\n")
    if word.explanation:
        click.echo(f"{word.explanation}\n")
    lines = [("word", word.call), ("kind", word.kind)]
    if word.parameters:
        lines.append(("parameters", ", ".join(_default(word, name) for name in word.parameters)))
    if word.citation:
        lines.append(("source", word.citation))
    if word.spoken:
        lines.append(("also", ", ".join(word.spoken)))
    lines.append(("example", _example(word)))
    print_lines(lines)


def _default(word: Any, name: str) -> str:
    return f"{name} (must be given)" if name in word.required else f"{name} (default {word.parameters[name]!r})"


def _example(word: Any) -> str:
    game = "dealt:leduc" if word.kind in ("form", "law") else "leduc"
    return shlex.join([program(), "solve", game, "-m", word.example])
