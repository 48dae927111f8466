"""`mccfr compare`: is one group of runs better than another, and by how much?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.completing import RunText
from mccfr.cli.output import OK, console, json_option, print_json
from mccfr.cli.sweep import counted, interval_text, mean_text

if TYPE_CHECKING:
    from mccfr.experiments.comparison import Comparison
    from mccfr.experiments.groups import Curve


@click.command()
@click.argument("groups", metavar="GROUP OTHER", nargs=-1, required=True, type=RunText())
@json_option
def command(groups: tuple[str, ...], as_json: bool) -> int:
    """Test whether two groups of runs differ in exploitability.

    A group is a folder with runs below it, or a pattern in quotes:

    \b
        mccfr compare runs/first/leduc/external runs/first/leduc/outcome
        mccfr compare 'runs/external-*' 'runs/outcome-*'

    The groups are compared at the largest number of walks, nodes touched and seconds that all runs reached. The table
    shows the ratio of geometric means with a 95 % interval, Welch's t-test on logarithms and the Mann-Whitney U test.
    """
    from mccfr.experiments.comparison import compare
    from mccfr.experiments.groups import curve, find_runs

    if len(groups) != 2:
        raise click.UsageError(
            f"compare takes two groups, got {len(groups)}: give each as a folder or as a pattern in quotes"
        )
    one, other = ([curve(run) for run in find_runs([text])] for text in groups)
    found = compare(one, other)
    if as_json:
        print_json(_document(groups, one, other, found))
    else:
        _print(_name(groups[0], one), _name(groups[1], other), one, other, found)
    return OK


def _name(text: str, group: "Sequence[Curve]") -> str:
    """The method of a group if it has one, else what was typed."""
    methods = {found.method for found in group}
    return methods.pop() if len(methods) == 1 else text


def _document(
    groups: Sequence[str], one: "Sequence[Curve]", other: "Sequence[Curve]", found: "Sequence[Comparison]"
) -> dict[str, Any]:
    return {
        "command": "compare",
        "game": one[0].game,
        "groups": [
            {"group": text, "methods": sorted({c.method for c in group}), "runs": [str(c.folder) for c in group]}
            for text, group in zip(groups, (one, other))
        ],
        "comparisons": [
            {
                "axis": entry.axis,
                "at": entry.at,
                "one": entry.one.to_dict(),
                "other": entry.other.to_dict(),
                "ratio": entry.difference.ratio.to_dict(),
                "welch_p": entry.difference.welch,
                "mann_whitney_p": entry.difference.mann_whitney,
            }
            for entry in found
        ],
    }


def _print(
    one: str, other: str, runs: "Sequence[Curve]", other_runs: "Sequence[Curve]", found: "Sequence[Comparison]"
) -> None:
    from rich.table import Table

    names = ("A", "B") if one == other else (one, other)
    click.echo(
        f"{runs[0].game}: A is {one} ({counted(len(runs), 'run')}), B is {other} ({counted(len(other_runs), 'run')})"
    )
    table = Table("at equal", "A", "B", "A / B \\[95 %]", "p, Welch", "p, U test")
    for entry in found:
        means = (mean_text(group.mean) for group in (entry.one, entry.other))
        tests = map(p_text, (entry.difference.welch, entry.difference.mann_whitney))
        table.add_row(_point(entry), *means, interval_text(entry.difference.ratio), *tests)
    console().print(table)
    click.echo(_verdict(names, found))


def _point(entry: "Comparison") -> str:
    return f"{entry.axis}: {entry.at:.4g}" if entry.axis == "seconds" else f"{entry.axis}: {entry.at:,.0f}"


def p_text(p: float | None) -> str:
    """A p-value in two digits."""
    return "-" if p is None else f"{p:.2g}"


def _verdict(names: tuple[str, str], found: "Sequence[Comparison]") -> str:
    """In words, what Welch's test says at the 5 % level."""
    if any(entry.difference.welch is None for entry in found):
        return "no test: a group with a single random run, or whose runs are all equal, has no variance"
    parts = []
    for entry in found:
        better = names[entry.difference.ratio.mean > 1]
        sure = entry.difference.welch is not None and entry.difference.welch < 0.05
        parts.append(
            f"{better} is better at equal {entry.axis}" if sure else f"no difference shown at equal {entry.axis}"
        )
    return "; ".join(parts)
