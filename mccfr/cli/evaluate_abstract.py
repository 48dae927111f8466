"""`mccfr evaluate --abstract`: how good a strategy of hold'em with buckets is inside its abstraction."""

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.next_command import typed_again
from mccfr.cli.output import number, print_json, print_lines
from mccfr.cli.progress import Meter
from mccfr.cli.typed import SEED, Count
from mccfr.errors import StrategyError

if TYPE_CHECKING:
    from mccfr import Strategy

NOT_MEASURED = "not measured: on this deck it takes minutes"
Function = Callable[..., Any]


def abstract_options(function: Function) -> Function:
    """The options of measuring inside an abstraction."""
    for option in (
        click.option(
            "--seed",
            metavar="N",
            type=SEED,
            help="Seed of the deals of --abstract or the flops of --real. [default: 0]",
        ),
        click.option(
            "--tables",
            metavar="N",
            type=Count(1, 4),
            help="Make N tables, and say by how much they differ. [default: 1]",
        ),
        click.option(
            "--deals", metavar="N", type=Count(), help="Draw N deals for a table. [default: by the number of buckets]"
        ),
        click.option(
            "--abstract", is_flag=True, help="Measure inside the abstraction, against players who see buckets too."
        ),
    ):
        function = option(function)
    return function


def asked_for_abstract(given: dict[str, Any], against: str | None) -> bool:
    """Whether it is to be measured inside the abstraction; the other options make no sense without."""
    for name in ("deals", "tables", "seed"):
        if given[name] is not None and not given["abstract"]:
            raise click.UsageError(f"--{name} needs --abstract", click.get_current_context())
    if given["abstract"] and against is not None:
        raise click.UsageError("--against cannot be combined with --abstract", click.get_current_context())
    return bool(given["abstract"])


def tell_abstract(name: str, strategy: "Strategy", given: dict[str, Any], against: str | None, as_json: bool) -> None:
    """Measure a strategy inside its abstraction if that was asked for; else say what there is, and how to measure."""
    if against is not None:
        raise StrategyError(f"{strategy.game} is too large to play it out exactly: --against is for small decks")
    found = _measured(strategy, given, as_json) if given["abstract"] else None
    document = {**about(name, strategy), **_numbers(found)}
    if as_json:
        print_json(document)
    else:
        print_lines(_report(document, strategy.tree.largest_payoff))


def _measured(strategy: "Strategy", given: dict[str, Any], as_json: bool) -> "mccfr.AbstractExploitability":
    with Meter(wanted=not as_json, clock=True) as meter, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        found = mccfr.abstract_exploitability(
            strategy, given["deals"], given["tables"] or 1, given["seed"] or 0,
            watch=lambda what, share: meter.phase(f"{what}, {share:.0%}" if share else what),
        )  # fmt: skip
    for warning in caught:
        click.echo(f"mccfr: warning: {warning.message}", err=True)
    return found


def about(name: str, strategy: "Strategy") -> dict[str, Any]:
    """What is known without measuring."""
    origin = strategy.origin
    return {
        **{"command": "evaluate", "strategy": name, "game": strategy.game, "method": origin.method},
        **{"iterations": origin.iterations, "infosets": len(strategy), "unvisited": strategy.unvisited},
        "measure": [] if strategy.tree.quickly_measured else _commands(name, strategy),
    }


def _commands(name: str, strategy: "Strategy") -> list[str]:
    """The commands that measure a strategy."""
    buckets = strategy.tree.buckets
    ways = ["--abstract"] if buckets is not None and buckets.recalls else []
    real = ["--real", "--flops", "20"] if buckets is not None and buckets.whole_deck else ["--real"]
    others = [["--lbr", "all"], real, ["--against", "call"]] if buckets is not None else [real]
    return [typed_again(["evaluate", name], then=way) for way in ([*([way] for way in ways), *others])]


def _numbers(found: "mccfr.AbstractExploitability | None") -> dict[str, Any]:
    """What was measured, by name."""
    if found is None:
        names = ("exploitability", "nash_conv", "best_response", "value", "against", "abstract")
        return dict.fromkeys(names)
    told = {
        **{"deals": found.deals, "exact": found.listed, "mbb_per_game": found.mbb, "big_blind": found.big_blind},
        **{"by_table": list(found.by_table), "difference": found.difference, "in_other_tables": found.in_other_tables},
    }
    return {
        **{"exploitability": found.exploitability, "nash_conv": found.nash_conv, "value": found.value},
        **{"best_response": list(found.best_response), "against": None, "abstract": told},
    }


def _report(document: dict[str, Any], largest: float) -> Iterator[tuple[str, str]]:
    made = document["method"] + (f", {document['iterations']:,} iterations" if document["iterations"] > 1 else "")
    yield "strategy", f"{document['game']} by {made}: {document['infosets']:,} infosets"
    if document["unvisited"]:
        yield "unvisited", f"{document['unvisited']:,} infosets, which play uniformly"
    if document["abstract"] is None:
        yield "exploitability", NOT_MEASURED
        for command in document["measure"]:
            yield "next", command
        return
    yield from _measured_lines(document, document["abstract"], largest)


def _measured_lines(document: dict[str, Any], told: dict[str, Any], largest: float) -> Iterator[tuple[str, str]]:
    def chips(value: float) -> str:
        return f"{number(value, largest)} chips, {number(1000 * value / told['big_blind'], largest)} mbb/g"

    yield "exploitability", f"{chips(document['exploitability'])} (NashConv / 2, inside the abstraction)"
    for player, value in enumerate(document["best_response"]):
        yield f"best response {player}", f"{chips(value)} for player {player}"
    yield "value", f"{chips(document['value'])} for player 0 when both play it"
    tables, what = told["by_table"], "all there are: exact" if told["exact"] else "drawn"
    yield "deals", f"{told['deals']:,}{' in each table' if len(tables) > 1 else ''}, {what}"
    if len(tables) > 1:
        yield (
            "tables",
            f"{', '.join(number(each, largest) for each in tables)} chips: differ by {chips(told['difference'])}",
        )
        yield (
            "in other tables",
            f"{chips(told['in_other_tables'])} is what best responses win where they were not found",
        )
