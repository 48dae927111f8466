"""`mccfr sweep`: games x methods x seeds from a file, over local processes or Ray."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import OK, ROUNDING, console, json_option, print_json
from mccfr.cli.progress import Meter
from mccfr.cli.typed import Count
from mccfr.signals import sigterm_as_ctrl_c

if TYPE_CHECKING:
    from mccfr.experiments.library import Sweep
    from mccfr.jobs.statistics import Interval

FAILED = 1  # exit code when some jobs failed
HERE = "here"  # --ray without an address


@click.command()
@click.argument("file", type=click.Path())
@click.option("--jobs", metavar="N", type=Count(), help="Number of runs at a time. [default: one per processor]")
@click.option("--ray", "address", metavar="[ADDRESS]", is_flag=False, flag_value=HERE, help="Run on a Ray cluster, or "
              "on a Ray of its own on this machine if no address is given.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Check the file and list the runs without running them.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@json_option
def command(file: str, jobs: int | None, address: str | None, dry_run: bool, quiet: bool, as_json: bool) -> int:
    """Run every combination of the games, methods and seeds in FILE (.toml or .yaml).

    \b
        games = ["kuhn", "leduc"]
        methods = ["cfr_plus", "external"]
        seeds = 5                 # 1 to 5; or a list
        iterations = 10000        # or seconds, or target
        out = "runs/first"        # default: FILE without its suffix

    Each run has a run folder OUT/GAME/METHOD/seed-SEED. Finished runs are kept: after Ctrl-C, a crash or a power cut
    the same command continues. OUT/summary.parquet has a row for each run. The exit code is 1 if a run failed.
    """
    from mccfr.experiments.library import sweep

    if dry_run:
        _print_plan(file, as_json)
        return OK
    meter = Meter(not quiet and not as_json, clock=True)
    try:
        with sigterm_as_ctrl_c(), meter:
            found = sweep(file, jobs, address, used_files(), meter.count)
    except KeyboardInterrupt:
        return meter.stopped(as_json)
    return _report(found, quiet, as_json)


def used_files() -> tuple[str, ...]:
    """What was given with `mccfr --use`: other processes need it too."""
    return tuple(click.get_current_context().find_root().params.get("files", ()))


def _print_plan(file: str, as_json: bool) -> None:
    from mccfr.experiments.sweep_file import read_sweep
    from mccfr.experiments.sweeping import summary_rows, sweep_jobs
    from mccfr.experiments.training_jobs import TrainingOutcome, is_finished

    asked = read_sweep(Path(file))
    planned = sweep_jobs(asked._replace(use=(*used_files(), *asked.use)))
    rows = summary_rows([TrainingOutcome(job) for job in planned], asked.out)
    finished = sum(is_finished(job) for job in planned)
    if as_json:
        print_json({"command": "sweep", "dry_run": True, "out": str(asked.out), "finished": finished, "runs": rows})
        return
    for job, row in zip(planned, rows):
        done = "" if row["state"] == "new" else f" at iteration {row['iterations']:,}"
        click.echo(f"{job.folder}  {job}  {row['state']}{done}")
    click.echo(f"{counted(len(planned), 'run')}, {finished} of them finished")


def _report(found: "Sweep", quiet: bool, as_json: bool) -> int:
    rows, finished = found.rows, sum(not row["error"] for row in found.rows)
    if as_json:
        print_json({"command": "sweep", "dry_run": False, "out": str(found.out), "finished": finished, "runs": rows})
    elif not quiet:
        _print_table(rows)
        click.echo(f"{finished} of {len(rows)} runs finished; {found.summary} has a row for each")
    return tell_failures([(f"{row['game']} {row['method']} seed {row['seed']}", row["error"]) for row in rows])


def tell_failures(runs: Sequence[tuple[str, str]]) -> int:
    """Say on stderr which runs failed and why; the exit code."""
    failed = [(run, error) for run, error in runs if error]
    for run, error in failed:
        click.echo(f"mccfr: {run} failed: {error}", err=True)
    return FAILED if failed else OK


def _print_table(rows: Sequence[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from mccfr.experiments.sweeping import means

    found = means(rows)
    games = list(dict.fromkeys(row["game"] for row in rows))
    table = Table(title="Exploitability: geometric mean over seeds [95 % interval]", title_justify="left")
    for column in ("method", *games):
        table.add_column(escape(column), overflow="fold")
    for method in dict.fromkeys(row["method"] for row in rows):
        table.add_row(escape(method), *(interval_text(found[game, method]) for game in games))
    console().print(table)


def counted(number: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def interval_text(found: "Interval | None") -> str:
    """A mean and its interval, if it has one, in three digits."""
    if found is None:
        return "-"
    return str(found).replace("[", "\\[") if found.low < found.high else mean_text(found.mean)


def mean_text(mean: float) -> str:
    """A mean in three digits."""
    return f"{mean:.3g}" if mean > ROUNDING else "0"
