"""`mccfr plot`: exploitability of runs against walks, nodes touched and seconds."""

from pathlib import Path

import click

from mccfr.cli.completing import RunText
from mccfr.cli.output import OK, json_option, print_json
from mccfr.cli.sources import require_writable
from mccfr.cli.sweep import counted


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=RunText())
@click.option(
    "-o", "--out", metavar="FILE", default="plot.png", show_default=True, help="Picture to write: .png, .svg or .pdf."
)
@click.option("--x", "axis", type=click.Choice(["walks", "nodes", "seconds", "all"]), default="all", show_default=True)
@click.option("--by", type=click.Choice(["method", "game", "folder"]), default="method", show_default=True,
              help="What a line stands for.")  # fmt: skip
@json_option
def command(runs: tuple[str, ...], out: str, axis: str, by: str, as_json: bool) -> int:
    """Plot how runs converge: one line for each method, with a band over its seeds.

    RUN is a run folder, a folder that contains runs (such as a sweep's), or a pattern in quotes. A line is the
    geometric mean of its runs, and its band spans the lowest to the highest. Unfinished runs are drawn as far as they
    have got.
    """
    from mccfr.experiments.groups import AXES, curve, find_runs, grouped, mixed_games
    from mccfr.experiments.plots import draw, require_drawing

    require_drawing(Path(out))
    require_writable(out)
    curves = [curve(run) for run in find_runs(runs)]
    groups = grouped(curves, by)
    games = sorted({found.game for found in curves})
    draw(groups, Path(out), tuple(AXES) if axis == "all" else (axis,), ", ".join(games))
    if as_json:
        lines = [{"name": name, "runs": [str(found.folder) for found in group]} for name, group in groups.items()]
        print_json({"command": "plot", "out": out, "x": list(AXES) if axis == "all" else [axis], "lines": lines})
    else:
        if by == "game" and (mixed := mixed_games(curves)):
            click.echo(f"{', '.join(sorted(mixed))}: several methods, so there is a line for each of them", err=True)
        click.echo(f"wrote {out}: {counted(len(groups), 'line')}, {counted(len(curves), 'run')} of {', '.join(games)}")
    return OK
