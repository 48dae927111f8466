"""`mccfr play`: hands against an agent in the terminal, or spots of one kind."""

import random
import secrets
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import complete_game, json_option, print_json
from mccfr.cli.typed import SEED, Count

if TYPE_CHECKING:
    from mccfr.playing.agent import Agent
    from mccfr.playing.played_hand import HandRecord
    from mccfr.playing.table import Table

AGENT = "blueprint:nolimit"
SEATS = {"alternate": [1, 0], "0": [0], "1": [1]}


@click.command()
@click.argument("agent", default=AGENT)
@click.option(
    "--game", metavar="GAME", shell_complete=complete_game, help="The table, if the agent has none of its own."
)
@click.option("-n", "--hands", type=Count(), metavar="N", help="Stop after so many hands or spots (default: never).")
@click.option("--seed", type=SEED, metavar="S", help="Deal the same cards again; the agent throws the same dice.")
@click.option(
    "--seat", type=click.Choice(list(SEATS)), default="alternate", help="0: big blind, 1: dealer, alternate: in turns."
)
@click.option("--out", metavar="FILE.phhs", help="Save the hands, after each of them.")
@click.option("--spots", metavar="KIND", help="Train: deal only spots of a kind, and judge each decision at once.")
@json_option
def command(
    agent: str,
    game: str | None,
    hands: int | None,
    seed: int | None,
    seat: str,
    out: str | None,
    spots: str | None,
    as_json: bool,
) -> None:
    """Play heads-up hold'em against an agent: blueprint:nolimit unless another is named.

    Type the keys that are offered, or an amount; ? explains, q quits. After each hand you see both hands, what the
    solution does in your place, and which hands the agent plays so. Without a terminal, moves are read from stdin, a
    line each.

    Kinds of spots: preflop, 3bet, flop, turn, river, facing_bet, all_in, flop:Ah7d2c, hands:QQ+,AK; several with ;
    between them.

    \b
    mccfr play
    mccfr play blueprint:limit --hands 20 --out hands.phhs
    mccfr play --spots 'river; hands:QQ+,AK'
    """
    from mccfr.cli.hand_files import require_history_name

    if out is not None:
        if spots is not None:
            raise click.UsageError("--out saves whole hands; spots are not played to their end")
        require_history_name(out)
    number = secrets.randbelow(10**6) if seed is None else seed
    opponent, table = seated(agent, game, number)
    if spots is not None:
        _train(opponent, table, spots, SEATS[seat], hands, number, as_json)
        return
    _play(opponent, table, SEATS[seat], hands, number, out, as_json)


def seated(agent: str, game: str | None, seed: int) -> "tuple[Agent, Table]":
    """The opponent and the table."""
    from mccfr.playing.agents import make_agent, own_table, table_for

    table = None if game is None else table_for(game)
    opponent = make_agent(agent, table, seed)
    found = table if table is not None else own_table(opponent)
    if found is None:
        raise click.UsageError(f"{agent} plays at any table: say at which, as in --game 'holdem(limit)'")
    return opponent, found


def _train(
    opponent: "Agent", table: "Table", spots: str, seats: list[int], count: int | None, seed: int, as_json: bool
) -> None:
    from mccfr.cli.asking import Lines
    from mccfr.cli.play_screen import TableScreen
    from mccfr.cli.play_spots import train
    from mccfr.playing.policy_agent import PolicyAgent

    if not isinstance(opponent, PolicyAgent):
        raise click.UsageError(f"spots are dealt by a strategy, such as {AGENT}, not by {opponent.name}")
    score = train(opponent.policy, spots, TableScreen(Lines(), opponent.name), seats, count, seed)
    click.echo(f"{score} (seed {seed})")
    if as_json:
        print_json({"command": "play", "agent": opponent.name, "spots": spots, "seed": seed, **score.document()})


def _play(
    opponent: "Agent", table: "Table", seats: list[int], count: int | None, seed: int, out: str | None, as_json: bool
) -> None:
    from mccfr.cli.asking import Lines
    from mccfr.cli.hand_files import write_history
    from mccfr.cli.play_report import print_hand, print_result
    from mccfr.cli.play_screen import TableScreen
    from mccfr.playing.human import Human, LeftTheTable
    from mccfr.playing.running_result import FAIR, RunningResult
    from mccfr.playing.solution import solution_for

    solution = solution_for(table, opponent)
    human = Human(TableScreen(Lines(), opponent.name, tells_end=False), solution)
    result, records = RunningResult(table.big_blind), list["HandRecord"]()
    try:
        while count is None or len(records) < count:
            seat = seats[len(records) % len(seats)]
            records.append(_one_hand(table, human, opponent, seat, seed, len(records)))
            policy = getattr(opponent, "policy", None)
            result.add(records[-1], seat, (None, policy) if seat == 0 else (policy, None))
            if out is not None:
                write_history(out, records)
            print_hand(records[-1], seat, opponent.name, solution, policy)
            if len(records) != count:
                print_result(result, FAIR)
    except (LeftTheTable, KeyboardInterrupt):
        click.echo("\nYou have left the table; a hand that was not finished does not count.")
    finally:
        opponent.close()
    click.echo(f"Against {opponent.name}, seed {seed}:")
    print_result(result, FAIR)
    if out is not None and records:
        click.echo(f"saved {out}")
    if as_json:
        print_json(_document(opponent, seed, result, records, out))


def _one_hand(table: "Table", human: "Agent", opponent: "Agent", seat: int, seed: int, number: int) -> "HandRecord":
    from mccfr.playing.played_hand import deal_cards, play_hand

    agents = (human, opponent) if seat == 0 else (opponent, human)
    dice = [random.Random(f"{seed}/{number}/{who}") for who in ("cards", "seat 0", "seat 1")]
    return play_hand(table, agents, deal_cards(table, dice[0]), dice[1:], number + 1)


def _document(
    opponent: "Agent", seed: int, result: Any, records: "list[HandRecord]", out: str | None
) -> dict[str, Any]:
    from mccfr.cli.play_report import result_document
    from mccfr.playing.hand_words import cards_text

    hands = [
        {
            "line": record.line,
            "hands": [cards_text(record.table, hole) for hole in record.holes],
            "board": cards_text(record.table, record.board),
            "chips": list(record.chips),
            "names": list(record.names),
        }
        for record in records
    ]
    return {
        "command": "play",
        "agent": opponent.name,
        "seed": seed,
        **result_document(result),
        "out": out,
        "played": hands,
    }
