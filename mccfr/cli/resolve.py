"""`mccfr resolve`: a position of a game solved again, with what every hand does and is worth there."""

from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.output import complete_game, console, json_option, number, print_json, print_lines
from mccfr.cli.resolve_table import tell_position
from mccfr.cli.sources import STRATEGY_SUFFIX, UNIFORM, read_strategy
from mccfr.resolving.gadgets import GADGETS

if TYPE_CHECKING:
    from mccfr.resolving.solution import Solution

SHOWN, DIGITS = 60, 4  # hands and decimals in the tables for people


@click.command()
@click.argument("game", metavar="GAME|STRATEGY|AGENT", shell_complete=complete_game)
@click.argument("line", default="")
@click.option("--method", default="cfr_plus", show_default=True, help="The method that solves positions.")
@click.option(
    "--budget",
    default="1000 iterations",
    show_default=True,
    help="What a position may cost: '1000 iterations', '10k evaluations' or '2s'.",
)
@click.option(
    "--gadget", default="resolve", show_default=True, help=f"What the opponent may do before: {', '.join(GADGETS)}."
)
@click.option("--depth", type=click.IntRange(1), help="How many actions to look ahead. By default to the end.")
@click.option("--leaves", help="What look-aheads are worth where they end: 'solve(cfr_plus, 100)', blueprint, several.")
@click.option("--player", type=click.IntRange(0, 1), help="Who re-solves. By default whoever is to move.")
@click.option(
    "--values",
    type=click.Choice(["best", "average"]),
    default="best",
    show_default=True,
    help="What the opponent has instead: its best response, or what it would get.",
)
@click.option("--board", metavar="CARDS", help="The board, for an agent of hold'em.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of sampled methods.")
@json_option
def command(game: str, line: str, as_json: bool, **options: Any) -> None:
    """Solve a position of a game with hands, and print what every hand does and is worth there.

    LINE is what has happened: labels of actions and public cards, as in 'check bet'. Of a STRATEGY (a file or
    uniform:GAME) the position has the ranges and values of that strategy. Of a GAME the player re-solves every position
    on the way, as it would in play. Example: mccfr resolve leduc 'bet raise call K check'.

    Of an AGENT of hold'em that re-solves, LINE is its betting: mccfr resolve 'blueprint:nolimit+resolve(river)'
    'r6c/kk/kk/b6' --board 'Qs Jh 2h 8c 3d'. What it may cost is said in the agent's name.
    """
    if "+resolve" in game or game.startswith("resolve("):
        tell_position(game, line, options["board"] or "", as_json)
        return
    found = _from_strategy(game, line, options) if _is_strategy(game) else _from_game(game, line, options)
    document = _document(found, options)
    print_json(document) if as_json else _print(document)


def _is_strategy(text: str) -> bool:
    return text.startswith((UNIFORM, "blueprint:")) or text.endswith(STRATEGY_SUFFIX)


def _from_strategy(name: str, line: str, options: dict[str, Any]) -> "Solution":
    """The position of a strategy."""
    from mccfr.resolving.budgets import read_budget
    from mccfr.resolving.solution import solve_position

    position = mccfr.position(
        read_strategy(name), line, options["gadget"], options["player"], options["values"], options["depth"],
        options["leaves"],
    )  # fmt: skip
    return solve_position(position, options["method"], read_budget(options["budget"]), options["seed"])


def _from_game(game: str, line: str, options: dict[str, Any]) -> "Solution":
    """The last of the positions that a player solves on the way."""
    from mccfr.resolving.public_places import place_of, read_line

    player = mccfr.Resolver(
        game, options["method"], options["depth"], options["gadget"], options["leaves"], options["budget"],
        values=options["values"], seed=options["seed"],
    )  # fmt: skip
    place = place_of(player.tree, line)
    seat = options["player"]
    player.start(player.mover(place) if seat is None else seat)
    for event in read_line(line):
        player.observe(event)
    return player.solve()


def _document(found: "Solution", options: dict[str, Any]) -> dict[str, Any]:
    position, place = found.position, found.position.place
    tree = position.tree
    actions, odds = found.actions, found.odds()
    mine, theirs = tree.hands[position.seat], tree.hands[position.opponent]
    return {
        "command": "resolve",
        "game": tree.game,
        "line": list(place.line),
        "player": position.seat,
        "gadget": str(position.gadget),
        "method": str(options["method"]),
        "depth": position.depth,
        "iterations": found.iterations,
        "seconds": found.seconds,
        "evaluations": found.evaluations or None,
        "weight": position.weight,
        "bound": found.bound if position.gadget.safe and place.line and position.depth is None else None,
        "hands": [
            {"hand": hand, "range": float(weight), "strategy": dict(zip(actions, row.tolist()))}
            for hand, weight, row in zip(mine, position.range, odds)
            if row.any()
        ],
        "opponent": [
            {"hand": hand, "reach": float(w), "alternative": float(alt), "best": float(alt - margin)}
            for hand, w, alt, margin in zip(theirs, position.others, position.alternatives, found.margins)
            if w > 0.0
        ],
    }


def _print(document: dict[str, Any]) -> None:
    line = " ".join(document["line"]) or "the start"
    ahead = "" if document["depth"] is None else f", {document['depth']} actions ahead"
    work = f"{document['iterations']:,} iterations" if document["iterations"] else "one programme"
    lines = [
        ("position", f"{document['game']}, {line}: player {document['player']} to move"),
        ("solved", f"by {document['method']}, {work}{ahead}, in {document['seconds']:.2g} s"),
        ("gadget", f"{document['gadget']}: {GADGETS[document['gadget']].about}"),
    ]
    if document["bound"] is not None:
        lines.append(
            ("bound", f"{number(document['bound'])} chips that the opponent can have gained in the whole game")
        )
    print_lines(lines)
    click.echo()
    _print_hands(document["hands"])
    if document["line"]:
        click.echo()
        _print_opponent(document["opponent"])


def _print_hands(hands: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("hand")
    for column in ("range", *hands[0]["strategy"]):
        table.add_column(column, justify="right")
    for row in hands[:SHOWN]:
        table.add_row(row["hand"], f"{row['range']:.4f}", *(f"{p:.4f}" for p in row["strategy"].values()))
    console().print(table)
    _print_rest(hands)


def _print_opponent(hands: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("opponent's hand", "had", "best now", "margin"):
        table.add_column(column, justify="left" if column.endswith("hand") else "right")
    for row in hands[:SHOWN]:
        worth = row["alternative"], row["best"], row["alternative"] - row["best"]
        table.add_row(row["hand"], *(f"{round(each, DIGITS) + 0.0:+.{DIGITS}f}" for each in worth))
    console().print(table)
    _print_rest(hands)


def _print_rest(hands: list[Any]) -> None:
    if len(hands) > SHOWN:
        click.echo(f"and {len(hands) - SHOWN} more: --json has all")
