"""What `mccfr play` prints after a hand, and at the end."""

from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import console
from mccfr.playing.hand_words import cards_text, odds_text, result_text, situation_text
from mccfr.playing.judging import decisions_of
from mccfr.playing.shown_range import shown_range
from mccfr.playing.tree_moves import tree_moves

if TYPE_CHECKING:
    from mccfr.jobs.statistics import Interval
    from mccfr.playing.played_hand import HandRecord
    from mccfr.playing.policy import Policy
    from mccfr.playing.running_result import RunningResult

GRID_WIDTH = 70  # columns that the 13 x 13 grid needs
LIKELIEST = 8  # classes that are named where there is no room for the grid


def print_hand(record: "HandRecord", seat: int, bot: str, solution: "Policy | None", range_of: "Policy | None") -> None:
    """Cards and result of a hand, what the solution would have done, and the bot's range."""
    table, chips = record.table, record.chips[seat]
    board = f", board {cards_text(table, record.board)}" if record.board else ""
    mine, theirs = (cards_text(table, record.holes[each]) for each in (seat, 1 - seat))
    click.echo(f"You {result_text(chips)}. You had {mine}, {bot} had {theirs}{board}.")
    if solution is not None:
        print_decisions(record, seat, solution)
    if range_of is not None:
        print_range(record, 1 - seat, bot, range_of)


def print_decisions(record: "HandRecord", seat: int, solution: "Policy") -> None:
    """At each of the player's decisions, what was done and what the solution does."""
    made = decisions_of(record, seat)
    if made:
        click.echo(f"What {solution.name} does in your place:")
    for seen, done in made:
        click.echo(f"  {situation_text(seen)}: {odds_text(tree_moves(solution, seen))} (you: {done.label})")


def print_range(record: "HandRecord", seat: int, bot: str, policy: "Policy") -> None:
    """The bot's hands by its moves: the grid, or in a narrow terminal the likeliest."""
    shown = shown_range(policy, record, seat)
    out = console()
    grid = shown.table(f"Hands with which {bot} plays so (the likeliest: 100)")
    if grid is not None and out.width >= GRID_WIDTH:
        out.print(grid)
        return
    named = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shown.likeliest[:LIKELIEST])
    click.echo(f"{bot} may have had: {named}, ...")


def rate_text(rate: "Interval") -> str:
    """Big blinds per hundred hands, with the interval where there is one."""
    interval = f" (95 % interval {rate.low:+.0f} to {rate.high:+.0f})" if rate.low < rate.high else ""
    return f"{rate.mean:+.1f} bb/100{interval}"


def print_result(result: "RunningResult", by: str) -> None:
    """The running result in a line or two."""
    hands = len(result.chips)
    if not hands:
        click.echo("No hand was finished.")
        return
    total = sum(result.chips)
    click.echo(f"{hands:,} hand{'s' * (hands != 1)}: {total:+g} chips, {rate_text(result.per_hundred(result.chips))}")
    if result.fair != result.chips:
        click.echo(f"{by}: {sum(result.fair):+.1f} chips, {rate_text(result.per_hundred(result.fair))}")


def result_document(result: "RunningResult") -> dict[str, Any]:
    """The running result for JSON."""
    if not result.chips:
        return {"hands": 0, "chips": 0.0, "bb_per_100": None, "aivat_chips": 0.0, "aivat_bb_per_100": None}
    return {
        "hands": len(result.chips),
        "chips": sum(result.chips),
        "bb_per_100": result.per_hundred(result.chips).to_dict(),
        "aivat_chips": sum(result.fair),
        "aivat_bb_per_100": result.per_hundred(result.fair).to_dict(),
    }
