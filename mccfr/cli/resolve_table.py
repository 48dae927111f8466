"""`mccfr resolve` of an agent of hold'em: one decision re-solved at the table, as frequencies and grids."""

from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import console, print_json, print_lines

if TYPE_CHECKING:
    from mccfr.resolving.shown_position import ShownPosition

SHOWN = 20  # hands for people, where there are no grids


def tell_position(agent: str, line: str, board: str, as_json: bool) -> None:
    """Solve the decision and print it."""
    from mccfr.resolving.shown_position import show_position

    found = show_position(agent, line, board)
    document = _document(found)
    if as_json:
        print_json(document)
        return
    _print(document)
    grids = found.grids()
    for grid in grids:
        click.echo()
        console().print(grid)
    if not grids:
        click.echo()
        _print_hands(document["hands"])


def _document(found: "ShownPosition") -> dict[str, Any]:
    solved = found.solution.solved
    deck = found.table.deck
    return {
        "command": "resolve_table",
        "agent": found.agent,
        "line": found.line,
        "board": [deck.card_name(card) for card in found.board],
        "player": found.player,
        "pot": found.pot,
        "to_call": found.asked,
        "iterations": solved.iterations,
        "seconds": solved.seconds,
        "exploitability": solved.exploitability,
        "moves": {move.text: share for move, share in found.frequencies.items()},
        "hands": found.hands(),
    }


def _print(document: dict[str, Any]) -> None:
    seat = ("big blind", "dealer")[document["player"]]
    board = " ".join(document["board"])
    left = document["exploitability"]
    within = "" if left is None else f", {100 * left / document['pot']:.2g} % of the pot from an equilibrium of it"
    lines = [
        ("position", f"{document['agent']}, {document['line']} on {board}: the {seat} to move"),
        ("pot", f"{document['pot']} chips, {document['to_call']} to call"),
        ("solved", f"{document['iterations']:,} iterations in {document['seconds']:.2g} s{within}"),
        ("does", ", ".join(f"{move} {100 * share:.1f} %" for move, share in document["moves"].items())),
    ]
    print_lines(lines)


def _print_hands(hands: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("hand")
    for column in ("range", *(hands[0]["strategy"] if hands else ())):
        table.add_column(column, justify="right")
    for row in hands[:SHOWN]:
        table.add_row(row["hand"], f"{row['range']:.4f}", *(f"{p:.4f}" for p in row["strategy"].values()))
    console().print(table)
    if len(hands) > SHOWN:
        click.echo(f"and {len(hands) - SHOWN} more: --json has all")
