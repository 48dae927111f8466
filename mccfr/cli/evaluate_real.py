"""`mccfr evaluate --real`: what a strategy with buckets is worth against players who see every card."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.output import INTERRUPTED, OK, duration, number as rounded, print_json, print_lines
from mccfr.cli.progress import Meter
from mccfr.cli.typed import Count, Workers

if TYPE_CHECKING:
    from mccfr import Strategy

Function = Callable[..., Any]
DEVICES = ("cpu", "gpu", "auto")
DEVICE = "Where --real computes: gpu goes through all flops of a full deck; auto says which it takes. [default: cpu]"
KEEP = "With --real: keep what finished flops gave in FILE; the same command continues."


def real_options(function: Function) -> Function:
    """The options of measuring with every card."""
    for option in (
        click.option("--workers", metavar="N", type=Workers(), help="Threads of --real, or all. [default: all]"),
        click.option("--keep", metavar="FILE", type=click.Path(dir_okay=False), help=KEEP),
        click.option("--device", type=click.Choice(DEVICES), help=DEVICE),
        click.option("--flops", metavar="N", type=Count(), help="With --real: a lower bound from N random flops."),
        click.option("--real", is_flag=True, help="Measure hold'em with buckets against players who see every card."),
    ):
        function = option(function)
    return function


def asked_for_real(given: dict[str, Any], against: str | None) -> bool:
    """Whether it is to be measured with every card; some options make no sense with that, and some without."""
    real, context = given["real"], click.get_current_context()
    for name in ("flops", "workers", "device", "keep"):
        if given[name] is not None and not real:
            raise click.UsageError(f"--{name} needs --real", context)
    for name, value in {**given, "against": against}.items():
        if real and name in ("abstract", "deals", "tables", "against") and value:
            raise click.UsageError(f"--{name} cannot be combined with --real", context)
    return bool(real)


def tell_real(name: str, strategy: "Strategy", given: dict[str, Any], as_json: bool) -> int:
    """Measure a strategy with every card, and print what was found; the exit code."""
    began = time.monotonic()
    try:
        found = _measured(strategy, given, as_json)
    except KeyboardInterrupt:
        if given["keep"] is None:
            raise
        return _stopped(f"stopped: the same command continues with what is in {given['keep']}", as_json)
    document = {
        "command": "evaluate",
        "strategy": name,
        "game": strategy.game,
        "method": strategy.origin.method,
        "iterations": strategy.origin.iterations,
        "infosets": len(strategy),
        "unvisited": strategy.unvisited,
        "real": {
            "exploitability": found.exploitability,
            "margin": found.margin,
            "mbb": found.mbb,
            "mbb_margin": found.mbb_margin,
            "best_response": list(found.best_response),
            "flops": found.flops or "all",
            "device": found.device,
            "seconds": time.monotonic() - began,
        },
    }
    print_json(document) if as_json else print_lines(_report(document, strategy.tree.largest_payoff))
    return OK


def _measured(strategy: "Strategy", given: dict[str, Any], as_json: bool) -> mccfr.RealValue:
    with Meter(not as_json, clock=True) as meter:
        meter.phase("every card")
        return mccfr.real_exploitability(
            strategy,
            given["flops"],
            given["workers"] or 0,
            given["seed"] or 0,
            _teller(meter, as_json),
            given["device"] or "cpu",
            given["keep"],
            _announcer(meter, as_json),
        )


def _stopped(message: str, as_json: bool) -> int:
    """After Ctrl-C: say how to go on."""
    click.echo(message, err=True)
    if as_json:
        print_json({"error": {"type": "Interrupted", "messages": [message]}})
    return INTERRUPTED


def _announcer(meter: Meter, as_json: bool) -> Callable[[str], None]:
    """Says what is to be done before it begins."""

    def tell(text: str) -> None:
        meter.phase(text)
        if not as_json:
            click.echo(text, err=True)

    return tell


def _teller(meter: Meter, as_json: bool) -> Callable[[int, int], None]:
    """Shows how many flops are done, and how long the others will take. Where nothing moves on a screen, the first two
    of these are printed."""
    told, began = list[int](), time.monotonic()
    first = [began, 0.0]  # when the first flops of this run were done, and how many

    def tell(done: int, of: int) -> None:
        now = time.monotonic()
        text = f"{done:,} of {of:,} flops"
        if told:
            text += f", {duration((now - first[0]) / max(done - first[1], 1) * (of - done))} left"
        else:  # the first ones take as long as compiling does, which tells nothing of the others
            first[:] = now, done
            text += f" after {duration(now - began)}, compiling included"
        meter.phase(text)
        if len(told) < 2 and not meter.shown and not as_json and of > done:
            click.echo(text, err=True)
        told.append(done)

    return tell


def _report(document: dict[str, Any], largest: float) -> Iterator[tuple[str, str]]:
    real = document["real"]
    made = document["method"] + (f", {document['iterations']:,} iterations" if document["iterations"] > 1 else "")
    yield "strategy", f"{document['game']} by {made}: {document['infosets']:,} infosets"
    if document["unvisited"]:
        yield "unvisited", f"{document['unvisited']:,} infosets, which play uniformly"
    chips, mbb = rounded(real["exploitability"], largest), f"{real['mbb']:.2f}"
    if real["flops"] == "all":
        yield "exploitability", f"{chips} chips, {mbb} mbb/g, with every card (NashConv / 2)"
    else:
        yield (
            "exploitability",
            f"at least {chips} +- {real['margin']:.3g} chips, {mbb} +- {real['mbb_margin']:.2f} mbb/g",
        )
        yield "from", f"{real['flops']:,} flops, every card below each (95 % interval)"
    for player, value in enumerate(real["best_response"]):
        yield f"best response {player}", f"{rounded(value, largest)} for player {player}, who sees every card"
    yield "time", duration(real["seconds"]) + ("" if real["device"] == "cpu" else f" on {real['device']}")
