"""`mccfr solve`: an equilibrium of a game, saved to a file."""

import contextlib
import shlex
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import click

import mccfr
from mccfr.cli.output import INTERRUPTED, OK, json_option, number, print_json, print_lines, sizes_text
from mccfr.cli.progress import KERNELS, Meter
from mccfr.cli.sources import require_writable

if TYPE_CHECKING:
    from mccfr import Solver


METHODS = (
    "auto, lp, cfr, cfr_plus, lcfr, dcfr(1.5,0,2), pcfr_plus, external, outcome(0.6), robust(1); "
    "or with parts, as cfr+rm_plus+quadratic, outcome+predictive+rm_plus+linear."
)


@click.command()
@click.argument("game")
@click.option("-m", "--method", metavar="METHOD", default="auto", show_default=True, help=METHODS)
@click.option("-n", "--iterations", metavar="N", type=click.IntRange(1), default=1000, show_default=True)
@click.option("-s", "--seed", metavar="N", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@click.option("-t", "--target", type=float, help="Stop once exploitability (NashConv / 2) is this low.")
@click.option("-o", "--out", metavar="FILE", help="Save the average strategy here, as leduc.mccfr.")
@click.option("--memory-limit", metavar="SIZE", help="Refuse a game that needs more to write out, as 8GB.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@json_option
def command(
    game: str, method: str, iterations: int, seed: int, target: float | None, out: str | None,
    memory_limit: str | None, quiet: bool, as_json: bool,
) -> int:  # fmt: skip
    """Compute an equilibrium of GAME and save it.

    GAME is a built-in game such as leduc or 'goofspiel(n=5)' (mccfr games lists them), openspiel:NAME, a file
    game.efg, or your own mygame.py:Class. Ctrl-C stops early and keeps what was reached (exit code 130).
    """
    if out is not None:
        require_writable(out)
    with sigterm_as_ctrl_c(), Meter(wanted=not quiet and not as_json) as meter:
        meter.phase(f"compiling the game {game}")
        solver = mccfr.Solver(game, method, seed, memory_limit)
        meter.phase(KERNELS, None if str(solver.method) == "lp" else iterations)
        stopped = _run(solver, iterations, target, meter, measured=as_json)
    document = _document(solver, target, stopped, out)
    if as_json:
        print_json({**document, "history": [entry._asdict() for entry in solver.history]})
    elif not quiet:
        print_lines(_report(document, game))
    return INTERRUPTED if stopped else OK


def _run(solver: "Solver", iterations: int, target: float | None, meter: Meter, measured: bool) -> bool:
    """Run the solver; whether Ctrl-C stopped it. Stopped before the first iteration there is nothing to keep."""
    try:
        solver.run(iterations, target, meter.watch if meter.shown or measured else None)
    except KeyboardInterrupt:
        if not solver.iterations:
            raise
        return True
    return False


@contextlib.contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _document(solver: "Solver", target: float | None, stopped: bool, out: str | None) -> dict[str, Any]:
    """Everything there is to say; the strategy is saved first."""
    strategy = solver.strategy()
    if out is not None:
        strategy.save(out)
    exploitability = mccfr.exploitability(strategy)
    return {
        "command": "solve",
        "game": solver.tree.game,
        "sizes": solver.tree.counts,
        "method": str(solver.method),
        "reason": solver.reason or None,
        "seed": solver.seed,
        "iterations": solver.iterations,
        "seconds": solver.seconds,
        "stopped": stopped,
        "exploitability": exploitability,
        "value": mccfr.expected_value(strategy),
        "unvisited": strategy.unvisited,
        "target": target,
        "target_reached": None if target is None else exploitability <= target,
        "out": out,
    }


def _report(document: dict[str, Any], game: str) -> Iterator[tuple[str, str]]:
    again = f"mccfr solve {shlex.quote(game)}"
    reason, iterations, seconds = document["reason"], document["iterations"], document["seconds"]
    yield "game", f"{document['game']}: {sizes_text(document['sizes'])}"
    yield "method", document["method"] + (f", chosen because {reason}" if reason else "")
    rate = f" ({iterations / seconds:,.0f} per second)" if iterations > 1 else ""
    yield (
        "iterations",
        f"{'stopped at iteration ' if document['stopped'] else ''}{iterations:,} in {seconds:.2f} s{rate}",
    )
    yield "exploitability", f"{number(document['exploitability'])} (NashConv / 2, in the game's payoffs)"
    if document["target_reached"] is False:
        yield "target", f"{number(document['target'])} not reached: allow more --iterations"
    yield "value", f"{number(document['value'])} for player 0"
    if document["unvisited"]:
        yield "unvisited", f"{document['unvisited']:,} infosets, which play uniformly"
    if document["out"]:
        yield "saved", document["out"]
    yield "next", f"mccfr show {shlex.quote(document['out'])}" if document["out"] else f"{again} --out strategy.mccfr"
