"""`mccfr paper`: run a figure of a paper again and hold its claims to what comes out."""

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import OK, console, json_option, print_json
from mccfr.cli.progress import Meter
from mccfr.cli.typed import Count
from mccfr.signals import sigterm_as_ctrl_c

if TYPE_CHECKING:
    from mccfr.papers.figure import Figure
    from mccfr.papers.writing import Findings

EVERY = 10.0  # seconds between two lines of progress, where there is no terminal


@click.command()
@click.argument("name", required=False)
@click.option("--full", is_flag=True, help="Run as much as the paper did instead of a quick version.")
@click.option("--seeds", metavar="N", type=Count(), help="Independent runs of each method.")
@click.option("--hours", metavar="H", type=click.FloatRange(0, min_open=True), help="CPU hours of each timed run.")
@click.option("--iterations", metavar="N", type=Count(), help="Iterations of each run that counts them.")
@click.option("--out", metavar="FOLDER", help="Where to write. [default: papers/NAME]")
@click.option("--workers", metavar="N", type=Count(), help="Number of processes. [default: one per processor]")
@click.option("--fresh", is_flag=True, help="Run everything again, including runs already finished.")
@click.option(
    "--redraw", is_flag=True, help="Draw plot.png again from the folder's data.csv, without running anything."
)
@json_option
def command(
    name: str | None, full: bool, seeds: int | None, hours: float | None, out: str | None, workers: int | None,
    fresh: bool, redraw: bool, as_json: bool, iterations: int | None,
) -> int:  # fmt: skip
    """List the figures that can be reproduced. With NAME, reproduce one and test the claims of its paper.

    Writes data.csv, plot.png, claims.csv and a README.md to the folder. Finished runs are kept there: after Ctrl-C the
    same command continues where it stopped.
    """
    from mccfr.papers.catalogue import FIGURES, find_figure, paper, redraw as redraw_plot

    if name is None:
        _list([*FIGURES.values()], as_json)
        return OK
    figure = find_figure(name)
    if redraw:
        path = redraw_plot(name, out)
        print_json({"command": "paper", "figure": name, "plot": str(path)}) if as_json else click.echo(f"drew {path}")
        return OK
    meter = Meter(not as_json, clock=True, every=EVERY)
    try:
        with sigterm_as_ctrl_c(), meter:
            found = paper(name, full, seeds, hours, out, workers, fresh, meter.count, _typed(), iterations)
    except KeyboardInterrupt:
        return meter.stopped(as_json)
    _print(figure, full, found, as_json)
    return OK


def _typed() -> str:
    return shlex.join(["mccfr", *sys.argv[1:]])


def _list(figures: "list[Figure]", as_json: bool) -> None:
    entries = [
        {"name": f.name, "title": f.title, "source": f.source, "quick": f.quick.time, "full": f.full.time}
        for f in figures
    ]
    if as_json:
        print_json({"command": "paper", "figures": entries})
        return
    for entry in entries:
        click.echo(f"{entry['name']}\n  {entry['title']} [{entry['source']}]")
        click.echo(f"  {entry['quick']} on two processors; --full: {entry['full']}")


def _print(figure: "Figure", full: bool, found: "Findings", as_json: bool) -> None:
    document: dict[str, Any] = {
        "command": "paper",
        "figure": figure.name,
        "scale": "full" if full else "quick",
        "folder": str(found.folder),
        "runs": found.jobs,
        "seconds": found.seconds,
        "claims": [claim._asdict() for claim in found.claims],
    }
    if as_json:
        print_json(document)
        return
    from rich.table import Table

    table = Table(*document["claims"][0], title=figure.title, title_justify="left")
    for claim in found.claims:
        table.add_row(*claim)
    console().print(table)
    click.echo(f"{found.jobs} runs, {found.seconds:,.0f} s in all; written to {found.folder}")
