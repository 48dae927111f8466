"""`mccfr serve`: an agent that other programs ask for moves."""

import importlib.util
from typing import Any

import click

import mccfr
from mccfr.cli.output import OK, complete_game, json_option, print_json
from mccfr.errors import MissingExtra

PACKAGES = ("fastapi", "uvicorn", "websockets")
PORT, LOOPBACK = 8766, "127.0.0.1"


@click.command()
@click.argument("agent", metavar="AGENT")
@click.option("--game", metavar="GAME", shell_complete=complete_game, help="The table. [default: the strategy's own]")
@click.option(
    "--port", metavar="P", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free port."
)
@click.option("--host", metavar="H", default=LOOPBACK, show_default=True, help="Address to listen on.")
@click.option("--tables", is_flag=True, help="Load the large tables of buckets first: answers are then much faster.")
@click.option("--seed", metavar="S", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@json_option
def command(agent: str, game: str | None, port: int, host: str, tables: bool, seed: int, as_json: bool) -> int:
    """Answer programs that ask AGENT for moves: a state in, probabilities and a move out, as JSON over HTTP.

    \b
    mccfr serve blueprint:nolimit
    curl -d '{"hole": "AsKs", "line": "r6c/k", "board": "2c3c4c"}' http://localhost:8766/move

    docs/protocols.md describes questions and answers.
    """
    _require_packages()
    from mccfr.playing.agents import make_agent, table_for
    from mccfr.protocols.service import AgentService
    from mccfr.web.agent_service import serve_agent
    from mccfr.web.serving import address, listening

    table = None if game is None else table_for(game)
    service = AgentService(make_agent(agent, table, seed), mccfr.__version__)
    if tables:
        service.prepare()
    listener = listening(host, port)
    where = address(host, listener.getsockname()[1], {}).removesuffix("#")
    if not (host in ("localhost", "::1") or host.startswith("127.")):
        click.echo(f"warning: listening on {host}: others on the network can ask this agent", err=True)

    def ready() -> None:
        told: dict[str, Any] = service.about()
        if as_json:
            print_json(
                {"command": "serve", "address": where, **{key: told[key] for key in ("agent", "schema", "table")}}
            )
        else:
            click.echo(f"{told['agent']} answers at {where} (Ctrl-C ends)")

    serve_agent(service, listener, host, ready)
    return OK


def _require_packages() -> None:
    """Refuse at once if what the service needs is not installed."""
    for package in PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise MissingExtra(package, "web", "mccfr serve")
