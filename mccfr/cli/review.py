"""`mccfr review`: the costliest decisions in hands that were played."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import json_option, print_json
from mccfr.cli.typed import SEED, Count
from mccfr.errors import FileError

if TYPE_CHECKING:
    from mccfr.playing.judging import Judgement
    from mccfr.playing.played_hand import HandRecord
    from mccfr.playing.policy import Policy
    from mccfr.playing.table import Table


@click.command()
@click.argument("file", metavar="FILE.phhs")
@click.option(
    "--hero", required=True, metavar="NAME|0|1", help="Whose decisions: a name, or a seat (0 is the big blind)."
)
@click.option("--against", metavar="AGENT", help="What the other player does; the solution if left out.")
@click.option("--solution", metavar="STRATEGY", help="What decisions are judged by; a blueprint that fits if left out.")
@click.option("--top", type=Count(), default=10, metavar="N", help="Print so many decisions (default: 10).")
@click.option("--boards", type=Count(2, 100_000), metavar="N", help="Draw so many boards for each decision.")
@click.option("--seed", type=SEED, default=0, metavar="S", help="Of the rollouts (default: 0).")
@json_option
def command(
    file: str,
    hero: str,
    against: str | None,
    solution: str | None,
    top: int,
    boards: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Judge a player's decisions and print the costliest.

    A decision is judged by what it is worth if both players go on by the solution, against the hands that the other
    player has by its moves. Its loss is what the solution's own moves are worth there, less that. On the turn and the
    river losses are exact; earlier they come with a 95 % interval.

    \b
    mccfr play --hands 20 --out hands.phhs
    mccfr review hands.phhs --hero human
    """
    from mccfr.cli.hand_files import read_history
    from mccfr.playing.judging import costliest_first, require_player

    records = read_history(file)
    if not records:
        raise FileError(f"{file} has no hands")
    require_player(records, hero)
    found, left_out = list["Judgement"](), list["HandRecord"]()
    try:
        for judgement in _told(_judgements(records, hero, against, solution, boards, seed, left_out)):
            found.append(judgement)
    except KeyboardInterrupt:
        click.echo("stopped; what was judged so far:", err=True)
    order = costliest_first(found)
    if as_json:
        print_json(_document(file, hero, records, left_out, order, top))
        return
    _print(hero, records, left_out, order, top)


def _judgements(
    records: "list[HandRecord]",
    hero: str,
    against: str | None,
    solution: str | None,
    boards: int | None,
    seed: int,
    left_out: "list[HandRecord]",
) -> "Iterator[Judgement]":
    """All decisions, table by table; hands at tables that no solution fits are left out."""
    from mccfr.playing.agent import AgentError
    from mccfr.playing.judging import judge_all, load_kept_tables

    tables = list(dict.fromkeys(record.table for record in records))
    for table in tables:
        here = [record for record in records if record.table == table]
        own = _solution(table, solution)
        if own is None:
            left_out += here
            continue
        other = own if against is None else _policy(against, table)
        load_kept_tables(own, other)
        yield from judge_all(here, hero, own, other, seed, boards)
    if len(left_out) == len(records):
        raise AgentError(f"no blueprint is for {tables[0]!r}: name a strategy for it with --solution FILE.mccfr")


def _solution(table: "Table", solution: str | None) -> "Policy | None":
    from mccfr.playing.solution import solution_for

    return solution_for(table) if solution is None else _policy(solution, table)


def _policy(agent: str, table: "Table") -> "Policy":
    """The policy of an agent that has one."""
    from mccfr.playing.agents import make_agent
    from mccfr.playing.policy import Policy

    policy = getattr(make_agent(agent, table), "policy", None)
    if not isinstance(policy, Policy):
        raise click.UsageError(f"{agent} has no strategy that is known: take blueprint:nolimit or so")
    return policy


def _told(judgements: "Iterable[Judgement]") -> "Iterator[Judgement]":
    """The same, with a line on a terminal that says how far it is."""
    shown = sys.stderr.isatty()
    for number, judgement in enumerate(judgements, 1):
        if shown:
            click.echo(f"\r{number:,} decisions judged", err=True, nl=False)
        yield judgement
    if shown:
        click.echo("\r" + " " * 40 + "\r", err=True, nl=False)


def _document(
    file: str, hero: str, records: "list[HandRecord]", left_out: "list[HandRecord]", order: "list[Judgement]", top: int
) -> dict[str, Any]:
    return {
        **{"command": "review", "file": file, "hero": hero, "hands": len(records), "left_out": len(left_out)},
        **{"decisions": len(order), "right": sum(each.right for each in order), "loss_bb": _total(order)},
        "costliest": [_decision(each) for each in order[:top]],
    }


def _total(order: "list[Judgement]") -> float:
    return sum(each.loss.mean / each.seen.table.big_blind for each in order)


def _decision(judgement: "Judgement") -> dict[str, Any]:
    from mccfr.playing.hand_words import cards_text

    seen, values = judgement.seen, judgement.values
    big_blind = seen.table.big_blind
    loss = {name: x / big_blind for name, x in judgement.loss._asdict().items()}
    moves = [] if values is None else list(values.sums)
    return {
        **{"hand": judgement.number, "seat": seen.seat, "street": seen.state.street, "line": seen.state.line},
        **{"cards": cards_text(seen.table, seen.hole), "board": cards_text(seen.table, seen.board)},
        **{"done": judgement.done.label, "loss_bb": loss, "right": judgement.right},
        "exact": values is None or values.exact,
        "solution": {move.label: p for move, p in judgement.odds.items()},
        "worth_bb": {move.label: values.value(move).mean / big_blind for move in moves} if values else {},
    }


def _print(
    hero: str, records: "list[HandRecord]", left_out: "list[HandRecord]", order: "list[Judgement]", top: int
) -> None:
    from mccfr.cli.play_spots import loss_text
    from mccfr.playing.hand_words import odds_text, situation_text

    if left_out:
        click.echo(f"{len(left_out):,} of {len(records):,} hands are at tables that no blueprint is for")
    if not order:
        click.echo(f"no decision of {hero} to judge: its cards are not known, or it never had to move")
        return
    right = sum(each.right for each in order)
    click.echo(
        f"{len(order):,} decisions of {hero} in {len(records):,} hands: {right:,} right "
        f"({100 * right / len(order):.0f} %), {_total(order):.2f} bb lost in all"
    )
    for place, each in enumerate(order[:top], 1):
        click.echo(f"\n{place}. hand {each.number}, {situation_text(each.seen)}: {each.done.label}")
        click.echo(f"   cost {loss_text(each)}{_doubt(each)}")
        click.echo(f"   the solution: {odds_text(each.odds)}")
        if each.values is not None:
            click.echo(f"   worth in bb from here on: {_worth(each)}")


def _worth(judgement: "Judgement") -> str:
    values, big_blind = judgement.values, judgement.seen.table.big_blind
    if values is None:
        return ""
    return ", ".join(f"{move.label} {values.value(move).mean / big_blind:+.2f}" for move in values.sums)


def _doubt(judgement: "Judgement") -> str:
    if judgement.values is not None and not judgement.values.believed:
        return "; the other player's moves are never made by its strategy, so that it may have any hand"
    return ""
