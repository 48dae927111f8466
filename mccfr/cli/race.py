"""`mccfr race`: methods side by side on one game under equal time."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.completing import GameText, MethodText
from mccfr.cli.output import console, json_option, print_json
from mccfr.cli.progress import Meter
from mccfr.cli.sources import require_writable
from mccfr.cli.sweep import interval_text, tell_failures, used_files
from mccfr.cli.typed import Count, Seconds
from mccfr.errors import MissingExtra
from mccfr.signals import sigterm_as_ctrl_c

if TYPE_CHECKING:
    from mccfr.experiments.groups import Curve
    from mccfr.experiments.racing import Standing


@click.command()
@click.argument("game", type=GameText())
@click.option(
    "--methods",
    metavar="A,B,...",
    type=MethodText(several=True),
    help="Methods, separated by commas. [default: six good ones]",
)
@click.option(
    "-m",
    "--method",
    "single",
    metavar="METHOD",
    type=MethodText(),
    multiple=True,
    help="One more method; may be repeated.",
)
@click.option("--seconds", metavar="S", type=Seconds(), default=60.0, show_default=True,
              help="Solving time of each run.")  # fmt: skip
@click.option("--seeds", metavar="N", type=Count(), default=10, show_default=True,
              help="Number of runs of each random method.")  # fmt: skip
@click.option("--jobs", metavar="N", type=Count(), help="Number of runs at a time. [default: one per core]")
@click.option("-o", "--out", metavar="FOLDER", help="Where to write the runs. [default: races/GAME-SECONDSs]")
@click.option("--plot", metavar="FILE", help="Picture to write: .png, .svg or .pdf. [default: FOLDER/race.png]")
@json_option
def command(
    game: str, methods: str | None, single: tuple[str, ...], seconds: float, seeds: int, jobs: int | None,
    out: str | None, plot: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Run methods on GAME for the same time each and rank them.

    The time for compiling and for measuring does not count. Every run is a run folder: after Ctrl-C the same command
    continues. By default these methods race: dcfr, cfr_plus, pcfr_plus, external+predictive, external,
    outcome+predictive+rm_plus+linear.
    """
    from mccfr.experiments.library import race
    from mccfr.experiments.racing import FIELD, check_field, default_folder, spelled_methods, split_methods
    from mccfr.experiments.sweep_file import spelled_game

    field = spelled_methods([*split_methods(methods or ""), *single]) or [*FIELD]
    game = spelled_game(game)
    check_field(game, field)
    folder = Path(out or default_folder(game, seconds))
    picture, missing = _picture(folder, plot)
    meter = Meter(not as_json, clock=True)
    try:
        with sigterm_as_ctrl_c(), meter:
            found = race(game, field, seconds, seeds, folder, jobs, used_files(), meter.count)
    except KeyboardInterrupt:
        return meter.stopped(as_json)
    code = tell_failures([(str(outcome.job), outcome.error) for outcome in found.failed])
    if picture is not None and found.curves:
        _draw(found.curves, [entry.method for entry in found.standings], picture, f"{game}, {seconds:g} s each")
    if as_json:
        print_json(_document(game, seconds, seeds, folder, picture, found.standings, len(found.failed)))
    else:
        _print(game, seconds, found.standings)
        click.echo(f"runs in {folder}; plot: {picture or missing}")
    return code


def _picture(folder: Path, plot: str | None) -> tuple[Path | None, str]:
    """Where to draw, or why not. A picture that was asked for and cannot be drawn is an error before any work."""
    from mccfr.experiments.plots import require_drawing

    picture = Path(plot) if plot else folder / "race.png"
    if plot:
        require_writable(plot)
    try:
        require_drawing(picture)
    except MissingExtra as error:
        if plot:
            raise
        return None, str(error)
    return picture, ""


def _draw(curves: "dict[str, list[Curve]]", order: Sequence[str], picture: Path, title: str) -> None:
    from mccfr.experiments.plots import draw

    draw({method: curves[method] for method in order}, picture, ("seconds",), title)


def _document(
    game: str, seconds: float, seeds: int, folder: Path, picture: Path | None, standings: "Sequence[Standing]",
    failed: int,
) -> dict[str, Any]:  # fmt: skip
    ranking = [{**entry._asdict(), "exploitability": entry.exploitability.to_dict()} for entry in standings]
    return {
        "command": "race",
        "game": game,
        "seconds": seconds,
        "seeds": seeds,
        "out": str(folder),
        "plot": None if picture is None else str(picture),
        "failed": failed,
        "ranking": ranking,
    }


def _print(game: str, seconds: float, standings: "Sequence[Standing]") -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=f"{escape(game)}, {seconds:g} s of solving each", title_justify="left")
    for column in ("", "method", "runs", "exploitability \\[95 %]", "iterations", "nodes", "ahead of the next?"):
        table.add_column(
            column, overflow="fold", justify="right" if column in ("runs", "iterations", "nodes") else "left"
        )
    for place, entry in enumerate(standings, 1):
        reached = interval_text(entry.exploitability)
        amounts = (f"{entry.iterations:,.0f}", f"{entry.nodes:.3g}")
        last = place == len(standings)
        table.add_row(
            str(place), escape(entry.method), str(entry.runs), reached, *amounts, "" if last else _ahead(entry)
        )
    console().print(table)


def _ahead(entry: "Standing") -> str:
    if entry.p is None:
        return {None: "untested", True: "yes: not random", False: "no: equal"}[entry.beats_next]
    return f"{'yes' if entry.beats_next else 'not shown'}: p = {entry.p:.2g}"
