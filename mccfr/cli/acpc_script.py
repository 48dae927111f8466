"""`mccfr acpc-script`: the program of two words, HOST and PORT, that dealers call."""

import shlex

import click

from mccfr.cli.acpc import agent_and_table, game_option, hands_option
from mccfr.cli.output import json_option, print_json
from mccfr.cli.sources import require_writable
from mccfr.cli.typed import SEED


@click.command()
@click.argument("agent")
@click.argument("file", type=click.Path())
@game_option
@hands_option
@click.option("--seed", metavar="N", type=SEED, default=0, help="Seed of the agent's dice. [default: 0]")
@json_option
def command(agent: str, file: str, game: str | None, hands: int, seed: int, as_json: bool) -> None:
    """Write a script to FILE that plays AGENT when a dealer calls it with HOST and PORT.

    The script calls this Python by its full path, in the folder in which you are now. The agent and the game are
    checked before it is written.
    """
    from mccfr.protocols.acpc_launcher import write_script

    require_writable(file)
    player, table = agent_and_table(agent, game, seed)
    player.close()
    given = [("--game", game), ("--hands", hands), ("--seed", seed)]
    write_script(file, [agent, *(word for name, value in given if value for word in (name, str(value)))])
    if as_json:
        print_json({"command": "acpc-script", "agent": agent, "file": file, "table": repr(table)})
    else:
        click.echo(f"wrote {file}: {agent} at {table!r}")
        path = file if "/" in file else f"./{file}"
        click.echo(f"next: mccfr acpc-dealer GAME bot={shlex.quote(f'exe:{path}')} other=always_call --hands 100")
