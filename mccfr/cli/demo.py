"""`mccfr demo`: what a newcomer sees first. Every number is computed while they watch."""

import importlib.util
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.chart import log_log_chart
from mccfr.cli.next_command import path_as_typed, script_as_typed
from mccfr.cli.output import console, json_option, print_json, sizes_text
from mccfr.cli.progress import KERNELS, Meter
from mccfr.errors import own_pip

if TYPE_CHECKING:
    from mccfr import Solver

GAME = "leduc"
MILESTONES = (1, 10, 100, 1_000, 10_000)
NARROWEST_CHART, WIDEST_CHART, CHART_MARGIN = 20, 64, 9  # columns
MARKS = {"cfr": "·", "cfr_plus": "●"}
SPOTS = {
    "first to act with a jack": "J:",
    "first to act with a queen": "Q:",
    "first to act with a king": "K:",
    "facing a bet with a jack": "J:r",
    "facing a bet with a queen": "Q:r",
    "facing a bet with a king": "K:r",
    "round 2 with a pair of jacks, after checks": "J:cc/j:",
}
EXAMPLE = "examples/coin_bluff.py"


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Solve Leduc poker from scratch and watch the strategy converge (takes a few seconds)."""
    with Meter(wanted=not as_json) as meter:
        meter.phase(KERNELS)
        tree = mccfr.compile(GAME)
        for method in MARKS:
            mccfr.Solver(tree, method).run(1)
        solvers = {method: _solve(mccfr.Solver(tree, method), meter) for method in MARKS}
        exact = mccfr.Solver(tree, "lp").run(1)
    document = _document(solvers["cfr_plus"], solvers["cfr"], exact)
    print_json(document) if as_json else _print(document)


def _solve(solver: "Solver", meter: Meter) -> "Solver":
    """Up to the last milestone; `run` measures at its end, so every milestone is in the history."""
    for stop in MILESTONES:
        solver.run(stop - solver.iterations, watch=meter.watch)
    return solver


def _document(solver: "Solver", plain: "Solver", exact: "Solver") -> dict[str, Any]:
    strategy = solver.strategy()
    value, lp_value = mccfr.expected_value(strategy), mccfr.expected_value(exact.strategy())
    return {
        "command": "demo",
        "game": GAME,
        "sizes": solver.tree.counts,
        "uniform_exploitability": mccfr.exploitability(mccfr.uniform(solver.tree)),
        "history": {str(s.method): [entry._asdict() for entry in s.history] for s in (plain, solver)},
        "milestones": [entry._asdict() for entry in solver.history if entry.iterations in MILESTONES],
        "value": value,
        "lp_value": lp_value,
        "strategy": {spot: strategy[label] for spot, label in SPOTS.items()},
    }


def _print(document: Mapping[str, Any]) -> None:
    click.echo(f"Leduc poker: {sizes_text(document['sizes'])}.")
    click.echo("Solved from scratch by CFR+ (mccfr.solve('leduc', 'cfr_plus', iterations=10_000)).\n")
    _print_milestones(document)
    _print_chart(document["history"])
    click.echo(f"\nValue for player 0   {document['lp_value']:+.9f} by linear programming, exactly")
    gap = abs(document["value"] - document["lp_value"])
    click.echo(f"                     {document['value']:+.9f} when CFR+ plays against itself, {gap:.1e} away\n")
    _print_strategy(document["strategy"])
    click.echo("\nWhat to do next")
    _print_beside(next_steps())
    click.echo("\n" + closing_words())


def _print_milestones(document: Mapping[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 3, 0, 0), header_style="bold")
    for column in ("iterations", "milliseconds", "exploitability", "% of uniform"):
        table.add_column(column, justify="right")
    uniform = document["uniform_exploitability"]
    table.add_row("uniform", "", f"{uniform:.6f}", "100.0000")
    for row in document["milestones"]:
        cells = f"{row['iterations']:,}", f"{1000 * row['seconds']:.1f}", f"{row['exploitability']:.6f}"
        table.add_row(*cells, f"{row['exploitability'] / uniform * 100:.4f}")
    console().print(table)
    click.echo("(exploitability: what a best response wins per game, in chips; 0 means an equilibrium)\n")


def _print_chart(history: Mapping[str, list[dict[str, float]]]) -> None:
    click.echo("Exploitability against iterations: " + ", ".join(f"{MARKS[name]} {name}" for name in history))
    curves = {
        MARKS[name]: [(row["iterations"], row["exploitability"]) for row in rows] for name, rows in history.items()
    }
    click.echo(log_log_chart(curves, max(NARROWEST_CHART, min(WIDEST_CHART, _width() - CHART_MARGIN))))


def _print_strategy(spots: Mapping[str, Mapping[str, float]]) -> None:
    click.echo("How it plays")
    _print_beside(
        [(spot, "  ".join(f"{action} {p:.2f}" for action, p in choice.items())) for spot, choice in spots.items()]
    )


def _print_beside(lines: Sequence[tuple[str, str]]) -> None:
    """Two columns; where they are too wide for the terminal, the second one below the first."""
    left, right = (max(len(line[column]) for line in lines) for column in (0, 1))
    for first, second in lines:
        if 2 + left + 2 + right <= _width():
            click.echo(f"  {first:<{left}}  {second}")
        else:
            click.echo(f"  {first}\n      {second}")


def _width() -> int:
    """Columns of the terminal, or of a pipe."""
    return console().width


# ---- what to type next


def next_steps() -> list[tuple[str, str]]:
    """Commands that work as they are in the shell that started this one, and what they are for."""
    mccfr_here = own_name()
    steps = [
        (f"{mccfr_here} games", "list the other games"),
        (f"{mccfr_here} solve leduc --out leduc.mccfr", "solve and save the strategy"),
        (f"{mccfr_here} show leduc.mccfr K:", "look at one infoset"),
        (f"{mccfr_here} evaluate leduc.mccfr --against uniform:leduc", "play it against another strategy"),
        (f"{mccfr_here} play", "play hold'em against a strategy that comes along"),
        (_page_command(mccfr_here), "watch a method learn, in the browser"),
    ]
    if Path(EXAMPLE).is_file():
        steps.append((f"{mccfr_here} check {EXAMPLE}", "a game of your own looks like this one"))
    return steps


def closing_words() -> str:
    """Where to read on, and how to type less."""
    name, activate = own_name(), Path(sys.executable).with_name("activate")
    read = "Read README.md, then docs/tour.md." if _in_the_clone() else f"All commands: {name} --help"
    if name == "mccfr" or not activate.is_file():
        return read
    return (
        f"{read}\nTo type mccfr alone: source {_quoted_path(activate)} (in fish: source {_quoted_path(activate)}.fish)"
    )


def own_name() -> str:
    """How this program is called: by its name where the shell finds it so, otherwise by its path."""
    script = Path(sys.argv[0])
    if script.name != "mccfr" or not script.is_file():
        script = Path(sys.executable).with_name("mccfr")
    return shlex.quote(script_as_typed(script)) if script.is_file() else f"{_quoted_path(sys.executable)} -m mccfr"


def _quoted_path(file: str | Path) -> str:
    return shlex.quote(path_as_typed(file))


def _in_the_clone() -> bool:
    """Whether this is the environment that `make` has made, seen from its folder."""
    return Path("Makefile").is_file() and Path(sys.prefix).resolve() == Path(".venv").resolve()


def _page_command(mccfr_here: str) -> str:
    """What opens the page; it needs packages that may not be there yet."""
    from mccfr.cli.watch import PAGE_PACKAGES

    if all(importlib.util.find_spec(package) for package in PAGE_PACKAGES):
        return f"{mccfr_here} watch"
    if _in_the_clone():
        return "make watch"
    return f"{own_pip()} install 'mccfr[web]' && {mccfr_here} watch"
