"""`mccfr hands`: hand histories, summed up, checked and converted."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import json_option, print_json, print_lines
from mccfr.errors import FileError, printable

if TYPE_CHECKING:
    from mccfr.protocols.phh import ReadHand
    from mccfr.protocols.phh_files import History

FORMATS = ("phh", "phhs", "jsonl")
SITES = ("pokerstars", "fulltilt", "partypoker", "ipoker", "ongame", "absolute")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--site", type=click.Choice(SITES), help="Whose history it is, if it is not PHH. [default: found]")
@click.option("--skip", is_flag=True, help="Leave out hands that are wrong or not heads-up, and count them.")
@click.option("--to", "form", type=click.Choice(FORMATS), help="Convert. [default: by the name given with --out]")
@click.option("--out", metavar="FILE", help="Write the hands here, as .phh (one hand), .phhs or .jsonl.")
@json_option
def command(
    files: tuple[str, ...], site: str | None, skip: bool, form: str | None, out: str | None, as_json: bool
) -> None:
    """Read hand histories, check every card and move, and say who won.

    FILE is .phh or .phhs, or the history of a poker site, which needs pokerkit: pip install 'mccfr[poker]'.
    Example: mccfr hands played.txt --skip --out played.phhs.
    """
    from mccfr.protocols.site_histories import read_any

    form = _form(form, out)
    found = [read_any(file, site or "", skip) for file in files]
    hands = [each for history in found for each in history.hands]
    if out is not None:
        _write(out, form, hands)
    document = {"command": "hands", "files": list(files), **_summary(hands), **_left_out(found), "out": out}
    print_json(document) if as_json else _print(document)


def _form(form: str | None, out: str | None) -> str:
    if out is None:
        if form is not None:
            raise click.UsageError(f"--to {form} needs --out FILE")
        return ""
    suffix = Path(out).suffix.removeprefix(".")
    if suffix not in FORMATS or form not in (None, suffix):
        raise FileError(f"cannot write {out}: expected a name that ends in .{form or 'phh, .phhs or .jsonl'}")
    return suffix


def _write(out: str, form: str, hands: "list[ReadHand]") -> None:
    from mccfr.protocols.hand_json import write_json_lines
    from mccfr.protocols.phh_files import write_hands

    if form == "jsonl":
        write_json_lines(out, hands)
    else:
        write_hands(out, [each.hand for each in hands])


def _left_out(found: "list[History]") -> dict[str, Any]:
    refused = [line for history in found for line in history.refused]
    return {"refused": len(refused), "problems": refused[:20]}


def _summary(hands: "list[ReadHand]") -> dict[str, Any]:
    """How many hands there are, of what kinds, and what each player won in them."""
    tables = Counter(repr(each.hand.table) for each in hands)
    played, chips, blinds = Counter[str](), Counter[str](), Counter[str]()
    for each in hands:
        for seat, name in enumerate(each.hand.names):
            if each.chips is not None:
                played[name] += 1
                chips[name] += each.chips[seat]  # type: ignore[assignment]
                blinds[name] += 1000 * each.chips[seat] / each.hand.table.big_blind  # type: ignore[assignment]
    players = [{"name": n, "hands": played[n], "chips": chips[n], "mbb": blinds[n] / played[n]} for n in sorted(played)]
    folds = sum("f" in each.hand.line for each in hands)
    unknown = sum(each.chips is None for each in hands)
    return {
        **{"hands": len(hands), "tables": len(tables), "table": tables.most_common(1)[0][0] if tables else None},
        **{"folds": folds, "showdowns": len(hands) - folds, "unknown": unknown, "players": players},
    }


def _print(document: dict[str, Any]) -> None:
    more = f" and {document['tables'] - 1:,} more" if document["tables"] > 1 else ""
    unknown = f", of {document['unknown']:,} nobody told who won" if document["unknown"] else ""
    lines = [
        ("hands", f"{document['hands']:,}"),
        ("table", f"{document['table'] or 'none'}{more}"),
        ("ends", f"{document['folds']:,} folds, {document['showdowns']:,} showdowns{unknown}"),
    ]
    for player in document["players"][:10]:
        won = f"{player['chips']:+,.10g} chips, {player['mbb']:+,.1f} mbb a hand in {player['hands']:,} hands"
        lines.append((printable(player["name"])[:40], won))
    if document["refused"]:
        lines.append(("left out", f"{document['refused']:,}, the first: {document['problems'][0]}"))
    if document["out"]:
        lines.append(("written", document["out"]))
    print_lines(lines)
