"""`mccfr show`: a strategy for the eye."""

import math
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.completing import StrategyText
from mccfr.cli.output import console, game_option, json_option, print_json
from mccfr.cli.show_spot import Wanted, is_spot, show_spot
from mccfr.cli.sources import read_strategy
from mccfr.cli.typed import Count

if TYPE_CHECKING:
    from mccfr import Strategy


@click.command()
@click.argument("strategy", type=StrategyText())
@click.argument("infoset", required=False)
@click.option("-p", "--player", type=click.IntRange(0, 1), help="Only this player's infosets.")
@click.option("--limit", type=Count(), default=40, show_default=True, help="Maximum number of infosets to print.")
@click.option(
    "--grid", metavar="LINE", help="Hold'em: print 13 x 13 grids after this line of betting ('' for the first move)."
)
@click.option("--action", help="With --grid: only this action.")
@click.option("--picture", metavar="FILE", help="With --grid: draw them as .png, .svg or .pdf.")
@click.option("--line", metavar="LINE", help="Spots: the node to show, such as 'kb59c/3d:k' ('' for the start).")
@click.option("--hand", metavar="HANDS", help="Spots: these hands one by one, such as AsKh, AKs or 'QQ+,AK'.")
@click.option("--runouts", is_flag=True, help="Spots: every card that can come after a line such as kk/.")
@click.option("--range", "ranges", is_flag=True, help="Spots: print the range of each player after the line.")
@click.option("--csv", "csv_file", metavar="FILE", help="Spots: write the hands, or the run-outs, to a .csv file.")
@game_option
@json_option
def command(
    strategy: str,
    infoset: str | None,
    player: int | None,
    limit: int,
    grid: str | None,
    action: str | None,
    picture: str | None,
    line: str | None,
    hand: str | None,
    runouts: bool,
    ranges: bool,
    csv_file: str | None,
    game: str | None,
    as_json: bool,
) -> None:
    """Print STRATEGY (a .mccfr file, a run folder, uniform:GAME or blueprint:limit), or one INFOSET of it.

    INFOSET is a label, such as K:cb in kuhn. If there is no such label, the error names the nearest ones.
    In a grid, pairs are on the diagonal and suited hands above it to the right.

    Of a spot of hold'em, one node is shown, at first the start: ranges, EV, equity and frequencies. Moves of a line are
    k check, b bet, c call, r raise, a all-in and f fold; cards that came stand between / and :.

    \b
    mccfr show spot.mccfr --line kb59 --hand AKs
    mccfr show spot.mccfr --line kk/ --runouts
    mccfr show blueprint:limit --grid r4c/2hJhQs:
    mccfr show blueprint:limit AsKh:r4c/2hJhQs:
    mccfr show nlph.mccfr --grid '' --action raise
    mccfr show nlph.mccfr --grid rr --picture after-two-raises.png
    """
    if grid is None and (action or picture):
        raise click.UsageError("--action and --picture go with --grid LINE, as in --grid ''")
    subject = read_strategy(strategy, game)
    for_spots = line is not None or hand is not None or runouts or ranges or csv_file is not None
    if infoset is None and (is_spot(subject) or (for_spots and subject.game.startswith("dealt:"))):
        if grid is not None:
            _show_spot_grid(subject, grid, action, picture, as_json)
            return
        show_spot(strategy, subject, Wanted(line or "", hand, runouts, ranges, csv_file, player, limit), as_json)
        return
    if for_spots:
        why = "give either an infoset or these, not both" if infoset else f"{subject.game} has none"
        raise click.UsageError(f"--line, --hand, --runouts, --range and --csv are for spots of hold'em: {why}")
    if grid is not None:
        if infoset is not None:
            raise click.UsageError("give either an infoset or --grid, not both")
        _show_grid(subject, grid, action, picture, as_json)
        return
    if infoset is None and _through_buckets(subject):
        _show_grid(subject, "", action, picture, as_json)  # rows have no meaning by themselves, hands do
        return
    asked = None if infoset is None else infoset if player is None else (player, infoset)
    if as_json:
        print_json(_document(strategy, subject, infoset, player, limit))
    else:
        subject.show(asked, limit, player)


def _through_buckets(strategy: "Strategy") -> bool:
    """Whether it is hold'em with 52 cards through buckets. Of other strategies no game is compiled for that."""
    if not strategy.game.startswith("holdem("):
        return False
    buckets = strategy.tree.buckets
    return buckets is not None and buckets.whole_deck


def _show_grid(strategy: "Strategy", line: str, action: str | None, picture: str | None, as_json: bool) -> None:
    if picture:
        strategy.save_grid(picture, line, action)
    if as_json:
        found = {a: p.tolist() for a, p in strategy.grids(line).items() if action in (None, a)}
        print_json({"command": "show", "game": strategy.game, "line": line, "grid": found, "picture": picture})
    elif picture:
        click.echo(f"wrote {picture}")
    else:
        strategy.show_grid(line, action)


def _show_spot_grid(strategy: "Strategy", line: str, action: str | None, picture: str | None, as_json: bool) -> None:
    view = mccfr.view(strategy, line)
    if picture:
        view.save_grid(picture, action)
    if as_json:
        found = {a: [_number(x) for x in p.tolist()] for a, p in view.grids().items() if action in (None, a)}
        print_json({"command": "show", "game": strategy.game, "line": line, "grid": found, "picture": picture})
    elif picture:
        click.echo(f"wrote {picture}")
    else:
        console().print(*view.grid_tables(action), sep="\n")


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


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
