"""`mccfr buckets`: fit a bucketing to a deck, build its tables, and say what is in a row."""

import time
from pathlib import Path
from typing import Any

import click

import mccfr
from mccfr.cli.output import duration, json_option, memory_text, print_json, print_lines
from mccfr.cli.progress import Meter
from mccfr.cli.typed import Workers
from mccfr.errors import BucketError

BAR = 40  # columns of the longest bar


@click.command()
@click.argument("buckets", metavar="BUCKETS")
@click.option("--ranks", type=click.IntRange(1, 13), help="Ranks of the deck, from the deuce.  [default: 13]")
@click.option("--suits", type=click.IntRange(1, 4), help="Suits of the deck.  [default: 4]")
@click.option("--board", metavar="CARDS", help="Cards that come before each later street.  [default: 3 1 1]")
@click.option("--workers", type=Workers(), default=0, help="Threads to use, or all.  [default: all]")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Also write the fit to a file.")
@click.option("--show", metavar="STREET:LABEL", help="Say what is in a row, as in turn:3.7.2.")
@click.option("--only-fit", is_flag=True, help="Do not build the tables that training needs.")
@json_option
def command(buckets: str, workers: int, as_json: bool, **given: Any) -> None:
    """Fit buckets to a deck and build the tables that training needs, once: both are kept in the cache folder.

    BUCKETS is a string such as 'ehs2(10)', 'emd(200)', exact or lin, for small decks 'hs(100)' or 'hs_recall(10)', your
    own class as 'own.py:Class(arguments)', or a file that --out wrote. Examples: mccfr buckets 'ehs2(5)', mccfr buckets
    'ehs2(5)' --show flop:4.4
    """
    from mccfr.buckets.describe import describe_row, find_row
    from mccfr.buckets.store import look_up, save_fit

    began = time.monotonic()
    with Meter(not as_json) as meter:

        def watch(what: str, share: float) -> None:
            meter.phase(f"{what}, {share:.0%}")

        fit = _fit(buckets, given, workers, watch)
        row = find_row(fit, given["show"]) if given["show"] else None
        look = None if given["only_fit"] and row is None else look_up(fit, workers, watch)
        if given["out"] is not None:
            save_fit(given["out"], fit)
        document = _document(fit, look, time.monotonic() - began, given["out"])
        if row is not None:
            meter.phase("dealing")
            document["row"] = describe_row(fit, look, *row)._asdict()
    print_json(document) if as_json else _print(document)


def build_buckets(game: str, meter: Meter) -> None:
    """Build what the bucketing of a game needs and say how far that is; a game without buckets needs nothing."""
    if not game.strip().lower().startswith("holdem("):
        return
    from mccfr.buckets.store import fitted, look_up

    rules: Any = mccfr.game(game)
    if rules.buckets is not None:

        def watch(what: str, share: float) -> None:
            meter.phase(f"buckets: {what}, {share:.0%}")

        look_up(fitted(rules.buckets, rules.card_rules, watch=watch), watch=watch)


def _fit(buckets: str, given: dict[str, Any], workers: int, watch: Any) -> Any:
    """The fit that a file has or a string names."""
    from mccfr.buckets.store import fitted, load_fit

    deck = [name for name in ("ranks", "suits", "board") if given[name] is not None]
    if buckets.endswith(".mccfr"):
        if deck:
            raise BucketError(f"{buckets} is of a deck already: leave out --{deck[0]}")
        return load_fit(buckets)
    return fitted(buckets, _cards(given), workers, watch)


def _cards(given: dict[str, Any]) -> Any:
    from mccfr.buckets.bucketing import CardRules

    words = ("3 1 1" if given["board"] is None else given["board"]).split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 3 for word in words):
        raise BucketError(f"--board has the number of cards of each street, as in '3 1 1', got {given['board']!r}")
    return CardRules(given["ranks"] or 13, given["suits"] or 4, tuple(map(int, words)))


def _document(fit: Any, look: Any, seconds: float, out: Path | None) -> dict[str, Any]:
    from mccfr.buckets.hand_squares import STREET_NAMES
    from mccfr.buckets.kept import kept_file

    folder = kept_file("")
    return {
        "command": "buckets",
        "buckets": str(fit.bucketing),
        "cards": {"ranks": fit.cards.ranks, "suits": fit.cards.suits, "board": list(fit.cards.deals)},
        "perfect_recall": fit.bucketing.perfect_recall,
        "rows": dict(zip(STREET_NAMES, fit.rows)),
        "checksum": fit.checksum,
        "seconds": seconds,
        "fit_bytes": sum(array.nbytes for array in fit.arrays.values()),
        "table_bytes": None if look is None else _bytes(look),
        "kept": None if folder is None else str(folder),
        "out": None if out is None else str(out),
    }


def _bytes(look: Any) -> int:
    """The memory of all arrays in nested tuples, each counted once."""
    found, waiting = {}, [look]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(each)
        elif hasattr(each, "nbytes"):
            found[id(each)] = each.nbytes
    return sum(found.values())


def _print(document: dict[str, Any]) -> None:
    cards, tables = document["cards"], document["table_bytes"]
    recall = "perfect recall" if document["perfect_recall"] else "imperfect recall"
    lines = [
        ("buckets", f"{document['buckets']}, {recall}"),
        ("deck", f"{cards['ranks']} ranks x {cards['suits']} suits, board {' + '.join(map(str, cards['board']))}"),
        ("rows", ", ".join(f"{rows:,} {street}" for street, rows in document["rows"].items())),
        ("checksum", document["checksum"]),
        ("time", duration(document["seconds"]) if document["seconds"] > 1 else f"{document['seconds']:.2f} s"),
        ("memory", f"{memory_text(document['fit_bytes'])} for the fit" + ("" if tables is None else
            f", {memory_text(tables)} for the tables of walks")),
        ("kept in", document["kept"] or "nothing is kept, because MCCFR_CACHE says so"),
    ]  # fmt: skip
    print_lines([*lines, *([("written", document["out"])] if document["out"] else [])])
    if "row" in document:
        click.echo()
        _print_row(document["row"])


def _print_row(row: dict[str, Any]) -> None:
    click.echo(f"{row['street']} {row['label']}: {row['probability']:.3%} of all deals, found {row['found']:,} times")
    if not row["found"]:
        click.echo("no deal is in this row: it is empty or very unlikely")
        return
    for name, parts in (("hands", row["classes"]), ("make", row["made"])):
        if parts:
            click.echo(f"{name:<6}{', '.join(f'{part} {share:.1%}' for part, share in parts)}")
    click.echo(f"as in {'; '.join(row['examples'])}")
    click.echo(f"strength at the showdown, mean {row['strength']:.3f}:")
    most = max(row["histogram"])
    for step, share in enumerate(row["histogram"]):
        low, high = step / len(row["histogram"]), (step + 1) / len(row["histogram"])
        click.echo(f"  {low:.1f}-{high:.1f} {share:6.1%} {'█' * round(BAR * share / most)}".rstrip())
