"""`mccfr slumbot`: an agent of ours against Slumbot, with both results that it tells."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import BAD_INPUT, INTERRUPTED, OK, json_option, print_json, print_lines
from mccfr.cli.sources import require_writable
from mccfr.cli.typed import Count, Seconds
from mccfr.errors import FileError, MccfrError
from mccfr.signals import sigterm_as_ctrl_c

if TYPE_CHECKING:
    from mccfr.protocols.slumbot import SlumbotHand

BIG_BLIND = 100
LONGEST_PASSWORD = 1000


@click.command()
@click.argument("agent", metavar="AGENT")
@click.option("--hands", metavar="N", type=Count(), default=100, show_default=True, help="How many hands to play.")
@click.option("--url", metavar="URL", help="Where the server is. [default: Slumbot's own]")
@click.option("--user", metavar="NAME", help="Play under a name of its leaderboard.")
@click.option("--password-file", metavar="FILE", help="A file whose first line is the password of that name.")
@click.option(
    "--timeout", metavar="TIME", type=Seconds(1.0), default=60.0, help="What a reply may take. [default: 60 s]"
)
@click.option("--seed", metavar="S", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@click.option("--out", metavar="FILE.phhs", help="Write the hands that were played.")
@json_option
def command(
    agent: str, hands: int, url: str | None, user: str | None, password_file: str | None, timeout: float, seed: int,
    out: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Play AGENT against Slumbot: no-limit, blinds 50 and 100, stacks of 200 big blinds.

    Reports what was won, and what was won beyond what Slumbot itself would have won with the same cards.
    Hands are kept if the server fails. Example: mccfr slumbot always_call --hands 100 --out slumbot.phhs.
    """
    from mccfr.playing.agents import make_agent
    from mccfr.protocols.slumbot import URL, Slumbot, play_slumbot
    from mccfr.protocols.slumbot_reply import SLUMBOT_TABLE

    player = make_agent(agent, SLUMBOT_TABLE, seed)
    server = Slumbot(url or URL, timeout)
    if out is not None:
        _require_out(out)
    if (user is None) != (password_file is None):
        raise click.UsageError("--user NAME and --password-file FILE go together")
    if user is not None and password_file is not None:
        server.login(user, _password(password_file))
    played: list[SlumbotHand] = []
    failed, code = None, OK
    try:
        with sigterm_as_ctrl_c():
            played.extend(play_slumbot(player, server, hands, seed))  # keeps what came before an error
    except MccfrError as error:
        if not played:
            raise
        failed, code = str(error), BAD_INPUT
    except KeyboardInterrupt:
        failed, code = f"stopped after {len(played):,} hands", INTERRUPTED
    finally:
        player.close()
    _report(_document(agent, server.url, played, out, failed), played, as_json)
    return code


def _require_out(out: str) -> None:
    if not out.endswith(".phhs"):
        raise FileError(f"cannot write {out}: expected a name that ends in .phhs")
    require_writable(out)


def _password(file: str) -> str:
    from mccfr.protocols.phh_files import read_text

    lines = read_text(Path(file), LONGEST_PASSWORD).splitlines()
    if not lines or not lines[0]:
        raise FileError(f"{file} is empty: expected a password in its first line")
    return lines[0]


def _report(document: dict[str, Any], played: "list[SlumbotHand]", as_json: bool) -> None:
    """Save and tell what was played, also if the server has failed since."""
    if document["out"] is not None and played:
        from mccfr.protocols.phh_files import write_hands

        write_hands(document["out"], [each.hand for each in played])
    if as_json:
        print_json(document)
    else:
        _print(document)
    if document["error"]:
        click.echo(f"mccfr: error: {document['error']}", err=True)


def _document(agent: str, url: str, played: "list[SlumbotHand]", out: str | None, error: str | None) -> dict[str, Any]:
    beyond = [each.winnings - each.baseline for each in played if each.baseline is not None]
    return {
        **{"command": "slumbot", "agent": agent, "url": url, "hands": len(played)},
        "winnings": _interval([each.winnings for each in played]),
        "beyond_baseline": _interval(beyond),
        "seats": [sum(each.seat == seat for each in played) for seat in (0, 1)],
        **{"out": out if played else None, "error": error},
    }


def _interval(chips: list[int]) -> dict[str, Any] | None:
    """Hands, the sum in chips, and the mean in thousandths of a big blind a hand, with its interval."""
    from mccfr.jobs.statistics import mean

    if not chips:
        return None
    found = mean([1000 * each / BIG_BLIND for each in chips]).to_dict()
    return {"hands": len(chips), "chips": sum(chips), **{f"mbb_{name}": value for name, value in found.items()}}


def _print(document: dict[str, Any]) -> None:
    lines = [("agent", f"{document['agent']} against {document['url']}"), ("hands", f"{document['hands']:,}")]
    for key, name in (("winnings", "winnings"), ("beyond_baseline", "beyond baseline")):
        lines.append((name, _line(document[key])))
    if document["out"]:
        lines.append(("written", document["out"]))
    print_lines(lines)


def _line(found: dict[str, Any] | None) -> str:
    if found is None:
        return "not told by the server"
    interval = "no interval from so few hands"
    if found["mbb_low"] is not None:
        interval = f"95 % interval {found['mbb_low']:+,.1f} to {found['mbb_high']:+,.1f}"
    return f"{found['chips']:+,} chips, {found['mbb_mean']:+,.1f} mbb a hand, {interval} ({found['hands']:,} hands)"
