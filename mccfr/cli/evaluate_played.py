"""`mccfr evaluate --against` of hold'em through buckets: hands played out, with an interval."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.output import number, print_json, print_lines
from mccfr.cli.sources import read_strategy
from mccfr.cli.typed import Count

if TYPE_CHECKING:
    from mccfr import Strategy

HANDS = 1_000_000
SIMPLE = ("fold", "call", "uniform", "random")  # opponents that every game has
Function = Callable[..., Any]


def played_options(function: Function) -> Function:
    """The option of playing hands out."""
    what = "With --against or --lbr and hold'em through buckets: how many hands to play."
    return click.option("--hands", metavar="N", type=Count(4), help=f"{what} [default: 1m; of --lbr 2000]")(function)


def tell_played(
    name: str, strategy: "Strategy", against: str, game: str | None, given: dict[str, Any], as_json: bool
) -> None:
    """Play a strategy against another, and print what it wins."""
    other = against if against in SIMPLE else read_strategy(against, game)
    found = mccfr.play_out(strategy, other, given["hands"] or HANDS, given["seed"] or 0)
    played = {"strategy": against, **found._asdict()}
    document = {
        **{"command": "evaluate", "strategy": name, "game": strategy.game, "method": strategy.origin.method},
        **{"iterations": strategy.origin.iterations, "infosets": len(strategy), "unvisited": strategy.unvisited},
        **dict.fromkeys(("exploitability", "nash_conv", "best_response", "value")),
        "against": played,
    }
    if as_json:
        print_json(document)
        return
    largest = strategy.tree.largest_payoff
    interval = f"95 % interval {number(found.low, largest)} to {number(found.high, largest)}"
    print_lines(
        [
            ("strategy", f"{strategy.game}: {len(strategy):,} infosets"),
            ("against", f"{against}, {found.hands:,} hands, every deal in both seats"),
            ("wins", f"{number(found.mean, largest)} chips a hand, {interval}"),
            ("in mbb", f"{found.mbb:.1f} thousandths of a big blind a hand"),
        ]
    )
