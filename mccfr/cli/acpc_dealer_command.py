"""`mccfr acpc-dealer`: deals a match between two players, of which any may be another program."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from mccfr.cli.acpc import Throttled, ended_code
from mccfr.cli.completing import GameText
from mccfr.cli.output import duration, json_option, print_json
from mccfr.cli.progress import Meter
from mccfr.cli.sources import require_writable
from mccfr.cli.typed import SEED, Count, Seconds
from mccfr.errors import FileError
from mccfr.signals import sigterm_as_ctrl_c

Function = Callable[..., Any]


class Ports(click.ParamType):
    """Two ports, as 5000,5001; 0 for any that is free."""

    name = "ports"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """The two numbers."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in value.split(",")]
        if len(words) != 2 or not all(w.isascii() and w.isdigit() and int(w[:6]) < 2**16 for w in words):
            self.fail(f"{value!r} is not two ports, as 5000,5001.", param, ctx)
        return int(words[0]), int(words[1])


def limit_options(function: Function) -> Function:
    """The options of time limits, as the ACPC dealer has them."""
    kinds = {
        "start": (600, "to connect"),
        "average": (7, "for its answers in a hand, on average over the match"),
        "hand": (600, "for all its answers of one hand"),
        "response": (600, "for one answer"),
    }
    for name, (seconds, what) in kinds.items():
        function = click.option(
            f"--{name}-limit",
            metavar="TIME",
            type=Seconds(),
            default=float(seconds),
            help=f"How long a client may take {what}. [default: {seconds} s]",
        )(function)
    return function


@click.command()
@click.argument("game", type=GameText())
@click.argument("a")
@click.argument("b")
@click.option("--hands", metavar="N", type=Count(1), required=True, help="How many hands to play.")
@click.option("--seed", metavar="N", type=SEED, default=0, help="Seed of cards, and of agents' dice. [default: 0]")
@click.option("--log", metavar="FILE", type=click.Path(), help="Write the log of the match here.")
@click.option("--duplicate", is_flag=True, help="Deal the cards of the first half again, with seats exchanged.")
@click.option("--host", default="127.0.0.1", help="The address to listen on. [default: 127.0.0.1, this machine only]")
@click.option("--ports", metavar="P,Q", type=Ports(), default=(0, 0), help="The ports of A and B. [default: free ones]")
@limit_options
@json_option
def command(
    game: str,
    a: str,
    b: str,
    hands: int,
    seed: int,
    log: str | None,
    duplicate: bool,
    host: str,
    ports: tuple[int, int],
    as_json: bool,
    **limits: float,
) -> int:
    """Deal a match of GAME between players A and B and write its log.

    GAME is 'holdem(limit)', 'holdem(nolimit(stack=200))' or gamedef:FILE. A and B are each NAME, a client that connects
    to the port that is printed; NAME=AGENT, an agent that the dealer plays itself (bot=blueprint:limit); or
    NAME=exe:PATH, a program that is started with HOST and PORT.

    The ports are printed in one line, 0 for an agent that needs none. The last line is the score.
    """
    from mccfr.playing.agents import table_for
    from mccfr.protocols.acpc_agent import TimeLimits
    from mccfr.protocols.acpc_dealer import Dealt, Plan, deal_match, header_lines
    from mccfr.protocols.acpc_log import score_line
    from mccfr.protocols.acpc_players import port_of

    table, plan = table_for(game), Plan(hands, seed, duplicate)
    times = TimeLimits(**{name.removesuffix("_limit"): seconds for name, seconds in limits.items()})
    if log is not None:
        require_writable(log)
    with contextlib.ExitStack() as stack:
        meter = stack.enter_context(Meter(not as_json))
        stack.enter_context(sigterm_as_ctrl_c())
        meter.phase("getting ready")
        names, players = _seated(stack, (a, b), table, plan, host, ports, times)
        write = stack.enter_context(_log(log))
        for line in header_lines(Path(log).stem if log else "match", game, plan, times):
            write(line)
        click.echo(" ".join(str(port_of(player)) for player in players))
        meter.phase("waiting for the players")
        told = Throttled(meter)

        def tell(dealt: Dealt) -> None:
            told.phase(f"{dealt.hands:,} of {hands:,} hands, {dealt.names[0]} {dealt.chips[0]:+,.10g} chips")

        found = deal_match(table, players, names, plan, write, tell)
    faults = [_faults(player) for player in players]
    if as_json:
        print_json(_document(game, plan, found, faults, log))
        return ended_code(found.ended)
    if not found.ended:
        click.echo(score_line(found.chips, found.names))
    click.echo(_summary(found, faults), err=True)
    return ended_code(found.ended)


def _seated(
    stack: contextlib.ExitStack, texts: tuple[str, str], table: Any, plan: Any, host: str, ports: Any, times: Any
) -> tuple[tuple[str, str], list[Any]]:
    """The players and their names; they are closed with the stack."""
    from mccfr.protocols.acpc_players import seat_player, split_player
    from mccfr.protocols.acpc_text import AcpcError

    names = split_player(texts[0])[0], split_player(texts[1])[0]
    if names[0] == names[1]:
        raise AcpcError(f"both players are called {names[0]}: give them names of their own")
    players = []
    for number, (text, port) in enumerate(zip(texts, ports)):
        _, player = seat_player(text, table, plan.hands, plan.seed + number, host, port, times)
        stack.callback(player.close)
        players.append(player)
    return names, players


@contextlib.contextmanager
def _log(path: str | None) -> Iterator[Callable[[str], None]]:
    """A function that writes a line of the log; each is in the file when the next hand begins."""
    if path is None:
        yield lambda line: None
        return
    try:
        with Path(path).open("w", encoding="utf-8", buffering=1) as file:
            yield lambda line: _write(path, file, line)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot write {path}: {error.strerror}") from None


def _write(path: str, file: Any, line: str) -> None:
    try:
        file.write(f"{line}\n")
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None


def _faults(player: Any) -> dict[str, int]:
    found = getattr(player, "faults", None)
    return {name: getattr(found, name, 0) for name in ("invalid", "resized", "ignored")}


def _document(game: str, plan: Any, found: Any, faults: list[dict[str, int]], log: str | None) -> dict[str, Any]:
    players = [{"name": name, "chips": chips, **wrong} for name, chips, wrong in zip(found.names, found.chips, faults)]
    return {
        **{"command": "acpc-dealer", "game": game, "seed": plan.seed, "duplicate": plan.duplicate},
        **{"hands": found.hands, "asked": plan.hands, "seconds": found.seconds, "players": players},
        **{"log": log, "ended": found.ended or None},
    }


def _summary(found: Any, faults: list[dict[str, int]]) -> str:
    words = [f"{found.hands:,} hands in {duration(found.seconds)}"]
    if found.seconds > 0:
        words[0] += f" ({found.hands / found.seconds:,.0f} a second)"
    meant = {"invalid": "actions that became calls", "resized": "raises of a wrong size", "ignored": "lines ignored"}
    for name, wrong in zip(found.names, faults):
        words += [f"{name}: {count:,} {meant[kind]}" for kind, count in wrong.items() if count]
    return "; ".join(words)
