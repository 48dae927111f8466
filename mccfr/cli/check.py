"""`mccfr check`: is this a game?"""

import dataclasses

import click

import mccfr
from mccfr.cli.completing import GameText
from mccfr.cli.output import json_option, print_json, sizes_text


@click.command()
@click.argument("game", metavar="GAME", type=GameText())
@json_option
def command(game: str, as_json: bool) -> None:
    """Check GAME for faults, then compile it.

    GAME is mygame.py, 'mygame.py:Class(arguments)', game.efg or any other game string. Each kind of fault is reported
    in one line on stderr that says where it is (exit code 2).
    """
    rules = mccfr.game(game)
    report = mccfr.check_game(rules)
    tree = mccfr.compile(rules)
    if as_json:
        print_json({"command": "check", **dataclasses.asdict(report), "sizes": tree.counts})
    else:
        click.echo(report)
        click.echo(f"compiled: {sizes_text(tree.counts)}")
        if "boards" not in tree.counts:
            click.echo(f"largest infoset: {tree.counts['largest_infoset']:,} nodes")
