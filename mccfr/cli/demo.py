"""`mccfr demo`: what a newcomer sees first. Every number is computed while they watch."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.chart import log_log_chart
from mccfr.cli.output import console, json_option, print_json, sizes_text
from mccfr.cli.progress import KERNELS, Meter

if TYPE_CHECKING:
    from mccfr import Solver

GAME = "leduc"
MILESTONES = (1, 10, 100, 1_000, 10_000)
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
NEXT = (
    ("mccfr games", "list the other games"),
    ("mccfr solve leduc --out leduc.mccfr", "solve and save the strategy"),
    ("mccfr show leduc.mccfr K:", "look at one infoset"),
    ("mccfr evaluate leduc.mccfr --against uniform:leduc", "play it against another strategy"),
    ("mccfr check mygame.py", "check a game you wrote"),
)


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Solve Leduc poker from scratch and watch the strategy converge (takes a few seconds)."""
    with Meter(wanted=not as_json) as meter:
        meter.phase(f"compiling the game, {KERNELS}")
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
    for line, purpose in NEXT:
        click.echo(f"  {line:<52}{purpose}")
    click.echo("  Read README.md, then docs/command-line.md.")


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
    click.echo(log_log_chart(curves))


def _print_strategy(spots: Mapping[str, Mapping[str, float]]) -> None:
    click.echo("How it plays")
    for spot, choice in spots.items():
        click.echo(f"  {spot:<44}" + "  ".join(f"{action} {p:.2f}" for action, p in choice.items()))
