"""`mccfr evaluate`: how good a strategy is, exactly."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.completing import StrategyText
from mccfr.cli.evaluate_abstract import abstract_options, asked_for_abstract, tell_abstract
from mccfr.cli.evaluate_lbr import asked_for_lbr, lbr_options, subject_of, tell_lbr
from mccfr.cli.evaluate_litmus import litmus_options, tell_litmus
from mccfr.cli.evaluate_played import played_options, tell_played
from mccfr.cli.evaluate_quick import tell_quick
from mccfr.cli.evaluate_real import asked_for_real, real_options, tell_real
from mccfr.cli.output import game_option, json_option, number as rounded, print_json, print_lines
from mccfr.cli.sources import read_strategy

if TYPE_CHECKING:
    from mccfr import Strategy


UNIFORM_OPPONENT = ("uniform", "uniform:", "random")  # names of the one strategy that every game has


@click.command()
@click.argument("strategy", type=StrategyText())
@click.option(
    "--against",
    metavar="OTHER",
    type=StrategyText(),
    help="Another strategy for the same game; STRATEGY plays against it in both seats.",
)
@played_options
@litmus_options
@lbr_options
@abstract_options
@real_options
@game_option
@json_option
def command(strategy: str, against: str | None, game: str | None, as_json: bool, **given: Any) -> int | None:
    """Measure STRATEGY exactly: exploitability, best responses, value.

    STRATEGY and OTHER are .mccfr files, run folders (even while the run is going), or uniform:GAME for the strategy
    that plays every action with equal probability; --against uniform takes the game of STRATEGY. blueprint:limit and
    blueprint:nolimit come with the package.

    A strategy of hold'em with buckets takes minutes to measure on a full deck, so that is done only if asked for:
    --abstract measures it against players who see buckets too, --real against players who see every card, on a full
    deck with --flops 20 or so, or all of it with --device gpu. --lbr plays local best response, a lower bound; there
    STRATEGY may also be an agent that re-solves, such as blueprint:nolimit+resolve(river). --against plays hands out;
    there OTHER may also be fold or call. Without these you get what takes seconds: a few opponents, and litmus checks.
    """
    asked = asked_for_lbr(given, against)
    subject = subject_of(strategy, game, asked)
    if asked:
        tell_lbr(strategy, subject, given, as_json)
        return None
    if given["litmus"] is not None:
        tell_litmus(strategy, subject, given["litmus"], as_json)
        return None
    if against is not None and subject.tree.buckets is not None and not (given["abstract"] or given["real"]):
        tell_played(strategy, subject, against, game, given, as_json)
        return None
    if given["hands"] is not None:
        raise click.UsageError(
            "--hands needs --against or --lbr, and hold'em through buckets", click.get_current_context()
        )
    if asked_for_real(given, against):
        return tell_real(strategy, subject, given, as_json)
    wants_abstract = asked_for_abstract(given, against)
    if (
        against is None
        and not wants_abstract
        and subject.tree.buckets is not None
        and not subject.tree.quickly_measured
    ):
        tell_quick(strategy, subject, as_json)
        return None
    if wants_abstract or not subject.tree.quickly_measured:
        tell_abstract(strategy, subject, given, against, as_json)
        return None
    document = _document(strategy, subject)
    if against is not None and against.lower() in UNIFORM_OPPONENT:
        document["against"] = _match("uniform", subject, mccfr.uniform(subject.tree))
    else:
        document["against"] = None if against is None else _match(against, subject, read_strategy(against, game))
    if as_json:
        print_json(document)
    else:
        print_lines(_report(document, subject.tree.largest_payoff))
    return None


def _document(name: str, strategy: "Strategy") -> dict[str, Any]:
    replies = [mccfr.best_response(strategy, player).value for player in (0, 1)]
    return {
        "command": "evaluate",
        "strategy": name,
        "game": strategy.game,
        "method": strategy.origin.method,
        "iterations": strategy.origin.iterations,
        "infosets": len(strategy),
        "unvisited": strategy.unvisited,
        "exploitability": mccfr.exploitability(strategy),
        "nash_conv": mccfr.nash_conv(strategy),
        "best_response": replies,
        "value": mccfr.expected_value(strategy),
    }


def _match(name: str, one: "Strategy", other: "Strategy") -> dict[str, Any]:
    """What `one` gets in each seat, and on average over both."""
    seats = mccfr.expected_value(one, other), one.tree.constant - mccfr.expected_value(other, one)
    return {"strategy": name, "as_player_0": seats[0], "as_player_1": seats[1], "mean": sum(seats) / 2}


def _report(document: dict[str, Any], largest: float) -> Iterator[tuple[str, str]]:
    def number(value: float) -> str:
        return rounded(value, largest)

    made = document["method"] + (f", {document['iterations']:,} iterations" if document["iterations"] > 1 else "")
    yield "strategy", f"{document['game']} by {made}: {document['infosets']:,} infosets"
    if document["unvisited"]:
        yield "unvisited", f"{document['unvisited']:,} infosets, which play uniformly"
    yield "exploitability", f"{number(document['exploitability'])} (NashConv / 2, in the game's payoffs)"
    yield "NashConv", number(document["nash_conv"])
    for player, value in enumerate(document["best_response"]):
        yield (
            f"best response {player}",
            f"{number(value)} for player {player} against player {1 - player} of this strategy",
        )
    yield "value", f"{number(document['value'])} for player 0 when both play it"
    if document["against"]:
        match = document["against"]
        yield "against", f"{match['strategy']}: {number(match['mean'])} on average over both seats"
        yield "  as player 0", number(match["as_player_0"])
        yield "  as player 1", number(match["as_player_1"])
