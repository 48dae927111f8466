"""`mccfr acpc`: an agent as a client of an ACPC dealer."""

import time
from typing import Any

import click

from mccfr.cli.output import BAD_INPUT, INTERRUPTED, OK, complete_game, duration, json_option, print_json, print_lines
from mccfr.cli.progress import Meter
from mccfr.cli.typed import SEED, Count, Seconds
from mccfr.errors import printable, shortened
from mccfr.signals import sigterm_as_ctrl_c

REFRESH = 0.2  # seconds between two changes of the progress line
GAME_HELP = "The dealer's game, as 'holdem(limit)' or gamedef:FILE. [default: that of the agent's strategy]"
HANDS_HELP = "How many hands to expect: from 2,000 on, large tables are loaded first."
game_option = click.option("--game", metavar="GAME", shell_complete=complete_game, help=GAME_HELP)
hands_option = click.option("--hands", metavar="N", type=Count(0), default=0, help=HANDS_HELP)


@click.command()
@click.argument("agent")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@game_option
@hands_option
@click.option("--seed", metavar="N", type=SEED, default=0, help="Seed of the agent's dice. [default: 0]")
@click.option(
    "--patience", metavar="TIME", type=Seconds(), default=3600.0, help="How long a dealer may be silent. [default: 1h]"
)
@json_option
def command(
    agent: str, host: str, port: int, game: str | None, hands: int, seed: int, patience: float, as_json: bool
) -> int:
    """Play AGENT with the dealer at HOST, PORT until the dealer closes the connection.

    AGENT is a strategy (blueprint:nolimit, a file, a run folder) or another agent, such as always_call. The dealer's
    game must be the agent's, in any unit of chips.
    """
    from mccfr.protocols.acpc_client import Sat, play_over_acpc

    player, table = agent_and_table(agent, game, seed)
    with Meter(not as_json) as meter, sigterm_as_ctrl_c():
        meter.phase("getting ready")
        get_ready(player, hands)
        meter.phase(f"waiting for the dealer at {host}, port {port}")
        told = Throttled(meter)

        def tell(sat: Sat) -> None:
            told.phase(f"{sat.hands:,} hands, {sat.chips:+,.10g} chips")

        found = play_over_acpc(player, table, host, port, seed, patience, tell)
    player.close()
    document = {
        **{"command": "acpc", "agent": agent, "table": repr(table), "hands": found.hands, "chips": found.chips},
        **{"seconds": found.seconds, "ended": found.ended or None},
    }
    if as_json:
        print_json(document)
    else:
        per_hand = f", {1000 * found.chips / found.hands / table.big_blind:+,.1f} mbb/hand" if found.hands else ""
        print_lines(
            [
                ("agent", f"{agent} at {table!r}"),
                ("hands", f"{found.hands:,} in {duration(found.seconds)}"),
                ("won", f"{found.chips:+,.10g} chips{per_hand}"),
            ]
        )
    return ended_code(found.ended)


def agent_and_table(agent: str, game: str | None, seed: int) -> tuple[Any, Any]:
    """An agent by its string, and the table it plays at: that of a game, or its own."""
    from mccfr.playing.agent import AgentError
    from mccfr.playing.agents import make_agent, own_table, table_for

    table = None if game is None else table_for(game)
    player = make_agent(agent, table, seed)
    table = own_table(player) if table is None else table
    if table is None:
        raise AgentError(f"{agent} plays at any table: say at which, as in --game 'holdem(limit)'")
    return player, table


def get_ready(player: Any, hands: int) -> None:
    """Load what an agent needs to play many hands fast."""
    policy = getattr(player, "policy", None)
    if policy is not None:
        policy.prepare(hands)


def ended_code(ended: str) -> int:
    """The exit code, and a line on stderr where a match ended too early."""
    if not ended:
        return OK
    click.echo(f"mccfr: error: {shortened(printable(ended))}", err=True)
    return INTERRUPTED if ended == "stopped" else BAD_INPUT


class Throttled:
    """A progress line that changes a few times a second only."""

    def __init__(self, meter: Meter) -> None:
        self.meter, self._last = meter, 0.0

    def phase(self, text: str) -> None:
        """Show a text, unless the last one is very new."""
        now = time.monotonic()
        if self.meter.shown and now - self._last > REFRESH:
            self._last = now
            self.meter.phase(text)
