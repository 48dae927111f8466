"""`mccfr watch-run`: follow a run from another terminal, by nothing but its files."""

import math
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.chart import log_log_chart
from mccfr.cli.completing import RunText
from mccfr.cli.output import INTERRUPTED, OK, aligned, duration, json_option, number, print_json, sizes_text
from mccfr.cli.progress import Limits, rates
from mccfr.cli.runs import age
from mccfr.cli.sources import run_document
from mccfr.cli.typed import Seconds
from mccfr.errors import one_line, quoted

if TYPE_CHECKING:
    from mccfr import Run

EVENTS = 5  # how many of the last are shown
BAR = 40  # characters
AXIS = 10  # columns beside the chart
FACTS = {
    "message": "{}",
    "iterations": "{:,} iterations",
    "exploitability": "exploitability {:.6g}",
    "checkpoint": "{}",
}


@click.command()
@click.argument("folder", type=RunText())
@click.option("--once", is_flag=True, help="Show the current state and exit.")
@click.option(
    "--every",
    metavar="S",
    type=Seconds(0.1),
    default=1.0,
    show_default=True,
    help="Seconds between updates.",
)
@json_option
def command(folder: str, once: bool, every: float, as_json: bool) -> int:
    """Follow the run in FOLDER: progress, rate, exploitability, time left, last events.

    Exits when the run ends. Watching only reads files, so several people can follow the same run, and a run that has
    finished or was killed can be shown too. If stdout is not a terminal, each update that finds something new prints
    one line. --json prints the state once.

    \b
    mccfr watch-run runs/a
    mccfr watch-run runs/a --once
    """
    run = mccfr.Run(folder)
    if as_json:
        print_json({"command": "watch-run", **run_document(run), "history": history(run), "events": last_events(run)})
    elif once:
        click.echo("\n".join(view(run)))
    else:
        return _follow(run, every)
    return OK


def _follow(run: "Run", every: float) -> int:
    try:
        (_live if sys.stdout.isatty() else _lines)(run, every)
    except KeyboardInterrupt:
        click.echo(f"stopped watching; the run in {run.folder} is not affected", err=True)
        return INTERRUPTED
    return OK


def _live(run: "Run", every: float) -> None:
    """One picture that is drawn anew."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(highlight=False), auto_refresh=False) as live:
        while True:
            run = mccfr.Run(run.folder)  # read again: whoever resumes it may set other limits
            going_on = run.status.state == "running"
            height = shutil.get_terminal_size().lines - 1
            text = Text("\n".join(view(run, height)), no_wrap=True, overflow="ellipsis")
            live.update(text, refresh=True)
            if not going_on:
                return
            time.sleep(every)


def _lines(run: "Run", every: float) -> None:
    """A line for every look that finds something new."""
    told = ""
    while True:
        document = run_document(mccfr.Run(run.folder))  # read again: whoever resumes it may set other limits
        line = ", ".join(_words(document))
        if line != told:
            click.echo(line)
            told = line
        if document["state"] != "running":
            return
        time.sleep(every)


def view(run: "Run", height: float = math.inf) -> list[str]:
    """Everything worth seeing in at most so many lines; the chart goes first if it is too much."""
    document = run_document(run)
    top = [*_heading(document, run), "", *aligned(_numbers(document))]
    events = [f"  {_event_line(event)}" for event in last_events(run)]
    chart = _chart(history(run), shutil.get_terminal_size().columns - AXIS)
    bottom = ["", "last events", *events] if events else []
    if chart and len(top) + len(chart) + len(bottom) + 2 <= height:
        return [*top, "", "exploitability against iterations", *chart, *bottom]
    return [*top, *bottom] if len(top) + len(bottom) <= height else top


def _heading(document: dict[str, Any], run: "Run") -> Iterator[str]:
    crew = f", {document['workers']} workers ({document['parallel']})" if document["parallel"] else ""
    yield f"{document['folder']}: {document['game']} by {document['method']}, seed {document['seed']}{crew}"
    yield sizes_text(run.record.sizes)


def _numbers(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    limits, iterations, seconds = document["limits"], document["iterations"], document["seconds"]
    yield "state", _state(document)
    share = Limits(limits["iterations"], limits["seconds"]).share(iterations, seconds)
    if share is not None:
        yield "progress", f"{'━' * round(share * BAR):─<{BAR}} {share:.0%}"
    yield "iterations", f"{iterations:,}{_end(limits['iterations'], ',')}"
    yield "nodes touched", f"{document['touched']:,}"
    yield "solving", f"{_time(seconds)}{_end(limits['seconds'], ',g')}{_rates(document)}"
    if document["exploitability"] is not None or limits["target"] is not None:
        yield "exploitability", f"{_measured(document['exploitability'])}{_end(limits['target'], 'g', ', wanted')}"
    if document["left"] is not None:
        yield "time left", duration(document["left"])
    if document["note"]:
        yield "note", one_line(document["note"], 300)


def _state(document: dict[str, Any]) -> str:
    state, since = document["state"], age(document["updated"])
    if state == "running":
        return f"running as process {document['pid']} on {document['host']}"
    again = f"; mccfr resume {shlex.quote(document['folder'])} continues it" if state in ("stopped", "died") else ""
    return f"{state}, {since} ago{again}" if since else f"{state}{again}"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds < 60 else duration(seconds)


def _end(limit: float | None, form: str, word: str = " of") -> str:
    return "" if limit is None else f"{word} {limit:{form}}"


def _measured(exploitability: float | None) -> str:
    return "not measured yet" if exploitability is None else number(exploitability)


def _rates(document: dict[str, Any]) -> str:
    return "".join(f", {rate}" for rate in rates(document["iterations"], document["touched"], document["seconds"]))


def _words(document: dict[str, Any]) -> Iterator[str]:
    """A look at a run in one line."""
    yield document["state"]
    yield f"{document['iterations']:,} iterations"
    yield from rates(document["iterations"], document["touched"], document["seconds"])
    if document["exploitability"] is not None:
        yield f"exploitability {number(document['exploitability'])}"
    if document["left"] is not None:
        yield f"{duration(document['left'])} left"


def last_events(run: "Run") -> list[dict[str, Any]]:
    """What happened of late, besides measurements."""
    return [event for event in run.events() if event.get("event", "measured") != "measured"][-EVENTS:]


def _event_line(event: dict[str, Any]) -> str:
    """When, what, and the facts that say most."""
    when = datetime.fromisoformat(event["time"]).astimezone().strftime("%H:%M:%S")
    facts = ", ".join(_fact(word, event[name]) for name, word in FACTS.items() if event.get(name) is not None)
    return f"{when} {one_line(event['event'], 30):<12}  {facts}".rstrip()


def _fact(word: str, value: Any) -> str:
    """A fact in words; one of another type than a run writes as it is."""
    try:
        return one_line(word.format(value))
    except (TypeError, ValueError):
        return quoted(value)


def history(run: "Run") -> list[dict[str, Any]]:
    """The measurements so far; none if nothing has been measured."""
    columns = run.metrics()
    return [dict(zip(columns, row)) for row in zip(*(column.tolist() for column in columns.values()))]


def _chart(measured: list[dict[str, Any]], width: int) -> list[str]:
    """Log-log, so it takes two different measurements above 0."""
    points = [(row["iterations"], row["exploitability"]) for row in measured if row["exploitability"] > 0]
    return log_log_chart({"●": points}, max(width, BAR)).splitlines() if len({x for x, _ in points}) > 1 else []
