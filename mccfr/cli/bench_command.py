"""`mccfr bench`: does this installation do what it should, as fast as it should?"""

import click

import mccfr
from mccfr.cli.output import OK, console, json_option, print_json, short
from mccfr.cli.progress import Meter
from mccfr.cli.sources import require_writable

CHANGED = 1  # exit code when a line is not as committed


@click.command()
@click.option(
    "--write",
    metavar="FILE",
    help="Write this machine's results to FILE, in the format of mccfr/auditing/fingerprints.jsonl.",
)
@json_option
def command(write: str | None, as_json: bool) -> int:
    """Run fifteen methods briefly and compare their results with the committed ones.

    Random draws and counts must be identical, and sums of the tables must agree to 1e-9. The table also shows the speed
    on this machine and on ours, in iterations per second of CPU time without compiling. The exit code is 1 if a
    fingerprint has changed.
    """
    if write:
        require_writable(write)
    with Meter(wanted=not as_json) as meter:
        report = mccfr.bench(meter.phase)
    if write:
        report.write(write)
    if as_json:
        print_json({"command": "bench", **report.to_dict()})
    else:
        _print(report)
    return CHANGED if report.changed else OK


def _print(report: "mccfr.BenchReport") -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("game", "method", "fingerprint", "it/s here", "ours", "ratio"):
        rate = column in ("it/s here", "ours", "ratio")
        table.add_column(column, overflow="fold", no_wrap=rate, justify="right" if rate else "left")
    for row in report.rows:
        found = f"CHANGED: {', '.join(row.changed)}" if row.changed else "ok"
        rates = (short(row.here.rate), short(row.ours.rate), "-" if row.ratio is None else f"{row.ratio:.2f}")
        table.add_row(escape(row.here.game), escape(row.here.method), f"{row.here.fingerprint} {found}", *rates)
    console().print(table)
    click.echo(f"fingerprint {report.fingerprint}: {_verdict(report)}")


def _verdict(report: "mccfr.BenchReport") -> str:
    if not report.changed:
        return "as committed"
    return f"{len(report.changed)} of {len(report.rows)} lines CHANGED; committed is {report.committed}"
