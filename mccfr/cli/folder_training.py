"""Training in a run folder, for `mccfr solve --out FOLDER` and `mccfr resume`: progress, log, report and exit code."""

import contextlib
import shlex
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import mccfr
from mccfr.cli.next_command import program, show_command
from mccfr.cli.output import INTERRUPTED, MISSED, OK, exploitability_text, number, print_json, print_lines, sizes_text
from mccfr.cli.progress import KERNELS, Limits, Meter, log_event
from mccfr.cli.sources import run_document
from mccfr.errors import FileError

if TYPE_CHECKING:
    from mccfr import Run

GOING_ON = {"started", "resumed"}  # events of a run that has something to do


class Telling(NamedTuple):
    """How much to tell, and in which way."""

    quiet: bool
    as_json: bool
    log_json: bool

    @property
    def shown(self) -> bool:
        """Whether people look at stderr."""
        return not (self.quiet or self.as_json or self.log_json)


def train_and_tell(command: str, folder: str, limits: Limits, train: "Callable[..., Run]", telling: Telling) -> int:
    """Call `train(watch=, on_event=)`, show how it goes and report how it ended: the exit code."""
    kinds: set[str] = set()
    with Meter(telling.shown, limits) as meter:

        def on_event(kind: str, **facts: Any) -> None:
            kinds.add(kind)
            if kind in GOING_ON and meter.shown:
                meter.pot = mccfr.Run(folder).record.pot
            if telling.log_json:
                log_event(kind, **facts)
            elif not telling.quiet:
                meter.event(kind, **facts)

        meter.phase(f"compiling the game, {KERNELS}")
        with meter.following(lambda: mccfr.Run(folder).status):
            run, stopped = _train(folder, train, meter.watch, on_event)
    document = {"command": command, **run_document(run), "stopped": stopped, "finished_before": not kinds & GOING_ON}
    document |= {"target_reached": run.reached}
    document |= {"reason": run.record.resolved.get("reason") or None, "sizes": run.record.sizes}
    if telling.as_json:
        print_json(document)
    elif not telling.quiet:
        print_lines(_report(document, run.config.game, run.config.method == "auto"))
    if stopped or run.reached is not False:
        return INTERRUPTED if stopped else OK
    return target_missed(telling, document["limits"]["target"], document["exploitability"])


def target_missed(telling: Telling, target: float, exploitability: float) -> int:
    """The exit code where a target was not reached; a line on stderr where no report says so."""
    if telling.quiet or telling.as_json:
        click.echo(f"mccfr: target {number(target)} not reached: exploitability is {number(exploitability)}", err=True)
    return MISSED


def _train(folder: str, train: "Callable[..., Run]", watch: Any, on_event: Any) -> "tuple[Run, bool]":
    """The run, and whether Ctrl-C stopped it. Stopped before the folder was made there is nothing to tell."""
    try:
        return train(watch=watch, on_event=on_event), False
    except KeyboardInterrupt:
        with contextlib.suppress(FileError):
            return mccfr.Run(folder), True
        raise


def _report(document: dict[str, Any], typed_game: str, chosen: bool) -> Iterator[tuple[str, str]]:
    yield "game", f"{document['game']}: {sizes_text(document['sizes'])}"
    yield from method_lines(document, chosen)
    yield "iterations", _iterations(document)
    yield "nodes", f"{document['touched']:,} touched" + per_second(document["touched"], document["seconds"])
    if document["exploitability"] is not None or not document["stopped"]:
        yield "exploitability", exploitability_text(document["exploitability"], document["pot"])
        target = document["limits"]["target"]
        if document["target_reached"] is False and not document["stopped"]:
            yield "target", f"{number(target)} not reached: allow more --iterations or --seconds"
    if document["note"]:
        yield "note", document["note"]
    yield "run folder", document["folder"]
    yield "next", _next(document, typed_game)


def method_lines(document: dict[str, Any], chosen: bool) -> Iterator[tuple[str, str]]:
    """The method, and why it was chosen if it was; who does the work, if that needs saying."""
    method, reason, parallel = document["method"], document["reason"], document["parallel"]
    yield "method", f"{method}, chosen because {reason}" if chosen and reason else method
    why = f": {reason}" if reason and not chosen else ""
    if parallel or why:
        again = "" if document["reproducible"] else "; another run with this seed will differ"
        yield "workers", f"{document['workers']}{f', {parallel}' if parallel else ''}{why}{again}"
    if document["placement"]:
        yield "device", f"{document['device']}: {document['placement']}"


def _iterations(document: dict[str, Any]) -> str:
    how = "stopped at iteration " if document["stopped"] else "finished before: " if document["finished_before"] else ""
    iterations, seconds = document["iterations"], document["seconds"]
    rate = per_second(iterations, seconds) if iterations > 1 else ""
    return f"{how}{iterations:,} in {seconds:.2f} s{rate}"


def _next(document: dict[str, Any], typed_game: str) -> str:
    folder, show = shlex.quote(document["folder"]), show_command(document["folder"], typed_game)
    resume = f"{shlex.quote(program())} resume {folder}"
    if document["stopped"]:
        return f"{resume} continues it"
    if document["finished_before"]:
        return f"{show}; or {resume} with a higher limit (--iterations, --seconds, --target)"
    return show


def per_second(count: int, seconds: float) -> str:
    """A rate in brackets, or nothing if no time has passed."""
    return f" ({count / seconds:,.0f} per second)" if seconds > 0 else ""
