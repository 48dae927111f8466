"""`mccfr solve`: an equilibrium of a game, saved to a file or trained in a run folder."""

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.buckets import build_buckets
from mccfr.cli.completing import GameText, MethodText
from mccfr.cli.folder_training import Telling, method_lines, per_second, target_missed, train_and_tell
from mccfr.cli.next_command import show_command, typed_again
from mccfr.cli.output import (
    INTERRUPTED,
    OK,
    device_option,
    exploitability_text,
    json_option,
    log_option,
    number,
    print_json,
    print_lines,
    quiet_option,
    ray_option,
    sizes_text,
)
from mccfr.cli.progress import KERNELS, Limits, Meter, log_event
from mccfr.cli.sources import STRATEGY_SUFFIX, is_run, require_folder_name, require_writable
from mccfr.cli.typed import SEED, Count, Seconds, Target, Workers
from mccfr.signals import sigterm_as_ctrl_c

if TYPE_CHECKING:
    from mccfr import Progress, Solver


METHODS = (
    "auto, lp, cfr, cfr_plus, lcfr, dcfr(1.5,0,2), pcfr_plus, external, outcome(0.6), robust(1); "
    "or a combination such as cfr+rm_plus+quadratic or outcome+predictive+rm_plus+linear."
)
PARALLEL = ("auto", "replicas", "batch", "shared", "locked")
ENOUGH = 1000  # iterations, if nobody says when to end
EXACT = ("lp", "auto")  # end on their own, or may; a run that has no end after all is refused later
FOLDER_ONLY = ("checkpoint_every", "tensorboard", "ray")


@click.command()
@click.argument("game", type=GameText())
@click.option("-m", "--method", metavar="METHOD", type=MethodText(), default="auto", show_default=True, help=METHODS)
@click.option(
    "-n",
    "--iterations",
    metavar="N",
    type=Count(),
    help="Stop after N iterations. [default: 1000 without a run folder]",
)
@click.option(
    "--seconds", metavar="S", type=Seconds(), help="Stop after this much time of solving, such as 90 or 2min."
)
@click.option(
    "-t",
    "--target",
    metavar="E",
    type=Target(),
    help="Stop once exploitability (NashConv / 2) is this low: in payoffs, or of the pot if it ends in %.",
)
@click.option("-s", "--seed", metavar="N", type=SEED, default=0, show_default=True)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    type=click.Path(),
    help="A strategy file such as leduc.mccfr, or a run folder such as runs/a.",
)
@click.option(
    "--workers",
    metavar="N",
    type=Workers(),
    default=1,
    show_default=True,
    help="Number of cores; all or 0 uses every core.",
)
@click.option(
    "--parallel", type=click.Choice(PARALLEL), default="auto", show_default=True, help="How the workers share the work."
)
@device_option("cpu")
@ray_option
@click.option(
    "--checkpoint-every",
    metavar="S",
    type=Seconds(),
    help="Seconds between checkpoints of a run. [default: 60]",
)
@click.option("--tensorboard", is_flag=True, help="Also write a run's measurements for TensorBoard.")
@click.option(
    "--memory-limit", metavar="SIZE", help="Refuse a game whose tree needs more memory than this, for example 8GB."
)
@quiet_option
@log_option
@json_option
def command(game: str, out: str | None, quiet: bool, log_json: bool, as_json: bool, **given: Any) -> int:
    """Compute an equilibrium of GAME and save it.

    GAME is a built-in game such as leduc or 'goofspiel(n=5)' (mccfr games lists them), openspiel:NAME, a file
    game.efg, or your own mygame.py:Class. Ctrl-C stops early and saves the result so far (exit code 130).

    \b
    mccfr solve leduc --out leduc.mccfr
        saves a strategy
    mccfr solve 'goofspiel(n=6)' -m external --seconds 3600 --out runs/g6
        trains in a folder that keeps checkpoints and measurements; after Ctrl-C
        or a power cut, the same command or mccfr resume runs/g6 continues
    mccfr solve leduc -m external --workers all --target 0.01
        uses every core and stops when the strategy is good enough
    mccfr solve spot.toml --target 0.5% --out spot.mccfr
        solves a spot of hold'em up to 0.5 % of its pot
    mccfr solve 'holdem(limit, ehs2(10))' -m external -n 500M --device gpu --out runs/limit
        makes a billion walks on a GPU
    """
    telling = Telling(quiet, as_json, log_json)
    with sigterm_as_ctrl_c():
        if out is not None and not out.endswith(STRATEGY_SUFFIX):
            require_folder_name(out)
            return _solve_in_folder(game, out, telling, given)
        _refuse_what_needs_a_folder(given)
        return _solve(game, out, telling, given)


def _solve_in_folder(game: str, folder: str, telling: Telling, given: dict[str, Any]) -> int:
    limits = Limits(given["iterations"], given["seconds"])
    if not any(limits) and given["target"] is None and given["method"] not in EXACT and not is_run(folder):
        raise click.UsageError(
            f"the run {folder} needs a limit: give --iterations, --seconds or --target", click.get_current_context()
        )
    given = {name: value for name, value in given.items() if value is not None}
    files = click.get_current_context().find_root().params.get("files", ())
    with Meter(telling.shown) as meter:
        build_buckets(game, meter)
    return train_and_tell(
        "solve", folder, limits, functools.partial(mccfr.train, folder, game, use=files, **given), telling
    )


def _refuse_what_needs_a_folder(given: dict[str, Any]) -> None:
    for name in FOLDER_ONLY:
        if given[name]:
            raise click.UsageError(
                f"--{name.replace('_', '-')} needs a run folder: --out runs/NAME", click.get_current_context()
            )


def _solve(game: str, out: str | None, telling: Telling, given: dict[str, Any]) -> int:
    """Solve in one go; the average strategy is all that is kept."""
    if out is not None:
        require_writable(out)
    limits = Limits(given["iterations"] or (None if given["seconds"] else ENOUGH), given["seconds"])
    with Meter(telling.shown, limits) as meter:
        build_buckets(game, meter)
        meter.phase(f"compiling the game {game}")
        solver = mccfr.Solver(
            game, given["method"], given["seed"], given["memory_limit"], given["workers"], given["parallel"],
            device=given["device"],
        )  # fmt: skip
        meter.pot = solver.tree.pot
        target = None if given["target"] is None else solver.goal(given["target"])
        meter.phase(KERNELS)
        stopped = _run(solver, limits, target, meter, telling)
    document = _document(solver, target, stopped, out)
    if telling.as_json:
        print_json({**document, "history": [entry._asdict() for entry in solver.history]})
    elif not telling.quiet:
        print_lines(_report(document, game, given["method"] == "auto", solver.tree.largest_payoff))
    if stopped or solver.reached is not False:
        return INTERRUPTED if stopped else OK
    return target_missed(telling, document["target"], document["exploitability"])


def _run(solver: "Solver", limits: Limits, target: float | None, meter: Meter, telling: Telling) -> bool:
    """Run the solver; whether Ctrl-C stopped it. Stopped before the first iteration there is nothing to keep."""
    log = log_event if telling.log_json else _silence
    log("started", game=solver.tree.game, method=str(solver.method), seed=solver.seed)

    def watch(reached: "Progress") -> None:
        log("measured", **reached._asdict())
        meter.watch(reached)

    measured = meter.shown or telling.as_json or telling.log_json
    pause = (lambda: meter.reach(solver.iterations, solver.seconds, solver.touched)) if meter.shown else None
    try:
        solver.advance(limits.iterations, target, watch if measured else None, limits.seconds, pause)
    except KeyboardInterrupt:
        if not solver.iterations:
            raise
        log("stopped", iterations=solver.iterations, seconds=solver.seconds)
        return True
    log("finished", iterations=solver.iterations, seconds=solver.seconds)
    return False


def _silence(kind: str, **facts: Any) -> None:
    pass


def _document(solver: "Solver", target: float | None, stopped: bool, out: str | None) -> dict[str, Any]:
    """Everything there is to say; the strategy is saved first."""
    strategy = solver.strategy()
    if out is not None:
        strategy.save(out)
    measured = target is not None or solver.tree.quickly_measured
    return {
        "command": "solve",
        "game": solver.tree.game,
        "sizes": solver.tree.counts,
        "method": str(solver.method),
        "reason": solver.reason or None,
        "note": solver.note or None,
        "seed": solver.seed,
        "workers": solver.workers,
        "parallel": solver.parallel or None,
        "device": solver.device,
        "placement": solver.placement or None,
        "reproducible": solver.reproducible,
        "iterations": solver.iterations,
        "seconds": solver.seconds,
        "touched": solver.touched,
        "stopped": stopped,
        "exploitability": mccfr.exploitability(strategy) if measured else None,
        "value": mccfr.expected_value(strategy) if measured else None,
        "unvisited": strategy.unvisited,
        "pot": solver.tree.pot,
        "target": target,
        "target_reached": None if target is None else bool(solver.reached),
        "out": out,
    }


def _report(document: dict[str, Any], game: str, chosen: bool, largest: float) -> Iterator[tuple[str, str]]:
    iterations, seconds = document["iterations"], document["seconds"]
    yield "game", f"{document['game']}: {sizes_text(document['sizes'])}"
    yield from method_lines(document, chosen)
    rate = per_second(iterations, seconds) if iterations > 1 else ""
    yield (
        "iterations",
        f"{'stopped at iteration ' if document['stopped'] else ''}{iterations:,} in {seconds:.2f} s{rate}",
    )
    yield "exploitability", exploitability_text(document["exploitability"], document["pot"], largest)
    if document["target_reached"] is False:
        yield "target", f"{number(document['target'], largest)} not reached: allow more --iterations or --seconds"
    if document["value"] is not None:
        yield "value", f"{number(document['value'], largest)} for player 0"
    if document["note"]:
        yield "note", document["note"]
    if document["unvisited"]:
        yield "unvisited", f"{document['unvisited']:,} infosets, which play uniformly"
    if document["out"]:
        yield "saved", document["out"]
    yield "next", show_command(document["out"], game) if document["out"] else _saving(game)


def _saving(game: str) -> str:
    """This command with everything that was typed, and a file to save to."""
    return typed_again(["solve", game], leave_out=("out",), then=["--out", "strategy.mccfr"])
