"""`mccfr export`: strategies and games as files for other programs."""

from pathlib import Path

import click

import mccfr
from mccfr.cli.completing import StrategyText
from mccfr.cli.output import game_option, json_option, print_json
from mccfr.cli.sources import STRATEGY_SUFFIX, read_strategy, require_writable
from mccfr.errors import FileError

FORMATS = ("csv", "json", "efg", "game")


@click.command()
@click.argument("source", type=StrategyText())
@click.argument("dest", type=click.Path())
@click.option(
    "-f", "--format", "kind", type=click.Choice(FORMATS), help="The format, if DEST's suffix does not give it."
)
@game_option
@json_option
def command(source: str, dest: str, kind: str | None, game: str | None, as_json: bool) -> None:
    """Write SOURCE to the file DEST.

    A strategy (a .mccfr file, a run folder, or uniform:GAME) becomes .csv or .json; a game (leduc, mygame.py) becomes
    .efg, which Gambit and OpenSpiel can read; whole hold'em becomes .game, an ACPC game definition. DEST is written
    completely or not at all.
    """
    kind = kind or _kind_of(dest)
    require_writable(dest)
    if kind in ("efg", "game"):
        if source.endswith(STRATEGY_SUFFIX) or Path(source).is_dir():
            raise FileError(
                f"{source} is a strategy, but .{kind} files hold games: export it as .csv or .json, or name its game"
            )
        (mccfr.write_efg if kind == "efg" else mccfr.write_gamedef)(mccfr.game(source), dest)
    else:
        write = mccfr.export_csv if kind == "csv" else mccfr.export_json
        write(read_strategy(source, game), dest)
    size = Path(dest).stat().st_size
    if as_json:
        print_json({"command": "export", "source": source, "dest": dest, "format": kind, "bytes": size})
    else:
        click.echo(f"wrote {dest} ({kind}, {size:,} bytes)")


def _kind_of(dest: str) -> str:
    kind = Path(dest).suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise FileError(f"cannot tell the format of {dest}: end it in .{', .'.join(FORMATS)} or give --format")
    return kind
