"""`mccfr match`: two agents over duplicate deals, or a round robin of several."""

import contextlib
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import console, json_option, print_json, print_lines
from mccfr.cli.progress import Meter
from mccfr.cli.typed import Count, Workers

if TYPE_CHECKING:
    from mccfr.playing.exact_match import ExactMatch
    from mccfr.playing.intervals import Interval
    from mccfr.playing.match_report import MatchReport

HANDS = 100_000


@click.command()
@click.argument("agents", nargs=-1, required=True, metavar="AGENT AGENT...")
@click.option("--hands", type=Count(4), default=HANDS, metavar="N", help="Hands to play, two a deal.  [default: 100k]")
@click.option("--game", metavar="GAME", help="The table, for agents that play at any: 'holdem(limit)', gamedef:FILE.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Of the cards and of all agents.  [default: 0]")
@click.option("--workers", type=Workers(), default=1, help="Processes to use, or all.  [default: 1]")
@click.option("--equity", is_flag=True, help="Also count all-ins by what they were worth.")
@click.option("--aivat", is_flag=True, help="Also take out luck by AIVAT: slower, but far fewer hands are needed.")
@click.option("--until", metavar="95%", help="Stop as soon as an interval that holds at any time excludes 0.")
@click.option("--histories", metavar="FILE", help="Save all hands as PHHS.")
@json_option
def command(agents: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Play AGENT against AGENT: every deal twice with seats exchanged. Three or more agents play a round robin.

    An agent is a strategy (blueprint:nolimit, FILE.mccfr, a run folder), always_fold, always_call, random, pot_odds, a
    changed strategy such as purified('blueprint:nolimit'), cut(0.02, 'blueprint:nolimit') or
    variant(tight, 'blueprint:nolimit'), lbr(...), human, or acpc(PORT). Strategies of small games are compared exactly.
    """
    if len(agents) < 2:
        raise click.UsageError("a match needs two agents or more", click.get_current_context())
    _require_95(given["until"])
    given["game"] = given["game"] or _table_of_all(agents)
    with Meter(not as_json) as meter:
        found = [_play(pair, given, meter) for pair in itertools.combinations(agents, 2)]
    _save(found, given["histories"])
    if as_json:
        print_json({"command": "match", "matches": [_document(each) for each in found]})
    elif len(found) == 1:
        print_lines(_lines(found[0]))
    else:
        _print_robin(agents, found)


def _require_95(until: str | None) -> None:
    if until is not None and until.strip().rstrip("%") not in ("95", "0.95"):
        raise click.UsageError(f"--until {until}: only 95% is there", click.get_current_context())


def _table_of_all(agents: tuple[str, ...]) -> Any:
    """The table of the first strategy among all agents: in a round robin some pairs have none of their own."""
    from mccfr.playing.agent import AgentError
    from mccfr.playing.agents import table_named

    for agent in agents:
        with contextlib.suppress(AgentError):  # small games, wrong names: told later
            table = table_named(agent)
            if table is not None:
                return table
    return None


def _play(pair: tuple[str, ...], given: dict[str, Any], meter: Meter) -> "MatchReport | ExactMatch":
    from mccfr.playing.estimates import AIVAT, CHIPS, EQUITY
    from mccfr.playing.exact_match import exact_match
    from mccfr.playing.match import play_match

    exact = exact_match(*pair)
    if exact is not None:
        return exact
    wanted = [CHIPS, *[EQUITY] * given["equity"], *[AIVAT] * given["aivat"]]
    meter.phase(f"{pair[0]} v {pair[1]}")

    def watch(report: "MatchReport") -> bool:
        won = report.mbb(report.won())
        meter.phase(f"{pair[0]} v {pair[1]}: {report.hands:,} of {given['hands']:,} hands, {_mbb(won)}")
        return False

    return play_match(
        pair[0], pair[1], given["hands"], given["seed"], given["game"], given["workers"], wanted,
        until=given["until"] is not None, keep=given["histories"] is not None, watch=watch,
    )  # fmt: skip


def _is_exact(found: Any) -> bool:
    return hasattr(found, "as_first")


def _mbb(won: "Interval") -> str:
    return f"{won.mean:+.1f} mbb/g [{won.low:+.1f}, {won.high:+.1f}]"


def _lines(found: Any) -> Iterator[tuple[str, str]]:
    return _exactly(found) if _is_exact(found) else _report(found)


def _report(report: "MatchReport") -> Iterator[tuple[str, str]]:
    from mccfr.playing.estimates import ESTIMATES

    yield "match", f"{report.names[0]} v {report.names[1]}"
    yield "table", repr(report.table).strip("<>").removeprefix("Table: ")
    yield "hands", f"{report.hands:,}, every deal in both seats, seed {report.seed}; {_rate(report)}"
    for name in report.estimates:
        saved = report.saved(name)
        yield name, f"{_mbb(report.mbb(report.won(name)))}: {ESTIMATES[name]}; hands saved: {saved:.1f} x"
    yield "at any time", f"{_mbb(report.mbb(report.always))}, {'decided' if report.decided else 'not decided'}"
    for seat, name in enumerate(("as big blind", "as dealer")):
        yield name, _mbb(report.mbb(report.seat(seat)))
    for street, (hands, chips) in report.by_street().items():
        each = f"{1000 * chips / report.hands / report.table.big_blind:+.1f} mbb/g of the whole"
        yield f"ended {street}", f"{hands / report.hands:.1%} of hands, {each}"


def _rate(report: "MatchReport") -> str:
    return f"{report.hands / report.seconds:,.0f} hands/s a process" if report.seconds else ""


def _exactly(found: "ExactMatch") -> Iterator[tuple[str, str]]:
    yield "match", f"{found.names[0]} v {found.names[1]}"
    yield "game", found.game
    yield "wins", f"{found.mean:+.6g} chips a game, exactly, on average over both seats"
    yield "  as player 0", f"{found.as_first:+.6g}"
    yield "  as player 1", f"{found.as_second:+.6g}"


def _print_robin(agents: tuple[str, ...], found: list[Any]) -> None:
    """What each row wins against each column."""
    from rich.markup import escape
    from rich.table import Table

    cells = {}
    for each in found:
        one, other = each.names
        cells[one, other], cells[other, one] = _cell(each, 1.0), _cell(each, -1.0)
    numbered = dict(enumerate(agents, start=1))
    table = Table("mbb/g", *(f"v {number}" for number in numbered), box=None, padding=(0, 2, 0, 0))
    for number, agent in numbered.items():
        table.add_row(f"{number} {escape(agent)}", *(cells.get((agent, other), "") for other in agents))
    console().print(table)


def _cell(each: Any, sign: float) -> str:
    if _is_exact(each):
        return f"{sign * each.mean:+.4g} chips"
    won = each.mbb(each.won())
    return f"{sign * won.mean:+.0f} +-{(won.high - won.low) / 2:.0f}"


def _document(found: Any) -> dict[str, Any]:
    if _is_exact(found):
        return {**found._asdict(), "names": list(found.names), "mean": found.mean, "exact": True}
    return {**found.to_dict(), "exact": False}


def _save(found: list[Any], path: str | None) -> None:
    if path is not None:
        from mccfr.protocols.phh_files import write_hands

        write_hands(path, [record for each in found if not _is_exact(each) for record in each.records])
