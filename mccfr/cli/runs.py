"""`mccfr runs`: which runs there are and how far they are."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

import mccfr
from mccfr.cli.output import console, duration, json_option, number, print_json
from mccfr.cli.sources import find_runs, run_document
from mccfr.errors import FileError, MccfrError

HOME = "runs"  # where runs are looked for unless told
COLUMNS = ("run", "game", "method", "seed", "state", "iterations", "exploitability", "age")


@click.command()
@click.argument("folders", metavar="[FOLDER]...", nargs=-1, type=click.Path())
@json_option
def command(folders: tuple[str, ...], as_json: bool) -> None:
    """List the run folders in FOLDERs and below (default: ./runs).

    A run is new, running, done, stopped (by Ctrl-C) or died (killed); mccfr resume continues the last two. Its age is
    the time since it last wrote something. A folder that cannot be read is listed with the reason.

    \b
    mccfr runs
    mccfr runs experiments/2026 old/leduc --json
    """
    if not folders and not Path(HOME).is_dir():
        raise FileError(f"there is no folder {HOME} here: name the folder to look in, as in mccfr runs FOLDER")
    found = [describe(folder) for folder in find_runs(folders or (HOME,))]
    if as_json:
        print_json({"command": "runs", "runs": found})
    elif found:
        _print(found)
    else:
        click.echo(
            f"no runs in {' '.join(folders or (HOME,))}; mccfr solve GAME --iterations N --out {HOME}/a makes one"
        )


def describe(folder: Path) -> dict[str, Any]:
    """A run in words, or what is wrong with its folder."""
    try:
        return run_document(mccfr.Run(folder))
    except (MccfrError, OSError) as error:
        return {"folder": str(folder), "problem": " ".join(str(error).split())}


def age(updated: str | None) -> str:
    """Time since then."""
    return duration((datetime.now(UTC) - datetime.fromisoformat(updated)).total_seconds()) if updated else ""


def _print(found: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in COLUMNS:
        right = name in ("seed", "iterations", "exploitability", "age")
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for run in found:
        if "problem" not in run:
            table.add_row(*(Text(cell) for cell in _cells(run)))
    if table.row_count:
        console().print(table)
    for run in found:
        if "problem" in run:
            click.echo(f"{run['folder']}: {run['problem']}")


def _cells(run: dict[str, Any]) -> tuple[str, ...]:
    exploitability = run["exploitability"]
    return (
        run["folder"],
        run["game"],
        run["method"],
        str(run["seed"]),
        run["state"],
        f"{run['iterations']:,}",
        "" if exploitability is None else number(exploitability),
        age(run["updated"]),
    )
