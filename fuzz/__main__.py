"""`python -m fuzz`: run the fuzzers, or replay cases that were kept."""

import os
import sys
from pathlib import Path

import click

from fuzz.kinds import KINDS
from fuzz.parent import FOUND, fuzz, name_of, replayed, say


@click.group(invoke_without_command=True)
@click.option("-n", default=1000, show_default=True, help="How many files and strings; of slower kinds fewer.")
@click.option("--seed", default=0, show_default=True)
@click.option("--kinds", default=" ".join(KINDS), show_default=True, help="Which, separated by spaces.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Children at a time.")
@click.option("--found", type=click.Path(path_type=Path), default=FOUND, help="Where findings are written.")
@click.option("--plant", multiple=True, metavar="MODULE:NAME", help="Make this function fail, to see that it is found.")
@click.pass_context
def main(ctx: click.Context, n: int, seed: int, kinds: str, jobs: int, found: Path, plant: tuple[str, ...]) -> None:
    """Give the package N strange files, strings and so on. Exit code 1 if anything was found."""
    if ctx.invoked_subcommand is not None:
        return
    chosen = kinds.split()
    if unknown := set(chosen) - KINDS.keys():
        raise click.UsageError(f"no kind {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    report = fuzz(chosen, n, seed, jobs, plant, found)
    for line in report.lines():
        say(line)
    for finding in report.findings.values():
        say(f"{finding['signature']} ({finding['times']} times): {finding['what'][:160]}")
        say(f"    python -m fuzz replay {found / name_of(finding)}")
    sys.exit(1 if report.findings else 0)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def replay(files: tuple[Path, ...]) -> None:
    """Run cases that were kept again. Exit code 1 if any still is a finding."""
    bad = 0
    for path, verdict in replayed(files):
        say(f"{path}: {verdict['outcome']} {verdict['signature']} {verdict['what']}".rstrip())
        bad += verdict["outcome"] == "found"
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
