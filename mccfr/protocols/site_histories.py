"""Histories of poker sites, read by pokerkit's parsers and checked as our own are.

pokerkit reads the texts of six sites into PHH's fields; those go through `mccfr.protocols.phh`, so that every card and
every move is checked by our rules, and only hands between two players are taken. Rake is not counted.
"""

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from mccfr.errors import FileError, MissingExtra, as_path, nearest, quoted
from mccfr.protocols.phh import FIELDS, HistoryError
from mccfr.protocols.phh_files import SUFFIXES, History, read_hands, read_parsed, read_text

MOST_SITE_BYTES = 16 * 2**20
SITES = {  # names of pokerkit's parsers, and how a history of theirs can be known
    "pokerstars": ("PokerStarsParser", "PokerStars "),
    "fulltilt": ("FullTiltPokerParser", "Full Tilt Poker "),
    "partypoker": ("PartyPokerParser", "***** Hand History"),
    "ipoker": ("IPokerNetworkParser", "<session"),
    "ongame": ("OngameNetworkParser", "***** History for hand"),
    "absolute": ("AbsolutePokerParser", "Stage #"),
}


def read_any(path: Any, site: str = "", skip: bool = False) -> History:
    """The hands of a file: PHH, PHHS, or the history of a poker site.

    Args:
        path: The file. A name that ends in .phh or .phhs is PHH; others are a site's.
        site: Whose history it is: pokerstars, fulltilt, partypoker, ipoker, ongame or absolute; found by itself if
            left out.
        skip: Leave out hands that are wrong, or not heads-up, and list them.

    Returns:
        The hands, in the order of the file.

    Raises:
        FileError: The file cannot be read, or is no history that we know.
        HistoryError: A hand is wrong, or has more than two players.
        MissingExtra: A site's history needs pokerkit.
    """
    path = as_path(path, "a hand history")
    if path.suffix in SUFFIXES and not site:
        return read_hands(path, skip)
    text = read_text(path, MOST_SITE_BYTES)
    name = site or _site_of(text, path)
    if name not in SITES:
        raise FileError(f"no site {quoted(name)}; {nearest(name, SITES)}")
    return read_parsed(str(path), _hands(text, name, path), skip)


def _site_of(text: str, path: Path) -> str:
    """Whose history a text is, by the words that it begins with."""
    head = text[:2000]
    for site, (_, mark) in SITES.items():
        if mark in head:
            return site
    known = ", ".join(SITES)
    raise FileError(f"{path} is no hand history that we know: expected .phh, .phhs, or a site's ({known})")


def _hands(text: str, site: str, path: Path) -> Iterator[tuple[str, Any]]:
    """The fields of each hand that the parser finds, or what it said."""
    parser = _parser(SITES[site][0], f"reading {path}")
    texts = [found if isinstance(found, str) else found[0] for found in parser.HAND.findall(text)]
    if not texts:
        raise FileError(f"{path}: no hand of {site} in it")
    for number, one in enumerate(texts, 1):
        yield str(number), _parsed(parser, one)


def _parser(name: str, purpose: str) -> Any:
    try:
        import pokerkit.notation
    except ImportError:
        raise MissingExtra("pokerkit", "poker", purpose) from None
    return getattr(pokerkit.notation, name)()


def _parsed(parser: Callable[..., Any], text: str) -> Any:
    """PHH's fields of one hand, or an error in a line. The parser prints what it cannot read: nobody asked for that."""
    try:
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = next(parser(text, parse_value=_value, error_status=True), None)
    except Exception as error:  # whatever another program makes of a text that anybody may have written
        why = error.__context__ if isinstance(error, ValueError) and error.__context__ is not None else error
        return HistoryError(f"pokerkit cannot read it: {type(why).__name__}: {str(why)[:100] or 'no reason given'}")
    if found is None:
        return HistoryError("pokerkit finds no hand in it")
    fields = {name: getattr(found, name, None) for name in FIELDS}
    return {name: value for name, value in fields.items() if value is not None}


def _value(text: str) -> Any:
    """An amount as whole or exact decimal number."""
    found = Decimal(text.replace(",", "").rstrip("."))
    return int(found) if found == found.to_integral_value() and abs(found) < 10**12 else found
