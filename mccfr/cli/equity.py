"""`mccfr equity`: what hands and ranges are worth against each other on a board."""

from typing import Any

import click

import mccfr
from mccfr.cli.output import console, json_option, print_json

PLAYERS = ("first", "second")


@click.command()
@click.argument("one", metavar="RANGE")
@click.argument("other", metavar="[RANGE]", default="all")
@click.option("--board", metavar="CARDS", default="", help="The cards on the board: none, three, four or five.")
@click.option("--by", type=click.Choice(["class", "hand"]), help="Also list the classes, or the hands, of both ranges.")
@json_option
def command(one: str, other: str, board: str, by: str | None, as_json: bool) -> None:
    """Print what a hand or range is worth against another, exactly. The second is every hand if it is left out.

    Ranges are written as 'QQ+,AKs,A5s-A2s,AKo:0.25,AsKh': pairs, suited and offsuit hands, runs of them, single hands,
    each with a weight if you like. Example: mccfr equity AKs QQ+ --board 'Qs Jh 2h'.
    """
    document = _document(mccfr.equity(one, other, board), (one, other), board, by)
    print_json(document) if as_json else _print(document)


def _document(found: "mccfr.Equity", given: tuple[str, str], board: str, by: str | None) -> dict[str, Any]:
    players = []
    for player in (0, 1):
        described = {"range": given[player], "combos": found.combos[player], **_numbers(found.share(player))}
        if by is not None:
            parts = found.by_class(player) if by == "class" else found.by_hand(player)
            described["by"] = {name: {"pairs": share.weight, **_numbers(share)} for name, share in parts.items()}
        players.append(described)
    return {"command": "equity", "board": " ".join(board.split()), "pairs": found.share().weight, "players": players}


def _numbers(share: Any) -> dict[str, float]:
    return {"equity": share.equity, "win": share.win, "tie": share.tie}


def _print(document: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("range", "equity %", "win %", "tie %", "combos"):
        table.add_column(column, justify="left" if column == "range" else "right", overflow="fold")
    for player in document["players"]:
        table.add_row(player["range"], *_percent(player), f"{player['combos']:g}")
    console().print(table)
    on = f" on {document['board']}" if document["board"] else " before the flop"
    click.echo(f"{document['pairs']:g} pairs of hands{on}, all boards that can follow: exact")
    for name, player in zip(PLAYERS, document["players"]):
        if "by" in player:
            _print_parts(name, player["by"])


def _print_parts(name: str, parts: dict[str, dict[str, float]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in (f"{name} range", "equity %", "win %", "tie %", "pairs"):
        table.add_column(column, justify="left" if column.endswith("range") else "right")
    for part, numbers in parts.items():
        table.add_row(part, *_percent(numbers), f"{numbers['pairs']:g}")
    click.echo()
    console().print(table)


def _percent(numbers: dict[str, float]) -> list[str]:
    return [f"{100 * numbers[key]:.4f}" for key in ("equity", "win", "tie")]
