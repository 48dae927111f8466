"""`mccfr games`: what can be solved, and what one game is."""

import dataclasses
import inspect
import shlex
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.next_command import program
from mccfr.cli.output import complete_game, console, json_option, number, print_json, print_lines, sizes_text
from mccfr.errors import TreeError, printable

if TYPE_CHECKING:
    from rich.table import Table

    from mccfr import Game, Tree

SPOT = 'spot(board="Qs Jh 2h 8c 3d", pot=100, stack=200, oop="QQ,AhKh", ip="JJ,KQs", bet="50%,a", raise_=a)'

# Where each game comes from, and one to try.
SOURCES = {
    "kuhn": ("Kuhn 1950", "kuhn"),
    "leduc": ("Southey et al. 2005", "leduc(suits=False)"),
    "gp": ("Lisy, Lanctot, Bowling 2015", "gp(4,2,2,1)"),
    "goofspiel": ("Gibson et al. 2012", "goofspiel(n=5)"),
    "bluff": ("Gibson et al. 2012", "bluff(1,1,rounds=one)"),
    "rps": ("folklore", "rps"),
    "matrix": ("von Neumann 1928", "matrix([[2,-1],[-1,1]])"),
    "spot": ("Texas hold'em", SPOT),
    "holdem": ("Texas hold'em", "holdem(limit(cap=1), ranks=4, suits=2, board=3)"),
    "nlph": ("Li et al. 2020", "nlph"),
}
IMPORTERS = (
    ("dealt:GAME", "poker or dice as public states with vectors of hands", "dealt:leduc"),
    ("openspiel:NAME", "any OpenSpiel game whose tree fits in memory", "openspiel:liars_dice(numdice=1)"),
    ("PATH.toml", "a spot of hold'em: board, pot, ranges, bet sizes", "spot.toml"),
    ("gamedef:PATH", "an ACPC game definition of heads-up hold'em", "gamedef:limit.game"),
    ("PATH.efg", "a Gambit extensive-form file", "game.efg"),
    ("PATH.py:Class(...)", "your own class with the seven methods of a game", "mygame.py:MyGame(n=3)"),
)
NEED_PARAMETERS = {name: SOURCES[name][1] for name in ("spot", "holdem")}
COMPILED_UP_TO = 5_000_000  # nodes
MEMORY = "512MB"  # for games that do not know their number of nodes


@click.command()
@click.argument("name", required=False, shell_complete=complete_game)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the built-in games and how to add others. With NAME (any game string), describe that game.

    Quote game strings that contain parentheses: mccfr games 'goofspiel(n=5)'.
    """
    if name is None:
        document = _catalogue()
        print_json(document) if as_json else _print_catalogue(document)
    else:
        rules = NEED_PARAMETERS.get(name.strip().lower())
        document = _unnamed(name, rules) if rules else _description(mccfr.game(name))
        print_json(document) if as_json else _print_description(document)


def _catalogue() -> dict[str, Any]:
    games = [
        {
            "name": name,
            "summary": (inspect.getdoc(rules) or "").partition("\n")[0],
            "source": SOURCES[name][0],
            "parameters": _parameters(rules),
            "example": SOURCES[name][1],
        }
        for name, rules in {**mccfr.BUILT_IN, **mccfr.DEALT_ONLY}.items()
    ]
    importers = [{"form": form, "summary": summary, "example": example} for form, summary, example in IMPORTERS]
    return {"command": "games", "games": games, "importers": importers}


def _parameters(rules: type) -> dict[str, Any]:
    """Parameters with their defaults; one without a default must be given and has null."""
    fields = dataclasses.fields(rules) if dataclasses.is_dataclass(rules) else ()
    shown = [field for field in fields if field.init and field.repr]
    return {field.name: None if field.default is dataclasses.MISSING else field.default for field in shown}


def _print_catalogue(document: dict[str, Any]) -> None:
    from rich.text import Text

    games = _table("game", "parameters", "rules", "source")
    for game in document["games"]:
        parameters = "\n".join(_default(*pair) for pair in game["parameters"].items())
        rules = Text.assemble(game["summary"], "\n", (_try(game["example"]), "dim"))
        games.add_row(Text(game["name"], style="bold"), parameters, rules, game["source"])
    others = _table("other games", "", "")
    for importer in document["importers"]:
        example = Text(_try(importer["example"]), style="dim")
        others.add_row(Text(importer["form"], style="bold"), importer["summary"], example)
    console().print(games, others)
    click.echo("mccfr games NAME prints a game's rules, sizes and value.")


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 1, 0), header_style="dim")
    for column in columns:
        table.add_column(column, no_wrap=column == columns[0], max_width={"parameters": 14, "source": 16}.get(column))
    return table


def _try(example: str) -> str:
    return shlex.join([program(), "solve", example])


def _default(name: str, value: Any) -> str:
    return name if value is None else f"{name}={value}"


def _description(game: "Game") -> dict[str, Any]:
    rules = type(game)
    imported = rules.__module__.startswith("mccfr.") and not hasattr(rules, "name")
    document: dict[str, Any] = {
        "command": "games",
        "game": _text(game),
        "rules": getattr(game, "title", "") if imported else inspect.getdoc(rules) or "",
        "players": game.players,
        "parameters": {} if imported else {name: getattr(game, name) for name in _parameters(rules)},
        "nodes": count() if callable(count := getattr(game, "nodes", None)) else None,
        "sizes": None,
        "value": None,
        "note": None,
    }
    if (document["nodes"] or 0) > COMPILED_UP_TO:
        return {**document, "note": f"more than {COMPILED_UP_TO:,} nodes: not compiled, so no further sizes"}
    try:
        tree = mccfr.compile(game, memory_limit=MEMORY)
    except TreeError as error:
        return {**document, "note": f"not compiled: {str(error).partition(';')[0]}"}
    return {**document, "nodes": len(tree), "sizes": tree.counts, **_value(tree)}


def _unnamed(name: str, example: str) -> dict[str, Any]:
    """A game that is none without parameters, with an example of it."""
    rules = {**mccfr.BUILT_IN, **mccfr.DEALT_ONLY}[name.strip().lower()]
    return {
        "command": "games",
        "game": name,
        "rules": inspect.getdoc(rules) or "",
        "players": 2,
        "parameters": _parameters(rules),
        "nodes": None,
        "sizes": None,
        "value": None,
        "note": f"needs parameters: {_try(example)}",
    }


def _text(game: "Game") -> str:
    """What it calls itself; its class if it does not, or cannot."""
    rules = type(game)
    try:
        return rules.__qualname__ if rules.__str__ is object.__str__ else printable(str(game))
    except Exception:
        return rules.__qualname__


def _value(tree: "Tree") -> dict[str, Any]:
    """The value, where a linear programme finds it at once, else why not."""
    if tree.players != 2:
        return {"note": f"{tree.players} players: the value is defined only for two"}
    solver = mccfr.Solver(tree)
    if str(solver.method) != "lp":
        return {"note": "too large to compute the value here: mccfr solve finds it"}
    value = mccfr.expected_value(solver.run(1).strategy())
    return {"value": value, "note": solver.note or None}


def _print_description(document: dict[str, Any]) -> None:
    if document["rules"]:
        click.echo(f"{document['rules']}\n")
    lines = [("game", document["game"]), ("players", str(document["players"]))]
    if document["parameters"]:
        required = document["game"] in NEED_PARAMETERS  # and no game yet
        words = [_default(*pair) if required else f"{pair[0]}={pair[1]!r}" for pair in document["parameters"].items()]
        lines.append(("parameters", ", ".join(words)))
    if document["sizes"]:
        lines.append(("sizes", sizes_text(document["sizes"])))
        if "boards" not in document["sizes"]:
            lines.append(("largest infoset", f"{document['sizes']['largest_infoset']:,} nodes"))
    elif document["nodes"]:
        lines.append(("sizes", f"{document['nodes']:,} nodes"))
    if document["value"] is not None:
        lines.append(("value", f"{number(document['value'])} for player 0, by linear programming"))
    if document["note"]:
        lines.append(("note", document["note"]))
    print_lines(lines)
