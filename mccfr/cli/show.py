"""`mccfr show`: a strategy for the eye."""

from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import game_option, json_option, print_json
from mccfr.cli.sources import read_strategy

if TYPE_CHECKING:
    from mccfr import Strategy


@click.command()
@click.argument("strategy")
@click.argument("infoset", required=False)
@click.option("-p", "--player", type=click.IntRange(0, 1), help="Only this player's infosets.")
@click.option("--limit", type=click.IntRange(1), default=40, show_default=True, help="How many infosets at most.")
@game_option
@json_option
def command(
    strategy: str, infoset: str | None, player: int | None, limit: int, game: str | None, as_json: bool
) -> None:
    """Look at STRATEGY (a .mccfr file, a run folder, or uniform:GAME), or at one INFOSET of it.

    An infoset is asked for by its label, such as K:cb in kuhn; a label that does not exist gets the nearest ones.
    """
    subject = read_strategy(strategy, game)
    asked = None if infoset is None else infoset if player is None else (player, infoset)
    if as_json:
        print_json(_document(strategy, subject, infoset, player, limit))
    else:
        subject.show(asked, limit, player)


def _document(name: str, strategy: "Strategy", infoset: str | None, player: int | None, limit: int) -> dict[str, Any]:
    infosets = strategy.infosets
    if infoset is not None:
        numbers: range = range(at := infosets.find(infoset, player), at + 1)
    else:
        numbers = range(len(infosets)) if player is None else infosets.of(player)
    return {
        "command": "show",
        "strategy": name,
        "game": strategy.game,
        "method": strategy.origin.method,
        "iterations": strategy.origin.iterations,
        "matching": len(numbers),
        "infosets": [
            {
                "player": infosets.owner(j),
                "infoset": infosets.labels[j],
                "actions": strategy.at(j),
                "visited": bool(strategy.visited[j]),
            }
            for j in numbers[:limit]
        ],
    }
